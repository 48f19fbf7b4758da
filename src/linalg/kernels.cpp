#include "linalg/kernels.hpp"

#include <cstdlib>
#include <string_view>

#include "linalg/kernels_neon.hpp"

namespace sven::linalg {
namespace {

#if defined(__x86_64__)
const Kernels& choose(std::string_view name) {
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi2");
    const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                            __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512vl");
    if ((name.empty() || name == "avx512") && has_avx512) return avx512_kernels();
    if (name != "generic" && has_avx2) return avx2_kernels();
    return generic_kernels();
}
#elif defined(__aarch64__)
const Kernels& choose(std::string_view name) {
    return name == "generic" ? generic_kernels() : neon_kernels();
}
#else
const Kernels& choose(std::string_view) {
    return generic_kernels();
}
#endif

const Kernels& choose_as_asked() {
    const char* const asked = std::getenv("SVEN_KERNELS");
    return choose(asked != nullptr ? asked : "");
}

}  // namespace

// Asked for in the loops themselves: the environment is read once.
const Kernels& kernels() {
    static const Kernels& chosen = choose_as_asked();
    return chosen;
}

}  // namespace sven::linalg
