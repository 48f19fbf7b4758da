#include "soak/print.hpp"

#include <cstdio>

namespace sven::soak {
namespace {

void print_setting(const Setting& setting) {
    if (const auto* budget = std::get_if<Budget>(&setting))
        std::printf("budget t %.17g, l2 %.17g\n", budget->t, budget->l2);
    else if (const auto* penalty = std::get_if<Penalty>(&setting))
        std::printf("penalty l1 %.17g, l2 %.17g\n", penalty->l1, penalty->l2);
    else if (const auto* mixing = std::get_if<Mixing>(&setting))
        std::printf("mixing lambda %.17g, alpha %.17g%s\n", mixing->lambda, mixing->alpha,
                    mixing->convention == Convention::glmnet ? ", glmnet's convention" : "");
}

// Beside the exact one, of least squares.
void print_optimum(const ExactProblem& problem, const Setting& setting, const Solution& solution) {
    const Optimum optimum = exact_optimum(problem, setting, solution);
    const Quadratic quadratic(problem, problem.target(setting));
    const OptimaSet optima = describe_optima(quadratic, optimum);
    std::printf("  optimum %.17g of the squares of y, %s%s\n", optimum.value.convert_to<double>(),
                optima.is_unique ? "unique" : "not unique", optimum.is_slack ? ", slack" : "");
    std::printf("  proven zero %lld of %lld, selected %lld of %lld\n",
                static_cast<long long>(solution.certificate.proven_zero),
                static_cast<long long>(optima.zero()),
                static_cast<long long>(solution.certificate.proven_selected),
                static_cast<long long>(optima.non_zero()));
    const std::vector<double> values = dense_values(solution, problem.features());
    for (Index j = 0; j < problem.features(); ++j) {
        const Real exact = optimum.minimum.b[j] * quadratic.response_norm /
                           (quadratic.units[j] * problem.scales()[j]);
        std::printf("  %3lld  %24.17g  exactly %24.17g%s\n", static_cast<long long>(j), values[j],
                    exact.convert_to<double>(), problem.is_left_out(j) ? "  left out" : "");
    }
}

}  // namespace

void print_fit(const ExactProblem& problem, const Setting& setting, const Solution& solution,
               const Verdict& verdict) {
    print_setting(setting);
    std::printf("  status %s, method %s, %lld steps\n", std::string(name(solution.status)).c_str(),
                std::string(name(solution.method)).c_str(),
                static_cast<long long>(solution.iterations));
    std::printf("  reported gap %.6g, true gap %.6g\n", verdict.reported, verdict.truth);
    std::printf("  objective %.17g, t %.17g\n", solution.objective, solution.t);
    if (problem.data().family == sven::Family::gaussian)
        print_optimum(problem, setting, solution);
    else
        for (const Coefficient& one : solution.coefficients)
            std::printf("  %3lld  %24.17g\n", static_cast<long long>(one.feature), one.value);
}

void print_case(const Case& made, double condition) {
    const Data& data = made.data;
    std::printf("n %lld, p %lld, %s", static_cast<long long>(data.n),
                static_cast<long long>(data.p), name(made.kind).c_str());
    if (data.intercept) std::printf(", intercept");
    if (data.standardize) std::printf(", standardize");
    if (data.nonnegative) std::printf(", nonnegative");
    if (!data.weights.empty()) std::printf(", weights");
    std::printf("\ncondition %.3g, method %s, tolerance %g, at most %d steps\n", condition,
                std::string(name(made.options.method)).c_str(), made.options.tolerance,
                made.options.max_iterations);
    const auto print_numbers = [](const char* what, const std::vector<double>& numbers) {
        if (numbers.empty()) return;
        std::printf("%s", what);
        for (const double value : numbers) std::printf(" %g", value);
        std::printf("\n");
    };
    print_numbers("factors", data.factors);
    print_numbers("lower", data.lower);
    print_numbers("upper", data.upper);
}

void print_fold(std::size_t setting, std::size_t fold, double error, const Verdict& verdict) {
    std::printf("setting %zu, fold %zu: error %.17g, off by %.3g, permitted %.3g\n", setting, fold,
                error, verdict.truth, verdict.reported);
}

void print_machine(const svm::Classifier& classifier, const Verdict& verdict) {
    std::printf("status %s, method %s, %lld steps\n", std::string(name(classifier.status)).c_str(),
                std::string(name(classifier.method)).c_str(),
                static_cast<long long>(classifier.iterations));
    std::printf("reported gap %.6g, true gap %.6g, objective %.17g\n", verdict.reported,
                verdict.truth, classifier.objective);
    for (const double value : classifier.w) std::printf("  %.17g\n", value);
}

}  // namespace sven::soak
