// Solutions of the GPU are the CPU's, and what goes wrong there is said.

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/execution.hpp"
#include "support/back_end.hpp"
#include "support/certify.hpp"
#include "support/shapes.hpp"
#include "support/solutions.hpp"
#include "sven/cross_validation.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"
#include "sven/predict.hpp"

namespace sven::test {
namespace {

void expect_near(const Solution& solution, const Solution& expected, double tolerance = 1e-9) {
    EXPECT_EQ(solution.device, Device::cuda);
    EXPECT_EQ(solution.status, expected.status);
    expect_same_coefficients(solution, expected, tolerance);
    EXPECT_LE(solution.gap, 1e-10);
}

class Solutions : public ShapeAndMethod {};

// A whole path: X sent, and X resident. Every tenth answer is certified by plain loops.
TEST_P(Solutions, OfAPathAreTheCpus) {
    for (const double alpha : {1.0, 0.5}) {
        Data data = random_regression(shape().n, shape().p, 11);
        if (alpha < 1) add_weights(data, 12);
        const Problem problem = data.problem();
        const std::vector<Setting> settings =
            lambda_grid(problem, {.alpha = alpha, .count = 40, .min_ratio = 1e-2});
        const auto expected = solve_path(problem, settings, on(Device::cpu, method()));
        const DeviceMatrix resident(problem.X);
        Problem there = problem;
        there.X = resident.view();
        for (const Problem& tested : {problem, there}) {
            const auto solutions = solve_path(tested, settings, on(Device::cuda, method()));
            for (std::size_t k = 0; k < settings.size(); ++k) {
                SCOPED_TRACE(testing::Message() << "alpha " << alpha << ", setting " << k);
                expect_near(solutions[k], expected[k]);
                if (k % 10 == 9) certify(data, settings[k], solutions[k]);
                if (HasFailure()) return;
            }
        }
    }
}

// The grid of a resident X is found on the device.
TEST_P(Solutions, OfAResidentGridAreTheCpus) {
    const Data data = random_regression(shape().n, shape().p, 13);
    Problem problem = data.problem();
    const DeviceMatrix resident(problem.X);
    const auto expected = lambda_grid(problem, {.count = 5});
    problem.X = resident.view();
    const auto grid = lambda_grid(problem, {.count = 5}, on(Device::cuda));
    for (std::size_t k = 0; k < grid.size(); ++k)
        EXPECT_NEAR(std::get<Mixing>(grid[k]).lambda, std::get<Mixing>(expected[k]).lambda,
                    1e-12 * std::get<Mixing>(expected[k]).lambda);
}

TEST_P(Solutions, OfACrossValidationAreTheCpus) {
    const Data data = random_regression(shape().n, shape().p, 14);
    Problem problem = data.problem();
    CrossValidation plan;
    plan.folds = make_folds(shape().n, 5);
    plan.grids = {{.alpha = 0.7, .count = 20, .min_ratio = 1e-2}};
    for (const Setting& setting : lambda_grid(problem, plan.grids[0]))
        plan.lambdas.push_back(std::get<Mixing>(setting).lambda);
    const CvResult expected = cross_validate(problem, plan, on(Device::cpu, method()));
    const DeviceMatrix resident(problem.X);
    for (const bool is_resident : {false, true}) {
        if (is_resident) problem.X = resident.view();
        const CvResult result = cross_validate(problem, plan, on(Device::cuda, method()));
        const CvCurve& curve = result.curves[0];
        EXPECT_EQ(curve.best, expected.curves[0].best);
        for (std::size_t k = 0; k < curve.fold_error.size(); ++k)
            EXPECT_NEAR(curve.fold_error[k], expected.curves[0].fold_error[k],
                        1e-9 * expected.curves[0].fold_error[k]);
        for (std::size_t k = 0; k < curve.path.size(); ++k)
            expect_near(curve.path[k], expected.curves[0].path[k]);
    }
}

// With X resident, and without a single coefficient.
TEST_P(Solutions, PredictWhatTheCpuPredicts) {
    const Data data = random_regression(shape().n, shape().p, 17);
    const Problem problem = data.problem();
    const Solution solution = fit(problem, Mixing{0.05, 0.5}, on(Device::cpu, method()));
    const std::vector<double> expected = predict(problem.X, solution);
    const DeviceMatrix resident(problem.X);
    const std::vector<double> predicted = predict(resident.view(), solution);
    ASSERT_EQ(predicted.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(predicted[i], expected[i], 1e-9 * (1 + std::abs(expected[i])));
    const std::vector<double> constant = predict(resident.view(), 2.5, {});
    EXPECT_EQ(constant, std::vector<double>(expected.size(), 2.5));
}

INSTANTIATE_TEST_SUITE_P(Shapes, Solutions, by_both_methods({Shape{60, 5000}, Shape{3000, 60}}),
                         shape_and_method);
// Products are looked at on the device.
INSTANTIATE_TEST_SUITE_P(Wide, Solutions,
                         testing::Combine(testing::Values(Shape{60, 9000}),
                                          testing::Values(Method::primal)),
                         shape_and_method);

// Means of many standard deviations: the shift is taken out entry by entry there too.
TEST(FarFromZeroOnTheGpu, KeepsItsDigits) {
    Data data = random_regression(200, 400, 15);
    for (Index j = 0; j < data.p; j += 2)
        for (Index i = 0; i < data.n; ++i) data.at(i, j) += 1e5;
    const auto settings = lambda_grid(data.problem(), {.count = 10, .min_ratio = 0.05});
    const auto expected = solve_path(data.problem(), settings, on(Device::cpu));
    const auto solutions = solve_path(data.problem(), settings, on(Device::cuda));
    for (std::size_t k = 0; k < settings.size(); ++k) {
        expect_near(solutions[k], expected[k], 1e-8);
        certify(data, settings[k], solutions[k]);
    }
}

// Two solves at once do not disturb each other, and the same call gives the same bits.
TEST(SolvesAtOnce, GiveTheSameBits) {
    const Data data = random_regression(80, 3000, 16);
    const auto settings = lambda_grid(data.problem(), {.count = 10});
    std::vector<std::vector<Solution>> results(4);
    linalg::parallel_for({}, 4, 4, [&](Index k) {
        Options options = on(Device::cuda);
        options.threads = 1;
        results[k] = solve_path(data.problem(), settings, options);
    });
    for (int k = 1; k < 4; ++k)
        for (std::size_t s = 0; s < settings.size(); ++s) {
            const auto& a = results[0][s].coefficients;
            const auto& b = results[k][s].coefficients;
            ASSERT_EQ(a.size(), b.size());
            for (std::size_t c = 0; c < a.size(); ++c) EXPECT_EQ(a[c].value, b[c].value);
        }
}

TEST(TooLittleMemory, IsSaidWithTheSizes) {
    // more than any device has; never read
    static const double nothing = 0;
    const DenseView huge = column_major(&nothing, Index{1} << 22, Index{1} << 20);
    try {
        const DeviceMatrix matrix(huge);
        FAIL() << "32 TB found room";
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("too little memory"), std::string::npos)
            << error.what();
    }
}

TEST(CancelOnTheGpu, StopsBeforeTheEnd) {
    const Data data = random_regression(100, 2000, 17);
    const CancelToken cancel{true};
    Options options = on(Device::cuda);
    options.cancel = &cancel;
    const auto settings = std::vector<Setting>{Mixing{0.1, 1}, Mixing{0.05, 1}};
    for (const Solution& solution : solve_path(data.problem(), settings, options))
        EXPECT_EQ(solution.status, Status::cancelled);
}

TEST(Devices, AreDescribed) {
    ASSERT_FALSE(devices().empty());
    EXPECT_FALSE(devices()[0].name.empty());
    EXPECT_GT(devices()[0].free_memory, 0);
    EXPECT_LE(devices()[0].free_memory, devices()[0].memory);
}

}  // namespace
}  // namespace sven::test
