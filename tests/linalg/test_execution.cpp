// Threads and the cancel token.

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "linalg/execution.hpp"
#include "linalg/panel.hpp"

namespace sven::linalg {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnce) {
    for (const int threads : {1, 2, 4})
        for (const Index count : {0, 1, 2, 3, 97}) {
            std::vector<int> visits(static_cast<std::size_t>(count));
            parallel_for({threads, nullptr}, threads, count, [&](Index k) { ++visits[k]; });
            for (const int v : visits) EXPECT_EQ(v, 1);
        }
}

TEST(ParallelFor, StopsAtTheTokenAndThrows) {
    for (const int threads : {1, 2, 4}) {
        std::atomic<bool> cancel{false};
        std::atomic<Index> done{0};
        const Execution execution{threads, &cancel};
        EXPECT_THROW(parallel_for(execution, threads, 10000,
                                  [&](Index) {
                                      if (++done == 5) cancel = true;
                                  }),
                     Cancelled);
        EXPECT_LT(done.load(), 10000);
        EXPECT_GE(done.load(), 5);
    }
}

// The last body may have seen it, and left its work undone.
TEST(ParallelFor, ThrowsWhereTheTokenIsSetInTheLastBody) {
    for (const int threads : {1, 2}) {
        std::atomic<bool> cancel{false};
        const Execution execution{threads, &cancel};
        const auto body = [&](Index k) {
            if (k == 2) cancel = true;
        };
        EXPECT_THROW(parallel_for(execution, threads, 3, body), Cancelled) << threads;
    }
}

TEST(ParallelFor, DoesNothingAfterACancel) {
    std::atomic<bool> cancel{true};
    for (const int threads : {1, 3}) {
        Index done = 0;
        EXPECT_THROW(parallel_for({threads, &cancel}, threads, 8, [&](Index) { ++done; }),
                     Cancelled);
        EXPECT_EQ(done, 0);
    }
}

// An exception that leaves a team ends the process.
TEST(ParallelFor, ThrowsWhatABodyThrew) {
    for (const int threads : {1, 2, 4}) {
        std::atomic<Index> done{0};
        const auto body = [&](Index k) {
            ++done;
            if (k == 3) throw std::bad_alloc();
        };
        EXPECT_THROW(parallel_for({threads, nullptr}, threads, 10000, body), std::bad_alloc);
        EXPECT_LT(done.load(), 10000);
        EXPECT_NO_THROW(parallel_for({threads, nullptr}, threads, 3, body));
    }
}

TEST(ParallelRanges, ThrowWhatABodyThrew) {
    const auto body = [](Index begin, Index) {
        if (begin == 0) throw std::bad_alloc();
    };
    for (const int threads : {1, 2, 4}) {
        EXPECT_THROW(parallel_ranges(threads, 64, 1, body), std::bad_alloc);
        EXPECT_THROW(parallel_pieces({threads, nullptr}, 1e9, 64, 1, body), std::bad_alloc);
    }
}

TEST(ParallelRanges, CoverEveryIndexOnceAndBeginAtGrains) {
    for (const int threads : {1, 2, 4, 7})
        for (const Index count : {0, 1, 5, 63, 64, 65, 1000}) {
            std::vector<int> visits(static_cast<std::size_t>(count));
            std::atomic<bool> is_aligned{true};
            parallel_ranges(threads, count, 16, [&](Index begin, Index end) {
                if (begin % 16 != 0) is_aligned = false;
                for (Index k = begin; k < end; ++k) ++visits[k];
            });
            EXPECT_TRUE(is_aligned);
            for (const int v : visits) EXPECT_EQ(v, 1);
        }
}

TEST(ParallelPieces, CoverEveryIndexOnceAndBeginAtGrains) {
    for (const int threads : {1, 2, 4})
        for (const Index count : {0, 1, 5, 63, 64, 65, 1000})
            for (const double work : {0.0, 1e3, 1e7, 1e9}) {
                std::vector<int> visits(static_cast<std::size_t>(count));
                std::atomic<bool> is_aligned{true};
                parallel_pieces({threads, nullptr}, work, count, 16, [&](Index begin, Index end) {
                    if (begin % 16 != 0) is_aligned = false;
                    for (Index k = begin; k < end; ++k) ++visits[k];
                });
                EXPECT_TRUE(is_aligned);
                for (const int v : visits) EXPECT_EQ(v, 1);
            }
}

