#include <algorithm>
#include <optional>

#include "soak/optimum.hpp"
#include "soak/polytope.hpp"

namespace sven::soak {
namespace {

// The optima as a polytope. All share the products g, so that a coefficient below its bound is
// zero, one at its bound has the sign of its product, and X b is the same for all of them:
//
//     b_I + C b_D = r,     I independent columns that hold one optimum, x_d = X_I C_d.
//
// A coefficient of either sign is the difference of two variables. A slack budget adds a row.
class Optima {
  public:
    Optima(const Quadratic& problem, const Optimum& optimum, std::vector<Index> equal)
        : problem_(problem), optimum_(optimum), equal_(std::move(equal)), factor_(problem.K) {
        for (const Index j : optimum.minimum.support) factor_.append(j);
        for (const Index j : equal_)
            if (!is_kept(j) && !factor_.append(j)) dependent_.push_back(j);
        scale_ = 1;
        for (const Real& b : optimum.minimum.b) scale_ = std::max(scale_, Real(abs(b)));
    }

    [[nodiscard]] bool is_independent() const { return dependent_.empty(); }

    void build() {
        for (const Index j : equal_) add_variables(j);
        const bool has_budget = optimum_.is_slack;
        if (has_budget) variables_.push_back({-1, 1});
        for (const Index i : factor_.members()) add_row(i);
        if (has_budget) add_budget();
        polytope_.emplace(rows_, right_, basis_);
    }

    // The largest of sign * b_j, none where it grows without end; no further than `enough`.
    std::optional<Real> extreme(Index j, int sign, const Real& enough) {
        Reals cost(variables_.size(), Real(0));
        for (std::size_t v = 0; v < variables_.size(); ++v)
            if (variables_[v].feature == j) cost[v] = variables_[v].sign * sign;
        return polytope_->maximum(cost, enough);
    }

    [[nodiscard]] Real zero() const { return violation() * scale_ * 10; }

  private:
    struct Variable {
        Index feature;  // -1: what is left of the budget
        int sign;
    };

    [[nodiscard]] bool is_kept(Index j) const {
        const auto& kept = factor_.members();
        return std::find(kept.begin(), kept.end(), j) != kept.end();
    }

    void add_variables(Index j) {
        const bool is_free = optimum_.multiplier == 0 || problem_.a[j] == 0;
        if (!problem_.admits(j, -1) || (!is_free && optimum_.minimum.g[j] > 0))
            variables_.push_back({j, 1});
        else if (!is_free)
            variables_.push_back({j, -1});
        else
            variables_.insert(variables_.end(), {{j, 1}, {j, -1}});
    }

    // b_i + C_i b_D = b*_i, solved for the variable of i that is not negative there.
    void add_row(Index i) {
        const auto& kept = factor_.members();
        const auto at = std::find(kept.begin(), kept.end(), i) - kept.begin();
        if (combinations_.empty())
            for (const Index d : dependent_) combinations_.push_back(factor_.combination(d));
        const Real& b = optimum_.minimum.b[i];
        Index basic = -1;
        for (std::size_t v = 0; v < variables_.size(); ++v)
            if (variables_[v].feature == i && (basic < 0 || variables_[v].sign * b > 0))
                basic = static_cast<Index>(v);
        const int turn = variables_[basic].sign;
        Reals row;
        for (const Variable& variable : variables_) {
            Real entry = 0;
            if (variable.feature == i) entry = variable.sign * turn;
            for (std::size_t d = 0; d < dependent_.size(); ++d)
                if (dependent_[d] == variable.feature)
                    entry = combinations_[d][at] * variable.sign * turn;
            row.push_back(entry);
        }
        rows_.push_back(std::move(row));
        right_.push_back(std::max(Real(0), Real(turn * b)));
        basis_.push_back(basic);
    }

    // sum a |b| + rest = t, less the rows of the basis.
    void add_budget() {
        Reals row;
        for (const Variable& variable : variables_)
            row.push_back(variable.feature < 0 ? Real(1) : problem_.a[variable.feature]);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Real share = row[basis_[i]];
            for (std::size_t v = 0; v < row.size(); ++v) row[v] -= share * rows_[i][v];
        }
        rows_.push_back(std::move(row));
        right_.push_back(optimum_.room);
        basis_.push_back(static_cast<Index>(variables_.size()) - 1);
    }

    const Quadratic& problem_;
    const Optimum& optimum_;
    std::vector<Index> equal_;
    Factor factor_;
    std::vector<Index> dependent_;
    Real scale_;
    std::vector<Variable> variables_;
    std::vector<Reals> combinations_;
    std::vector<Reals> rows_;
    Reals right_;
    std::vector<Index> basis_;
    std::optional<Polytope> polytope_;
};

}  // namespace

OptimaSet describe_optima(const Quadratic& problem, const Optimum& optimum) {
    const Minimum& minimum = optimum.minimum;
    Real scale = 1;
    for (const Real& b : minimum.b) scale = std::max(scale, Real(abs(b)));
    OptimaSet set;
    set.sides.assign(static_cast<std::size_t>(problem.size()), Side::open);
    const auto side_of = [](const Real& b) { return b > 0 ? Side::positive : Side::negative; };
    std::vector<Index> equal;
    for (Index j = 0; j < problem.size(); ++j) {
        const Real bound = minimum.h * problem.a[j];
        const Real g = problem.pressure(j, minimum.g[j]);
        if (problem.is_uncounted[j] != 0) continue;
        // at its limit, and beyond its bound: in every optimum
        if (problem.is_held(j, minimum.b[j]) && g > bound + violation() * scale)
            set.sides[j] = side_of(minimum.b[j]);
        else if (optimum.is_shut[j] != 0 || g < bound - violation() * scale)
            set.sides[j] = Side::zero;
        else
            equal.push_back(j);
    }
    Optima optima(problem, optimum, equal);
    if (optima.is_independent()) {
        for (const Index j : equal)
            set.sides[j] =
                abs(minimum.b[j]) > negligible() * scale ? side_of(minimum.b[j]) : Side::zero;
        return set;
    }
    // With limits beside zero the optima are no polytope of this kind: nothing is said of them.
    const auto has_walls = [&](Index j) {
        return (problem.lower[j] && *problem.lower[j] != 0) ||
               (problem.upper[j] && *problem.upper[j] != 0);
    };
    if (std::any_of(equal.begin(), equal.end(), has_walls)) return {false, false, {}};
    optima.build();
    const Real without_end("1e200");
    for (const Index j : equal) {
        // b_j lies between -low and high
        const auto high = optima.extreme(j, 1, without_end);
        const auto low = optima.extreme(j, -1, without_end);
        const bool is_fixed = high && low && *high + *low <= optima.zero();
        if (!is_fixed) set.is_unique = false;
        const bool is_above = low && *low < -optima.zero();
        const bool is_below = high && *high < -optima.zero();
        if (is_above || is_below)
            set.sides[j] = is_above ? Side::positive : Side::negative;
        else if (is_fixed)
            set.sides[j] = Side::zero;
    }
    return set;
}

}  // namespace sven::soak
