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

// What a fold found along one list of settings.
struct FoldPath {
    std::vector<Solution> path;
    std::vector<Relaxed> relaxed;  // empty: not asked for

    Solution at(Index setting, double gamma) const {
        if (gamma == 1) return path[setting];
        return blend(path[setting], relaxed[setting].solution, gamma);
    }
};

// Of folds nothing is told but their errors.
Options silent(Options options) {
    options.progress = {};
    options.proofs = false;
    return options;
}

// The training sets of the folds, one after another in a session over the design of all rows, whose
// shift is its own again at the end.
class Trainings {
  public:
    Trainings(Session& all, const CrossValidationPlan& plan)
        : all_(all),
          plan_(plan),
          design_(all.whole().work.design),
          shift_(design_->shift().begin(), design_->shift().end()),
          session_(all.whole().problem, silent(all.whole().options), design_) {}
    ~Trainings() { design_->set_shift(std::move(shift_)); }
    Trainings(const Trainings&) = delete;
    Trainings& operator=(const Trainings&) = delete;

    void take(std::size_t fold) {
        weights_ = training_weights(all_.whole().problem, plan_.folds[fold]);
        session_.set_weights(weights_);
    }
    FoldPath solve(std::span<const Setting> settings) {
        FoldPath found;
        found.path = session_.solve(settings_of(settings));
        all_.team().check();
        if (!plan_.gammas.empty()) found.relaxed = session_.relax(found.path);
        all_.team().check();
        return found;
    }
    // Columns that are constant but for rounding in the rows of the fold.
    const std::vector<Index>& left_out() { return session_.whole().work.columns.left_out; }

  private:
    // A penalty is lambda times the sum of the weights.
    std::vector<Setting> settings_of(std::span<const Setting> settings) const {
        std::vector<Setting> result(settings.begin(), settings.end());
        if (plan_.held != Held::penalty) return result;
        const double share =
            linalg::sum_of_rows(all_.team(), weights_) / all_.whole().work.response.total_weight;
        for (Setting& setting : result) std::get<Mixing>(setting).lambda /= share;
        return result;
    }

    Session& all_;
    const CrossValidationPlan& plan_;
    std::shared_ptr<linalg::Design> design_;
    std::vector<double> shift_;
    std::vector<double> weights_;
    Session session_;
};

void note_gaps(const FoldPath& found, std::size_t fold, std::size_t folds, CvCurve& curve) {
    for (std::size_t s = 0; s < found.path.size(); ++s) {
        const std::size_t at = s * folds + fold;
        curve.fold_gap[at] = found.path[s].gap;
        curve.fold_status[at] = found.path[s].status;
        if (found.relaxed.empty()) continue;
        const Relaxed& relaxed = found.relaxed[s];
        curve.relaxed.fold_refit[at] = relaxed.refit;
        if (relaxed.refit != Refit::done) continue;
        curve.relaxed.fold_gap[at] = relaxed.solution.gap;
        curve.relaxed.fold_status[at] = relaxed.solution.status;
    }
}

std::vector<TestRow> test_rows(const Problem& problem, const Fold& fold,
                               std::span<const double> eta) {
    const problem::Loss loss(problem.family);
    std::vector<TestRow> rows;
    for (std::size_t k = 0; k < fold.test.size(); ++k) {
        const Index i = fold.test[k];
        const double weight = problem.weights.empty() ? 1 : problem.weights[i];
        if (weight != 0) rows.push_back({problem.y[i], loss.mean(eta[k]), eta[k], weight});
    }
    return rows;
}

// The errors of all folds at each setting, and at each gamma there.
void store_errors(const TestedRows& rows, const FoldSolution& solution_of, Measure measure,
                  CvCurve& curve) {
    const std::size_t folds = rows.folds.size();
    const auto store_at = [&](Index setting, double gamma, auto& errors) {
        rows.team.check();
        const std::vector<std::vector<double>> eta =
            test_predictors(rows, solution_of, setting, gamma);
        for (std::size_t k = 0; k < folds; ++k)
            store(measured(rows.problem.family, measure,
                           test_rows(rows.problem, rows.folds[k], eta[k]), rows.team),
                  setting * folds + k, errors);
    };
    for (Index s = 0; s < static_cast<Index>(curve.path.size()); ++s) {
        store_at(s, 1, curve);
        for (GammaCurve& one : curve.relaxed.curves) {
            if (one.gamma != 1) {
                store_at(s, one.gamma, one);
                continue;
            }
            for (std::size_t at = s * folds; at < (s + 1) * folds; ++at)
                store(stored(curve, at), at, one);
        }
    }
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
    const std::size_t folds = plan.folds.size();
    std::size_t total = 0;
    for (const std::vector<Setting>& settings : grids) total += settings.size() * (folds + 1);
    const Silence silence(session.whole().options);
    Meter meter(silence.progress(), total);
    std::vector<CvCurve> curves;
    for (const std::vector<Setting>& settings : grids) {
        CvCurve& curve = curves.emplace_back(make_curve(settings, plan));
        curve.path = session.solve(settings);
        if (!plan.gammas.empty()) curve.relaxed.path = session.relax(curve.path);
        session.team().check();
        meter.add(static_cast<Index>(settings.size()), worst_gap(curve));
    }
    CvResult result;
    std::vector<std::vector<FoldPath>> paths(grids.size());  // by grid and fold
    {
        Trainings trainings(session, plan);
        for (std::size_t k = 0; k < folds; ++k) {
            trainings.take(k);
            for (std::size_t g = 0; g < grids.size(); ++g) {
                paths[g].push_back(trainings.solve(grids[g]));
                note_gaps(paths[g].back(), k, folds, curves[g]);
                meter.add(static_cast<Index>(grids[g].size()), worst_gap(curves[g]));
            }
            result.fold_left_out.push_back(trainings.left_out());
        }
    }
    const bool larger_is_better = plan.measure == Measure::auc;
    const TestedRows rows{session.whole().problem, *session.whole().work.design, plan.folds,
                          session.team()};
    for (std::size_t g = 0; g < grids.size(); ++g) {
        const auto solution_of = [&](std::size_t k, Index setting, double gamma) {
            return paths[g][k].at(setting, gamma);
        };
        store_errors(rows, solution_of, plan.measure, curves[g]);
        summarize(tested_folds(session.whole().problem, plan), larger_is_better, curves[g]);
        if (plan.keeps_predictions) keep_predictions(rows, solution_of, curves[g]);
        add_curve(std::move(curves[g]), larger_is_better, result);
    }
    return result;
}

}  // namespace sven::path
