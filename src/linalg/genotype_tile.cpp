#include "linalg/genotype_tile.hpp"

#include "linalg/kernels.hpp"
#include "linalg/panel.hpp"

namespace sven::linalg {

namespace {

// An odd number of cache lines: a column is written to every half, and a power of two would put
// all its words into one set of the cache.
Index odd_lines(Index words) {
    constexpr Index line = 8;
    return ((words + line - 1) / line | 1) * line;
}

}  // namespace

GenotypeTile::GenotypeTile(const Genotypes& genotypes, std::span<const TiledVariant> variants,
                           Index stride, bool wants_twos)
    : genotypes_(genotypes),
      variants_(variants),
      stride_(stride),
      step_(odd_lines(count())),
      planes_(step_ * block_words),
      q_(genotype_block_people * stride),
      noted_step_(count() + 1),
      noted_(noted_step_ * 2 * missing_words),
      sums_(count() * stride),
      missing_(count() * stride) {
    std::fill_n(sums_.data(), count() * stride, 0.0);
    std::fill_n(missing_.data(), count() * stride, 0.0);
    if (!wants_twos) return;
    both_.reserve(count());
    twos_.reserve(count() * stride);
    std::fill_n(twos_.data(), count() * stride, 0.0);
}

bool GenotypeTile::sum(const double* q, const Execution& execution) {
    alignas(64) std::array<double, table_entries> tables;
    for (Index block = 0; block < genotypes_.blocks(); ++block) {
        if (execution.is_cancelled()) return false;
        genotypes_.scatter(block, q, stride_, q_.data());
        split(block);
        const Index people =
            std::min(genotype_block_people, genotypes_.people() - block * genotype_block_people);
        for (Index lane = 0; lane < stride_; lane += lane_group)
            for (Index half = 0; half / 2 * split_people < people; ++half) {
                kernels().genotypes.tables(q_.data() + half / 2 * split_people * stride_ + lane,
                                           stride_, static_cast<int>(half % 2), tables.data());
                add_half(half, tables.data(), lane);
            }
    }
    return true;
}

void GenotypeTile::split(Index block) {
    CodeBlock codes;
    std::array<std::uint64_t, missing_words> missing;
    noted_count_.fill(0);
    for (Index c = 0; c < count(); ++c) {
        const TiledVariant& variant = variants_[c];
        if (c + genotype_prefetch < count())
            genotypes_.expect(variants_[c + genotype_prefetch].column, block);
        genotypes_.load(variant.column, block, codes);
        const bool counts_a1 = (genotypes_.counted() == Allele::a1) != variant.is_turned;
        const bool any =
            kernels().genotypes.split(codes.data(), block_words, counts_a1 ? ~std::uint64_t{0} : 0,
                                      planes_.data() + c, step_, missing.data());
        if (any) note_missing(c, missing);
    }
}

// A word for each half that has some; where it has none, the next is written over it.
void GenotypeTile::note_missing(Index c, std::span<const std::uint64_t> missing) {
    constexpr std::uint64_t low = 0xffffffff;
    const auto column = static_cast<std::uint64_t>(c) << 32;
    for (std::size_t half = 0; half < 2 * missing.size(); ++half) {
        const std::uint64_t bits = (missing[half / 2] >> (half % 2 * 32)) & low;
        noted_[static_cast<Index>(half) * noted_step_ + noted_count_[half]] = column | bits;
        noted_count_[half] += bits != 0 ? 1 : 0;
    }
}

void GenotypeTile::add_half(Index half, const double* tables, Index lane) {
    const std::uint64_t* planes = planes_.data() + half * step_;
    kernels().genotypes.sums(planes, count(), tables, sums_.data() + lane * count());
    const Index first = half / 2 * split_people + person_of(static_cast<int>(half % 2), 0);
    kernels().genotypes.add_missing(noted_.data() + half * noted_step_, noted_count_[half],
                                    q_.data() + first * stride_ + lane, stride_,
                                    missing_.data() + lane);
    if (both_.capacity() == 0) return;
    constexpr std::uint64_t first_plane = 0xffffffff;
    for (Index c = 0; c < count(); ++c) both_[c] = planes[c] & (planes[c] >> 32) & first_plane;
    kernels().genotypes.sums(both_.data(), count(), tables, twos_.data() + lane * count());
}

}  // namespace sven::linalg
