// The inner loops for each instruction set that this processor has, against plain loops and so
// against each other.

#include <array>
#include <limits>

#include "linalg/dense_design.hpp"
#include "linalg/instruction_sets.hpp"

namespace sven::test {
namespace {

using linalg::Kernels;
using linalg::Loops;

class InnerLoops : public EveryInstructionSet {
  protected:
    template <class T>
    void check_correlate(Index n, Index count, bool is_shifted);
    template <class T>
    void check_dot(Index n, Index count, bool is_shifted);
    template <class T>
    void check_column_sums(Index n, bool is_weighted);
    template <class T>
    void check_moments(Index n, Index count);
};

// Entries of x (n x count, column-major) and everything that multiplies them.
template <class T>
struct KernelCase {
    KernelCase(Index rows, Index columns, bool shifted) : n(rows), count(columns) {
        Random random(41);
        for (Index k = 0; k < n * count; ++k) x.push_back(static_cast<T>(spread * random.normal()));
        for (Index i = 0; i < n; ++i)
            for (Index c = 0; c < count; ++c) by_rows.push_back(x[c * n + i]);
        Q = random_vector(n * stride, 42);
        shift = random_vector(count, 43);
        is_shifted = shifted;
        for (Index c = 0; c < count; ++c) columns_of.push_back(x.data() + c * n);
    }
    const double* shifts() const { return is_shifted ? shift.data() : nullptr; }
    Real entry(Index i, Index c) const {
        return static_cast<Real>(x[c * n + i]) - (is_shifted ? shift[c] : 0);
    }

