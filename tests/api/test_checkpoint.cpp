// A call that was interrupted at any of its checkpoints, and made again with what was saved, gives
// the bits of one that ran through.

#include <gtest/gtest.h>

#include "linalg/buffer.hpp"
#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"
#include "support/options.hpp"
#include "support/outcome_data.hpp"
#include "support/solutions.hpp"
#include "sven/checkpoint.hpp"
#include "sven/cross_validation.hpp"
#include "sven/session.hpp"
#include "sven/statistics.hpp"

namespace sven::test {
namespace {

using Bytes = std::vector<std::byte>;

struct Stopped {};

// What is left of the calls of a process, and how many of its saves it outlives.
struct Keeper {
    Bytes saved;
    int saves = 0;
    int outlives = -1;  // -1: all

    void save(std::span<const std::byte> bytes) {
        saved.assign(bytes.begin(), bytes.end());
        if (saves++ == outlives) throw Stopped{};
    }
};

template <class Call>
auto call_with(Keeper& run, Options options, const Call& call) {
    const Bytes before = run.saved;
    const Checkpoint checkpoint([&](std::span<const std::byte> bytes) { run.save(bytes); }, before);
    options.checkpoint = &checkpoint;
    auto result = call(options);
    return std::pair(std::move(result), checkpoint.restored());
}

// call(options) undisturbed, ended at each of its saves in turn, and ended at every save;
// same(a, b) compares.
template <class Call, class Same>
void expect_resumed(const Options& options, const Call& call, const Same& same) {
    Keeper whole;
    const auto expected = call_with(whole, options, call).first;
    ASSERT_GE(whole.saves, 2);
    for (int k = 0; k < whole.saves; ++k) {
        SCOPED_TRACE(testing::Message() << "ended at save " << k << " of " << whole.saves);
        Keeper run;
        run.outlives = k;
        EXPECT_THROW(call_with(run, options, call), Stopped);
        run.outlives = -1;
        const auto [found, restored] = call_with(run, options, call);
        EXPECT_GT(restored, 0);
        EXPECT_EQ(run.saves, whole.saves);
        same(found, expected);
    }
    Keeper often;
    int calls = 0;
    for (bool is_done = false; !is_done; ++calls) {
        often.saves = 0;
        often.outlives = 0;
        try {
            same(call_with(often, options, call).first, expected);
            is_done = true;
        } catch (const Stopped&) {
        }
    }
    EXPECT_GT(calls, 2);
}

const auto same_paths = [](const std::vector<Solution>& a, const std::vector<Solution>& b) {
    expect_same_bits(a, b);
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_EQ(a[k].iterations, b[k].iterations);
        EXPECT_EQ(a[k].status, b[k].status);
        EXPECT_EQ(a[k].certificate.proven_selected, b[k].certificate.proven_selected);
        EXPECT_EQ(a[k].certificate.proven_zero, b[k].certificate.proven_zero);
        EXPECT_EQ(a[k].proofs, b[k].proofs);
    }
};

const auto same_curves = [](const CvResult& a, const CvResult& b) {
    ASSERT_EQ(a.curves.size(), b.curves.size());
    for (std::size_t k = 0; k < a.curves.size(); ++k) {
        EXPECT_EQ(a.curves[k].fold_error, b.curves[k].fold_error);
        EXPECT_EQ(a.curves[k].fold_gap, b.curves[k].fold_gap);
        EXPECT_EQ(a.curves[k].out_of_fold.best, b.curves[k].out_of_fold.best);
        same_paths(a.curves[k].path, b.curves[k].path);
    }
};

void expect_resumed_path(const Problem& problem, Options options,
                         const std::vector<Setting>& settings) {
    options.proofs = true;
    expect_resumed(
        options, [&](const Options& with) { return solve_path(problem, settings, with); },
        same_paths);
}

std::vector<Setting> grid(const Problem& problem, double alpha, int count) {
    return lambda_grid(problem, {.alpha = alpha, .count = count});
}

TEST(Checkpoint, PathsByBothMethods) {
    Data data = random_regression(60, 300, 21);
    add_weights(data, 3);
    data.factors.assign(300, 1.0);
    data.factors[5] = 0;
    data.factors[7] = 2;
    for (const Method method : both_methods)
        for (const double alpha : {1.0, 0.4}) {
            SCOPED_TRACE(testing::Message() << name(method) << ", alpha " << alpha);
            expect_resumed_path(data.problem(), by(method), grid(data.problem(), alpha, 30));
        }
}

TEST(Checkpoint, BudgetsLimitsAndInexactSettings) {
    Data data = random_regression(80, 200, 22);
    data.nonnegative = true;
    std::vector<Setting> budgets;
    for (int k = 1; k <= 25; ++k) budgets.emplace_back(Budget{0.1 * k, 0.5});
    expect_resumed_path(data.problem(), by(Method::primal), budgets);
    expect_resumed_path(data.problem(), by(Method::dual), budgets);
    data.nonnegative = false;
    expect_resumed_path(data.problem(), by(Method::primal, 1e-4), grid(data.problem(), 0.9, 30));
}

TEST(Checkpoint, SparseColumnsByOneSessionOfTwoPaths) {
    Data data = random_regression(70, 400, 23);
    Random random(5);
    for (double& x : data.X) x = random.uniform() < 0.7 ? 0 : x;
    const StoredMatrix matrix({true, true}, data.n, data.p, data.X);
    Problem problem = data.problem();
    problem.X = matrix.view();
    const auto call = [&](const Options& with) {
        Session session(problem, with);
        std::vector<Solution> both = session.solve_path(session.lambda_grid({.count = 20}));
        const std::vector<Solution> second =
            session.solve_path(session.lambda_grid({.alpha = 0.5, .count = 12}));
        both.insert(both.end(), second.begin(), second.end());
        return both;
    };
    expect_resumed(by(Method::primal), call, same_paths);
}

TEST(Checkpoint, CrossValidationOfTwoCurves) {
    for (const Data& data : {random_regression(60, 250, 24), random_regression(300, 20, 25)}) {
        CrossValidation plan{make_folds(data.n, 4), {{.count = 12}, {.alpha = 0.5, .count = 12}}};
        plan.keeps_predictions = true;
        Options options;
        options.threads = 1;  // so that members over Gram matrices end in one order
        expect_resumed(
            options,
            [&](const Options& with) { return cross_validate(data.problem(), plan, with); },
            same_curves);
    }
}

TEST(Checkpoint, OtherOutcomes) {
    for (const Family family : {Family::binomial, Family::poisson}) {
        Data data = outcome_data(family, 90, 150, 26);
        data.factors.assign(150, 1.0);
        data.factors[2] = 0;
        expect_resumed_path(data.problem(), {}, grid(data.problem(), 0.8, 25));
        const CrossValidation plan{make_folds(data.n, 3), {{.count = 10}}};
        expect_resumed(
            {}, [&](const Options& with) { return cross_validate(data.problem(), plan, with); },
            same_curves);
    }
}

TEST(Checkpoint, Statistics) {
    const Data data = random_regression(200, 30, 27);
    const sven::Statistics sums(data.problem());
    Problem problem;
    problem.statistics = &sums;
    expect_resumed_path(problem, {}, lambda_grid(problem, {.count = 20}));
}

// Leaves numbers in the memory that the next allocations get, for as long as what it returns lives:
// behind that, memory may go back to the system.
linalg::Buffer<double> litter(Index doubles, double number) {
    std::vector<linalg::Buffer<double>> blocks;
    for (int k = 0; k < 4; ++k) {
        blocks.emplace_back(doubles);
        std::fill_n(blocks.back().data(), doubles, number);
    }
    return std::move(blocks.back());
}

// The sums of a group are padded to whole panels of columns, these 61 to 64.
TEST(Checkpoint, StatisticsOfSparseRowsHaveTheSameSumsInAnyMemory) {
    Data data = random_regression(300, 59, 31);
    Random random(6);
    for (double& x : data.X) x = random.uniform() < 0.98 ? 0 : x;
    const StoredMatrix matrix({true, true}, data.n, data.p, data.X);
    Problem rows = data.problem();
    rows.X = matrix.view();
    std::vector<Index> fold_of_row;
    for (Index i = 0; i < data.n; ++i) fold_of_row.push_back(i % 3);
    for (const bool has_folds : {false, true}) {
        Keeper run;
        for (int call = 0; call < 2; ++call) {
            const auto kept = litter(64 * 64, 1 + call);
            const sven::Statistics sums(rows, has_folds ? fold_of_row : std::vector<Index>{});
            Problem problem;
            problem.statistics = &sums;
            const auto settings = lambda_grid(problem, {.count = 20});
            const auto solve = [&](const Options& with) {
                return solve_path(problem, settings, with);
            };
            run.outlives = call == 0 ? 1 : -1;
            if (call == 0)
                EXPECT_THROW(call_with(run, {}, solve), Stopped);
            else
                EXPECT_GT(call_with(run, {}, solve).second, 0);
        }
    }
}

// Whole numbers, so that the sums about the means have the same bits wherever the columns lie.
TEST(Checkpoint, RefusesStatisticsOfColumnsThatLieElsewhere) {
    Data data = random_regression(64, 10, 32);
    data.intercept = false;
    for (double& x : data.X) x = std::round(x);
    Keeper run;
    run.outlives = 1;
    std::vector<Setting> settings;
    const auto solve = [&](const Options& with) {
        const sven::Statistics sums(data.problem());
        Problem problem = data.problem();
        problem.X = {};
        problem.y = {};
        problem.statistics = &sums;
        if (settings.empty()) settings = lambda_grid(problem, {.count = 20});
        return solve_path(problem, settings, with);
    };
    EXPECT_THROW(call_with(run, {}, solve), Stopped);
    run.outlives = -1;
    for (double& x : data.X) x += 1;
    EXPECT_THROW(call_with(run, {}, solve), CheckpointError);
    for (double& x : data.X) x -= 1;
    EXPECT_GT(call_with(run, {}, solve).second, 0);
}

// Answers are those of a call without a checkpoint, within the tolerance.
TEST(Checkpoint, ChangesNothingBeyondTheTolerance) {
    const Data data = random_regression(60, 300, 28);
    const auto settings = grid(data.problem(), 0.7, 30);
    Keeper run;
    const auto kept = call_with(run, {}, [&](const Options& with) {
                          return solve_path(data.problem(), settings, with);
                      }).first;
    const auto plain = solve_path(data.problem(), settings);
    for (std::size_t k = 0; k < plain.size(); ++k) {
        EXPECT_LE(kept[k].gap, 1e-10);
        expect_same_coefficients(kept[k], plain[k], 1e-6);
    }
}

TEST(Checkpoint, RefusesWhatIsOfAnotherProblem) {
    Data data = random_regression(60, 300, 29);
    auto settings = grid(data.problem(), 0.7, 30);
    Keeper run;
    run.outlives = 1;
    const auto call = [&](const Options& with) {
        return solve_path(data.problem(), settings, with);
    };
    EXPECT_THROW(call_with(run, {}, call), Stopped);
    const Bytes saved = run.saved;
    run.outlives = -1;
    const auto expect_refused = [&](const Options& options) {
        run.saved = saved;
        run.saves = 0;
        EXPECT_THROW(call_with(run, options, call), CheckpointError);
        EXPECT_EQ(run.saves, 0);
    };
    const auto with_change = [&](double& number) {
        const double before = number;
        number += 1e-9;
        expect_refused({});
        number = before;
    };
    with_change(data.X[17]);
    with_change(data.y[3]);
    with_change(std::get<Mixing>(settings[20]).lambda);
    std::swap(data.X[0], data.X[1]);  // which no mean tells
    expect_refused({});
    std::swap(data.X[0], data.X[1]);
    expect_refused(by(Method::primal, 1e-9));
    run.saved = saved;
    EXPECT_GT(call_with(run, {}, call).second, 0);
}

TEST(Checkpoint, RefusesWhatIsNotWhole) {
    const Data data = random_regression(60, 300, 30);
    const auto settings = grid(data.problem(), 0.7, 20);
    Keeper run;
    const auto call = [&](const Options& with) {
        return solve_path(data.problem(), settings, with);
    };
    (void)call_with(run, {}, call);
    Bytes cut = run.saved;
    cut.resize(cut.size() - 1);
    EXPECT_THROW(Checkpoint({}, cut), CheckpointError);
    Bytes changed = run.saved;
    changed[changed.size() / 2] ^= std::byte{1};
    EXPECT_THROW(Checkpoint({}, changed), CheckpointError);
    EXPECT_THROW(Checkpoint({}, Bytes(3)), CheckpointError);
    EXPECT_NO_THROW(Checkpoint({}, run.saved));
}

}  // namespace
}  // namespace sven::test
