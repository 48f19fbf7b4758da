// The kernels of packed genotypes.

#include <gtest/gtest.h>

#include "linalg/instruction_sets.hpp"
#include "support/problems.hpp"

namespace sven::test {
namespace {

// The kernels of every instruction set, on the planes of 64 people.
class GenotypeKernelSets : public EveryInstructionSet {};

TEST_P(GenotypeKernelSets, SumWhatTheCodesSay) {
    const linalg::GenotypeKernels& set = kernels().genotypes;
    Random random(4);
    const std::vector<double> Q = random_vector(64 * 8, 2);
    alignas(64) std::array<double, linalg::table_entries> tables{};
    for (int trial = 0; trial < 50; ++trial) {
        std::array<std::uint64_t, 2> codes{}, planes{};
        std::uint64_t missing = 0;
        for (std::uint64_t& word : codes)
            for (int bit = 0; bit < 64; ++bit)
                word |= static_cast<std::uint64_t>(random.uniform() < 0.5) << bit;
        const std::uint64_t flip = trial % 2 == 0 ? ~std::uint64_t{0} : 0;
        EXPECT_TRUE(set.split(codes.data(), 2, flip, planes.data(), 1, &missing));
        std::array<double, 8> sums{}, lost{};
        for (int half = 0; half < 2; ++half) {
            set.tables(Q.data(), 8, half, tables.data());
            set.sums(&planes[half], 1, tables.data(), sums.data());
        }
        // of the second of two columns
        std::array<double, 16> added{};
        for (int half = 0; half < 2; ++half) {
            const std::uint64_t bits = (missing >> (32 * half)) & 0xffffffff;
            const std::uint64_t word = (std::uint64_t{1} << 32) | bits;
            if (bits != 0)
                set.add_missing(&word, 1, Q.data() + linalg::person_of(half, 0) * 8, 8,
                                added.data());
        }
        for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(added[k], 0);
        std::copy(added.begin() + 8, added.end(), lost.begin());
        std::array<Index, 3> counts{}, expected_counts{};
        const std::array<std::uint64_t, 2> mask{0x5555555555555555, 0x0055555555555555};
        set.count(codes.data(), mask.data(), 2, counts.data());
        std::array<double, 8> expected{}, expected_lost{};
        for (Index i = 0; i < 64; ++i) {
            const auto code = (codes[i / 32] >> (2 * (i % 32))) & 3U;
            const double of_a2 = code == 3 ? 2 : code == 2 ? 1 : 0;
            const double alleles = flip == 0 ? of_a2 : 2 - of_a2;
            if (i < 60 && code > 0) ++expected_counts[code - 1];
            for (Index k = 0; k < 8; ++k)
                (code == 1 ? expected_lost : expected)[k] +=
                    (code == 1 ? 1 : alleles) * Q[i * 8 + k];
        }
        EXPECT_EQ(counts, expected_counts);
        for (std::size_t k = 0; k < 8; ++k) {
            EXPECT_NEAR(sums[k], expected[k], 1e-13);
            EXPECT_NEAR(lost[k], expected_lost[k], 1e-13);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, GenotypeKernelSets, instruction_sets(), set_name);

}  // namespace
}  // namespace sven::test