    static constexpr double spread = std::is_integral_v<T> ? 20 : 1;
    static constexpr Index stride = 16;  // two groups of lanes, of which one is asked for
    Index n;
    Index count;
    bool is_shifted = false;
    std::vector<T> x, by_rows;
    std::vector<const T*> columns_of;
    std::vector<double> Q, shift;
};

template <class T>
void InnerLoops::check_correlate(Index n, Index count, bool is_shifted) {
    const KernelCase<T> c(n, count, is_shifted);
    constexpr Index stride = KernelCase<T>::stride;
    const std::vector<double> before = random_vector(count * stride, 44);  // they add
    std::vector<double> columns = before;
    std::vector<double> rows = before;
    (kernels().*Loops<T>::correlate)(c.columns_of.data(), count, 0, c.shifts(), n, c.Q.data(),
                                     stride, columns.data());
    (kernels().*Loops<T>::correlate_rows)(c.by_rows.data(), count, count, c.shifts(), n, c.Q.data(),
                                          stride, rows.data());
    // columns beyond those are fetched, and neither added nor written
    const Index some = count / 2;
    std::vector<double> expected = before;
    std::copy_n(columns.begin(), some * stride, expected.begin());
    std::vector<double> of_some = before;
    (kernels().*Loops<T>::correlate)(c.columns_of.data(), some, count, c.shifts(), n, c.Q.data(),
                                     stride, of_some.data());
    EXPECT_EQ(of_some, expected);
    Worst worst;
    for (Index j = 0; j < count; ++j)
        for (Index k = 0; k < stride; ++k) {
            const Index at = j * stride + k;
            Real sum = before[at];
            Real magnitude = std::abs(sum);
            for (Index i = 0; k < 8 && i < n; ++i) {
                const Real term = c.entry(i, j) * c.Q[i * stride + k];
                sum += term;
                magnitude += std::abs(term);
            }
            worst.note(columns[at], sum, magnitude, at);
            worst.note(rows[at], sum, magnitude, at);
        }
    expect_small(worst, tolerance);
}

template <class T>
void InnerLoops::check_dot(Index n, Index count, bool is_shifted) {
    const KernelCase<T> c(n, count, is_shifted);
    std::vector<double> out(static_cast<std::size_t>(count), 7.0);
    (kernels().*Loops<T>::dot)(c.columns_of.data(), count, c.shifts(), n, c.Q.data(), out.data());
    Worst worst;
    for (Index j = 0; j < count; ++j) {
        Real sum = 0;
        Real magnitude = 0;
        for (Index i = 0; i < n; ++i) {
            sum += c.entry(i, j) * c.Q[i];
            magnitude += std::abs(c.entry(i, j) * c.Q[i]);
        }
        worst.note(out[j], sum, magnitude, j);
    }
    expect_small(worst, tolerance);
}

template <class T>
void InnerLoops::check_column_sums(Index n, bool is_weighted) {
    const KernelCase<T> c(n, 1, false);
    const std::vector<double> weights = is_weighted ? random_weights(n, 45) : std::vector<double>{};
    const double* w = is_weighted ? weights.data() : nullptr;
    const double centre = 0.375;
    const double sum = (kernels().*Loops<T>::sum)(c.x.data(), w, n);
    std::array<double, 3> centred{};
    (kernels().*Loops<T>::centred_sums)(c.x.data(), w, c.Q.data(), centre, n, centred.data());
    std::array<Real, 4> expected{};
    std::array<Real, 4> magnitude{};
    for (Index i = 0; i < n; ++i) {
        const Real weight = is_weighted ? weights[i] : 1;
        const Real x = c.x[i];
        const Real d = x - centre;
        const std::array<Real, 4> terms{weight * x, weight * d, weight * d * d, c.Q[i] * d};
        for (std::size_t k = 0; k < 4; ++k) {
            expected[k] += terms[k];
            magnitude[k] += std::abs(terms[k]);
        }
    }
    Worst worst;
    worst.note(sum, expected[0], magnitude[0], 0);
    for (std::size_t k = 0; k < 3; ++k)
        worst.note(centred[k], expected[k + 1], magnitude[k + 1], static_cast<Index>(k) + 1);
    expect_small(worst, tolerance);
}

// Row by row, beside the sums of each column; a row of weight zero has no part in the bounds.
template <class T>
void InnerLoops::check_moments(Index n, Index count) {
    const KernelCase<T> c(n, count, true);
    std::vector<double> weights = random_weights(n, 45);
    weights[0] = 0;
    const auto size = static_cast<std::size_t>(count);
    std::vector<double> first(size), second(size), mixed(size);
    std::vector<double> low(size, 1e300), high(size, -1e300);
    const linalg::ColumnSums sums{c.shifts(),   first.data(), second.data(),
                                  mixed.data(), low.data(),   high.data()};
    for (Index i = 0; i < n; ++i)
        (kernels().*Loops<T>::add_moments)(c.by_rows.data() + i * count, count, weights[i], c.Q[i],
                                           sums);
    Worst worst;
    for (Index j = 0; j < count; ++j) {
        std::array<Real, 3> expected{};
        std::array<Real, 3> magnitude{};
        double least = 1e300;
        double largest = -1e300;
        for (Index i = 0; i < n; ++i) {
            const Real d = c.entry(i, j);
            const std::array<Real, 3> terms{weights[i] * d, weights[i] * d * d, c.Q[i] * d};
            for (std::size_t k = 0; k < 3; ++k) {
                expected[k] += terms[k];
                magnitude[k] += std::abs(terms[k]);
            }
            if (weights[i] == 0) continue;
            least = std::min<double>(least, c.x[j * n + i]);
            largest = std::max<double>(largest, c.x[j * n + i]);
        }
        worst.note(first[j], expected[0], magnitude[0], j);
        worst.note(second[j], expected[1], magnitude[1], j);
        worst.note(mixed[j], expected[2], magnitude[2], j);
        EXPECT_EQ(low[j], least);
        EXPECT_EQ(high[j], largest);
    }
    expect_small(worst, tolerance);
}

TEST_P(InnerLoops, MomentsEqualPlainLoops) {
    for (const Index n : lengths)
        for (const Index count : {1, 3, 8, 11, 40}) {
            if (n == 0) continue;
            SCOPED_TRACE(testing::Message() << n << " x " << count);
            check_moments<double>(n, count);
            check_moments<float>(n, count);
            check_moments<std::int8_t>(n, count);
        }
}

TEST_P(InnerLoops, CorrelateEqualsPlainLoops) {
    for (const Index n : lengths)
        for (const Index count : {1, 2, 5, 6, 11, 12, 13, 25, 300})
            for (const bool is_shifted : {false, true}) {
                SCOPED_TRACE(testing::Message() << n << " x " << count);
                check_correlate<double>(n, count, is_shifted);
                check_correlate<float>(n, count, is_shifted);
                check_correlate<std::int8_t>(n, count, is_shifted);
            }
}

TEST_P(InnerLoops, DotEqualsPlainLoops) {
    for (const Index n : lengths)
        for (const Index count : {1, 3, 4, 5, 16})
            for (const bool is_shifted : {false, true}) {
                SCOPED_TRACE(testing::Message() << n << " x " << count);
                check_dot<double>(n, count, is_shifted);
                check_dot<float>(n, count, is_shifted);
                check_dot<std::int8_t>(n, count, is_shifted);
            }
}

TEST_P(InnerLoops, ColumnSumsEqualPlainLoops) {
    for (const Index n : lengths)
        for (const bool is_weighted : {false, true}) {
            if (n == 0) continue;
            SCOPED_TRACE(n);
            check_column_sums<double>(n, is_weighted);
            check_column_sums<float>(n, is_weighted);
            check_column_sums<std::int8_t>(n, is_weighted);
        }
}

template <class T, class I, class Loop>
void check_sparse_column(const Loop& loop) {
    constexpr Index n = 50;
    for (const Index stride : {8, 24})
        for (const Index count : {0, 1, 2, 3, 4, 7, 29}) {
            SCOPED_TRACE(testing::Message() << count << " entries, stride " << stride);
            const std::vector<double> Q = random_vector(n * stride, 60);
            const std::vector<double> numbers = random_vector(count, 61);
            const std::vector<T> values(numbers.begin(), numbers.end());
            std::vector<I> rows;
            for (Index e = 0; e < count; ++e) rows.push_back(static_cast<I>(e * 7 % n));
            std::vector<double> out(static_cast<std::size_t>(stride), 3.0);
            loop(values.data(), rows.data(), count, Q.data(), stride, out.data());
            Worst worst;
            for (Index k = 0; k < stride; ++k) {
                Real sum = 0;
                Real magnitude = 0;
                for (Index e = 0; e < count; ++e) {
                    const Real term =
                        static_cast<Real>(values[e]) * Q[static_cast<Index>(rows[e]) * stride + k];
                    sum += term;
                    magnitude += std::abs(term);
                }
                worst.note(out[k], sum, magnitude, k);
            }
            expect_small(worst, tolerance);
        }
}

TEST_P(InnerLoops, ProductsOfASparseColumnEqualPlainLoops) {
    check_sparse_column<double, std::int32_t>(kernels().correlate_sparse_f64_i32);
    check_sparse_column<double, std::int64_t>(kernels().correlate_sparse_f64_i64);
    check_sparse_column<float, std::int32_t>(kernels().correlate_sparse_f32_i32);
    check_sparse_column<float, std::int64_t>(kernels().correlate_sparse_f32_i64);
}

// One value in ten is above its limit, and one column in five has no reach.
TEST_P(InnerLoops, ChecksOfLanesEqualPlainLoops) {
    const std::vector<double> sums = random_vector(8, 62);
    std::vector<double> limit(8, 2.0);
    limit[6] = limit[7] = infinity;
    for (const Index count : {0, 1, 7, 8, 9, 96})
        for (const Index stride : {8, 13}) {
            SCOPED_TRACE(testing::Message() << count << " columns, stride " << stride);
            const std::vector<double> tile = random_vector(count * stride + 8, 63);
            const std::vector<double> offset = random_vector(count, 64);
            const std::vector<double> scale = random_vector(count, 65);
            std::vector<double> reach(static_cast<std::size_t>(count), 1.0);
            for (Index c = 0; c < count; c += 5) reach[c] = 0;
            std::vector<double> values(static_cast<std::size_t>(8 * count), 7.0);
            std::vector<double> peak(8, 0.1);
            std::vector<Index> above(static_cast<std::size_t>(count));
            const Index found = kernels().check_lanes(
                {tile.data(), stride, offset.data(), scale.data(), reach.data(), sums.data(),
                 limit.data(), values.data(), peak.data(), above.data()},
                count);
            above.resize(static_cast<std::size_t>(found));
            std::vector<Index> expected;
            std::vector<double> largest(8, 0.1);
            Worst worst;
            for (Index c = 0; c < count; ++c) {
                bool is_above = false;
                for (Index k = 0; k < 8; ++k) {
                    const Real raw = tile[c * stride + k];
                    const Real origin = static_cast<Real>(offset[c]) * sums[k];
                    worst.note(values[8 * c + k], (raw - origin) * scale[c],
                               (std::abs(raw) + std::abs(origin)) * std::abs(scale[c]), c);
                    const double size = std::abs(values[8 * c + k]) * reach[c];
                    largest[k] = std::max(largest[k], size);
                    is_above |= size > limit[k];
                }
                if (is_above) expected.push_back(c);
            }
            expect_small(worst, tolerance);
            EXPECT_EQ(above, expected);
            EXPECT_EQ(peak, largest);
            EXPECT_GT(found, count / 16 - 1);
        }
}

TEST_P(InnerLoops, CountsBelowEqualPlainLoops) {
    const std::vector<double> slope(8, 0.25);
    const std::vector<double> limit{0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, -1.0};
    for (const Index n : {0, 1, 5, 200}) {
        const std::vector<double> values = random_vector(8 * n, 66);
        std::vector<double> norms = random_vector(n, 67);
        for (double& norm : norms) norm = std::abs(norm);
        std::vector<Index> counts(8, 3);
        kernels().count_below(values.data(), norms.data(), n, slope.data(), limit.data(),
                              counts.data());
        std::vector<Index> expected(8, 3);
        for (Index i = 0; i < n; ++i)
            for (Index k = 0; k < 8; ++k)
                expected[k] += std::abs(values[8 * i + k]) + slope[k] * norms[i] < limit[k];
        EXPECT_EQ(counts, expected);
    }
}

TEST_P(InnerLoops, SymmetricProductEqualsPlainLoops) {
    for (const Index n : {1, 3, 4, 7, 8, 13, 40, 67}) {
        const Index stride = n + 3;
        const std::vector<double> G = random_vector(stride * n, 49);
        const std::vector<double> x = random_vector(n, 50);
        const std::vector<double> before = random_vector(n, 51);
        for (const Index begin : {Index{0}, n / 3})
            for (const Index end : {n, (n + 1) / 2}) {
                if (end < begin) continue;
                SCOPED_TRACE(testing::Message() << n << ": " << begin << " to " << end);
                std::vector<double> y = before;
                kernels().symmetric(G.data(), stride, begin, end, n, x.data(), y.data());
                std::vector<Real> sum(before.begin(), before.end());
                for (Index j = begin; j < end; ++j)
                    for (Index i = j; i < n; ++i) {
                        sum[i] += static_cast<Real>(G[j * stride + i]) * x[j];
                        if (i > j) sum[j] += static_cast<Real>(G[j * stride + i]) * x[i];
                    }
                Worst worst;
                for (Index i = 0; i < n; ++i) worst.note(y[i], sum[i], 10, i);
                expect_small(worst, tolerance);
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, InnerLoops, instruction_sets(), set_name);

TEST(KernelChoice, IsOneThatTheProcessorHas) {
    EXPECT_TRUE(is_supported(linalg::kernels().name)) << linalg::kernels().name;
}

}  // namespace
}  // namespace sven::test
