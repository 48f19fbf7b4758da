#include "soak/quadratic.hpp"

#include <algorithm>
#include <cmath>

namespace sven::soak {

Quadratic::Quadratic(const ExactProblem& problem, const Target& target) : K(problem.features()) {
    const Index p = problem.features();
    response_norm =
        problem.response_squares() == 0 ? Real(1) : Real(sqrt(problem.response_squares()));
    for (Index j = 0; j < p; ++j) {
        is_fixed.push_back(problem.is_left_out(j) ? 1 : 0);
        is_uncounted.push_back(problem.is_nearly_constant(j) ? 1 : 0);
        const Real squares = problem.gram()(j, j) + target.l2 * target.factors[j];
        units.push_back(is_fixed[j] != 0 ? Real(1) : Real(sqrt(squares)));
        c.push_back(problem.products()[j] / (units[j] * response_norm));
        a.push_back(target.factors[j] / units[j]);
        const auto scaled = [&](const std::vector<double>& limits) -> std::optional<Real> {
            if (limits.empty() || std::isinf(limits[j])) return std::nullopt;
            return Real(Real(limits[j]) * problem.scales()[j] * units[j] / response_norm);
        };
        lower.push_back(problem.data().nonnegative ? Real(0) : scaled(problem.data().lower));
        upper.push_back(scaled(problem.data().upper));
    }
    for (Index j = 0; j < p; ++j)
        for (Index k = 0; k < p; ++k)
            K(j, k) = j == k ? Real(1) : Real(problem.gram()(j, k) / (units[j] * units[k]));
}

namespace {

Real largest(const Reals& values) {
    Real most = 1;  // the response has the norm 1
    for (const Real& value : values)
        if (abs(value) > most) most = abs(value);
    return most;
}

class ActiveSet {
  public:
    ActiveSet(const Quadratic& problem, const Real& h, const std::vector<char>& is_shut)
        : problem_(problem),
          h_(h),
          is_shut_(is_shut),
          factor_(problem.K),
          b_(static_cast<std::size_t>(problem.size()), Real(0)),
          sign_(b_.size(), 0),
          is_in_(b_.size(), 0),
          is_held_(b_.size(), 0),
          is_ignored_(b_.size(), 0) {}

    Minimum run(const Reals& start) {
        begin(start);
        constexpr int limit = 20000;
        for (int step = 0; step < limit; ++step) {
            settle();
            const Index j = worst_violator();
            if (j < 0) return finish();
            if (!factor_.append(j)) {
                slide(j);
            } else {
                sign_[j] = is_free(j) ? 0 : entering_sign(j);
                is_in_[j] = 1;
                is_held_[j] = 0;
            }
        }
        throw Unjudged("the active-set method of the judge did not end");
    }

  private:
    // Without a penalty and without limits.
    [[nodiscard]] bool is_free(Index j) const {
        return !problem_.is_limited(j) && (h_ == 0 || problem_.a[j] == 0);
    }
    [[nodiscard]] int entering_sign(Index j) const {
        return is_held_[j] != 0 ? sign_[j] : gradient_[j] > 0 ? 1 : -1;
    }

    void begin(const Reals& start) {
        for (Index j = 0; j < problem_.size(); ++j) {
            if (is_shut_[j] != 0) continue;
            const int sign = start[j] > 0 ? 1 : -1;
            if (is_free(j)) {
                b_[j] = start[j];
                is_in_[j] = 1;
            } else if (start[j] != 0 && problem_.admits(j, sign)) {
                b_[j] = start[j];
                sign_[j] = sign;
                is_in_[j] = 1;
                hold_at_limit(j, Real(0));
            }
        }
        rebuild();
    }

    // Whether a coefficient is at its limit, or nearer to it than `near`: it is no longer solved
    // for.
    bool hold_at_limit(Index j, const Real& near) {
        const std::optional<Real> room = problem_.room(j, sign_[j]);
        if (!room || sign_[j] * b_[j] < *room - near) return false;
        b_[j] = sign_[j] * *room;
        is_in_[j] = 0;
        is_held_[j] = 1;
        return true;
    }

