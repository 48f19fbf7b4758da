// The reduction of distributed.hpp over ranks that are threads of this process.

#include "support/certify.hpp"
#include "support/solutions.hpp"
#include "support/summed.hpp"
#include "support/thread_ranks.hpp"
#include "sven/distributed.hpp"
#include "sven/error.hpp"
#include "sven/statistics_file.hpp"

namespace sven::test {
namespace {

Data part_of(const Data& data, int rank, int size) {
    return rows_of(data, data.n * rank / size, data.n * (rank + 1) / size);
}

TEST(Distributed, AnswersDoNotDependOnTheRanks) {
    const Data data = random_regression(211, 15, 5);
    const Setting setting = Mixing{0.05 * largest_lambda(data), 0.8};
    const Solution expected = fit(data.problem(), setting);
    for (const int size : {1, 2, 3, 4, 5, 8}) {
        std::vector<Statistics> results(static_cast<std::size_t>(size));
        std::vector<Traffic> told(results.size());
        const Traffic traffic = run_ranks(size, [&](Communicator& ranks) {
            const Data part = part_of(data, ranks.rank(), ranks.size());
            results[ranks.rank()] = sum_on_root(
                ranks, [&] { return Statistics(part.problem()); }, told[ranks.rank()]);
        });
        EXPECT_EQ(results[0].rows(), 211);
        for (int rank = 1; rank < size; ++rank) EXPECT_EQ(results[rank].rows(), 0);
        EXPECT_EQ(traffic.messages, 2 * (size - 1));
        for (const Traffic& one : told) {
            EXPECT_EQ(one.messages, traffic.messages);
            EXPECT_EQ(one.bytes, traffic.bytes);
        }
        const Solution solution = fit(without_rows(data, results[0]), setting);
        certify(data, setting, solution);
        expect_same_coefficients(solution, expected, 1e-12);
    }
}

TEST(Distributed, EveryRankMayHaveTheSum) {
    const Data data = random_regression(50, 4, 6);
    std::vector<std::string> results(3);
    (void)run_ranks(3, [&](Communicator& ranks) {
        const Data part = part_of(data, ranks.rank(), ranks.size());
        Traffic traffic;
        const Statistics sum = sum_on_all(
            ranks, [&] { return Statistics(part.problem()); }, traffic);
        results[ranks.rank()] = io::encode(sum);
    });
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(Distributed, RanksWithoutRowsAreNoneTheLess) {
    const Data data = random_regression(50, 4, 6);
    for (const int holder : {0, 2, 4}) {
        Index rows = 0;
        (void)run_ranks(5, [&](Communicator& ranks) {
            Traffic traffic;
            const auto of_this_rank = [&] {
                return ranks.rank() == holder ? Statistics(data.problem()) : Statistics();
            };
            const Statistics sum = sum_on_root(ranks, of_this_rank, traffic);
            if (ranks.rank() == 0) rows = sum.rows();
        });
        EXPECT_EQ(rows, 50);
    }
}

// Of two ranks that fail all hear of the first; so they do where statistics do not fit.
TEST(Distributed, AnErrorIsThatOfAllRanks) {
    const Data data = random_regression(50, 4, 6);
    const Data other = random_regression(50, 5, 6);
    for (const bool throws : {true, false}) {
        std::vector<std::string> words(4);
        (void)run_ranks(4, [&](Communicator& ranks) {
            Traffic traffic;
            const auto of_this_rank = [&] {
                if (throws && ranks.rank() % 2 == 1) throw ParseError("no such file");
                return Statistics((!throws && ranks.rank() == 2 ? other : data).problem());
            };
            try {
                (void)sum_on_root(ranks, of_this_rank, traffic);
            } catch (const InvalidArgument& error) {
                words[ranks.rank()] = error.what();
            }
        });
        for (const std::string& sentence : words)
            EXPECT_EQ(sentence, throws ? "rank 1: no such file"
                                       : "statistics of 5 columns and of 4 do not add up");
    }
}

TEST(Distributed, NumbersAreKnownToAll) {
    for (const int size : {1, 3, 6})
        (void)run_ranks(size, [&](Communicator& ranks) {
            Traffic traffic;
            const std::vector<Index> numbers = gather_on_all(
                ranks, [&] { return Index{10} * ranks.rank(); }, traffic);
            for (int rank = 0; rank < size; ++rank) EXPECT_EQ(numbers[rank], 10 * rank);
        });
}

}  // namespace
}  // namespace sven::test
