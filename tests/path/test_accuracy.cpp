// Every tolerance, on problems large enough that points are not made exact: the gap is as small as
// asked, recomputed by plain loops, and what is reported is true.

#include <algorithm>
#include <cmath>

#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"
#include "sven/path.hpp"

namespace sven::test {
namespace {

Data sparse_regression(Index n, Index p, unsigned seed, double zeros = 0.9) {
    Data data = random_regression(n, p, seed);
    Random random(seed + 1);
    for (double& x : data.X)
        if (random.uniform() < zeros) x = 0;
    for (Index i = 0; i < n; ++i) data.y[i] = random.normal();
    for (Index j = 0; j < p; j += 3) {
        const double value = random.normal();
        for (Index i = 0; i < n; ++i) data.y[i] += value * data.at(i, j);
    }
    return data;
}

std::vector<Solution> solve(const Data& data, const Kind& kind,
                            const std::vector<Setting>& settings, double tolerance) {
    const StoredMatrix matrix(kind, data.n, data.p, data.X);
    Problem problem = data.problem();
    problem.X = matrix.view();
    Options options;
    options.tolerance = tolerance;
    options.threads = 1;
    return solve_path(problem, settings, options);
}

void check(const Data& data, const std::vector<Setting>& settings, double tolerance) {
    for (const Kind& kind : each_layout()) {
        SCOPED_TRACE(testing::Message() << name(kind) << " tolerance " << tolerance);
        const std::vector<Solution> path = solve(data, kind, settings, tolerance);
        for (std::size_t k = 0; k < settings.size(); ++k) {
            const Naive naive = certify_naively(data, settings[k], path[k], false);
            EXPECT_LE(path[k].gap, tolerance) << "setting " << k;
            EXPECT_LE(static_cast<double>(naive.gap), path[k].gap + 1e-13) << "setting " << k;
            EXPECT_NE(path[k].status, Status::iteration_limit);
            for (const Coefficient& b : path[k].coefficients)
                EXPECT_TRUE(!data.nonnegative || b.value > 0);
            if (const auto* budget = std::get_if<Budget>(&settings[k])) {
                EXPECT_LE(static_cast<double>(naive.use), budget->t * (1 + 1e-12));
            }
        }
    }
}

constexpr std::array tolerances{1e-1, 1e-2, 1e-3, 1e-5, 1e-8, 1e-10, 1e-12};

TEST(Accuracy, OfEveryToleranceOverShapesAndVariants) {
    struct Shape {
        Index n, p;
    };
    int bits = 0;
    for (const Shape shape : {Shape{120, 500}, Shape{500, 320}})
        for (const double alpha : {0.5, 1.0})
            for (const double tolerance : tolerances) {
                Data data = sparse_regression(shape.n, shape.p, 81);
                ++bits;
                if (bits % 2 == 0) add_weights(data, 82);
                if (bits % 3 == 0) {
                    data.factors.resize(static_cast<std::size_t>(data.p));
                    Random random(83);
                    for (double& f : data.factors) f = 0.3 + 2 * random.uniform();
                }
                data.nonnegative = bits % 5 == 0;
                SCOPED_TRACE(testing::Message()
                             << shape.n << " x " << shape.p << " alpha " << alpha);
                check(data,
                      lambda_grid(data.problem(), {.alpha = alpha, .count = 6, .min_ratio = 0.02}),
                      tolerance);
                if (testing::Test::HasFailure()) return;
            }
}

TEST(Accuracy, OfBudgets) {
    const Data data = sparse_regression(150, 400, 84);
    const std::vector<Solution> exact =
        solve(data, {}, lambda_grid(data.problem(), {.alpha = 0.5, .count = 5, .min_ratio = 0.05}),
              1e-10);
    std::vector<Setting> settings;
    for (const Solution& one : exact)
        if (one.t > 0) settings.push_back(Budget{one.t, one.l2});
    ASSERT_GE(settings.size(), 4U);
    for (const double tolerance : tolerances) check(data, settings, tolerance);
}

// Less is done where less is asked for; and the answer is still that of the same call.
TEST(Accuracy, IsNotBoughtWhereItIsNotAskedFor) {
    const Data data = sparse_regression(400, 1200, 85);
    const auto settings =
        lambda_grid(data.problem(), {.alpha = 0.5, .count = 8, .min_ratio = 0.02});
    const Kind csc{true, true};
    const std::vector<Solution> loose = solve(data, csc, settings, 1e-2);
    const std::vector<Solution> again = solve(data, csc, settings, 1e-2);
    const std::vector<Solution> exact = solve(data, csc, settings, 1e-10);
    double worst = 0;
    for (std::size_t k = 0; k < settings.size(); ++k) {
        worst = std::max(worst, loose[k].gap);
        EXPECT_LE(exact[k].gap, 1e-13);
        EXPECT_EQ(loose[k].objective, again[k].objective);
        EXPECT_GE(loose[k].objective, exact[k].objective * (1 - 1e-12));
    }
    EXPECT_GT(worst, 1e-6);
    EXPECT_LE(worst, 1e-2);
}

// Nor are steps: dense data, over columns and over the Gram matrix.
TEST(Accuracy, TakesFewerStepsWhereLessIsAskedFor) {
    for (const auto& [n, p] : {std::pair<Index, Index>{150, 600}, {400, 200}}) {
        SCOPED_TRACE(n);
        const Data data = sparse_regression(n, p, 87, 0);
        const auto settings =
            lambda_grid(data.problem(), {.alpha = 0.5, .count = 12, .min_ratio = 0.02});
        Index before = 0;
        for (const double tolerance : {1e-1, 1e-3, 1e-10}) {
            SCOPED_TRACE(tolerance);
            Index iterations = 0;
            for (const Solution& one : solve(data, {}, settings, tolerance)) {
                EXPECT_LE(one.gap, tolerance);
                iterations += one.iterations;
            }
            EXPECT_GT(iterations, before);
            before = iterations;
        }
    }
}

// At the default tolerance, too, where exact systems would be solved by iterations; without a ridge
// the support is solved for, since it is asked whether it is the only one.
TEST(Accuracy, OfLargeSupportsIsWhatIsAskedFor) {
    const Data data = sparse_regression(1200, 3000, 86, 0.99);
    const Kind csc{true, true};
    for (const double alpha : {0.5, 1.0}) {
        SCOPED_TRACE(alpha);
        const auto settings =
            lambda_grid(data.problem(), {.alpha = alpha, .count = 8, .min_ratio = 0.05});
        const std::vector<Solution> path = solve(data, csc, settings, 1e-10);
        double worst = 0;
        for (std::size_t k = 0; k < settings.size(); ++k) {
            const Naive naive = certify_naively(data, settings[k], path[k], false);
            EXPECT_LE(static_cast<double>(naive.gap), 1e-10) << "setting " << k;
            EXPECT_LE(static_cast<double>(naive.gap), path[k].gap + 1e-13) << "setting " << k;
            worst = std::max(worst, path[k].gap);
        }
        EXPECT_GT(path.back().coefficients.size(), 300U);
        EXPECT_EQ(worst > 1e-13, alpha < 1) << worst;
    }
}

}  // namespace
}  // namespace sven::test
