// The gap, written without cancellation, against the primal objective minus the dual one.

#include "problem/certificate.hpp"
#include "support/certify.hpp"

namespace sven::test {
namespace {

using problem::DualPoint;
using problem::GapSum;
using problem::Question;

// Coefficients that have nothing to do with the optimum, some of them zero.
struct Point {
    Data data;
    std::vector<double> beta;
    std::vector<double> lower;  // empty: none
    double weighted_l1 = 0;     // sum f |b|

    double factor(Index j) const { return data.factors.empty() ? 1 : data.factors[j]; }
};

Point random_point(unsigned seed, bool has_factors, bool nonnegative) {
    Random random(seed);
    Point point;
    point.data = random_regression(5 + random.index(20), 1 + random.index(20), seed);
    point.data.intercept = point.data.standardize = false;
    point.data.nonnegative = nonnegative;
    if (nonnegative) point.lower.assign(static_cast<std::size_t>(point.data.p), 0.0);
    for (Index j = 0; has_factors && j < point.data.p; ++j)
        point.data.factors.push_back(0.2 + 2 * random.uniform());
    for (Index j = 0; j < point.data.p; ++j) {
        double value = random.uniform() < 0.5 ? 0 : 0.3 * random.normal();
        if (nonnegative) value = std::abs(value);
        point.beta.push_back(value);
        point.weighted_l1 += point.factor(j) * std::abs(value);
    }
    return point;
}

// The residual and its products with the columns, in long double.
struct Products {
    std::vector<Real> c;
    Real residual_squares = 0;
    Real response_squares = 0;
    Real y_r = 0;
};

Products products_of(const Point& point) {
    const NaiveColumns columns = standardize(point.data);
    const Index n = point.data.n;
    std::vector<Real> r = columns.y;
    for (Index j = 0; j < point.data.p; ++j)
        for (Index i = 0; i < n; ++i) r[i] -= columns.X[j * n + i] * point.beta[j];
    Products products;
    products.response_squares = columns.squares;
    for (Index i = 0; i < n; ++i) {
        products.residual_squares += r[i] * r[i];
        products.y_r += columns.y[i] * r[i];
    }
    for (Index j = 0; j < point.data.p; ++j) {
        Real product = 0;
        for (Index i = 0; i < n; ++i) product += columns.X[j * n + i] * r[i];
        products.c.push_back(product);
    }
    return products;
}

// The objective minus the dual one at kappa r, as the textbook has them; infinite where that point
// is not feasible.
Real primal_minus_dual(const Point& point, const Products& products, const Question& question,
                       Real kappa) {
    Real primal = products.residual_squares;
    Real dual = 2 * kappa * products.y_r - kappa * kappa * products.residual_squares;
    if (question.is_budget) dual -= 2 * Real{question.h} * question.t;
    for (Index j = 0; j < point.data.p; ++j) {
        const Real f = point.factor(j);
        const Real b = point.beta[j];
        primal += question.l2 * f * b * b;
        if (!question.is_budget) primal += 2 * question.h * f * std::abs(b);
        const Real c = kappa * products.c[j];
        const Real excess = (point.data.nonnegative ? c : std::abs(c)) - question.h * f;
        if (excess <= 1e-15L * question.h * f) continue;
        if (question.l2 == 0) return HUGE_VALL;
        dual -= excess * excess / (question.l2 * f);
    }
    return primal - dual;
}

// With exact products.
GapSum sum_of(const Point& point, const Products& products, const Question& question,
              const std::vector<problem::Exclusion>& excluded, double noise = 0) {
    const problem::Penalties penalties{point.data.factors, excluded, point.lower, {}};
    const DualPoint at{static_cast<double>(std::sqrt(products.residual_squares)), 0, noise, 0};
    GapSum sum(question, penalties, at);
    for (Index j = 0; j < point.data.p; ++j)
        sum.add(j, static_cast<double>(products.c[j]), 1, point.beta[j]);
    return sum;
}

problem::Gap gap_of(const Point& point, const Question& question) {
    const Products products = products_of(point);
    const std::vector<problem::Exclusion> excluded(static_cast<std::size_t>(point.data.p));
    const GapSum sum = sum_of(point, products, question, excluded);
    EXPECT_NEAR(sum.weighted_l1(), point.weighted_l1, 1e-13 * point.weighted_l1);
    return sum.close(static_cast<double>(products.residual_squares),
                     static_cast<double>(products.response_squares));
}

void check_gap(const Point& point, const Question& question) {
    const Products products = products_of(point);
    Real steepest = question.h;
    for (Index j = 0; j < point.data.p; ++j) {
        const Real g = products.c[j] - question.l2 * point.factor(j) * point.beta[j];
        steepest =
            std::max(steepest, (point.data.nonnegative ? g : std::abs(g)) / Real{point.factor(j)});
    }
    Question slack = question;  // u = 0 needs no multiplier
    slack.h = question.is_budget ? 0 : question.h;
    const Real expected =
        std::min({primal_minus_dual(point, products, question, 1),
                  primal_minus_dual(point, products, question, question.h / steepest),
                  primal_minus_dual(point, products, slack, 0)}) /
        products.response_squares;
    EXPECT_NEAR(gap_of(point, question).relative, static_cast<double>(expected),
                1e-11 * static_cast<double>(expected) + 1e-14);
}

class Gap : public testing::TestWithParam<std::tuple<bool, bool>> {
  protected:
    Point point(unsigned seed) const {
        return random_point(seed, std::get<0>(GetParam()), std::get<1>(GetParam()));
    }
};

TEST_P(Gap, IsPrimalMinusDual) {
    for (unsigned seed = 0; seed < 200; ++seed)
        for (const double l2 : {0.0, 1e-6, 0.5, 40.0})
            for (const double h : {1e-3, 1.0, 30.0})
                for (const double slack : {0.0, 1.0, 1.5}) {
                    SCOPED_TRACE(testing::Message()
                                 << "seed " << seed << " h " << h << " l2 " << l2);
                    const Point at = point(seed);
                    check_gap(at, {h, l2, slack > 0, at.weighted_l1 * slack});
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
            const auto best = fit(at.data.problem(), Penalty{3, l2}, tight);
            const auto inside = fit(at.data.problem(), Budget{at.weighted_l1, l2}, tight);
            const problem::Gap first = gap_of(at, {1.5, l2, false, 0});
            const problem::Gap second = gap_of(at, {0.7, l2, true, at.weighted_l1});
            EXPECT_GE(first.absolute, first.objective - best.objective * (1 + 1e-12));
            EXPECT_GE(second.absolute, second.objective - inside.objective * (1 + 1e-12));
        }
}

// Products that are off by as much as is said, in whatever direction, still give a bound.
TEST_P(Gap, CoversTheErrorsOfItsProducts) {
    Options tight;
    tight.tolerance = 1e-14;
    for (unsigned seed = 0; seed < 200; ++seed)
        for (const double noise : {1e-9, 1e-3, 0.3}) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << " noise " << noise);
            const Point at = point(seed);
            const Question question{0.8, seed % 2 == 0 ? 0.0 : 0.5, false, 0};
            Products products = products_of(at);
            Random random(seed);
            for (Real& c : products.c) c += noise * (random.uniform() < 0.5 ? -1 : 1);
            const std::vector<problem::Exclusion> excluded(static_cast<std::size_t>(at.data.p));
            const problem::Gap gap = sum_of(at, products, question, excluded, noise)
                                         .close(static_cast<double>(products.residual_squares), 1);
            const auto best = fit(at.data.problem(), Penalty{1.6, question.l2}, tight);
            EXPECT_GE(gap.absolute, gap.objective - best.objective * (1 + 1e-12));
        }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Gap, testing::Combine(testing::Bool(), testing::Bool()),
                         [](const auto& tested) {
                             return std::string(std::get<0>(tested.param) ? "factors" : "plain") +
                                    (std::get<1>(tested.param) ? "_nonnegative" : "");
                         });

