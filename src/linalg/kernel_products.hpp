#pragma once
// Bodies of the products with columns and with a symmetric matrix (kernel_bodies.hpp).

#include "linalg/kernel_simd.hpp"
#include "linalg/tuning.hpp"

// Loops take the parameters of their function pointers, each in a register.
// NOLINTBEGIN(readability-function-size)

namespace {

// Broadcast x_c[i], multiply the eight lanes of Q's row i: Cols x 8/Lanes accumulators live in
// registers for the whole column. Where it is Fetched, x has the columns of the next group, too: a
// column is too short for the processor to see where that one lies.
template <int Lanes, int Cols, bool Shifted, bool Fetched, class T>
void correlate_group(const T* const* x, const double* shift, Index n, const double* Q, Index stride,
                     double* out) {
    using S = Simd<Lanes>;
    constexpr int vectors = 8 / Lanes;
    typename S::Vector sum[Cols][vectors];
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < vectors; ++v) sum[c][v] = S::load(out + c * stride + v * Lanes);
    const auto add_row = [&](Index i) {
        typename S::Vector q[vectors];
        for (int v = 0; v < vectors; ++v) q[v] = S::load(Q + i * stride + v * Lanes);
#pragma GCC unroll 16
        for (int c = 0; c < Cols; ++c) {
            double entry = x[c][i];
            if constexpr (Shifted) entry -= shift[c];
            for (int v = 0; v < vectors; ++v) sum[c][v] += entry * q[v];
        }
    };
    Index i = 0;
    if constexpr (Fetched) {
        constexpr auto line = static_cast<Index>(64 / sizeof(T));
        for (; i + line <= n; i += line) {
            for (int c = Cols; c < 2 * Cols; ++c) __builtin_prefetch(x[c] + i, 0, 2);
            for (Index k = i; k < i + line; ++k) add_row(k);
        }
    }
    for (; i < n; ++i) add_row(i);
    for (int c = 0; c < Cols; ++c)
        for (int v = 0; v < vectors; ++v) S::store(out + c * stride + v * Lanes, sum[c][v]);
}

template <int Lanes, int Cols, bool Fetched, class T>
void correlate_some(const T* const* x, const double* shift, Index n, const double* Q, Index stride,
                    double* out) {
    if (shift != nullptr)
        correlate_group<Lanes, Cols, true, Fetched>(x, shift, n, Q, stride, out);
    else
        correlate_group<Lanes, Cols, false, Fetched>(x, shift, n, Q, stride, out);
}

template <int Lanes, int Cols, class T>
void correlate(const T* const* x, Index count, Index fetched, const double* shift, Index n,
               const double* Q, Index stride, double* out) {
    const auto shift_of = [&](Index c) { return shift != nullptr ? shift + c : nullptr; };
    Index c = 0;
    for (; c + Cols <= count && c + 2 * Cols <= fetched; c += Cols)
        correlate_some<Lanes, Cols, true>(x + c, shift_of(c), n, Q, stride, out + c * stride);
    for (; c + Cols <= count; c += Cols)
        correlate_some<Lanes, Cols, false>(x + c, shift_of(c), n, Q, stride, out + c * stride);
    for (; c < count; ++c)
        correlate_some<Lanes, 1, false>(x + c, shift_of(c), n, Q, stride, out + c * stride);
}

