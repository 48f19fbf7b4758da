// The Newton driver: it ends where plain Newton steps go round in a circle, and stops as told.

#include <gtest/gtest.h>

#include "support/enumerate_supports.hpp"
#include "support/two_class.hpp"
#include "svm/dual_newton.hpp"
#include "svm/newton.hpp"
#include "svm/primal_newton.hpp"
#include "svm/samples.hpp"

namespace sven::svm {
namespace {

// From w = 0 the supports of whole Newton steps are 1111, 1101, 0100, 0111, 1101, ...
test::SmallHinge circle() {
    return {4, 2, {6, -5, 3, -1, 4, 4, 0, 4}, {5, 5, 5, 5}, {1, 1, 1, 1}, {0, 0}};
}

struct Setup {
    test::SmallHinge data;
    std::unique_ptr<Rows> rows;
    SquaredHinge problem;

    explicit Setup(test::SmallHinge small, const std::atomic<bool>* cancel = nullptr)
        : data(std::move(small)),
          rows(make_rows(row_major(data.z.data(), data.samples, data.features), {}, {1, cancel})),
          problem{rows.get(), data.costs, data.offsets, data.centre} {}
};

template <class System>
class NewtonTest : public testing::Test {};
using Systems = testing::Types<PrimalNewton, DualNewton>;
TYPED_TEST_SUITE(NewtonTest, Systems);

TYPED_TEST(NewtonTest, WholeStepsAloneGoRoundInACircle) {
    const Setup setup(circle());
    Samples<TypeParam> samples(setup.problem, {}, false);
    for (int step = 0; step < 50; ++step) {
        samples.solve();
        ASSERT_GT(samples.full_step(), 0) << "this problem no longer tests the line search";
    }
}

TYPED_TEST(NewtonTest, EndsWherePlainStepsDoNot) {
    const Setup setup(circle());
    Samples<TypeParam> samples(setup.problem, {}, false);
    const NewtonReport report = newton(samples, {.tolerance = 0, .max_iterations = 50});
    EXPECT_LE(report.iterations, 10);
    EXPECT_LE(report.gap, 1e-26);
    const auto expected = enumerate_supports(setup.data);
    ASSERT_TRUE(expected.has_value());
    EXPECT_LE(test::largest_difference(samples.iterate().w(), *expected), 1e-14);
}

// A set that cannot tell its gap: the driver stops when the support repeats.
template <class System>
struct Uncertified {
    Samples<System> samples;
    void solve() { samples.solve(); }
    Index full_step() { return samples.full_step(); }
    Index descend() { return samples.descend(); }
};

TYPED_TEST(NewtonTest, StopsAtARepeatedSupport) {
    static_assert(SampleSet<Uncertified<TypeParam>>);
    static_assert(!CertifiedSampleSet<Uncertified<TypeParam>>);
    const Setup setup(circle());
    Uncertified<TypeParam> set{Samples<TypeParam>(setup.problem, {}, false)};
    const NewtonReport report = newton(set, {.tolerance = 0, .max_iterations = 50});
    EXPECT_EQ(report.status, Status::optimal);
    EXPECT_LE(test::largest_difference(set.samples.iterate().w(), *enumerate_supports(setup.data)),
              1e-14);
}

TYPED_TEST(NewtonTest, ReportsTheIterationLimitAndTheGapItReached) {
    const Setup setup(circle());
    Samples<TypeParam> samples(setup.problem, {}, true);
    const NewtonReport report = newton(samples, {.tolerance = 1e-10, .max_iterations = 2});
    EXPECT_EQ(report.status, Status::iteration_limit);
    EXPECT_EQ(report.iterations, 2);
    EXPECT_GT(report.gap, 1e-10);
    Uncertified<TypeParam> set{Samples<TypeParam>(setup.problem, {}, false)};
    EXPECT_EQ(newton(set, {.tolerance = 1e-10, .max_iterations = 2}).status,
              Status::iteration_limit);
}

TYPED_TEST(NewtonTest, StopsWhenCancelled) {
    const std::atomic<bool> cancel{true};
    const Setup setup(circle());
    Samples<TypeParam> samples(setup.problem, {}, true);
    EXPECT_THROW(newton(samples, {.execution = {1, &cancel}}), linalg::Cancelled);
}

// Every descent lowers the objective, however bad the Newton point.
TYPED_TEST(NewtonTest, DescendsFromAnywhere) {
    const Setup setup(circle());
    for (const double start : {-5.0, -0.3, 0.2, 40.0}) {
        const std::vector<double> w = {start, 1 - start};
        Samples<TypeParam> samples(setup.problem, w, false);
        samples.gap();
        double last = samples.iterate().objective();
        for (int step = 0; step < 20; ++step) {
            samples.solve();
            const Index changes = samples.descend();
            samples.gap();
            EXPECT_LE(samples.iterate().objective(), last * (1 + 1e-14));
            last = samples.iterate().objective();
            if (changes == 0) break;
        }
        EXPECT_LE(test::largest_difference(samples.iterate().w(), *enumerate_supports(setup.data)),
                  1e-12);
    }
}

}  // namespace
}  // namespace sven::svm
