// svm::train as a user calls it, judged by the optimality conditions in plain loops.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/options.hpp"
#include "support/two_class.hpp"
#include "svm/solve.hpp"

namespace sven::svm {
namespace {

using test::by;
using test::TwoClass;

Options tightly_by(Method method) {
    return by(method, 1e-14);
}

void expect_optimal(const TwoClass& data, std::span<const double> costs, const Classifier& result) {
    const double value = test::objective(data, costs, result.w);
    const double dual = test::dual_objective(data, costs, result.alpha);
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_NEAR(result.objective, value, 1e-12 * value);
    EXPECT_LE(value - dual, 1e-11 * value);
    EXPECT_LE(result.gap, 1e-14);
    Index support = 0;
    for (double a : result.alpha) {
        EXPECT_GE(a, 0);
        if (a > 0) ++support;
    }
    EXPECT_EQ(result.support_vectors, support);
}

// The gap bounds the distance to the optimum: P(w) - P* >= 1/2 ||w - w*||^2.
double reach(const Classifier& result) {
    return std::sqrt(2 * result.gap * result.objective) + 1e-12 * test::largest(result.w);
}

// min 1/2 w^2 + (1 - 2 w)^2: w = 4/9, margin 1/9
TEST(Train, SolvesOneSampleByHand) {
    const TwoClass data{1, 1, {-2}, {-1}};
    for (const Method method : {Method::primal, Method::dual}) {
        const Classifier result = train(data.problem(), tightly_by(method));
        EXPECT_NEAR(result.w[0], 4.0 / 9, 1e-15);
        EXPECT_NEAR(result.alpha[0], 2.0 / 9, 1e-15);
        EXPECT_NEAR(result.objective, 1.0 / 9, 1e-15);
        EXPECT_EQ(result.support_vectors, 1);
    }
}

// Samples 1 and 3 on a line: with the first alone w = 2/3, where the second is on its side.
TEST(Train, LeavesOutTheSampleBeyondItsMargin) {
    const TwoClass data{2, 1, {1, 3}, {1, 1}};
    for (const Method method : {Method::primal, Method::dual}) {
        const Classifier result = train(data.problem(), tightly_by(method));
        EXPECT_NEAR(result.w[0], 2.0 / 3, 1e-15);
        EXPECT_NEAR(result.alpha[0], 2.0 / 3, 1e-15);
        EXPECT_EQ(result.alpha[1], 0);
    }
}

TEST(Train, SamplesAtZeroHaveAConstantLoss) {
    const TwoClass data{3, 2, {0, 0, 0, 0, 0, 0}, {1, -1, 1}};
    for (const Method method : {Method::primal, Method::dual}) {
        const Classifier result = train(data.problem(2), tightly_by(method));
        EXPECT_EQ(result.w, (std::vector<double>{0, 0}));
        EXPECT_NEAR(result.objective, 6, 1e-15);
        EXPECT_EQ(result.status, Status::optimal);
    }
}

TEST(Train, NeedsNoFeatures) {
    const TwoClass data{2, 0, {}, {1, -1}};
    for (const Method method : {Method::automatic, Method::primal, Method::dual}) {
        const Classifier result = train(data.problem(), tightly_by(method));
        EXPECT_TRUE(result.w.empty());
        EXPECT_NEAR(result.objective, 2, 1e-15);
        EXPECT_EQ(result.status, Status::optimal);
    }
}

struct Machine {
    Index samples;
    Index features;
    double density;
    double cost;
};

class TrainMachines : public testing::TestWithParam<Machine> {};

TEST_P(TrainMachines, PrimalEqualsDual) {
    const Machine machine = GetParam();
    for (unsigned seed = 1; seed < 4; ++seed) {
        const TwoClass data =
            test::random_two_class(machine.samples, machine.features, seed, machine.density);
        const std::vector<double> costs(data.labels.size(), machine.cost);
        const Classifier primal = train(data.problem(machine.cost), tightly_by(Method::primal));
        const Classifier dual = train(data.problem(machine.cost), tightly_by(Method::dual));
        const Classifier either = train(data.problem(machine.cost), tightly_by(Method::automatic));
        EXPECT_EQ(primal.method, Method::primal);
        EXPECT_EQ(dual.method, Method::dual);
        EXPECT_NE(either.method, Method::automatic);
        expect_optimal(data, costs, primal);
        expect_optimal(data, costs, dual);
        expect_optimal(data, costs, either);
        EXPECT_LE(test::largest_difference(primal.w, dual.w), reach(primal) + reach(dual));
        EXPECT_LE(test::largest_difference(either.w, dual.w), reach(either) + reach(dual));
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, TrainMachines,
                         testing::Values(Machine{30, 5, 1, 1}, Machine{5, 40, 1, 1},
                                         Machine{60, 60, 1, 0.01}, Machine{200, 20, 1, 1e3},
                                         Machine{40, 300, 1, 1e4}, Machine{500, 80, 0.05, 1},
                                         Machine{80, 500, 0.05, 1}, Machine{300, 30, 1, 1e-6},
                                         Machine{1, 3, 1, 1}, Machine{3, 1, 1, 10},
                                         Machine{2000, 100, 0.2, 1}, Machine{100, 100, 1, 1e5}));

TEST(Train, ChoosesTheSmallerSystem) {
    const TwoClass tall = test::random_two_class(500, 20, 1);
    const TwoClass wide = test::random_two_class(20, 500, 1);
    EXPECT_EQ(train(tall.problem()).method, Method::primal);
    EXPECT_EQ(train(wide.problem()).method, Method::dual);
}

// Samples of size 1e3 that contradict each other, at a cost of 1e5: alpha is so large that Z alpha
// has few digits left, and the dual system, the cheaper one here, cannot reach the tolerance.
TEST(Train, TurnsToTheOtherSystemWhereRoundingStopsTheFirst) {
    TwoClass data = test::random_two_class(6, 72, 21);
    for (Index i = 0; i < 6; i += 2) {
        for (Index j = 0; j < 72; ++j) {
            data.X[i * 72 + j] *= 1e3;
            data.X[(i + 1) * 72 + j] = data.X[i * 72 + j];
        }
        data.labels[i] = 1;
        data.labels[i + 1] = -1;
    }
    data.X[0] *= 1.001;
    const auto rows = make_rows(row_major(data.X.data(), 6, 72), data.labels, {1, nullptr});
    const std::vector<double> costs(6, 1e5);
    const std::vector<double> offsets(6, 1.0);
    const std::vector<double> centre(72, 0.0);
    const auto choice = [&](Method method) {
        return solve({rows.get(), costs, offsets, centre}, {method, 1e-10, 1000, true});
    };
    EXPECT_EQ(choice(Method::dual).status, Status::iteration_limit);
    const Classifier result = choice(Method::automatic);
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_EQ(result.method, Method::primal);
    EXPECT_GT(result.iterations, choice(Method::dual).iterations);
}

class TrainStorage : public testing::TestWithParam<test::Kind> {};

TEST_P(TrainStorage, GivesTheSameAnswer) {
    for (const auto& [samples, features] : {std::pair<Index, Index>{90, 20}, {20, 90}}) {
        TwoClass data = test::random_two_class(samples, features, 8, 0.5);
        for (double& value : data.X) value = static_cast<float>(value);
        const test::StoredMatrix matrix = test::stored(data, GetParam());
        const Classifier expected = train(data.problem(), tightly_by(Method::automatic));
        for (const Method method : {Method::primal, Method::dual}) {
            const Classifier result =
                train({matrix.view(), data.labels, {}, 1}, tightly_by(method));
            EXPECT_EQ(result.status, Status::optimal);
            EXPECT_LE(test::largest_difference(result.w, expected.w), 1e-7);
            EXPECT_LE(test::largest_difference(result.w, expected.w),
                      reach(result) + reach(expected));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Storage, TrainStorage, testing::ValuesIn(test::all_kinds()),
                         test::kind_name);

// A sample of cost 3 C is three samples of cost C.
TEST(Train, CostsEqualRepeatedSamples) {
    const TwoClass data = test::random_two_class(40, 12, 5);
    TwoClass repeated{0, 12, {}, {}};
    std::vector<double> costs;
    for (Index i = 0; i < data.samples; ++i) {
        const Index times = 1 + i % 3;
        costs.push_back(0.5 * static_cast<double>(times));
        for (Index copy = 0; copy < times; ++copy, ++repeated.samples) {
            repeated.X.insert(repeated.X.end(), data.row(i), data.row(i) + 12);
            repeated.labels.push_back(data.labels[i]);
        }
    }
    for (const Method method : {Method::primal, Method::dual}) {
        Classification problem = data.problem();
        problem.costs = costs;
        const Classifier once = train(problem, by(method, 1e-20));
        const Classifier often = train(repeated.problem(0.5), by(method, 1e-20));
        expect_optimal(data, costs, once);
        EXPECT_LE(test::largest_difference(once.w, often.w), 1e-12);
        EXPECT_NEAR(once.objective, often.objective, 1e-12 * once.objective);
    }
}

TEST(Train, WarmStartTakesFewerSteps) {
    const TwoClass data = test::random_two_class(400, 30, 9);
    for (const Method method : {Method::primal, Method::dual}) {
        const Classifier before = train(data.problem(1), tightly_by(method));
        const Classifier cold = train(data.problem(1.05), tightly_by(method));
        const Classifier warm = train(data.problem(1.05), tightly_by(method), before.w);
        EXPECT_LT(warm.iterations, cold.iterations);
        EXPECT_LE(test::largest_difference(warm.w, cold.w), reach(warm) + reach(cold));
        EXPECT_EQ(train(data.problem(1), by(method, 1e-12), before.w).iterations, 0);
    }
}

TEST(Train, StopsAtTheTolerance) {
    const TwoClass data = test::random_two_class(200, 20, 4);
    for (const Method method : {Method::primal, Method::dual}) {
        const Classifier rough = train(data.problem(1e3), by(method, 1));
        const Classifier fine = train(data.problem(1e3), by(method, 1e-12));
        EXPECT_LT(rough.iterations, fine.iterations);
        EXPECT_LE(rough.gap, 1);
        EXPECT_GT(rough.gap, 1e-12);
        EXPECT_EQ(rough.status, Status::optimal);
    }
}

TEST(Train, SaysWhenItRanOutOfIterations) {
    const TwoClass data = test::random_two_class(300, 40, 10);
    Options options = tightly_by(Method::primal);
    options.max_iterations = 2;
    const double cost = 0.01;
    const Classifier result = train(data.problem(cost), options);
    EXPECT_EQ(result.status, Status::iteration_limit);
    EXPECT_EQ(result.iterations, 2);
    EXPECT_GT(result.gap, 1e-14);
    EXPECT_LT(result.gap, 1);
    const std::vector<double> costs(300, cost);
    const auto g = test::gradient(data, costs, result.w);
    const double gap =
        0.5 * test::dot(g.data(), g.data(), 40) / test::objective(data, costs, result.w);
    EXPECT_NEAR(result.gap, gap, 1e-10 * gap) << "the gap it reports is not the true one";
}

TEST(Train, IsTheSameOnAnyNumberOfThreads) {
    const TwoClass data = test::random_two_class(3000, 150, 11, 0.5);
    for (const Method method : {Method::primal, Method::dual}) {
        Options options = by(method, 1e-12);
        options.threads = 1;
        const Classifier one = train(data.problem(0.01), options);
        options.threads = 3;
        const Classifier three = train(data.problem(0.01), options);
        const Classifier again = train(data.problem(0.01), options);
        EXPECT_LE(test::largest_difference(one.w, three.w), 1e-12 * test::largest(one.w));
        EXPECT_EQ(three.w, again.w);
    }
}

TEST(Train, LeavesNothingWhenCancelled) {
    const TwoClass data = test::random_two_class(50, 10, 12);
    const CancelToken cancel{true};
    Options options;
    options.cancel = &cancel;
    const Classifier result = train(data.problem(), options);
    EXPECT_EQ(result.status, Status::cancelled);
    EXPECT_TRUE(result.w.empty());
    EXPECT_TRUE(result.alpha.empty());
}

// A kernel of 3000 x 3000 on 1500 features takes seconds; the token must not wait for it.
TEST(Train, StopsSoonInTheMiddle) {
    const TwoClass data = test::random_two_class(3000, 1500, 13);
    for (const Method method : {Method::primal, Method::dual}) {
        CancelToken cancel{false};
        Options options = by(method, 0);
        options.cancel = &cancel;
        std::chrono::steady_clock::time_point asked;
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(60));
            asked = std::chrono::steady_clock::now();
            cancel = true;
        });
        const Classifier result = train(data.problem(1e4), options);
        const auto returned = std::chrono::steady_clock::now();
        other.join();
        EXPECT_EQ(result.status, Status::cancelled);
        EXPECT_LT(std::chrono::duration<double>(returned - asked).count(), 1.0);
    }
}

}  // namespace
}  // namespace sven::svm
