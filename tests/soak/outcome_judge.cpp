#include "soak/outcome_judge.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "soak/definite.hpp"

namespace sven::soak {
namespace {

// An answer as good as this, reported as above the tolerance, is a false alarm.
constexpr double good_enough = 1e-12;
// Relative difference in what a solution says of itself.
constexpr double statement = 1e-8;
// A Newton step below this, relative to 1: the next one would be its square.
const char* const at_rest = "1e-55";
// Half a deviance below this share of that at zero: the infimum is zero, and no coefficients reach
// it (classes that can be told apart, without a penalty). Taking zero for the optimum errs by less
// than this, against the answer.
const char* const vanished = "1e-50";
// Beyond its bound by this share, a product violates.
const char* const beyond = "1e-45";
// Classes that are barely apart take the largest predictors ever further, by a logarithm a step.
constexpr int most_steps = 100000;
// A budget is used up to this share of it; a multiplier below the second is none.
const char* const used_up = "1e-30";
const char* const no_multiplier = "1e-40";
constexpr int most_secants = 200;

Real cumulant(sven::Family family, const Real& eta) {
    if (family == sven::Family::poisson) return exp(eta);
    return eta > 0 ? Real(eta + log1p(Real(exp(Real(-eta))))) : Real(log1p(Real(exp(eta))));
}

Real entropy(const Real& x) {
    return x > 0 ? Real(x * log(x)) : Real(0);
}

// A*(y), which makes the loss of a row zero at its best.
Real saturated(sven::Family family, const Real& y) {
    return family == sven::Family::poisson ? Real(entropy(y) - y)
                                           : Real(entropy(y) + entropy(Real(1 - y)));
}

// The problem in the columns as the user asks for them, without limits.
class OutcomeProblem {
  public:
    OutcomeProblem(const ExactProblem& exact, const Target& target)
        : data_(exact.data()), target_(target) {
        for (Index j = 0; j < data_.p; ++j) {
            Reals column;
            for (Index i = 0; i < data_.n; ++i) {
                const Real mean = data_.intercept ? exact.means()[j] : Real(0);
                column.push_back((Real(data_.at(i, j)) - mean) / exact.scales()[j]);
            }
            columns_.push_back(std::move(column));
            const bool is_infinite = !data_.factors.empty() && std::isinf(data_.factors[j]);
            is_used_.push_back(exact.is_left_out(j) || is_infinite ? 0 : 1);
        }
        for (Index i = 0; i < data_.n; ++i) {
            weights_.emplace_back(data_.weights.empty() ? 1.0 : data_.weights[i]);
            offset_.emplace_back(data_.offset.empty() ? 0.0 : data_.offset[i]);
        }
    }

    [[nodiscard]] Real half_deviance(const Reals& eta) const {
        Real sum = 0;
        for (Index i = 0; i < data_.n; ++i) {
            const Real y = data_.y[i];
            sum += weights_[i] *
                   (cumulant(data_.family, eta[i]) - y * eta[i] + saturated(data_.family, y));
        }
        return sum;
    }
    [[nodiscard]] Real penalty(const Reals& b) const {
        Real sum = 0;
        for (Index j = 0; j < data_.p; ++j)
            sum += target_.factors[j] * (target_.h * abs(b[j]) + target_.l2 * b[j] * b[j] / 2);
        return sum;
    }
    [[nodiscard]] Reals predictor(const Real& centre, const Reals& b) const {
        Reals eta = offset_;
        for (Real& value : eta) value += centre;
        for (Index j = 0; j < data_.p; ++j)
            for (Index i = 0; b[j] != 0 && i < data_.n; ++i) eta[i] += columns_[j][i] * b[j];
        return eta;
    }
    // w (y - mean) and the curvatures.
    void derivatives(const Reals& eta, Reals& u, Reals& k) const {
        u.resize(eta.size());
        k.resize(eta.size());
        for (Index i = 0; i < data_.n; ++i) {
            const Real e = exp(eta[i]);
            const bool is_poisson = data_.family == sven::Family::poisson;
            const Real mean = is_poisson ? e : Real(e / (1 + e));
            u[i] = weights_[i] * (Real(data_.y[i]) - mean);
            k[i] = weights_[i] * (is_poisson ? mean : Real(mean / (1 + e)));
        }
    }
    [[nodiscard]] Real product(Index j, const Reals& v) const {
        Real sum = 0;
        for (Index i = 0; i < data_.n; ++i) sum += columns_[j][i] * v[i];
        return sum;
    }
    [[nodiscard]] bool is_used(Index j) const { return is_used_[j] != 0; }
    [[nodiscard]] Real bound(Index j) const { return target_.h * target_.factors[j]; }
    [[nodiscard]] Real ridge(Index j) const { return target_.l2 * target_.factors[j]; }
    [[nodiscard]] const Data& data() const { return data_; }
    [[nodiscard]] const Reals& column(Index j) const { return columns_[j]; }

