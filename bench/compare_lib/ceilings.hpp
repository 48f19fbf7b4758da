#pragma once
// What the machine can do at best, measured beside the solvers in the same run: the floors that
// a path over X cannot go below.

#include "path.hpp"

// From here on the seconds below are processor time, of all threads.
SVEN_COMPARE_API void sven_ceilings_by_processor();

// Seconds of the fastest of `repeats` products out = X'r: the BLAS or our own loop over the
// columns, whichever is faster; sparse X by the loop alone.
SVEN_COMPARE_API double sven_ceiling_pass(const MatrixBuffers* X, const double* r, double* out,
                                          std::int32_t threads, std::int32_t repeats);
// Bytes per second of reading `count` doubles.
SVEN_COMPARE_API double sven_ceiling_read(const double* data, std::int64_t count,
                                          std::int32_t threads, std::int32_t repeats);
// Bytes per second, read and written together, of copying `count` doubles.
SVEN_COMPARE_API double sven_ceiling_copy(const double* from, double* to, std::int64_t count,
                                          std::int32_t threads, std::int32_t repeats);
// Floating-point operations per second of double-precision matrix products of order `order`, one
// on each thread.
SVEN_COMPARE_API double sven_ceiling_gemm(std::int64_t order, std::int32_t threads,
                                          std::int32_t repeats);
