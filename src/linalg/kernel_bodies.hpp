// The bodies of kernels.hpp, for one instruction set: included by each kernels_*.cpp, which
// defines nothing else and includes no other header with code, so that no function compiled for a
// newer processor can be picked by the linker for all. Everything is in an unnamed namespace.

#include "linalg/kernels.hpp"

namespace {

using sven::Index;

template <int Lanes>
struct VectorOf;
template <>
struct VectorOf<2> {
    typedef double Type __attribute__((vector_size(16), aligned(8)));
};
template <>
struct VectorOf<4> {
    typedef double Type __attribute__((vector_size(32), aligned(8)));
};
template <>
struct VectorOf<8> {
    typedef double Type __attribute__((vector_size(64), aligned(8)));
};

template <int Lanes>
struct Simd {
    using Vector = typename VectorOf<Lanes>::Type;

    static Vector load(const double* p) { return *reinterpret_cast<const Vector*>(p); }
    static Vector load(const float* p) {
        Vector v;
        for (int l = 0; l < Lanes; ++l) v[l] = p[l];
        return v;
    }
    static void store(double* p, Vector v) { *reinterpret_cast<Vector*>(p) = v; }
    static double sum(Vector v) {
        double s = 0;
        for (int l = 0; l < Lanes; ++l) s += v[l];
        return s;
    }
};

// Broadcast x_c[i], multiply the eight lanes of Q's row i: Cols x 8/Lanes accumulators live in
// registers for the whole column.
template <int Lanes, int Cols, bool Shifted, class T>
void correlate_group(const T* const* x, const double* shift, Index n, const double* Q, Index stride,
                     double* out) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    typename S::Vector sum[Cols][vectors];
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < vectors; ++v) sum[c][v] = S::load(out + c * stride + v * Lanes);
    for (Index i = 0; i < n; ++i) {
        typename S::Vector q[vectors];
        for (int v = 0; v < vectors; ++v) q[v] = S::load(Q + i * stride + v * Lanes);
#pragma GCC unroll 16
        for (int c = 0; c < Cols; ++c) {
            double entry = x[c][i];
            if constexpr (Shifted) entry -= shift[c];
            for (int v = 0; v < vectors; ++v) sum[c][v] += entry * q[v];
        }
    }
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < vectors; ++v) S::store(out + c * stride + v * Lanes, sum[c][v]);
}

template <int Lanes, int Cols, class T>
void correlate(const T* const* x, Index count, const double* shift, Index n, const double* Q,
               Index stride, double* out) {
    Index c = 0;
    for (; c + Cols <= count; c += Cols) {
        if (shift != nullptr)
            correlate_group<Lanes, Cols, true>(x + c, shift + c, n, Q, stride, out + c * stride);
        else
            correlate_group<Lanes, Cols, false>(x + c, shift, n, Q, stride, out + c * stride);
    }
    for (; c < count; ++c) {
        if (shift != nullptr)
            correlate_group<Lanes, 1, true>(x + c, shift + c, n, Q, stride, out + c * stride);
        else
            correlate_group<Lanes, 1, false>(x + c, shift, n, Q, stride, out + c * stride);
    }
}

// Row-major: Lanes columns at a time, Rows rows before the sums go back to memory. The sums are
// kept lane by lane (scratch[k][column]) so that both loads are contiguous.
template <int Lanes, int Rows, class T>
void correlate_row_group(const T* x, Index x_stride, Index count, const double* shift,
                         const double* Q, Index stride, double* scratch, Index scratch_stride) {
    using S = Simd<Lanes>;
    Index c = 0;
    for (; c + Lanes <= count; c += Lanes) {
        typename S::Vector entries[Rows];
        for (int i = 0; i < Rows; ++i) {
            entries[i] = S::load(x + i * x_stride + c);
            if (shift != nullptr) entries[i] -= S::load(shift + c);
        }
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            auto sum = S::load(scratch + k * scratch_stride + c);
#pragma GCC unroll 8
            for (int i = 0; i < Rows; ++i) sum += entries[i] * Q[i * stride + k];
            S::store(scratch + k * scratch_stride + c, sum);
        }
    }
    for (; c < count; ++c) {
        for (int k = 0; k < 8; ++k) {
            double sum = scratch[k * scratch_stride + c];
            for (int i = 0; i < Rows; ++i)
                sum +=
                    (static_cast<double>(x[i * x_stride + c]) - (shift != nullptr ? shift[c] : 0)) *
                    Q[i * stride + k];
            scratch[k * scratch_stride + c] = sum;
        }
    }
}

