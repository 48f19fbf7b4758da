// How a solve behaves: the same bits from run to run, two at once, cancelled, watched. For the same
// bits with any number of threads see test_same_bits.cpp.

#include <atomic>
#include <chrono>
#include <thread>

#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"
#include "support/options.hpp"
#include "support/solutions.hpp"

namespace sven::test {
namespace {

std::vector<Setting> grid(const Problem& problem, double alpha, int count) {
    return lambda_grid(problem, {.alpha = alpha, .count = count});
}

// Wide enough, and tall enough, for the threads to be used.
std::vector<Data> large_ones() {
    return {random_regression(120, 3000, 5), random_regression(4000, 60, 6)};
}

TEST(Behaviour, SameBitsFromRunToRun) {
    for (const Data& data : large_ones())
        for (const double alpha : {1.0, 0.5})
            for (const int threads : {1, 2, 4}) {
                const Options options = with_threads(threads);
                const auto settings = grid(data.problem(), alpha, 12);
                const auto first = solve_path(data.problem(), settings, options);
                for (int repeat = 0; repeat < 3; ++repeat)
                    expect_same_bits(first, solve_path(data.problem(), settings, options));
            }
}

TEST(Behaviour, TwoFitsAtOnce) {
    const Data wide = random_regression(60, 400, 7);
    const Data tall = random_regression(500, 20, 8);
    Options options = with_threads(2);
    const auto run = [&](const Data& data) {
        return solve_path(data.problem(), grid(data.problem(), 0.7, 10), options);
    };
    const auto wide_alone = run(wide);
    const auto tall_alone = run(tall);
    std::vector<Solution> wide_beside;
    std::vector<Solution> tall_beside;
    std::jthread other([&] { wide_beside = run(wide); });
    tall_beside = run(tall);
    other.join();
    expect_same_bits(wide_alone, wide_beside);
    expect_same_bits(tall_alone, tall_beside);
}

TEST(Behaviour, ProgressCountsToTheEnd) {
    for (const Data& data : large_ones()) {
        const auto settings = grid(data.problem(), 0.5, 12);
        Options options;
        Index last = 0;
        options.progress = [&](const Progress& progress) {
            EXPECT_GE(progress.done, last);
            EXPECT_EQ(progress.total, 12);
            EXPECT_LE(progress.gap, 1e-10);
            last = progress.done;
        };
        (void)solve_path(data.problem(), settings, options);
        EXPECT_EQ(last, 12);
    }
}

TEST(Behaviour, CancelKeepsWhatIsFinished) {
    const Data data = random_regression(150, 4000, 9);
    const auto settings = grid(data.problem(), 0.5, 30);
    CancelToken cancel{false};
    Options options;
    options.cancel = &cancel;
    std::chrono::steady_clock::time_point asked;
    options.progress = [&](const Progress& progress) {
        if (progress.done < 5 || cancel) return;
        asked = std::chrono::steady_clock::now();
        cancel = true;
    };
    const auto path = solve_path(data.problem(), settings, options);
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - asked;
    EXPECT_LT(waited.count(), 1.0);  // 0.1 promised; a busy machine gets more
    Index finished = 0;
    for (std::size_t k = 0; k < path.size(); ++k) {
        if (path[k].status == Status::cancelled) {
            EXPECT_TRUE(path[k].coefficients.empty());
            continue;
        }
        ++finished;
        certify(data, settings[k], path[k]);
    }
    EXPECT_GE(finished, 5);
    EXPECT_LT(finished, 30);
}

TEST(Behaviour, CancelledBeforeItBegins) {
    const Data data = random_regression(50, 200, 10);
    CancelToken cancel{true};
    Options options;
    options.cancel = &cancel;
    for (const Method method : {Method::primal, Method::dual}) {
        options.method = method;
        EXPECT_EQ(fit(data.problem(), Mixing{0.1, 0.5}, options).status, Status::cancelled);
    }
}

// From another thread, at moments spread over the run; on every kind of storage.
class CancelledMidway : public testing::TestWithParam<Kind> {
  protected:
    using Clock = std::chrono::steady_clock;

    static double seconds_since(Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }
    // What was finished is whole, the rest is empty.
    static void expect_no_half_results(const Data& data, const std::vector<Setting>& settings,
                                       const std::vector<Solution>& path) {
        for (std::size_t k = 0; k < path.size(); ++k) {
            if (path[k].status == Status::cancelled)
                EXPECT_TRUE(path[k].coefficients.empty());
            else
                certify(data, settings[k], path[k]);
        }
    }
};

TEST_P(CancelledMidway, StopsAndLeavesNoHalfResult) {
    Data wide = random_regression(150, 2500, 11);
    Data tall = random_regression(6000, 80, 12);
    for (Data* data : {&wide, &tall}) {
        // zeros for the sparse kinds; float32 holds what is left exactly
        for (std::size_t e = 0; e < data->X.size(); ++e)
            data->X[e] = e % 3 == 0 ? static_cast<float>(data->X[e]) : 0;
        const StoredMatrix matrix(GetParam(), data->n, data->p, data->X);
        Problem problem = data->problem();
        problem.X = matrix.view();
        const auto settings = lambda_grid(problem, {.alpha = 0.5, .count = 12});
        for (const int threads : {1, 2}) {
            Options options = with_threads(threads);
            const auto start = Clock::now();
            static_cast<void>(solve_path(problem, settings, options));
            const double whole = seconds_since(start);
            double longest = 0;
            for (const double share : {0.1, 0.3, 0.5, 0.7}) {
                CancelToken cancel{false};
                options.cancel = &cancel;
                std::atomic<Clock::time_point> asked{};
                std::jthread other([&] {
                    std::this_thread::sleep_for(std::chrono::duration<double>(share * whole));
                    asked = Clock::now();
                    cancel = true;
                });
                const auto path = solve_path(problem, settings, options);
                const auto returned = Clock::now();
                other.join();
                const std::chrono::duration<double> waited = returned - asked.load();
                longest = std::max(longest, waited.count());  // negative: done before it was asked
                expect_no_half_results(*data, settings, path);
            }
            EXPECT_LT(longest, 1.0);  // 0.1 promised; a busy machine gets more
            RecordProperty("latency_ms_" + std::to_string(data->n) + "_" + std::to_string(threads),
                           std::to_string(1e3 * longest));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CancelledMidway, testing::ValuesIn(each_layout()), kind_name);

}  // namespace
}  // namespace sven::test
