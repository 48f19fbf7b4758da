// The same numbers in every kind of storage give the same solution.

#include "support/back_end.hpp"
#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"

namespace sven::test {
namespace {

struct Shape {
    Index n;
    Index p;
};

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

class MatrixKinds : public testing::TestWithParam<std::tuple<Shape, Method>> {
  protected:
    Shape shape() const { return std::get<0>(GetParam()); }
    Options options(int threads, Device device) const {
        Options o;
        o.method = std::get<1>(GetParam());
        o.threads = threads;
        o.device = device;
        return o;
    }
    static std::vector<Setting> settings(const Problem& problem) {
        const double largest =
            std::get<Mixing>(lambda_grid(problem, {.alpha = 1, .count = 1})[0]).lambda;
        const Solution penalised = fit(problem, Mixing{0.2 * largest, 1});
        return {Mixing{0.4 * largest, 0.5}, Mixing{0.05 * largest, 1}, Penalty{0, 3.5},
                Budget{penalised.t, 0.7}, Budget{0.5 * penalised.t, 0}};
    }
};

void expect_same(const Solution& solution, const Solution& expected) {
    EXPECT_EQ(solution.status, expected.status);
    ASSERT_EQ(solution.coefficients.size(), expected.coefficients.size());
    double largest = 0;
    for (const Coefficient& b : expected.coefficients)
        largest = std::max(largest, std::abs(b.standardized));
    for (std::size_t k = 0; k < solution.coefficients.size(); ++k) {
        EXPECT_EQ(solution.coefficients[k].feature, expected.coefficients[k].feature);
        EXPECT_NEAR(solution.coefficients[k].standardized, expected.coefficients[k].standardized,
                    tested_tolerance() * largest);
    }
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
        const std::vector<Solution> expected =
            solve_path(data.problem(), all, options(1, Device::cpu));
        for (const Kind& kind : all_kinds()) {
            SCOPED_TRACE(testing::Message() << name(kind) << " bits " << bits);
            const StoredMatrix matrix(kind, data.n, data.p, data.X);
            Problem problem = data.problem();
            problem.X = matrix.view();
            const std::vector<Solution> solutions =
                solve_path(problem, all, options(2, tested_device()));
            for (std::size_t k = 0; k < all.size(); ++k) {
                SCOPED_TRACE(testing::Message() << "setting " << k);
                expect_same(solutions[k], expected[k]);
                certify(data, all[k], solutions[k]);
                if (HasFailure()) return;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatrixKinds,
                         testing::Combine(testing::Values(Shape{25, 60}, Shape{80, 20}),
                                          testing::Values(Method::primal, Method::dual)),
                         [](const auto& tested) {
                             const Shape shape = std::get<0>(tested.param);
                             return std::to_string(shape.n) + "x" + std::to_string(shape.p) + "_" +
                                    std::string(name(std::get<1>(tested.param)));
                         });

}  // namespace
}  // namespace sven::test