template <int Lanes, class T>
void correlate_rows(const T* x, Index x_stride, Index count, const double* shift, Index n,
                    const double* Q, Index stride, double* out) {
    constexpr Index chunk = 256;  // columns whose eight sums (16 KiB) stay in the first cache
    alignas(64) double scratch[8 * chunk];
    for (Index begin = 0; begin < count; begin += chunk) {
        const Index width = count - begin < chunk ? count - begin : chunk;
        const double* chunk_shift = shift != nullptr ? shift + begin : nullptr;
        for (Index k = 0; k < 8; ++k)
            for (Index c = 0; c < width; ++c)
                scratch[k * chunk + c] = out[(begin + c) * stride + k];
        Index i = 0;
        for (; i + 8 <= n; i += 8)
            correlate_row_group<Lanes, 8>(x + i * x_stride + begin, x_stride, width, chunk_shift,
                                          Q + i * stride, stride, scratch, chunk);
        for (; i < n; ++i)
            correlate_row_group<Lanes, 1>(x + i * x_stride + begin, x_stride, width, chunk_shift,
                                          Q + i * stride, stride, scratch, chunk);
        for (Index k = 0; k < 8; ++k)
            for (Index c = 0; c < width; ++c)
                out[(begin + c) * stride + k] = scratch[k * chunk + c];
    }
}

// Entries are scattered over the rows of Q: several at once, so that one need not wait for another.
template <int Lanes, class T, class I>
void correlate_sparse(const T* values, const I* rows, Index count, const double* Q, Index stride,
                      double* out) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    constexpr int group = vectors <= 2 ? 4 : 2;
    for (Index lane = 0; lane < stride; lane += 8) {
        const double* q = Q + lane;
        typename S::Vector sum[group][vectors] = {};
        Index e = 0;
        for (; e + group <= count; e += group)
#pragma GCC unroll 4
            for (int u = 0; u < group; ++u)
#pragma GCC unroll 4
                for (int v = 0; v < vectors; ++v)
                    sum[u][v] += S::load(q + rows[e + u] * stride + v * Lanes) *
                                 static_cast<double>(values[e + u]);
        for (; e < count; ++e)
            for (int v = 0; v < vectors; ++v)
                sum[0][v] +=
                    S::load(q + rows[e] * stride + v * Lanes) * static_cast<double>(values[e]);
        for (int v = 0; v < vectors; ++v) {
            typename S::Vector total = sum[0][v] + sum[1][v];
            if constexpr (group == 4) total += sum[2][v] + sum[3][v];
            S::store(out + lane + v * Lanes, total);
        }
    }
}

template <int Lanes, int Cols, class T>
void dot_group(const T* const* x, const double* shift, Index n, const double* q, double* out) {
    using S = Simd<Lanes>;
    typename S::Vector sum[Cols] = {};
    Index i = 0;
    for (; i + Lanes <= n; i += Lanes) {
        const auto qi = S::load(q + i);
#pragma GCC unroll 4
        for (int c = 0; c < Cols; ++c) {
            auto entry = S::load(x[c] + i);
            if (shift != nullptr) entry -= shift[c];
            sum[c] += entry * qi;
        }
    }
    for (int c = 0; c < Cols; ++c) {
        double s = S::sum(sum[c]);
        const double origin = shift != nullptr ? shift[c] : 0;
        for (Index rest = i; rest < n; ++rest) s += (x[c][rest] - origin) * q[rest];
        out[c] = s;
    }
}

template <int Lanes, class T>
void dot(const T* const* x, Index count, const double* shift, Index n, const double* q,
         double* out) {
    Index c = 0;
    for (; c + 4 <= count; c += 4)
        dot_group<Lanes, 4>(x + c, shift != nullptr ? shift + c : nullptr, n, q, out + c);
    for (; c < count; ++c)
        dot_group<Lanes, 1>(x + c, shift != nullptr ? shift + c : nullptr, n, q, out + c);
}

