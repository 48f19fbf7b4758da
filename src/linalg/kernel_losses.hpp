#pragma once
// The bodies of the passes over losses of rows (kernel_bodies.hpp). Nothing branches: a vector of
// rows takes both sides and keeps the lanes that it wants. What is left of the rows at the end of a
// pass is padded, so that a row has the same bits wherever it stands.

#include <cstdint>

#include "linalg/kernel_simd.hpp"
#include "linalg/loss_kernels.hpp"

namespace {

template <int Lanes>
struct Elementary : Lane<double, Lanes> {
    using Vector = typename Lane<double, Lanes>::Vector;
    typedef std::int64_t Bits __attribute__((vector_size(sizeof(double) * Lanes)));

    static Vector all(double value) { return Vector{} + value; }
    static Vector absolute(Vector x) {
        return reinterpret_cast<Vector>(reinterpret_cast<Bits>(x) & INT64_MAX);
    }
    static Vector larger(Vector a, Vector b) { return a > b ? a : b; }
    static Vector smaller(Vector a, Vector b) { return a < b ? a : b; }

    // 2^k for an integer k that normal numbers reach: its last bits are those of k + 3 2^51.
    static Vector power_of_two(Vector k) {
        const Bits bits = reinterpret_cast<Bits>(k + integer) + 1023;
        return reinterpret_cast<Vector>(bits << 52);
    }
    // e^x within a unit of the last place: x = k log 2 + r, the series of e^r, and two factors for
    // 2^k, which may lie below the normal numbers.
    static Vector exponential(Vector x) {
        x = x < lowest_exponent ? all(lowest_exponent) : x;
        x = x > highest_exponent ? all(highest_exponent) : x;
        const Vector k = (x * inverse_log_2 + integer) - integer;
        const Vector r = (x - k * log_2_high) - k * log_2_low;
        Vector sum = all(inverse_factorial[0]);
#pragma GCC unroll 11
        for (int term = 1; term < factorials; ++term) sum = sum * r + inverse_factorial[term];
        const Vector value = 1 + (r + r * r * sum);
        const Vector half = (k * 0.5 + integer) - integer;
        return value * power_of_two(half) * power_of_two(k - half);
    }

    // log(1 + f) + k log 2 for 1 + f between the roots of 1/2 and of 2 (the series of fdlibm).
    static Vector logarithm_about_one(Vector f, Vector k) {
        const Vector s = f / (2 + f);
        const Vector z = s * s;
        Vector sum = all(log_series[0]);
#pragma GCC unroll 6
        for (int term = 1; term < log_terms; ++term) sum = sum * z + log_series[term];
        const Vector half_square = 0.5 * f * f;
        const Vector rest = s * (half_square + sum * z) + k * log_2_low;
        return k * log_2_high - ((half_square - rest) - f);
    }
    // log(1 + t) for 0 <= t <= 1.
    static Vector logarithm_of_tail(Vector t) {
        const auto is_large = t > root_2_less_one;
        return logarithm_about_one(is_large ? 0.5 * (t - 1) : t, is_large ? all(1) : all(0));
    }
    // log(1 + d) for d > -1 + 1e-15: the rounding of 1 + d is put back.
    static Vector logarithm_beside_one(Vector d) {
        const Vector x = 1 + d;
        const Vector lost = d - (x - 1);
        const Bits shifted = reinterpret_cast<Bits>(x) + (one_bits - half_root_bits);
        const Bits exponent = ((shifted >> 52) & 0xfff) | integer_bits;
        const Vector k = reinterpret_cast<Vector>(exponent) - integer_start - 1023;
        const Vector m = reinterpret_cast<Vector>((shifted & 0x000fffffffffffff) + half_root_bits);
        return logarithm_about_one(m - 1, k) + lost / x;
    }
    // (1 + d) log(1 + d) - d, which cancels for small d and is summed there.
    static Vector entropy_excess(Vector d, double series_reach) {
        Vector sum = all(0);
#pragma GCC unroll 16
        for (int k = sven::linalg::entropy_terms; k >= 2; --k) sum = 1.0 / (k * (k - 1)) - d * sum;
        const Vector far = (1 + d) * logarithm_beside_one(d) - d;
        return absolute(d) < series_reach ? d * d * sum : far;
    }

