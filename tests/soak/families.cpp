#include "soak/families.hpp"

#include <array>
#include <cmath>

#include "soak/generate.hpp"

namespace sven::soak {
namespace {

Case ordinary(Random& random) {
    Case made;
    made.data = gaussian(random);
    choose_flags(random, made.data);
    made.settings = {choose_setting(random, made.data)};
    return made;
}

// Unpenalised columns at a small distance from each other, and penalised ones beside them.
Case free_near_duplicates(Random& random) {
    Case made;
    Data& data = made.data;
    data = gaussian(random, random.between(8, 40), random.between(3, 8));
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
    choose_flags(random, data);
    made.settings = {choose_setting(random, data)};
    return made;
}

// One column is a combination of the others but for a small distance.
void make_collinear(Random& random, Data& data, double distance) {
    const Index last = data.p - 1;
    std::vector<double> sum(static_cast<std::size_t>(data.n), 0.0);
    for (Index j = 0; j < last; ++j) {
        const double value = random.normal();
        for (Index i = 0; i < data.n; ++i) sum[i] += value * data.at(i, j);
    }
    for (double& value : sum) value += distance * random.normal();
    set_column(data, last, sum);
}

// No l1 penalty, or next to none, and no ridge, at conditions from 1 to 1e15.
Case no_l1(Random& random) {
    Case made;
    Data& data = made.data;
    const Index p = random.between(2, 8);
    data = gaussian(random, random.between(p + 3, 40), p);
    make_collinear(random, data, random.decades(-15, 0));
    if (random.chance(0.5)) data.y = normals(random, data.n);
    choose_flags(random, data);
    const NaturalScale natural = natural_scale(data);
    const double h = random.chance(0.6) ? 0 : natural.h * random.decades(-16, -6);
    if (random.chance(0.5))
        made.settings = {Penalty{2 * h, 0}};
    else
        made.settings = {Mixing{h / natural.weight, 1}};
    return made;
}

// Budgets around and far beyond what least squares on near-collinear columns needs.
Case slack_budgets(Random& random) {
    Case made;
    Data& data = made.data;
    const Index p = random.between(2, 8);
    data = gaussian(random, random.between(p + 3, 40), p);
    const double distance = random.decades(-14, 0);
    make_collinear(random, data, distance);
    if (random.chance(0.5)) data.y = normals(random, data.n);
    choose_flags(random, data);
    const double t = natural_scale(data).t * random.decades(-1, 5) / distance;
    made.settings = {Budget{t, random.chance(0.8) ? 0 : random.decades(-12, 0)}};
    return made;
}

constexpr std::array table{
    Family{"ordinary", ordinary},
    Family{"free-near-duplicates", free_near_duplicates},
    Family{"no-l1", no_l1},
    Family{"slack-budgets", slack_budgets},
};

}  // namespace

std::span<const Family> families() {
    return table;
}

}  // namespace sven::soak