template <int Lanes, class T>
double sum(const T* x, const double* w, Index n) {
    using S = Simd<Lanes>;
    typename S::Vector sums[4] = {};
    constexpr Index step = 4 * Lanes;
    Index i = 0;
    for (; i + step <= n; i += step)
#pragma GCC unroll 4
        for (int u = 0; u < 4; ++u) {
            auto entry = S::load(x + i + u * Lanes);
            if (w != nullptr) entry *= S::load(w + i + u * Lanes);
            sums[u] += entry;
        }
    double total = S::sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (; i < n; ++i) total += (w != nullptr ? w[i] : 1.0) * x[i];
    return total;
}

template <int Lanes, class T>
void centred_sums(const T* x, const double* w, const double* v, double centre, Index n,
                  double* out) {
    using S = Simd<Lanes>;
    typename S::Vector first[2] = {};
    typename S::Vector second[2] = {};
    typename S::Vector mixed[2] = {};
    constexpr Index step = 2 * Lanes;
    Index i = 0;
    for (; i + step <= n; i += step)
#pragma GCC unroll 2
        for (int u = 0; u < 2; ++u) {
            const Index at = i + u * Lanes;
            const auto d = S::load(x + at) - centre;
            const auto wd = w != nullptr ? d * S::load(w + at) : d;
            first[u] += wd;
            second[u] += wd * d;
            mixed[u] += S::load(v + at) * d;
        }
    out[0] = S::sum(first[0] + first[1]);
    out[1] = S::sum(second[0] + second[1]);
    out[2] = S::sum(mixed[0] + mixed[1]);
    for (; i < n; ++i) {
        const double d = x[i] - centre;
        const double wd = w != nullptr ? w[i] * d : d;
        out[0] += wd;
        out[1] += wd * d;
        out[2] += v[i] * d;
    }
}

