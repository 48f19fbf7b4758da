// What is asked: weights, factors, signs, budgets and penalties of every size, effort.

#include <array>
#include <cmath>
#include <limits>

#include "soak/families.hpp"
#include "soak/generate.hpp"

namespace sven::soak {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Over 24 decades, or moderate with zeros among them.
Case weights(Random& random) {
    Data data = gaussian(random);
    data.weights.resize(static_cast<std::size_t>(data.n));
    const double decades = random.chance(0.5) ? 12 : 1;
    for (double& w : data.weights) w = random.chance(0.1) ? 0 : random.decades(-decades, decades);
    data.weights[0] = 1;
    return make_case(random, std::move(data));
}

Case factors(Random& random) {
    Data data = gaussian(random);
    data.factors.resize(static_cast<std::size_t>(data.p));
    for (double& f : data.factors) {
        f = random.decades(-6, 6);
        if (random.chance(0.2)) f = 0;
        if (random.chance(0.15)) f = infinity;
        if (random.chance(0.2)) f = 1;
    }
    return make_case(random, std::move(data));
}

Case nonnegative(Random& random) {
    Data data = gaussian(random);
    data.nonnegative = true;
    if (random.chance(0.3)) {
        data.factors.assign(static_cast<std::size_t>(data.p), 1.0);
        for (double& f : data.factors)
            if (random.chance(0.3)) f = 0;
    }
    Case made = make_case(random, std::move(data));
    if (random.chance(0.2)) made.settings = {Penalty{0, 0}};
    return made;
}

// From 1e-14 to 1e14 of what a single column would use, none and all.
Case budgets(Random& random) {
    Case made = make_case(random, gaussian(random));
    const NaturalScale natural = natural_scale(made.data);
    double t = natural.t * random.decades(-14, 14);
    if (random.chance(0.05)) t = 0;
    if (random.chance(0.05)) t = infinity;
    const double l2 = random.chance(0.5) ? 0 : natural.squares * random.decades(-12, 6);
    made.settings = {Budget{t, l2}};
    return made;
}

// Penalties far below and above those that matter.
Case extreme_penalties(Random& random) {
    Case made = make_case(random, gaussian(random));
    const NaturalScale natural = natural_scale(made.data);
    const double h = natural.h * random.decades(-20, 3);
    const double l2 = random.chance(0.3) ? 0 : natural.squares * random.decades(-20, 12);
    if (random.chance(0.5))
        made.settings = {Penalty{2 * h, l2}};
    else
        made.settings = {Mixing{(h + l2) / natural.weight, h / (h + l2)}};
    return made;
}

// Around the smallest penalty that makes every coefficient zero.
Case first_feature(Random& random) {
    Case made = make_case(random, gaussian(random));
    const NaturalScale natural = natural_scale(made.data);
    const double sign = random.chance(0.5) ? 1 : -1;
    const double h = natural.h * (1 + sign * random.decades(-16, -2));
    if (random.chance(0.5))
        made.settings = {Penalty{2 * h, random.chance(0.5) ? 0 : natural.squares}};
    else
        made.settings = {Mixing{h / natural.weight, 1}};
    return made;
}

// glmnet's convention, with and without factors.
Case glmnet(Random& random) {
    Data data = gaussian(random);
    if (random.chance(0.5)) {
        data.factors.assign(static_cast<std::size_t>(data.p), 1.0);
        for (double& f : data.factors) {
            f = random.chance(0.2) ? 0 : random.uniform(0.1, 3);
            if (random.chance(0.1)) f = infinity;
        }
    }
    if (random.chance(0.3)) {
        data.weights.resize(static_cast<std::size_t>(data.n));
        for (double& w : data.weights) w = random.uniform(0.1, 3);
    }
    Case made = make_case(random, std::move(data));
    const NaturalScale natural = natural_scale(made.data);
    const double alpha = random.chance(0.2) ? random.between(0, 1) : random.uniform();
    const double lambda = natural.h / natural.weight * random.decades(-4, 0.5);
    made.settings = {Mixing{lambda, alpha, Convention::glmnet}};
    return made;
}

// So few steps that most are not done: what is reported must still be true.
Case cut_off(Random& random) {
    Case made = make_case(random, gaussian(random));
    if (random.chance(0.3)) make_collinear(random, made.data, random.decades(-8, -1));
    if (random.chance(0.2)) {
        made.data.factors.assign(static_cast<std::size_t>(made.data.p), 1.0);
        made.data.factors[0] = 0;
    }
    made.options.max_iterations = static_cast<int>(random.between(1, 4));
    made.may_miss_tolerance = true;
    return made;
}

// Every accuracy that may be asked for, on dense and on sparse data: what is reported must be true
// of points that are not exact, too.
Case loose(Random& random) {
    Data data = gaussian(random);
    if (random.chance(0.3)) make_collinear(random, data, random.decades(-12, -1));
    if (random.chance(0.5)) {
        const double kept = random.uniform(0.1, 0.6);
        for (double& x : data.X)
            if (!random.chance(kept)) x = 0;
    }
    if (random.chance(0.3)) {
        data.weights.resize(static_cast<std::size_t>(data.n));
        for (double& w : data.weights) w = random.uniform(0.1, 3);
    }
    data.nonnegative = random.chance(0.2);
    Case made = make_case(random, std::move(data));
    made.options.tolerance = random.decades(-8, -1);
    test::Kind kind;
    kind.is_sparse = random.chance(0.5);
    kind.by_columns = random.chance(0.7);
    store_as(made, kind);
    return made;
}

// Limits of the sizes that coefficients have, some of them infinite, zero or far away.
Data limited(Random& random) {
    Data data = gaussian(random);
    const double typical = random.decades(-3, 0);
    const auto limit = [&] {
        const double draw = random.uniform(0, 1);
        return draw < 0.2 ? 0 : draw < 0.4 ? infinity : typical * random.decades(-1, 1);
    };
    for (Index j = 0; j < data.p; ++j) {
        data.lower.push_back(-limit());
        data.upper.push_back(limit());
    }
    if (random.chance(0.3)) {
        data.factors.assign(static_cast<std::size_t>(data.p), 1.0);
        for (double& f : data.factors) {
            if (random.chance(0.2)) f = 0;
            if (random.chance(0.3)) f = random.decades(-1, 1);
        }
    }
    if (random.chance(0.2)) make_collinear(random, data, random.decades(-12, -1));
    return data;
}

Case boxes(Random& random) {
    Case made = make_case(random, limited(random));
    if (random.chance(0.1)) made.settings = {Penalty{0, 0}};
    return made;
}

Case boxed_budgets(Random& random) {
    Case made = make_case(random, limited(random));
    for (Setting& setting : made.settings)
        setting = Budget{random.decades(-3, 2), random.chance(0.5) ? 0 : random.decades(-3, 2)};
    return made;
}

Case offsets(Random& random) {
    Data data = gaussian(random);
    data.offset = normals(random, data.n);
    for (double& value : data.offset) value *= random.decades(-2, 2);
    return make_case(random, std::move(data));
}

constexpr std::array table{
    Family{"weights", weights},
    Family{"factors", factors},
    Family{"nonnegative", nonnegative},
    Family{"budgets", budgets},
    Family{"extreme-penalties", extreme_penalties},
    Family{"first-feature", first_feature},
    Family{"glmnet", glmnet},
    Family{"cut-off", cut_off},
    Family{"loose", loose},
    Family{"boxes", boxes},
    Family{"boxed-budgets", boxed_budgets},
    Family{"offsets", offsets},
};

}  // namespace

std::span<const Family> statement_families() {
    return table;
}

}  // namespace sven::soak
