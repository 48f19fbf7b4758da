// The zero of a falling function between two points.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "reduction/root_bracket.hpp"

namespace sven::test {
namespace {

using reduction::RootBracket;
using Function = std::function<double(double)>;

struct Search {
    double root = 0;
    int rounds = 0;
};

// Until nothing lies in between, or the zero itself is met.
Search search(const Function& f, double low, double high) {
    RootBracket bracket({low, f(low)}, {high, f(high)});
    Search found{low, 0};
    while (!bracket.is_exhausted() && found.rounds < 1000) {
        const double at = bracket.next();
        EXPECT_GT(at, low);
        EXPECT_LT(at, high);
        const double value = f(at);
        ++found.rounds;
        found.root = at;
        if (value == 0) break;
        (value > 0 ? low : high) = at;
        bracket.add({at, value});
    }
    return found;
}

TEST(RootBracket, OfALineIsExactAtOnce) {
    const Search found = search([](double x) { return 6 - 2 * x; }, 1, 9);
    EXPECT_EQ(found.root, 3);
    EXPECT_EQ(found.rounds, 1);
}

// A value that is rounding beside the other puts every secant onto its own end.
TEST(RootBracket, IsNotExhaustedByAnEndThatIsNearlyZero) {
    const double root = 0.75;
    const auto f = [&](double x) { return x < root ? 1e-18 : -1.0; };
    EXPECT_NEAR(search(f, 0, 1).root, root, 1e-15);
}

// From high on a steep piece to the next: two points on the right one give its zero.
TEST(RootBracket, OfPiecesIsExactOnceTwoPointsLieOnTheRightOne) {
    const Search found = search([](double x) { return x < 0.5 ? 10 - 19 * x : 1 - x; }, 0, 3);
    EXPECT_NEAR(found.root, 1, 1e-15);
    EXPECT_LE(found.rounds, 4);
}

// Secants creep towards a jump by a thousandth of the bracket each: it is halved by force, every
// four rounds at least.
TEST(RootBracket, HalvesByForceWhereSecantsCreep) {
    const double root = 0.3141592653589793;
    for (const bool is_flat_above : {false, true}) {
        SCOPED_TRACE(is_flat_above);
        const Search found = search(
            [&](double x) {
                if (is_flat_above) return x < root ? 1 : -1e-3;
                return x < root ? 1e-3 : -1;
            },
            0, 1);
        EXPECT_NEAR(found.root, root, 1e-12);
        EXPECT_LE(found.rounds, 4 * 53);
    }
}

TEST(RootBracket, FindsTheZeroOfCurvedFunctions) {
    const std::vector<std::pair<Function, double>> cases{
        {[](double x) { return std::exp(-x) - 0.25; }, std::log(4.0)},
        {[](double x) { return 8 - x * x * x; }, 2},
        {[](double x) { return std::cbrt(1 - x); }, 1},
        {[](double x) { return 1e-200 * (1.5 - x); }, 1.5},
        {[](double x) { return 1e12 / (x + 1e-9) - 1e12; }, 1 - 1e-9}};
    for (const auto& [f, root] : cases) {
        SCOPED_TRACE(root);
        const Search found = search(f, 0, 20);
        EXPECT_NEAR(found.root, root, 1e-14 * root);
        EXPECT_LE(found.rounds, 4 * 60);
    }
}

TEST(RootBracket, IsExhaustedBetweenNeighbours) {
    const double next = std::nextafter(1.0, 2.0);
    EXPECT_TRUE(RootBracket({1, 1}, {next, -1}).is_exhausted());
    EXPECT_FALSE(RootBracket({1, 1}, {1.5, -1}).is_exhausted());
}

}  // namespace
}  // namespace sven::test
