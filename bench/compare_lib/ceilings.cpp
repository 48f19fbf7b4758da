#include "ceilings.hpp"

#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <vector>

namespace {

// One source for every processor, as in the library itself.
#define EVERY_PROCESSOR __attribute__((target_clones("avx512f", "avx2,fma", "default")))

// Sums in 32 lanes, so that neither the latency of an addition nor the compiler's respect for
// the order of a sum stands between the loop and the memory.
constexpr std::int64_t lanes = 32;

EVERY_PROCESSOR double dot(const double* x, const double* r, std::int64_t n) {
    double sums[lanes] = {};
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::int64_t k = 0; k < lanes; ++k) sums[k] += x[i + k] * r[i + k];
    double total = 0;
    for (; i < n; ++i) total += x[i] * r[i];
    for (double sum : sums) total += sum;
    return total;
}

EVERY_PROCESSOR double sum_of(const double* x, std::int64_t n) {
    double sums[lanes] = {};
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::int64_t k = 0; k < lanes; ++k) sums[k] += x[i + k];
    double total = 0;
    for (; i < n; ++i) total += x[i];
    for (double sum : sums) total += sum;
    return total;
}

void dense_pass(const MatrixBuffers& X, const double* r, double* out, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::int64_t j = 0; j < X.cols; ++j) out[j] = dot(X.values + j * X.rows, r, X.rows);
}

void sparse_pass(const MatrixBuffers& X, const double* r, double* out, int threads) {
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (std::int64_t j = 0; j < X.cols; ++j) {
        double total = 0;
        for (std::int32_t k = X.offsets[j]; k < X.offsets[j + 1]; ++k)
            total += X.values[k] * r[X.indices[k]];
        out[j] = total;
    }
}

// A slice of the columns a thread: whichever build of the BLAS is there, its own threads are out
// of the game.
void blas_pass(const MatrixBuffers& X, const double* r, double* out, int threads) {
#pragma omp parallel num_threads(threads)
    {
        const std::int64_t begin = X.cols * omp_get_thread_num() / omp_get_num_threads();
        const std::int64_t end = X.cols * (omp_get_thread_num() + 1) / omp_get_num_threads();
        const int rows = static_cast<int>(X.rows);
        if (begin < end)
            cblas_dgemv(CblasColMajor, CblasTrans, rows, static_cast<int>(end - begin), 1,
                        X.values + begin * X.rows, rows, r, 1, 0, out + begin, 1);
    }
}

bool by_processor = false;

double seconds_now() {
    if (!by_processor) return omp_get_wtime();
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double fastest(int repeats, const Work& work) {
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < repeats; ++k) {
        const double start = seconds_now();
        work();
        best = std::min(best, seconds_now() - start);
    }
    return best;
}

}  // namespace

void sven_ceilings_by_processor() {
    by_processor = true;
}

double sven_ceiling_pass(const MatrixBuffers* X, const double* r, double* out, std::int32_t threads,
                         std::int32_t repeats) {
    if (X->layout == layout_csc) return fastest(repeats, [&] { sparse_pass(*X, r, out, threads); });
    openblas_set_num_threads(1);
    return std::min(fastest(repeats, [&] { dense_pass(*X, r, out, threads); }),
                    fastest(repeats, [&] { blas_pass(*X, r, out, threads); }));
}

double sven_ceiling_read(const double* data, std::int64_t count, std::int32_t threads,
                         std::int32_t repeats) {
    volatile double kept = 0;  // the sum has to be used, or nothing need be read
    const double seconds = fastest(repeats, [&] {
        double total = 0;
#pragma omp parallel num_threads(threads) reduction(+ : total)
        {
            const std::int64_t share = omp_get_thread_num();
            const std::int64_t shares = omp_get_num_threads();
            const std::int64_t begin = count * share / shares;
            total += sum_of(data + begin, count * (share + 1) / shares - begin);
        }
        kept = total;
    });
    return static_cast<double>(count) * sizeof(double) / seconds;
}

double sven_ceiling_copy(const double* from, double* to, std::int64_t count, std::int32_t threads,
                         std::int32_t repeats) {
    const double seconds = fastest(repeats, [&] {
#pragma omp parallel num_threads(threads)
        {
            const std::int64_t share = omp_get_thread_num();
            const std::int64_t shares = omp_get_num_threads();
            const std::int64_t begin = count * share / shares;
            std::copy(from + begin, from + count * (share + 1) / shares, to + begin);
        }
    });
    return 2.0 * static_cast<double>(count) * sizeof(double) / seconds;
}

double sven_ceiling_gemm(std::int64_t order, std::int32_t threads, std::int32_t repeats) {
    const auto size = static_cast<std::size_t>(order * order);
    const std::vector<double> A(size, 0.5);
    const std::vector<double> B(size, 0.25);
    std::vector<std::vector<double>> C(static_cast<std::size_t>(threads),
                                       std::vector<double>(size));
    const int n = static_cast<int>(order);
    openblas_set_num_threads(1);
    const double seconds = fastest(repeats, [&] {
#pragma omp parallel num_threads(threads)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, n, 1, A.data(), n, B.data(), n,
                    0, C[static_cast<std::size_t>(omp_get_thread_num())].data(), n);
    });
    return 2.0 * threads * static_cast<double>(order) * static_cast<double>(order) *
           static_cast<double>(order) / seconds;
}