  private:
    const Data& data_;
    Target target_;
    std::vector<Reals> columns_;
    std::vector<char> is_used_;
    Reals weights_, offset_;
};

// Descends from zero: damped Newton steps on the support, cut at the first coefficient that would
// change its sign; the largest violator enters where nothing moves any more. No step but one that
// only drops a coefficient leaves the value as it was, so that no support returns.
class Descent {
  public:
    explicit Descent(const OutcomeProblem& problem)
        : problem_(problem), b_(static_cast<std::size_t>(problem.data().p), Real(0)) {
        for (Index j = 0; j < problem_.data().p; ++j)
            if (problem_.is_used(j) && problem_.bound(j) == 0) support_.push_back(j);
        sign_.assign(b_.size(), 0);
    }

    void run() {
        evaluate();
        const Real nothing = value() * Real(vanished);
        for (int step = 0; step < most_steps; ++step) {
            if (move() || enter()) {
                // logarithms in 500 bits are as dear as all else of a step
                if (step % 32 != 31 || value() >= nothing) continue;
                has_vanished_ = true;
            }
            return;
        }
        throw Unjudged("the exact optimum of an outcome was not reached");
    }

    [[nodiscard]] Real value() const {
        return has_vanished_ ? Real(0) : problem_.half_deviance(eta_) + problem_.penalty(b_);
    }
    [[nodiscard]] const Reals& coefficients() const { return b_; }

  private:
    void evaluate() {
        eta_ = problem_.predictor(centre_, b_);
        problem_.derivatives(eta_, u_, k_);
    }

    [[nodiscard]] Reals direction() const {
        const bool intercept = problem_.data().intercept;
        const Reals ones(eta_.size(), Real(1));
        std::vector<const Reals*> columns;
        if (intercept) columns.push_back(&ones);
        for (const Index j : support_) columns.push_back(&problem_.column(j));
        std::vector<Reals> H(columns.size(), Reals(columns.size()));
        Reals right(columns.size());
        for (std::size_t a = 0; a < columns.size(); ++a) {
            for (std::size_t i = 0; i < eta_.size(); ++i) right[a] += (*columns[a])[i] * u_[i];
            for (std::size_t c = 0; c <= a; ++c) {
                for (std::size_t i = 0; i < eta_.size(); ++i)
                    H[a][c] += k_[i] * (*columns[a])[i] * (*columns[c])[i];
                H[c][a] = H[a][c];
            }
        }
        const std::size_t first = intercept ? 1 : 0;
        for (std::size_t a = 0; a < support_.size(); ++a) {
            const Index j = support_[a];
            right[first + a] -= problem_.bound(j) * sign_[j] + problem_.ridge(j) * b_[j];
            H[first + a][first + a] += problem_.ridge(j);
        }
        if (!solve_definite(std::move(H), right))
            throw Unjudged("the columns of an outcome depend on each other");
        return right;
    }

    // The share of a Newton step d that decreases the loss for certain: its third derivative along
    // the step is at most D times the second, D the largest change of a predictor, so that the loss
    // is below the bound that log(1 + D) / D minimises (Bach 2010, proposition 1). Near the optimum
    // D vanishes and the share is 1.
    [[nodiscard]] Real damped_share(const Reals& d) const {
        const std::size_t first = problem_.data().intercept ? 1 : 0;
        Real most = 0;
        for (std::size_t i = 0; i < eta_.size(); ++i) {
            Real change = first == 1 ? d[0] : Real(0);
            for (std::size_t a = 0; a < support_.size(); ++a)
                change += problem_.column(support_[a])[i] * d[first + a];
            most = std::max(most, Real(abs(change)));
        }
        return most > 0 ? Real(log1p(most) / most) : Real(1);
    }

