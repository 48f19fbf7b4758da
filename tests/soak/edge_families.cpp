// Problems at the edge of the penalised one: free columns, no l1 penalty, slack budgets.

#include <array>
#include <cmath>
#include <limits>

#include "soak/families.hpp"
#include "soak/free_pair.hpp"
#include "soak/generate.hpp"

namespace sven::soak {
namespace {

Case ordinary(Random& random) {
    return make_case(random, gaussian(random));
}

// Unpenalised columns at a small distance from each other, and penalised ones beside them.
Case free_near_duplicates(Random& random) {
    if (random.chance(0.01)) return free_pair();
    Data data = gaussian(random, {8, 40}, {3, 8});
    const double distance = random.decades(-15, -1);
    const std::vector<double> a = normals(random, data.n);
    const std::vector<double> e = normals(random, data.n);
    std::vector<double> near = a;
    for (Index i = 0; i < data.n; ++i) near[i] += distance * e[i];
    set_column(data, 0, a);
    set_column(data, 1, near);
    // the direction in which they differ, where a free feature can be mistaken for a penalised one
    if (random.chance(0.7)) {
        std::vector<double> beside = e;
        for (double& value : beside) value += 0.3 * random.normal();
        set_column(data, 2, beside);
    }
    for (Index i = 0; i < data.n; ++i) data.y[i] = a[i] + e[i] + 0.1 * random.normal();
    data.factors.assign(static_cast<std::size_t>(data.p), 1.0);
    data.factors[0] = 0;
    data.factors[1] = 0;
    return make_case(random, std::move(data));
}

// Several free columns of any condition, copies among them, now and then as many as there are rows.
Case free_columns(Random& random) {
    Data data = gaussian(random, {4, 40}, {3, 10});
    data.factors.assign(static_cast<std::size_t>(data.p), 1.0);
    const Index count = random.between(2, data.p - 1);
    const double decades = random.uniform(0, 15);
    for (Index j = 0; j < count; ++j) {
        data.factors[j] = 0;
        if (j == 0 || random.chance(0.4)) continue;
        const Index other = random.between(0, j - 1);
        const double distance = random.chance(0.1) ? 0 : std::pow(10, -decades);
        for (Index i = 0; i < data.n; ++i)
            data.at(i, j) = data.at(i, other) + distance * data.at(i, j);
    }
    if (random.chance(0.5)) data.y = normals(random, data.n);
    data.nonnegative = random.chance(0.1);
    return make_case(random, std::move(data));
}

Data collinear(Random& random, double distance) {
    const Index p = random.between(2, 8);
    Data data = gaussian(random, random.between(p + 3, 40), p);
    make_collinear(random, data, distance);
    if (random.chance(0.5)) data.y = normals(random, data.n);
    return data;
}

// No l1 penalty, or next to none, and no ridge, at conditions from 1 to 1e15.
Case no_l1(Random& random) {
    Case made = make_case(random, collinear(random, random.decades(-15, 0)));
    const NaturalScale natural = natural_scale(made.data);
    const double h = random.chance(0.6) ? 0 : natural.h * random.decades(-16, -6);
    if (random.chance(0.5))
        made.settings = {Penalty{2 * h, 0}};
    else
        made.settings = {Mixing{h / natural.weight, 1}};
    return made;
}

// Budgets around and far beyond what least squares on near-collinear columns needs.
Case slack_budgets(Random& random) {
    const double distance = random.decades(-14, 0);
    Case made = make_case(random, collinear(random, distance));
    const double t = natural_scale(made.data).t * random.decades(-1, 5) / distance;
    made.settings = {Budget{t, random.chance(0.8) ? 0 : random.decades(-12, 0)}};
    return made;
}

// No l1 penalty, but a ridge of any size.
Case ridge(Random& random) {
    Case made = make_case(random, collinear(random, random.decades(-15, 0)));
    const double l2 = natural_scale(made.data).squares * random.decades(-20, 6);
    if (random.chance(0.5))
        made.settings = {Penalty{0, l2}};
    else
        made.settings = {Budget{std::numeric_limits<double>::infinity(), l2}};
    return made;
}

constexpr std::array table{
    Family{"ordinary", ordinary},           Family{"free-near-duplicates", free_near_duplicates},
    Family{"free-columns", free_columns},   Family{"no-l1", no_l1},
    Family{"slack-budgets", slack_budgets}, Family{"ridge", ridge},
};

}  // namespace

std::span<const Family> edge_families() {
    return table;
}

}  // namespace sven::soak
