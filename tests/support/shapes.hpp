#pragma once
// The shapes of X that tests run over, by themselves or each by both methods.

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "support/options.hpp"

namespace sven::test {

struct Shape {
    Index n;
    Index p;
};

inline std::string to_string(const Shape& shape) {
    return std::to_string(shape.n) + "x" + std::to_string(shape.p);
}

inline std::string shape_name(const testing::TestParamInfo<Shape>& tested) {
    return to_string(tested.param);
}

class ShapeAndMethod : public testing::TestWithParam<std::tuple<Shape, Method>> {
  protected:
    Shape shape() const { return std::get<0>(GetParam()); }
    Method method() const { return std::get<1>(GetParam()); }
    Options options() const { return by(method()); }
};

inline auto by_both_methods(std::initializer_list<Shape> shapes) {
    return testing::Combine(testing::ValuesIn(shapes), testing::ValuesIn(both_methods));
}

inline std::string shape_and_method(
    const testing::TestParamInfo<std::tuple<Shape, Method>>& tested) {
    const auto& [shape, method] = tested.param;
    return to_string(shape) + "_" + std::string(name(method));
}

}  // namespace sven::test
