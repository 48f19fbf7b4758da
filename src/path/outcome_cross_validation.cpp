// Cross-validation of responses that are not gaussian: a path for each fold, whose training rows
// are those of positive weight, and the errors of the rows it was not given, as cv.glmnet defines
// them.

#include "path/cross_validation.hpp"
#include "path/curve.hpp"
#include "path/measure.hpp"
#include "path/out_of_fold.hpp"
#include "path/relaxed.hpp"
#include "problem/loss.hpp"

namespace sven::path {
namespace {

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

// The settings of a fit whose weights sum to `share` of those of all rows: a penalty is lambda
// times that sum.
std::vector<Setting> settings_of_fold(std::span<const Setting> settings, Held held, double share) {
    std::vector<Setting> result(settings.begin(), settings.end());
    if (held == Held::penalty)
        for (Setting& setting : result) std::get<Mixing>(setting).lambda /= share;
    return result;
}

// What a fold found.
struct FoldPath {
    std::vector<Solution> path;
    std::vector<Relaxed> relaxed;  // empty: not asked for
    std::vector<Index> left_out;   // columns that are constant but for rounding in its rows

    Solution at(Index setting, double gamma) const {
        if (gamma == 1) return path[setting];
        return blend(path[setting], relaxed[setting].solution, gamma);
    }
};

FoldPath solve_fold(Session& session, std::span<const Setting> settings,
                    const CrossValidationPlan& plan, std::size_t k, CvCurve& curve) {
    const Member& whole = session.whole();
    const std::vector<double> weights = training_weights(whole.problem, plan.folds[k]);
    Problem problem = whole.problem;
    problem.weights = weights;
    Options options = whole.options;
    options.progress = {};
    Session training(problem, options);
    const double share =
        linalg::sum_of_rows(session.team(), weights) / whole.work.response.total_weight;
    FoldPath found;
    found.path = training.solve(settings_of_fold(settings, plan.held, share));
    session.team().check();
    found.left_out = training.whole().work.columns.left_out;
    if (!plan.gammas.empty()) found.relaxed = training.relax(found.path);
    session.team().check();
    const auto judge = [&](const Solution& solution) {
        const std::vector<TestRow> rows = test_rows(whole.problem, *training.whole().work.design,
                                                    plan.folds[k], solution, session.team());
        return measured(problem.family, plan.measure, rows, session.team());
    };
    const std::size_t folds = plan.folds.size();
    for (std::size_t s = 0; s < settings.size(); ++s) {
        const std::size_t at = s * folds + k;
        store(judge(found.path[s]), at, curve);
        curve.fold_gap[at] = found.path[s].gap;
        curve.fold_status[at] = found.path[s].status;
        for (GammaCurve& one : curve.relaxed.curves)
            store(one.gamma == 1 ? stored(curve, at)
                                 : judge(found.at(static_cast<Index>(s), one.gamma)),
                  at, one);
        if (found.relaxed.empty()) continue;
        const Relaxed& relaxed = found.relaxed[s];
        curve.relaxed.fold_refit[at] = relaxed.refit;
        if (relaxed.refit == Refit::done) {
            curve.relaxed.fold_gap[at] = relaxed.solution.gap;
            curve.relaxed.fold_status[at] = relaxed.solution.status;
        }
    }
    return found;
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
        CvCurve curve = make_curve(settings, plan);
        curve.path = session.solve(settings);
        if (!plan.gammas.empty()) curve.relaxed.path = session.relax(curve.path);
        session.team().check();
        std::vector<FoldPath> paths;
        for (std::size_t k = 0; k < plan.folds.size(); ++k) {
            paths.push_back(solve_fold(session, settings, plan, k, curve));
            if (result.curves.empty()) result.fold_left_out.push_back(paths.back().left_out);
            if (!plan.keeps_predictions) paths.back() = {};
            meter.add(static_cast<Index>(settings.size()), worst_gap(curve));
        }
        meter.add(static_cast<Index>(settings.size()), worst_gap(curve));
        summarize(tested_folds(session.whole().problem, plan), larger_is_better, curve);
        if (plan.keeps_predictions)
            keep_predictions(
                {session.whole().problem, *session.whole().work.design, plan.folds, session.team()},
                [&](std::size_t k, Index setting, double gamma) {
                    return paths[k].at(setting, gamma);
                },
                curve);
        add_curve(std::move(curve), larger_is_better, result);
    }
    return result;
}

}  // namespace sven::path
