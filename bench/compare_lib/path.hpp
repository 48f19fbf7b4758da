#pragma once
// sven for a caller that has plain buffers, NumPy through ctypes above all: data in memory, to
// coefficients in memory, in one call on top of sven/sven.h. The structs mirror those in
// bench/harness/library.py; they stay, so that bench/pair can load builds of any age.

#include <cstdint>

// Nothing else of the library is seen from outside.
#define SVEN_COMPARE_API extern "C" __attribute__((visibility("default")))

enum MatrixLayout : std::int32_t {
    layout_columns = 0,
    layout_rows = 1,
    layout_csc = 2,
    layout_csr = 3
};

struct MatrixBuffers {
    std::int32_t layout;
    std::int64_t rows;
    std::int64_t cols;
    const double* values;
    const std::int32_t* indices;  // CSC and CSR only
    const std::int32_t* offsets;
};

enum SettingForm : std::int32_t { form_mixing = 0, form_penalty = 1, form_budget = 2 };

// Setting k is (lambda, alpha), (l1, l2) or (t, l2): first[k], second[k].
struct PathRequest {
    std::int32_t form;
    std::int32_t intercept;
    std::int32_t standardize;
    std::int32_t threads;
    double tolerance;
    std::int64_t count;
    const double* first;
    const double* second;
};

struct PathAnswer {
    double* coefficients;  // count x cols, row-major, zero on entry; on the scale of X
    double* intercepts;    // count
    double* gaps;          // count
    double* t;             // count
    std::int32_t* status;  // count: SvenStatus
};

// How it is solved; zeros: automatic method, Newton, CPU.
struct MachineChoice {
    std::int32_t method;  // SvenMethod
    std::int32_t svm;     // SvenSvm
    std::int32_t device;  // SvenDevice
};

struct ChosenPathRequest {
    PathRequest path;
    MachineChoice choice;
};

struct OutcomePathRequest {
    PathRequest path;
    std::int32_t family;  // SvenFamily
};

// 0, or 1 with the reason in `message`.
SVEN_COMPARE_API int sven_compare_path(const MatrixBuffers* X, const double* y,
                                       const PathRequest* request, const PathAnswer* answer,
                                       char* message, std::int64_t message_size);

// The same, solved as the choice says.
SVEN_COMPARE_API int sven_compare_path_by(const MatrixBuffers* X, const double* y,
                                          const ChosenPathRequest* request,
                                          const PathAnswer* answer, char* message,
                                          std::int64_t message_size);

// The same for a response of another family.
SVEN_COMPARE_API int sven_compare_outcome_path(const MatrixBuffers* X, const double* y,
                                               const OutcomePathRequest* request,
                                               const PathAnswer* answer, char* message,
                                               std::int64_t message_size);
