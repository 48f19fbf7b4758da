// Gram matrices of so many columns that they are one square on the device (src/cuda/tuning.hpp).

#include <algorithm>

#include "linalg/gram.hpp"
#include "linalg/naive.hpp"

namespace sven::test {
namespace {

// Even and odd, so that X alone and X with response and ones beside it are one square.
class WideGram : public testing::TestWithParam<Index> {};

struct Sums {
    std::vector<Real> value, magnitude;  // entry (i, j), j <= i, at i * (p + 2) + j
};

Sums plain_sums(Index n, Index p, const std::vector<double>& X, const std::vector<double>& y,
                const std::vector<double>& weights, const std::vector<double>& centre) {
    const Index size = p + 2;
    std::vector<double> columns(static_cast<std::size_t>(size * n), 1.0);
    for (Index j = 0; j < p; ++j)
        for (Index i = 0; i < n; ++i) columns[j * n + i] = X[j * n + i] - centre[j];
    std::copy(y.begin(), y.end(), columns.begin() + p * n);
    Sums sums{std::vector<Real>(static_cast<std::size_t>(size * size)), {}};
    sums.magnitude = sums.value;
    for (Index i = 0; i < size; ++i)
        for (Index j = 0; j <= i; ++j)
            for (Index k = 0; k < n; ++k) {
                const Real w = weights.empty() ? 1 : weights[k];
                const Real term = w * columns[i * n + k] * columns[j * n + k];
                sums.value[i * size + j] += term;
                sums.magnitude[i * size + j] += std::abs(term);
            }
    return sums;
}

void expect_sums(const linalg::GramSums& sums, const Sums& expected, Index n) {
    const Index size = sums.cols + 2;
    Worst worst;
    for (Index i = 0; i < size; ++i)
        for (Index j = 0; j <= i; ++j)
            worst.note(sums(i, j), expected.value[i * size + j], expected.magnitude[i * size + j],
                       i * size + j);
    expect_small(worst, 4 * sum_tolerance(n));
}

TEST_P(WideGram, EqualsPlainLoops) {
    const Index n = 41;
    const Index p = GetParam();
    const std::vector<double> X = mixed_matrix(n, p, 41);
    const std::vector<double> y = random_vector(n, 42);
    const std::vector<double> none(static_cast<std::size_t>(p), 0.0);
    for (const auto& weights : {std::vector<double>{}, random_weights(n, 43)}) {
        const Sums expected = plain_sums(n, p, X, y, weights, none);
        std::vector<Kind> kinds = each_layout();
        kinds.push_back({.scalar = Scalar::float32});
        kinds.push_back({.by_columns = false, .is_strided = true});
        for (const Kind& kind : kinds) {
            const StoredMatrix matrix(kind, n, p, X);
            for (const TestedDesign& tested : tested_designs(matrix.view())) {
                SCOPED_TRACE(name(kind) + tested.name + (weights.empty() ? "" : ", weighted"));
                expect_sums(linalg::accumulate_gram(*tested.design, y, weights, {}, none), expected,
                            n);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Columns, WideGram, testing::Values(1600, 1601),
                         [](const auto& tested) { return std::to_string(tested.param); });

// The last of several blocks is short, and its length odd.
TEST(WideGramOfManyRows, EqualsTheHosts) {
    const Index n = 17001;
    const Index p = 1600;
    std::vector<double> X = random_vector(n * p, 44);
    const std::vector<double> y = random_vector(n, 45);
    for (const double level : {0.0, 0.5}) {  // as it lies there, and centred
        const std::vector<double> centre(static_cast<std::size_t>(p), level);
        for (const bool by_columns : {true, false}) {
            const DenseView view =
                by_columns ? column_major(X.data(), n, p) : row_major(X.data(), n, p);
            const auto host = linalg::make_design(view);
            const linalg::GramSums expected = linalg::accumulate_gram(*host, y, {}, {}, centre);
            for (const TestedDesign& tested : tested_designs(view)) {
                if (tested.name == " streamed") continue;  // by the host
                SCOPED_TRACE((by_columns ? "columns" : "rows") + tested.name);
                const linalg::GramSums sums =
                    linalg::accumulate_gram(*tested.design, y, {}, {}, centre);
                const linalg::GramSums again =
                    linalg::accumulate_gram(*tested.design, y, {}, {}, centre);
                double worst = 0;
                Index changed = 0;
                for (Index i = 0; i < p + 2; ++i)
                    for (Index j = 0; j <= i; ++j) {
                        const double scale = std::sqrt(expected(i, i) * expected(j, j));
                        worst = std::max(worst, std::abs(sums(i, j) - expected(i, j)) / scale);
                        if (sums(i, j) != again(i, j)) ++changed;
                    }
                EXPECT_LE(worst, 4 * sum_tolerance(n));
                EXPECT_EQ(changed, 0) << "not the same bits";
            }
        }
    }
}

}  // namespace
}  // namespace sven::test
