// The panel Cholesky and the kernel cache against plain loops.

#include <gtest/gtest.h>

#include <numeric>

#include "support/two_class.hpp"
#include "svm/cholesky.hpp"
#include "svm/kernel_cache.hpp"

namespace sven::svm {
namespace {

using test::TwoClass;

// XX' + I, order x order with the given stride
std::vector<double> positive_definite(const TwoClass& data, Index stride) {
    std::vector<double> A(static_cast<std::size_t>(stride * data.samples), 0.0);
    for (Index i = 0; i < data.samples; ++i) {
        for (Index j = 0; j < data.samples; ++j) {
            A[i + j * stride] = test::dot(data.row(i), data.row(j), data.features) + (i == j);
        }
    }
    return A;
}

std::vector<double> solve_by_factor(const std::vector<double>& factor, Index order, Index stride) {
    std::vector<double> x(static_cast<std::size_t>(order), 1.0);
    auto copy = factor;
    solve_factored({copy.data(), order, stride}, x.data());
    return x;
}

double residual(const std::vector<double>& A, Index stride, const std::vector<double>& x) {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        double sum = -1;
        for (std::size_t j = 0; j < x.size(); ++j) sum += A[i + j * stride] * x[j];
        most = std::max(most, std::abs(sum));
    }
    return most;
}

TEST(Cholesky, SolvesSystemsOfManyPanels) {
    for (const Index order : {Index{1}, Index{5}, Index{128}, Index{129}, Index{400}}) {
        const Index stride = order + 3;
        const auto A = positive_definite(test::random_two_class(order, 20, 1), stride);
        auto factor = A;
        ASSERT_TRUE(factorise({factor.data(), order, stride}, 0, {2, nullptr}));
        EXPECT_LE(residual(A, stride, solve_by_factor(factor, order, stride)), 1e-10);
    }
}

TEST(Cholesky, KeepsTheLeadingColumns) {
    const Index order = 300;
    const auto A = positive_definite(test::random_two_class(order, 20, 2), order);
    for (const Index kept : {Index{1}, Index{127}, Index{200}, Index{300}}) {
        auto factor = A;
        ASSERT_TRUE(factorise({factor.data(), kept, order}, 0, {2, nullptr}));
        ASSERT_TRUE(factorise({factor.data(), order, order}, kept, {2, nullptr}));
        EXPECT_LE(residual(A, order, solve_by_factor(factor, order, order)), 1e-10) << kept;
    }
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
    const Index order = 200;
    auto A = positive_definite(test::random_two_class(order, 20, 3), order);
    A[150 + 150 * order] = -1;
    EXPECT_FALSE(factorise({A.data(), order, order}, 0, {1, nullptr}));
}

TEST(Cholesky, StopsWhenCancelled) {
    const Index order = 200;
    auto A = positive_definite(test::random_two_class(order, 20, 3), order);
    const std::atomic<bool> cancel{true};
    EXPECT_THROW((void)factorise({A.data(), order, order}, 0, {1, &cancel}), linalg::Cancelled);
}

void expect_kernel(const KernelCache& cache, const TwoClass& data,
                   const std::vector<Index>& selection) {
    EXPECT_EQ(cache.missing(selection), 0);
    for (Index i : selection) {
        for (Index j : selection) {
            const double expected = data.labels[i] * data.labels[j] *
                                    test::dot(data.row(i), data.row(j), data.features);
            ASSERT_NEAR(cache.row(i)[cache.slot(j)], expected, 1e-10) << i << ", " << j;
        }
    }
}

TEST(KernelCache, GrowsAndDropsWhatLeft) {
    const TwoClass data = test::random_two_class(400, 30, 6);
    const auto rows = make_rows(row_major(data.X.data(), 400, 30), data.labels, {2, nullptr});
    KernelCache cache(*rows, 200);
    std::vector<Index> selection(90);
    std::iota(selection.begin(), selection.end(), Index{100});
    cache.ensure(selection);
    expect_kernel(cache, data, selection);
    for (Index i = 3; i < 60; ++i) selection.push_back(i);
    cache.ensure(selection);
    expect_kernel(cache, data, selection);
    EXPECT_EQ(cache.cached(), 147);

    std::vector<Index> later = {5, 101, 120, 189};  // 200 do not hold these beside the others
    for (Index i = 300; i < 390; ++i) later.push_back(i);
    EXPECT_EQ(cache.missing(later), 90);
    cache.ensure(later);
    expect_kernel(cache, data, later);
    EXPECT_EQ(cache.cached(), 94);
}

}  // namespace
}  // namespace sven::svm
