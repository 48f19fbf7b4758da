// Numbers of twice the working precision against integers of 128 bits, and bases in them.

#include <atomic>

#include "linalg/naive.hpp"
#include "linalg/twofold.hpp"

namespace sven::test {
namespace {

using linalg::Twofold;
using linalg::TwofoldBasis;
using linalg::TwofoldVector;
__extension__ using Integer = __int128;

constexpr double rounding = 0x1p-100;  // what a few operations may lose; numbers carry 106 bits

Twofold twofold(Integer value) {
    const auto high = static_cast<double>(value);
    return {high, static_cast<double>(value - static_cast<Integer>(high))};
}
Integer integer(const Twofold& value) {
    return static_cast<Integer>(value.high) + static_cast<Integer>(value.low);
}
// Of so many bits, of either sign, both doubles of it filled.
Integer random_integer(Random& random, int bits) {
    const auto upper = static_cast<Integer>(std::ldexp(random.uniform() - 0.5, bits));
    const auto lower = static_cast<Integer>(std::ldexp(random.uniform() - 0.5, bits - 53));
    return upper + lower + random.index(Index{1} << std::min(40, bits));
}
double apart(Integer a, Integer b) {
    return std::abs(static_cast<double>(a - b));
}

TEST(Twofold, SumsAndProductsOfDoublesHaveNoError) {
    Random random(1);
    for (int k = 0; k < 2000; ++k) {
        const auto a = std::trunc(std::ldexp(random.uniform() - 0.5, 53));
        const auto b = std::trunc(std::ldexp(random.uniform() - 0.5, 53));
        const auto far = std::ldexp(a, static_cast<int>(random.index(70)));
        EXPECT_TRUE(integer(linalg::two_sum(far, b)) ==
                    static_cast<Integer>(far) + static_cast<Integer>(b));
        EXPECT_TRUE(integer(linalg::two_sum(b, far)) == integer(linalg::two_sum(far, b)));
        EXPECT_TRUE(integer(linalg::two_product(a, b)) ==
                    static_cast<Integer>(a) * static_cast<Integer>(b));
    }
}

TEST(Twofold, KeepsTwiceTheDigits) {
    Random random(2);
    for (int k = 0; k < 2000; ++k) {
        const Integer a = integer(twofold(random_integer(random, 120)));
        const Integer b = integer(twofold(random_integer(random, 100)));
        // the first doubles cancel, and the second ones have little in common
        const Integer near = -static_cast<Integer>(twofold(a).high) + random_integer(random, 45);
        for (const Integer other : {b, near}) {
            const Integer sum = a + other;
            const Integer difference = a - other;
            EXPECT_LE(apart(integer(twofold(a) + twofold(other)), sum),
                      rounding * std::abs(static_cast<double>(sum)));
            EXPECT_LE(apart(integer(twofold(a) - twofold(other)), difference),
                      rounding * std::abs(static_cast<double>(difference)));
        }
        const Integer c = random_integer(random, 62);
        const Integer d = random_integer(random, 62);
        EXPECT_LE(apart(integer(twofold(c) * twofold(d)), c * d),
                  rounding * std::abs(static_cast<double>(c * d)));
    }
}

TEST(Twofold, DividesAndTakesRoots) {
    Random random(3);
    for (int k = 0; k < 2000; ++k) {
        const Integer a = random_integer(random, 62);
        const Integer b = random_integer(random, 62);
        if (a == 0 || b == 0) continue;
        // exact answers: a b / b, and the root of a^2
        EXPECT_LE(apart(integer(twofold(a * b) / twofold(b)), a),
                  std::max(1.0, rounding * std::abs(static_cast<double>(a))));
        const Twofold third = twofold(a) / Twofold{3};
        EXPECT_LE(std::abs((third * Twofold{3} - twofold(a)).value()),
                  rounding * std::abs(static_cast<double>(a)));
        const Twofold size = a < 0 ? -twofold(a) : twofold(a);
        const Twofold root = sqrt(size);
        EXPECT_LE(std::abs((root * root - size).value()), rounding * size.high);
    }
    EXPECT_EQ(sqrt(Twofold{}).value(), 0);
    EXPECT_EQ(sqrt(Twofold{-1}).value(), 0);
}

TEST(Twofold, DotProductsKeepWhatCancels) {
    Random random(4);
    for (const Index n : {0, 1, 2, 3, 4, 5, 31}) {
        TwofoldVector a;
        TwofoldVector b;
        Integer exact = 0;
        for (Index i = 0; i < n; ++i) {
            const Integer x = random_integer(random, 48);
            const Integer y = random_integer(random, 48);
            for (const int sign : {1, -1}) {  // the second product cancels all of the first but x
                a.push_back(twofold(x));
                b.push_back(twofold(sign * y + (sign < 0 ? 1 : 0)));
            }
            exact += x;
        }
        EXPECT_TRUE(integer(dot(a, b)) == exact) << n;
    }
    const TwofoldVector v{{3, 0}, {0, 0}, {-4, 0}};
    EXPECT_EQ(norm(v), 5);
}

TwofoldVector vector_of(const std::vector<double>& values) {
    TwofoldVector v;
    for (const double value : values) v.push_back({value});
    return v;
}
// sum factors_k columns_k
TwofoldVector combine(const std::vector<TwofoldVector>& columns,
                      const std::vector<double>& factors) {
    TwofoldVector sum(columns[0].size());
    for (std::size_t k = 0; k < columns.size(); ++k)
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] = sum[i] + Twofold{factors[k]} * columns[k][i];
    return sum;
}

class Basis : public testing::Test {
  protected:
    static constexpr Index n = 20;

