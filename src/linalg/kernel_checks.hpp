#pragma once
// Bodies of the checks of a block of settings (kernel_bodies.hpp).

#include "linalg/kernel_simd.hpp"
#include "linalg/tuning.hpp"

namespace {

template <int Lanes>
typename Simd<Lanes>::Vector magnitude(typename Simd<Lanes>::Vector x) {
    return x < 0 ? -x : x;
}

// Limits are tested for a group of columns at once, and column by column only if one is exceeded.
template <int Lanes>
Index check_lanes(const sven::linalg::LaneCheck& check, Index count) {
    using S = Simd<Lanes>;
    using Vector = typename S::Vector;
    constexpr int vectors = 8 / Lanes;
    constexpr Index group = sven::linalg::checked_columns;
    Vector peak[vectors];
    for (int v = 0; v < vectors; ++v) peak[v] = S::load(check.peak + v * Lanes);
    Index found = 0;
    for (Index begin = 0; begin < count; begin += group) {
        const Index end = begin + group < count ? begin + group : count;
        Vector excess[vectors];
        for (int v = 0; v < vectors; ++v) excess[v] = Vector{} - 1;
        for (Index c = begin; c < end; ++c)
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) {
                const Vector value = (S::load(check.tile + c * check.stride + v * Lanes) -
                                      check.offset[c] * S::load(check.sums + v * Lanes)) *
                                     check.scale[c];
                S::store(check.values + 8 * c + v * Lanes, value);
                const Vector size = magnitude<Lanes>(value) * check.reach[c];
                peak[v] = size > peak[v] ? size : peak[v];
                const Vector over = size - S::load(check.limit + v * Lanes);
                excess[v] = over > excess[v] ? over : excess[v];
            }
        bool exceeds = false;
        for (int v = 0; v < vectors; ++v)
            for (int l = 0; l < Lanes; ++l) exceeds |= excess[v][l] > 0;
        for (Index c = begin; exceeds && c < end; ++c) {
            bool is_above = false;
            for (int k = 0; k < 8; ++k) {
                const double value = check.values[8 * c + k];
                is_above |= (value < 0 ? -value : value) * check.reach[c] > check.limit[k];
            }
            if (is_above) check.above[found++] = c;
        }
    }
    for (int v = 0; v < vectors; ++v) S::store(check.peak + v * Lanes, peak[v]);
    return found;
}

template <int Lanes>
void count_below(const double* values, const double* norms, Index n, const double* slope,
                 const double* limit, Index* counts) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    decltype(typename S::Vector{} < typename S::Vector{}) below[vectors] = {};
    for (Index i = 0; i < n; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            below[v] += magnitude<Lanes>(S::load(values + 8 * i + v * Lanes)) +
                            S::load(slope + v * Lanes) * norms[i] <
                        S::load(limit + v * Lanes);  // -1 where it is
    for (int v = 0; v < vectors; ++v)
        for (int l = 0; l < Lanes; ++l) counts[v * Lanes + l] -= below[v][l];
}

}  // namespace
