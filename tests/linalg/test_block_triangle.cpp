#include "linalg/block_triangle.hpp"
#include "linalg/naive.hpp"

namespace sven::test {
namespace {

// An upper triangle whose inverse is tame, with padding below that must not be read.
std::vector<float> triangle(Index m, Index stride) {
    const std::vector<double> entries = random_vector(m * m, 91);
    std::vector<float> U(static_cast<std::size_t>(stride * m), std::nanf(""));
    for (Index j = 0; j < m; ++j) {
        for (Index i = 0; i < j; ++i)
            U[j * stride + i] =
                static_cast<float>(entries[j * m + i] / std::sqrt(static_cast<double>(4 * m)));
        U[j * stride + j] = static_cast<float>(1.5 + 0.1 * entries[j * m + j]);
    }
    return U;
}

std::vector<float> in_single(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

// Substitution in long double, from the end or, transposed, from the beginning.
std::vector<Real> solve_naively(Index m, const std::vector<float>& U, Index stride,
                                const std::vector<float>& b, bool transposed) {
    std::vector<Real> x(b.begin(), b.end());
    for (Index step = 0; step < m; ++step) {
        const Index k = transposed ? step : m - 1 - step;
        x[k] /= U[k * stride + k];
        for (Index i = transposed ? k + 1 : 0; i < (transposed ? m : k); ++i)
            x[i] -= x[k] * (transposed ? U[i * stride + k] : U[k * stride + i]);
    }
    return x;
}

void expect_near(const std::vector<float>& found, const std::vector<Real>& expected) {
    Real largest = 0;
    for (const Real value : expected) largest = std::max(largest, std::abs(value));
    Worst worst;
    for (std::size_t i = 0; i < expected.size(); ++i)
        worst.note(found[i], expected[i], largest, static_cast<Index>(i));
    expect_small(worst, 2e-5);
}

// Grown in pieces that are no multiples of a block; 1100 is solved by a team.
TEST(BlockTriangle, SolvesWithTheSameBitsOnAnyTeam) {
    for (const std::vector<Index>& ends :
         {std::vector<Index>{1}, {127, 130}, {256}, {300, 301, 640}, {1000, 1100}}) {
        const Index m = ends.back();
        SCOPED_TRACE(m);
        const Index stride = m + 5;
        const std::vector<float> U = triangle(m, stride);
        linalg::BlockTriangle blocks;
        Index begin = 0;
        for (const Index end : ends) {
            ASSERT_TRUE(blocks.add({U.data(), stride}, begin, end));
            begin = end;
        }
        const std::vector<float> b = in_single(random_vector(m, 92));
        std::vector<float> first, first_transposed;
        for (const int threads : {1, 2, 3, 4}) {
            linalg::Execution execution;
            execution.threads = threads;
            std::vector<float> x(b.size()), y = b;
            blocks.solve({U.data(), stride}, y.data(), x.data(), execution);
            std::vector<float> z(b.size()), w = b;
            blocks.solve_transposed({U.data(), stride}, w.data(), z.data(), execution);
            if (threads == 1) {
                expect_near(x, solve_naively(m, U, stride, b, false));
                expect_near(z, solve_naively(m, U, stride, b, true));
                first = x;
                first_transposed = z;
            }
            EXPECT_EQ(x, first) << threads;
            EXPECT_EQ(z, first_transposed) << threads;
        }
    }
}

// Several right-hand sides, with the whole and with the first block alone, and with zeros above.
TEST(BlockTriangle, DividesManyColumns) {
    const Index m = 500;
    const Index count = 21;
    const Index stride = m + 3;
    const std::vector<float> U = triangle(m, m);
    linalg::BlockTriangle blocks;
    for (const auto& [begin, end] : {std::pair<Index, Index>{0, 290}, {290, m}})
        ASSERT_TRUE(blocks.add({U.data(), m}, begin, end));
    for (const Index rows : {Index{290}, m})
        for (const Index zeros : {0, 140, 200}) {
            SCOPED_TRACE(testing::Message() << rows << " rows, zeros " << zeros);
            std::vector<float> B = in_single(random_vector(stride * count, 93));
            for (Index c = 0; c < count; ++c) std::fill_n(B.begin() + c * stride, zeros, 0.0F);
            const std::vector<float> before = B;
            linalg::Execution execution;
            execution.threads = 2;
            blocks.divide_transposed({U.data(), m}, {B.data(), stride, rows, count, zeros},
                                     execution);
            for (Index c = 0; c < count; c += 4) {
                const auto column = before.begin() + c * stride;
                const std::vector<float> b(column, column + rows);
                const auto found = B.begin() + c * stride;
                expect_near({found, found + rows}, solve_naively(rows, U, m, b, true));
            }
            for (Index c = 0; c < count; ++c)  // what lies below is not touched
                for (Index i = rows; i < stride; ++i)
                    ASSERT_EQ(B[c * stride + i], before[c * stride + i]);
        }
}

TEST(BlockTriangle, SaysWhatIsSingular) {
    std::vector<float> U = triangle(140, 140);
    U[135 * 140 + 135] = 0;
    linalg::BlockTriangle blocks;
    EXPECT_TRUE(blocks.add({U.data(), 140}, 0, 128));
    EXPECT_FALSE(blocks.add({U.data(), 140}, 128, 140));
    blocks.clear();
    EXPECT_TRUE(blocks.add({U.data(), 140}, 0, 130));
}

}  // namespace
}  // namespace sven::test
