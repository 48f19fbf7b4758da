// The passes over losses of rows, for each instruction set that this processor has, against long
// double.

#include <cmath>
#include <limits>

#include "linalg/instruction_sets.hpp"
#include "linalg/kernels.hpp"

namespace sven::test {
namespace {

using Long = long double;
constexpr double unit = 0x1p-53;  // one rounding
// as problem/tuning.hpp has them
constexpr double far = 1e10;
constexpr double near = 0.05;

struct Row {
    Long error, curvature, half_deviance, mean;
};

Row binomial_row(double y, double eta) {
    const Long tail = std::exp(-std::abs(static_cast<Long>(eta)));
    const Long large = 1 / (1 + tail);
    const Long small = tail / (1 + tail);
    const Long mean = eta >= 0 ? large : small;
    const Long rest = eta >= 0 ? small : large;
    return {y * rest - (1 - y) * mean, large * small,
            std::max<Long>(y > 0.5 ? -eta : eta, 0) + std::log1p(tail), mean};
}

// The divergence from the series of (1 + d) log(1 + d) - d where it would cancel.
Row poisson_row(double y, double eta) {
    const Long mean = std::exp(static_cast<Long>(eta));
    const Long d = (y - mean) / mean;
    Long sum = 0;
    for (int k = 40; k >= 2; --k) sum = 1.0L / (k * (k - 1)) - d * sum;
    const Long plain = y == 0 ? 1 : (1 + d) * std::log1p(d) - d;
    return {y - mean, mean, mean * (std::abs(d) < 0.1L ? d * d * sum : plain), mean};
}

struct Rows {
    std::vector<double> y, eta, weights;
};

Rows binomial_rows(Index n, double reach, unsigned seed) {
    Random random(seed);
    Rows rows;
    for (Index i = 0; i < n; ++i) {
        rows.y.push_back(random.uniform() < 0.5 ? 0 : 1);
        rows.eta.push_back(reach * (2 * random.uniform() - 1));
        rows.weights.push_back(i % 7 == 3 ? 0 : 0.5 + random.uniform());
    }
    return rows;
}

// Counts near their means, far from them, and zero.
Rows poisson_rows(Index n, double reach, unsigned seed) {
    Random random(seed);
    Rows rows = binomial_rows(n, reach, seed);
    for (Index i = 0; i < n; ++i) {
        const double mean = std::exp(rows.eta[i]);
        const double off = std::pow(10.0, -6 * random.uniform());
        rows.y[i] = i % 5 == 0 ? 0 : (i % 5 == 1 ? std::ceil(mean) : mean * (1 + off));
    }
    return rows;
}

class LossLoops : public EveryInstructionSet {
  protected:
    const linalg::LossKernels& losses() const { return kernels().losses; }
};
INSTANTIATE_TEST_SUITE_P(Sets, LossLoops, instruction_sets(), set_name);

template <class Exact>
void expect_row_by_row(linalg::LossKernels::Evaluate evaluate, const Rows& rows,
                       const Exact& exact) {
    for (std::size_t i = 0; i < rows.y.size(); ++i) {
        double u = 0;
        double curvature = 0;
        Index listed = 0;
        linalg::LossPassSums sums;
        const linalg::LossPass pass{&rows.y[i], nullptr, &rows.eta[i], 1, far, near};
        ASSERT_EQ(evaluate(pass, {&u, &curvature, &listed}, sums), 0);
        const Row row = exact(rows.y[i], rows.eta[i]);
        const Long size = std::max<Long>(std::abs(row.error), rows.y[i] > 1 ? rows.y[i] : 0);
        EXPECT_LE(std::abs(u - row.error), 4 * unit * std::max(size, row.curvature)) << rows.eta[i];
        EXPECT_LE(std::abs(curvature - row.curvature), 6 * unit * row.curvature) << rows.eta[i];
        // what the rounding of the mean makes of it is first order in y - mean
        EXPECT_LE(std::abs(sums.half_deviance - row.half_deviance),
                  64 * unit * (row.half_deviance + std::abs(row.error)))
            << rows.eta[i] << ", y " << rows.y[i];
        EXPECT_NEAR(sums.largest_mean, static_cast<double>(row.mean), 4 * unit * sums.largest_mean);
    }
}

TEST_P(LossLoops, ClassesRowByRow) {
    for (const double reach : {1e-6, 1.0, 8.0, 40.0, 700.0})
        expect_row_by_row(losses().evaluate_binomial, binomial_rows(500, reach, 1), binomial_row);
}

TEST_P(LossLoops, CountsRowByRow) {
    for (const double reach : {1e-6, 1.0, 8.0, 20.0})
        expect_row_by_row(losses().evaluate_poisson, poisson_rows(500, reach, 2), poisson_row);
}

// A row has the same bits wherever it stands, and sums are those of the rows.
TEST_P(LossLoops, PassesOfEveryLength) {
    for (const bool is_binomial : {true, false})
        for (const Index n : lengths) {
            const Rows rows = is_binomial ? binomial_rows(n, 5, 3) : poisson_rows(n, 5, 3);
            const auto evaluate =
                is_binomial ? losses().evaluate_binomial : losses().evaluate_poisson;
            std::vector<double> u(rows.y.size());
            std::vector<double> curvatures(rows.y.size());
            std::vector<Index> listed(rows.y.size());
            linalg::LossPassSums sums;
            ASSERT_EQ(evaluate({rows.y.data(), rows.weights.data(), rows.eta.data(), n, far, near},
                               {u.data(), curvatures.data(), listed.data()}, sums),
                      0);
            linalg::LossPassSums plain;
            for (Index i = 0; i < n; ++i) {
                linalg::LossPassSums one;
                double u_one = 0;
                double curvature = 0;
                evaluate({&rows.y[i], &rows.weights[i], &rows.eta[i], 1, far, near},
                         {&u_one, &curvature, listed.data()}, one);
                EXPECT_EQ(u[i], u_one);
                EXPECT_EQ(curvatures[i], curvature);
                plain.half_deviance += one.half_deviance;
                plain.error_sum += one.error_sum;
                plain.error_size += one.error_size;
                plain.curvature_sum += one.curvature_sum;
                plain.largest_mean = std::max(plain.largest_mean, one.largest_mean);
            }
            EXPECT_NEAR(sums.half_deviance, plain.half_deviance, 1e-14 * plain.half_deviance);
            EXPECT_NEAR(sums.error_sum, plain.error_sum, 1e-14 * plain.error_size);
            EXPECT_NEAR(sums.error_size, plain.error_size, 1e-14 * plain.error_size);
            EXPECT_NEAR(sums.curvature_sum, plain.curvature_sum, 1e-14 * plain.curvature_sum);
            EXPECT_EQ(sums.largest_mean, plain.largest_mean);
        }
}

// Beyond the range of numbers: nothing but zero, one and infinity, and rows of no weight add
// nothing.
TEST_P(LossLoops, FarFromZero) {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> eta{-746, -745, 745, 800, -infinity, infinity};
    const std::vector<double> y{0, 1, 0, 1, 0, 1};
    const std::vector<double> weights{1, 1, 1, 1, 0, 0};
    std::vector<double> u(6), curvatures(6);
    std::vector<Index> listed(6);
    linalg::LossPassSums sums;
    const linalg::LossPassOut out{u.data(), curvatures.data(), listed.data()};
    losses().evaluate_binomial({y.data(), weights.data(), eta.data(), 6, far, near}, out, sums);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(u[i], y[i] - (eta[i] > 0 ? 1 : 0) + 0.0) << eta[i];
    EXPECT_NEAR(curvatures[1], std::exp(-745.0), 1e-323);
    EXPECT_EQ(curvatures[4], 0);
    EXPECT_DOUBLE_EQ(sums.half_deviance, 1490);
    const Index count =
        losses().evaluate_poisson({y.data(), weights.data(), eta.data(), 6, far, near}, out, sums);
    EXPECT_EQ(curvatures[0], 0);
    EXPECT_EQ(curvatures[3], infinity);
    EXPECT_EQ(u[5], 0);
    ASSERT_EQ(count, 2);  // y = 1 beside means of 0 and of infinity
    EXPECT_EQ(listed[0], 1);
    EXPECT_EQ(listed[1], 3);
}

// Shares are left to the caller, and so are excesses that are not small.
TEST_P(LossLoops, ListedRows) {
    const std::vector<double> y{0, 0.25, 1, 0.5, 0, 1, 0, 1, 0.75};
    const std::vector<double> eta{0.3, -0.2, 4, 1, 2, -3, 0, 0.1, 0.2};
    std::vector<double> u(9), curvatures(9);
    std::vector<Index> listed(9);
    linalg::LossPassSums sums;
    const linalg::LossPass pass{y.data(), nullptr, eta.data(), 9, far, near};
    ASSERT_EQ(losses().evaluate_binomial(pass, {u.data(), curvatures.data(), listed.data()}, sums),
              3);
    EXPECT_EQ(listed[0], 1);
    EXPECT_EQ(listed[1], 3);
    EXPECT_EQ(listed[2], 8);
    for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_NEAR(u[i], y[i] - 1 / (1 + std::exp(-eta[i])), 1e-15);

    std::vector<double> tilt(9, 1e-6);
    tilt[4] = 0.1;
    linalg::DivergencePassSums divergence;
    const Index count =
        losses().diverge_binomial(pass, {tilt.data(), 1, 1e-8, 0, 1e-4}, listed.data(), divergence);
    ASSERT_EQ(count, 1);
    EXPECT_EQ(listed[0], 4);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (i == 4) continue;
        const double k = curvatures[i];
        const double size = k * (1e-6 + 1e-8);
        const double mean = 1 / (1 + std::exp(-eta[i]));
        sum += size * size / (2 * k) * (1 + size / std::min(mean, 1 - mean));
        squares += size * size;
    }
    EXPECT_NEAR(divergence.sum, sum, 1e-13 * sum);
    EXPECT_NEAR(divergence.excess_squares, squares, 1e-13 * squares);
}

}  // namespace
}  // namespace sven::test
