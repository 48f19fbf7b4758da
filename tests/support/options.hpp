#pragma once
// The options that tests vary, and the fixture of tests that run by both methods.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "sven/elastic_net.hpp"

namespace sven::test {

inline Options by(Method method, double tolerance = Options().tolerance) {
    Options options;
    options.method = method;
    options.tolerance = tolerance;
    return options;
}

inline Options on(Device device, Method method = Method::automatic) {
    Options options = by(method);
    options.device = device;
    return options;
}

inline Options with_threads(int threads) {
    Options options;
    options.threads = threads;
    return options;
}

inline Options with_proofs(Options options = {}) {
    options.proofs = true;
    return options;
}

inline constexpr std::array<Method, 2> both_methods{Method::primal, Method::dual};

class EachMethod : public testing::TestWithParam<Method> {
  protected:
    Options options() const { return by(GetParam()); }
};

inline std::string method_name(const testing::TestParamInfo<Method>& tested) {
    return std::string(name(tested.param));
}

}  // namespace sven::test
