// The gap, written without cancellation, against the primal objective minus the dual one.

#include "problem/certificate.hpp"
#include "support/certify.hpp"

namespace sven::test {
namespace {

using problem::GapInput;
using problem::GapSums;

// Coefficients that have nothing to do with the optimum, some of them zero.
struct Point {
    Data data;
    std::vector<double> beta;
    double use = 0;  // sum f |b|

    Solution solution(double h, double l2) const {
        Solution solution;
        solution.l1 = 2 * h;
        solution.l2 = l2;
        for (Index j = 0; j < data.p; ++j)
            if (beta[j] != 0) solution.coefficients.push_back({j, beta[j], beta[j]});
        return solution;
    }
    double factor(Index j) const { return data.factors.empty() ? 1 : data.factors[j]; }
};

Point random_point(unsigned seed, bool has_factors, bool nonnegative) {
    Random random(seed);
    Point point;
    point.data = random_regression(5 + random.index(20), 1 + random.index(20), seed);
    point.data.intercept = point.data.standardize = false;
    point.data.nonnegative = nonnegative;
    for (Index j = 0; has_factors && j < point.data.p; ++j)
        point.data.factors.push_back(0.2 + 2 * random.uniform());
    for (Index j = 0; j < point.data.p; ++j) {
        double value = random.uniform() < 0.5 ? 0 : 0.3 * random.normal();
        if (nonnegative) value = std::abs(value);
        point.beta.push_back(value);
        point.use += point.factor(j) * std::abs(value);
    }
    return point;
}

// As the engine does it; the input's squares are filled in.
problem::Gap gap_of(const Point& point, GapInput input) {
    const NaiveColumns c = standardize(point.data);
    std::vector<Real> r = c.y;
    for (Index j = 0; j < point.data.p; ++j)
        for (Index i = 0; i < point.data.n; ++i) r[i] -= c.X[j * point.data.n + i] * point.beta[j];
    Real squares = 0;
    for (const Real value : r) squares += value * value;
    input.residual_squares = static_cast<double>(squares);
    input.response_squares = static_cast<double>(c.squares);
    GapSums sums;
    for (Index j = 0; j < point.data.p; ++j) {
        Real product = 0;
        for (Index i = 0; i < point.data.n; ++i) product += c.X[j * point.data.n + i] * r[i];
        if (point.beta[j] != 0)
            sums.add(input, static_cast<double>(product), point.beta[j], point.factor(j),
                     point.data.nonnegative);
        else
            sums.add_zero(input, static_cast<double>(product), point.factor(j),
                          point.data.nonnegative);
    }
    EXPECT_NEAR(sums.use, point.use, 1e-13 * point.use);
    return problem::close(input, sums);
}

void check_gap(const Point& point, const Setting& setting, const GapInput& input) {
    const Naive naive =
        certify_naively(point.data, setting, point.solution(input.h, input.l2), false);
    const problem::Gap gap = gap_of(point, input);
    const auto expected = static_cast<double>(naive.gap);
    EXPECT_NEAR(gap.relative, expected, 1e-12 * std::abs(expected) + 1e-15);
    const auto objective = static_cast<double>(naive.objective);
    EXPECT_NEAR(gap.objective, objective, 1e-12 * objective);
}

class Gap : public testing::TestWithParam<std::tuple<bool, bool>> {
  protected:
    Point point(unsigned seed) const {
        return random_point(seed, std::get<0>(GetParam()), std::get<1>(GetParam()));
    }
};

TEST_P(Gap, OfThePenaltyFormIsPrimalMinusDual) {
    for (unsigned seed = 0; seed < 200; ++seed)
        for (const double l2 : {0.0, 1e-6, 0.5, 40.0})
            for (const double h : {1e-3, 1.0, 30.0}) {
                SCOPED_TRACE(testing::Message() << "seed " << seed << " h " << h << " l2 " << l2);
                GapInput input;
                input.h = h;
                input.l2 = l2;
                check_gap(point(seed), Penalty{2 * h, l2}, input);
                if (HasFailure()) return;
            }
}

TEST_P(Gap, OfTheBudgetFormIsFrankAndWolfes) {
    for (unsigned seed = 0; seed < 200; ++seed)
        for (const double l2 : {0.0, 0.5, 40.0})
            for (const double slack : {1.0, 1.5}) {
                SCOPED_TRACE(testing::Message() << "seed " << seed << " l2 " << l2);
                const Point at = point(seed);
                GapInput input;
                input.is_budget = true;
                input.t = at.use * slack;
                input.l2 = l2;
                check_gap(at, Budget{input.t, l2}, input);
                if (HasFailure()) return;
            }
}

// Whatever the point, the optimum is not further below it than the gap says.
TEST_P(Gap, BoundsTheDistanceToTheOptimum) {
    Options tight;
    tight.tolerance = 1e-14;
    for (unsigned seed = 0; seed < 200; ++seed)
        for (const double l2 : {0.0, 0.5}) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << " l2 " << l2);
            const Point at = point(seed);
            GapInput penalty;
            penalty.h = 1.5;
            penalty.l2 = l2;
            GapInput budget;
            budget.is_budget = true;
            budget.t = at.use;
            budget.l2 = l2;
            const auto best = fit(at.data.problem(), Penalty{3, l2}, tight);
            const auto inside = fit(at.data.problem(), Budget{at.use, l2}, tight);
            const problem::Gap first = gap_of(at, penalty);
            const problem::Gap second = gap_of(at, budget);
            EXPECT_GE(first.absolute, first.objective - best.objective * (1 + 1e-12));
            EXPECT_GE(second.absolute, second.objective - inside.objective * (1 + 1e-12));
        }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Gap, testing::Combine(testing::Bool(), testing::Bool()),
                         [](const auto& tested) {
                             return std::string(std::get<0>(tested.param) ? "factors" : "plain") +
                                    (std::get<1>(tested.param) ? "_nonnegative" : "");
                         });

TEST(GapOfFreeFeatures, CountsWhatTheyCouldStillExplain) {
    GapInput input;
    input.response_squares = 1;
    GapSums sums;
    sums.add(input, 0.25, -2, 0, false);
    EXPECT_EQ(problem::close(input, sums).absolute, 1);
    input.is_budget = true;
    EXPECT_EQ(problem::close(input, sums).absolute, 1);
}

TEST(GapOfNoResponse, IsZero) {
    EXPECT_EQ(problem::close({}, {}).relative, 0);
}

}  // namespace
}  // namespace sven::test
