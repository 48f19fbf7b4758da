#include "soak/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sven::soak {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// What a budget may be exceeded by: the rounding of its own sum.
constexpr double budget_rounding = 1e-12;
// A budget that is slack or binds by less than this is both.
constexpr double slack_rounding = 1e-9;
// Differences below this are the judge's own rounding.
constexpr double judge_rounding = 1e-75;
// An answer as good as this, reported as above the tolerance, is a false alarm.
constexpr double good_enough = 1e-12;

void add_reason(Verdict& verdict, const std::string& reason) {
    verdict.reason += (verdict.reason.empty() ? "" : "; ") + reason;
}

double true_gap(const ExactProblem& problem, const Target& target, const Solution& solution,
                const Optimum& optimum) {
    const Real& squares = problem.response_squares();
    // a constant response: nothing to be relative to, and zeros are the answer
    if (squares == 0) return solution.coefficients.empty() ? 0 : infinity;
    const Real objective =
        problem.objective(target, solution.intercept, dense_values(solution, problem.features()));
    const auto gap = (objective / squares - optimum.value).convert_to<double>();
    return gap < judge_rounding ? 0 : gap;
}

// What is lost where the exact coefficients are rounded to doubles: the best that anyone can hand
// out, but for luck.
double rounded_gap(const ExactProblem& problem, const Target& target, const Optimum& optimum) {
    const Quadratic quadratic(problem, target);
    Solution rounded;
    Real intercept = problem.response_mean();
    for (Index j = 0; j < problem.features(); ++j) {
        const Real exact = optimum.minimum.b[j] * quadratic.response_norm /
                           (quadratic.units[j] * problem.scales()[j]);
        const auto value = exact.convert_to<double>();
        if (value == 0) continue;
        rounded.coefficients.push_back({j, value, value});
        if (problem.data().intercept) intercept -= problem.means()[j] * Real(value);
    }
    rounded.intercept = problem.data().intercept ? intercept.convert_to<double>() : 0;
    return true_gap(problem, target, rounded, optimum);
}

// Whether every optimum has what is proven of a feature.
bool holds(Proof proof, Side side, double value) {
    if (proof == Proof::zero) return side == Side::zero;
    if (proof == Proof::selected)
        return side == (value > 0 ? Side::positive : Side::negative) && value != 0;
    return true;
}

void judge_optima(const OptimaSet& optima, const Solution& solution, Verdict& verdict) {
    if (optima.is_known) judge_proofs(optima.sides, solution, verdict);
    if (solution.status == Status::not_unique && optima.is_unique)
        add_reason(verdict, "not_unique, but there is one solution");
}

// The answer is said to be that without the budget: so it is, to its gap, or the budget is slack.
void judge_slackness(const ExactProblem& problem, const Target& target, const Solution& solution,
                     const Optimum& optimum, Verdict& verdict) {
    if (solution.status != Status::ridge) return;
    if (!target.is_budget && target.h > 0) add_reason(verdict, "ridge, but there is an l1 penalty");
    if (!target.is_budget || optimum.is_slack || optimum.least_used <= 1 + Real(slack_rounding))
        return;
    Target ridge = target;
    ridge.is_budget = false;
    ridge.h = 0;
    const std::vector<double> guess(static_cast<std::size_t>(problem.features()), 0.0);
    const Optimum without = solve_exactly(Quadratic(problem, ridge), ridge, guess);
    if (!(true_gap(problem, target, solution, without) <= solution.gap))
        add_reason(verdict, "ridge, but the budget binds");
}

// Relative differences in what a solution says of itself. An objective is summed from a residual,
// which large coefficients of both signs leave with few digits.
constexpr double budget_statement = 1e-8;
constexpr double objective_statement = 1e-6;

// `t` and `objective` are those of the coefficients that are handed out.
void judge_statements(const ExactProblem& problem, const Setting& setting, const Target& target,
                      const Solution& solution, Verdict& verdict) {
    const std::vector<double> values = dense_values(solution, problem.features());
    const Real used = problem.budget_used(target, values);
    const auto differs = [](double stated, const Real& truth, const Real& error) {
        if (!std::isfinite(stated))
            return !(std::isinf(stated) && abs(truth) > std::numeric_limits<double>::max());
        return abs(Real(Real(stated) - truth)) > error;
    };
    if (differs(solution.t, used, used * budget_statement))
        add_reason(verdict, "t is not that of the coefficients");
    Real objective = problem.objective(target, solution.intercept, values);
    // an objective is not known better than the gap says
    Real error = std::max(problem.response_squares(), objective) * objective_statement;
    if (std::isfinite(solution.gap)) error += problem.response_squares() * Real(solution.gap);
    if (std::holds_alternative<Mixing>(setting)) {
        objective /= 2 * problem.total_weight();
        error /= 2 * problem.total_weight();
    }
    if (differs(solution.objective, objective, error))
        add_reason(verdict, "the objective is not that of the coefficients");
}

}  // namespace

