#include "soak/optimum.hpp"

#include <algorithm>
#include <cmath>

namespace sven::soak {
namespace {

struct Search {
    const Quadratic& problem;
    const std::vector<char>& is_shut;
    const Real& budget;
};

// Of the penalised features, given what the free ones leave to explain.
struct Multipliers {
    Real largest = 0;  // at which every coefficient is zero
    Real tiny = 0;     // below which no support changes any more
    bool are_zero = true;
};

Multipliers find_multipliers(const Search& search, const Minimum& free_ones) {
    Multipliers multipliers;
    Real most_costly = 0;
    Real largest_product = 0;
    for (Index j = 0; j < search.problem.size(); ++j) {
        if (search.is_shut[j] != 0 || search.problem.a[j] == 0) continue;
        const Real g = std::max(Real(0), search.problem.pressure(j, free_ones.g[j]));
        multipliers.largest = std::max(multipliers.largest, Real(g / search.problem.a[j]));
        most_costly = std::max(most_costly, search.problem.a[j]);
        largest_product = std::max(largest_product, g);
    }
    static const Real share("1e-60");
    if (most_costly > 0) multipliers.tiny = share * largest_product / most_costly;
    multipliers.are_zero = largest_product <= violation();
    return multipliers;
}

// The budget used falls with the multiplier and is linear as long as the support stays: Newton's
// method inside a bracket, with a geometric bisection at every third step.
Minimum bind(const Search& search, Minimum low, Real h_high) {
    Real h_low = 0;
    Minimum point = std::move(low);
    static const Real close("1e-80");
    static const Real small_share("1e-30");
    for (int step = 0; step < 2000; ++step) {
        const Real excess = point.used - search.budget;
        if (abs(excess) <= close * search.budget) return point;
        (excess > 0 ? h_low : h_high) = point.h;
        Real h = point.slope > 0 ? Real(point.h + excess / point.slope) : h_high;
        if (step % 3 == 2 || !(h > h_low && h < h_high))
            h = h_low > 0 ? Real(sqrt(Real(h_low * h_high))) : Real(h_high * small_share);
        point = minimize(search.problem, h, point.b, search.is_shut);
    }
    throw Unjudged("the multiplier of a budget was not found");
}

void solve_budget(const Search& search, const Reals& start, Optimum& optimum) {
    std::vector<char> is_shut = search.is_shut;
    for (Index j = 0; j < search.problem.size(); ++j)
        if (search.problem.a[j] != 0) is_shut[j] = 1;
    const Minimum free_ones = minimize(search.problem, Real(0), start, is_shut);
    const Multipliers multipliers = find_multipliers(search, free_ones);
    optimum.least_used = 0;
    if (multipliers.are_zero) {
        // the free features leave nothing to explain
        optimum.is_slack = true;
        optimum.room = search.budget;
        optimum.minimum = free_ones;
        return;
    }
    if (search.budget == 0) {
        optimum.minimum = free_ones;
        optimum.is_shut = is_shut;
        return;
    }
    Minimum low = minimize(search.problem, multipliers.tiny, start, search.is_shut);
    // the least budget of all optima without a multiplier, on the support that they end on
    const Real needed = low.used + low.h * low.slope;
    optimum.least_used = needed / search.budget;
    if (needed > search.budget) {
        optimum.minimum = bind(search, std::move(low), multipliers.largest);
        return;
    }
    optimum.is_slack = true;
    optimum.room = search.budget - needed;
    for (std::size_t j = 0; j < low.b.size(); ++j) low.b[j] += low.h * low.direction[j];
    low.h = 0;
    low.used = needed;
    low.g = search.problem.c;
    for (Index i = 0; i < search.problem.size(); ++i)
        for (Index j = 0; j < search.problem.size(); ++j)
            low.g[i] -= search.problem.K(i, j) * low.b[j];
    optimum.minimum = std::move(low);
}

}  // namespace

Optimum solve_exactly(const Quadratic& problem, const Target& target,
                      const std::vector<double>& guess) {
    Reals start;
    for (Index j = 0; j < problem.size(); ++j)
        start.push_back(std::isfinite(guess[j])
                            ? Real(Real(guess[j]) * problem.units[j] / problem.response_norm)
                            : Real(0));
    Optimum optimum;
    optimum.is_shut = problem.is_fixed;
    if (target.is_budget) {
        const Real budget = target.t / problem.response_norm;
        solve_budget({problem, problem.is_fixed, budget}, start, optimum);
    } else {
        optimum.minimum =
            minimize(problem, Real(target.h / problem.response_norm), start, problem.is_fixed);
    }
    const Minimum& minimum = optimum.minimum;
    if (worst_violation(problem, minimum, optimum.is_shut) > violation() * 100)
        throw Unjudged("the solution of the judge misses the optimality conditions");
    optimum.multiplier = minimum.h;
    optimum.value = value(problem, minimum, target.is_budget ? Real(0) : minimum.h);
    return optimum;
}

}  // namespace sven::soak