// Row-major: Lanes columns at a time, and Rows rows before the sums are stored. The sums are kept
// lane by lane (scratch[k][column]), so that both loads have unit stride. Where it is Fetched, as
// many rows follow, and are fetched meanwhile.
template <int Lanes, int Rows, bool Fetched, class T>
void correlate_row_group(const T* x, Index x_stride, Index count, const double* shift,
                         const double* Q, Index stride, double* scratch, Index scratch_stride) {
    using S = Simd<Lanes>;
    Index c = 0;
    for (; c + Lanes <= count; c += Lanes) {
        if constexpr (Fetched)
            for (int i = Rows; i < 2 * Rows; ++i) __builtin_prefetch(x + i * x_stride + c);
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
    constexpr Index chunk = sven::linalg::row_major_chunk;
    alignas(64) double scratch[8 * chunk];
    for (Index begin = 0; begin < count; begin += chunk) {
        const Index width = count - begin < chunk ? count - begin : chunk;
        const double* chunk_shift = shift != nullptr ? shift + begin : nullptr;
        for (Index k = 0; k < 8; ++k)
            for (Index c = 0; c < width; ++c)
                scratch[k * chunk + c] = out[(begin + c) * stride + k];
        Index i = 0;
        for (; i + 16 <= n; i += 8)
            correlate_row_group<Lanes, 8, true>(x + i * x_stride + begin, x_stride, width,
                                                chunk_shift, Q + i * stride, stride, scratch,
                                                chunk);
        for (; i + 8 <= n; i += 8)
            correlate_row_group<Lanes, 8, false>(x + i * x_stride + begin, x_stride, width,
                                                 chunk_shift, Q + i * stride, stride, scratch,
                                                 chunk);
        for (; i < n; ++i)
            correlate_row_group<Lanes, 1, false>(x + i * x_stride + begin, x_stride, width,
                                                 chunk_shift, Q + i * stride, stride, scratch,
                                                 chunk);
        for (Index k = 0; k < 8; ++k)
            for (Index c = 0; c < width; ++c)
                out[(begin + c) * stride + k] = scratch[k * chunk + c];
    }
}

// Entries are scattered over the rows of Q: several independent sums hide the latency.
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

template <int Lanes, class T>
void add_moments(const T* x, Index count, double w, double v,
                 const sven::linalg::ColumnSums& sums) {
    using S = Simd<Lanes>;
    const bool has_bounds = sums.low != nullptr && w != 0;
    const auto add = [&](double* to, Index c, typename S::Vector value) {
        S::store(to + c, S::load(to + c) + value);
    };
    Index c = 0;
    for (; c + Lanes <= count; c += Lanes) {
        const typename S::Vector entries = S::load(x + c);
        const auto d = entries - S::load(sums.centre + c);
        const auto wd = w * d;
        add(sums.first, c, wd);
        add(sums.second, c, wd * d);
        add(sums.mixed, c, v * d);
        if (!has_bounds) continue;
        const auto low = S::load(sums.low + c);
        const auto high = S::load(sums.high + c);
        S::store(sums.low + c, entries < low ? entries : low);
        S::store(sums.high + c, entries > high ? entries : high);
    }
    for (; c < count; ++c) {
        const double d = x[c] - sums.centre[c];
        sums.first[c] += w * d;
        sums.second[c] += w * d * d;
        sums.mixed[c] += v * d;
        if (!has_bounds) continue;
        if (x[c] < sums.low[c]) sums.low[c] = x[c];
        if (x[c] > sums.high[c]) sums.high[c] = x[c];
    }
}

// Cols columns from `first` on, whose diagonal block above row `i` is done.
template <int Lanes, int Cols>
void symmetric_group(const double* G, Index stride, Index first, Index i, Index n, bool fetches,
                     const double* x, double* y) {
    using S = Simd<Lanes>;
    typename S::Vector sum[Cols] = {};
    for (; i + Lanes <= n; i += Lanes) {
        if (fetches)
            for (int c = 0; c < Cols; ++c)
                __builtin_prefetch(G + (first + Cols + c) * stride + i, 0, 2);
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
    const bool is_large =
        n * n / 2 * static_cast<Index>(sizeof(double)) >= sven::linalg::fetched_gram_bytes;
    Index j = begin;
    for (; j + 4 <= end; j += 4) {
        for (Index a = j; a < j + 4; ++a) {
            y[a] += G[a * stride + a] * x[a];
            for (Index b = a + 1; b < j + 4; ++b) {
                y[b] += G[a * stride + b] * x[a];
                y[a] += G[a * stride + b] * x[b];
            }
        }
        symmetric_group<Lanes, 4>(G, stride, j, j + 4, n, is_large && j + 8 <= end, x, y);
    }
    for (; j < end; ++j) {
        y[j] += G[j * stride + j] * x[j];
        symmetric_group<Lanes, 1>(G, stride, j, j + 1, n, false, x, y);
    }
}

}  // namespace

// NOLINTEND(readability-function-size)
