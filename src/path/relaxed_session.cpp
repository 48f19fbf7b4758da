// Refits of the solutions of a session.

#include "path/preparation.hpp"
#include "path/relaxed.hpp"
#include "path/session.hpp"

namespace sven::path {
namespace {

problem::Support support_of(const Solution& solution) {
    problem::Support support;
    for (const Coefficient& b : solution.coefficients) {
        support.features.push_back(b.feature);
        support.signs.push_back(0);
        support.beta.push_back(b.standardized);
    }
    return support;
}

// The solution of a refit; the penalised one where there is none.
Relaxed relaxed_of(const Member& member, const Solution& penalised, const Refitted& refitted) {
    Relaxed relaxed{refitted.refit, penalised};
    if (!refitted.solved.is_done) return relaxed;
    relaxed.solution = make_solution(member.work, Penalty{0, 0}, refitted.solved, refitted.centre);
    relaxed.solution.deviance = refitted.deviance;
    relaxed.solution.null_deviance = penalised.null_deviance;
    relaxed.solution.method = member.method;
    return relaxed;
}

}  // namespace

std::vector<Relaxed> relaxed_solutions(const Member& member, std::span<const Solution> path,
                                       std::span<const Refitted> refits) {
    std::vector<Relaxed> relaxed;
    for (std::size_t k = 0; k < path.size(); ++k)
        relaxed.push_back(relaxed_of(member, path[k], refits[k]));
    return relaxed;
}

std::vector<Relaxed> Session::relax(std::span<const Solution> path) {
    const Watch watch;
    std::vector<Relaxed> relaxed;
    for (const Solution& solution : path) relaxed.push_back({Refit::done, solution});
    std::vector<problem::Support> supports;
    for (const Solution& solution : path) supports.push_back(support_of(solution));
    try {
        const bool is_gaussian = whole_.problem.family == Family::gaussian;
        if (basis_ == Basis::nothing || !has_response_ || !has_products_)
            prepare(is_gaussian ? choose(path.size()) : Method::primal, convention_);
        const bool has_gram = is_gaussian && basis_ == Basis::gram;
        const std::vector<Refitted> refits =
            refit_supports(whole_, supports, has_gram ? &gram_ : nullptr, team_);
        team_.check();
        relaxed = relaxed_solutions(whole_, path, refits);
    } catch (const linalg::Cancelled&) {
        for (Relaxed& one : relaxed) {
            one.solution = {};
            one.solution.status = Status::cancelled;
        }
    }
    for (std::size_t k = 0; k < path.size(); ++k)
        watch.share({&relaxed[k].solution, 1}, path.size());
    return relaxed;
}

}  // namespace sven::path
