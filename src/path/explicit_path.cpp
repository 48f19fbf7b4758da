#include "path/explicit_path.hpp"

#include <cmath>

#include "path/data_certificate.hpp"
#include "path/tuning.hpp"
#include "reduction/explicit_samples.hpp"

namespace sven::path {

namespace {

void take(const reduction::ExplicitFit& fit, std::span<const Index> features,
          const problem::Target& target, Solved& result) {
    result.is_done = true;
    result.status = target.is_budget() && fit.is_ridge ? Status::ridge : Status::optimal;
    result.h = fit.is_ridge || !std::isfinite(fit.l1) ? 0 : fit.l1 / 2;
    result.l2 = target.l2();
    result.iterations = fit.iterations;
    result.support.clear();
    for (std::size_t c = 0; c < features.size(); ++c) {
        // a solver that lost its way returns what is no number
        if (fit.beta[c] == 0 || !std::isfinite(fit.beta[c])) continue;
        result.support.features.push_back(features[c]);
        result.support.signs.push_back(fit.beta[c] > 0 ? 1 : -1);
        result.support.beta.push_back(fit.beta[c]);
    }
}

}  // namespace

std::vector<Solved> solve_by_svm(Workspace& work, std::span<const problem::Target> targets,
                                 const Report& report) {
    // Constant and left-out columns give no samples.
    std::vector<Index> features;
    for (Index j = 0; j < work.cols(); ++j)
        if (!work.penalties.excluded[j]) features.push_back(j);
    const linalg::ScaledDesign X = problem::scale_design(*work.design, *work.problem, work.response,
                                                         work.columns, work.moments);
    linalg::Buffer<double> columns(work.rows() * static_cast<Index>(features.size()) + 1);
    X.gather(features, work.execution, columns.data(), work.rows());

    reduction::ExplicitProblem problem;
    problem.X = columns.data();
    problem.rows = work.rows();
    problem.cols = static_cast<Index>(features.size());
    problem.y = work.response.values();
    problem.penalty_factors = work.factors;
    problem.nonnegative = work.problem->nonnegative;
    reduction::ExplicitOptions options;
    options.svm = work.options->svm;
    options.method = work.options->method;
    options.max_iterations = work.options->max_iterations;
    options.execution = work.execution;

    std::vector<Solved> solved(targets.size());
    double worst = 0;
    for (std::size_t k = 0; k < targets.size(); ++k) {
        const problem::Target& target = targets[k];
        if (target.is_budget())
            problem.setting = Budget{target.t(), target.l2()};
        else
            problem.setting = Penalty{2 * target.h(), target.l2()};
        // An SVM solver's own tolerance is not the gap: ask for more until the gap is reached, and
        // keep the best, since rounding may have the last word.
        for (const double share : tuning::svm_shares) {
            options.tolerance = share * work.options->tolerance;
            Solved attempt;
            take(reduction::fit_by_svm(problem, options), features, target, attempt);
            certify_from_data(work, target, Effort::plain, attempt);
            if (share == 1 || attempt.gap.relative < solved[k].gap.relative) solved[k] = attempt;
            if (solved[k].gap.relative <= work.options->tolerance) break;
        }
        worst = std::max(worst, solved[k].gap.relative);
        report(static_cast<Index>(k) + 1, worst);
    }
    return solved;
}

}  // namespace sven::path
