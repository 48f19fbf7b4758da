// The squared hinge with a centre, offsets and costs, against brute force over all supports.

#include <gtest/gtest.h>

#include "support/enumerate_supports.hpp"
#include "support/two_class.hpp"
#include "svm/conjugate_gradient.hpp"
#include "svm/dual_newton.hpp"
#include "svm/primal_newton.hpp"
#include "svm/solve.hpp"

namespace sven::svm {
namespace {

test::SmallHinge random_hinge(Index samples, Index features, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    test::SmallHinge data{samples, features, {}, {}, {}, {}};
    for (Index k = 0; k < samples * features; ++k) data.z.push_back(normal(generator));
    for (Index i = 0; i < samples; ++i) {
        data.costs.push_back(std::exp(2 * normal(generator)));
        data.offsets.push_back(normal(generator));
    }
    for (Index j = 0; j < features; ++j) data.centre.push_back(normal(generator));
    return data;
}

std::unique_ptr<Rows> rows_of(const test::SmallHinge& data) {
    return make_rows(row_major(data.z.data(), data.samples, data.features), {}, {1, nullptr});
}

double objective(const test::SmallHinge& data, const std::vector<double>& w) {
    double value = 0;
    for (Index j = 0; j < data.features; ++j) {
        value += 0.5 * (w[j] - data.centre[j]) * (w[j] - data.centre[j]);
    }
    for (Index i = 0; i < data.samples; ++i) {
        const double margin = std::max(0.0, data.margin(i, w));
        value += data.costs[i] * margin * margin;
    }
    return value;
}

TEST(GeneralForm, EqualsBruteForce) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        const test::SmallHinge data = random_hinge(1 + seed % 9, 1 + seed / 3 % 7, seed);
        const auto expected = enumerate_supports(data);
        ASSERT_TRUE(expected.has_value());
        const auto rows = rows_of(data);
        const SquaredHinge problem{rows.get(), data.costs, data.offsets, data.centre};
        for (const Method method : {Method::primal, Method::dual}) {
            const Classifier result = solve(problem, {method, 1e-20, 100, true});
            EXPECT_EQ(result.status, Status::optimal) << "seed " << seed;
            EXPECT_LE(test::largest_difference(result.w, *expected), 1e-10) << "seed " << seed;
            EXPECT_NEAR(result.objective, objective(data, *expected), 1e-10);
            for (Index i = 0; i < data.samples; ++i) {
                const double margin = std::max(0.0, data.margin(i, *expected));
                EXPECT_NEAR(result.alpha[i], 2 * data.costs[i] * margin, 1e-8);
            }
        }
    }
}

// One Newton point, three ways to it.
TEST(GeneralForm, EverySystemGivesTheSameNewtonPoint) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const test::SmallHinge data = random_hinge(20, 1 + 4 * seed, seed);
        const auto rows = rows_of(data);
        const SquaredHinge problem{rows.get(), data.costs, data.offsets, data.centre};
        Iterate iterate(problem, {}, false);
        iterate.gap();
        PrimalNewton primal(problem);
        DualNewton dual(problem);
        ConjugateGradient iterative(problem);
        ASSERT_TRUE(primal.solve(iterate));
        const std::vector<double> expected(iterate.newton_point().begin(),
                                           iterate.newton_point().end());
        ASSERT_TRUE(dual.solve(iterate));
        EXPECT_LE(test::largest_difference(iterate.newton_point(), expected), 1e-10) << "dual";
        ASSERT_TRUE(iterative.solve(iterate, {true, 1000}).has_converged);
        EXPECT_LE(test::largest_difference(iterate.newton_point(), expected), 1e-8) << "iterative";
        EXPECT_FALSE(iterative.solve(iterate, {true, 0}).has_converged);
    }
}

TEST(GeneralForm, StaysAtTheCentreWhereNoSampleObjects) {
    const test::SmallHinge data{2, 2, {1, 0, 0, 1}, {1, 1}, {-1, -1}, {0.5, 0.25}};
    const auto rows = rows_of(data);
    for (const Method method : {Method::primal, Method::dual}) {
        const Classifier result =
            solve({rows.get(), data.costs, data.offsets, data.centre}, {method, 0, 10, true});
        EXPECT_EQ(result.w, data.centre);
        EXPECT_EQ(result.gap, 0);
        EXPECT_EQ(result.objective, 0);
        EXPECT_EQ(result.status, Status::optimal);
    }
}