    // Of dependent columns the later ones leave.
    void rebuild() {
        factor_.clear();
        for (Index j = 0; j < problem_.size(); ++j) {
            if (is_in_[j] == 0 || factor_.append(j)) continue;
            is_in_[j] = 0;
            b_[j] = 0;
        }
    }

    // To the minimum on the support; coefficients that reach zero on the way leave it.
    void settle() {
        for (;;) {
            const std::vector<Index>& members = factor_.members();
            Reals right;
            for (const Index j : members)
                right.push_back(problem_.c[j] - h_ * problem_.a[j] * sign_[j] - held_part(j));
            const Reals goal = factor_.solve(right);
            Reals direction;
            for (std::size_t k = 0; k < members.size(); ++k)
                direction.push_back(goal[k] - b_[members[k]]);
            if (!move(members, direction, Real(1))) {
                for (std::size_t k = 0; k < members.size(); ++k) b_[members[k]] = goal[k];
                break;
            }
            rebuild();
        }
        gradient_ = problem_.c;
        for (Index i = 0; i < problem_.size(); ++i)
            for (Index j = 0; j < problem_.size(); ++j)
                if (b_[j] != 0) gradient_[i] -= problem_.K(i, j) * b_[j];
    }

    // What coefficients at their limits take off the product of feature i.
    [[nodiscard]] Real held_part(Index i) const {
        Real sum = 0;
        for (Index j = 0; j < problem_.size(); ++j)
            if (is_held_[j] != 0) sum += problem_.K(i, j) * b_[j];
        return sum;
    }

    // Up to `length` along the direction, or to the first coefficient that becomes zero or reaches
    // a limit: true, and all that did have left.
    bool move(const std::vector<Index>& members, const Reals& direction, const Real& length) {
        const Real zero = negligible() * std::max(largest(b_), largest(direction));
        Real step = length;
        bool is_blocked = false;
        for (std::size_t k = 0; k < members.size(); ++k) {
            const Index j = members[k];
            const Real end = sign_[j] * (b_[j] + length * direction[k]);
            const std::optional<Real> room = problem_.room(j, sign_[j]);
            const bool is_beyond = room && end >= *room - zero;
            if (sign_[j] == 0 || (end > zero && !is_beyond)) continue;
            const Real stop = is_beyond ? Real(sign_[j] * *room) : Real(0);
            const Real reach = (stop - b_[j]) / direction[k];
            if (!is_blocked || reach < step) step = reach;
            is_blocked = true;
        }
        if (!is_blocked) return false;
        for (std::size_t k = 0; k < members.size(); ++k) {
            const Index j = members[k];
            b_[j] += step * direction[k];
            if (sign_[j] == 0 || (sign_[j] * b_[j] > zero && !hold_at_limit(j, zero))) continue;
            if (is_held_[j] != 0) continue;
            b_[j] = 0;
            is_in_[j] = 0;
            sign_[j] = 0;
        }
        return true;
    }

    // j depends on the support: along the null direction the fit stays and the penalty falls,
    // until a coefficient of the support is zero and j takes its place.
    void slide(Index j) {
        const int sign = is_free(j) ? 0 : entering_sign(j);
        const Reals combination = factor_.combination(j);
        std::vector<Index> members = factor_.members();
        Reals direction;
        const bool was_held = is_held_[j] != 0;
        const int towards = was_held ? -sign : gradient_[j] > 0 ? 1 : -1;
        const Real before = b_[j];
        for (const Real& entry : combination) direction.push_back(-entry * towards);
        members.push_back(j);
        direction.push_back(Real(towards));
        is_in_[j] = 1;
        is_held_[j] = 0;
        sign_[j] = sign;
        static const Real without_end("1e300");
        if (sign == 0 || !move(members, direction, without_end)) {
            // nothing ends it: its slope is rounding
            is_in_[j] = 0;
            is_held_[j] = was_held ? 1 : 0;
            sign_[j] = was_held ? sign : 0;
            b_[j] = before;
            is_ignored_[j] = 1;
        }
        rebuild();
    }

