// X'R, the verification pass: many columns times a few right-hand sides, bound by reading X.

#include <cblas.h>

#include "linalg/design.hpp"
#include "machine.hpp"
#include "problems.hpp"

namespace sven::micro {
namespace {

constexpr Index wide_rows = 1000, wide_cols = 20000;
constexpr Index tall_rows = 200000, tall_cols = 100;
constexpr Index sparse_lines = 20000, entries_per_line = 40;

// The products are looked at, as the engine does, and not stored.
void run(benchmark::State& state, const linalg::Design& X, Index lanes, double bytes) {
    linalg::Panel R;
    R.resize(X.rows(), lanes);
    for (Index lane = 0; lane < lanes; ++lane)
        R.set_lane(lane, vector(X.rows(), static_cast<std::uint64_t>(lane) + 3));
    while (state.KeepRunning())
        X.correlate(R, execution(),
                    [](Index, Index, double* tile) { benchmark::DoNotOptimize(*tile); });
    set_rates(state, bytes, 2 * X.entries() * static_cast<double>(lanes));
}

void dense(benchmark::State& state, Layout layout, Index n, Index p) {
    const Dense data(n, p, layout);
    const auto X = linalg::make_design(data.view);
    run(state, *X, state.range(0), 8 * X->entries());
}

void sparse(benchmark::State& state, Compression compression) {
    const Sparse data(sparse_lines, sparse_lines, entries_per_line, compression);
    const auto X = linalg::make_design(data.view);
    run(state, *X, state.range(0), 12 * X->entries());
}

// The same product by the BLAS, a slice of the columns a thread.
void blas_product(const Dense& data, Index lanes, const double* R, double* out) {
    const Index n = data.view.rows, p = data.view.cols;
    linalg::parallel_ranges(machine().threads, p, 8, [&](Index begin, Index end) {
        const int rows = static_cast<int>(n), cols = static_cast<int>(end - begin);
        const double* X = data.values.data() + begin * n;
        if (lanes == 1) {
            cblas_dgemv(CblasColMajor, CblasTrans, rows, cols, 1, X, rows, R, 1, 0, out + begin, 1);
        } else {
            cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, cols, static_cast<int>(lanes),
                        rows, 1, X, rows, R, rows, 0, out + begin, static_cast<int>(p));
        }
    });
}

void blas(benchmark::State& state, Index n, Index p) {
    const Index lanes = state.range(0);
    const Dense data(n, p, Layout::column_major);
    const std::vector<double> R = vector(n * lanes, 3);
    std::vector<double> out(static_cast<std::size_t>(p * lanes));
    while (state.KeepRunning()) {
        blas_product(data, lanes, R.data(), out.data());
        benchmark::ClobberMemory();
    }
    const double entries = static_cast<double>(n) * static_cast<double>(p);
    set_rates(state, 8 * entries, 2 * entries * static_cast<double>(lanes));
}

void lanes(benchmark::internal::Benchmark* kernel) {
    kernel->ArgName("lanes")->Arg(1)->Arg(8)->Arg(16)->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(dense, wide_columns, Layout::column_major, wide_rows, wide_cols)->Apply(lanes);
BENCHMARK_CAPTURE(dense, wide_rows, Layout::row_major, wide_rows, wide_cols)->Apply(lanes);
BENCHMARK_CAPTURE(dense, tall_columns, Layout::column_major, tall_rows, tall_cols)->Apply(lanes);
BENCHMARK_CAPTURE(dense, tall_rows, Layout::row_major, tall_rows, tall_cols)->Apply(lanes);
BENCHMARK_CAPTURE(blas, wide, wide_rows, wide_cols)->Apply(lanes);
BENCHMARK_CAPTURE(blas, tall, tall_rows, tall_cols)->Apply(lanes);
BENCHMARK_CAPTURE(sparse, csc, Compression::columns)->Apply(lanes);
BENCHMARK_CAPTURE(sparse, csr, Compression::rows)->Apply(lanes);

}  // namespace
}  // namespace sven::micro
