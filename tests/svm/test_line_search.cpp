// The exact line search against hand-solved cases and against bisection of the slope.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "svm/line_search.hpp"

namespace sven::svm {
namespace {

double slope_at(const PiecewiseQuadratic& f, const std::vector<Breakpoint>& points, double tau) {
    double slope = f.slope + f.curvature * tau;
    for (const Breakpoint& point : points) {
        if (point.at < tau) slope += point.curvature * (tau - point.at);
    }
    return slope;
}

TEST(LineSearch, WithoutBreakpointsIsTheParabolasMinimum) {
    EXPECT_DOUBLE_EQ(minimise({-3, 2, 0, {}}), 1.5);
    EXPECT_DOUBLE_EQ(minimise({-3, 2, 0, {}}, 1), 1);
    EXPECT_DOUBLE_EQ(minimise({0, 2, 0, {}}), 0);
    EXPECT_DOUBLE_EQ(minimise({1, 2, 0, {}}), 0);
    EXPECT_DOUBLE_EQ(minimise({1, 0, 0, {}}), 0);
}

// f' = -3 + 2 tau up to 1, where it is -1; then the curvature is 5: zero at 1.2.
TEST(LineSearch, TurnsAtABreakpoint) {
    std::vector<Breakpoint> points = {{1, 3}};
    EXPECT_DOUBLE_EQ(minimise({-3, 2, 0, points}), 1.2);
    points = {{1, -1}};  // the curvature is 1 from there on: zero at 2
    EXPECT_DOUBLE_EQ(minimise({-3, 2, 0, points}), 2);
    points = {{2, 100}};  // beyond the minimum
    EXPECT_DOUBLE_EQ(minimise({-3, 2, 0, points}), 1.5);
    points = {{0, 4}};  // counts from the start
    EXPECT_DOUBLE_EQ(minimise({-3, 2, 0, points}), 0.5);
}

TEST(LineSearch, GoesToTheEndWhereTheSlopeStaysNegative) {
    std::vector<Breakpoint> points = {{1, -2}};
    EXPECT_TRUE(std::isinf(minimise({-3, 2, 0, points})));
    EXPECT_DOUBLE_EQ(minimise({-3, 2, 0, points}, 7), 7);
}

// Rounding may leave a curvature of zero, or less, where all samples have dropped out.
TEST(LineSearch, TrustsTheLeastCurvature) {
    std::vector<Breakpoint> points = {{1, -2.0000001}};
    EXPECT_DOUBLE_EQ(minimise({-3, 2, 0.5, points}), 3);
}

TEST(LineSearch, EqualsBisectionOnRandomCases) {
    std::mt19937_64 generator(5);
    std::exponential_distribution<double> positive;
    for (int trial = 0; trial < 2000; ++trial) {
        PiecewiseQuadratic f{-5 * positive(generator), 0.01, 0.01, {}};
        std::vector<Breakpoint> points(static_cast<std::size_t>(trial % 60));
        for (std::size_t k = 0; k < points.size(); ++k) {
            points[k] = {positive(generator), positive(generator)};
            if (k % 7 == 3) points[k].at = points[k - 1].at;
            if (k % 2 == 0) continue;
            f.curvature += points[k].curvature;  // a sample that drops out
            points[k].curvature *= -1;
        }
        const std::vector<Breakpoint> kept = points;
        f.breakpoints = points;
        const double tau = minimise(f);
        double low = 0;
        double high = 1e6;
        for (int halving = 0; halving < 200; ++halving) {
            const double middle = 0.5 * (low + high);
            (slope_at(f, kept, middle) < 0 ? low : high) = middle;
        }
        EXPECT_NEAR(tau, low, 1e-9 * (1 + low)) << "trial " << trial;
    }
}

}  // namespace
}  // namespace sven::svm
