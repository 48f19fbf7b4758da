#pragma once
// The columns of a GenotypeView: codes of two bits, decoded block by block, and the dense columns
// that follow them.

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "linalg/genotype_kernels.hpp"
#include "linalg/tuning.hpp"
#include "sven/matrix.hpp"

namespace sven::linalg {

// Codes of 32 people each.
inline constexpr Index code_people = 32;
inline constexpr Index block_bytes = genotype_block_people / 4;
inline constexpr Index block_words = genotype_block_people / code_people;
static_assert(block_words == 2 * missing_words);
using CodeBlock = std::array<std::uint64_t, block_words>;

// Rows [begin, end).
struct RowRange {
    Index begin = 0;
    Index end = 0;
};

class Genotypes {
  public:
    explicit Genotypes(const GenotypeView& X);

    Index rows() const { return sven::rows(view_); }
    Index people() const { return view_.people; }
    Index variants() const { return view_.variants; }
    Index blocks() const { return (people() + genotype_block_people - 1) / genotype_block_people; }
    bool is_variant(Index j) const { return j < variants(); }
    Allele counted() const { return view_.counted; }
    // Of the columns beside the variants.
    const double* dense_column(Index j) const {
        return static_cast<const double*>(view_.beside.data) +
               (j - variants()) * view_.beside.stride;
    }

    // The codes of a block of people, zeros beyond the last.
    void load(Index j, Index block, CodeBlock& codes) const;
    // The same will be loaded soon.
    void expect(Index j, Index block) const {
        constexpr Index line = 64;
        const char* at = reinterpret_cast<const char*>(column(j)) + block * block_bytes;
        for (Index b = 0; b < block_bytes; b += line) __builtin_prefetch(at + b);
    }
    // What a missing one of variant j is taken for. It is counted when it is first asked for.
    double fill(Index j) const;
    // Of the counted allele in the rows of a variant.
    struct Counts {
        std::array<Index, 3> with{};  // people with none, one and two
        Index missing = 0;
    };
    Counts counts(Index j) const;

    // out[i - range.begin] = (entry (i, j) - origin) * factor.
    void decode(Index j, double origin, double factor, RowRange range, double* out) const;
    // to[(i - first person) * stride + k] = from[row of the person * stride + k] for a block of
    // people; zeros for those who are no rows.
    void scatter(Index block, const double* from, Index stride, double* to) const;

  private:
    const unsigned char* column(Index j) const {
        return static_cast<const unsigned char*>(view_.data) + j * view_.stride;
    }

    GenotypeView view_;
    std::vector<std::uint64_t> mask_;              // bit 2 i: that person is a row
    std::unique_ptr<std::atomic<double>[]> fill_;  // by variant; NaN: not known yet
    std::vector<Index> first_row_;  // of every block of people, where they are selected
};

}  // namespace sven::linalg
