// LIBLINEAR behind our interface, and our own solver against it. Where the build has none, the one
// thing to test is that it says so.

#include <gtest/gtest.h>

#include "support/two_class.hpp"
#include "sven/error.hpp"
#include "svm/liblinear.hpp"

namespace sven::svm {
namespace {

using test::TwoClass;

std::vector<double> labelled(const TwoClass& data) {
    std::vector<double> z = data.X;
    for (std::size_t k = 0; k < z.size(); ++k) z[k] *= data.labels[k / data.features];
    return z;
}

class LiblinearTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!has_liblinear()) GTEST_SKIP() << "this build has no LIBLINEAR";
    }
};

TEST(Liblinear, SaysWhereItIsAbsent) {
    const std::vector<double> z = {1, 2};
    const LinearProblem problem{z, 1, 2, 1, 1e-6};
    if (has_liblinear()) {
        EXPECT_EQ(train_liblinear(problem).w.size(), 2U);
        return;
    }
    EXPECT_THROW((void)train_liblinear(problem), InvalidArgument);
}

TEST_F(LiblinearTest, SolvesOneSampleByHand) {
    const std::vector<double> z = {2};
    const LinearFit fit = train_liblinear({z, 1, 1, 1, 1e-12});
    EXPECT_NEAR(fit.w[0], 4.0 / 9, 1e-9);
    EXPECT_NEAR(fit.alpha[0], 2.0 / 9, 1e-8);
}

TEST_F(LiblinearTest, IsSilentAndCounts) {
    const TwoClass data = test::random_two_class(60, 10, 1);
    const auto z = labelled(data);
    testing::internal::CaptureStdout();
    const LinearFit fit = train_liblinear({z, 60, 10, 1, 1e-10});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_GT(fit.iterations, 0);
    testing::internal::CaptureStdout();
    const LinearFit rough = train_liblinear({z, 60, 10, 1, 0.1});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_LT(rough.iterations, fit.iterations);
    const LinearFit wide = train_liblinear({z, 6, 100, 1, 1e-8});
    EXPECT_GT(wide.iterations, 0);
}

TEST_F(LiblinearTest, RefusesANonsensicalTolerance) {
    const std::vector<double> z = {1, 2};
    EXPECT_THROW((void)train_liblinear({z, 1, 2, 1, 0}), InvalidArgument);
}

TEST_F(LiblinearTest, EqualsOurs) {
    unsigned seed = 1;
    for (const auto& [samples, features] :
         {std::pair<Index, Index>{80, 10}, {10, 80}, {60, 60}, {500, 30}, {31, 200}}) {
        for (const double cost : {0.01, 1.0, 30.0}) {
            const TwoClass data = test::random_two_class(samples, features, seed++);
            const auto z = labelled(data);
            const LinearFit theirs = train_liblinear({z, samples, features, cost, 1e-11});
            Options options;
            options.tolerance = 1e-16;
            const Classifier ours = train(data.problem(cost), options);
            const double scale = test::largest(ours.w);
            EXPECT_LE(test::largest_difference(ours.w, theirs.w), 1e-6 * scale)
                << samples << " x " << features << ", cost " << cost;
            EXPECT_LE(test::largest_difference(ours.alpha, theirs.alpha),
                      1e-5 * test::largest(ours.alpha));
        }
    }
}

}  // namespace
}  // namespace sven::svm
