#include "linalg/dense.hpp"
#include "linalg/naive.hpp"
#include "linalg/qr.hpp"

namespace sven::test {
namespace {

class Qr : public testing::TestWithParam<Shape> {};

// R'R = A'A, whatever the blocks.
TEST_P(Qr, TriangleHasTheProductsOfTheColumns) {
    const auto [rows, cols] = GetParam();
    const std::vector<double> A = random_vector(rows * cols, 91);
    for (const int threads : {1, 3}) {
        SCOPED_TRACE(threads);
        std::vector<double> R = A;
        std::vector<double> tau(static_cast<std::size_t>(cols));
        linalg::qr(rows, cols, R.data(), tau.data(), {threads, nullptr});
        Worst worst;
        for (Index j = 0; j < cols; j += 7)
            for (Index i = 0; i <= j; i += 5) {
                const Index common = std::min({i + 1, rows});
                const double* a = A.data() + i * rows;
                const double* b = A.data() + j * rows;
                worst.note(linalg::dot(common, R.data() + i * rows, R.data() + j * rows),
                           linalg::dot(rows, a, b),
                           std::sqrt(linalg::dot(rows, a, a) * linalg::dot(rows, b, b)),
                           j * cols + i);
            }
        expect_small(worst, 1e-13);
    }
}

// From one column to several panels, with more columns than rows too.
INSTANTIATE_TEST_SUITE_P(Shapes, Qr,
                         testing::Values(Shape{1, 1}, Shape{5, 3}, Shape{40, 32}, Shape{900, 700},
                                         Shape{2000, 620}, Shape{600, 1000}),
                         shape_name);

TEST(QrCancel, StopsBetweenPanels) {
    const Index rows = 900;
    const Index cols = 800;
    std::vector<double> A = random_vector(rows * cols, 92);
    std::vector<double> tau(static_cast<std::size_t>(cols));
    std::atomic<bool> cancel{true};
    EXPECT_THROW(linalg::qr(rows, cols, A.data(), tau.data(), {2, &cancel}), linalg::Cancelled);
}

}  // namespace
}  // namespace sven::test