TEST(GeneralForm, GradientEqualsDifferences) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const test::SmallHinge data = random_hinge(8, 5, seed);
        const auto rows = rows_of(data);
        const std::vector<double> w = {0.3, -1, 0.2, 0.7, -0.1};
        Iterate iterate({rows.get(), data.costs, data.offsets, data.centre}, w, false);
        const double gap = iterate.gap();
        double squares = 0;
        for (Index j = 0; j < data.features; ++j) {
            const double h = 1e-6;
            auto above = w;
            auto below = w;
            above[j] += h;
            below[j] -= h;
            const double difference = (objective(data, above) - objective(data, below)) / (2 * h);
            EXPECT_NEAR(iterate.gradient()[j], difference, 1e-5 * (1 + std::abs(difference)));
            squares += difference * difference;
        }
        EXPECT_NEAR(iterate.objective(), objective(data, w), 1e-12 * iterate.objective());
        EXPECT_NEAR(gap * iterate.objective(), 0.5 * squares, 1e-4 * squares);
    }
}

// The gap that recheck() gives is that of the pair (w, a), computed from the data: here a is made
// wrong on purpose, and the certificate must say so.
TEST(GeneralForm, RecheckSeesMarginsThatAreWrong) {
    const test::SmallHinge data = random_hinge(6, 4, 3);
    const auto rows = rows_of(data);
    const SquaredHinge problem{rows.get(), data.costs, data.offsets, data.centre};
    const std::vector<double> w = solve(problem, {Method::primal, 1e-20, 100, true}).w;
    Iterate iterate(problem, w, false);
    iterate.gap();
    std::copy(w.begin(), w.end(), iterate.newton_point().begin());
    double squares = 0;
    double hidden = 0;
    std::vector<double> gradient = w;
    for (Index j = 0; j < 4; ++j) gradient[j] -= data.centre[j];
    for (Index i : iterate.support()) {
        const double wrong = 1.01 * data.margin(i, w);
        iterate.set_newton_margin(i, wrong);
        hidden += data.costs[i] * std::pow(wrong - data.margin(i, w), 2);
        for (Index j = 0; j < 4; ++j) gradient[j] -= 2 * data.costs[i] * wrong * data.z[i * 4 + j];
    }
    for (double entry : gradient) squares += entry * entry;
    iterate.full_step();
    EXPECT_EQ(iterate.recheck(), 0);
    EXPECT_NEAR(iterate.objective(), objective(data, w), 1e-12 * iterate.objective());
    EXPECT_LT(iterate.gap(), 1);
    EXPECT_NEAR(iterate.gap() * iterate.objective(), 0.5 * squares + hidden,
                1e-9 * (squares + hidden));
}

TEST(GeneralForm, ShrinkingDoesNotChangeTheAnswer) {
    bool has_slept = false;
    for (unsigned seed = 0; seed < 40; ++seed) {
        const test::SmallHinge data = random_hinge(300, 1 + seed % 12, seed);
        const auto rows = rows_of(data);
        const SquaredHinge problem{rows.get(), data.costs, data.offsets, data.centre};
        const Classifier with = solve(problem, {Method::primal, 1e-20, 100, true});
        const Classifier without = solve(problem, {Method::primal, 1e-20, 100, false});
        EXPECT_EQ(with.status, Status::optimal);
        EXPECT_EQ(with.support_vectors, without.support_vectors) << "seed " << seed;
        EXPECT_LE(test::largest_difference(with.w, without.w), 1e-12) << "seed " << seed;
        Iterate iterate(problem, without.w, true);
        iterate.gap();
        std::copy(without.w.begin(), without.w.end(), iterate.newton_point().begin());
        for (Index i : iterate.support()) iterate.set_newton_margin(i, iterate.margin(i));
        iterate.full_step();  // no move: every sample outside falls asleep
        iterate.gap();
        // to where some of them are needed, which nobody sees who sleeps
        std::vector<double> far = without.w;
        for (double& value : far) value *= -10;
        std::copy(far.begin(), far.end(), iterate.newton_point().begin());
        for (Index i : iterate.support()) iterate.set_newton_margin(i, data.margin(i, far));
        iterate.full_step();
        has_slept = has_slept || iterate.recheck() > 0;
    }
    EXPECT_TRUE(has_slept);
}

// A sample that fell asleep and is needed after all must wake before the end.
TEST(GeneralForm, SleepersWakeWhenTheyAreNeeded) {
    const test::SmallHinge data{2, 1, {1, -1}, {10, 10}, {1, -3}, {0}};
    const auto rows = rows_of(data);
    Iterate iterate({rows.get(), data.costs, data.offsets, data.centre}, {}, true);
    iterate.gap();
    iterate.newton_point()[0] = 0;
    iterate.set_newton_margin(0, 1);
    iterate.full_step();  // no move: the second one falls asleep
    iterate.gap();
    iterate.newton_point()[0] = 5;  // z_2'w = -5 < b_2 = -3: now it is a support vector
    iterate.set_newton_margin(0, -4);
    iterate.full_step();
    EXPECT_EQ(iterate.support_size(), 0);  // it sleeps
    EXPECT_EQ(iterate.recheck(), 1);
    EXPECT_TRUE(iterate.is_support(1));
}

}  // namespace
}  // namespace sven::svm
