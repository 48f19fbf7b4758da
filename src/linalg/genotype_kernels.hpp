#pragma once
// The inner loops over genotypes of two bits (GenotypeView). A product adds up numbers of people
// whose bit is set, in two planes: that of the first bits and that of the second ones. For a few
// people all sums that their bits may ask for are tabled, once for a tile of columns, so that an
// entry costs a fraction of an addition.

#include <array>
#include <cstdint>

#include "sven/index.hpp"

namespace sven::linalg {

// People whose planes are made at a time: two words of codes.
inline constexpr Index split_people = 64;
// People of one set of tables, half of the above: bits of each plane in a word.
inline constexpr Index table_people = 32;
// Their bits in the order of the plane: bits of each table. Tables of 64 and 32 sums of eight
// lanes take 16 KiB, half of the L1 cache.
inline constexpr std::array<int, 6> table_bits{6, 6, 5, 5, 5, 5};
inline constexpr Index table_sums = 64 + 64 + 32 + 32 + 32 + 32;
inline constexpr Index table_entries = table_sums * 8;

// Words of the missing ones of a block of people: as many times 64 people.
inline constexpr Index missing_words = 16;

// The person of a bit of the plane of half 0 or 1 of split_people: two words are interleaved.
constexpr Index person_of(int half, int bit) {
    return Index{16} * half + bit / 2 + (bit % 2) * Index{32};
}

struct GenotypeKernels {
    // The planes of one column, `words` codes of 32 people each, an even number. Half h of the
    // pair of words g goes to planes[(2 g + h) * step]: the first plane in its lower 32 bits. With
    // `flip` all ones the bits say how many A1 there are, with zero how many A2; none for those
    // missing. Theirs are in missing[g], interleaved as in a plane. Returns whether any is.
    bool (*split)(const std::uint64_t* codes, Index words, std::uint64_t flip,
                  std::uint64_t* planes, Index step, std::uint64_t* missing);
    // The tables of one half of split_people, whose numbers are Q[person * stride + lane].
    void (*tables)(const double* Q, Index stride, int half, double* tables);
    // sums[8 c + k] += the numbers of both planes of column c.
    void (*sums)(const std::uint64_t* planes, Index count, const double* tables, double* sums);
    // out[c * stride + k] += Q[person * stride + k] of those missing in half 0, k < 8. Each word
    // has some: their bits in its lower 32, and the column c above.
    void (*add_missing)(const std::uint64_t* missing, Index words, const double* Q, Index stride,
                        double* out);
    // counts += people with a bit 2 i of the mask: missing, with one allele, with two of A2.
    void (*count)(const std::uint64_t* codes, const std::uint64_t* mask, Index words,
                  Index* counts);
};

}  // namespace sven::linalg
