// X'R and the moments of packed genotypes, missing ones and centring included, in genotypes a
// second of processor time: micro --benchmark_filter=genotypes with SVEN_NUM_THREADS=1. The
// products are those of eight right-hand sides; a table of doubles stands beside them.

#include "linalg/design.hpp"
#include "machine.hpp"
#include "problems.hpp"

namespace sven::micro {
namespace {

// Two alleles of the given frequency each, and missing ones.
struct Genotypes {
    Genotypes(Index people, Index variants, double frequency, double missing) {
        view.people = people;
        view.variants = variants;
        view.stride = (people + 3) / 4;
        bytes.resize(static_cast<std::size_t>(view.stride * variants));
        std::uint64_t state = 1;
        const auto uniform = [&] {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            return static_cast<double>(state >> 11) * 0x1p-53;
        };
        for (unsigned char& byte : bytes)
            for (int k = 0; k < 4; ++k) {
                const int alleles = (uniform() < frequency) + (uniform() < frequency);
                const int code = uniform() < missing ? 1 : alleles == 2 ? 0 : 3 - alleles;
                byte = static_cast<unsigned char>(byte | code << (2 * k));
            }
        view.data = bytes.data();
    }
    std::vector<unsigned char> bytes;
    GenotypeView view;
};

void count(benchmark::State& state, const linalg::Design& X) {
    state.counters["genotypes/s"] =
        benchmark::Counter(X.entries(), benchmark::Counter::kIsIterationInvariantRate);
}

void products(benchmark::State& state, const linalg::Design& X) {
    linalg::Panel R;
    R.resize(X.rows(), 8);
    for (Index lane = 0; lane < 8; ++lane)
        R.set_lane(lane, vector(X.rows(), static_cast<std::uint64_t>(lane) + 3));
    std::vector<double> means(static_cast<std::size_t>(X.cols()), 0.3), sums(8, 1.0);
    while (state.KeepRunning())
        X.correlate(R, execution(), [&](Index begin, Index columns, double* tile) {
            for (Index c = 0; c < columns; ++c)
                for (Index k = 0; k < 8; ++k) tile[8 * c + k] -= means[begin + c] * sums[k];
            benchmark::DoNotOptimize(*tile);
        });
    count(state, X);
}

// Percent of the allele, and of those missing.
void genotypes(benchmark::State& state) {
    const Genotypes data(state.range(0), state.range(1), 0.01 * static_cast<double>(state.range(2)),
                         0.01 * static_cast<double>(state.range(3)));
    products(state, *linalg::make_design(data.view));
}

void genotypes_as_doubles(benchmark::State& state) {
    const Dense data(state.range(0), state.range(1), Layout::column_major);
    products(state, *linalg::make_design(data.view));
}

void genotypes_moments(benchmark::State& state) {
    const Genotypes data(state.range(0), state.range(1), 0.3, 0.01);
    const auto X = linalg::make_design(data.view);
    const std::vector<double> v = vector(X->rows(), 2);
    while (state.KeepRunning())
        benchmark::DoNotOptimize(X->moments({}, v, execution()).mean.data());
    count(state, *X);
}

BENCHMARK(genotypes)
    ->Args({20000, 20000, 30, 1})
    ->Args({20000, 20000, 50, 5})
    ->Args({20000, 20000, 2, 1})
    ->Args({2000, 5000, 30, 1})
    ->Args({500000, 1024, 30, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(genotypes_as_doubles)->Args({20000, 5000})->Unit(benchmark::kMillisecond);
BENCHMARK(genotypes_moments)->Args({20000, 20000})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sven::micro
