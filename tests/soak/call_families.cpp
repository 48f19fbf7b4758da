// How the library is asked: storage, paths, several responses, folds, the machine.

#include <array>
#include <cmath>

#include "soak/families.hpp"
#include "soak/generate.hpp"

namespace sven::soak {
namespace {

IndexWidth choose_width(Random& random) {
    return random.chance(0.5) ? IndexWidth::int32 : IndexWidth::int64;
}

Case float32(Random& random) {
    Case made = make_case(random, gaussian(random));
    if (random.chance(0.3)) make_collinear(random, made.data, random.decades(-7, -1));
    test::Kind kind;
    kind.scalar = Scalar::float32;
    kind.by_columns = random.chance(0.5);
    kind.is_sparse = random.chance(0.2);
    store_as(made, kind);
    return made;
}

Case sparse(Random& random) {
    Data data = gaussian(random);
    const double density = random.uniform(0.1, 0.7);
    for (double& entry : data.X)
        if (!random.chance(density)) entry = 0;
    Case made = make_case(random, std::move(data));
    test::Kind kind;
    kind.is_sparse = true;
    kind.by_columns = random.chance(0.5);
    kind.index_width = choose_width(random);
    kind.offset_width = choose_width(random);
    store_as(made, kind);
    return made;
}

Case row_major(Random& random) {
    Case made = make_case(random, gaussian(random));
    test::Kind kind;
    kind.by_columns = false;
    kind.is_strided = random.chance(0.5);
    store_as(made, kind);
    return made;
}

std::vector<Setting> several_settings(Random& random, const Data& data) {
    std::vector<Setting> settings;
    const NaturalScale natural = natural_scale(data);
    const Index count = random.between(2, 8);
    const double l2 = random.chance(0.5) ? 0 : natural.squares * random.decades(-4, 0);
    const bool are_mixed = random.chance(0.2);
    const bool are_budgets = random.chance(0.4);
    for (Index k = 0; k < count; ++k) {
        if (are_mixed)
            settings.push_back(choose_setting(random, data));
        else if (are_budgets)
            settings.push_back(Budget{natural.t * random.decades(-3, 1), l2});
        else
            settings.push_back(Penalty{2 * natural.h * random.decades(-5, 0.1), l2});
    }
    return settings;
}

Case path(Random& random) {
    Case made = make_case(random, gaussian(random));
    if (random.chance(0.2)) make_collinear(random, made.data, random.decades(-10, -1));
    made.options.method = random.chance(0.5) ? Method::primal : Method::dual;
    made.settings = several_settings(random, made.data);
    made.call = Call::path;
    return made;
}

Case responses(Random& random) {
    Case made = make_case(random, gaussian(random));
    made.settings = several_settings(random, made.data);
    made.call = Call::responses;
    for (Index k = random.between(1, 4); k > 0; --k) {
        set_response(random, made.data, random.uniform(0.1, 1));
        made.responses.insert(made.responses.end(), made.data.y.begin(), made.data.y.end());
    }
    return made;
}

Case make_validation(Random& random, Data data) {
    Case made = make_case(random, std::move(data));
    made.call = Call::folds;
    made.folds.resize(static_cast<std::size_t>(random.between(2, 5)));
    const auto count = static_cast<Index>(made.folds.size());
    // each fold has a row of its own, the others are drawn
    for (Index i = 0; i < made.data.n; ++i)
        made.folds[i < count ? i : random.between(0, count - 1)].test.push_back(i);
    const NaturalScale natural = natural_scale(made.data);
    const double alpha = random.chance(0.5) ? 1 : random.uniform(0.1, 1);
    double lambda = natural.h / natural.weight / alpha;
    made.settings.clear();
    for (Index k = random.between(2, 5); k > 0; --k) {
        made.settings.push_back(Mixing{lambda, alpha});
        lambda *= random.decades(-2, -0.2);
    }
    return made;
}

Case cross_validation(Random& random) {
    Data data = gaussian(random, {10, 40}, {1, 8});
    if (random.chance(0.2)) {
        data.weights.resize(static_cast<std::size_t>(data.n));
        for (double& w : data.weights) w = random.uniform(0.1, 3);
    }
    return make_validation(random, std::move(data));
}

// Columns that are collinear or dependent in some folds, tiny penalties, too few steps.
Case hard_validation(Random& random) {
    Data data = gaussian(random, {8, 30}, {2, 8});
    if (random.chance(0.5)) make_collinear(random, data, random.decades(-12, -1));
    if (random.chance(0.3)) {
        data.factors.assign(static_cast<std::size_t>(data.p), 1.0);
        data.factors[0] = 0;
        data.factors.back() = random.chance(0.5) ? 0 : 1;
    }
    Case made = make_validation(random, std::move(data));
    if (random.chance(0.3)) {
        const auto& last = std::get<Mixing>(made.settings.back());
        made.settings.push_back(Mixing{last.lambda * random.decades(-8, -2), last.alpha});
    }
    if (random.chance(0.3)) {
        made.options.max_iterations = static_cast<int>(random.between(1, 4));
        made.may_miss_tolerance = true;
    }
    return made;
}

// Two classes that overlap or not; y holds the labels, the weights are the costs.
Case machine(Random& random) {
    Case made;
    Data& data = made.data;
    data = gaussian(random, {3, 30}, {1, 8});
    const double distance = random.uniform(0, 3);
    for (Index i = 0; i < data.n; ++i) {
        data.y[i] = random.chance(0.5) ? 1 : -1;
        data.at(i, 0) += distance * data.y[i];
    }
    const double cost = random.decades(-4, 4);
    data.weights.assign(static_cast<std::size_t>(data.n), cost);
    if (random.chance(0.4))
        for (double& c : data.weights) c = cost * random.decades(-2, 2);
    if (random.chance(0.2)) make_collinear(random, data, random.decades(-12, -1));
    choose_method(random, made);
    test::Kind kind;
    kind.by_columns = random.chance(0.5);
    kind.is_sparse = random.chance(0.2);
    if (random.chance(0.2)) kind.scalar = Scalar::float32;
    store_as(made, kind);
    made.call = Call::machine;
    if (random.chance(0.1)) {
        made.options.max_iterations = static_cast<int>(random.between(1, 4));
        made.may_miss_tolerance = true;
    }
    return made;
}

void copy_sample(Data& data, Index from, Index to) {
    for (Index j = 0; j < data.p; ++j) data.at(to, j) = data.at(from, j);
}

// Costs over 24 decades, or columns in units of their own; whole numbers, samples and columns that
// repeat, zeros.
Case uneven_machine(Random& random) {
    Case made = machine(random);
    Data& data = made.data;
    if (random.chance(0.3))
        for (double& entry : data.X) entry = std::round(entry);
    if (random.chance(0.3))
        for (Index i = 1; i < data.n; ++i)
            if (random.chance(0.3)) copy_sample(data, random.between(0, i - 1), i);
    if (random.chance(0.5))
        for (double& cost : data.weights) cost = random.decades(-12, 12);
    else
        for (Index j = 0; j < data.p; ++j) {
            const double unit = random.chance(0.1) ? 0 : random.decades(-6, 6);
            for (Index i = 0; i < data.n; ++i) data.at(i, j) *= unit;
        }
    if (random.chance(0.2))
        for (Index i = 0; i < data.n; ++i) data.at(i, data.p - 1) = data.at(i, 0);
    store_as(made, made.kind);
    return made;
}

// A machine in units of 10^k.
Case scaled_machine(Random& random) {
    Case made = machine(random);
    store_as(made, {});
    const double factor = std::pow(10, random.uniform(-170, 170));
    for (double& entry : made.data.X) entry *= factor;
    return made;
}

// The machine of another library behind the reduction, which has its own idea of accuracy.
Case liblinear(Random& random) {
    Case made = make_case(random, gaussian(random, {5, 30}, {1, 8}));
    if (has_liblinear()) made.options.svm = Svm::liblinear;
    // the explicit samples have a cost only with a ridge
    const NaturalScale natural = natural_scale(made.data);
    const double l2 = natural.squares * random.decades(-4, 1);
    if (random.chance(0.5))
        made.settings = {Penalty{2 * natural.h * random.decades(-3, 0), l2}};
    else
        made.settings = {Budget{natural.t * random.decades(-3, 1), l2}};
    made.may_miss_tolerance = true;
    return made;
}

constexpr std::array table{
    Family{"float32", float32},
    Family{"sparse", sparse},
    Family{"row-major", row_major},
    Family{"path", path},
    Family{"responses", responses},
    Family{"cross-validation", cross_validation},
    Family{"hard-validation", hard_validation},
    Family{"machine", machine},
    Family{"uneven-machine", uneven_machine},
    Family{"scaled-machine", scaled_machine},
    Family{"liblinear", liblinear},
};

}  // namespace

std::span<const Family> call_families() {
    return table;
}

}  // namespace sven::soak
