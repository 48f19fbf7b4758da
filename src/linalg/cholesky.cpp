#include "linalg/cholesky.hpp"

#include <array>
#include <type_traits>

#include "linalg/blas.hpp"
#include "linalg/kernels.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {
namespace {

bool factor_block(Index n, double* A, Index stride) {
    if (n <= kernel_cholesky_columns) {
        alignas(64) std::array<double, cholesky_scratch(kernel_cholesky_columns)> scratch;
        return kernels().cholesky(n, A, stride, scratch.data());
    }
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', narrow(n), A, narrow(stride)) == 0;
}

bool factor_block(Index n, float* A, Index stride) {
    return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'U', narrow(n), A, narrow(stride)) == 0;
}

// B := U^-T B, U n x n, B n x cols
void solve_block(Index n, Index cols, const double* U, double* B, Index stride) {
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, narrow(n),
                narrow(cols), 1, U, narrow(stride), B, narrow(stride));
}

void solve_block(Index n, Index cols, const float* U, float* B, Index stride) {
    cblas_strsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, narrow(n),
                narrow(cols), 1, U, narrow(stride), B, narrow(stride));
}

// Rows [0, begin) of columns [begin, end) of C -= P'P, P k rows
void subtract_above(Index begin, Index end, Index k, const double* P, double* C, Index stride) {
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(begin), narrow(end - begin),
                narrow(k), -1, P, narrow(stride), P + begin * stride, narrow(stride), 1,
                C + begin * stride, narrow(stride));
}

void subtract_above(Index begin, Index end, Index k, const float* P, float* C, Index stride) {
    cblas_sgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(begin), narrow(end - begin),
                narrow(k), -1, P, narrow(stride), P + begin * stride, narrow(stride), 1,
                C + begin * stride, narrow(stride));
}

// C (upper) -= A'A, A k x n
void subtract_square(Index n, Index k, const double* A, double* C, Index stride) {
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, narrow(n), narrow(k), -1, A, narrow(stride),
                1, C, narrow(stride));
}

void subtract_square(Index n, Index k, const float* A, float* C, Index stride) {
    cblas_ssyrk(CblasColMajor, CblasUpper, CblasTrans, narrow(n), narrow(k), -1, A, narrow(stride),
                1, C, narrow(stride));
}

// Columns [begin, end) of the trailing matrix -= P'P, P the panel of k rows above it.
template <class T>
void update_columns(Index begin, Index end, Index k, const T* P, T* trailing, Index stride) {
    if (begin > 0) subtract_above(begin, end, k, P, trailing, stride);
    subtract_square(end - begin, k, P + begin * stride, trailing + begin * stride + begin, stride);
}

template <class T>
constexpr Index team_cholesky_columns =
    std::is_same_v<T, double> ? team_cholesky_columns_f64 : team_cholesky_columns_f32;

template <class T>
bool factor_upper(Index n, T* A, Index stride, const Execution& execution) {
    constexpr Index block = cholesky_block;
    constexpr Index width = cholesky_share;
    if (n == 0) return true;
    const bool is_alone = execution.threads < 2;
    if (n <= (is_alone ? serial_cholesky_columns : team_cholesky_columns<T>))
        return factor_block(n, A, stride);
    for (Index k = 0; k < n; k += block) {
        const Index size = std::min(block, n - k);
        T* pivot = A + k * stride + k;
        if (!factor_block(size, pivot, stride)) return false;
        const Index rest = n - k - size;
        if (rest == 0) break;
        T* panel = pivot + size * stride;  // size x rest
        T* trailing = panel + size;
        const Index shares = (rest + width - 1) / width;
        parallel_for(execution, execution.threads, shares, [&](Index s) {
            solve_block(size, std::min(width, rest - s * width), pivot, panel + s * width * stride,
                        stride);
        });
        // Columns further right are longer: cyclic shares balance them.
#pragma omp parallel for schedule(static, 1) num_threads(execution.threads)
        for (Index s = 0; s < shares; ++s) {
            if (execution.is_cancelled()) continue;
            update_columns(s * width, std::min(rest, (s + 1) * width), size, panel, trailing,
                           stride);
        }
        execution.check();
    }
    return true;
}

}  // namespace

bool cholesky_upper(Index n, double* A, Index stride, const Execution& execution) {
    return factor_upper(n, A, stride, execution);
}

bool cholesky_upper(Index n, float* A, Index stride, const Execution& execution) {
    return factor_upper(n, A, stride, execution);
}

}  // namespace sven::linalg
