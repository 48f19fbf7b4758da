// Columns whose mean is up to 1e8 standard deviations from zero are solved to the same gap as any
// other; further away they are refused in words.

#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"
#include "support/options.hpp"
#include "sven/error.hpp"

namespace sven::test {
namespace {

// Column j is m or m + 1 with m near 2^24, where float32 has no digit left: a few ones among the
// rows put the mean 1e8 standard deviations away. Every other column is near zero.
Data edge_of_float32(Index n, Index p) {
    Data data = random_regression(n, p, 31);
    for (Index j = 0; j < p; j += 2)
        for (Index i = 0; i < n; ++i) {
            const double sign = j % 4 == 0 ? 1 : -1;
            data.at(i, j) = sign * (16777214 + (i == j % n || i == (3 * j + 1) % n));
        }
    for (double& x : data.X) x = static_cast<float>(x);
    for (Index i = 0; i < n; ++i)
        data.y[i] = 3 * (i == 0) + 2 * (i == 1) - (i == 4) + data.at(i, 1) + 0.1 * data.y[i];
    return data;
}

// Full random columns about 1e8 of their standard deviations.
Data far_in_float64(Index n, Index p, double ratio) {
    Data data = random_regression(n, p, 32);
    Random random(33);
    for (Index j = 0; j < p; ++j) {
        const double mean = j % 3 == 2 ? 0 : (j % 3 == 0 ? 1 : -1) * ratio;
        const double scale = std::pow(10, 3 - 6 * random.uniform());
        for (Index i = 0; i < n; ++i) data.at(i, j) = scale * (mean + data.at(i, j));
    }
    return data;
}

class FarFromZero : public testing::TestWithParam<std::tuple<Method, bool>> {
  protected:
    Options options() const { return by(std::get<0>(GetParam())); }
    bool is_weighted() const { return std::get<1>(GetParam()); }

    void certify_all(const Data& data, const Problem& problem) const {
        const double largest = largest_lambda(problem, options());
        for (const double ratio : {0.5, 0.05, 1e-3})
            for (const double alpha : {1.0, 0.5}) {
                SCOPED_TRACE(testing::Message() << "ratio " << ratio << " alpha " << alpha);
                const Setting setting = Mixing{ratio * largest / alpha, alpha};
                const Solution solution = fit(problem, setting, options());
                certify(data, setting, solution);
                const Setting budget = Budget{0.7 * solution.t, solution.l2};
                certify(data, budget, fit(problem, budget, options()));
            }
        const Setting ridge = Penalty{0, 2};
        certify(data, ridge, fit(problem, ridge, options()));
    }
};

double farthest(const Data& data) {
    const NaiveColumns c = standardize(data);
    double most = 0;
    for (Index j = 0; j < data.p; ++j)
        most = std::max(most, static_cast<double>(std::abs(c.mean[j]) / c.scale[j]));
    return most;
}

TEST_P(FarFromZero, EveryKindIsCertified) {
    for (const Index p : {12, 60}) {
        Data data = edge_of_float32(40, p);
        if (is_weighted()) add_weights(data, 34);
        ASSERT_GT(farthest(data), 7e7);
        for (const Kind& kind : all_kinds()) {
            SCOPED_TRACE(testing::Message() << name(kind) << " " << p << " columns");
            const StoredMatrix matrix(kind, data.n, data.p, data.X);
            Problem problem = data.problem();
            problem.X = matrix.view();
            certify_all(data, problem);
            if (HasFailure()) return;
        }
    }
}

TEST_P(FarFromZero, EveryDistanceUpToTheLimitIsCertified) {
    for (const Index p : {12, 60})
        for (const double ratio : {10.0, 100.0, 1e4, 1e6, 1e8}) {
            Data data = far_in_float64(40, p, ratio / 2);
            if (is_weighted()) add_weights(data, 35);
            for (const Kind& kind : all_kinds()) {
                if (kind.scalar == Scalar::float32 || kind.index_width == IndexWidth::int64)
                    continue;
                SCOPED_TRACE(testing::Message() << name(kind) << " " << p << " columns, " << ratio);
                const StoredMatrix matrix(kind, data.n, data.p, data.X);
                Problem problem = data.problem();
                problem.X = matrix.view();
                certify_all(data, problem);
                if (HasFailure()) return;
            }
        }
}

// What varies in such a column is rounding: the fit is that of the others, and nothing is said
// about it.
TEST_P(FarFromZero, BeyondTheLimitAColumnIsLeftOut) {
    for (const double ratio : {1e11, 1e13}) {
        Data data = random_regression(40, 6, 36);
        if (is_weighted()) add_weights(data, 37);
        Data others = data;
        others.factors.assign(6, 1);
        others.factors[3] = infinity;
        const Solution expected = fit(others.problem(), Mixing{0.1, 0.5}, options());
        for (Index i = 0; i < data.n; ++i) data.at(i, 3) += 2 * ratio;
        for (const Kind& kind : all_kinds()) {
            if (kind.scalar == Scalar::float32) continue;
            SCOPED_TRACE(testing::Message() << name(kind) << " " << ratio);
            const StoredMatrix matrix(kind, data.n, data.p, data.X);
            Problem problem = data.problem();
            problem.X = matrix.view();
            const Solution solution = fit(problem, Mixing{0.1, 0.5}, options());
            EXPECT_EQ(solution.left_out, std::vector<Index>{3});
            EXPECT_EQ(solution.certificate.left_out, 1);
            EXPECT_EQ(solution.certificate.proven_zero, expected.certificate.proven_zero - 1);
            EXPECT_EQ(solution.certificate.proven_selected, expected.certificate.proven_selected);
            ASSERT_EQ(solution.coefficients.size(), expected.coefficients.size());
            for (std::size_t k = 0; k < solution.coefficients.size(); ++k)
                EXPECT_NEAR(solution.coefficients[k].value, expected.coefficients[k].value, 1e-9);
        }
    }
}

// Nothing is centred there, so nothing is lost.
TEST_P(FarFromZero, WithoutCentringAndScalingThereIsNoLimit) {
    Data data = random_regression(40, 6, 38);
    data.intercept = data.standardize = false;
    for (Index i = 0; i < data.n; ++i) data.at(i, 3) = 1e10 + std::floor(data.at(i, 3));
    const Setting setting = Penalty{1, 0.5};
    certify(data, setting, fit(data.problem(), setting, options()));
}

INSTANTIATE_TEST_SUITE_P(Methods, FarFromZero,
                         testing::Combine(testing::ValuesIn(both_methods), testing::Bool()),
                         [](const auto& tested) {
                             return std::string(name(std::get<0>(tested.param))) +
                                    (std::get<1>(tested.param) ? "_weighted" : "");
                         });

}  // namespace
}  // namespace sven::test
