// The rivals for ctypes. The structs mirror those in bench/paper/rivals.py.

#include <algorithm>
#include <span>

#include "buffers.hpp"
#include "explicit_machine.hpp"
#include "l1_ls.hpp"
#include "shotgun.hpp"

enum RivalName : std::int32_t { rival_shotgun = 0, rival_l1_ls = 1, rival_explicit = 2 };

struct RivalRequest {
    std::int32_t name;
    std::int32_t threads;
    double first;   // l1, or t where the samples are formed
    double second;  // l2
    double tolerance;
};

struct RivalAnswer {
    double* beta;
    double forming;   // seconds for the samples, where they are formed
    double training;  // seconds on them
};

namespace {

std::vector<double> solve(const MatrixBuffers& X, std::span<const double> y,
                          const RivalRequest& request, RivalAnswer& answer) {
    if (request.name == rival_explicit) {
        rivals::ExplicitOutcome outcome = rivals::explicit_machine(
            {&X, y, request.first, request.second, request.tolerance, request.threads});
        answer.forming = outcome.forming;
        answer.training = outcome.training;
        return std::move(outcome.beta);
    }
    const rivals::Lasso problem{
        &X, y, request.first, request.second, request.tolerance, request.threads};
    return request.name == rival_shotgun ? rivals::shotgun(problem) : rivals::l1_ls(problem);
}

}  // namespace

// 0, or 1 with the reason in `message`.
SVEN_COMPARE_API int paper_rival(const MatrixBuffers* X, const double* y,
                                 const RivalRequest* request, RivalAnswer* answer, char* message,
                                 std::int64_t message_size) {
    return compare::guarded({message, message_size}, [&] {
        const std::vector<double> beta =
            solve(*X, {y, static_cast<std::size_t>(X->rows)}, *request, *answer);
        std::copy(beta.begin(), beta.end(), answer->beta);
    });
}
