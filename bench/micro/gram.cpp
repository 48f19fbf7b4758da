// The Gram matrix of all columns in one pass over the rows, and the BLAS beside it.

#include "linalg/gram.hpp"

#include <cblas.h>

#include "machine.hpp"
#include "problems.hpp"

namespace sven::micro {
namespace {

// Half of the symmetric product, a multiplication and an addition each.
double gram_flops(Index n, Index p) {
    return static_cast<double>(n) * static_cast<double>(p) * static_cast<double>(p + 1);
}

void gram(benchmark::State& state, Layout layout) {
    const Index n = state.range(0), p = state.range(1);
    const Dense data(n, p, layout);
    const auto X = linalg::make_design(data.view);
    const std::vector<double> y = vector(n, 2);
    while (state.KeepRunning())
        benchmark::DoNotOptimize(linalg::accumulate_gram(*X, y, {}, execution()).values.data());
    set_rates(state, 8 * X->entries(), gram_flops(n, p));
}

void sparse_gram(benchmark::State& state, Compression compression) {
    constexpr Index n = 50000, p = 300, per_row = 12;
    const Index per_line = compression == Compression::rows ? per_row : per_row * n / p;
    const Sparse data(n, p, per_line, compression);
    const auto X = linalg::make_design(data.view);
    const std::vector<double> y = vector(n, 2);
    while (state.KeepRunning())
        benchmark::DoNotOptimize(linalg::accumulate_gram(*X, y, {}, execution()).values.data());
    set_rates(state, 12 * X->entries(), X->entries() * per_row);
}

// A slice of the rows a thread; adding the parts would cost nothing beside them.
void dsyrk(benchmark::State& state) {
    const Index n = state.range(0), p = state.range(1);
    const Dense data(n, p, Layout::column_major);
    std::vector<std::vector<double>> parts(static_cast<std::size_t>(machine().threads),
                                           std::vector<double>(static_cast<std::size_t>(p * p)));
    while (state.KeepRunning()) {
        const Index shares = machine().threads;
        linalg::parallel_for({}, machine().threads, shares, [&](Index share) {
            const Index begin = n * share / shares;
            const Index end = n * (share + 1) / shares;
            cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(p),
                        static_cast<int>(end - begin), 1, data.values.data() + begin,
                        static_cast<int>(n), 0, parts[share].data(), static_cast<int>(p));
        });
        benchmark::ClobberMemory();
    }
    set_rates(state, 8 * static_cast<double>(n * p), gram_flops(n, p));
}

void shapes(benchmark::internal::Benchmark* kernel) {
    kernel->ArgNames({"n", "p"})
        ->Args({463715, 90})
        ->Args({52397, 276})
        ->Args({6977, 361})
        ->Args({4000, 2000})
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(gram, columns, Layout::column_major)->Apply(shapes);
BENCHMARK_CAPTURE(gram, rows, Layout::row_major)->Apply(shapes);
BENCHMARK(dsyrk)->Apply(shapes);
BENCHMARK_CAPTURE(sparse_gram, csc, Compression::columns)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sparse_gram, csr, Compression::rows)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sven::micro
