#include "soak/run.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "sven/error.hpp"

namespace sven::soak {
namespace {

std::vector<Solution> solve(const Case& made) {
    const test::StoredMatrix X(made.kind, made.data.n, made.data.p, made.data.X);
    Problem problem = made.data.problem();
    problem.X = X.view();
    Options options = made.options;
    options.threads = 1;
    if (made.as_path) return solve_path(problem, made.settings, options);
    std::vector<Solution> solutions;
    for (const Setting& setting : made.settings)
        solutions.push_back(fit(problem, setting, options));
    return solutions;
}

double ratio(const Verdict& verdict) {
    if (verdict.truth == 0) return 0;
    return verdict.reported > 0 ? verdict.truth / verdict.reported
                                : std::numeric_limits<double>::infinity();
}

void add(const Verdict& verdict, bool may_miss, Outcome& outcome) {
    outcome.is_silent |= verdict.is_silent;
    outcome.is_gross |= verdict.is_silent && !(verdict.truth <= gross_gap);
    outcome.is_contradicted |= verdict.is_contradicted;
    outcome.is_misstated |= verdict.is_misstated;
    outcome.is_understated |= verdict.is_understated;
    outcome.is_missed |= verdict.is_missed;
    if (outcome.is_regular && !may_miss)
        outcome.is_false_alarm |= verdict.is_missed || verdict.is_false_alarm;
    outcome.largest_ratio = std::max(outcome.largest_ratio, ratio(verdict));
    outcome.largest_truth = std::max(outcome.largest_truth, verdict.truth);
    if (outcome.reason.empty()) outcome.reason = verdict.reason;
}

void print_setting(const Setting& setting) {
    if (const auto* budget = std::get_if<Budget>(&setting))
        std::printf("budget t %.17g, l2 %.17g\n", budget->t, budget->l2);
    else if (const auto* penalty = std::get_if<Penalty>(&setting))
        std::printf("penalty l1 %.17g, l2 %.17g\n", penalty->l1, penalty->l2);
    else if (const auto* mixing = std::get_if<Mixing>(&setting))
        std::printf("mixing lambda %.17g, alpha %.17g%s\n", mixing->lambda, mixing->alpha,
                    mixing->convention == Convention::glmnet ? ", glmnet's convention" : "");
}

void print(const ExactProblem& problem, const Setting& setting, const Solution& solution,
           const Verdict& verdict) {
    print_setting(setting);
    const Optimum optimum = exact_optimum(problem, setting, solution);
    const Quadratic quadratic(problem, problem.target(setting));
    const OptimaSet optima = describe_optima(quadratic, optimum);
    std::printf("  status %s, method %s, %lld steps\n", std::string(name(solution.status)).c_str(),
                std::string(name(solution.method)).c_str(),
                static_cast<long long>(solution.iterations));
    std::printf("  reported gap %.6g, true gap %.6g\n", verdict.reported, verdict.truth);
    std::printf("  optimum %.17g of the squares of y, %s%s\n", optimum.value.convert_to<double>(),
                optima.is_unique ? "unique" : "not unique", optimum.is_slack ? ", slack" : "");
    std::printf("  proven zero %lld of %lld, selected %lld of %lld\n",
                static_cast<long long>(solution.certificate.proven_zero),
                static_cast<long long>(optima.zero),
                static_cast<long long>(solution.certificate.proven_selected),
                static_cast<long long>(optima.non_zero));
    const std::vector<double> values = dense_values(solution, problem.features());
    for (Index j = 0; j < problem.features(); ++j) {
        const Real exact = optimum.minimum.b[j] * quadratic.response_norm /
                           (quadratic.units[j] * problem.scales()[j]);
        std::printf("  %3lld  %24.17g  exactly %24.17g%s\n", static_cast<long long>(j), values[j],
                    exact.convert_to<double>(), problem.is_left_out(j) ? "  left out" : "");
    }
    if (!verdict.reason.empty()) std::printf("  %s\n", verdict.reason.c_str());
}

void print(const Case& made, const ExactProblem& problem) {
    std::printf("n %lld, p %lld, %s%s%s%s%s, %s\n", static_cast<long long>(made.data.n),
                static_cast<long long>(made.data.p), made.data.intercept ? "intercept " : "",
                made.data.standardize ? "standardize " : "",
                made.data.nonnegative ? "nonnegative " : "",
                made.data.weights.empty() ? "" : "weights ",
                made.data.factors.empty() ? "" : "factors", name(made.kind).c_str());
    for (std::size_t j = 0; j < made.data.factors.size(); ++j)
        std::printf("%s%g", j == 0 ? "factors " : " ", made.data.factors[j]);
    if (!made.data.factors.empty()) std::printf("\n");
    std::printf("condition %.3g, tolerance %g, at most %d steps\n", problem.condition(),
                made.options.tolerance, made.options.max_iterations);
}

Outcome judge_case(const Case& made, bool is_shown) {
    Outcome outcome;
    const ExactProblem problem(made.data);
    outcome.is_regular = problem.condition() < regular_condition;
    if (is_shown) print(made, problem);
    try {
        const std::vector<Solution> solutions = solve(made);
        for (std::size_t k = 0; k < solutions.size(); ++k) {
            const Verdict verdict = judge(problem, made.settings[k], made.options, solutions[k]);
            if (is_shown) print(problem, made.settings[k], solutions[k], verdict);
            add(verdict, made.may_miss_tolerance, outcome);
        }
    } catch (const InvalidArgument& refusal) {
        outcome.is_refused = true;
        outcome.is_false_alarm = outcome.is_regular;
        outcome.reason = std::string("refused: ") + refusal.what();
    } catch (const Unjudged& failure) {
        outcome.is_unjudged = true;
        outcome.reason = failure.what();
    } catch (const std::exception& failure) {
        outcome.is_contradicted = true;
        outcome.reason = std::string("threw: ") + failure.what();
    }
    return outcome;
}

}  // namespace

Outcome run(const Family& family, std::uint64_t seed) {
    Random random(family.name, seed);
    return judge_case(family.make(random), false);
}

Outcome show(const Family& family, std::uint64_t seed) {
    Random random(family.name, seed);
    const Outcome outcome = judge_case(family.make(random), true);
    if (!outcome.reason.empty()) std::printf("%s\n", outcome.reason.c_str());
    return outcome;
}

}  // namespace sven::soak
