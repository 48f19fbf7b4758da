// The solution without an l1 penalty, found in the space of the rows, against its normal equations
// in the space of the features, solved by elimination.

#include <numeric>

#include "path/prepared.hpp"
#include "path/ridge.hpp"
#include "support/certify.hpp"
#include "support/eliminate.hpp"
#include "support/shapes.hpp"

namespace sven::test {
namespace {

// (X'X + l2 F) b = X'y over the features that are not excluded; zeros for the others.
std::vector<Real> normal_equations(const Data& data, double l2) {
    const NaiveColumns c = standardize(data);
    const auto factor = [&](Index j) { return data.factors.empty() ? 1 : data.factors[j]; };
    std::vector<Index> features;
    for (Index j = 0; j < data.p; ++j)
        if (!std::isinf(factor(j))) features.push_back(j);
    const auto dot = [&](const Real* a, const Real* b) {
        return std::inner_product(a, a + data.n, b, Real{0});
    };
    std::vector<Real> K;
    std::vector<Real> right;
    for (const Index i : features) {
        const Real* x = c.X.data() + i * data.n;
        for (const Index j : features)
            K.push_back(dot(x, c.X.data() + j * data.n) + (i == j ? l2 * factor(i) : 0));
        right.push_back(dot(x, c.y.data()));
    }
    const std::vector<Real> solved = eliminate(K, right);
    std::vector<Real> beta(static_cast<std::size_t>(data.p));
    for (std::size_t k = 0; k < features.size(); ++k) beta[features[k]] = solved[k];
    return beta;
}

path::Solved ridge_of(Prepared& prepared, double l2) {
    linalg::ScaledDesign X = prepared.scaled();
    return path::solve_ridge(prepared.work, X, l2);
}

void expect_equal(const Data& data, double l2) {
    Prepared prepared(data);
    const path::Solved solved = ridge_of(prepared, l2);
    const std::vector<Real> expected = normal_equations(data, l2);
    Real largest = 0;
    for (const Real b : expected) largest = std::max(largest, std::abs(b));
    std::vector<double> beta(expected.size());
    Real use = 0;
    for (std::size_t k = 0; k < solved.support.features.size(); ++k) {
        const Index j = solved.support.features[k];
        beta[j] = solved.support.beta[k];
        use += prepared.work.factor(j) * std::abs(expected[j]);
        EXPECT_EQ(solved.support.signs[k], 0);
    }
    for (std::size_t j = 0; j < beta.size(); ++j)
        EXPECT_NEAR(beta[j], static_cast<double>(expected[j]), 1e-10 * static_cast<double>(largest))
            << j;
    EXPECT_TRUE(solved.is_done);
    EXPECT_EQ(solved.h, 0);
    EXPECT_EQ(solved.l2, l2);
    EXPECT_NEAR(solved.weighted_l1, static_cast<double>(use), 1e-10 * static_cast<double>(largest));
    EXPECT_LE(solved.gap.relative, 1e-10);
}

class Ridge : public testing::TestWithParam<Shape> {};

TEST_P(Ridge, SolvesTheNormalEquations) {
    for (int bits = 0; bits < 16; ++bits) {
        Data data = random_regression(GetParam().n, GetParam().p, 31);
        data.intercept = (bits & 1) == 0;
        data.standardize = (bits & 2) == 0;
        if (bits & 4) add_weights(data, 32);
        if (bits & 8) add_factors(data, 33);  // one of them zero, one infinite
        for (const double l2 : {1e-3, 2.5, 1e4}) {
            SCOPED_TRACE(testing::Message() << "bits " << bits << " l2 " << l2);
            expect_equal(data, l2);
            if (HasFailure()) return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Ridge,
                         testing::Values(Shape{40, 12}, Shape{12, 40}, Shape{15, 15}, Shape{4, 3}),
                         shape_name);

// Features are taken up in blocks of 256.
TEST(RidgeBlocks, AreAllCounted) {
    Data data = random_regression(9, 300, 34);
    add_factors(data, 35);
    expect_equal(data, 0.7);
}

// Unpenalised copies share one coefficient in equal parts: the least norm of many solutions.
TEST(RidgeFreeFeatures, ThatAreCopiesShareACoefficient) {
    Data data = random_regression(30, 50, 36);
    data.factors.assign(50, 1.0);
    data.factors[7] = 0;
    data.factors[20] = 0;
    std::copy_n(data.X.begin() + 7 * data.n, data.n, data.X.begin() + 20 * data.n);
    Data without = data;
    without.factors[20] = infinity;
    Prepared copies(data);
    Prepared one(without);
    const std::vector<double> beta = ridge_of(copies, 3).support.beta;  // by feature
    const double whole = ridge_of(one, 3).support.beta[7];
    ASSERT_GT(std::abs(whole), 1e-3);
    EXPECT_NEAR(beta[7], whole / 2, 1e-10);
    EXPECT_NEAR(beta[20], whole / 2, 1e-10);
}

}  // namespace
}  // namespace sven::test
