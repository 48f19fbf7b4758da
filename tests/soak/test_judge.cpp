// The judge must be able to find: cases solved by hand, and answers made wrong on purpose.

#include <gtest/gtest.h>

#include <cmath>

#include "soak/fold_judge.hpp"
#include "soak/free_pair.hpp"
#include "soak/machine_judge.hpp"
#include "soak/tally.hpp"
#include "support/options.hpp"

namespace sven::soak {
namespace {

// Orthogonal columns of length 2, products 8, 4 and 1 with the response, which is longer than what
// the columns explain: ||y||^2 = 16 + 4 + .25 + 4 = 24.25.
Data orthogonal_data() {
    Data data;
    data.n = 4;
    data.p = 3;
    data.X = {1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1};
    const double fourth[] = {1, -1, -1, 1};
    for (Index i = 0; i < 4; ++i)
        data.y.push_back(2 * data.at(i, 0) + data.at(i, 1) + .25 * data.at(i, 2) + fourth[i]);
    data.intercept = false;
    data.standardize = false;
    return data;
}

Optimum solve(const Data& data, const Setting& setting) {
    const ExactProblem problem(data);
    const Target target = problem.target(setting);
    return solve_exactly(Quadratic(problem, target), target, std::vector<double>(data.p, 0.0));
}

OptimaSet optima_of(const Data& data, const Setting& setting) {
    const ExactProblem problem(data);
    const Target target = problem.target(setting);
    const Quadratic quadratic(problem, target);
    return describe_optima(quadratic,
                           solve_exactly(quadratic, target, std::vector<double>(data.p, 0.0)));
}

double objective(const Data& data, const Setting& setting) {
    return Real(solve(data, setting).value * ExactProblem(data).response_squares())
        .convert_to<double>();
}

Verdict verdict_on(const Data& data, const Setting& setting, const Solution& solution) {
    return judge(ExactProblem(data), setting, {}, solution);
}

// What the library says, with a gap that covers its rounding.
Solution good_solution(const Data& data, const Setting& setting) {
    Solution solution = fit(data.problem(), setting, test::with_proofs());
    solution.gap = std::max(solution.gap, 1e-14);
    return solution;
}

TEST(Judge, PenaltyByHand) {
    // b_j = (c_j - h)_+ / 4 with c = 8, 4, 1: 1.5, .5, 0 at h = 2
    const Data data = orthogonal_data();
    const Setting setting = Penalty{4, 0};
    // the residual: (c - 4b)^2 / 4 each, and 4 for the fourth direction
    EXPECT_DOUBLE_EQ(objective(data, setting), 4. / 4 + 4. / 4 + 1. / 4 + 4 + 4 * (1.5 + .5));
    const OptimaSet optima = optima_of(data, setting);
    EXPECT_TRUE(optima.is_unique);
    EXPECT_EQ(optima.zero(), 1);
    EXPECT_EQ(optima.non_zero(), 2);
}

TEST(Judge, RidgeByHand) {
    // b_j = c_j / (4 + l2), objective ||y||^2 - sum c_j^2 / (4 + l2)
    EXPECT_DOUBLE_EQ(objective(orthogonal_data(), Penalty{0, 4}), 24.25 - (64 + 16 + 1) / 8.);
}

TEST(Judge, BudgetByHand) {
    // t = 2 is h = 2; t = 4 is more than the 3.25 that least squares needs
    const Data data = orthogonal_data();
    EXPECT_DOUBLE_EQ(objective(data, Budget{2, 0}), 1 + 1 + .25 + 4);
    const Optimum slack = solve(data, Budget{4, 0});
    EXPECT_TRUE(slack.is_slack);
    EXPECT_DOUBLE_EQ(slack.least_used.convert_to<double>(), 3.25 / 4);
    EXPECT_DOUBLE_EQ(objective(data, Budget{4, 0}), 4);
    EXPECT_DOUBLE_EQ(objective(data, Budget{0, 0}), 24.25);
}

TEST(Judge, LimitsByHand) {
    Data data = orthogonal_data();
    data.lower.assign(3, -1.0);
    data.upper = {1, 10, std::numeric_limits<double>::infinity()};
    // b = 1, .5, 0: the first one would be 1.5
    EXPECT_DOUBLE_EQ(objective(data, Penalty{4, 0}), 4 + 1 + .25 + 4 + 4 * (1 + .5));
    const OptimaSet optima = optima_of(data, Penalty{4, 0});
    EXPECT_TRUE(optima.is_unique);
    EXPECT_EQ(optima.zero(), 1);
    EXPECT_EQ(optima.non_zero(), 2);
    // h = .5 leaves .875 and .125 to the others
    EXPECT_DOUBLE_EQ(objective(data, Budget{2, 0}), 4 + .0625 + .0625 + 4);
    Solution solution = good_solution(data, Penalty{4, 0});
    EXPECT_FALSE(verdict_on(data, Penalty{4, 0}, solution).is_silent);
    solution.coefficients[0].value = 1 + 1e-15;
    EXPECT_TRUE(verdict_on(data, Penalty{4, 0}, solution).is_silent);
}

TEST(Judge, AnOffsetIsTakenOff) {
    Data data = orthogonal_data();
    const double expected = objective(data, Penalty{4, 0});
    data.offset = {1, -2, 3, 4};
    for (std::size_t i = 0; i < 4; ++i) data.y[i] += data.offset[i];
    EXPECT_DOUBLE_EQ(objective(data, Penalty{4, 0}), expected);
}

TEST(Judge, TheFreePair) {
    const Case made = free_pair();
    const Optimum optimum = solve(made.data, made.settings[0]);
    const Real squares = ExactProblem(made.data).response_squares();
    EXPECT_NEAR(Real(optimum.value * squares / 80).convert_to<double>(), 0.0043817438598016, 1e-9);
    EXPECT_EQ(optimum.minimum.b[2], 0);
}

TEST(Judge, ALeftOutColumn) {
    Data data = orthogonal_data();
    data.intercept = true;  // the first column is constant
    EXPECT_TRUE(ExactProblem(data).is_left_out(0));
    data.intercept = false;
    data.factors = {1, std::numeric_limits<double>::infinity(), 1};
    EXPECT_TRUE(ExactProblem(data).is_left_out(1));
    EXPECT_EQ(optima_of(data, Penalty{4, 0}).zero(), 2);
    data.at(0, 0) = 1 + 1e-12;
    data.intercept = true;
    EXPECT_TRUE(ExactProblem(data).is_nearly_constant(0));
    EXPECT_EQ(optima_of(data, Penalty{4, 0}).zero(), 2);  // not counted
}

TEST(Judge, CopiesHaveManyOptima) {
    Data data = orthogonal_data();
    for (Index i = 0; i < 4; ++i) data.at(i, 2) = data.at(i, 0);
    const OptimaSet copies = optima_of(data, Penalty{4, 0});
    EXPECT_FALSE(copies.is_unique);
    EXPECT_EQ(copies.zero(), 0);
    EXPECT_EQ(copies.non_zero(), 1);  // the column that has no copy
    // twice a column costs half: the other is zero in every optimum
    for (Index i = 0; i < 4; ++i) data.at(i, 2) = 2 * data.at(i, 0);
    const OptimaSet doubled = optima_of(data, Penalty{4, 0});
    EXPECT_TRUE(doubled.is_unique);
    EXPECT_EQ(doubled.zero(), 1);
    EXPECT_EQ(doubled.non_zero(), 2);
    // without a penalty the copies share one coefficient in any way
    EXPECT_FALSE(optima_of(data, Penalty{0, 0}).is_unique);
    EXPECT_EQ(optima_of(data, Penalty{0, 0}).non_zero(), 1);
}

TEST(Judge, ASlackBudgetBoundsTheOptima) {
    // b_0 + b_2 = 2 and b_1 = 1: |b_0| + |b_2| <= t - 1
    Data data = orthogonal_data();
    for (Index i = 0; i < 4; ++i) data.at(i, 2) = data.at(i, 0);
    const OptimaSet wide = optima_of(data, Budget{9, 0});
    EXPECT_FALSE(wide.is_unique);
    EXPECT_EQ(wide.non_zero(), 1);
    data.nonnegative = true;
    EXPECT_EQ(optima_of(data, Budget{9, 0}).non_zero(), 1);
    // |b_0| + 10 |b_2| <= t - 1 = 2.5 leaves b_2 too little room to do without b_0
    data.nonnegative = false;
    data.factors = {1, 1, 10};
    EXPECT_FALSE(optima_of(data, Budget{3.5, 0}).is_unique);
    EXPECT_EQ(optima_of(data, Budget{3.5, 0}).non_zero(), 2);
}

TEST(Judge, AcceptsAGoodAnswer) {
    const Data data = orthogonal_data();
    for (const Setting& setting :
         {Setting(Penalty{4, 0}), Setting(Budget{2, 1}), Setting(Mixing{.5, .5})}) {
        const Verdict verdict = verdict_on(data, setting, good_solution(data, setting));
        EXPECT_TRUE(verdict.reason.empty()) << verdict.reason;
        EXPECT_FALSE(verdict.is_silent || verdict.is_understated || verdict.is_contradicted ||
                     verdict.is_misstated || verdict.is_false_alarm);
    }
}

TEST(Judge, FindsAPerturbedAnswer) {
    const Data data = orthogonal_data();
    const Setting setting = Penalty{4, 0};
    Solution solution = good_solution(data, setting);
    solution.coefficients[0].value += 1e-4;
    const Verdict verdict = verdict_on(data, setting, solution);
    EXPECT_TRUE(verdict.is_silent);
    EXPECT_NEAR(verdict.truth, 4e-8 / 25, 1e-9);
    solution.status = Status::iteration_limit;
    EXPECT_FALSE(verdict_on(data, setting, solution).is_silent);
    EXPECT_TRUE(verdict_on(data, setting, solution).is_understated);
    solution.gap = 1e-8;
    EXPECT_FALSE(verdict_on(data, setting, solution).is_understated);
}

TEST(Judge, FindsAPerturbedIntercept) {
    Data data = orthogonal_data();
    data.at(0, 0) = 3;
    data.intercept = true;
    const Setting setting = Penalty{1, 0};
    Solution solution = good_solution(data, setting);
    EXPECT_FALSE(verdict_on(data, setting, solution).is_silent);
    solution.intercept += 1e-5;
    EXPECT_TRUE(verdict_on(data, setting, solution).is_silent);
}

TEST(Judge, FindsAnUnderstatedGap) {
    const Data data = orthogonal_data();
    const Setting setting = Penalty{4, 0};
    Solution solution = good_solution(data, setting);
    solution.coefficients[1].value *= 1.01;
    solution.gap = 1;
    const double truth = verdict_on(data, setting, solution).truth;
    solution.gap = truth * 1.000001;
    EXPECT_FALSE(verdict_on(data, setting, solution).is_silent);
    solution.gap = truth * .999999;
    EXPECT_TRUE(verdict_on(data, setting, solution).is_silent);
    solution.gap = std::nan("");
    EXPECT_TRUE(verdict_on(data, setting, solution).is_silent);
}

TEST(Judge, FindsWhatIsNotAllowed) {
    Data data = orthogonal_data();
    const Setting setting = Budget{2, 0};
    Solution solution = good_solution(data, setting);
    solution.gap = 1;
    EXPECT_FALSE(verdict_on(data, setting, solution).is_silent);
    solution.coefficients[0].value *= 1 + 1e-11;
    EXPECT_TRUE(verdict_on(data, setting, solution).is_silent);
    solution.coefficients[0].value = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(verdict_on(data, setting, solution).is_silent);
    solution.coefficients[0].value = -1e-3;
    EXPECT_FALSE(verdict_on(data, setting, solution).is_silent);
    data.nonnegative = true;
    EXPECT_TRUE(verdict_on(data, setting, solution).is_silent);
}

TEST(Judge, FindsWrongProofs) {
    const Data data = orthogonal_data();
    const Setting setting = Penalty{4, 0};
    const Solution good = good_solution(data, setting);
    const auto is_contradicted = [&](const std::vector<Proof>& proofs, Index too_many = 0) {
        Solution solution = good;
        solution.proofs = proofs;
        solution.certificate = {std::ranges::count(proofs, Proof::selected),
                                std::ranges::count(proofs, Proof::zero) + too_many, 0, 0};
        return verdict_on(data, setting, solution).is_contradicted;
    };
    ASSERT_EQ(good.proofs, (std::vector{Proof::selected, Proof::selected, Proof::zero}));
    for (std::size_t j = 0; j < good.proofs.size(); ++j) {
        std::vector<Proof> wrong = good.proofs;
        wrong[j] = good.proofs[j] == Proof::zero ? Proof::selected : Proof::zero;
        EXPECT_TRUE(is_contradicted(wrong)) << j;
        wrong[j] = Proof::undecided;
        EXPECT_FALSE(is_contradicted(wrong)) << j;
    }
    EXPECT_TRUE(is_contradicted(good.proofs, 1));
    Solution solution = good;
    solution.status = Status::not_unique;
    EXPECT_TRUE(verdict_on(data, setting, solution).is_contradicted);
    solution.status = Status::ridge;
    EXPECT_TRUE(verdict_on(data, setting, solution).is_contradicted);
}

TEST(Judge, FindsABudgetThatIsSaidToBeSlack) {
    const Data data = orthogonal_data();
    Solution solution = good_solution(data, Budget{2, 0});
    solution.status = Status::ridge;
    EXPECT_TRUE(verdict_on(data, Budget{2, 0}, solution).is_contradicted);
    solution = good_solution(data, Budget{4, 0});
    EXPECT_EQ(solution.status, Status::ridge);
    EXPECT_FALSE(verdict_on(data, Budget{4, 0}, solution).is_contradicted);
}

TEST(Judge, FindsMisstatements) {
    const Data data = orthogonal_data();
    const Setting setting = Budget{2, 0};
    Solution solution = good_solution(data, setting);
    EXPECT_FALSE(verdict_on(data, setting, solution).is_misstated);
    solution.t *= 1 + 1e-6;
    EXPECT_TRUE(verdict_on(data, setting, solution).is_misstated);
    solution = good_solution(data, setting);
    solution.objective = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(verdict_on(data, setting, solution).is_misstated);
}

TEST(Judge, FalseAlarms) {
    const Data data = orthogonal_data();
    const Setting setting = Penalty{4, 0};
    Solution solution = good_solution(data, setting);
    solution.gap = 1e-9;
    EXPECT_TRUE(verdict_on(data, setting, solution).is_false_alarm);
    Tally tally;
    Outcome outcome;
    outcome.is_regular = true;
    for (int k = 0; k < 1000; ++k) tally.add(outcome);
    outcome.is_false_alarm = true;
    for (int k = 0; k < 5; ++k) tally.add(outcome);
    EXPECT_FALSE(tally.has_failed());
    tally.add(outcome);
    EXPECT_TRUE(tally.has_failed());
    Tally silent;
    outcome = {};
    outcome.is_silent = true;
    silent.add(outcome);
    EXPECT_TRUE(silent.has_failed());
}

TEST(Judge, WeightsAndStandardisation) {
    // a row of weight two is the row twice
    Data twice = orthogonal_data();
    twice.intercept = true;
    twice.standardize = true;
    twice.at(0, 0) = 5;
    Data weighted = twice;
    weighted.weights = {2, 1, 1, 1};
    twice.n = 5;
    twice.X.clear();
    twice.y.push_back(twice.y[0]);
    for (Index j = 0; j < 3; ++j) {
        for (Index i = 0; i < 4; ++i) twice.X.push_back(weighted.at(i, j));
        twice.X.push_back(weighted.at(0, j));
    }
    EXPECT_DOUBLE_EQ(objective(weighted, Mixing{.1, .7}), objective(twice, Mixing{.1, .7}));
    // and the unit of a column does not matter
    Data scaled = weighted;
    for (Index i = 0; i < 4; ++i) scaled.at(i, 1) = 1024 * scaled.at(i, 1) + 3;
    EXPECT_DOUBLE_EQ(objective(weighted, Mixing{.1, .7}), objective(scaled, Mixing{.1, .7}));
}

TEST(Condition, OfTwoColumns) {
    // cosine c: condition sqrt((1 + c) / (1 - c))
    Data data;
    data.n = 2;
    data.p = 2;
    data.X = {1, 0, 1, 1e-6};
    data.y = {1, 2};
    data.intercept = false;
    data.standardize = false;
    EXPECT_NEAR(ExactProblem(data).condition() / 2e6, 1, 1e-3);
    data.X = {1, 0, 1, 0};
    EXPECT_NEAR(ExactProblem(data).condition(), 1, 1e-12);  // a copy: that of the one column
}

TEST(FoldJudge, FindsAWrongError) {
    Case made;
    Random random("folds", 1);
    made.data = test::random_regression(12, 3, 7);
    made.folds = {{{0, 1, 2, 3}, {}}, {{4, 5, 6, 7}, {}}, {{8, 9, 10, 11}, {}}};
    made.settings = {Mixing{.1, 1}, Mixing{.01, 1}};
    CrossValidation plan;
    plan.folds = made.folds;
    plan.lambdas = {.1, .01};
    CvCurve curve = cross_validate(made.data.problem(), plan).curves.front();
    for (const Verdict& verdict : judge_folds(made, curve)) EXPECT_FALSE(verdict.is_silent);
    curve.fold_error[4] *= 1 + 1e-3;
    EXPECT_TRUE(judge_folds(made, curve)[4].is_silent);
    curve.fold_error[4] = std::nan("");
    EXPECT_TRUE(judge_folds(made, curve)[4].is_silent);
}

TEST(MachineJudge, ByHand) {
    // one sample z = 1 at cost C: w = 2C / (1 + 2C); another that is beyond its margin
    Data data;
    data.n = 2;
    data.p = 1;
    data.X = {1, -2};
    data.y = {1, -1};
    data.weights = {2, 2};
    svm::Classifier classifier;
    classifier.w = {.8};
    classifier.objective = .32 + 2 * .04;
    classifier.gap = 1e-15;
    Verdict verdict = judge_machine(data, {}, classifier);
    EXPECT_LT(verdict.truth, 1e-30);
    EXPECT_FALSE(verdict.is_silent || verdict.is_misstated);
    classifier.w = {.8 + 1e-6};
    verdict = judge_machine(data, {}, classifier);
    EXPECT_TRUE(verdict.is_silent);
    EXPECT_NEAR(verdict.truth, 2.5e-12 / .4, 1e-14);
    classifier.objective = 1;
    EXPECT_TRUE(judge_machine(data, {}, classifier).is_misstated);
    classifier.w = {std::nan("")};
    EXPECT_TRUE(judge_machine(data, {}, classifier).is_silent);
}

TEST(Families, ASeedIsAProblem) {
    for (const Family& family : families()) {
        Random first(family.name, 11);
        Random second(family.name, 11);
        Random other(family.name, 12);
        const Case made = family.make(first);
        EXPECT_EQ(made.data.X, family.make(second).data.X) << family.name;
        EXPECT_NE(made.data.y, family.make(other).data.y) << family.name;
    }
}

}  // namespace
}  // namespace sven::soak
