// Costs so large that no system holds both the samples and the identity.

#include <gtest/gtest.h>

#include "support/options.hpp"
#include "support/wide_machine.hpp"
#include "svm/sharp_gap.hpp"

namespace sven::svm {
namespace {

using test::by;
using test::TwoClass;

// Samples that contradict each other at a cost of 1e60, and a w near the optimum: the rounding of
// Za alone is worth 1e28 times the objective, and yet the gap is known to two digits.
TEST(SharpGap, IsThatOfTheObjective) {
    const TwoClass data = test::random_two_class(40, 5, 2);
    const auto rows = make_rows(row_major(data.X.data(), 40, 5), data.labels, {1, nullptr});
    const double cost = 1e60;
    const std::vector<double> costs(40, cost);
    const std::vector<double> offsets(40, 1.0);
    const std::vector<double> centre(5, 0.0);
    const SquaredHinge problem{rows.get(), costs, offsets, centre};
    const Classifier best = train(data.problem(cost));
    ASSERT_EQ(best.status, Status::optimal);
    Certificate certificate(problem, Products::whole);
    SharpGap sharp(problem, certificate);
    for (const double distance : {1e-3, 1e-5, 1e-7}) {
        std::vector<double> w = best.w;
        w[2] += distance;
        certificate.measure(w);
        ASSERT_TRUE(sharp.prepare(w));
        const std::optional<Gap> gap = sharp.close();
        ASSERT_TRUE(gap.has_value());
        const test::Real objective = test::wide_objective(data, cost, w);
        const test::Real truth = (objective - test::wide_objective(data, cost, best.w)) / objective;
        EXPECT_GE(gap->relative, truth * (1 - 1e-4L));
        EXPECT_LE(gap->relative, truth * 1.1L);
        EXPECT_EQ(certificate.close(w, sharp.alpha()).relative, 1) << "the plain gap would do";
    }
}

// On separable samples no double w has margins of 1e-60; one with all of them on their side is as
// good as any.
TEST(LargeCosts, SeparableSamples) {
    TwoClass data = test::random_two_class(30, 6, 3);
    for (Index i = 0; i < 30; ++i) data.X[i * 6 + 1] += 6 * data.labels[i];
    const Classifier hard = train(data.problem(1e9));
    for (const double cost : {1e13, 1e17, 1e30, 1e60, 1e140}) {
        for (const Method method : {Method::automatic, Method::primal, Method::dual}) {
            const Classifier result = train(data.problem(cost), by(method));
            EXPECT_EQ(result.status, Status::optimal) << cost;
            EXPECT_LE(test::largest_difference(result.w, hard.w), 1e-5 * test::largest(hard.w));
            const test::Real objective = test::wide_objective(data, cost, result.w);
            EXPECT_NEAR(result.objective, static_cast<double>(objective), 1e-9 * objective);
            // margins are near 1e-13, of which long double knows six digits
            EXPECT_GE(result.gap * objective, test::wide_gap(data, cost, result) * (1 - 1e-5L));
        }
    }
}

TEST(LargeCosts, SamplesThatContradictEachOther) {
    const TwoClass data = test::random_two_class(60, 6, 4);
    const Classifier least_squares = train(data.problem(1e9));
    for (const double cost : {1e13, 1e17, 1e30, 1e60, 1e140}) {
        for (const Method method : {Method::automatic, Method::primal, Method::dual}) {
            const Classifier result = train(data.problem(cost), by(method));
            EXPECT_EQ(result.status, Status::optimal) << cost;
            // A relative gap of 1e-10 allows for a difference of about its square root.
            EXPECT_LE(test::largest_difference(result.w, least_squares.w), 5e-5);
            const test::Real objective = test::wide_objective(data, cost, result.w);
            EXPECT_NEAR(result.objective / objective, 1, 1e-9);
        }
    }
}

TEST(LargeCosts, NothingToLearn) {
    const TwoClass empty{2, 0, {}, {1, -1}};
    const TwoClass zeros{2, 2, {0, 0, 0, 0}, {1, -1}};
    for (const double cost : {1e11, 1e17, 1e100}) {
        EXPECT_EQ(train(empty.problem(cost)).status, Status::optimal);
        const Classifier result = train(zeros.problem(cost));
        EXPECT_EQ(result.w, (std::vector<double>{0, 0}));
        EXPECT_EQ(result.status, Status::optimal);
        EXPECT_NEAR(result.objective, 2 * cost, 1e-14 * cost);
    }
}

TEST(LargeCosts, KeepTheIterationLimit) {
    const TwoClass data = test::random_two_class(60, 6, 4);
    for (const double cost : {1e13, 1e30}) {
        Options options = by(Method::automatic);
        options.max_iterations = 2;
        const Classifier result = train(data.problem(cost), options);
        EXPECT_LE(result.iterations, 2);
        EXPECT_EQ(result.status,
                  result.gap <= options.tolerance ? Status::optimal : Status::iteration_limit);
    }
}

}  // namespace
}  // namespace sven::svm
