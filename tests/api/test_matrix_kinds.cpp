// The same numbers in every kind of storage give the same solution.

#include "support/back_end.hpp"
#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"
#include "support/shapes.hpp"
#include "support/solutions.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

// Exact in float32, with zeros, a constant column and an empty one.
Data storable_regression(Shape shape, unsigned seed) {
    Data data = random_regression(shape.n, shape.p, seed);
    Random random(seed + 1);
    for (double& x : data.X) x = random.uniform() < 0.4 ? 0 : static_cast<float>(x);
    for (Index i = 0; i < shape.n; ++i) {
        data.at(i, 3) = 1.5;
        data.at(i, 7) = 0;
    }
    return data;
}

class MatrixKinds : public ShapeAndMethod {
  protected:
    Options on(int threads, Device device) const {
        Options o = options();
        o.threads = threads;
        o.device = device;
        return o;
    }
    static std::vector<Setting> settings(const Problem& problem) {
        const double largest = largest_lambda(problem);
        const Solution penalised = fit(problem, Mixing{0.2 * largest, 1});
        return {Mixing{0.4 * largest, 0.5}, Mixing{0.05 * largest, 1}, Penalty{0, 3.5},
                Budget{penalised.t, 0.7}, Budget{0.5 * penalised.t, 0}};
    }
};

void expect_same(const Solution& solution, const Solution& expected) {
    EXPECT_EQ(solution.status, expected.status);
    expect_same_coefficients(solution, expected, tested_tolerance());
    EXPECT_NEAR(solution.intercept, expected.intercept,
                tested_tolerance() * (1 + std::abs(expected.intercept)));
    EXPECT_NEAR(solution.objective, expected.objective, tested_tolerance() * expected.objective);
    EXPECT_EQ(solution.certificate.proven_selected, expected.certificate.proven_selected);
    EXPECT_EQ(solution.certificate.proven_zero, expected.certificate.proven_zero);
}

TEST_P(MatrixKinds, GiveTheSameSolution) {
    for (int bits = 0; bits < 8; ++bits) {
        Data data = storable_regression(shape(), 3);
        data.intercept = (bits & 1) == 0;
        data.standardize = (bits & 2) == 0;
        if (bits & 4) add_weights(data, 5);
        if (bits & 4) add_factors(data, 6);
        const std::vector<Setting> all = settings(data.problem());
        const std::vector<Solution> expected = solve_path(data.problem(), all, on(1, Device::cpu));
        for (const Kind& kind : all_kinds()) {
            SCOPED_TRACE(testing::Message() << name(kind) << " bits " << bits);
            const StoredMatrix matrix(kind, data.n, data.p, data.X);
            Problem problem = data.problem();
            problem.X = matrix.view();
            const std::vector<Solution> solutions =
                solve_path(problem, all, on(2, tested_device()));
            for (std::size_t k = 0; k < all.size(); ++k) {
                SCOPED_TRACE(testing::Message() << "setting " << k);
                expect_same(solutions[k], expected[k]);
                certify(data, all[k], solutions[k]);
                if (HasFailure()) return;
            }
        }
    }
}

// Counts from 0 to 4, and some below zero.
TEST_P(MatrixKinds, BytesGiveTheSameSolution) {
    Data data = random_regression(shape().n, shape().p, 13);
    for (double& x : data.X) x = std::floor(3 * x);
    for (Index i = 0; i < data.n; ++i) data.at(i, 1) += 100;  // far from zero
    for (const bool has_weights : {false, true}) {
        if (has_weights) add_weights(data, 14);
        const std::vector<Setting> all = settings(data.problem());
        const std::vector<Solution> expected = solve_path(data.problem(), all, on(1, Device::cpu));
        for (const Kind& kind : kinds_of_bytes()) {
            SCOPED_TRACE(name(kind));
            const StoredMatrix matrix(kind, data.n, data.p, data.X);
            Problem problem = data.problem();
            problem.X = matrix.view();
            const auto solutions = solve_path(problem, all, on(2, Device::automatic));
            for (std::size_t k = 0; k < all.size(); ++k) {
                expect_same(solutions[k], expected[k]);
                certify(data, all[k], solutions[k]);
            }
            EXPECT_THROW((void)solve_path(problem, all, on(1, Device::cuda)), Error);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatrixKinds, by_both_methods({Shape{25, 60}, Shape{80, 20}}),
                         shape_and_method);

}  // namespace
}  // namespace sven::test
