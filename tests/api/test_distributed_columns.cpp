// Columns that lie with several ranks, which are threads of this process: the same answers as in
// memory, from any number of them.

#include <atomic>
#include <numeric>

#include "support/certify.hpp"
#include "support/matrix_kinds.hpp"
#include "support/outcome_data.hpp"
#include "support/outside_matrix.hpp"
#include "support/solutions.hpp"
#include "support/thread_ranks.hpp"
#include "sven/cross_validation.hpp"
#include "sven/error.hpp"
#include "sven/predict.hpp"
#include "sven/session.hpp"

namespace sven::test {
namespace {

using Shared = std::shared_ptr<Communicator>;

struct Range {
    Index begin, end;
};

Range share(Index p, const Communicator& ranks) {
    return {p * ranks.rank() / ranks.size(), p * (ranks.rank() + 1) / ranks.size()};
}

// The columns of a rank, stored on their own.
StoredMatrix columns_of(const Data& data, Range range, const Kind& kind) {
    return {kind, data.n, range.end - range.begin,
            std::vector<double>(data.X.begin() + range.begin * data.n,
                                data.X.begin() + range.end * data.n)};
}

// work(problem) on rank 0, with X by columns. The traffic that the ranks had, and that X has told
// of.
template <class Work>
std::pair<Traffic, Traffic> over_columns(const Data& data, int size, const Kind& kind,
                                         const Work& work) {
    Traffic told;
    const Traffic sent = run_ranks(size, [&](const Shared& ranks) {
        const StoredMatrix part = columns_of(data, share(data.p, *ranks), kind);
        Traffic traffic;
        Options options;
        options.threads = 2;
        auto X = join_columns(
            ranks, [&] { return part.view(); }, options, traffic);
        ASSERT_EQ(X != nullptr, ranks->rank() == 0);
        if (!X) return;
        Problem problem = data.problem();
        problem.X = X;
        work(problem);
        told = X->traffic();
        told.messages += traffic.messages;
        told.bytes += traffic.bytes;
    });
    return {sent, told};
}

class DistributedColumnsOf : public testing::TestWithParam<Kind> {};

TEST_P(DistributedColumnsOf, GiveTheSamePath) {
    for (const auto& [rows, cols] : {std::pair<Index, Index>{60, 431}, {300, 23}}) {
        Data data = random_regression(rows, cols, 31);
        add_weights(data, 32);
        if (!GetParam().is_sparse)
            for (Index i = 0; i < rows; ++i) data.at(i, 5) += 1e4;  // a column that is shifted
        for (const Method method : {Method::primal, Method::dual}) {
            Options options;
            options.method = method;
            options.threads = 2;
            const auto settings = lambda_grid(data.problem(), {.alpha = 0.9, .count = 12}, options);
            const auto expected = solve_path(data.problem(), settings, options);
            std::vector<Solution> first;
            for (const int size : {1, 2, 3, 4}) {
                SCOPED_TRACE(size);
                const auto work = [&](const Problem& problem) {
                    const auto found = solve_path(problem, settings, options);
                    if (first.empty()) first = found;
                    for (std::size_t k = 0; k < settings.size(); ++k) {
                        certify(data, settings[k], found[k]);
                        EXPECT_LE(found[k].gap, 1e-10);
                        expect_same_coefficients(found[k], expected[k], 1e-9);
                        expect_same_coefficients(found[k], first[k], 1e-12);
                    }
                };
                const auto [sent, told] = over_columns(data, size, GetParam(), work);
                // and a word to each of the others when X has gone
                EXPECT_EQ(sent.messages, told.messages + static_cast<std::uint64_t>(size - 1));
                EXPECT_EQ(sent.bytes, told.bytes + static_cast<std::uint64_t>(size - 1));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DistributedColumnsOf, testing::ValuesIn(each_layout()), kind_name);

// A scheduler that runs some tasks twice, each over a copy of its columns that knows nothing of the
// tasks before.
class Scheduler final : public ColumnTasks {
  public:
    Scheduler(const Data& data, std::vector<Index> cols, const Kind& kind)
        : data_(data), cols_(std::move(cols)), kind_(kind) {}

    std::vector<std::string> run(std::span<const Task> tasks, const std::string& common,
                                 const std::function<bool()>& is_cancelled) override {
        std::vector<std::string> answers;
        for (const Task& task : tasks) {
            if (is_cancelled()) return {};
            const Index first = std::accumulate(cols_.begin(), cols_.begin() + task.part, Index{0});
            for (int times = 1 + runs_++ % 2; times > 0; --times) {
                const StoredMatrix part =
                    columns_of(data_, {first, first + cols_[task.part]}, kind_);
                std::string answer = answer_for_columns(part.view(), task.message, common, {});
                if (times == 1) answers.push_back(std::move(answer));
            }
            bytes += task.message.size() + common.size() + answers.back().size();
        }
        return answers;
    }

    std::uint64_t bytes = 0;

  private:
    const Data& data_;
    std::vector<Index> cols_;
    Kind kind_;
    int runs_ = 0;
};

TEST_P(DistributedColumnsOf, AreAnsweredForByTasks) {
    Data data = random_regression(60, 431, 31);
    add_weights(data, 32);
    if (!GetParam().is_sparse)
        for (Index i = 0; i < data.n; ++i) data.at(i, 5) += 1e4;  // a column that is shifted
    const auto settings = lambda_grid(data.problem(), {.alpha = 0.9, .count = 12}, {});
    const auto expected = solve_path(data.problem(), settings, {});
    const std::vector<Index> cols{100, 1, 330};
    const auto tasks = std::make_shared<Scheduler>(data, cols, GetParam());
    const auto X = ask_for_columns(tasks, data.n, cols);
    Problem problem = data.problem();
    problem.X = X;
    const auto found = solve_path(problem, settings, {});
    for (std::size_t k = 0; k < settings.size(); ++k) {
        certify(data, settings[k], found[k]);
        EXPECT_LE(found[k].gap, 1e-10);
        expect_same_coefficients(found[k], expected[k], 1e-9);
    }
    EXPECT_EQ(X->traffic().bytes, tasks->bytes);
}

TEST(DistributedColumns, TasksThatFail) {
    class Broken final : public ColumnTasks {
      public:
        std::string answer;
        std::vector<std::string> run(std::span<const Task> tasks, const std::string&,
                                     const std::function<bool()>&) override {
            if (answer == "none") return {};
            if (answer == "throw") throw std::runtime_error("the cluster is gone");
            return std::vector<std::string>(tasks.size(), answer);
        }
    };
    const Data data = random_regression(20, 50, 1);
    const auto tasks = std::make_shared<Broken>();
    Problem problem = data.problem();
    problem.X = ask_for_columns(tasks, data.n, std::vector<Index>{20, 30});
    const auto message = [&](const std::string& answer) -> std::string {
        tasks->answer = answer;
        try {
            (void)fit(problem, Penalty{1, 1}, {});
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message("throw"), "the cluster is gone");
    EXPECT_EQ(message("none"), "tasks of columns have not all answered");
    EXPECT_EQ(message("\1out of memory"), "part 0: out of memory");
    EXPECT_EQ(message(std::string(1, '\0')), "a message of another rank is damaged");
    EXPECT_THROW((void)ask_for_columns(tasks, 20, {}), InvalidArgument);
    EXPECT_THROW((void)ask_for_columns(tasks, 20, std::vector<Index>{3, 0}), InvalidArgument);
    EXPECT_THROW((void)ask_for_columns(tasks, 0, std::vector<Index>{3}), InvalidArgument);
}

// Folds ask side by side.
TEST(DistributedColumns, CrossValidate) {
    const Data data = random_regression(80, 300, 7);
    CrossValidation plan;
    plan.folds = make_folds(data.n, 5, 3);
    plan.grids = {{.alpha = 0.8, .count = 10}};
    Options options;
    options.method = Method::primal;
    options.threads = 3;
    const CvResult expected = cross_validate(data.problem(), plan, options);
    (void)over_columns(data, 3, {}, [&](const Problem& problem) {
        const CvResult found = cross_validate(problem, plan, options);
        ASSERT_EQ(found.curves.front().mean.size(), expected.curves.front().mean.size());
        for (std::size_t k = 0; k < found.curves.front().mean.size(); ++k)
            EXPECT_NEAR(found.curves.front().mean[k], expected.curves.front().mean[k],
                        1e-9 * expected.curves.front().mean[k]);
    });
}

TEST(DistributedColumns, OtherOutcomesAndPredictions) {
    for (const Family family : {Family::binomial, Family::poisson}) {
        const Data data = outcome_data(family, 90, 150, 11);
        Problem whole = data.problem();
        whole.family = family;
        const auto settings = lambda_grid(whole, {.alpha = 0.7, .count = 6});
        const auto expected = solve_path(whole, settings);
        (void)over_columns(data, 3, {}, [&](Problem problem) {
            problem.family = family;
            const auto found = solve_path(problem, settings);
            for (std::size_t k = 0; k < settings.size(); ++k)
                expect_same_coefficients(found[k], expected[k], 1e-7);
            const auto here = predict(whole.X, expected.back());
            const auto there = predict(problem.X, expected.back());
            for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i], there[i], 1e-12);
        });
    }
}

// Two sessions, and a prediction between them, have shifts of their own.
TEST(DistributedColumns, ServeSeveralSessions) {
    Data data = random_regression(50, 40, 5);
    for (Index i = 0; i < data.n; ++i) data.at(i, 30) += 1e5;
    Options options;
    options.method = Method::primal;
    const Setting setting = Mixing{0.1 * largest_lambda(data), 0.9};
    const Solution expected = fit(data.problem(), setting, options);
    (void)over_columns(data, 2, {}, [&](const Problem& problem) {
        Session one(problem, options);
        expect_same_coefficients(one.fit(setting), expected, 1e-9);
        (void)predict(problem.X, expected);
        {
            Session other(problem, options);
            expect_same_coefficients(other.fit(setting), expected, 1e-9);
        }
        expect_same_coefficients(one.fit(setting), expected, 1e-9);
        std::vector<double> read(6);
        const std::vector<Index> columns{39, 0};
        std::get<SharedMatrix>(problem.X)->read({10, 13}, columns, read.data(), 3);
        for (Index i = 0; i < 3; ++i) {
            EXPECT_EQ(read[i], data.at(10 + i, 39));
            EXPECT_EQ(read[3 + i], data.at(10 + i, 0));
        }
    });
}

TEST(DistributedColumns, RanksMayHaveNone) {
    const Data data = random_regression(40, 3, 5);
    const Setting setting = Penalty{0.5, 1};
    const Solution expected = fit(data.problem(), setting);
    for (const Kind& kind : each_layout())
        (void)over_columns(data, 5, kind, [&](const Problem& problem) {
            expect_same_coefficients(fit(problem, setting), expected, 1e-9);
        });
}

TEST(DistributedColumns, AnErrorIsThatOfAllRanks) {
    const Data data = random_regression(40, 9, 5);
    const Data other = random_regression(41, 9, 5);
    for (const bool throws : {true, false}) {
        std::vector<std::string> words(3);
        (void)run_ranks(3, [&](const Shared& ranks) {
            Traffic traffic;
            const Data& own = !throws && ranks->rank() == 2 ? other : data;
            const auto of_this_rank = [&]() -> MatrixView {
                if (throws && ranks->rank() == 1) throw ParseError("no such file");
                return column_major(own.X.data(), own.n, own.p);
            };
            try {
                (void)join_columns(ranks, of_this_rank, {}, traffic);
            } catch (const InvalidArgument& error) {
                words[ranks->rank()] = error.what();
            }
        });
        for (const std::string& sentence : words)
            EXPECT_EQ(sentence, throws ? "rank 1: no such file"
                                       : "rank 2 has columns of 41 rows, rank 0 of 40");
    }
}

// Entries that cannot be read any more.
class Broken final : public CustomMatrix {
  public:
    Index rows() const override { return 40; }
    Index cols() const override { return 5; }
    void read(Rows, std::span<const Index>, double*, Index) const override {
        throw std::runtime_error("the disk has gone");
    }
};

TEST(DistributedColumns, AnErrorOnTheWayEndsTheCallOfTheFirst) {
    const Data data = random_regression(40, 9, 5);
    std::string words;
    std::atomic<int> ended{0};
    (void)run_ranks(3, [&](const Shared& ranks) {
        Traffic traffic;
        const auto X = join_columns(
            ranks,
            [&]() -> MatrixView {
                if (ranks->rank() == 2) return std::make_shared<const Broken>();
                return column_major(data.X.data(), data.n, data.p);
            },
            {}, traffic);
        ++ended;
        if (!X) return;
        Problem problem = data.problem();
        problem.X = X;
        try {
            (void)fit(problem, Penalty{1, 1});
        } catch (const Error& error) {
            words = error.what();
        }
    });
    EXPECT_EQ(words, "rank 2: the disk has gone");
    EXPECT_EQ(ended, 3);
}

TEST(DistributedColumns, AreLeftWhenCancelled) {
    const Data data = random_regression(60, 200, 5);
    const CancelToken cancel{true};
    Options options;
    options.cancel = &cancel;
    (void)over_columns(data, 3, {}, [&](const Problem& problem) {
        EXPECT_EQ(fit(problem, Penalty{1, 1}, options).status, Status::cancelled);
    });
}

}  // namespace
}  // namespace sven::test
