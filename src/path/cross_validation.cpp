#include "path/cross_validation.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/row_statistics.hpp"
#include "linalg/row_sums.hpp"
#include "path/curve.hpp"
#include "path/data_certificate.hpp"
#include "path/fold_sums.hpp"
#include "path/forms.hpp"
#include "path/out_of_fold.hpp"
#include "path/preparation.hpp"
#include "path/relaxed.hpp"
#include "path/tuning.hpp"

namespace sven::path {
namespace {

// The sums of each fold's test rows, taken in one pass; y about y_shift.
struct FoldedGram {
    std::vector<linalg::GramSums> groups;
    double y_shift = 0;
};

// The sums of a fold's test rows.
struct TestSums {
    const linalg::GramSums& sums;
    double y_shift = 0;
};

// What the curves share.
struct Validation {
    Session& session;
    CrossValidationPlan plan;
    std::span<const Fold> folds = plan.folds;
    // One a fold, whose weights are zero on every other row.
    std::vector<Member> trainings = std::vector<Member>(folds.size());
    FoldedGram folded{};                                              // empty: over the columns
    std::vector<char> has_columns = std::vector<char>(folds.size());  // it is prepared over them

    const Problem& problem() const { return session.whole().problem; }
    // By fold, where statistics stand in the place of the rows; else null.
    const std::vector<linalg::RowStatistics>* statistics() const {
        return session.statistics() == nullptr ? nullptr : &session.statistics()->data().groups;
    }
    bool has_sums() const { return statistics() != nullptr || !folded.groups.empty(); }
    TestSums tested(std::size_t fold) const {
        if (statistics() == nullptr) return {folded.groups[fold], folded.y_shift};
        return {(*statistics())[fold].sums, (*statistics())[fold].y_centre};
    }
    bool is_whole(const Member& member) const { return &member == &session.whole(); }
    std::size_t fold_of(const Member& member) const {
        return static_cast<std::size_t>(&member - trainings.data());
    }
    Members members() {
        Members all;
        for (Member& training : trainings) all.push_back(&training);
        all.push_back(&session.whole());
        return all;
    }
};

void take_training_rows(const Validation& validation, Member& training) {
    const Fold& fold = validation.folds[validation.fold_of(training)];
    training.weights = training_weights(validation.problem(), fold);
    training.problem.weights = training.weights;
    training.work.response = problem::make_response(training.problem, training.work.execution);
}

// ---- over the columns ----

// Whether coefficients are so large that predictions by them cancel to few digits.
bool cancels(const Workspace& work, const problem::Support& support) {
    return length_of_terms(work, support) >
           (1 + tuning::cancelling_terms) * std::sqrt(work.response.squares);
}

// Mean squared or absolute error on the test rows.
RowErrors test_error(const Validation& validation, const Member& training, const Solved& solved,
                     std::vector<double>& fitted) {
    const Problem& problem = validation.problem();
    const Fold& fold = validation.folds[validation.fold_of(training)];
    const linalg::Design& design = *training.work.design;
    linalg::TwofoldVector errors;
    RawModel model;
    if (cancels(training.work, solved.support)) {
        errors = errors_of(training.work, solved.support);
    } else {
        model = raw_model(training.work, solved, design.shift());
        fitted.resize(static_cast<std::size_t>(design.rows()));
        design.multiply(solved.support.features, model.values, training.work.execution,
                        fitted.data());
    }
    return sum_errors(training.work.execution, fold.test.size(), [&](Index k) -> WeightedError {
        const Index i = fold.test[k];
        const double e =
            errors.empty() ? problem.y[i] - model.intercept - fitted[i] : errors[i].value();
        return {problem.weights.empty() ? 1 : problem.weights[i],
                validation.plan.measure == Measure::mae ? std::abs(e) : e * e};
    });
}

// Moments, scales and penalties of training sets, from one pass where X is of a kind that gives the
// moments of all in one; the shift is that of all rows.
void prepare_trainings(Validation& validation, const Members& members) {
    Members left;
    for (Member* const member : members)
        if (!validation.is_whole(*member) && !validation.has_columns[validation.fold_of(*member)])
            left.push_back(member);
    if (left.empty()) return;
    const linalg::Execution& team = validation.session.team();
    std::vector<std::vector<double>> responses(left.size());
    for_each(left, team.threads, [&](Member& training, Index k) {
        take_training_rows(validation, training);
        responses[k] = weighted_response(training.problem, training.work.response);
    });
    std::vector<linalg::MomentRequest> requests;
    for (std::size_t k = 0; k < left.size(); ++k)
        requests.push_back({left[k]->problem.weights, responses[k]});
    std::vector<linalg::ColumnMoments> moments(left.size());
    left.front()->work.design->moments_of(requests, team, moments);
    for_each(left, team.threads, [&](Member& training, Index k) {
        Workspace& work = training.work;
        work.moments = std::move(moments[k]);
        finish_preparation(work);
        work.free = survey_free_features(work);
        training.depends.reset();
        validation.has_columns[validation.fold_of(training)] = 1;
    });
}

// ---- over Gram matrices ----

// From the sums of all rows but the tested ones; false where they are too coarse.
bool prepare_from_sums(Validation& validation, Member& training, problem::ScaledGram& gram) {
    if (validation.is_whole(training)) {
        gram = validation.session.gram();
        return true;
    }
    const std::size_t fold = validation.fold_of(training);
    if (validation.has_columns[fold] != 0) return false;  // they were found to be
    Workspace& work = training.work;
    if (validation.statistics() != nullptr) {
        gram = prepare_from_statistics(
            work, linalg::merged(*validation.statistics(), static_cast<Index>(fold)));
        return true;
    }
    const FoldedGram& folded = validation.folded;
    const linalg::GramSums sums = add(folded.groups, fold, work.execution);
    bool needs_care = false;
    work.response = problem::response_of(sums, folded.y_shift, training.problem.intercept);
    work.moments = problem::moments_of(sums, needs_care);
    if (needs_care) return false;
    gram = finish_preparation(work, sums);
    work.columns.scale_error *= problem::moment_loss(sums, work.moments);
    return true;
}

// ---- the errors of a fold ----

RowErrors error_of(const Validation& validation, const Member& training, const Solved& solved,
                   std::vector<double>& fitted) {
    training.work.execution.check();
    // sums of products know the mean of squares alone
    if (training.method == Method::dual && validation.plan.measure != Measure::mae &&
        validation.plan.grouped) {
        const auto [tested, y_shift] = validation.tested(validation.fold_of(training));
        const RawModel model = raw_model(training.work, solved, tested.centre);
        const double error = squared_error(tested, solved, model, y_shift);
        if (validation.statistics() != nullptr ||
            !has_lost_digits(tested, solved, model, y_shift, error))
            return {error, 0};
    }
    return test_error(validation, training, solved, fitted);
}

void store_errors(const Validation& validation, const Member& training, CvCurve& curve) {
    std::vector<double> fitted;
    const std::size_t fold = validation.fold_of(training);
    for (std::size_t s = 0; s < training.solved.size(); ++s) {
        const Solved& solved = training.solved[s];
        const std::size_t at = s * validation.folds.size() + fold;
        store(error_of(validation, training, solved, fitted), at, curve);
        curve.fold_gap[at] = solved.gap.relative;
        const bool is_reached = solved.gap.relative <= training.options.tolerance;
        curve.fold_status[at] = is_reached ? solved.status : Status::iteration_limit;
    }
}

// ---- relaxed fits ----

std::vector<Refitted> refit_path(Validation& validation, Member& member) {
    problem::ScaledGram gram;
    const bool has_gram =
        !validation.folded.groups.empty() && prepare_from_sums(validation, member, gram);
    if (!member.work.response.has_rows()) take_training_rows(validation, member);
    std::vector<problem::Support> supports;
    for (const Solved& solved : member.solved) supports.push_back(solved.support);
    std::vector<Refitted> refits =
        refit_supports(member, supports, has_gram ? &gram : nullptr, member.work.execution);
    member.work.execution.check();
    return refits;
}

// A solution of a fold at a share of its penalised one, which stands for a refit that is not there.
Solved blended(const Solved& penalised, const Refitted& refitted, double gamma) {
    Solved result = penalised;
    if (refitted.solved.is_done)
        result.support = blend(penalised.support, refitted.solved.support, gamma);
    return result;
}

void store_relaxed_errors(const Validation& validation, const Member& training,
                          std::span<const Refitted> refits, CvCurve& curve) {
    std::vector<double> fitted;
    const std::size_t fold = validation.fold_of(training);
    for (std::size_t s = 0; s < training.solved.size(); ++s) {
        const std::size_t at = s * validation.folds.size() + fold;
        curve.relaxed.fold_refit[at] = refits[s].refit;
        if (refits[s].solved.is_done) {
            curve.relaxed.fold_gap[at] = refits[s].solved.gap.relative;
            curve.relaxed.fold_status[at] = refits[s].solved.status;
        }
        for (GammaCurve& one : curve.relaxed.curves)
            store(one.gamma == 1
                      ? stored(curve, at)
                      : error_of(validation, training,
                                 blended(training.solved[s], refits[s], one.gamma), fitted),
                  at, one);
    }
}

// The Gram matrices of all folds from one pass where they pay, else the moments of all rows.
void prepare(Validation& validation, std::span<const Setting> settings) {
    Session& session = validation.session;
    Member& whole = session.whole();
    const Convention convention = convention_of(settings);
    const linalg::Design& design = *whole.work.design;
    std::vector<std::int32_t> group;
    if (design.has_rows()) group = partition(validation.folds, design.rows());
    if (group.empty() || choose_method(design, settings.size(), whole.options) != Method::dual) {
        session.prepare(Method::primal, convention);
    } else {
        session.prepare_response(convention);
        const problem::Response& response = whole.work.response;
        validation.folded = {linalg::accumulate_group_grams(
                                 design, {response.centred, whole.problem.weights, group},
                                 static_cast<Index>(validation.folds.size()), session.team()),
                             response.mean};
        const std::vector<linalg::GramSums>& groups = validation.folded.groups;
        session.prepare_from(add(groups, groups.size(), session.team()));
    }
    for (Member& training : validation.trainings) {
        session.set_up(training);
        training.options.proofs = false;
    }
}

Batch make_batch(Validation& validation, std::span<const Setting> settings) {
    Batch batch{settings, validation.session.team(), {}, {}, {}, Start::top, nullptr};
    if (validation.has_sums())
        batch.make_gram = [&](Member& training, problem::ScaledGram& gram) {
            return prepare_from_sums(validation, training, gram);
        };
    batch.make_columns = [&](const Members& members) { prepare_trainings(validation, members); };
    batch.take_rows = [&](Member& training) { take_training_rows(validation, training); };
    return batch;
}

TestedFolds tested_folds(const Validation& validation) {
    if (validation.statistics() == nullptr)
        return path::tested_folds(validation.problem(), validation.plan);
    TestedFolds tested;
    for (const linalg::RowStatistics& group : *validation.statistics())
        tested.weights.push_back(group.weight());
    return tested;
}

CvCurve solve_curve(Validation& validation, Batch batch, Meter& meter) {
    const Watch watch;
    Member& whole = validation.session.whole();
    const Members members = validation.members();
    const std::unique_ptr<Record> record =
        validation.session.make_record(batch.settings, members.size(), validation.folds);
    batch.record = record.get();
    solve_batch(batch, members, meter);
    batch.team.check();
    CvCurve curve = make_curve(batch.settings, validation.plan);
    std::vector<std::vector<Refitted>> refits(members.size());
    for_each(members, batch.team.threads, [&](Member& member, Index k) {
        if (!validation.is_whole(member)) store_errors(validation, member, curve);
        if (validation.plan.gammas.empty()) return;
        refits[k] = refit_path(validation, member);
        if (!validation.is_whole(member))
            store_relaxed_errors(validation, member, refits[k], curve);
    });
    summarize(tested_folds(validation), false, curve);
    if (validation.plan.keeps_predictions)
        keep_predictions(
            {validation.problem(), *whole.work.design, validation.folds, batch.team},
            [&](std::size_t k, Index setting, double gamma) {
                const Member& training = validation.trainings[k];
                const Solved& solved = training.solved[setting];
                return make_solution(
                    training.work, batch.settings[setting],
                    gamma == 1 ? solved : blended(solved, refits[k][setting], gamma),
                    training.work.response.mean);
            },
            curve);
    curve.path = make_solutions(whole, batch.settings);
    if (!validation.plan.gammas.empty())
        curve.relaxed.path = relaxed_solutions(whole, curve.path, refits.back());
    watch.share(curve.path, batch.settings.size() * members.size());
    return curve;
}

// One of them becomes somebody's model: both are certified like single fits.
void certify_choices(const Batch& batch, Member& whole, CvCurve& curve) {
    std::vector<Index> choices{curve.best, curve.one_standard_error};
    if (!curve.relaxed.curves.empty())
        choices.insert(choices.end(),
                       {curve.relaxed.best.lambda, curve.relaxed.one_standard_error.lambda});
    for (const Index choice : choices) {
        certify_alone(batch, choice, whole);
        const double seconds = curve.path[choice].seconds;
        curve.path[choice] = make_solutions(whole, batch.settings)[choice];
        curve.path[choice].seconds = seconds;
    }
}

}  // namespace

CvResult cross_validate_curves(Session& session, std::span<const std::vector<Setting>> grids,
                               const CrossValidationPlan& plan) {
    const std::span<const Fold> folds = plan.folds;
    Validation validation{session, plan};
    prepare(validation, grids.front());
    std::size_t total = 0;
    for (const std::vector<Setting>& settings : grids)
        total += settings.size() * (folds.size() + 1);
    Meter meter(session.whole().options.progress, total);
    Member& whole = session.whole();
    CvResult result;
    // of the best curve so far, on all rows
    OrderedTargets asked;
    std::vector<Solved> solved;
    for (const std::vector<Setting>& settings : grids) {
        if (!add_curve(solve_curve(validation, make_batch(validation, settings), meter), false,
                       result))
            continue;
        asked = whole.asked;
        solved = whole.solved;
    }
    whole.asked = std::move(asked);
    whole.solved = std::move(solved);
    certify_choices(make_batch(validation, grids[result.best_curve]), whole,
                    result.curves[result.best_curve]);
    for (const Member& training : validation.trainings)
        result.fold_left_out.push_back(training.work.columns.left_out);
    return result;
}

}  // namespace sven::path
