// A kind of matrix of the caller's own behind every call, beside the same numbers as a view.

#include "support/certify.hpp"
#include "support/outside_matrix.hpp"
#include "sven/build.hpp"
#include "sven/cross_validation.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"
#include "sven/predict.hpp"
#include "sven/svm.hpp"

namespace sven::test {
namespace {

std::shared_ptr<OutsideMatrix> outside(const Data& data, Offer offer = Offer::entries) {
    return std::make_shared<OutsideMatrix>(column_major(data.X.data(), data.n, data.p), offer);
}

void expect_same(const Solution& solution, const Solution& expected) {
    EXPECT_EQ(solution.status, expected.status);
    // of a column about 1e6 each digit counts in the intercept
    EXPECT_NEAR(solution.intercept, expected.intercept, 1e-6 * (1 + std::abs(expected.intercept)));
    ASSERT_EQ(solution.coefficients.size(), expected.coefficients.size());
    for (std::size_t k = 0; k < expected.coefficients.size(); ++k) {
        EXPECT_EQ(solution.coefficients[k].feature, expected.coefficients[k].feature);
        EXPECT_NEAR(solution.coefficients[k].value, expected.coefficients[k].value, 1e-9);
    }
}

class CustomMatrices : public testing::TestWithParam<std::tuple<Offer, Method>> {
  protected:
    Options options() const {
        Options o;
        o.method = std::get<1>(GetParam());
        o.threads = 2;
        return o;
    }
    // The same problem with X behind the public interface.
    static Problem hidden(const Data& data) {
        Problem problem = data.problem();
        problem.X = outside(data, std::get<0>(GetParam()));
        return problem;
    }
};

TEST_P(CustomMatrices, GiveTheSamePath) {
    for (const auto& [rows, cols] : {std::pair<Index, Index>{300, 20}, {60, 400}}) {
        Data data = random_regression(rows, cols, 31);
        add_weights(data, 32);
        for (Index i = 0; i < rows; ++i) data.at(i, 5) += 1e6;  // a column that is shifted
        const auto settings = lambda_grid(hidden(data), {.alpha = 0.9, .count = 12});
        const auto solutions = solve_path(hidden(data), settings, options());
        const auto expected = solve_path(data.problem(), settings, options());
        for (std::size_t k = 0; k < settings.size(); ++k) {
            SCOPED_TRACE(k);
            expect_same(solutions[k], expected[k]);
            certify(data, settings[k], solutions[k]);
        }
        const double largest =
            std::get<Mixing>(lambda_grid(data.problem(), {.alpha = 0.9, .count = 1})[0]).lambda;
        EXPECT_NEAR(std::get<Mixing>(settings[0]).lambda, largest, 1e-12 * largest);
    }
}

TEST_P(CustomMatrices, GiveTheSameCrossValidation) {
    const Data data = random_regression(120, 30, 33);
    CrossValidation plan;
    plan.folds = make_folds(120, 4);
    plan.grids = {{.alpha = 1, .count = 10}, {.alpha = 0.5, .count = 10}};
    const CvResult result = cross_validate(hidden(data), plan, options());
    const CvResult expected = cross_validate(data.problem(), plan, options());
    EXPECT_EQ(result.best_curve, expected.best_curve);
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t k = 0; k < 10; ++k) {
            const double mean = expected.curves[c].mean[k];
            EXPECT_NEAR(result.curves[c].mean[k], mean, 1e-9 * mean);
            expect_same(result.curves[c].path[k], expected.curves[c].path[k]);
        }
}

TEST_P(CustomMatrices, GiveTheSamePredictions) {
    const Data data = random_regression(500, 30, 34);
    const Solution solution = fit(hidden(data), Mixing{0.05, 1}, options());
    const std::vector<double> expected = predict(data.problem().X, solution);
    const std::vector<double> predicted = predict(hidden(data).X, solution);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(predicted[i], expected[i], 1e-13 * (1 + std::abs(expected[i])));
}

INSTANTIATE_TEST_SUITE_P(All, CustomMatrices,
                         testing::Combine(testing::Values(Offer::entries, Offer::products),
                                          testing::Values(Method::primal, Method::dual)),
                         [](const auto& tested) {
                             return std::string(std::get<0>(tested.param) == Offer::entries
                                                    ? "entries"
                                                    : "products") +
                                    "_" + std::string(name(std::get<1>(tested.param)));
                         });

TEST(CustomMatrix, PredictionsOfManyRowsTakeEveryThread) {
    const Data data = random_regression(100000, 10, 35);
    std::vector<Coefficient> coefficients;
    for (Index j = 0; j < data.p; ++j) coefficients.push_back({j, 1, 1});
    const auto matrix = outside(data, Offer::products);
    const auto threads = static_cast<std::size_t>(build_info().threads);
    // on a busy machine one thread may be done before the next is awake
    for (int k = 0; k < 1000 && matrix->threads_seen() < threads; ++k)
        (void)predict(matrix, 0, coefficients);
    EXPECT_EQ(matrix->threads_seen(), threads);
}

TEST(CustomMatrix, WhatItThrowsReachesTheCaller) {
    const Data data = random_regression(3000, 200, 36);
    for (const Method method : {Method::primal, Method::dual})
        for (const Index calls : {0, 5, 40}) {
            SCOPED_TRACE(testing::Message() << name(method) << " after " << calls);
            const auto matrix = outside(data);
            matrix->fails_after = calls;
            Problem problem = data.problem();
            problem.X = matrix;
            Options options;
            options.method = method;
            options.threads = 2;
            EXPECT_THROW((void)fit(problem, Mixing{0.1, 1}, options), std::runtime_error);
        }
}

TEST(CustomMatrix, IsRefusedWhereItCannotServe) {
    const Data data = random_regression(30, 4, 37);
    Problem problem = data.problem();
    problem.X = SharedMatrix();
    EXPECT_THROW((void)fit(problem, Mixing{0.1, 1}), InvalidArgument);
    EXPECT_THROW((void)predict(problem.X, 0, std::vector<Coefficient>{{0, 1, 1}}), InvalidArgument);
    problem.X = outside(data);
    Options options;
    options.device = Device::cuda;
    EXPECT_THROW((void)fit(problem, Mixing{0.1, 1}, options), InvalidArgument);
    EXPECT_THROW(DeviceMatrix{problem.X}, DeviceError);
    options.device = Device::automatic;
    EXPECT_EQ(fit(problem, Mixing{0.1, 1}, options).device, Device::cpu);
    svm::Classification machine;
    machine.X = problem.X;
    EXPECT_THROW((void)svm::train(machine), InvalidArgument);
}

}  // namespace
}  // namespace sven::test
