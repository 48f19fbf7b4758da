// A matrix that grows keeps the half of it that is in use.

#include <gtest/gtest.h>

#include "linalg/grown_square.hpp"

namespace sven::test {
namespace {

using linalg::Triangle;

template <class T>
T entry(Index i, Index j) {
    return static_cast<T>(1000 * i + j);
}

template <class T>
void expect_kept(Triangle triangle) {
    linalg::Buffer<T> values;
    Index stride = 0;
    Index known = 0;
    for (const Index order : {1, 2, 3, 40, 41, 60, 64, 65, 100, 130, 131, 260, 500}) {
        linalg::grow_square(order, known, triangle, {}, values, stride);
        ASSERT_GE(stride, order);
        ASSERT_GE(values.capacity(), stride * stride);
        // columns begin on cache lines, and not all in the same places of a cache
        const Index line = 64 / static_cast<Index>(sizeof(T));
        ASSERT_EQ(stride % line, 0);
        ASSERT_EQ(stride / line % 2, 1);
        const auto is_used = [&](Index i, Index j) {
            return triangle == Triangle::lower ? i >= j : i <= j;
        };
        for (Index j = 0; j < known; ++j)
            for (Index i = 0; i < known; ++i)
                if (is_used(i, j)) {
                    ASSERT_EQ(values[j * stride + i], entry<T>(i, j)) << order;
                }
        for (Index j = 0; j < order; ++j)
            for (Index i = 0; i < order; ++i)
                if (is_used(i, j)) values[j * stride + i] = entry<T>(i, j);
        known = order;
    }
}

TEST(GrownSquare, KeepsItsTriangle) {
    for (const Triangle triangle : {Triangle::lower, Triangle::upper}) {
        expect_kept<double>(triangle);
        expect_kept<float>(triangle);
    }
}

TEST(GrownSquare, StaysWhereItIsLargeEnough) {
    linalg::Buffer<double> values;
    Index stride = 0;
    linalg::grow_square(100, 0, Triangle::lower, {}, values, stride);
    const double* const before = values.data();
    const Index stride_before = stride;
    linalg::grow_square(stride, 100, Triangle::lower, {}, values, stride);
    EXPECT_EQ(values.data(), before);
    EXPECT_EQ(stride, stride_before);
}

}  // namespace
}  // namespace sven::test
