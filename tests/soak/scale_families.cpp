// Sizes: units of X and y that squares cannot hold, and columns far from zero.

#include <array>
#include <cmath>

#include "soak/families.hpp"
#include "soak/generate.hpp"

namespace sven::soak {
namespace {

void multiply_column(Data& data, Index j, double factor) {
    for (Index i = 0; i < data.n; ++i) data.at(i, j) *= factor;
}

// Penalties and budgets of the units that `natural` is measured in: standardised columns take the
// unit of X out, and what remains is that of y.
Setting scaled_setting(Random& random, const Data& data) {
    const NaturalScale natural = natural_scale(data);
    const double l2 = random.chance(0.4) ? 0 : natural.squares * random.decades(-6, 1);
    const double h = natural.h * random.decades(-4, -0.1);
    if (random.chance(0.6) || !std::isfinite(natural.h))
        return Budget{natural.t * random.decades(-3, 1), l2};
    return Penalty{2 * h, l2};
}

// X and y in units of 10^k, k from -170 to 170; without standardisation as far as the products
// and the coefficients are numbers at all.
Case scale(Random& random) {
    Case made;
    Data& data = made.data;
    data = gaussian(random);
    data.intercept = random.chance(0.7);
    data.standardize = random.chance(0.7);
    choose_method(random, made);
    const double limit = data.standardize ? 170 : 140;
    const double of_x = random.chance(0.3) ? 0 : random.uniform(-limit, limit);
    double of_y = random.chance(0.3) ? 0 : random.uniform(-170, 170);
    if (std::abs(of_y - of_x) > 290 || (!data.standardize && std::abs(of_y + of_x) > 290)) of_y = 0;
    for (Index j = 0; j < data.p; ++j) multiply_column(data, j, std::pow(10, of_x));
    for (double& value : data.y) value *= std::pow(10, of_y);
    if (random.chance(0.15))
        data.weights.assign(static_cast<std::size_t>(data.n),
                            std::pow(10, random.uniform(-100, 100)));
    made.settings = {scaled_setting(random, data)};
    return made;
}

// Each column in a unit of its own.
Case scale_columns(Random& random) {
    Case made;
    Data& data = made.data;
    data = gaussian(random);
    data.intercept = random.chance(0.7);
    data.standardize = random.chance(0.7);
    choose_method(random, made);
    // without standardisation the columns compete for the budget in their own units
    const double common = data.standardize ? 0 : random.uniform(-110, 110);
    const double limit = data.standardize ? 170 : 25;
    for (Index j = 0; j < data.p; ++j)
        multiply_column(data, j, std::pow(10, common + random.uniform(-limit, limit)));
    made.settings = {scaled_setting(random, data)};
    return made;
}

// Means of 1 to 1e12 deviations, but not around the 1e10 where a column is left out.
double far_mean(Random& random) {
    const double mean = random.decades(0, 12);
    return mean > 3e9 && mean < 3e10 ? 3e10 : mean;
}

Case far_from_zero(Random& random) {
    Data data = gaussian(random);
    for (Index j = 0; j < data.p; ++j) {
        if (random.chance(0.5)) continue;
        const double mean = far_mean(random);
        for (Index i = 0; i < data.n; ++i) data.at(i, j) += mean;
    }
    if (random.chance(0.3)) {
        const double mean = random.decades(0, 6);
        for (double& value : data.y) value += mean;
    }
    Case made = make_case(random, std::move(data));
    made.data.intercept = random.chance(0.9);
    return made;
}

// Constant but for the last digits, or for a single row.
Case nearly_constant(Random& random) {
    Data data = gaussian(random);
    for (Index j = 0; j < data.p; ++j) {
        if (random.chance(0.6)) continue;
        const double value = random.uniform(1, 9);
        const Index odd = random.between(0, data.n - 1);
        const double change = random.chance(0.5) ? random.decades(-15, -10) : random.decades(-6, 0);
        for (Index i = 0; i < data.n; ++i) data.at(i, j) = value;
        data.at(odd, j) = value + change;
    }
    Case made = make_case(random, std::move(data));
    return made;
}

constexpr std::array table{
    Family{"scale", scale},
    Family{"scale-columns", scale_columns},
    Family{"far-from-zero", far_from_zero},
    Family{"nearly-constant", nearly_constant},
};

}  // namespace

std::span<const Family> scale_families() {
    return table;
}

}  // namespace sven::soak
