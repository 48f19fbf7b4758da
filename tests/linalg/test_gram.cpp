// The Gram matrix with response and ones beside it, by packed rows and over the non-zeros.

#include <array>

#include "linalg/gram.hpp"
#include "linalg/kernels.hpp"
#include "linalg/naive.hpp"

namespace sven::test {
namespace {

struct GramCase {
    Index n = 0;
    Index p = 0;
    std::vector<double> X;
    std::vector<double> y;
    std::vector<double> weights;  // empty: all one
};

// The lower triangle in the order of GramSums: entry (i, j) at i * (p + 2) + j.
struct NaiveGram {
    std::vector<Real> value, magnitude;
};

NaiveGram naive_gram(const GramCase& c, const std::vector<double>& centre) {
    const Index size = c.p + 2;
    NaiveGram naive;
    naive.value.resize(static_cast<std::size_t>(size * size));
    naive.magnitude.resize(naive.value.size());
    std::vector<Real> row(static_cast<std::size_t>(size));
    for (Index k = 0; k < c.n; ++k) {
        for (Index j = 0; j < c.p; ++j) row[j] = static_cast<Real>(c.X[j * c.n + k]) - centre[j];
        row[c.p] = c.y[k];
        row[c.p + 1] = 1;
        const Real w = c.weights.empty() ? 1 : c.weights[k];
        for (Index i = 0; i < size; ++i)
            for (Index j = 0; j <= i; ++j) {
                naive.value[i * size + j] += w * row[i] * row[j];
                naive.magnitude[i * size + j] += w * std::abs(row[i] * row[j]);
            }
    }
    return naive;
}

void check_gram(const GramCase& c, const linalg::GramSums& sums, const NaiveGram& naive) {
    ASSERT_EQ(sums.cols, c.p);
    Worst worst;
    for (Index i = 0; i < c.p + 2; ++i)
        for (Index j = 0; j <= i; ++j) {
            const Index at = i * (c.p + 2) + j;
            worst.note(sums(i, j), naive.value[at], naive.magnitude[at], at);
            EXPECT_EQ(sums(i, j), sums(j, i));
        }
    expect_small(worst, 4 * sum_tolerance(c.n));
}

GramCase gram_case(Index n, Index p, bool is_weighted, double density) {
    GramCase c{n, p, mixed_matrix(n, p, 31, density), random_vector(n, 32), {}};
    // full columns would make every row dense
    for (Index j = 0; density < 0.1 && j < p; ++j)
        if (j % 5 == 0 || j % 11 == 6)
            for (Index i = 0; i < n; ++i)
                if ((i + j) % 40 != 0) c.X[j * n + i] = 0;
    if (is_weighted) c.weights = random_weights(n, 33);
    return c;
}

class Gram : public testing::TestWithParam<std::tuple<Shape, bool>> {
  protected:
    Shape shape() const { return std::get<0>(GetParam()); }
    bool is_weighted() const { return std::get<1>(GetParam()); }
};

TEST_P(Gram, OfPackedRowsEqualsPlainLoops) {
    const GramCase c = gram_case(shape().n, shape().p, is_weighted(), 0.6);
    const Designs designs(c.n, c.p, c.X);
    std::vector<double> centre;  // the same for every kind
    NaiveGram naive;
    designs.each([&](const linalg::Design& X) {
        for (const int threads : {1, 3}) {
            const linalg::GramSums sums =
                linalg::accumulate_gram(X, c.y, c.weights, {threads, nullptr});
            if (centre != sums.centre) {
                centre = sums.centre;
                naive = naive_gram(c, centre);
            }
            check_gram(c, sums, naive);
        }
    });
}

TEST_P(Gram, AboutAGivenCentreEqualsPlainLoops) {
    const GramCase c = gram_case(shape().n, shape().p, is_weighted(), 0.05);
    const Designs designs(c.n, c.p, c.X);
    for (const auto& centre :
         {random_vector(c.p, 34), std::vector<double>(static_cast<std::size_t>(c.p), 0.0)}) {
        SCOPED_TRACE(centre[0]);
        const NaiveGram naive = naive_gram(c, centre);
        designs.each([&](const linalg::Design& X) {
            for (const int threads : {1, 3}) {
                const linalg::GramSums sums =
                    linalg::accumulate_gram(X, c.y, c.weights, {threads, nullptr}, centre);
                EXPECT_EQ(sums.centre, centre);
                check_gram(c, sums, naive);
            }
        });
    }
}

TEST_P(Gram, OverTheNonZerosEqualsPlainLoops) {
    const GramCase c = gram_case(shape().n, shape().p, is_weighted(), 0.02);
    const Designs designs(c.n, c.p, c.X);
    const std::vector<double> zero(static_cast<std::size_t>(c.p), 0.0);
    const NaiveGram naive = naive_gram(c, zero);
    designs.each([&](const linalg::Design& X) {
        if (!X.is_sparse() || X.is_on_device()) return;
        // the verb itself, whatever the cost rule would choose
        std::vector<double> G(static_cast<std::size_t>((c.p + 1) * c.p), 0.5);
        X.accumulate_sparse_gram(c.weights, {}, G.data(), c.p + 1);
        Worst worst;
        for (Index i = 0; i < c.p; ++i)
            for (Index j = 0; j <= i; ++j) {
                const Index at = i * (c.p + 2) + j;
                worst.note(G[j * (c.p + 1) + i], naive.value[at] + 0.5L, naive.magnitude[at] + 0.5L,
                           at);
            }
        expect_small(worst, 4 * sum_tolerance(c.n));
        double pairs = 0;
        for (Index i = 0; i < c.n; ++i) {
            double stored = 0;
            for (Index j = 0; j < c.p; ++j) stored += c.X[j * c.n + i] != 0;
            pairs += stored * (stored + 1) / 2;
        }
        EXPECT_GE(X.sparse_gram_cost(), pairs);  // zeros may be stored too
        const linalg::GramSums sums = linalg::accumulate_gram(X, c.y, c.weights, {});
        check_gram(c, sums, sums.centre == zero ? naive : naive_gram(c, sums.centre));
        if (c.p > 100) {
            EXPECT_EQ(sums.centre, zero) << "packed rows were chosen for so few non-zeros";
        }
    });
}

// The sums are shared by whoever of the caller's own team is idle.
TEST_P(Gram, InsideATeamEqualsPlainLoops) {
    const GramCase c = gram_case(shape().n, shape().p, is_weighted(), 0.6);
    const StoredMatrix matrix(Kind{}, c.n, c.p, c.X);
    const std::vector<TestedDesign> tested = tested_designs(matrix.view());
    const std::unique_ptr<linalg::Design>& X = tested.front().design;
    std::array<linalg::GramSums, 2> sums;
    linalg::parallel_for({}, 2, 2, [&](Index k) {
        sums[k] = linalg::accumulate_gram(*X, c.y, c.weights, {4, nullptr});
    });
    const NaiveGram naive = naive_gram(c, sums[0].centre);
    for (const linalg::GramSums& sum : sums) check_gram(c, sum, naive);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Gram,
                         testing::Combine(testing::Values(Shape{1, 1}, Shape{900, 1}, Shape{2, 5},
                                                          Shape{7, 12}, Shape{100, 97},
                                                          Shape{700, 130}, Shape{9001, 70},
                                                          Shape{5000, 6}),
                                          testing::Bool()),
                         [](const auto& tested) {
                             const Shape shape = std::get<0>(tested.param);
                             return std::to_string(shape.n) + "x" + std::to_string(shape.p) +
                                    (std::get<1>(tested.param) ? "_weighted" : "");
                         });

}  // namespace
}  // namespace sven::test
