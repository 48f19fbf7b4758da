#pragma once
// From the caller's buffers to a session of the C interface.

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "path.hpp"
#include "sven/sven.h"

namespace compare {

struct Free {
    void operator()(SvenSession* session) const { sven_session_free(session); }
    void operator()(SvenPath* path) const { sven_path_free(path); }
    void operator()(SvenCv* cv) const { sven_cv_free(cv); }
};

// Throws what the library said.
inline void check(int outcome) {
    if (outcome != SVEN_OK) throw std::runtime_error(sven_last_error());
}

inline SvenMatrix matrix(const MatrixBuffers& X) {
    SvenMatrix stated;
    check(sven_matrix_init(&stated, sizeof stated));
    if (X.layout == layout_rows) stated.storage = SVEN_ROW_MAJOR;
    if (X.layout == layout_csc) stated.storage = SVEN_CSC;
    if (X.layout == layout_csr) stated.storage = SVEN_CSR;
    stated.rows = X.rows;
    stated.cols = X.cols;
    stated.values = X.values;
    stated.indices = X.indices;
    stated.offsets = X.offsets;
    return stated;
}

// Of a request: whether there is an intercept, and so on.
template <class Request>
std::unique_ptr<SvenSession, Free> session(const MatrixBuffers& X, const double* y,
                                           const Request& request, const MachineChoice& choice = {},
                                           std::int32_t family = SVEN_GAUSSIAN) {
    const SvenMatrix stated = matrix(X);
    SvenProblem problem;
    check(sven_problem_init(&problem, sizeof problem));
    problem.X = &stated;
    problem.y = y;
    problem.intercept = request.intercept;
    problem.standardize = request.standardize;
    problem.family = family;
    SvenOptions options;
    check(sven_options_init(&options, sizeof options));
    options.tolerance = request.tolerance;
    options.threads = request.threads;
    options.method = choice.method;
    options.svm = choice.svm;
    options.device = choice.device;
    SvenSession* made = nullptr;
    check(sven_session_create(&problem, &options, &made));
    return std::unique_ptr<SvenSession, Free>(made);
}

inline SvenSolution solution(const SvenPath* path, std::int64_t k) {
    SvenSolution found;
    check(sven_path_solution(path, k, &found, sizeof found));
    return found;
}

struct Message {
    char* text;
    std::int64_t size;
};

// Runs the work; an exception becomes a message and the result 1.
template <class Work>
int guarded(const Message& message, const Work& work) {
    try {
        work();
        return 0;
    } catch (const std::exception& error) {
        const auto room = static_cast<std::size_t>(std::max<std::int64_t>(message.size, 1)) - 1;
        const std::size_t length = std::min(room, std::strlen(error.what()));
        std::copy_n(error.what(), length, message.text);
        message.text[length] = '\0';
        return 1;
    }
}

}  // namespace compare
