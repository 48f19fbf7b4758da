#pragma once
// Runs a call over and over, each time with no memory at another one of its allocations.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/allocations.hpp"

namespace sven::test {

// Of calls that take long some of the allocations fail, ever fewer, unless SVEN_EVERY_ALLOCATION is
// set; of others every one.
enum class Pace { quick, slow };

inline long after(long number, Pace pace) {
    static const bool is_every = std::getenv("SVEN_EVERY_ALLOCATION") != nullptr;
    return is_every || pace == Pace::quick ? number + 1 : number + 1 + number / 3;
}

// `call` returns something that can be compared. There is no memory at one allocation, and then
// from that one on: it must throw std::bad_alloc and nothing else, or do without, give back what it
// took, and return the same as ever when it is called again.
template <class Call>
void expect_clean_failures(const std::string& name, const Call& call, Pace pace = Pace::quick) {
    const auto expected = call();  // memory that threads keep is theirs from now on
    const long total = allocations_during([&] { EXPECT_TRUE(call() == expected) << name; });
    long runs = 0;
    long failed = 0;
    for (const bool for_good : {false, true}) {
        for (long number = 1; number <= total; number = after(number, pace)) {
            SCOPED_TRACE(testing::Message() << name << ", allocation " << number << " of " << total
                                            << (for_good ? " and all later ones" : ""));
            const long before = live_blocks;
            ++runs;
            try {
                const NoMemory fault(number, for_good);
                EXPECT_TRUE(call() == expected);
            } catch (const std::bad_alloc&) {
                ++failed;
            }
            EXPECT_EQ(live_blocks - before, 0) << "blocks were not given back";
            EXPECT_TRUE(for_good || call() == expected) << "after the failure";
            if (testing::Test::HasFailure()) return;
        }
    }
    EXPECT_GT(failed, runs / 2);
    std::printf("%s: %ld allocations, %ld runs, %ld std::bad_alloc\n", name.c_str(), total, runs,
                failed);
}

}  // namespace sven::test
