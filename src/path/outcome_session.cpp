// Sessions whose response is not gaussian: preparation is that of the squared loss (means, scales
// and penalties go by the weights of the problem), the path is their own.

#include <algorithm>

#include "path/data_certificate.hpp"
#include "path/outcome_path.hpp"
#include "path/preparation.hpp"
#include "path/relaxed.hpp"
#include "path/session.hpp"
#include "sven/error.hpp"

namespace sven::path {
namespace {

// In the terms that the forms know. glmnet divides the ridge by the deviation of a gaussian
// response alone.
std::vector<Setting> documented(std::span<const Setting> settings) {
    std::vector<Setting> result(settings.begin(), settings.end());
    for (Setting& setting : result)
        if (auto* mixing = std::get_if<Mixing>(&setting))
            mixing->convention = Convention::documented;
    return result;
}

bool is_penalised(const problem::Target& target) {
    return target.h() > 0 || target.l2() > 0;
}

bool is_budget(const problem::Target& target) {
    return target.is_budget();
}

// Within limits: the refit of all features.
std::vector<OutcomePath::Answer> solve_within_limits(const Member& whole, std::size_t targets,
                                                     const Report& report) {
    const Workspace& work = whole.work;
    problem::Support all;
    SupportCertificate proven;
    proven.left_out = work.penalties.left_out_count;
    std::vector<Proof> proofs(static_cast<std::size_t>(work.cols()));
    for (Index j = 0; j < work.cols(); ++j) {
        const problem::Exclusion why = work.penalties.excluded[j];
        if (why == problem::is_zero) ++proven.proven_zero;
        if (why) proofs[j] = why == problem::is_zero ? Proof::zero : Proof::left_out;
        if (why) continue;
        all.features.push_back(j);
        all.beta.push_back(1);
        ++proven.undecided;
    }
    const Refitted refit = refit_supports(whole, {&all, 1}, nullptr, work.execution).front();
    if (!refit.solved.is_done) return {};
    OutcomePath::Answer answer{refit.solved, refit.centre, refit.deviance, false};
    answer.solved.weighted_l1 = budget_used(work, refit.solved.support);
    answer.solved.certificate = proven;
    if (work.options->proofs) answer.solved.proofs = std::move(proofs);
    report(static_cast<Index>(targets), answer.solved.gap.relative);
    return std::vector<OutcomePath::Answer>(targets, answer);
}

// Where nothing is penalised every feature is free: the dual point is then orthogonal to all
// columns. Nothing where more features than rows would be, or where such a fit has no optimum.
std::vector<OutcomePath::Answer> solve_unpenalised(const Member& whole,
                                                   std::span<const problem::Target> targets,
                                                   const Report& report) {
    const Workspace& work = whole.work;
    if (targets.empty() || work.cols() >= work.rows()) return {};
    if (work.penalties.has_limits()) return solve_within_limits(whole, targets.size(), report);
    Workspace free = work;
    free.factors.assign(static_cast<std::size_t>(work.cols()), 0.0);
    attach(*work.problem, *work.options, free);
    free.free = survey_free_features(free);
    try {
        std::vector<OutcomePath::Answer> answers =
            OutcomePath(free, outcome_of(*work.problem)).solve(targets, report);
        for (OutcomePath::Answer& answer : answers)
            answer.solved.weighted_l1 = budget_used(work, answer.solved.support);
        return answers;
    } catch (const InvalidArgument&) {
        return {};
    }
}

// Judges what was solved since, in the order of the settings.
bool is_at_end(std::span<const OutcomePath::Answer> answers, double null_deviance,
               std::size_t& judged, EndOfPath& end) {
    for (; judged < answers.size() && answers[judged].solved.is_done; ++judged) {
        const std::vector<double>& beta = answers[judged].solved.support.beta;
        const Index selected =
            std::count_if(beta.begin(), beta.end(), [](double b) { return b != 0; });
        if (end.is_reached(answers[judged].deviance, null_deviance, selected)) return true;
    }
    return false;
}

// Budgets, from small to large. One that is slack without a ridge is answered by the fit without
// penalties, whose dual point is orthogonal to all columns.
std::vector<OutcomePath::Answer> solve_budgets(Member& whole,
                                               std::span<const problem::Target> targets,
                                               const Report& report) {
    if (targets.empty()) return {};
    OutcomePath path(whole.work, outcome_of(whole.problem));
    std::vector<problem::Target> asked(targets.begin(), targets.end());
    for (problem::Target& target : asked)
        if (target.t() == 0)
            target = problem::Target::penalty(path.largest_multiplier(), target.l2());
    std::vector<OutcomePath::Answer> answers = path.solve(asked, report);
    std::vector<OutcomePath::Answer> free;
    for (std::size_t k = 0; k < answers.size(); ++k) {
        Solved& solved = answers[k].solved;
        if (!solved.is_done || !answers[k].is_slack || solved.l2 > 0) continue;
        if (free.empty()) {
            const std::vector<problem::Target> none{problem::Target::penalty(0, 0)};
            free = solve_unpenalised(whole, none, [](Index, double) {});
        }
        if (free.empty() || !(free[0].solved.gap.relative < solved.gap.relative)) continue;
        if (free[0].solved.weighted_l1 > targets[k].t() * (1 + tuning::budget_is_met)) continue;
        answers[k] = free[0];
        if (free[0].solved.status == Status::optimal) answers[k].solved.status = Status::ridge;
    }
    return answers;
}

using OpenPath = std::unique_ptr<OutcomePath>;

// Stretch by stretch: the path is made anew of what was kept.
std::vector<OutcomePath::Answer> solve_in_stretches(Journal& journal, Workspace& work,
                                                    std::span<const problem::Target> targets,
                                                    const Report& report, OpenPath& path) {
    const auto renew = [&](OutcomeState state) {
        path.reset();
        path = std::make_unique<OutcomePath>(work, outcome_of(*work.problem), std::move(state));
    };
    if (path->answers().empty()) path->begin(targets);
    Index kept = path->done();
    try {
        while (!path->is_finished(targets)) {
            path->advance(targets, report);
            const bool is_due = path->done() - kept >= tuning::stretch_settings;
            if (!is_due && !path->is_finished(targets)) continue;
            kept = path->done();
            OutcomeState state = path->take_state();
            Bytes bytes = bytes_of(state);
            renew(std::move(state));
            journal.keep(std::move(bytes));
        }
    } catch (const linalg::Cancelled&) {
    }
    return std::move(path->answers());
}

// Where the journal has it, or at the beginning.
OpenPath open_path(Journal* journal, std::span<const std::byte> kept, Workspace& work) {
    const Outcome outcome = outcome_of(*work.problem);
    if (kept.empty()) return std::make_unique<OutcomePath>(work, outcome);
    auto path = std::make_unique<OutcomePath>(work, outcome, outcome_state_of(kept));
    journal->add_restored(path->done());
    return path;
}

}  // namespace

std::vector<Solution> Session::solve_outcome(std::span<const Setting> settings, EndOfPath* end) {
    const Watch watch;
    std::vector<OutcomePath::Answer> answers;
    std::vector<Index> order;
    double null_deviance = 0;
    Workspace& work = whole_.work;
    Meter meter(whole_.options.progress, settings.size());
    try {
        prepare(Method::primal, convention_of(settings));
        const OrderedTargets asked = order_targets(documented(settings), work.response);
        order = asked.order;
        std::span<const std::byte> kept;
        if (journal() != nullptr) kept = journal()->begin(whole_.problem, whole_.options, settings);
        OpenPath path = open_path(journal(), kept, work);
        null_deviance = path->null_deviance();
        Index reported = 0;
        Index before = 0;  // settings that were solved by another path
        std::size_t judged = 0;
        const Report tell = [&](Index done, double gap) {
            if (before + done > reported) meter.add(before + done - reported, gap);
            reported = std::max(reported, before + done);
            if (end != nullptr && before == 0 &&
                is_at_end(path->answers(), null_deviance, judged, *end))
                throw linalg::Cancelled();
        };
        const auto first_budget =
            std::find_if(asked.targets.begin(), asked.targets.end(), is_budget);
        const std::span<const problem::Target> targets(asked.targets.begin(), first_budget);
        const std::span<const problem::Target> budgets(first_budget, asked.targets.end());
        const auto first_free = static_cast<std::size_t>(
            std::find_if_not(targets.begin(), targets.end(), is_penalised) - targets.begin());
        const std::span<const problem::Target> penalised = targets.first(first_free);
        answers = journal() != nullptr ? solve_in_stretches(*journal(), work, penalised, tell, path)
                                       : path->solve(penalised, tell);
        before = static_cast<Index>(first_free);
        const std::span<const problem::Target> rest = targets.subspan(first_free);
        std::vector<OutcomePath::Answer> last = solve_unpenalised(whole_, rest, tell);
        if (last.empty()) last = path->solve(rest, tell);
        answers.insert(answers.end(), last.begin(), last.end());
        before = static_cast<Index>(targets.size());
        last = solve_budgets(whole_, budgets, tell);
        answers.insert(answers.end(), last.begin(), last.end());
    } catch (const linalg::Cancelled&) {  // before the first setting
    }
    answers.resize(settings.size());
    std::vector<Solution> solutions(settings.size());
    for (Solution& solution : solutions) solution.status = Status::cancelled;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const OutcomePath::Answer& answer = answers[k];
        Solution& solution = solutions[order[k]];
        solution = make_solution(work, settings[order[k]], answer.solved, answer.centre);
        solution.deviance = answer.deviance;
        solution.null_deviance = null_deviance;
        solution.method = Method::primal;
    }
    watch.share(solutions, settings.size());
    return solutions;
}

double Session::outcome_multiplier() {
    return OutcomePath(whole_.work, outcome_of(whole_.problem)).largest_multiplier();
}

}  // namespace sven::path
