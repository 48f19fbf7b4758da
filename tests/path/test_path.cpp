// A path is its settings, each solved as if it were alone: in any order, any mix of forms, any
// distance from each other.

#include <algorithm>

#include "support/certify.hpp"
#include "support/shapes.hpp"
#include "sven/error.hpp"
#include "sven/path.hpp"

namespace sven::test {
namespace {

std::vector<double> fitted(const Data& data, const Solution& solution) {
    std::vector<double> values(static_cast<std::size_t>(data.n), solution.intercept);
    for (const Coefficient& b : solution.coefficients)
        for (Index i = 0; i < data.n; ++i) values[i] += b.value * data.at(i, b.feature);
    return values;
}

class Path : public ShapeAndMethod {
  protected:
    // Every setting certified, and its fitted values those of a fit of its own.
    void check(const Data& data, const std::vector<Setting>& settings) const {
        const std::vector<Solution> path = solve_path(data.problem(), settings, options());
        ASSERT_EQ(path.size(), settings.size());
        double scale = 0;
        for (const double y : data.y) scale = std::max(scale, std::abs(y));
        for (std::size_t k = 0; k < settings.size(); ++k) {
            SCOPED_TRACE(testing::Message() << "setting " << k);
            certify(data, settings[k], path[k]);
            const Solution alone = fit(data.problem(), settings[k], options());
            certify(data, settings[k], alone);
            EXPECT_EQ(path[k].status == Status::ridge, alone.status == Status::ridge);
            if (alone.l1 > 0 || alone.l2 > 0) {  // least squares may have many solutions
                EXPECT_NEAR(path[k].t, alone.t, 1e-8 * (1 + alone.t));
            }
            const std::vector<double> first = fitted(data, path[k]);
            const std::vector<double> second = fitted(data, alone);
            double worst = 0;
            for (Index i = 0; i < data.n; ++i)
                worst = std::max(worst, std::abs(first[i] - second[i]));
            EXPECT_LE(worst, 1e-9 * scale);
            if (HasFailure()) return;
        }
    }
};

TEST_P(Path, OfFortySettingsEqualsFortyFits) {
    for (const double alpha : {1.0, 0.5, 0.05}) {
        SCOPED_TRACE(alpha);
        const Data data = random_regression(shape().n, shape().p, 51);
        check(data, lambda_grid(data.problem(), {.alpha = alpha, .count = 40}));
    }
}

TEST_P(Path, OfEveryVariantEqualsItsFits) {
    for (int bits = 0; bits < 16; ++bits) {
        SCOPED_TRACE(testing::Message() << "bits " << bits);
        Data data = random_regression(shape().n, shape().p, 52);
        data.intercept = (bits & 1) == 0;
        data.nonnegative = (bits & 2) != 0;
        if (bits & 4) add_weights(data, 53);
        if (bits & 8) add_factors(data, 54);
        check(data, lambda_grid(data.problem(), {.alpha = 0.7, .count = 12}));
    }
}

TEST_P(Path, OfBudgetsReachesTheRidge) {
    const Data data = random_regression(shape().n, shape().p, 55);
    for (const double l2 : {5.0, 0.0}) {
        const double most = fit(data.problem(), Penalty{1e-3, l2}, options()).t;
        std::vector<Setting> settings;
        for (int k = 0; k <= 20; ++k) settings.push_back(Budget{most * k / 16.0, l2});
        settings.push_back(Budget{infinity, l2});
        SCOPED_TRACE(l2);
        check(data, settings);
    }
}

TEST_P(Path, TakesFormsInAnyOrder) {
    const Data data = random_regression(shape().n, shape().p, 56);
    const double largest = largest_lambda(data);
    const auto n = static_cast<double>(data.n);
    std::vector<Setting> settings;
    for (const double ratio : {0.9, 0.3, 0.1, 0.02}) {
        settings.push_back(Mixing{ratio * largest, 1});
        settings.push_back(Mixing{ratio * largest, 0.3});
        settings.push_back(Penalty{2 * n * ratio * largest, 3});
        const double t = fit(data.problem(), settings.back()).t;
        settings.push_back(Budget{t, 3});
        settings.push_back(Budget{0.5 * t, 0});
    }
    settings.push_back(Penalty{0, 2});
    settings.push_back(Budget{0, 1});
    Random random(57);
    for (int shuffle = 0; shuffle < 3; ++shuffle) {
        for (std::size_t k = settings.size() - 1; k > 0; --k)
            std::swap(settings[k], settings[random.index(static_cast<Index>(k) + 1)]);
        SCOPED_TRACE(testing::Message() << "shuffle " << shuffle);
        check(data, settings);
        const std::vector<Solution> path = solve_path(data.problem(), settings, options());
        for (std::size_t k = 0; k < settings.size(); ++k)
            if (const auto* mixing = std::get_if<Mixing>(&settings[k])) {
                EXPECT_EQ(path[k].lambda, mixing->lambda);
                EXPECT_EQ(path[k].alpha, mixing->alpha);
            } else if (const auto* penalty = std::get_if<Penalty>(&settings[k])) {
                EXPECT_EQ(path[k].l1, penalty->l1);
            } else {
                EXPECT_EQ(path[k].l2, std::get<Budget>(settings[k]).l2);
            }
    }
}

TEST_P(Path, RepeatsWhatIsRepeated) {
    const Data data = random_regression(shape().n, shape().p, 58);
    const double lambda = 0.1 * largest_lambda(data);
    const double t = fit(data.problem(), Mixing{lambda, 0.5}).t;
    std::vector<Setting> settings(9, Mixing{lambda, 0.5});
    settings.insert(settings.end(), 9, Budget{t, 1});
    check(data, settings);
}

TEST_P(Path, JumpsFar) {
    const Data data = random_regression(shape().n, shape().p, 59);
    const double largest = largest_lambda(data);
    for (const double alpha : {1.0, 0.5}) {
        SCOPED_TRACE(alpha);
        std::vector<Setting> settings{Mixing{largest, alpha}, Mixing{1e-3 * largest, alpha},
                                      Mixing{1e-6 * largest, alpha}};
        // from a Gram matrix of rank n, coefficients that interpolate are known to few digits
        if (options().method == Method::primal || shape().p < shape().n)
            settings.push_back(Mixing{0, alpha});
        check(data, settings);
        check(data, {Mixing{1e-6 * largest, alpha}});
        // up again is from the strong end
        check(data, {Mixing{1e-4 * largest, alpha}, Mixing{2 * largest, alpha}});
    }
}

TEST_P(Path, LetsTheRidgeVaryFreely) {
    const Data data = random_regression(shape().n, shape().p, 60);
    const double largest = largest_lambda(data);
    const auto n = static_cast<double>(data.n);
    Random random(61);
    std::vector<Setting> settings;
    for (int k = 0; k < 24; ++k) {
        const double l2 = k % 5 == 0 ? 0 : n * std::pow(10, 2 - 6 * random.uniform());
        settings.push_back(Penalty{2 * n * largest * std::pow(10, -3 * random.uniform()), l2});
    }
    check(data, settings);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Path,
                         by_both_methods({Shape{40, 150}, Shape{120, 25}, Shape{30, 30}}),
                         shape_and_method);

TEST(EmptyPath, HasNoSolutions) {
    const Data data = random_regression(10, 3, 62);
    EXPECT_TRUE(solve_path(data.problem(), {}).empty());
}

// glmnet rescales the penalty factors, so that a setting of its kind is another problem.
TEST(Conventions, AreNotMixedInAPath) {
    Data data = random_regression(30, 6, 63);
    add_factors(data, 64);
    const Setting ours = Mixing{0.1, 0.5};
    const Setting theirs = Mixing{0.1, 0.5, Convention::glmnet};
    const Solution first = fit(data.problem(), ours);
    const Solution second = fit(data.problem(), theirs);
    ASSERT_GT(std::abs(first.t - second.t), 1e-3);
    for (const Setting& other : {ours, Setting{Penalty{6, 3}}, Setting{Budget{1, 1}}}) {
        const std::vector<Setting> both{theirs, other};
        EXPECT_THROW(static_cast<void>(solve_path(data.problem(), both)), InvalidArgument);
        const std::vector<Setting> reversed{other, theirs};
        EXPECT_THROW(static_cast<void>(solve_path(data.problem(), reversed)), InvalidArgument);
    }
}

TEST(DistinctBudgets, GiveEachNumberOfFeaturesOnce) {
    const Data data = random_regression(40, 60, 67);
    for (const double alpha : {1.0, 0.5}) {
        const std::vector<Setting> settings =
            distinct_budgets(data.problem(), {.alpha = alpha}, 12);
        ASSERT_EQ(settings.size(), 12U);
        Index before = 0;
        for (const Solution& solution : solve_path(data.problem(), settings)) {
            const auto selected = static_cast<Index>(solution.coefficients.size());
            EXPECT_GT(selected, before);
            EXPECT_LE(solution.gap, 1e-10);
            before = selected;
        }
        EXPECT_GT(before, 30);
    }
    // eight features come in eight numbers
    EXPECT_LE(distinct_budgets(random_regression(40, 8, 68).problem(), {}, 50).size(), 8U);
    EXPECT_THROW(static_cast<void>(distinct_budgets(data.problem(), {}, 0)), InvalidArgument);
}

// Neighbours are close, so that much comes and goes between two settings, some of which are solved
// again after their block; and each column has a copy, which another solution uses.
TEST(Ties, AreSeenInEverySettingOfALasso) {
    Data data = random_regression(100, 300, 69);
    for (Index j = 1; j < data.p; ++j)
        for (Index i = 0; i < data.n; ++i)
            data.X[j * data.n + i] += 0.9 * data.X[(j - 1) * data.n + i];
    const std::vector<double> columns = data.X;
    data.X.insert(data.X.end(), columns.begin(), columns.end());
    data.p *= 2;
    const std::vector<Setting> grid =
        lambda_grid(data.problem(), {.alpha = 1, .count = 40, .min_ratio = 0.01});
    const std::vector<Solution> path = solve_path(data.problem(), grid);
    for (std::size_t k = 0; k < grid.size(); ++k) {
        SCOPED_TRACE(testing::Message() << "setting " << k);
        certify(data, grid[k], path[k]);
        EXPECT_EQ(path[k].status,
                  path[k].coefficients.empty() ? Status::optimal : Status::not_unique);
    }
    EXPECT_GT(path.back().coefficients.size(), 50U);
}

TEST(Grids, BeginWhereTheFirstFeatureEnters) {
    for (const bool nonnegative : {false, true}) {
        Data data = random_regression(40, 15, 65);
        data.nonnegative = nonnegative;
        for (const double alpha : {1.0, 0.5}) {
            const std::vector<Setting> grid =
                lambda_grid(data.problem(), {.alpha = alpha, .count = 5, .min_ratio = 0.01});
            ASSERT_EQ(grid.size(), 5U);
            const double largest = std::get<Mixing>(grid[0]).lambda;
            EXPECT_NEAR(std::get<Mixing>(grid[4]).lambda, 0.01 * largest, 1e-12 * largest);
            EXPECT_TRUE(
                fit(data.problem(), Mixing{largest * (1 + 1e-9), alpha}).coefficients.empty());
            EXPECT_EQ(fit(data.problem(), Mixing{largest * 0.999, alpha}).coefficients.size(), 1U);
        }
    }
}

}  // namespace
}  // namespace sven::test