// A thousand indices, two to a piece.
TEST(ParallelPieces, AreOfAFixedSize) {
    std::vector<Index> lengths;
    parallel_pieces({1, nullptr}, 500 * piece_operations, 1000, 1,
                    [&](Index begin, Index end) { lengths.push_back(end - begin); });
    EXPECT_EQ(lengths, std::vector<Index>(500, 2));
}

TEST(ParallelPieces, StopAtTheTokenAndThrow) {
    for (const int threads : {1, 2, 4}) {
        std::atomic<bool> cancel{false};
        std::atomic<Index> done{0};
        EXPECT_THROW(parallel_pieces({threads, &cancel}, 1e9, 10000, 1,
                                     [&](Index begin, Index end) {
                                         if ((done += end - begin) > 100) cancel = true;
                                     }),
                     Cancelled);
        EXPECT_GT(done.load(), 100);
        EXPECT_LT(done.load(), 1000);
    }
}

TEST(ParallelPieces, AreAsLargeAsAskedFor) {
    const auto pieces = [](double piece_work) {
        Index count = 0;
        parallel_pieces(
            {1, nullptr}, 1e9, 1000, 10, [&](Index, Index) { ++count; }, piece_work);
        return count;
    };
    EXPECT_EQ(pieces(1e8), 10);
    EXPECT_EQ(pieces(1e7), 100);
    EXPECT_EQ(pieces(1e3), 100);  // not below the grain
    EXPECT_EQ(pieces(1e12), 1);
}

TEST(Buffer, ThatIsCancelledWhileItGrowsIsAsBefore) {
    std::atomic<bool> cancel{false};
    const Execution execution{1, &cancel};
    Buffer<double> buffer(3);
    buffer[2] = 7;
    buffer.grow(100, 3, execution);
    EXPECT_EQ(buffer[2], 7);
    EXPECT_GE(buffer.capacity(), 100);
    const double* before = buffer.data();
    cancel = true;
    EXPECT_THROW(buffer.grow(10000, 3, execution), Cancelled);
    EXPECT_EQ(buffer.data(), before);
    EXPECT_EQ(buffer[2], 7);
}

TEST(Panel, IsNotClearedAfterACancel) {
    std::atomic<bool> cancel{true};
    Panel panel;
    EXPECT_THROW(panel.resize(10, 3, {1, &cancel}), Cancelled);
    cancel = false;
    panel.resize(10, 3, {1, &cancel});
    EXPECT_EQ(panel.row(9)[2], 0);
}

TEST(Poll, LooksAtOnceAndThenNowAndThen) {
    std::atomic<bool> cancel{true};
    const Execution execution{1, &cancel};
    Poll poll(execution);
    EXPECT_TRUE(poll.stops_after(1));
    EXPECT_FALSE(poll.stops_after(poll_operations / 2));
    EXPECT_TRUE(poll.stops_after(poll_operations / 2));
    EXPECT_TRUE(poll.stops_after(2 * poll_operations));
    cancel = false;
    EXPECT_FALSE(poll.stops_after(2 * poll_operations));
}

TEST(Execution, KeepsSmallWorkOnOneThread) {
    const Execution execution{4, nullptr};
    EXPECT_EQ(execution.team_for(10).threads, 1);
    EXPECT_EQ(execution.team_for(1e9).threads, 4);
    EXPECT_TRUE(execution.team_for(1e9).wakes);
}

TEST(Execution, OffersWorkOfMiddlingSizeToThreadsThatAreAwake) {
    const Execution execution{4, nullptr};
    EXPECT_EQ(execution.small_team_for(small_team_operations / 2).threads, 1);
    EXPECT_EQ(execution.small_team_for(small_team_operations).threads, 4);
    EXPECT_FALSE(execution.small_team_for(small_team_operations).wakes);
    EXPECT_TRUE(execution.small_team_for(team_operations).wakes);
}

TEST(Execution, ChecksTheToken) {
    std::atomic<bool> cancel{false};
    const Execution execution{1, &cancel};
    EXPECT_NO_THROW(execution.check());
    cancel = true;
    EXPECT_THROW(execution.check(), Cancelled);
}

}  // namespace
}  // namespace sven::linalg
