// Binomial and poisson responses on the GPU: the CPU's solutions, certified by plain loops.

#include <gtest/gtest.h>

#include "support/certify_outcome.hpp"
#include "support/options.hpp"
#include "support/outcome_data.hpp"
#include "support/solutions.hpp"
#include "sven/cross_validation.hpp"
#include "sven/device.hpp"
#include "sven/relaxed.hpp"

namespace sven::test {
namespace {

class OutcomesOnTheGpu : public ::testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Families, OutcomesOnTheGpu,
                         ::testing::Values(Family::binomial, Family::poisson),
                         [](const auto& of) { return std::string(name(of.param)); });

void expect_near(const Solution& solution, const Solution& expected) {
    EXPECT_EQ(solution.device, Device::cuda);
    EXPECT_EQ(name(solution.status), name(expected.status));
    EXPECT_LE(solution.gap, 1e-10);
    EXPECT_NEAR(solution.deviance, expected.deviance, 1e-8 * expected.null_deviance);
    EXPECT_NEAR(solution.null_deviance, expected.null_deviance, 1e-12 * expected.null_deviance);
}

// X sent, and X resident: many rows and many features, with all that a problem may have.
TEST_P(OutcomesOnTheGpu, PathsAreTheCpus) {
    for (const bool is_wide : {false, true}) {
        Data data = is_wide ? outcome_data(GetParam(), 60, 3000, 41)
                            : outcome_data(GetParam(), 2000, 40, 42);
        add_weights(data, 43);
        data.weights[1] = 1;
        if (!is_wide)
            for (const double value : random_vector(data.n, 44)) data.offset.push_back(value / 4);
        const Problem problem = data.problem();
        const std::vector<Setting> grid =
            lambda_grid(problem, {.alpha = 0.8, .count = 15, .min_ratio = 0.02});
        const std::vector<Solution> expected = solve_path(problem, grid, on(Device::cpu));
        const DeviceMatrix resident(problem.X);
        Problem there = problem;
        there.X = resident.view();
        for (const Problem& tested : {problem, there}) {
            const std::vector<Solution> path = solve_path(tested, grid, on(Device::cuda));
            for (std::size_t k = 0; k < path.size(); ++k) {
                SCOPED_TRACE(k);
                expect_near(path[k], expected[k]);
                if (k % 5 == 4) {
                    EXPECT_LE(certify_outcome(data, path[k]).gap, 1e-10);
                }
                if (HasFailure()) return;
            }
        }
    }
}

TEST_P(OutcomesOnTheGpu, BudgetsAndRefitsAreTheCpus) {
    const Data data = outcome_data(GetParam(), 300, 20, 45);
    const Problem problem = data.problem();
    const std::vector<Setting> settings{Budget{0.1, 0}, Budget{0.4, 1}, Penalty{6, 0}};
    const std::vector<Solution> expected = solve_path(problem, settings, on(Device::cpu));
    const std::vector<Solution> path = solve_path(problem, settings, on(Device::cuda));
    const std::vector<Relaxed> refits = relax(problem, expected, on(Device::cpu));
    const std::vector<Relaxed> relaxed = relax(problem, path, on(Device::cuda));
    for (std::size_t k = 0; k < settings.size(); ++k) {
        expect_near(path[k], expected[k]);
        EXPECT_NEAR(path[k].t, expected[k].t, 1e-7 * expected[k].t);
        EXPECT_EQ(name(relaxed[k].refit), name(refits[k].refit));
        expect_near(relaxed[k].solution, refits[k].solution);
    }
}

TEST_P(OutcomesOnTheGpu, FoldsAreTheCpus) {
    const Data data = outcome_data(GetParam(), 120, 400, 46);
    CrossValidation plan;
    plan.folds = make_folds(data.n, 4);
    plan.grids = {{.alpha = 0.7, .count = 8, .min_ratio = 0.05}};
    const CvResult expected = cross_validate(data.problem(), plan, on(Device::cpu));
    const CvResult result = cross_validate(data.problem(), plan, on(Device::cuda));
    for (std::size_t k = 0; k < expected.curves[0].fold_error.size(); ++k)
        EXPECT_NEAR(result.curves[0].fold_error[k], expected.curves[0].fold_error[k],
                    1e-6 * expected.curves[0].fold_error[k]);
    EXPECT_EQ(result.curves[0].best, expected.curves[0].best);
}

}  // namespace
}  // namespace sven::test