    static constexpr double integer = 0x1.8p52;
    static constexpr double integer_start = 0x1p52;
    static constexpr std::int64_t integer_bits = 0x4330000000000000;
    static constexpr std::int64_t one_bits = 0x3ff0000000000000;
    static constexpr std::int64_t half_root_bits = 0x3fe6a09e00000000;
    static constexpr double root_2_less_one = 0x1.a827999fcef3p-2;
    // beyond them everything is zero, or infinite
    static constexpr double lowest_exponent = -746;
    static constexpr double highest_exponent = 710;
    static constexpr double inverse_log_2 = 0x1.71547652b82fep0;
    static constexpr double log_2_high = 0x1.62e42feep-1;  // 32 bits: its multiples are exact
    static constexpr double log_2_low = 0x1.a39ef35793c76p-33;
    // of 13 to 2: what follows is below 1e-17 for |r| <= log(2) / 2
    static constexpr int factorials = 12;
    static constexpr double inverse_factorial[factorials] = {
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
        1.0 / 5040,       1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2};
    static constexpr int log_terms = 7;
    static constexpr double log_series[log_terms] = {
        1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01,
        2.222219843214978396e-01, 2.857142874366239149e-01, 3.999999999940941908e-01,
        6.666666666666735130e-01};
};

// Rows at their linear predictor, as problem::RowLoss.
template <int Lanes>
struct LossLanes {
    using Vector = typename Elementary<Lanes>::Vector;
    Vector mean, error, curvature;
    Vector room;  // how far q can fall below the mean, or above it, if that is less
    Vector tail;  // binomial: e^-|eta|
};

template <int Lanes>
struct Binomial {
    using E = Elementary<Lanes>;
    using Vector = typename E::Vector;

    static LossLanes<Lanes> at(Vector y, Vector eta) {
        const Vector tail = E::exponential(-E::absolute(eta));
        const Vector large = 1 / (1 + tail);
        const Vector small = tail * large;
        const auto is_up = eta >= 0;
        const Vector mean = is_up ? large : small;
        const Vector rest = is_up ? small : large;
        return {mean, y * rest - (1 - y) * mean, large * small, small, tail};
    }
    // Of y = 0 and y = 1; shares are listed.
    static Vector half_deviance(const sven::linalg::LossPass&, const LossLanes<Lanes>& row,
                                Vector y, Vector eta) {
        const Vector wrong = y > 0.5 ? -eta : eta;
        return E::larger(wrong, E::all(0)) + E::logarithm_of_tail(row.tail);
    }
    static auto is_usual(const sven::linalg::LossPass&, const LossLanes<Lanes>&, Vector y) {
        return (y == 0) | (y == 1);
    }
};

template <int Lanes>
struct Poisson {
    using E = Elementary<Lanes>;
    using Vector = typename E::Vector;

    static LossLanes<Lanes> at(Vector y, Vector eta) {
        const Vector mean = E::exponential(eta);
        return {mean, y - mean, mean, mean, E::all(0)};
    }
    static Vector half_deviance(const sven::linalg::LossPass& pass, const LossLanes<Lanes>& row,
                                Vector y, Vector) {
        const Vector excess = E::entropy_excess(row.error / row.mean, pass.series_reach);
        return row.mean * (y == 0 ? E::all(1) : excess);
    }
    // Elsewhere the ratio of y and the mean, or its logarithm, loses digits or overflows.
    static auto is_usual(const sven::linalg::LossPass& pass, const LossLanes<Lanes>& row,
                         Vector y) {
        const double far = pass.largest_ratio;
        return (y == 0) | ((y < far * row.mean) & (row.mean < far * y));
    }
};

// Vectors of a pass; the last may have fewer rows than lanes, of which the others weigh nothing.
template <int Lanes>
struct PassVectors {
    using S = Lane<double, Lanes>;
    using Vector = typename S::Vector;

    Vector y, eta, weight;

