#include "path.hpp"

#include "buffers.hpp"

namespace {

int form_of(std::int32_t form) {
    if (form == form_mixing) return SVEN_MIXING;
    return form == form_penalty ? SVEN_PENALTY : SVEN_BUDGET;
}

void copy(const SvenPath* path, std::int64_t k, std::int64_t cols, const PathAnswer& answer) {
    const SvenSolution solution = compare::solution(path, k);
    answer.intercepts[k] = solution.intercept;
    answer.gaps[k] = solution.gap;
    answer.t[k] = solution.t;
    answer.status[k] = solution.status;
    for (std::int64_t j = 0; j < solution.nonzeros; ++j)
        answer.coefficients[k * cols + solution.features[j]] = solution.values[j];
}

void solve(const MatrixBuffers& X, const double* y, const PathRequest& request,
           const MachineChoice& choice, std::int32_t family, const PathAnswer& answer) {
    const auto session = compare::session(X, y, request, choice, family);
    SvenPath* made = nullptr;
    compare::check(sven_solve_path(session.get(), form_of(request.form), request.first,
                                   request.second, request.count, &made));
    const std::unique_ptr<SvenPath, compare::Free> path(made);
    for (std::int64_t k = 0; k < request.count; ++k) copy(path.get(), k, X.cols, answer);
}

}  // namespace

int sven_compare_path(const MatrixBuffers* X, const double* y, const PathRequest* request,
                      const PathAnswer* answer, char* message, std::int64_t message_size) {
    return compare::guarded({message, message_size},
                            [&] { solve(*X, y, *request, {}, SVEN_GAUSSIAN, *answer); });
}

int sven_compare_path_by(const MatrixBuffers* X, const double* y, const ChosenPathRequest* request,
                         const PathAnswer* answer, char* message, std::int64_t message_size) {
    return compare::guarded({message, message_size}, [&] {
        solve(*X, y, request->path, request->choice, SVEN_GAUSSIAN, *answer);
    });
}

int sven_compare_outcome_path(const MatrixBuffers* X, const double* y,
                              const OutcomePathRequest* request, const PathAnswer* answer,
                              char* message, std::int64_t message_size) {
    return compare::guarded({message, message_size},
                            [&] { solve(*X, y, request->path, {}, request->family, *answer); });
}
