#include "reduction/explicit_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/row_sums.hpp"
#include "reduction/back_end.hpp"
#include "reduction/root_bracket.hpp"
#include "reduction/tuning.hpp"
#include "sven/error.hpp"

namespace sven::reduction {
namespace {

double norm_1(const std::vector<double>& beta) {
    double sum = 0;
    for (const double value : beta) sum += std::abs(value);
    return sum;
}

// a+ - a-, times `scale`
std::vector<double> fold(const ExplicitProblem& problem, const std::vector<double>& alpha,
                         double scale) {
    std::vector<double> beta(alpha.begin(), alpha.begin() + problem.cols);
    for (Index j = 0; j < problem.cols; ++j) {
        if (!problem.nonnegative) beta[j] -= alpha[problem.cols + j];
        beta[j] *= scale;
    }
    return beta;
}

// 2 ||X'r - l2 beta||_inf; with non-negative coefficients only what pulls upwards counts
double multiplier(const ExplicitProblem& problem, const std::vector<double>& beta, double l2,
                  const linalg::Execution& execution) {
    const Index n = problem.rows;
    std::vector<double> residual(problem.y.begin(), problem.y.end());
    for (Index j = 0; j < problem.cols; ++j) {
        if (beta[j] != 0) linalg::axpy(n, -beta[j], problem.X + j * n, residual.data());
    }
    double most = 0;
    for (Index j = 0; j < problem.cols; ++j) {
        const std::span<const double> x(problem.X + j * n, residual.size());
        const double g = linalg::dot_of_rows(execution, x, residual) - l2 * beta[j];
        most = std::max(most, problem.nonnegative ? g : std::abs(g));
    }
    return 2 * most;
}

class Fitter {
  public:
    Fitter(const ExplicitProblem& problem, const ExplicitOptions& options, double l2)
        : problem_(problem), options_(options), l2_(l2) {}

    ExplicitFit fit(const Budget& budget) {
        ExplicitFit zero = nothing();
        if (budget.t == 0 || zero.l1 == 0) return zero;
        if (std::isinf(budget.t)) return centred(0);
        ExplicitFit fit = at_budget(budget.t);
        if (!may_be_slack_) return fit;
        ExplicitFit ridge = centred(0);
        ridge.iterations += fit.iterations;
        return ridge.t <= budget.t ? ridge : fit;
    }

    ExplicitFit fit(const Penalty& penalty) {
        ExplicitFit zero = nothing();
        if (penalty.l1 >= zero.l1) {
            zero.l1 = penalty.l1;
            return zero;
        }
        if (penalty.l1 == 0 || options_.svm == Svm::newton) return centred(penalty.l1);
        return search(penalty.l1, zero.l1);
    }

  private:
    ExplicitFit nothing() const {
        ExplicitFit fit;
        fit.beta.resize(static_cast<std::size_t>(problem_.cols));
        fit.l1 = multiplier(problem_, fit.beta, l2_, options_.execution);
        fit.is_ridge = fit.l1 == 0;
        return fit;
    }

    // The penalty form in one solve: w is the residual, and m_j = +-x_j'r - l1/2.
    ExplicitFit centred(double l1) {
        const Samples samples = form_samples(problem_, l2_, -1, {});
        const BackEndResult result = solve_centred(samples, problem_.y, -l1 / 2, options_);
        ExplicitFit fit{fold(problem_, result.alpha, 1),
                        0,
                        l1,
                        l1 == 0,
                        result.iterations,
                        result.has_converged};
        fit.t = norm_1(fit.beta);
        return fit;
    }

    // Where the budget binds, 1 + w'y/t = -(l1/2) sum(a)/t is negative. Where it does not, the
    // reduction is wrong, since it always spends the whole of it: the sign tells, at no cost.
    ExplicitFit at_budget(double t) {
        std::vector<double> shift(problem_.y.begin(), problem_.y.end());
        for (double& value : shift) value /= -t;
        const BackEndResult result = solve_plain(form_samples(problem_, l2_, 1, shift), options_);
        double sum = 0;
        for (const double a : result.alpha) sum += a;
        ExplicitFit fit;
        fit.beta = fold(problem_, result.alpha, t / sum);
        fit.t = norm_1(fit.beta);
        fit.l1 = multiplier(problem_, fit.beta, l2_, options_.execution);
        fit.iterations = result.iterations;
        fit.has_converged = result.has_converged;
        const double threshold = 1 - linalg::dot_of_rows(options_.execution, shift, result.w);
        may_be_slack_ = threshold > -tuning::slack_threshold;
        return fit;
    }

    // l1(t) falls from its value at zero to 0 at the ridge solution, piecewise linear.
    ExplicitFit search(double l1, double l1_at_zero) {
        const ExplicitFit ridge = centred(0);
        RootBracket bracket({0, l1_at_zero - l1}, {ridge.t, -l1});
        const double enough = std::max(options_.tolerance, tuning::explicit_accuracy) * l1_at_zero;
        Index iterations = ridge.iterations;
        ExplicitFit best;
        double best_excess = std::numeric_limits<double>::infinity();
        while (best_excess > enough && !bracket.is_exhausted()) {
            const double t = bracket.next();
            ExplicitFit fit = at_budget(t);
            const double excess = fit.l1 - l1;
            bracket.add({t, excess});
            iterations += fit.iterations;
            if (std::abs(excess) < best_excess) {
                best_excess = std::abs(excess);
                best = std::move(fit);
            }
        }
        best.iterations = iterations;
        best.l1 = l1;
        best.has_converged = best.has_converged && best_excess <= enough;
        return best;
    }

    const ExplicitProblem& problem_;
    const ExplicitOptions& options_;
    double l2_;
    bool may_be_slack_ = false;
};

}  // namespace

ExplicitFit fit_by_svm(const ExplicitProblem& problem, const ExplicitOptions& options) {
    const double l2 = std::visit([](const auto& setting) { return setting.l2; }, problem.setting);
    if (!(l2 > 0)) {
        throw InvalidArgument(
            "the explicit reduction needs l2 > 0: without it the cost of the SVM is infinite");
    }
    const auto& factors = problem.penalty_factors;
    if (std::any_of(factors.begin(), factors.end(), [](double f) { return f != 1; })) {
        throw InvalidArgument("the explicit reduction does not take penalty factors");
    }
    Fitter fitter(problem, options, l2);
    return std::visit([&](const auto& setting) { return fitter.fit(setting); }, problem.setting);
}

}  // namespace sven::reduction
