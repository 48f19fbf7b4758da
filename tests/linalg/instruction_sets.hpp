#pragma once
// Tests that run once for each instruction set that this processor has.

#include <array>
#include <string>
#include <string_view>

#include "linalg/kernels.hpp"
#include "linalg/kernels_neon.hpp"
#include "linalg/naive.hpp"

namespace sven::test {

#if defined(__x86_64__)
inline bool is_supported(std::string_view name) {
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi2");
    if (name == "avx2") return has_avx2;
    if (name == "avx512")
        return has_avx2 && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return true;
}

inline auto instruction_sets() {
    return testing::Values(&linalg::generic_kernels(), &linalg::avx2_kernels(),
                           &linalg::avx512_kernels());
}
#else
inline bool is_supported(std::string_view) {
    return true;
}

inline auto instruction_sets() {
#if defined(__aarch64__)
    return testing::Values(&linalg::generic_kernels(), &linalg::neon_kernels());
#else
    return testing::Values(&linalg::generic_kernels());
#endif
}
#endif

inline constexpr std::array<Index, 8> lengths{0, 1, 3, 7, 8, 33, 100, 1001};
inline constexpr double tolerance = 1e-14;  // of the sum of the magnitudes

class EveryInstructionSet : public testing::TestWithParam<const linalg::Kernels*> {
  protected:
    void SetUp() override {
        if (!is_supported(kernels().name)) GTEST_SKIP() << "no " << kernels().name << " here";
    }
    const linalg::Kernels& kernels() const { return *GetParam(); }
};

inline std::string set_name(const testing::TestParamInfo<const linalg::Kernels*>& tested) {
    return tested.param->name;
}

}  // namespace sven::test
