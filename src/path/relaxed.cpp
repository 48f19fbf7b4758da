#include "path/relaxed.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "path/outcome_path.hpp"
#include "path/preparation.hpp"
#include "path/relaxed_limits.hpp"
#include "path/tuning.hpp"
#include "sven/error.hpp"

namespace sven::path {
namespace {

using Features = std::vector<Index>;

// What a solution selects, and what is never penalised.
Features refitted_features(const Workspace& work, const problem::Support& support) {
    Features features;
    for (std::size_t k = 0; k < support.features.size(); ++k)
        if (support.beta[k] != 0) features.push_back(support.features[k]);
    if (!work.factors.empty())
        for (Index j = 0; j < work.cols(); ++j)
            if (work.factor(j) == 0 && !work.penalties.excluded[j]) features.push_back(j);
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
    return features;
}

// Directions that the rows can tell apart.
Index distinct_rows(const Workspace& work) {
    Index rows = work.rows();
    for (const double root : work.response.root_weights) rows -= root == 0 ? 1 : 0;
    return rows - (work.problem->intercept ? 1 : 0);
}

}  // namespace

void attach_refit(const linalg::Execution& execution, Member& refit) {
    attach(refit.problem, refit.options, refit.work);
    refit.work.execution = execution;
}

void set_up_refit(const Member& member, std::span<const Index> features, Member& refit) {
    refit.problem = member.problem;
    refit.options = member.options;
    refit.options.svm = Svm::newton;
    Workspace& work = refit.work;
    work = member.work;
    std::vector<char> is_refitted(static_cast<std::size_t>(work.cols()), 0);
    for (const Index j : features) is_refitted[j] = 1;
    for (Index j = 0; j < work.cols(); ++j)
        if (is_refitted[j] == 0 && work.columns.excluded[j] == problem::not_excluded)
            work.columns.excluded[j] = problem::is_zero;
    work.factors.assign(static_cast<std::size_t>(work.cols()), 0.0);
    attach(refit.problem, refit.options, work);
    work.h_max = 0;
    work.largest_norm = 0;
}

namespace {

void solve_gaussian(const Members& members, const problem::ScaledGram* gram,
                    const linalg::Execution& team) {
    const std::vector<Setting> settings{Penalty{0, 0}};
    Batch batch{settings, team, {}, {}, {}, Start::top, nullptr};
    if (gram != nullptr)
        batch.make_gram = [&](Member& refit, problem::ScaledGram& own) {
            own = *gram;
            refit.work.free = survey_free_features(own, refit.work);
            return true;
        };
    batch.make_columns = [&](const Members& refits) {
        for_each(refits, team.threads,
                 [](Member& refit, Index) { refit.work.free = survey_free_features(refit.work); });
    };
    Meter silent({}, 0);
    solve_batch(batch, members, silent);
}

Refitted refitted_of(const Member& refit) {
    Refitted result;
    result.solved = refit.solved.front();
    result.centre = refit.work.response.mean;
    result.deviance = result.solved.gap.deviance;
    const double limit = tuning::largest_refit_terms * std::sqrt(refit.work.response.squares);
    const bool is_rounding = length_of_terms(refit.work, result.solved.support) > limit;
    if (result.solved.status != Status::not_unique && !is_rounding) return result;
    result.solved = {};
    result.refit = Refit::dependent;
    return result;
}

}  // namespace

Refitted refit_outcome(Member& refit) {
    Workspace& work = refit.work;
    work.free = survey_free_features(work);
    Refitted result;
    if (free_features_depend(work)) {
        result.refit = Refit::dependent;
        return result;
    }
    try {
        const problem::Target nothing = problem::Target::penalty(0, 0);
        const auto answers =
            OutcomePath(work, outcome_of(refit.problem)).solve({&nothing, 1}, [](Index, double) {});
        result.solved = answers.front().solved;
        result.centre = answers.front().centre;
        result.deviance = answers.front().deviance;
    } catch (const InvalidArgument&) {  // without an optimum, or none that could be told
        result.refit = work.free.is_clearly_independent() ? Refit::separated : Refit::dependent;
    }
    return result;
}

namespace {

void refit_group(const Member& member, std::span<const Features> supports,
                 const problem::ScaledGram* gram, const linalg::Execution& team,
                 std::span<Refitted> results) {
    std::vector<Member> refits(supports.size());
    Members members;
    for (Member& refit : refits) members.push_back(&refit);
    for_each(members, team.threads,
             [&](Member& refit, Index k) { set_up_refit(member, supports[k], refit); });
    if (member.problem.family == Family::gaussian) {
        solve_gaussian(members, gram, team);
        for (std::size_t k = 0; k < refits.size(); ++k) results[k] = refitted_of(refits[k]);
        return;
    }
    for_each(members, team.threads, [&](Member& refit, Index k) {
        refit.work.execution = team;
        if (members.size() > 1) refit.work.execution.threads = 1;
        results[k] = refit.work.penalties.has_limits() ? refit_within_limits(refit, supports[k])
                                                       : refit_outcome(refit);
    });
}

}  // namespace

std::vector<Refitted> refit_supports(const Member& member,
                                     std::span<const problem::Support> supports,
                                     const problem::ScaledGram* gram,
                                     const linalg::Execution& team) {
    const auto most = static_cast<std::size_t>(std::max<Index>(0, distinct_rows(member.work)));
    std::map<Features, std::size_t> places;  // of distinct supports, among `asked`
    std::vector<Features> asked;
    std::vector<const Features*> wanted;
    for (const problem::Support& support : supports) {
        const auto [at, is_new] =
            places.try_emplace(refitted_features(member.work, support), asked.size());
        if (is_new && !at->first.empty() && at->first.size() <= most) asked.push_back(at->first);
        wanted.push_back(&at->first);
    }
    std::vector<Refitted> found(asked.size());
    const std::size_t step = largest_group(*member.work.design);
    for (std::size_t begin = 0; begin < asked.size(); begin += step) {
        team.check();
        const std::size_t size = std::min(step, asked.size() - begin);
        refit_group(member, std::span(asked).subspan(begin, size), gram, team,
                    std::span(found).subspan(begin, size));
    }
    std::vector<Refitted> results(supports.size());
    for (std::size_t k = 0; k < results.size(); ++k) {
        if (wanted[k]->size() > most)
            results[k].refit = Refit::dependent;
        else if (!wanted[k]->empty())
            results[k] = found[places.at(*wanted[k])];
    }
    return results;
}

problem::Support blend(const problem::Support& penalised, const problem::Support& relaxed,
                       double gamma) {
    std::map<Index, double> beta;
    for (std::size_t k = 0; k < penalised.features.size(); ++k)
        beta[penalised.features[k]] += gamma * penalised.beta[k];
    for (std::size_t k = 0; k < relaxed.features.size(); ++k)
        beta[relaxed.features[k]] += (1 - gamma) * relaxed.beta[k];
    problem::Support blended;
    for (const auto& [feature, value] : beta) {
        blended.features.push_back(feature);
        blended.beta.push_back(value);
        blended.signs.push_back(0);
    }
    return blended;
}

Solution blend(const Solution& penalised, const Solution& relaxed, double gamma) {
    Solution blended = penalised;
    blended.intercept = gamma * penalised.intercept + (1 - gamma) * relaxed.intercept;
    blended.gap = std::max(penalised.gap, relaxed.gap);
    if (relaxed.status == Status::iteration_limit || relaxed.status == Status::cancelled)
        blended.status = relaxed.status;
    std::map<Index, Coefficient> coefficients;
    const auto add = [&](const Solution& solution, double share) {
        for (const Coefficient& b : solution.coefficients) {
            Coefficient& sum = coefficients[b.feature];
            sum.feature = b.feature;
            sum.value += share * b.value;
            sum.standardized += share * b.standardized;
        }
    };
    add(penalised, gamma);
    add(relaxed, 1 - gamma);
    blended.coefficients.clear();
    for (const auto& [feature, sum] : coefficients) blended.coefficients.push_back(sum);
    return blended;
}

}  // namespace sven::path