// A residual that is not orthogonal to them says so by the distance of the dual point.
TEST(GapOfFreeFeatures, CountsTheDistanceOfTheDualPoint) {
    const std::vector<problem::Exclusion> excluded(1, problem::not_excluded);
    const problem::Penalties penalties{{}, excluded, {}, {}};
    const GapSum sum({1, 0, false, 0}, penalties, {2, 0.25, 0, 0});
    EXPECT_NEAR(sum.close(4, 8).absolute, 0.0625, 1e-12);
    EXPECT_NEAR(sum.close(4, 8).relative, 0.0625 / 8, 1e-12);
}

// P(b) - 2 b c + max (2 b' c - P(b')) over the limits, by a fine grid of b'.
TEST(DualTerm, IsTheLossBetweenLimits) {
    const std::vector<problem::Exclusion> excluded(1, problem::not_excluded);
    Random random(5);
    for (int k = 0; k < 2000; ++k) {
        const auto limit = [&] { return random.uniform() < 0.2 ? 0 : 2 * random.uniform(); };
        const std::vector<double> lower{-limit()};
        const std::vector<double> upper{limit()};
        const problem::Penalties penalties{{}, excluded, lower, upper};
        const problem::Strength strength{random.uniform(), k % 3 == 0 ? 0 : random.uniform(), 0};
        const double share = random.uniform();
        const double beta = k % 5 == 0   ? upper[0]
                            : k % 5 == 1 ? 0
                                         : lower[0] + share * (upper[0] - lower[0]);
        const double c = 3 * random.normal();
        const auto cost = [&](double b) {
            return strength.l2 * b * b + 2 * strength.h * std::abs(b) - 2 * b * c;
        };
        double least = 0;
        for (int i = 0; i <= 4000; ++i)
            least = std::min(least, cost(lower[0] + i / 4000.0 * (upper[0] - lower[0])));
        const double loss = penalties.dual_term(0, beta, c, strength);
        EXPECT_GE(loss, 0);
        EXPECT_NEAR(loss, cost(beta) - least, 1e-5) << beta << " " << c;
    }
    const problem::Penalties open{{}, excluded, {}, {}};
    EXPECT_EQ(open.dual_term(0, 1, 2, {1, 0, 0}), infinity);
}

TEST(GapOfNoResponse, IsZero) {
    const std::vector<problem::Exclusion> excluded(1, problem::not_excluded);
    EXPECT_EQ(GapSum({}, {{}, excluded, {}, {}}, {}).close(0, 0).relative, 0);
}

}  // namespace
}  // namespace sven::test
