// Responses that are not gaussian.

#include <array>
#include <cmath>

#include "soak/families.hpp"
#include "soak/generate.hpp"

namespace sven::soak {
namespace {

double poisson_draw(Random& random, double mean) {
    const double limit = std::exp(-mean);
    double product = random.uniform();
    double count = 0;
    for (; product > limit; ++count) product *= random.uniform();
    return count;
}

// A response of the family whose linear predictor is the given response, scaled.
void draw_response(Random& random, sven::Family family, double strength, Data& data) {
    data.family = family;
    double mean = 0;
    double squares = 0;
    const auto n = static_cast<double>(data.n);
    for (const double y : data.y) mean += y / n;
    for (const double y : data.y) squares += (y - mean) * (y - mean) / n;
    for (double& y : data.y) {
        const double eta = strength * (y - mean) / std::sqrt(squares);
        y = family == sven::Family::binomial ? (random.uniform() < 1 / (1 + std::exp(-eta)) ? 1 : 0)
                                             : poisson_draw(random, std::exp(std::min(eta, 4.0)));
    }
    data.y[0] = 0;
    data.y[1] = 1;
}

// Shares or rates with weights, weights of zero, factors, free features, offsets: each now and
// then.
void decorate(Random& random, Data& data) {
    const bool has_shares = random.chance(0.2);
    if (has_shares || random.chance(0.3))
        for (Index i = 0; i < data.n; ++i) {
            const auto weight = static_cast<double>(random.between(1, 9));
            data.weights.push_back(i > 1 && random.chance(0.1) ? 0 : weight);
            if (!has_shares || i < 2) continue;
            data.y[i] =
                data.family == sven::Family::binomial
                    ? static_cast<double>(random.between(0, static_cast<Index>(weight))) / weight
                    : data.y[i] / weight;
        }
    if (random.chance(0.3)) {
        for (Index j = 0; j < data.p; ++j) data.factors.push_back(random.uniform(0.3, 3));
        if (data.n > 12 && random.chance(0.4)) data.factors[0] = 0;
    }
    if (random.chance(0.25))
        for (Index i = 0; i < data.n; ++i) data.offset.push_back(0.5 * random.normal());
    data.nonnegative = data.factors.empty() && random.chance(0.1);
}

Setting choose_penalty(Random& random, const Data& data, double decades) {
    const NaturalScale natural = natural_scale(data);
    const double h = natural.h * random.decades(-decades, 0);
    // without a ridge the judge wants columns that do not depend on each other
    const bool may_be_lasso = data.n >= 2 * data.p + 4;
    const double l2 =
        may_be_lasso && random.chance(0.5) ? 0 : natural.weight * random.decades(-6, 0);
    return Penalty{2 * h, l2};
}

Case outcome(Random& random, sven::Family family, double strength, double decades) {
    Data data = gaussian(random, {6, 30}, {1, 12});
    draw_response(random, family, strength, data);
    decorate(random, data);
    Case made;
    made.data = std::move(data);
    choose_flags(random, made.data);
    made.settings = {choose_penalty(random, made.data, decades)};
    return made;
}

Case binomial(Random& random) {
    return outcome(random, sven::Family::binomial, random.uniform(0.2, 3), 3);
}

Case poisson(Random& random) {
    return outcome(random, sven::Family::poisson, random.uniform(0.1, 1.2), 3);
}

// The classes can be told apart, and the penalty hardly holds them.
Case separable(Random& random) {
    Case made = outcome(random, sven::Family::binomial, 1, 6);
    Data& data = made.data;
    data.weights.clear();
    data.factors.clear();
    data.offset.clear();
    for (Index i = 0; i < data.n; ++i) data.y[i] = data.at(i, 0) > 0 ? 1 : 0;
    data.y[0] = 0;
    data.y[1] = 1;
    data.at(0, 0) = -std::abs(data.at(0, 0));
    data.at(1, 0) = std::abs(data.at(1, 0));
    return made;
}

// Settings one after the other along a path, of more features than one setting takes: each is
// screened with what the one before found.
Case outcome_path(Random& random) {
    Case made;
    made.data = gaussian(random, {8, 30}, {6, 24});
    const bool is_binomial = random.chance(0.5);
    draw_response(random, is_binomial ? sven::Family::binomial : sven::Family::poisson,
                  random.uniform(0.2, 1.2), made.data);
    decorate(random, made.data);
    choose_flags(random, made.data);
    const NaturalScale natural = natural_scale(made.data);
    const double ridge = random.decades(-3, 0.5);
    const double step = random.uniform(0.4, 0.9);
    double h = natural.h * random.uniform(0.3, 1.1);
    for (Index k = random.between(3, 8); k > 0; --k, h *= step)
        made.settings.emplace_back(Penalty{2 * h, 2 * h * ridge});
    made.call = Call::path;
    return made;
}

// Budgets, from those that let little in to those that do not bind, by themselves or along a path.
Case outcome_budget(Random& random) {
    const bool is_binomial = random.chance(0.5);
    Case made = outcome(random, is_binomial ? sven::Family::binomial : sven::Family::poisson,
                        random.uniform(0.2, 1.2), 1);
    const double l2 = std::get<Penalty>(made.settings[0]).l2;
    made.settings.clear();
    double t = natural_scale(made.data).t * random.decades(-2, 1);
    for (Index k = random.between(1, 3); k > 0; --k, t *= random.uniform(1.1, 4))
        made.settings.emplace_back(Budget{t, l2});
    if (made.settings.size() > 1) made.call = Call::path;
    // one that does not bind has no penalty left, and no certificate beside signs
    made.may_miss_tolerance = made.data.nonnegative && l2 == 0;
    return made;
}

constexpr std::array table{
    Family{"binomial", binomial},
    Family{"poisson", poisson},
    Family{"separable", separable},
    Family{"outcome-path", outcome_path},
    Family{"outcome-budget", outcome_budget},
};

}  // namespace

std::span<const Family> outcome_families() {
    return table;
}

}  // namespace sven::soak
