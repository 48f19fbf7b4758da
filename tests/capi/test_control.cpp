// Threads, cancellation and progress through the C interface.

#include <atomic>
#include <thread>

#include "capi/plain.hpp"

namespace sven::test {
namespace {

TEST(CControl, TwoThreadsWithTwoSessions) {
    const Data data = random_regression(60, 200, 1);
    const Solution expected = Session(data.problem()).fit(Mixing{0.05, 0.6});
    std::atomic<int> good = 0;
    std::string first_error;
    std::string second_error;
    const auto work = [&](double bad_alpha, std::string& error) {
        for (int repeat = 0; repeat < 20; ++repeat) {
            const PlainSession session = plain_session(data);
            const PlainPath path = plain_fit(session, SVEN_MIXING, 0.05, 0.6);
            const SvenSolution found = solution(path.get());
            if (found.gap == expected.gap && found.intercept == expected.intercept) ++good;
            SvenPath* none = nullptr;
            EXPECT_EQ(sven_fit(session.get(), SVEN_MIXING, 0.05, bad_alpha, &none),
                      SVEN_INVALID_ARGUMENT);
            error = sven_last_error();
        }
    };
    std::thread first(work, 2, std::ref(first_error));
    std::thread second(work, 3, std::ref(second_error));
    first.join();
    second.join();
    EXPECT_EQ(good, 40);
    EXPECT_NE(first_error.find("alpha is 2"), std::string::npos) << first_error;
    EXPECT_NE(second_error.find("alpha is 3"), std::string::npos) << second_error;
}

TEST(CControl, TheLastErrorIsTheThreadsOwn) {
    EXPECT_NE(sven_path_count(nullptr, nullptr), SVEN_OK);
    EXPECT_STREQ(sven_last_error(), "path is NULL");
    std::thread([] { EXPECT_STREQ(sven_last_error(), ""); }).join();
    EXPECT_STREQ(sven_last_error(), "path is NULL");
}

struct Reports {
    int calls = 0;
    int stop_after = 0;  // 0: never
    Index done = 0;
    Index total = 0;
    double gap = -1;
    bool is_elsewhere = false;
    std::thread::id thread = std::this_thread::get_id();
};

int report(int64_t done, int64_t total, double gap, void* user) {
    auto& reports = *static_cast<Reports*>(user);
    reports.done = done;
    reports.total = total;
    reports.gap = gap;
    reports.is_elsewhere |= reports.thread != std::this_thread::get_id();
    return ++reports.calls == reports.stop_after ? 1 : 0;
}

SvenOptions watched_by(Reports& reports) {
    SvenOptions options = plain_options();
    options.threads = 1;
    options.progress = report;
    options.user = &reports;
    return options;
}

PlainPath grid_path(const PlainSession& session, Index count) {
    std::vector<double> lambdas(static_cast<std::size_t>(count));
    EXPECT_OK(sven_lambda_grid(session.get(), SVEN_MIXING, 1, 0, count, lambdas.data()));
    const std::vector<double> alphas(static_cast<std::size_t>(count), 1.0);
    SvenPath* path = nullptr;
    EXPECT_OK(
        sven_solve_path(session.get(), SVEN_MIXING, lambdas.data(), alphas.data(), count, &path));
    return PlainPath(path);
}

Index cancelled(const SvenPath* path) {
    Index count = 0;
    EXPECT_OK(sven_path_count(path, &count));
    Index found = 0;
    for (Index k = 0; k < count; ++k) found += solution(path, k).status == SVEN_CANCELLED ? 1 : 0;
    return found;
}

TEST(CControl, ProgressIsReportedToTheEnd) {
    const Data data = random_regression(40, 100, 2);
    Reports reports;
    const SvenOptions options = watched_by(reports);
    const PlainSession session = plain_session(data, &options);
    const PlainPath path = grid_path(session, 30);
    EXPECT_GT(reports.calls, 1);
    EXPECT_EQ(reports.done, 30);
    EXPECT_EQ(reports.total, 30);
    EXPECT_GE(reports.gap, 0);
    EXPECT_LE(reports.gap, 1e-10);
    EXPECT_FALSE(reports.is_elsewhere);
    EXPECT_EQ(cancelled(path.get()), 0);
}

TEST(CControl, ProgressCanStopOneCallAndNotTheNext) {
    const Data data = random_regression(40, 100, 3);
    Reports reports;
    reports.stop_after = 1;
    const SvenOptions options = watched_by(reports);
    const PlainSession session = plain_session(data, &options);
    const PlainPath stopped = grid_path(session, 60);
    EXPECT_GT(cancelled(stopped.get()), 0);
    EXPECT_LT(cancelled(stopped.get()), 60);
    const PlainPath whole = grid_path(session, 60);
    EXPECT_EQ(cancelled(whole.get()), 0);
    SvenOptions unwatched = options;
    unwatched.progress = nullptr;
    const int calls = reports.calls;
    ASSERT_OK(sven_set_options(session.get(), &unwatched));
    EXPECT_EQ(cancelled(grid_path(session, 60).get()), 0);
    EXPECT_EQ(reports.calls, calls);
}

TEST(CControl, CrossValidationStoppedByProgressIsInterrupted) {
    const Data data = random_regression(40, 10, 4);
    Reports reports;
    reports.stop_after = 1;
    const SvenOptions options = watched_by(reports);
    const PlainSession session = plain_session(data, &options);
    std::vector<Index> fold_of_row(40);
    ASSERT_OK(sven_make_folds(40, 5, 1, 1, fold_of_row.data()));
    SvenCvPlan plan;
    ASSERT_OK(sven_cv_plan_init(&plan, sizeof plan));
    plan.fold_of_row = fold_of_row.data();
    auto* cv = reinterpret_cast<SvenCv*>(&plan);  // to see it set to NULL
    EXPECT_EQ(sven_cross_validate(session.get(), &plan, &cv), SVEN_INTERRUPTED);
    EXPECT_EQ(cv, nullptr);
    EXPECT_STREQ(sven_last_error(), "the cross-validation was cancelled");
    EXPECT_OK(sven_cross_validate(session.get(), &plan, &cv));
    sven_cv_free(cv);
}

TEST(CControl, ACancelHoldsUntilItIsTakenBack) {
    const Data data = random_regression(40, 100, 5);
    const PlainSession session = plain_session(data);
    ASSERT_OK(sven_cancel(session.get(), 1));
    for (int repeat = 0; repeat < 2; ++repeat) {
        const PlainPath path = plain_fit(session, SVEN_MIXING, 0.01, 1);
        EXPECT_EQ(solution(path.get()).status, SVEN_CANCELLED);
        EXPECT_EQ(solution(path.get()).nonzeros, 0);
    }
    double lambda = 0;
    EXPECT_EQ(sven_lambda_grid(session.get(), SVEN_MIXING, 1, 0, 1, &lambda), SVEN_INTERRUPTED);
    ASSERT_OK(sven_cancel(session.get(), 0));
    const PlainPath path = plain_fit(session, SVEN_MIXING, 0.01, 1);
    EXPECT_EQ(solution(path.get()).status, SVEN_OPTIMAL);
}

TEST(CControl, ACancelOfAnotherThreadStopsASolve) {
    const Data data = random_regression(300, 3000, 6);
    std::atomic<bool> has_begun = false;
    SvenOptions options = plain_options();
    options.user = &has_begun;
    options.progress = [](int64_t, int64_t, double, void* user) {
        *static_cast<std::atomic<bool>*>(user) = true;
        return 0;
    };
    const PlainSession session = plain_session(data, &options);
    std::thread canceller([&] {
        while (!has_begun) std::this_thread::yield();
        EXPECT_OK(sven_cancel(session.get(), 1));
    });
    std::vector<double> lambdas(2000);
    ASSERT_OK(sven_lambda_grid(session.get(), SVEN_MIXING, 1, 1e-3, 2000, lambdas.data()));
    const std::vector<double> alphas(2000, 1.0);
    SvenPath* made = nullptr;
    EXPECT_OK(
        sven_solve_path(session.get(), SVEN_MIXING, lambdas.data(), alphas.data(), 2000, &made));
    const PlainPath path(made);
    canceller.join();
    EXPECT_GT(cancelled(path.get()), 0);
}

}  // namespace
}  // namespace sven::test