    [[nodiscard]] Index worst_violator() const {
        Real most = violation() * largest(b_);
        Index worst = -1;
        for (Index j = 0; j < problem_.size(); ++j) {
            if (is_shut_[j] != 0 || is_in_[j] != 0 || is_ignored_[j] != 0) continue;
            const Real bound = h_ * problem_.a[j];
            const Real excess = is_held_[j] != 0 ? Real(bound - sign_[j] * gradient_[j])
                                                 : Real(problem_.pressure(j, gradient_[j]) - bound);
            if (excess <= most) continue;
            most = excess;
            worst = j;
        }
        return worst;
    }

    Minimum finish() {
        Minimum minimum;
        minimum.h = h_;
        minimum.g = gradient_;
        minimum.support = factor_.members();
        minimum.used = 0;
        minimum.slope = 0;
        minimum.direction.assign(b_.size(), Real(0));
        Reals right;
        for (const Index j : minimum.support) right.push_back(problem_.a[j] * sign_[j]);
        const Reals along = factor_.solve(right);
        for (std::size_t k = 0; k < along.size(); ++k) {
            const Index j = minimum.support[k];
            minimum.used += problem_.a[j] * abs(b_[j]);
            minimum.slope += right[k] * along[k];
            minimum.direction[j] = along[k];
        }
        for (Index j = 0; j < problem_.size(); ++j)
            if (is_held_[j] != 0) minimum.used += problem_.a[j] * abs(b_[j]);
        minimum.b = b_;
        return minimum;
    }

    const Quadratic& problem_;
    const Real& h_;
    const std::vector<char>& is_shut_;
    Factor factor_;
    Reals b_;
    Reals gradient_;
    std::vector<int> sign_;
    std::vector<char> is_in_;    // solved for
    std::vector<char> is_held_;  // at a limit other than zero
    std::vector<char> is_ignored_;
};

}  // namespace

Minimum minimize(const Quadratic& problem, const Real& h, const Reals& start,
                 const std::vector<char>& is_shut) {
    return ActiveSet(problem, h, is_shut).run(start);
}

Real worst_violation(const Quadratic& problem, const Minimum& minimum,
                     const std::vector<char>& is_shut) {
    Real worst = 0;
    for (Index i = 0; i < problem.size(); ++i) {
        if (is_shut[i] != 0) continue;
        Real g = problem.c[i];
        for (Index j = 0; j < problem.size(); ++j) g -= problem.K(i, j) * minimum.b[j];
        const Real bound = minimum.h * problem.a[i];
        const Real& b = minimum.b[i];
        Real excess = problem.pressure(i, g) - bound;
        if (b != 0) excess = abs(Real(g - (b > 0 ? bound : Real(-bound))));
        if (problem.is_held(i, b)) excess = bound - (b > 0 ? g : Real(-g));
        const std::optional<Real> room = b != 0 ? problem.room(i, b > 0 ? 1 : -1) : std::nullopt;
        if (room && abs(b) > *room * (1 + violation())) excess = 1;
        worst = std::max(worst, excess);
    }
    return worst / largest(minimum.b);
}

Real value(const Quadratic& problem, const Minimum& minimum, const Real& h) {
    Real sum = 1;
    for (Index i = 0; i < problem.size(); ++i) {
        if (minimum.b[i] == 0) continue;
        Real along = -2 * problem.c[i];
        for (Index j = 0; j < problem.size(); ++j) along += problem.K(i, j) * minimum.b[j];
        sum += minimum.b[i] * along + 2 * h * problem.a[i] * abs(minimum.b[i]);
    }
    return sum;
}

}  // namespace sven::soak
