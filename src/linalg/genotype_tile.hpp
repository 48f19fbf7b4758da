#pragma once
// Sums over the people of some variants, by tables (genotype_kernels.hpp).

#include <span>

#include "linalg/buffer.hpp"
#include "linalg/genotypes.hpp"

namespace sven::linalg {

// A variant of a tile, and whether its minor allele is the one that is not counted: sums of what
// is rare lose no digits.
struct TiledVariant {
    Index column = 0;
    bool is_turned = false;  // 2 - x is summed
};

// Sums of the rows of q, of every variant: lane k of variant c at [c * stride + k].
class GenotypeTile {
  public:
    GenotypeTile(const Genotypes& genotypes, std::span<const TiledVariant> variants, Index stride,
                 bool wants_twos);

    // False if cancelled.
    bool sum(const double* q, const Execution& execution);

    double alleles(Index c, Index k) const { return sums_[at(c, k)]; }  // by how many a row has
    double twos(Index c, Index k) const { return twos_[at(c, k)]; }     // of rows with two
    double missing(Index c, Index k) const { return missing_[c * stride_ + k]; }

  private:
    Index count() const { return static_cast<Index>(variants_.size()); }
    Index at(Index c, Index k) const { return (k / 8 * count() + c) * 8 + k % 8; }
    void split(Index block);
    void note_missing(Index c, std::span<const std::uint64_t> missing);
    void add_half(Index half, const double* tables, Index lane);

    const Genotypes& genotypes_;
    std::span<const TiledVariant> variants_;
    Index stride_;
    Index step_;                    // from half to half of the planes
    Buffer<std::uint64_t> planes_;  // by half of a group of people, then by variant
    Buffer<std::uint64_t> both_;    // bits that both planes have, of one half; if twos are wanted
    Buffer<double> q_;              // of a block of people
    // Those missing, by half: a word for each variant that has some there (GenotypeKernels).
    Index noted_step_;
    Buffer<std::uint64_t> noted_;
    std::array<Index, 2 * missing_words> noted_count_{};
    Buffer<double> sums_;  // by eight lanes, then by variant, as the next
    Buffer<double> twos_;
    Buffer<double> missing_;
};

}  // namespace sven::linalg
