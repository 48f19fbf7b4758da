// Sums over the rows, against plain loops: the same bits for any number of threads. And moments of
// parts of a column, merged.

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/row_moments.hpp"
#include "linalg/row_sums.hpp"
#include "support/problems.hpp"

namespace sven::test {
namespace {

TEST(RowSums, EqualPlainLoopsAndDoNotDependOnThreads) {
    for (const Index n : {0, 1, 100, 16384, 16385, 200'000, 1'500'000}) {
        SCOPED_TRACE(n);
        const std::vector<double> x = random_vector(n, 1);
        const std::vector<double> y = random_vector(n, 2);
        long double dot = 0, squares = 0, weighted = 0, distance = 0;
        for (Index i = 0; i < n; ++i) {
            dot += static_cast<long double>(x[i]) * y[i];
            squares += static_cast<long double>(x[i]) * x[i];
            weighted += static_cast<long double>(x[i]) * y[i];
            distance += static_cast<long double>(x[i] - y[i]) * (x[i] - y[i]);
        }
        const auto all = [&](int threads) {
            const linalg::Execution execution{threads, nullptr};
            return std::array<double, 4>{linalg::dot_of_rows(execution, x, y),
                                         linalg::squares_of_rows(execution, x),
                                         linalg::sum_of_rows(execution, x, y),
                                         linalg::squared_distance_of_rows(execution, x, y)};
        };
        const auto sums = all(1);
        const double size = 1e-14 * (1 + std::sqrt(static_cast<double>(n)));
        EXPECT_NEAR(sums[0], static_cast<double>(dot), size * 100);
        EXPECT_NEAR(sums[1], static_cast<double>(squares), 1e-12 * static_cast<double>(n));
        EXPECT_NEAR(sums[2], static_cast<double>(weighted), size * 100);
        EXPECT_NEAR(sums[3], static_cast<double>(distance), 1e-12 * static_cast<double>(n));
        for (const int threads : {2, 3, 5}) EXPECT_EQ(all(threads), sums);
    }
}

TEST(RowSums, BlocksCoverTheRows) {
    for (const Index n : {0, 1, 16384, 16385, 1'048'576, 1'048'577, 12'000'000}) {
        const linalg::RowBlocks blocks(n);
        EXPECT_LE(blocks.count, linalg::most_row_blocks);
        Index covered = 0;
        for (Index k = 0; k < blocks.count; ++k) {
            EXPECT_EQ(blocks.begin(k), covered);
            EXPECT_GT(blocks.length(k), 0);
            covered += blocks.length(k);
        }
        EXPECT_EQ(covered, n);
    }
}

TEST(RowSums, SeeACancel) {
    const std::atomic<bool> cancel = true;
    const std::vector<double> x(100, 1.0);
    EXPECT_THROW(linalg::squares_of_rows({1, &cancel}, x), linalg::Cancelled);
}

struct Rows {
    std::vector<double> x, w, v;
};

// About the mean of these rows, by plain loops in extended precision.
linalg::RowMoments moments_of(const Rows& rows, Index begin, Index end) {
    long double weight = 0, v_sum = 0, sum = 0;
    for (Index i = begin; i < end; ++i) {
        weight += rows.w[i];
        v_sum += rows.v[i];
        sum += static_cast<long double>(rows.w[i]) * rows.x[i];
    }
    linalg::RowMoments m;
    m.weight = static_cast<double>(weight);
    m.v_sum = static_cast<double>(v_sum);
    m.mean = weight > 0 ? static_cast<double>(sum / weight) : rows.x[begin];
    long double centred = 0, squares = 0, products = 0;
    const double* first = nullptr;
    for (Index i = begin; i < end; ++i) {
        const long double d = static_cast<long double>(rows.x[i]) - m.mean;
        centred += rows.w[i] * d;
        squares += rows.w[i] * d * d;
        products += rows.v[i] * d;
        if (rows.w[i] == 0) continue;
        if (first == nullptr) first = &rows.x[i];
        m.is_constant = m.is_constant && rows.x[i] == *first;
    }
    m.centred_sum = static_cast<double>(centred);
    m.squares = static_cast<double>(squares);
    m.products = static_cast<double>(products);
    return m;
}

TEST(RowMoments, MergeToThoseOfOnePass) {
    for (const double mean : {0.0, 1.0, 1e6})
        for (const Index step : {1, 7, 100}) {
            SCOPED_TRACE(testing::Message() << mean << " " << step);
            const Index n = 500;
            Rows rows{random_vector(n, 3), random_vector(n, 4), random_vector(n, 5)};
            for (Index i = 0; i < n; ++i) {
                rows.x[i] += mean;
                rows.w[i] = i % 5 == 0 ? 0 : std::abs(rows.w[i]);
            }
            linalg::RowMoments merged;
            for (Index begin = 0; begin < n; begin += step)
                merged = merge(merged, moments_of(rows, begin, std::min(n, begin + step)));
            const linalg::RowMoments whole = moments_of(rows, 0, n);
            const linalg::RowMoments here = merged.about(whole.mean);
            EXPECT_NEAR(merged.weight, whole.weight, 1e-12 * whole.weight);
            EXPECT_NEAR(merged.mean + merged.centred_sum / merged.weight,
                        whole.mean + whole.centred_sum / whole.weight, 1e-15 * (1 + mean));
            EXPECT_NEAR(here.squares, whole.squares, 1e-12 * whole.squares);
            EXPECT_NEAR(here.products, whole.products, 1e-10 * (1 + 1e-6 * mean));
            EXPECT_FALSE(merged.is_constant);
        }
}

TEST(RowMoments, KnowConstantColumns) {
    Rows rows{std::vector<double>(20, 0.1), std::vector<double>(20, 0.7), random_vector(20, 6)};
    rows.w[19] = 0;
    rows.x[19] = 5;
    linalg::RowMoments merged;
    for (Index i = 0; i < 20; ++i) merged = merge(merged, moments_of(rows, i, i + 1));
    EXPECT_TRUE(merged.is_constant);
    EXPECT_EQ(merged.mean, 0.1);
    rows.x[10] = 0.2;
    merged = merge(moments_of(rows, 0, 10), moments_of(rows, 10, 20));
    EXPECT_FALSE(merged.is_constant);
}

}  // namespace
}  // namespace sven::test
