#pragma once
// The parameters that tests of paths run over: shapes of X, each by both methods.

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "sven/path.hpp"

namespace sven::test {

struct Shape {
    Index n;
    Index p;
};

class ShapeAndMethod : public testing::TestWithParam<std::tuple<Shape, Method>> {
  protected:
    Shape shape() const { return std::get<0>(GetParam()); }
    Options options() const {
        Options o;
        o.method = std::get<1>(GetParam());
        return o;
    }
};

inline auto by_both_methods(std::initializer_list<Shape> shapes) {
    return testing::Combine(testing::ValuesIn(shapes),
                            testing::Values(Method::primal, Method::dual));
}

inline std::string shape_and_method(const testing::TestParamInfo<std::tuple<Shape, Method>>& info) {
    const auto& [shape, method] = info.param;
    return std::to_string(shape.n) + "x" + std::to_string(shape.p) + "_" +
           std::string(name(method));
}

}  // namespace sven::test