    static Vector load(const double* from, Index count, double other) {
        if (count == Lanes) return S::load(from);
        Vector v = Vector{} + other;
        for (Index l = 0; l < count; ++l) v[l] = from[l];
        return v;
    }
    static void store(double* to, Index count, Vector v) {
        if (count == Lanes) {
            S::store(to, v);
            return;
        }
        for (Index l = 0; l < count; ++l) to[l] = v[l];
    }
    static PassVectors at(const sven::linalg::LossPass& pass, Index i, Index count) {
        PassVectors v{load(pass.y + i, count, 0), load(pass.eta + i, count, 0), Vector{}};
        if (pass.weights != nullptr) {
            v.weight = load(pass.weights + i, count, 0);
        } else {
            v.weight = Vector{} + 1;
            for (Index l = count; l < Lanes; ++l) v.weight[l] = 0;
        }
        return v;
    }
};

// Lists the lanes whose mask is set, and says which others are.
template <int Lanes, class Mask>
Index list_lanes(Mask wanted, Index first, Index* listed, Index count) {
    for (int l = 0; l < Lanes; ++l)
        if (wanted[l] != 0) listed[count++] = first + l;
    return count;
}

template <int Lanes, class Mask>
bool any_lane(Mask mask) {
    auto bits = mask[0];
    for (int l = 1; l < Lanes; ++l) bits |= mask[l];
    return bits != 0;
}

template <int Lanes, template <int> class Family>
Index evaluate_loss(const sven::linalg::LossPass& pass, const sven::linalg::LossPassOut& out,
                    sven::linalg::LossPassSums& sums) {
    using E = Elementary<Lanes>;
    using P = PassVectors<Lanes>;
    using Vector = typename E::Vector;
    const Vector zero = E::all(0);
    Vector deviance = zero, error_sum = zero, error_size = zero, curvature_sum = zero;
    Vector largest = zero;
    Index listed = 0;
    for (Index i = 0; i < pass.rows; i += Lanes) {
        const Index count = pass.rows - i < Lanes ? pass.rows - i : Lanes;
        const P in = P::at(pass, i, count);
        const LossLanes<Lanes> row = Family<Lanes>::at(in.y, in.eta);
        const auto counts = in.weight > 0;
        const auto is_usual = Family<Lanes>::is_usual(pass, row, in.y);
        const Vector u = counts ? in.weight * row.error : zero;
        const Vector curvature = counts ? in.weight * row.curvature : zero;
        P::store(out.u + i, count, u);
        P::store(out.curvatures + i, count, curvature);
        const Vector divergence = in.weight * Family<Lanes>::half_deviance(pass, row, in.y, in.eta);
        deviance += (counts & is_usual) ? divergence : zero;
        error_sum += u;
        error_size += E::absolute(u);
        curvature_sum += curvature;
        largest = E::larger(counts ? row.mean : zero, largest);
        const auto unusual = counts & ~is_usual;
        if (any_lane<Lanes>(unusual)) listed = list_lanes<Lanes>(unusual, i, out.listed, listed);
    }
    sums.half_deviance = E::sum(deviance);
    sums.error_sum = E::sum(error_sum);
    sums.error_size = E::sum(error_size);
    sums.curvature_sum = E::sum(curvature_sum);
    for (int l = 0; l < Lanes; ++l)
        sums.largest_mean = largest[l] > sums.largest_mean ? largest[l] : sums.largest_mean;
    return listed;
}

template <int Lanes, template <int> class Family>
Index sum_divergence(const sven::linalg::LossPass& pass, const sven::linalg::DivergencePass& point,
                     Index* listed, sven::linalg::DivergencePassSums& sums) {
    using E = Elementary<Lanes>;
    using P = PassVectors<Lanes>;
    using Vector = typename E::Vector;
    const Vector zero = E::all(0);
    Vector sum = zero, squares = zero;
    Index count_listed = 0;
    for (Index i = 0; i < pass.rows; i += Lanes) {
        const Index count = pass.rows - i < Lanes ? pass.rows - i : Lanes;
        const P in = P::at(pass, i, count);
        const LossLanes<Lanes> row = Family<Lanes>::at(in.y, in.eta);
        const Vector tilt = point.tilt == nullptr ? zero : P::load(point.tilt + i, count, 0);
        const Vector excess = (1 - point.kappa) * row.error + point.kappa * (row.curvature * tilt);
        const Vector blur =
            point.kappa * point.blur * row.curvature + point.row_rounding * E::absolute(row.error);
        const Vector size = E::absolute(excess) + blur;
        const auto counts = in.weight > 0;
        const auto is_small = size < point.reach * row.room;
        const Vector square = in.weight * size * size;
        const Vector divergence = square / (2 * row.curvature) * (1 + size / row.room);
        sum += (counts & is_small) ? divergence : zero;
        squares += (counts & is_small) ? square : zero;
        const auto large = counts & ~is_small;
        if (any_lane<Lanes>(large))
            count_listed = list_lanes<Lanes>(large, i, listed, count_listed);
    }
    sums.sum = E::sum(sum);
    sums.excess_squares = E::sum(squares);
    return count_listed;
}

}  // namespace
