#pragma once
// The machine's ceilings, measured once at the start of a run, and a kernel's rates beside them.

#include <benchmark/benchmark.h>

#include "linalg/execution.hpp"

namespace sven::micro {

struct Machine {
    int threads = 1;  // by default
    double read = 0;  // bytes per second
    double copy = 0;  // bytes per second, read and written together
    double gemm = 0;  // double-precision floating-point operations per second
};

const Machine& machine();

inline linalg::Execution execution() {
    return {machine().threads, nullptr};
}

// What one iteration takes at least: `bytes` from memory, `flops` of arithmetic. Adds the rates
// and their shares of the ceilings to the report.
void set_rates(benchmark::State& state, double bytes, double flops);

}  // namespace sven::micro
