#include "machine.hpp"

#include <vector>

#include "ceilings.hpp"
#include "linalg/processors.hpp"

namespace sven::micro {
namespace {

Machine measure() {
    constexpr std::int64_t count = std::int64_t{1} << 25;  // 256 MiB, beyond every cache
    constexpr int repeats = 7;
    Machine found;
    found.threads = linalg::default_threads();
    const std::vector<double> from(count, 1.0);
    std::vector<double> to(count);
    found.read = sven_ceiling_read(from.data(), count, found.threads, repeats);
    found.copy = sven_ceiling_copy(from.data(), to.data(), count, found.threads, repeats);
    found.gemm = sven_ceiling_gemm(1536, found.threads, 5);
    return found;
}

}  // namespace

const Machine& machine() {
    static const Machine found = measure();
    return found;
}

void set_rates(benchmark::State& state, double bytes, double flops) {
    using benchmark::Counter;
    const auto rate = [](double amount) {
        return Counter(amount, Counter::kIsIterationInvariantRate);
    };
    state.counters["bytes/s"] = rate(bytes);
    state.counters["flop/s"] = rate(flops);
    state.counters["of_read"] = rate(bytes / machine().read);
    state.counters["of_gemm"] = rate(flops / machine().gemm);
}

}  // namespace sven::micro
