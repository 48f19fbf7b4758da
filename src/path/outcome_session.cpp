// Sessions whose response is not gaussian: preparation is that of the squared loss (means, scales
// and penalties go by the weights of the problem), the path is their own.

#include <optional>

#include "path/outcome_path.hpp"
#include "path/preparation.hpp"
#include "path/session.hpp"

namespace sven::path {
namespace {

Outcome outcome_of(const Problem& problem) {
    return {problem::Loss(problem.family), {problem.y, problem.weights}, problem.offset};
}

// In the terms that the forms know. glmnet divides the ridge by the deviation of a gaussian
// response alone.
std::vector<Setting> documented(std::span<const Setting> settings) {
    std::vector<Setting> result(settings.begin(), settings.end());
    for (Setting& setting : result)
        if (auto* mixing = std::get_if<Mixing>(&setting))
            mixing->convention = Convention::documented;
    return result;
}

}  // namespace

std::vector<Solution> Session::solve_outcome(std::span<const Setting> settings) {
    const Watch watch;
    std::vector<OutcomePath::Answer> answers(settings.size());
    std::vector<Index> order;
    double null_deviance = 0;
    Workspace& work = whole_.work;
    Meter meter(whole_.options.progress, settings.size());
    try {
        prepare(Method::primal, convention_of(settings));
        const OrderedTargets asked = order_targets(documented(settings), work.response);
        order = asked.order;
        OutcomePath path(work, outcome_of(whole_.problem));
        null_deviance = path.null_deviance();
        Index reported = 0;
        answers = path.solve(asked.targets, [&](Index done, double gap) {
            if (done > reported) meter.add(done - reported, gap);
            reported = done;
        });
    } catch (const linalg::Cancelled&) {  // before the first setting
    }
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
