#include "cli/equivalents.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "sven/statistics.hpp"

namespace sven::cli {

namespace {

double weight(const Problem& problem, std::size_t i) {
    return problem.weights.empty() ? 1.0 : problem.weights[i];
}

double total_weight(const Problem& problem) {
    if (problem.statistics != nullptr) return problem.statistics->total_weight();
    double total = 0;
    for (std::size_t i = 0; i < problem.y.size(); ++i) total += weight(problem, i);
    return total;
}

bool is_weighted(const Problem& problem) {
    if (problem.statistics == nullptr) return !problem.weights.empty();
    return total_weight(problem) != static_cast<double>(rows(problem));
}

double deviation_of_response(const Problem& problem, const Solution& solution) {
    const double total = total_weight(problem);
    if (problem.statistics != nullptr) return std::sqrt(solution.null_deviance / total);
    double mean = 0;
    for (std::size_t i = 0; i < problem.y.size() && problem.intercept; ++i) {
        mean += weight(problem, i) * problem.y[i] / total;
    }
    double square = 0;
    for (std::size_t i = 0; i < problem.y.size(); ++i) {
        square += weight(problem, i) * (problem.y[i] - mean) * (problem.y[i] - mean) / total;
    }
    return std::sqrt(square);
}

// The sum that glmnet divides by p to rescale the factors; it sets infinite ones to 1 first.
double factor_sum(const Problem& problem) {
    if (problem.penalty_factors.empty()) return static_cast<double>(cols(problem));
    double sum = 0;
    for (const double factor : problem.penalty_factors) sum += std::isinf(factor) ? 1.0 : factor;
    return sum;
}

bool is_glmnet(const Setting& setting) {
    const auto* const mixing = std::get_if<Mixing>(&setting);
    return mixing != nullptr && mixing->convention == Convention::glmnet;
}

bool is_sparse(const Problem& problem) {
    return std::holds_alternative<SparseView>(problem.X);
}

// The shortest number that differs by rounding alone: 0.1 rather than 0.10000000000000002.
std::string short_number(double value) {
    const std::string text = fmt::format("{:.15g}", value);
    const double read = std::strtod(text.c_str(), nullptr);
    const double rounding = 2 * std::numeric_limits<double>::epsilon() * std::abs(value);
    return std::abs(read - value) <= rounding ? text : fmt::format("{}", value);
}

// L1 and L2 above.
struct Penalties {
    double l1 = 0;
    double l2 = 0;
};

Penalties penalties(const Problem& problem, const Solution& solution) {
    const double total = total_weight(problem);
    return {solution.l1 / (2 * total), solution.l2 / total};
}

// The estimator: scikit-learn has a separate class for each special case.
std::string estimator(const Problem& problem, const Solution& solution) {
    const Penalties penalty = penalties(problem, solution);
    const double alpha = penalty.l1 + penalty.l2;
    std::string tail = problem.intercept ? "" : ", fit_intercept=False";
    if (problem.nonnegative) tail += ", positive=True";
    if (alpha == 0)
        return fmt::format("LinearRegression({})", tail.empty() ? tail : tail.substr(2));
    // The defaults stop early; only plain ridge regression is solved in closed form.
    if (penalty.l1 == 0) {
        return fmt::format("Ridge(alpha={}{}{})", short_number(solution.l2), tail,
                           problem.nonnegative ? ", tol=1e-14" : "");
    }
    tail += ", tol=1e-14, max_iter=10**6";
    if (penalty.l2 == 0) return fmt::format("Lasso(alpha={}{})", short_number(alpha), tail);
    return fmt::format("ElasticNet(alpha={}, l1_ratio={}{})", short_number(alpha),
                       short_number(penalty.l1 / alpha), tail);
}

std::string scikit_learn(const Problem& problem, const Solution& solution) {
    if (!problem.penalty_factors.empty()) return "(none: it has no penalty factors)";
    if (!problem.lower.empty() || !problem.upper.empty())
        return "(none: it has no limits of the coefficients)";
    const bool weighted = is_weighted(problem);
    const std::string model = estimator(problem, solution);
    if (!problem.standardize) {
        return fmt::format("{}.fit(X, y{})", model, weighted ? ", sample_weight=w" : "");
    }
    // The mean need not be subtracted: the intercept absorbs it, and without one it must stay.
    const bool keep_mean = is_sparse(problem) || !problem.intercept;
    std::string step = model.substr(0, model.find('('));
    for (char& letter : step)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return fmt::format(
        "make_pipeline(StandardScaler({}), {}).fit(X, y{})", keep_mean ? "with_mean=False" : "",
        model,
        weighted ? fmt::format(", standardscaler__sample_weight=w, {}__sample_weight=w", step)
                 : std::string());
}

std::string glmnet(const Problem& problem, const Setting& setting, const Solution& solution) {
    if (cols(problem) < 2) return "(none: it needs two features or more)";
    // it divides the ridge by the deviation of a gaussian response alone
    const bool is_gaussian = problem.family == Family::gaussian;
    const double deviation = is_gaussian ? deviation_of_response(problem, solution) : 1;
    if (deviation == 0) return "(none: it refuses a constant y)";
    const double factors = factor_sum(problem);
    if (factors == 0) return "(none: it refuses factors that are all zero)";
    const Penalties penalty = penalties(problem, solution);
    const double sum = penalty.l1 + penalty.l2 * deviation;
    const double rescaling =
        is_glmnet(setting) ? 1.0 : factors / static_cast<double>(cols(problem));
    const double lambda = sum * rescaling;
    std::string call = fmt::format("glmnet(x, y, lambda = {}, alpha = {}", short_number(lambda),
                                   short_number(sum > 0 ? penalty.l1 / sum : 1.0));
    if (!is_gaussian) call += fmt::format(", family = \"{}\"", name(problem.family));
    if (!problem.intercept) call += ", intercept = FALSE";
    if (!problem.standardize) call += ", standardize = FALSE";
    if (is_weighted(problem)) call += ", weights = w";
    if (!problem.penalty_factors.empty()) call += ", penalty.factor = f";
    if (problem.nonnegative) call += ", lower.limits = 0";
    if (!problem.nonnegative && !problem.lower.empty()) call += ", lower.limits = lower";
    if (!problem.upper.empty()) call += ", upper.limits = upper";
    if (!problem.offset.empty()) call += ", offset = o";
    return call + ", thresh = 1e-20, maxit = 1e9)";
}

}  // namespace

Equivalents relaxed_equivalents(const Equivalents& penalised, double gamma) {
    const bool has_call = !penalised.glmnet.empty() && penalised.glmnet.back() == ')' &&
                          penalised.glmnet.front() != '(';
    if (!has_call) return {"(none: it has no relaxed fits)", penalised.glmnet};
    const std::string call = penalised.glmnet.substr(0, penalised.glmnet.size() - 1);
    return {"(none: it has no relaxed fits)",
            fmt::format("coef({}, relax = TRUE), gamma = {})", call, short_number(gamma))};
}

Equivalents equivalents(const Problem& problem, const Setting& setting, const Solution& solution) {
    return {problem.family == Family::gaussian ? scikit_learn(problem, solution)
                                               : "(none is written for this family)",
            glmnet(problem, setting, solution)};
}

}  // namespace sven::cli
