#include "linalg/kernels.hpp"

#include <cstdlib>
#include <string_view>

namespace sven::linalg {
namespace {

const Kernels& choose() {
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi2");
    const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                            __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512vl");
    const char* asked = std::getenv("SVEN_KERNELS");
    const std::string_view name = asked != nullptr ? asked : "avx512";
    if (name == "avx512" && has_avx512) return avx512_kernels();
    if (name != "generic" && has_avx2) return avx2_kernels();
    return generic_kernels();
}

}  // namespace

const Kernels& kernels() {
    static const Kernels& chosen = choose();
    return chosen;
}

}  // namespace sven::linalg
