// Cross-validation of responses that are not gaussian: a path for each fold, whose training rows
// are those of positive weight, and the errors of the rows it was not given, as cv.glmnet defines
// them.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "path/cross_validation.hpp"
#include "path/curve.hpp"
#include "path/out_of_fold.hpp"
#include "path/tuning.hpp"
#include "problem/loss.hpp"

namespace sven::path {
namespace {

// A row of a fold: what was seen, what was foretold, and its weight.
struct TestRow {
    double y;
    double mean;
    double eta;
    double weight;
};

// Of one row; cv.glmnet counts both classes of a binomial response.
double row_error(Family family, Measure measure, const TestRow& row) {
    const bool is_binomial = family == Family::binomial;
    switch (measure) {
        case Measure::mse:
            return (is_binomial ? 2 : 1) * (row.y - row.mean) * (row.y - row.mean);
        case Measure::mae:
            return (is_binomial ? 2 : 1) * std::abs(row.y - row.mean);
        case Measure::classification:
            return row.mean > 0.5 ? 1 - row.y : row.y;
        default:
            break;
    }
    // as in cv.glmnet, a certainty that was wrong does not count as infinite
    const problem::Loss loss(family);
    const double limit = loss.link(1 - tuning::certainty);
    const double eta = is_binomial ? std::clamp(row.eta, -limit, limit) : row.eta;
    return 2 * loss.half_deviance(loss.at(row.y, eta), row.y, eta);
}

// The probability that a success has the larger mean of a pair, ties counted by half; a share is
// as many successes and failures as its weight says.
double area_under_curve(std::vector<TestRow> rows) {
    std::sort(rows.begin(), rows.end(),
              [](const TestRow& a, const TestRow& b) { return a.eta < b.eta; });
    double below = 0;  // weight of the failures so far
    double pairs = 0;
    double successes = 0;
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin;
        double failures_here = 0;
        double successes_here = 0;
        for (; end < rows.size() && rows[end].eta == rows[begin].eta; ++end) {
            successes_here += rows[end].weight * rows[end].y;
            failures_here += rows[end].weight * (1 - rows[end].y);
        }
        pairs += successes_here * (below + failures_here / 2);
        below += failures_here;
        successes += successes_here;
        begin = end;
    }
    return pairs / (below * successes);
}

double fold_error(Family family, Measure measure, const std::vector<TestRow>& rows,
                  const linalg::Execution& team) {
    if (measure == Measure::auc) return area_under_curve(rows);
    return weighted_mean(team, rows.size(), [&](Index k) -> WeightedError {
        return {rows[k].weight, row_error(family, measure, rows[k])};
    });
}

// The test rows of a fold under one of its solutions.
std::vector<TestRow> test_rows(const Problem& problem, const linalg::Design& design,
                               const Fold& fold, const Solution& solution,
                               const linalg::Execution& team) {
    const std::vector<double> eta = linear_predictor(problem, design, solution, team);
    const problem::Loss loss(problem.family);
    std::vector<TestRow> rows;
    for (const Index i : fold.test) {
        const double weight = problem.weights.empty() ? 1 : problem.weights[i];
        if (weight == 0) continue;
        rows.push_back({problem.y[i], loss.mean(eta[i]), eta[i], weight});
    }
    return rows;
}

double sum(std::span<const double> weights, Index rows) {
    return weights.empty() ? static_cast<double>(rows)
                           : std::accumulate(weights.begin(), weights.end(), 0.0);
}

// The settings of a fit whose weights sum to `share` of those of all rows: a penalty is lambda
// times that sum.
std::vector<Setting> settings_of_fold(std::span<const Setting> settings, Held held, double share) {
    std::vector<Setting> result(settings.begin(), settings.end());
    if (held == Held::penalty)
        for (Setting& setting : result) std::get<Mixing>(setting).lambda /= share;
    return result;
}

std::vector<Solution> solve_fold(Session& session, std::span<const Setting> settings,
                                 const CrossValidationPlan& plan, std::size_t k, CvCurve& curve) {
    const Member& whole = session.whole();
    const std::vector<double> weights = training_weights(whole.problem, plan.folds[k]);
    Problem problem = whole.problem;
    problem.weights = weights;
    Options options = whole.options;
    options.progress = {};
    Session training(problem, options);
    const double share = sum(weights, 0) / sum(whole.problem.weights, rows(whole.problem.X));
    std::vector<Solution> path = training.solve(settings_of_fold(settings, plan.held, share));
    session.team().check();
    const std::size_t folds = plan.folds.size();
    for (std::size_t s = 0; s < settings.size(); ++s) {
        const std::size_t at = s * folds + k;
        const std::vector<TestRow> rows = test_rows(whole.problem, *training.whole().work.design,
                                                    plan.folds[k], path[s], session.team());
        curve.fold_error[at] = fold_error(problem.family, plan.measure, rows, session.team());
        curve.fold_gap[at] = path[s].gap;
        curve.fold_status[at] = path[s].status;
    }
    return path;
}

// While one is alive, a session's own solves report to nobody.
class Silence {
  public:
    explicit Silence(Options& options) : options_(options), progress_(options.progress) {
        options_.progress = {};
    }
    ~Silence() { options_.progress = progress_; }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

    const std::function<void(const Progress&)>& progress() const { return progress_; }

  private:
    Options& options_;
    std::function<void(const Progress&)> progress_;
};

}  // namespace

CvResult cross_validate_outcome(Session& session, std::span<const std::vector<Setting>> grids,
                                const CrossValidationPlan& plan) {
    std::size_t total = 0;
    for (const std::vector<Setting>& settings : grids)
        total += settings.size() * (plan.folds.size() + 1);
    const Silence silence(session.whole().options);
    Meter meter(silence.progress(), total);
    const bool larger_is_better = plan.measure == Measure::auc;
    CvResult result;
    for (const std::vector<Setting>& settings : grids) {
        CvCurve curve = make_curve(settings, plan.folds.size());
        curve.path = session.solve(settings);
        session.team().check();
        std::vector<std::vector<Solution>> paths;
        for (std::size_t k = 0; k < plan.folds.size(); ++k) {
            paths.push_back(solve_fold(session, settings, plan, k, curve));
            if (!plan.keeps_predictions) paths.back().clear();
            meter.add(static_cast<Index>(settings.size()), worst_gap(curve));
        }
        meter.add(static_cast<Index>(settings.size()), worst_gap(curve));
        summarize(session.whole().problem, plan.folds, larger_is_better, curve);
        if (plan.keeps_predictions)
            keep_predictions(
                {session.whole().problem, *session.whole().work.design, plan.folds, session.team()},
                [&](std::size_t k, Index setting) { return paths[k][setting]; }, curve);
        result.curves.push_back(std::move(curve));
        const CvCurve& last = result.curves.back();
        const CvCurve& best = result.curves[result.best_curve];
        const double gain = last.mean[last.best] - best.mean[best.best];
        if (larger_is_better ? gain > 0 : gain < 0)
            result.best_curve = static_cast<Index>(result.curves.size()) - 1;
    }
    return result;
}

}  // namespace sven::path
