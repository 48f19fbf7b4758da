// No memory is asked for inside the Newton loop.

#include <gtest/gtest.h>

#include "linalg/execution.hpp"
#include "support/allocations.hpp"
#include "support/two_class.hpp"
#include "svm/dual_newton.hpp"
#include "svm/newton.hpp"
#include "svm/primal_newton.hpp"
#include "svm/samples.hpp"

namespace sven::svm {
namespace {

template <class System>
void expect_no_allocation(Index samples, Index features, int threads) {
    const test::TwoClass data = test::random_two_class(samples, features, 7);
    const auto rows =
        make_rows(row_major(data.X.data(), samples, features), data.labels, {threads, nullptr});
    const std::vector<double> costs(static_cast<std::size_t>(samples), 1.0);
    const std::vector<double> centre(static_cast<std::size_t>(features), 0.0);
    Samples<System> set({rows.get(), costs, costs, centre}, {}, true);
    // the first team of a process makes its threads
    linalg::parallel_for({threads, nullptr}, threads, threads, [](Index) {});
    NewtonReport report;
    const long count = test::allocations_during(
        [&] { report = newton(set, {.tolerance = 1e-20, .max_iterations = 100}); });
    EXPECT_EQ(count, 0) << samples << " x " << features;
    EXPECT_EQ(report.status, Status::optimal);
    EXPECT_GE(report.iterations, 3);
}

TEST(SvmAllocation, TheCounterCounts) {
    EXPECT_EQ(test::allocations_during([] { std::vector<double> memory(100); }), 1);
}

TEST(SvmAllocation, NoneInThePrimalLoop) {
    expect_no_allocation<PrimalNewton>(300, 20, 2);
    expect_no_allocation<PrimalNewton>(1000, 300, 2);
}

TEST(SvmAllocation, NoneInTheDualLoop) {
    expect_no_allocation<DualNewton>(60, 30, 1);
    expect_no_allocation<DualNewton>(300, 200, 2);
    expect_no_allocation<DualNewton>(2000, 100, 2);
}

}  // namespace
}  // namespace sven::svm
