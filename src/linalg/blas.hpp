#pragma once
// CBLAS and LAPACKE with our index type, column-major throughout. Calls run on one thread: our own
// team splits the work, because two competing thread pools are slower than one.

#include <cblas.h>
#include <lapacke.h>

#include "sven/matrix.hpp"

namespace sven::linalg {

// While one is alive, OpenBLAS runs on one thread; the last one destroyed restores the previous
// setting.
class SingleThreadedBlas {
  public:
    SingleThreadedBlas();
    ~SingleThreadedBlas();
    SingleThreadedBlas(const SingleThreadedBlas&) = delete;
    SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

inline int narrow(Index value) {
    return static_cast<int>(value);
}

inline double dot(Index n, const double* x, const double* y) {
    return cblas_ddot(narrow(n), x, 1, y, 1);
}

inline void axpy(Index n, double a, const double* x, double* y) {
    cblas_daxpy(narrow(n), a, x, 1, y, 1);
}

// The parameter lists follow the BLAS.
// NOLINTBEGIN(readability-function-size)

// y = a A x + b y, A rows x cols
inline void gemv(Index rows, Index cols, double a, const double* A, Index lda, const double* x,
                 double b, double* y) {
    if (rows == 0) return;
    cblas_dgemv(CblasColMajor, CblasNoTrans, narrow(rows), narrow(cols), a, A, narrow(lda), x, 1, b,
                y, 1);
}

// y = a A'x + b y, A rows x cols
inline void gemv_transposed(Index rows, Index cols, double a, const double* A, Index lda,
                            const double* x, double b, double* y) {
    if (cols == 0) return;
    cblas_dgemv(CblasColMajor, CblasTrans, narrow(rows), narrow(cols), a, A, narrow(lda), x, 1, b,
                y, 1);
}

// C = A'B, A k x rows, B k x cols
inline void gemm_transposed(Index rows, Index cols, Index k, const double* A, Index lda,
                            const double* B, Index ldb, double* C, Index ldc) {
    if (rows == 0 || cols == 0) return;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(rows), narrow(cols), narrow(k), 1,
                A, narrow(lda), B, narrow(ldb), 0, C, narrow(ldc));
}

// y = a A x + b y and y = a A'x + b y in single precision
inline void gemv(Index rows, Index cols, float a, const float* A, Index lda, const float* x,
                 float b, float* y) {
    cblas_sgemv(CblasColMajor, CblasNoTrans, narrow(rows), narrow(cols), a, A, narrow(lda), x, 1, b,
                y, 1);
}
inline void gemv_transposed(Index rows, Index cols, float a, const float* A, Index lda,
                            const float* x, float b, float* y) {
    cblas_sgemv(CblasColMajor, CblasTrans, narrow(rows), narrow(cols), a, A, narrow(lda), x, 1, b,
                y, 1);
}

// The upper triangle of C = a A'A + b C, A k x n
inline void syrk_transposed(Index n, Index k, float a, const float* A, Index lda, float b, float* C,
                            Index ldc) {
    cblas_ssyrk(CblasColMajor, CblasUpper, CblasTrans, narrow(n), narrow(k), a, A, narrow(lda), b,
                C, narrow(ldc));
}

// B = B U^-1, B rows x n
inline void divide_upper_right(Index rows, Index n, const float* U, Index ldu, float* B,
                               Index ldb) {
    cblas_strsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, narrow(rows),
                narrow(n), 1, U, narrow(ldu), B, narrow(ldb));
}

// B = U^-T B, B n x cols
inline void divide_upper_transposed(Index n, Index cols, const double* U, Index ldu, double* B,
                                    Index ldb) {
    if (n == 0 || cols == 0) return;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, narrow(n),
                narrow(cols), 1, U, narrow(ldu), B, narrow(ldb));
}

// NOLINTEND(readability-function-size)

// x = U x
inline void multiply_upper(Index n, const double* U, Index ldu, double* x) {
    if (n > 0)
        cblas_dtrmv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, narrow(n), U,
                    narrow(ldu), x, 1);
}

inline void scale(Index n, double a, double* x) {
    cblas_dscal(narrow(n), a, x, 1);
}

// x = U^-T x
inline void solve_upper_transposed(Index n, const double* U, Index ldu, double* x) {
    if (n > 0)
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, narrow(n), U, narrow(ldu),
                    x, 1);
}

// x = U^-1 x
inline void solve_upper(Index n, const double* U, Index ldu, double* x) {
    if (n > 0)
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, narrow(n), U,
                    narrow(ldu), x, 1);
}

}  // namespace sven::linalg
