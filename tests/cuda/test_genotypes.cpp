// Genotypes on the GPU: the CPU's solutions.

#include <gtest/gtest.h>

#include "support/genotype_data.hpp"
#include "support/options.hpp"
#include "support/solutions.hpp"
#include "sven/cross_validation.hpp"
#include "sven/device.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

struct Study {
    explicit Study(const GenotypeCase& wanted) : genotypes(wanted) {
        y = random_vector(genotypes.rows(), 8);
        for (Index j = 0; j < genotypes.cols(); j += 37)
            for (Index i = 0; i < genotypes.rows(); ++i)
                y[i] += (j % 2 == 0 ? 0.4 : -0.3) * genotypes.dense()[j * genotypes.rows() + i];
        problem.X = genotypes.view();
        problem.y = y;
    }
    PackedGenotypes genotypes;
    std::vector<double> y;
    Problem problem;
};

void expect_equal_paths(const std::vector<Solution>& path, const std::vector<Solution>& expected) {
    ASSERT_EQ(path.size(), expected.size());
    for (std::size_t k = 0; k < path.size(); ++k) {
        SCOPED_TRACE(k);
        EXPECT_EQ(path[k].device, Device::cuda);
        EXPECT_LE(path[k].gap, 1e-10);
        expect_same_coefficients(path[k], expected[k], 1e-9);
    }
}

// Some hundred are selected, so that the device solves systems too.
TEST(GenotypesOnTheGpu, PathsAreTheCpus) {
    for (const bool is_selected : {false, true}) {
        const Study study({900, 4000, 0.03, Allele::a1, is_selected, 2});
        const std::vector<Setting> grid =
            lambda_grid(study.problem, {.alpha = 0.4, .count = 15, .min_ratio = 0.05});
        const std::vector<Solution> expected = solve_path(study.problem, grid, on(Device::cpu));
        EXPECT_GT(expected.back().coefficients.size(), 300u);
        expect_equal_paths(solve_path(study.problem, grid, on(Device::cuda)), expected);
    }
}

TEST(GenotypesOnTheGpu, TallStudiesTakeTheGramMatrix) {
    const Study study({5000, 60, 0.02, Allele::a2, false, 3});
    const std::vector<Setting> grid = lambda_grid(study.problem, {.alpha = 1, .count = 20});
    expect_equal_paths(solve_path(study.problem, grid, on(Device::cuda)),
                       solve_path(study.problem, grid, on(Device::cpu)));
}

TEST(GenotypesOnTheGpu, CrossValidationIsTheCpus) {
    const Study study({400, 2000, 0.02, Allele::a1, false, 1});
    CrossValidation plan;
    plan.folds = make_folds(400, 4, 1);
    plan.grids = {{.alpha = 0.8, .count = 10, .min_ratio = 0.1}};
    const CvResult result = cross_validate(study.problem, plan, on(Device::cuda));
    const CvResult expected = cross_validate(study.problem, plan, on(Device::cpu));
    for (std::size_t k = 0; k < expected.curves[0].fold_error.size(); ++k)
        EXPECT_NEAR(result.curves[0].fold_error[k], expected.curves[0].fold_error[k],
                    1e-9 * expected.curves[0].fold_error[k]);
}

TEST(GenotypesOnTheGpu, AreNoResidentMatrix) {
    const Study study({50, 20});
    EXPECT_THROW(const DeviceMatrix resident(study.problem.X), DeviceError);
}

}  // namespace
}  // namespace sven::test
