#pragma once
// Bodies of the Gram pass: packing rows, multiplying panels (kernel_bodies.hpp).

#include "linalg/kernel_simd.hpp"

// Loops take the parameters of their function pointers, each in a register.
// NOLINTBEGIN(readability-function-size)

namespace {

template <int Lanes, class T>
void pack(const T* const* x, Index count, const double* centre, Index n, const double* factors,
          double* panel) {
    using S = Simd<Lanes>;
    Index i = 0;
    for (; i + Lanes <= n; i += Lanes)
        for (int first = 0; first < count; first += Lanes) {
            typename S::Vector rows[Lanes];
            for (int c = 0; c < Lanes; ++c)
                rows[c] = first + c < count ? S::load(x[first + c] + i) - centre[first + c]
                                            : typename S::Vector{};
            transpose<Lanes>(rows);
            for (int u = 0; u < Lanes; ++u) {
                if (factors != nullptr) rows[u] *= factors[i + u];
                S::store(panel + (i + u) * 8 + first, rows[u]);
            }
        }
    for (; i < n; ++i)
        for (Index c = 0; c < count; ++c)
            panel[i * 8 + c] = (x[c][i] - centre[c]) * (factors != nullptr ? factors[i] : 1);
}

inline void fetch(sven::linalg::Ahead& ahead) {
    if (ahead.left == 0) return;
    __builtin_prefetch(ahead.at, 0, 2);
    --ahead.left;
    ahead.at += sven::linalg::Ahead::line;
    if (++ahead.in_run < ahead.run) return;
    ahead.in_run = 0;
    ahead.at += ahead.step;
}

// add_row(i) for every row, and a line fetched for every two.
template <class AddRow>
void add_rows(Index n, sven::linalg::Ahead& ahead, const AddRow& add_row) {
    Index i = 0;
    for (; i + 2 <= n; i += 2) {
        fetch(ahead);
        add_row(i);
        add_row(i + 1);
    }
    if (i < n) add_row(i);
}

// Panels panels of A against Cols columns of B, sums in registers.
template <int Lanes, int Panels, int Cols>
void gram_tile(const double* A, const double* B, Index n, double* C, Index ldc,
               sven::linalg::Ahead& ahead) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    typename S::Vector sum[Cols][Panels * vectors] = {};
    add_rows(n, ahead, [&](Index i) {
        typename S::Vector a[Panels * vectors];
#pragma GCC unroll 12
        for (int v = 0; v < Panels * vectors; ++v)
            a[v] = S::load(A + (v / vectors) * n * 8 + i * 8 + (v % vectors) * Lanes);
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c)
#pragma GCC unroll 12
            for (int v = 0; v < Panels * vectors; ++v) sum[c][v] += a[v] * B[i * 8 + c];
    });
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < Panels * vectors; ++v) {
            double* target = C + c * ldc + v * Lanes;
            S::store(target, S::load(target) + sum[c][v]);
        }
}

template <int Lanes, int Panels, int Cols>
void gram(const double* A, Index panels, const double* B, Index n, double* C, Index ldc,
          sven::linalg::Ahead& ahead) {
    Index a = 0;
    for (; a + Panels <= panels; a += Panels)
        for (int c = 0; c < 8; c += Cols)
            gram_tile<Lanes, Panels, Cols>(A + a * n * 8, B + c, n, C + a * 8 + c * ldc, ldc,
                                           ahead);
    for (; a < panels; ++a)
        for (int c = 0; c < 8; c += Cols)
            gram_tile<Lanes, 1, Cols>(A + a * n * 8, B + c, n, C + a * 8 + c * ldc, ldc, ahead);
}

// Four columns of A against Cols of B.
template <int Lanes, int Cols>
void gram_half_tile(const double* A, const double* B, Index n, double* C, Index ldc,
                    sven::linalg::Ahead& ahead) {
    using S = Simd<Lanes>;
    constexpr int vectors = 4 / Lanes;
    typename S::Vector sum[Cols][vectors] = {};
    add_rows(n, ahead, [&](Index i) {
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c)
#pragma GCC unroll 2
            for (int v = 0; v < vectors; ++v)
                sum[c][v] += S::load(A + i * 8 + v * Lanes) * B[i * 8 + c];
    });
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < vectors; ++v) {
            double* target = C + c * ldc + v * Lanes;
            S::store(target, S::load(target) + sum[c][v]);
        }
}

template <int Lanes>
void gram_half(const double* A, const double* B, Index n, double* C, Index ldc,
               sven::linalg::Ahead& ahead) {
    constexpr int half = Lanes < 4 ? Lanes : 4;  // NOLINT(bugprone-branch-clone): same at 4 lanes
    constexpr int cols = half == 4 ? 8 : 4;      // as many sums as there are registers for
    for (int c = 0; c < 8; c += cols)
        gram_half_tile<half, cols>(A, B + c, n, C + c * ldc, ldc, ahead);
}

// Three of the four squares, twelve sums at once.
template <int Lanes>
void gram_diagonal(const double* A, Index n, double* C, Index ldc, sven::linalg::Ahead& ahead) {
    if constexpr (Lanes < 4) {
        gram_half_tile<Lanes, 4>(A, A, n, C, ldc, ahead);
        gram_half<Lanes>(A + 4, A, n, C + 4, ldc, ahead);
    } else {
        using S = Simd<4>;
        typename S::Vector sum[12] = {};
        add_rows(n, ahead, [&](Index i) {
            const double* a = A + i * 8;
            const auto upper = S::load(a);
            const auto lower = S::load(a + 4);
#pragma GCC unroll 4
            for (int c = 0; c < 4; ++c) sum[c] += upper * a[c];
#pragma GCC unroll 8
            for (int c = 0; c < 8; ++c) sum[4 + c] += lower * a[c];
        });
        for (int s = 0; s < 12; ++s) {
            double* target = s < 4 ? C + s * ldc : C + (s - 4) * ldc + 4;
            S::store(target, S::load(target) + sum[s]);
        }
    }
}

}  // namespace

// NOLINTEND(readability-function-size)
