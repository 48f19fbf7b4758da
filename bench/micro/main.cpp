// micro [Google Benchmark's options]: the kernels one by one. The ceilings are part of the
// heading; of_read and of_gemm are the shares of them that a kernel reaches. JSON: --benchmark_out.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "linalg/kernels.hpp"
#include "machine.hpp"

namespace {

std::string giga(double value, const char* unit) {
    char text[64];
    std::snprintf(text, sizeof text, "%.1f %s", value / 1e9, unit);
    return text;
}

// A share of a ceiling is computed as a rate, but has no unit.
class Reporter : public benchmark::ConsoleReporter {
  public:
    Reporter() : ConsoleReporter(isatty(1) != 0 ? OO_ColorTabular : OO_Tabular) {}
    void ReportRuns(const std::vector<Run>& runs) override {
        std::vector<Run> shown = runs;
        for (Run& run : shown)
            for (auto& [name, counter] : run.counters)
                if (name.rfind("of_", 0) == 0) counter.flags = benchmark::Counter::kDefaults;
        ConsoleReporter::ReportRuns(shown);
    }
};

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    const sven::micro::Machine& machine = sven::micro::machine();
    benchmark::AddCustomContext("threads", std::to_string(machine.threads));
    benchmark::AddCustomContext("kernels", sven::linalg::kernels().name);
    benchmark::AddCustomContext("ceiling_read", giga(machine.read, "GB/s"));
    benchmark::AddCustomContext("ceiling_copy", giga(machine.copy, "GB/s"));
    benchmark::AddCustomContext("ceiling_gemm", giga(machine.gemm, "GFLOP/s"));
    Reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
    return 0;
}