// As many vectors as each has lanes, transposed in place: pairs, then fours, then halves.
template <int Lanes>
[[gnu::always_inline]] inline void transpose(typename Simd<Lanes>::Vector (&r)[Lanes]) {
    using Vector = typename Simd<Lanes>::Vector;
    Vector t[Lanes];
    for (int k = 0; k < Lanes; k += 2) {
        if constexpr (Lanes == 8) {
            t[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
            t[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
        } else if constexpr (Lanes == 4) {
            t[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 4, 2, 6);
            t[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 1, 5, 3, 7);
        } else {
            t[k] = __builtin_shufflevector(r[k], r[k + 1], 0, 2);
            t[k + 1] = __builtin_shufflevector(r[k], r[k + 1], 1, 3);
        }
    }
    for (int k = 0; k < Lanes; ++k) r[k] = t[k];
    if constexpr (Lanes >= 4) {
        for (int k = 0; k < Lanes; k += 4)
            for (int u = k; u < k + 2; ++u) {
                if constexpr (Lanes == 8) {
                    t[u] = __builtin_shufflevector(r[u], r[u + 2], 0, 1, 8, 9, 4, 5, 12, 13);
                    t[u + 2] = __builtin_shufflevector(r[u], r[u + 2], 2, 3, 10, 11, 6, 7, 14, 15);
                } else {
                    t[u] = __builtin_shufflevector(r[u], r[u + 2], 0, 1, 4, 5);
                    t[u + 2] = __builtin_shufflevector(r[u], r[u + 2], 2, 3, 6, 7);
                }
            }
        for (int k = 0; k < Lanes; ++k) r[k] = t[k];
    }
    if constexpr (Lanes == 8) {
        for (int u = 0; u < 4; ++u) {
            t[u] = __builtin_shufflevector(r[u], r[u + 4], 0, 1, 2, 3, 8, 9, 10, 11);
            t[u + 4] = __builtin_shufflevector(r[u], r[u + 4], 4, 5, 6, 7, 12, 13, 14, 15);
        }
        for (int k = 0; k < Lanes; ++k) r[k] = t[k];
    }
}

template <int Lanes, class T>
void pack(const T* const* x, Index count, const double* centre, Index n, const double* factors,
          double* panel) {
    using S = Simd<Lanes>;
    Index i = 0;
    for (; count == 8 && i + Lanes <= n; i += Lanes)
        for (int first = 0; first < 8; first += Lanes) {
            typename S::Vector rows[Lanes];
            for (int c = 0; c < Lanes; ++c) rows[c] = S::load(x[first + c] + i) - centre[first + c];
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

// Panels panels of A against Cols columns of B, sums in registers.
template <int Lanes, int Panels, int Cols>
void gram_tile(const double* A, const double* B, Index n, double* C, Index ldc,
               sven::linalg::Ahead& ahead) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    typename S::Vector sum[Cols][Panels * vectors] = {};
    const auto add_row = [&](Index i) {
        typename S::Vector a[Panels * vectors];
#pragma GCC unroll 12
        for (int v = 0; v < Panels * vectors; ++v)
            a[v] = S::load(A + (v / vectors) * n * 8 + i * 8 + (v % vectors) * Lanes);
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c)
#pragma GCC unroll 12
            for (int v = 0; v < Panels * vectors; ++v) sum[c][v] += a[v] * B[i * 8 + c];
    };
    Index i = 0;
    for (; i + 2 <= n; i += 2) {
        ahead.fetch();
        add_row(i);
        add_row(i + 1);
    }
    if (i < n) add_row(i);
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
void gram_half_tile(const double* A, const double* B, Index n, double* C, Index ldc) {
    using S = Simd<Lanes>;
    constexpr int vectors = 4 / Lanes;
    typename S::Vector sum[Cols][vectors] = {};
    for (Index i = 0; i < n; ++i)
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c)
#pragma GCC unroll 2
            for (int v = 0; v < vectors; ++v)
                sum[c][v] += S::load(A + i * 8 + v * Lanes) * B[i * 8 + c];
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < vectors; ++v) {
            double* target = C + c * ldc + v * Lanes;
            S::store(target, S::load(target) + sum[c][v]);
        }
}

template <int Lanes>
void gram_half(const double* A, const double* B, Index n, double* C, Index ldc) {
    constexpr int half = Lanes < 4 ? Lanes : 4;
    constexpr int cols = half == 4 ? 8 : 4;  // as many sums as there are registers for
    for (int c = 0; c < 8; c += cols) gram_half_tile<half, cols>(A, B + c, n, C + c * ldc, ldc);
}

// Three of the four squares, twelve sums at once.
template <int Lanes>
void gram_diagonal(const double* A, Index n, double* C, Index ldc) {
    if constexpr (Lanes < 4) {
        gram_half_tile<Lanes, 4>(A, A, n, C, ldc);
        gram_half<Lanes>(A + 4, A, n, C + 4, ldc);
    } else {
        using S = Simd<4>;
        typename S::Vector sum[12] = {};
        for (Index i = 0; i < n; ++i) {
            const double* a = A + i * 8;
            const auto upper = S::load(a);
            const auto lower = S::load(a + 4);
#pragma GCC unroll 4
            for (int c = 0; c < 4; ++c) sum[c] += upper * a[c];
#pragma GCC unroll 8
            for (int c = 0; c < 8; ++c) sum[4 + c] += lower * a[c];
        }
        for (int s = 0; s < 12; ++s) {
            double* target = s < 4 ? C + s * ldc : C + (s - 4) * ldc + 4;
            S::store(target, S::load(target) + sum[s]);
        }
    }
}

// ---- Cholesky ----
// By panels of some rows of U. Each is needed along its rows, too, for sums by vectors: `rows` has
// them so, row k at k * lead.

struct CholeskyPanel {
    double* A;
    Index stride;
    Index n;
    double* rows;
    Index lead;
    Index first;  // row of A
};

// Vectors x Cols entries from (i, j) on, minus the products with the panel's first `rank` rows.
template <int Lanes, int Vectors, int Cols>
void subtract_products(const CholeskyPanel& panel, Index rank, Index i, Index j) {
    using S = Simd<Lanes>;
    double* target = panel.A + j * panel.stride + i;
    const double* column = panel.A + j * panel.stride + panel.first;
    const double* row = panel.rows + i;
    typename S::Vector sum[Cols][Vectors];
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < Vectors; ++v)
            sum[c][v] = S::load(target + c * panel.stride + v * Lanes);
    for (Index k = 0; k < rank; ++k, row += panel.lead) {
        typename S::Vector a[Vectors];
#pragma GCC unroll 3
        for (int v = 0; v < Vectors; ++v) a[v] = S::load(row + v * Lanes);
#pragma GCC unroll 8
        for (int c = 0; c < Cols; ++c)
#pragma GCC unroll 3
            for (int v = 0; v < Vectors; ++v) sum[c][v] -= a[v] * column[c * panel.stride + k];
    }
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < Vectors; ++v)
            S::store(target + c * panel.stride + v * Lanes, sum[c][v]);
}

