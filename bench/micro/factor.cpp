// The factor of the support: from scratch, a few columns appended, one removed.

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "linalg/cholesky.hpp"
#include "linalg/dense.hpp"
#include "machine.hpp"
#include "problems.hpp"
#include "reduction/gram_kernel.hpp"
#include "reduction/systems/appended_factor.hpp"

namespace sven::micro {
namespace {

constexpr double ridge = 0.1;

// The Gram matrix of `size` columns of twice that length, scaled so that its diagonal is near 1.
problem::ScaledGram scaled_gram(Index size) {
    const Index n = 2 * size;
    const std::vector<double> X = vector(n * size, 1);
    problem::ScaledGram gram;
    gram.features = size;
    gram.values->reserve(size * size);
    linalg::assign<double>({size, size, n, 1, linalg::by_rows(X.data(), n),
                            linalg::by_columns(X.data(), n), gram.values->data(), size});
    for (Index k = 0; k < size * size; ++k) (*gram.values)[k] /= static_cast<double>(n);
    gram.products = vector(size, 2);
    for (Index j = 0; j < size; ++j) gram.norms.push_back(std::sqrt((*gram.values)[j * size + j]));
    gram.response_squares = 1;
    return gram;
}

// A support of all but the last `spare` features, factored.
class Support {
  public:
    Support(Index size, Index spare)
        : gram_(scaled_gram(size + spare)),
          kernel_(gram_, execution()),
          factor_(execution()),
          active_(static_cast<std::size_t>(size + spare), 1),
          ridge_(active_.size(), ridge) {
        std::vector<Index> features(active_.size());
        std::iota(features.begin(), features.end(), Index{0});
        kernel_.append(features);
        set_last(spare, false);
        update();
    }
    void set(Index slot, bool is_active) { active_[slot] = is_active ? 1 : 0; }
    void set_last(Index count, bool is_active) {
        std::fill(active_.end() - count, active_.end(), is_active ? 1 : 0);
    }
    void update() {
        if (!factor_.update({kernel_, active_, ridge_, ridge})) throw std::logic_error("no factor");
    }
    Index slot_at(Index position) const { return factor_.order()[position]; }

  private:
    problem::ScaledGram gram_;
    reduction::GramKernel kernel_;
    reduction::AppendedFactor factor_;
    std::vector<char> active_;
    std::vector<double> ridge_;
};

void cholesky(benchmark::State& state) {
    const Index m = state.range(0);
    const problem::ScaledGram gram = scaled_gram(m);
    linalg::Buffer<double> work(m * m);
    while (state.KeepRunning()) {
        state.PauseTiming();
        std::copy_n(gram.values->data(), m * m, work.data());
        for (Index j = 0; j < m; ++j) work[j * m + j] += ridge;
        state.ResumeTiming();
        if (!linalg::cholesky_upper(m, work.data(), m, execution()))
            state.SkipWithError("not positive definite");
    }
    const auto size = static_cast<double>(m);
    set_rates(state, 4 * size * size, size * size * size / 3);
}

void append(benchmark::State& state) {
    const Index m = state.range(0), count = state.range(1);
    Support support(m, count);
    while (state.KeepRunning()) {
        support.set_last(count, true);
        support.update();
        state.PauseTiming();
        support.set_last(count, false);
        support.update();
        state.ResumeTiming();
    }
    const auto size = static_cast<double>(m), fresh = static_cast<double>(count);
    set_rates(state, 4 * size * size, size * size * fresh + size * fresh * fresh);
}

// From the middle: the half of the factor behind it is rotated.
void remove(benchmark::State& state) {
    const Index m = state.range(0);
    Support support(m, 0);
    while (state.KeepRunning()) {
        state.PauseTiming();
        const Index slot = support.slot_at(m / 2);
        support.set(slot, false);
        state.ResumeTiming();
        support.update();
        state.PauseTiming();
        support.set(slot, true);
        support.update();
        state.ResumeTiming();
    }
    const double behind = static_cast<double>(m) / 2;
    set_rates(state, 4 * behind * behind, 3 * behind * behind);
}

BENCHMARK(cholesky)->ArgName("m")->Arg(50)->Arg(200)->Arg(800)->Arg(2000)->UseRealTime();
BENCHMARK(append)
    ->ArgNames({"m", "count"})
    ->Args({50, 1})
    ->Args({200, 4})
    ->Args({800, 8})
    ->Args({2000, 16})
    ->UseRealTime();
BENCHMARK(remove)->ArgName("m")->Arg(50)->Arg(200)->Arg(800)->Arg(2000)->UseRealTime();

}  // namespace
}  // namespace sven::micro
