// Products, divisions by a triangle and Cholesky factors on one thread, and the BLAS beside them,
// in processor time: micro --benchmark_filter='ours|theirs'. SVEN_KERNELS and OPENBLAS_CORETYPE
// choose the instruction sets.

#include "linalg/dense.hpp"

#include <cblas.h>

#include "machine.hpp"
#include "problems.hpp"

namespace sven::micro {
namespace {

template <class T>
std::vector<T> values_of(Index count, std::uint64_t seed) {
    const std::vector<double> values = vector(count, seed);
    return {values.begin(), values.end()};
}

// C = A'B + C, the product of columns.
void theirs(int rows, int cols, int depth, const double* A, const double* B, double* C) {
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, cols, depth, 1, A, depth, B, depth,
                1, C, rows);
}
void theirs(int rows, int cols, int depth, const float* A, const float* B, float* C) {
    cblas_sgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, cols, depth, 1, A, depth, B, depth,
                1, C, rows);
}

template <class T>
void product(benchmark::State& state, bool is_ours) {
    const Index rows = state.range(0), cols = state.range(1), depth = state.range(2);
    const std::vector<T> A = values_of<T>(rows * depth, 1), B = values_of<T>(depth * cols, 2);
    std::vector<T> C(static_cast<std::size_t>(rows * cols));
    while (state.KeepRunning()) {
        if (is_ours)
            linalg::multiply<T>({rows, cols, depth, 1, linalg::by_rows(A.data(), depth),
                                 linalg::by_columns(B.data(), depth), C.data(), rows});
        else
            theirs(static_cast<int>(rows), static_cast<int>(cols), static_cast<int>(depth),
                   A.data(), B.data(), C.data());
        benchmark::ClobberMemory();
    }
    const double flops = 2.0 * static_cast<double>(rows * cols) * static_cast<double>(depth);
    set_rates(state, static_cast<double>(sizeof(T)) * static_cast<double>(rows * cols), flops);
}

// B := U^-T B
void divide(benchmark::State& state, bool is_ours) {
    const Index n = state.range(0), cols = state.range(1);
    std::vector<double> U = vector(n * n, 1);
    for (double& entry : U) entry /= static_cast<double>(n);
    for (Index j = 0; j < n; ++j) U[j * n + j] = 1;  // so that B stays as it is
    std::vector<double> B = vector(n * cols, 2);
    while (state.KeepRunning()) {
        if (is_ours)
            linalg::divide_upper_transposed<double>({n, U.data(), n}, cols, B.data(), n);
        else
            cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit,
                        static_cast<int>(n), static_cast<int>(cols), 1, U.data(),
                        static_cast<int>(n), B.data(), static_cast<int>(n));
        benchmark::ClobberMemory();
    }
    const double flops = static_cast<double>(n * n) * static_cast<double>(cols);
    set_rates(state, 8.0 * static_cast<double>(n * cols), flops);
}

void products(benchmark::internal::Benchmark* kernel) {
    kernel->ArgNames({"rows", "cols", "depth"});
    for (const int size : {64, 128, 256, 512, 1024, 2048, 4096}) kernel->Args({size, size, size});
    kernel->Args({16, 1000, 2000})->Args({1000, 64, 128})->Args({2000, 8, 128});
}

void triangles(benchmark::internal::Benchmark* kernel) {
    kernel->ArgNames({"n", "cols"});
    for (const int size : {64, 256, 1024}) kernel->Args({size, 16})->Args({size, size});
}

void product_f64(benchmark::State& state, bool is_ours) {
    product<double>(state, is_ours);
}
void product_f32(benchmark::State& state, bool is_ours) {
    product<float>(state, is_ours);
}

BENCHMARK_CAPTURE(product_f64, ours, true)->Apply(products);
BENCHMARK_CAPTURE(product_f64, theirs, false)->Apply(products);
BENCHMARK_CAPTURE(product_f32, ours, true)->Apply(products);
BENCHMARK_CAPTURE(product_f32, theirs, false)->Apply(products);
BENCHMARK_CAPTURE(divide, ours, true)->Apply(triangles);
BENCHMARK_CAPTURE(divide, theirs, false)->Apply(triangles);

}  // namespace
}  // namespace sven::micro
