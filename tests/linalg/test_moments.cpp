// Means, squares and products of the columns, in every kind of storage.

#include "linalg/naive.hpp"

namespace sven::test {
namespace {

struct Case {
    Index n;
    Index p;
    const std::vector<double>& X;
    const std::vector<double>& weights;  // empty: all one
    const std::vector<double>& v;

    Real weight(Index i) const { return weights.empty() ? 1 : weights[i]; }
    bool is_constant(Index j) const {
        double first = 0;
        bool has_first = false;
        for (Index i = 0; i < n; ++i) {
            if (weight(i) == 0) continue;
            if (has_first && X[j * n + i] != first) return false;
            first = X[j * n + i];
            has_first = true;
        }
        return true;
    }
};

// `mean` may carry its rounding as long as `centred_sum` tells of it; the sums speak of that mean.
void check_moments(const Case& c, const linalg::ColumnMoments& m) {
    Worst means;
    Worst squares;
    Worst products;
    Index wrong_constants = 0;
    Real total = 0;
    for (Index i = 0; i < c.n; ++i) total += c.weight(i);
    for (Index j = 0; j < c.p; ++j) {
        Real sum = 0;
        Real magnitude = 0;
        Real square = 0;
        Real product = 0;
        Real product_magnitude = 0;
        for (Index i = 0; i < c.n; ++i) {
            const Real x = c.X[j * c.n + i];
            const Real d = x - m.mean[j];
            sum += c.weight(i) * x;
            magnitude += c.weight(i) * std::abs(x);
            square += c.weight(i) * d * d;
            product += c.v[i] * d;
            product_magnitude += std::abs(c.v[i]) * (std::abs(x) + std::abs(m.mean[j]));
        }
        means.note(m.mean[j], sum / total, magnitude / total, j);
        const double corrected = m.mean[j] + m.centred_sum[j] / static_cast<double>(total);
        means.note(corrected, sum / total, magnitude / total, j);
        // below the rounding of the mean there is nothing to compare
        const Real floor = 1e-15L * magnitude * magnitude / total;
        squares.note(m.squares[j], square, square + floor, j);
        products.note(m.products[j], product, product_magnitude, j);
        const bool is_constant = c.is_constant(j);
        wrong_constants += static_cast<bool>(m.is_constant[j]) != is_constant;
        if (is_constant) {
            EXPECT_EQ(m.mean[j], c.X[j * c.n]) << j;
        }
    }
    expect_small(means, sum_tolerance(c.n));
    expect_small(squares, 8 * sum_tolerance(c.n));
    expect_small(products, sum_tolerance(c.n));
    EXPECT_EQ(wrong_constants, 0);
}

class Moments : public testing::TestWithParam<Shape> {};

TEST_P(Moments, EqualPlainLoops) {
    const Index n = GetParam().n;
    const Index p = GetParam().p;
    std::vector<double> X = mixed_matrix(n, p, 21);
    const std::vector<double> v = random_vector(n, 22);
    for (const bool is_weighted : {false, true}) {
        SCOPED_TRACE(is_weighted ? "weights" : "no weights");
        const std::vector<double> weights =
            is_weighted ? random_weights(n, 23) : std::vector<double>{};
        // Constant only over the rows that count, stored and not.
        for (Index i = 1; is_weighted && i < n; ++i)
            if (weights[i] == 0 && p > 4) {
                X[4 * n + i] = 5;
                X[2 * n + i] = 3;
            } else if (p > 4) {
                X[4 * n + i] = X[4 * n];
                X[2 * n + i] = X[2 * n] = 0;
            }
        const Designs designs(n, p, X);
        designs.each([&](const linalg::Design& design) {
            for (const int threads : {1, 3})
                check_moments({n, p, X, weights, v},
                              design.moments(weights, v, {threads, nullptr}));
        });
    }
}

// Those of several weightings at once are, to the bit, those of each.
TEST_P(Moments, OfSeveralWeightings) {
    const auto [n, p] = GetParam();
    const Designs designs(n, p, mixed_matrix(n, p, 31));
    const std::vector<double> first = random_vector(n, 32);
    const std::vector<double> second = random_vector(n, 33);
    const std::vector<double> weights = random_weights(n, 34);
    const std::vector<linalg::MomentRequest> requests{
        {{}, first}, {weights, second}, {weights, first}};
    designs.each([&](const linalg::Design& design) {
        std::vector<linalg::ColumnMoments> found(requests.size());
        const Index passes = design.moments_of(requests, {3, nullptr}, found);
        EXPECT_TRUE(passes == 1 || passes == 3);
        for (std::size_t k = 0; k < requests.size(); ++k) {
            const linalg::ColumnMoments one =
                design.moments(requests[k].weights, requests[k].v, {1, nullptr});
            EXPECT_EQ(found[k].mean, one.mean);
            EXPECT_EQ(found[k].centred_sum, one.centred_sum);
            EXPECT_EQ(found[k].squares, one.squares);
            EXPECT_EQ(found[k].products, one.products);
            EXPECT_EQ(found[k].is_constant, one.is_constant);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Shapes, Moments, testing::ValuesIn(all_shapes()), shape_name);

// The sum of squares must not be a difference of large numbers.
TEST(MomentsFarFromZero, KeepTheirDigits) {
    const Index n = 300;
    Random random(24);
    std::vector<double> X(static_cast<std::size_t>(n));
    for (double& x : X) x = 8388608 + std::floor(100 * random.uniform());
    Real mean = 0;
    for (const double x : X) mean += x;
    mean /= n;
    Real square = 0;
    for (const double x : X) square += (x - mean) * (x - mean);
    const std::vector<double> v = random_vector(n, 25);
    const Designs designs(n, 1, X);
    designs.each([&](const linalg::Design& design) {
        const linalg::ColumnMoments m = design.moments({}, v, {});
        EXPECT_NEAR(m.squares[0], static_cast<double>(square), 1e-12 * static_cast<double>(square));
        const Real corrected =
            static_cast<Real>(m.mean[0]) + m.centred_sum[0] / static_cast<Real>(n);
        EXPECT_NEAR(static_cast<double>(corrected - mean), 0, 1e-13);
    });
}

// Whoever looks at the moments sees that the column cannot be used.
TEST(MomentsOfBadNumbers, AreNotFinite) {
    const Index n = 9;
    const std::vector<double> v = random_vector(n, 26);
    for (const bool is_constant_otherwise : {false, true})
        for (const double bad : {nan, infinity, -infinity})
            for (Index at = 0; at < n; ++at) {
                SCOPED_TRACE(testing::Message() << bad << " at " << at);
                std::vector<double> X = mixed_matrix(n, 2, 27);
                for (Index i = 0; is_constant_otherwise && i < n; ++i) X[i] = 1;
                X[at] = bad;
                const Designs designs(n, 2, X);
                designs.each([&](const linalg::Design& design) {
                    const linalg::ColumnMoments m = design.moments({}, v, {});
                    EXPECT_FALSE(std::isfinite(m.mean[0]) && std::isfinite(m.squares[0]));
                    EXPECT_TRUE(std::isfinite(m.mean[1]) && std::isfinite(m.squares[1]));
                });
            }
}

}  // namespace
}  // namespace sven::test