    // False where the support is at its optimum.
    bool move() {
        const Reals d = direction();
        Real largest = 0;
        for (const Real& value : d) largest = std::max(largest, Real(abs(value)));
        if (largest < Real(at_rest)) return false;
        const std::size_t first = problem_.data().intercept ? 1 : 0;
        Real share = damped_share(d);
        Index leaving = -1;
        for (std::size_t a = 0; a < support_.size(); ++a) {
            const Index j = support_[a];
            const Real& by = d[first + a];
            if (sign_[j] == 0 || sign_[j] * by >= 0) continue;
            const Real until = -b_[j] / by;
            if (until < share) {
                share = until;
                leaving = j;
            }
        }
        if (first == 1) centre_ += share * d[0];
        for (std::size_t a = 0; a < support_.size(); ++a) b_[support_[a]] += share * d[first + a];
        if (leaving >= 0) drop(leaving);
        evaluate();
        return true;
    }

    void drop(Index j) {
        b_[j] = 0;
        support_.erase(std::find(support_.begin(), support_.end(), j));
        sign_[j] = 0;
    }

    bool enter() {
        Index worst = -1;
        Real most = 0;
        for (Index j = 0; j < problem_.data().p; ++j) {
            const bool is_in = std::find(support_.begin(), support_.end(), j) != support_.end();
            if (is_in || !problem_.is_used(j)) continue;
            const Real product = problem_.product(j, u_);
            if (product < 0 && problem_.data().nonnegative) continue;
            const Real excess = abs(product) / problem_.bound(j) - 1;
            if (excess > Real(beyond) && excess > most) {
                most = excess;
                worst = j;
            }
        }
        if (worst < 0) return false;
        sign_[worst] = problem_.product(worst, u_) > 0 ? 1 : -1;
        support_.push_back(worst);
        return true;
    }

