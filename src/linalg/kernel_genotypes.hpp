#pragma once
// Bodies of genotype_kernels.hpp (kernel_bodies.hpp).

#include <bit>

#include "linalg/genotype_kernels.hpp"
#include "linalg/kernel_simd.hpp"

// Loops take the parameters of their function pointers, each in a register.
// NOLINTBEGIN(readability-function-size)

namespace {

constexpr std::uint64_t even_bits = 0x5555555555555555;

inline bool split_genotypes(const std::uint64_t* codes, Index words, std::uint64_t flip,
                            std::uint64_t* planes, Index step, std::uint64_t* missing) {
    constexpr std::uint64_t low = 0xffffffff;
    std::uint64_t any = 0;
    for (Index w = 0; w < words; w += 2, planes += 2 * step) {
        const std::uint64_t a = codes[w];
        const std::uint64_t b = codes[w + 1];
        const std::uint64_t no_a = a & ~(a >> 1) & even_bits;
        const std::uint64_t no_b = b & ~(b >> 1) & even_bits;
        missing[w / 2] = no_a | (no_b << 1);
        any |= no_a | no_b;
        const std::uint64_t x = (a ^ flip) & ~(no_a * 3);
        const std::uint64_t y = (b ^ flip) & ~(no_b * 3);
        const std::uint64_t first = (x & even_bits) | ((y & even_bits) << 1);
        const std::uint64_t second = ((x >> 1) & even_bits) | (y & ~even_bits);
        planes[0] = (first & low) | (second << 32);
        planes[step] = (first >> 32) | (second & ~low);
    }
    return any != 0;
}

// Every sum is one addition to the sum of the bits below its highest.
template <int Lanes>
void genotype_tables(const double* Q, Index stride, int half, double* tables) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    int bit = 0;
    for (const int bits : sven::linalg::table_bits) {
        for (int v = 0; v < vectors; ++v) S::store(tables + v * Lanes, typename S::Vector{});
        for (int k = 0; k < bits; ++k, ++bit) {
            const double* q = Q + sven::linalg::person_of(half, bit) * stride;
            typename S::Vector number[vectors];
            for (int v = 0; v < vectors; ++v) number[v] = S::load(q + v * Lanes);
            const Index known = Index{1} << k;
            for (Index e = 0; e < known; ++e)
                for (int v = 0; v < vectors; ++v)
                    S::store(tables + (known + e) * 8 + v * Lanes,
                             S::load(tables + e * 8 + v * Lanes) + number[v]);
        }
        tables += (Index{1} << bits) * 8;
    }
}

// The sums of table T, whose bits begin at `Bit` of both planes.
template <int Lanes, int T, int Bit, class Vector>
[[gnu::always_inline]] inline void look_up(std::uint64_t planes, const double* tables,
                                           Vector (&sum)[2][8 / Lanes]) {
    using S = Simd<Lanes>;
    constexpr int bits = sven::linalg::table_bits[T];
    constexpr std::uint64_t sum_bytes = 8 * sizeof(double);
    constexpr std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) * sum_bytes;
    const auto* bytes = reinterpret_cast<const char*>(tables);
    // rotated so that they count bytes: one instruction that leaves the planes as they are
    const auto* first =
        reinterpret_cast<const double*>(bytes + (std::rotr(planes, Bit - 6) & mask));
    const auto* second =
        reinterpret_cast<const double*>(bytes + (std::rotr(planes, Bit + 26) & mask));
    for (int v = 0; v < 8 / Lanes; ++v) {
        sum[0][v] += S::load(first + v * Lanes);
        sum[1][v] += S::load(second + v * Lanes);
    }
    if constexpr (T + 1 < static_cast<int>(sven::linalg::table_bits.size()))
        look_up<Lanes, T + 1, Bit + bits>(planes, tables + (Index{8} << bits), sum);
}

template <int Lanes>
void genotype_sums(const std::uint64_t* planes, Index count, const double* tables, double* sums) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    for (Index c = 0; c < count; ++c) {
        typename S::Vector sum[2][vectors] = {};
        look_up<Lanes, 0, 0>(planes[c], tables, sum);
        for (int v = 0; v < vectors; ++v) {
            double* to = sums + c * 8 + v * Lanes;
            S::store(to, S::load(to) + (sum[0][v] + sum[1][v]));
        }
    }
}

// Every round takes one bit of each word, and keeps the words that have another: no branch depends
// on how many there are.
template <int Lanes>
void add_missing(const std::uint64_t* missing, Index words, const double* Q, Index stride,
                 double* out) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    constexpr Index most = 256;
    std::uint64_t rest[most];
    for (Index begin = 0; begin < words; begin += most) {
        const std::uint64_t* from = missing + begin;
        for (Index left = words - begin < most ? words - begin : most, kept = 0; left > 0;
             left = kept, kept = 0, from = rest)
            for (Index k = 0; k < left; ++k) {
                const std::uint64_t word = from[k];
                const int bit = std::countr_zero(word);
                const double* q = Q + (bit / 2 + bit % 2 * 32) * stride;
                double* to = out + static_cast<Index>(word >> 32) * stride;
                for (int v = 0; v < vectors; ++v)
                    S::store(to + v * Lanes, S::load(to + v * Lanes) + S::load(q + v * Lanes));
                rest[kept] = word & (word - 1);
                kept += static_cast<std::uint32_t>(rest[kept]) != 0 ? 1 : 0;
            }
    }
}

inline void count_genotypes(const std::uint64_t* codes, const std::uint64_t* mask, Index words,
                            Index* counts) {
    Index missing = 0, one = 0, two = 0;
    for (Index w = 0; w < words; ++w) {
        const std::uint64_t first = codes[w] & mask[w];
        const std::uint64_t second = (codes[w] >> 1) & mask[w];
        missing += __builtin_popcountll(first & ~second);
        one += __builtin_popcountll(second & ~first);
        two += __builtin_popcountll(first & second);
    }
    counts[0] += missing;
    counts[1] += one;
    counts[2] += two;
}

}  // namespace

// NOLINTEND(readability-function-size)