// The same for rows [from, to), a multiple of the lanes.
template <int Lanes, int Cols>
void subtract_rows(const CholeskyPanel& panel, Index rank, Index from, Index to, Index j) {
    for (; from + 3 * Lanes <= to; from += 3 * Lanes)
        subtract_products<Lanes, 3, Cols>(panel, rank, from, j);
    if (from + 2 * Lanes <= to) {
        subtract_products<Lanes, 2, Cols>(panel, rank, from, j);
        from += 2 * Lanes;
    }
    if (from < to) subtract_products<Lanes, 1, Cols>(panel, rank, from, j);
}

// The Lanes x Lanes block at (first, first), and one over its diagonal.
template <int Lanes>
bool factor_diagonal(double* block, Index stride, Index size, double* inverse) {
    for (Index j = 0; j < size; ++j) {
        double* column = block + j * stride;
        for (Index i = 0; i < j; ++i) {
            double sum = column[i];
            for (Index k = 0; k < i; ++k) sum -= block[i * stride + k] * column[k];
            column[i] = sum * inverse[i];
        }
        double pivot = column[j];
        for (Index k = 0; k < j; ++k) pivot -= column[k] * column[k];
        if (!(pivot > 0)) return false;
        column[j] = __builtin_sqrt(pivot);
        inverse[j] = 1 / column[j];
    }
    return true;
}

// Rows [at, at + Lanes) of `count` <= Lanes columns from j on := U_block^-T times what is there.
template <int Lanes>
void divide_columns(const CholeskyPanel& panel, Index at, Index j, Index count,
                    const double* inverse) {
    using S = Simd<Lanes>;
    const double* block = panel.A + at * panel.stride + at;
    typename S::Vector x[Lanes] = {};
    for (Index c = 0; c < count; ++c) x[c] = S::load(panel.A + (j + c) * panel.stride + at);
    transpose<Lanes>(x);
#pragma GCC unroll 8
    for (int k = 0; k < Lanes; ++k) {
#pragma GCC unroll 8
        for (int l = 0; l < k; ++l) x[k] -= x[l] * block[k * panel.stride + l];
        x[k] *= inverse[k];
        S::store(panel.rows + (at - panel.first + k) * panel.lead + j, x[k]);
    }
    transpose<Lanes>(x);
    for (Index c = 0; c < count; ++c) S::store(panel.A + (j + c) * panel.stride + at, x[c]);
}

// Columns [j, n) in groups, the odd ones one by one.
template <int Cols, class Body, class Single>
void by_columns(Index j, Index n, const Body& body, const Single& single) {
    for (; j + Cols <= n; j += Cols) body(j);
    for (; j < n; ++j) single(j);
}

template <int Lanes>
bool cholesky(Index n, double* A, Index stride, double* scratch) {
    constexpr int cols = Lanes == 8 ? 8 : (Lanes == 4 ? 4 : 2);
    constexpr Index panel_rows = 32;
    const Index full = n / Lanes * Lanes;
    double inverse[Lanes];
    for (Index first = 0; first < full; first += panel_rows) {
        const Index end = first + panel_rows < full ? first + panel_rows : full;
        const CholeskyPanel panel{A, stride, n, scratch, n + 16, first};
        for (Index at = first; at < end; at += Lanes) {
            const Index rank = at - first;
            if (rank > 0)
                by_columns<cols>(
                    at, n, [&](Index j) { subtract_products<Lanes, 1, cols>(panel, rank, at, j); },
                    [&](Index j) { subtract_products<Lanes, 1, 1>(panel, rank, at, j); });
            if (!factor_diagonal<Lanes>(A + at * stride + at, stride, Lanes, inverse)) return false;
            for (Index j = at + Lanes; j < n; j += Lanes)
                divide_columns<Lanes>(panel, at, j, n - j < Lanes ? n - j : Lanes, inverse);
        }
        const Index rank = end - first;
        const auto last_row = [&](Index j) {
            const Index below = (j + Lanes) / Lanes * Lanes;
            return below < full ? below : full;
        };
        by_columns<cols>(
            end, n,
            [&](Index j) {
                subtract_rows<Lanes, cols>(panel, rank, end, last_row(j + cols - 1), j);
            },
            [&](Index j) { subtract_rows<Lanes, 1>(panel, rank, end, last_row(j), j); });
        for (Index j = full; j < n; ++j)
            for (Index i = full; i <= j; ++i)
                for (Index k = 0; k < rank; ++k)
                    A[j * stride + i] -= panel.rows[k * panel.lead + i] * A[j * stride + first + k];
    }
    return factor_diagonal<Lanes>(A + full * stride + full, stride, n - full, inverse);
}