    Basis() {
        for (unsigned k = 0; k < 5; ++k) {
            columns_.push_back(vector_of(random_vector(n, 60 + k)));
            EXPECT_TRUE(basis_.add(columns_.back()));
        }
    }

    std::vector<TwofoldVector> columns_;
    TwofoldBasis basis_{linalg::Execution{}};
};

TEST_F(Basis, GivesACombinationBack) {
    const std::vector<double> factors{3, -0.25, 1e-10, 0, 1e6};
    const TwofoldVector found = basis_.solve(basis_.coordinates(combine(columns_, factors)));
    ASSERT_EQ(found.size(), factors.size());
    for (std::size_t k = 0; k < factors.size(); ++k)
        EXPECT_NEAR((found[k] - Twofold{factors[k]}).value(), 0, 1e-24) << k;  // of 1e6
}

TEST_F(Basis, HoldsCombinationsAndNothingElse) {
    EXPECT_FALSE(basis_.add(columns_[2]));
    EXPECT_FALSE(basis_.add(combine(columns_, {1, -2, 3, 0.5, -7})));
    EXPECT_FALSE(basis_.add(TwofoldVector(n)));
    EXPECT_EQ(basis_.size(), 5);
    // as far out as the second of the two doubles can hold
    TwofoldVector near = columns_[2];
    near[0] = near[0] + Twofold{1e-22};
    EXPECT_TRUE(basis_.add(near));
    EXPECT_EQ(basis_.size(), 6);
}

TEST_F(Basis, FindsTheVectorOfGivenProducts) {
    const std::vector<double> products{1, -2, 0, 1e-3, 5};
    TwofoldVector v(n);
    basis_.add_combination(basis_.solve_transposed(products), v);
    for (std::size_t k = 0; k < products.size(); ++k)
        EXPECT_NEAR((dot(columns_[k], v) - Twofold{products[k]}).value(), 0, 1e-28) << k;
}

// What is left of a vector beside the basis is orthogonal to every column.
TEST_F(Basis, ProjectsOntoItsSpan) {
    TwofoldVector rest = vector_of(random_vector(n, 70));
    TwofoldVector back = basis_.coordinates(rest);
    for (Twofold& value : back) value = -value;
    basis_.add_combination(back, rest);
    EXPECT_GT(norm(rest), 0.1);
    for (const TwofoldVector& column : columns_) EXPECT_NEAR(dot(column, rest).value(), 0, 1e-28);
}

// Of columns 1e-12 apart one pass of Gram-Schmidt would leave a basis of twenty digits.
TEST(BasisOfNearCopies, IsOrthogonal) {
    const TwofoldVector common = vector_of(random_vector(20, 80));
    TwofoldBasis basis{linalg::Execution{}};
    std::vector<TwofoldVector> columns;
    for (unsigned k = 0; k < 4; ++k) {
        const TwofoldVector own = vector_of(random_vector(20, 81 + k));
        columns.push_back(combine({common, own}, {1, 1e-12}));
        ASSERT_TRUE(basis.add(columns.back()));
    }
    TwofoldVector rest = vector_of(random_vector(20, 90));
    TwofoldVector back = basis.coordinates(rest);
    for (Twofold& value : back) value = -value;
    basis.add_combination(back, rest);
    for (const TwofoldVector& column : columns) EXPECT_NEAR(dot(column, rest).value(), 0, 1e-28);
}

TEST(BasisCancel, StopsBetweenColumns) {
    std::atomic<bool> cancel{false};
    TwofoldBasis basis{linalg::Execution{1, &cancel}};
    EXPECT_TRUE(basis.add(vector_of(random_vector(9, 71))));
    cancel = true;
    EXPECT_THROW(basis.add(vector_of(random_vector(9, 72))), linalg::Cancelled);
    EXPECT_EQ(basis.size(), 1);
}

}  // namespace
}  // namespace sven::test
