#pragma once
// The configuration of this build and the machine it runs on.

#include <string>
#include <vector>

#include "sven/export.h"

namespace sven {

struct BuildInfo {
    std::string version;
    std::string compiler;
    std::string build_type;
    std::string blas;     // "none": dense algebra is our own
    std::string kernels;  // the instruction set of the inner loops
    int threads = 1;      // by default
    bool has_liblinear = false;
    std::vector<std::string> devices;  // accelerators that can be used
};

[[nodiscard]] SVEN_API BuildInfo build_info();

// Threads of a call that asks for none in particular: SVEN_NUM_THREADS, else OMP_NUM_THREADS, else
// as many as there are processors.
[[nodiscard]] SVEN_API int default_threads();
// Those that this process may use: by its affinity, and by the quota of its control groups.
[[nodiscard]] SVEN_API int usable_processors();

}  // namespace sven