template <int Lanes>
typename Simd<Lanes>::Vector magnitude(typename Simd<Lanes>::Vector x) {
    return x < 0 ? -x : x;
}

// Whether a limit is exceeded is asked for some columns at a time, and for each only where it is.
template <int Lanes>
Index check_lanes(const sven::linalg::LaneCheck& check, Index count) {
    using S = Simd<Lanes>;
    using Vector = typename S::Vector;
    constexpr int vectors = 8 / Lanes;
    constexpr Index group = 8;
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

// Cols columns from `first` on, whose diagonal block has been dealt with above row `i`.
template <int Lanes, int Cols>
void symmetric_group(const double* G, Index stride, Index first, Index i, Index n, const double* x,
                     double* y) {
    using S = Simd<Lanes>;
    typename S::Vector sum[Cols] = {};
    for (; i + Lanes <= n; i += Lanes) {
        const auto xi = S::load(x + i);
        auto yi = S::load(y + i);
#pragma GCC unroll 4
        for (int c = 0; c < Cols; ++c) {
            const auto g = S::load(G + (first + c) * stride + i);
            sum[c] += g * xi;
            yi += g * x[first + c];
        }
        S::store(y + i, yi);
    }
    for (int c = 0; c < Cols; ++c) {
        double s = S::sum(sum[c]);
        for (Index rest = i; rest < n; ++rest) {
            const double g = G[(first + c) * stride + rest];
            s += g * x[rest];
            y[rest] += g * x[first + c];
        }
        y[first + c] += s;
    }
}

template <int Lanes>
void symmetric(const double* G, Index stride, Index begin, Index end, Index n, const double* x,
               double* y) {
    Index j = begin;
    for (; j + 4 <= end; j += 4) {
        for (Index a = j; a < j + 4; ++a) {
            y[a] += G[a * stride + a] * x[a];
            for (Index b = a + 1; b < j + 4; ++b) {
                y[b] += G[a * stride + b] * x[a];
                y[a] += G[a * stride + b] * x[b];
            }
        }
        symmetric_group<Lanes, 4>(G, stride, j, j + 4, n, x, y);
    }
    for (; j < end; ++j) {
        y[j] += G[j * stride + j] * x[j];
        symmetric_group<Lanes, 1>(G, stride, j, j + 1, n, x, y);
    }
}

template <int Lanes, int Cols, int GramPanels, int GramCols>
constexpr sven::linalg::Kernels make_kernels(const char* name) {
    return {name,
            correlate<Lanes, Cols, double>,
            correlate<Lanes, Cols, float>,
            correlate_rows<Lanes, double>,
            correlate_rows<Lanes, float>,
            correlate_sparse<Lanes, double, std::int32_t>,
            correlate_sparse<Lanes, double, std::int64_t>,
            correlate_sparse<Lanes, float, std::int32_t>,
            correlate_sparse<Lanes, float, std::int64_t>,
            dot<Lanes, double>,
            dot<Lanes, float>,
            sum<Lanes, double>,
            sum<Lanes, float>,
            centred_sums<Lanes, double>,
            centred_sums<Lanes, float>,
            pack<Lanes, double>,
            pack<Lanes, float>,
            gram<Lanes, GramPanels, GramCols>,
            gram_half<Lanes>,
            gram_diagonal<Lanes>,
            cholesky<Lanes>,
            check_lanes<Lanes>,
            count_below<Lanes>,
            symmetric<Lanes>};
}

}  // namespace