    const OutcomeProblem& problem_;
    Reals b_;
    Real centre_ = 0;
    std::vector<Index> support_;
    std::vector<int> sign_;
    Reals eta_, u_, k_;
    bool has_vanished_ = false;
};

// The optimum of a target; of a budget its value is a lower bound, and no less where the budget is
// used up.
struct Best {
    Real value;  // half the objective
    Reals coefficients;
    Real excess;        // over the budget
    bool binds = true;  // of a budget: for certain
};

Best best_of(const ExactProblem& exact, const Target& target) {
    const OutcomeProblem problem(exact, target);
    Descent descent(problem);
    descent.run();
    Best best{descent.value(), descent.coefficients(), Real(0)};
    for (Index j = 0; target.is_budget && j < exact.features(); ++j)
        best.excess += target.factors[j] * abs(best.coefficients[j]);
    if (!target.is_budget) return best;
    best.excess -= target.t;
    best.value -= target.h * target.t;
    return best;
}

// Of a budget: the optimum of the penalty form, less what h makes of the budget, is below that of
// the budget form for every h, and equal where its coefficients use the budget up. Secants inside a
// bracket, from the multiplier that the answer has.
Best best_of_budget(const ExactProblem& exact, Target target, double stated) {
    Real low = 0;
    Real high = -1;
    Real last_h, last_excess;
    target.h = stated > 0 ? Real(stated) : Real(1);
    for (int step = 0; step < most_secants; ++step) {
        Best best = best_of(exact, target);
        const Real h = target.h, excess = best.excess;
        if (abs(excess) <= Real(used_up) * target.t) return best;
        (excess > 0 ? low : high) = h;
        if (excess < 0 && h < Real(no_multiplier)) {  // it is off by h t at most
            best.binds = false;
            return best;
        }
        target.h = step == 0 ? Real(h * (1 + Real(excess > 0 ? 1e-6 : -1e-6)))
                             : Real(h - excess * (h - last_h) / (excess - last_excess));
        const bool is_inside = target.h > low && (high < 0 || target.h < high);
        if (!is_inside)
            target.h = high < 0 ? low * 16 : low > 0 ? Real(sqrt(low * high)) : high / 1000000;
        last_h = h;
        last_excess = excess;
    }
    throw Unjudged("the multiplier of a budget was not found");
}

// Half the null deviance: intercept and offset alone.
Real null_value(const ExactProblem& exact, Target target) {
    target.is_budget = false;
    target.h = 0;
    target.l2 = 0;
    Data bare = exact.data();
    bare.p = 0;
    bare.X.clear();
    bare.factors.clear();
    const ExactProblem without(bare);
    const OutcomeProblem problem(without, target);
    Descent descent(problem);
    descent.run();
    return descent.value();
}

// MPFR keeps what exponentials and logarithms need, for each thread.
struct KeptConstants {
    ~KeptConstants() { mpfr_free_cache(); }
};

void say(Verdict& verdict, bool& flag, const std::string& reason) {
    flag = true;
    verdict.reason += (verdict.reason.empty() ? "" : "; ") + reason;
}

std::vector<Side> sides_of(const Reals& b) {
    std::vector<Side> sides;
    for (const Real& value : b)
        sides.push_back(abs(value) < Real("1e-30") ? Side::zero
                        : value > 0                ? Side::positive
                                                   : Side::negative);
    return sides;
}

}  // namespace

Verdict judge_outcome(const ExactProblem& exact, const Setting& setting, const Options& options,
                      const Solution& solution) {
    thread_local const KeptConstants freed_with_the_thread;
    (void)freed_with_the_thread;
    const Target target = exact.target(setting);
    const OutcomeProblem problem(exact, target);
    const Best best =
        target.is_budget ? best_of_budget(exact, target, solution.l1 / 2) : best_of(exact, target);
    const Real null = null_value(exact, target);

    // the objective of the numbers that were handed out, over the raw rows
    const Data& data = exact.data();
    Reals eta(static_cast<std::size_t>(data.n), Real(solution.intercept));
    Reals b(static_cast<std::size_t>(data.p), Real(0));
    for (Index i = 0; i < data.n && !data.offset.empty(); ++i) eta[i] += Real(data.offset[i]);
    for (const Coefficient& one : solution.coefficients) {
        b[one.feature] = Real(one.value) * exact.scales()[one.feature];
        for (Index i = 0; i < data.n; ++i)
            eta[i] += Real(data.at(i, one.feature)) * Real(one.value);
    }
    const Real deviance = 2 * problem.half_deviance(eta);
    const Real objective = deviance + 2 * problem.penalty(b);

    Verdict verdict;
    verdict.reported = solution.gap;
    const bool may_be = is_feasible(exact, target, solution, verdict);
    const auto gap = ((objective - 2 * best.value) / (2 * null)).convert_to<double>();
    verdict.truth = may_be ? std::max(gap, 0.0) : std::numeric_limits<double>::infinity();
    verdict.is_missed = solution.status == Status::iteration_limit;
    const bool is_worse = !(verdict.truth <= solution.gap);
    if (is_worse && !verdict.is_missed)
        say(verdict, verdict.is_silent, "farther from the optimum than it says");
    if (is_worse && verdict.is_missed)
        say(verdict, verdict.is_understated, "farther from the optimum than it says");
    verdict.is_false_alarm = solution.gap > options.tolerance && verdict.truth <= good_enough;
    const auto differs = [](double stated, const Real& truth) {
        return !(abs(Real(Real(stated) - truth)) <= Real(statement) * abs(truth) + Real(1e-13));
    };
    if (differs(solution.deviance, deviance) || differs(solution.null_deviance, Real(2 * null)))
        say(verdict, verdict.is_misstated, "the deviance is not that of the coefficients");
    const std::size_t before = verdict.reason.size();
    judge_proofs(sides_of(best.coefficients), solution, verdict);
    verdict.is_contradicted |= verdict.reason.size() != before;
    if (target.is_budget && best.binds && solution.status == Status::ridge)
        say(verdict, verdict.is_contradicted, "the budget is said not to bind");
    return verdict;
}

}  // namespace sven::soak