void judge_proofs(const std::vector<Side>& sides, const Solution& solution, Verdict& verdict) {
    const std::vector<double> values = dense_values(solution, static_cast<Index>(sides.size()));
    for (std::size_t j = 0; j < solution.proofs.size(); ++j)
        if (!holds(solution.proofs[j], sides[j], values[j]))
            add_reason(verdict, "feature " + std::to_string(j) + " is not " +
                                    std::string(name(solution.proofs[j])) + " in every solution");
    const auto count = [&](Proof proof) {
        return std::count(solution.proofs.begin(), solution.proofs.end(), proof);
    };
    const SupportCertificate& proven = solution.certificate;
    if (proven.proven_zero != count(Proof::zero) ||
        proven.proven_selected != count(Proof::selected) ||
        proven.left_out != count(Proof::left_out))
        add_reason(verdict, "the counts of the proofs are not theirs");
}

bool is_feasible(const ExactProblem& problem, const Target& target, const Solution& solution,
                 Verdict& verdict) {
    const std::vector<double> values = dense_values(solution, problem.features());
    if (!std::isfinite(solution.intercept)) {
        add_reason(verdict, "the intercept is not finite");
        return false;
    }
    for (Index j = 0; j < problem.features(); ++j) {
        const std::string which = "coefficient " + std::to_string(j);
        if (!std::isfinite(values[j])) add_reason(verdict, which + " is not finite");
        if (values[j] < 0 && problem.data().nonnegative)
            add_reason(verdict, which + " is negative");
        const Data& data = problem.data();
        if ((!data.lower.empty() && values[j] < data.lower[j]) ||
            (!data.upper.empty() && values[j] > data.upper[j]))
            add_reason(verdict, which + " is beyond its limit");
        if (values[j] != 0 && problem.is_left_out(j))
            add_reason(verdict, which + " belongs to a column that is left out");
    }
    if (!verdict.reason.empty()) return false;
    if (target.is_budget &&
        problem.budget_used(target, values) > target.t * (1 + Real(budget_rounding)))
        add_reason(verdict, "the budget is exceeded");
    return verdict.reason.empty();
}

std::vector<double> dense_values(const Solution& solution, Index features) {
    std::vector<double> values(static_cast<std::size_t>(features), 0.0);
    for (const Coefficient& coefficient : solution.coefficients)
        values[coefficient.feature] = coefficient.value;
    return values;
}

Optimum exact_optimum(const ExactProblem& problem, const Setting& setting,
                      const Solution& solution) {
    const Target target = problem.target(setting);
    std::vector<double> guess(static_cast<std::size_t>(problem.features()), 0.0);
    for (const Coefficient& coefficient : solution.coefficients)
        guess[coefficient.feature] = coefficient.standardized;
    return solve_exactly(Quadratic(problem, target), target, guess);
}

Verdict judge(const ExactProblem& problem, const Setting& setting, const Options& options,
              const Solution& solution) {
    const Target target = problem.target(setting);
    const Optimum optimum = exact_optimum(problem, setting, solution);
    const OptimaSet optima = describe_optima(Quadratic(problem, target), optimum);
    Verdict verdict;
    verdict.reported = solution.gap;
    verdict.is_missed = solution.status == Status::iteration_limit;
    verdict.truth = is_feasible(problem, target, solution, verdict)
                        ? true_gap(problem, target, solution, optimum)
                        : infinity;
    if (!(verdict.truth <= solution.gap)) {
        (verdict.is_missed ? verdict.is_understated : verdict.is_silent) = true;
        if (verdict.reason.empty()) add_reason(verdict, "worse than its gap");
    }
    const std::size_t before = verdict.reason.size();
    judge_optima(optima, solution, verdict);
    judge_slackness(problem, target, solution, optimum, verdict);
    verdict.is_contradicted = verdict.reason.size() != before;
    const std::size_t proven = verdict.reason.size();
    if (std::isfinite(verdict.truth) && !verdict.is_missed)
        judge_statements(problem, setting, target, solution, verdict);
    verdict.is_misstated = verdict.reason.size() != proven;
    verdict.is_false_alarm = !(solution.gap <= options.tolerance) && verdict.truth < good_enough;
    verdict.is_out_of_reach = rounded_gap(problem, target, optimum) > options.tolerance / 4;
    return verdict;
}

}  // namespace sven::soak
