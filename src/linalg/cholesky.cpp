#include "linalg/cholesky.hpp"

#include "linalg/blas.hpp"

namespace sven::linalg {
namespace {

bool factor_block(Index n, double* A, Index stride) {
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', narrow(n), A, narrow(stride)) == 0;
}

// B := U^-T B, U n x n, B n x cols
void solve_block(Index n, Index cols, const double* U, double* B, Index stride) {
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, narrow(n),
                narrow(cols), 1, U, narrow(stride), B, narrow(stride));
}

// Columns [begin, end) of the trailing matrix -= P'P, P the panel of k rows above it.
void update_columns(Index begin, Index end, Index k, const double* P, double* trailing,
                    Index stride) {
    const Index width = end - begin;
    if (begin > 0)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(begin), narrow(width),
                    narrow(k), -1, P, narrow(stride), P + begin * stride, narrow(stride), 1,
                    trailing + begin * stride, narrow(stride));
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, narrow(width), narrow(k), -1,
                P + begin * stride, narrow(stride), 1, trailing + begin * stride + begin,
                narrow(stride));
}

}  // namespace

bool cholesky_upper(Index n, double* A, Index stride, const Execution& execution) {
    constexpr Index block = 128;
    constexpr Index width = 64;  // columns of one share of a trailing update
    if (n == 0) return true;
    // A team does not pay below some hundreds of columns.
    if (execution.threads < 2 || n < 384) return factor_block(n, A, stride);
    for (Index k = 0; k < n; k += block) {
        const Index size = std::min(block, n - k);
        double* pivot = A + k * stride + k;
        if (!factor_block(size, pivot, stride)) return false;
        const Index rest = n - k - size;
        if (rest == 0) break;
        double* panel = pivot + size * stride;  // size x rest
        double* trailing = panel + size;
        const Index shares = (rest + width - 1) / width;
        parallel_for(execution, execution.threads, shares, [&](Index s) {
            solve_block(size, std::min(width, rest - s * width), pivot, panel + s * width * stride,
                        stride);
        });
        // Columns near the right are longer: hand them out in turn.
#pragma omp parallel for schedule(static, 1) num_threads(execution.threads)
        for (Index s = 0; s < shares; ++s)
            update_columns(s * width, std::min(rest, (s + 1) * width), size, panel, trailing,
                           stride);
    }
    return true;
}

}  // namespace sven::linalg
