#pragma once
// Sums with a known error: each carries the rounding errors of its additions and the sizes of its
// terms. A few terms at a time are added without compensation, for speed. For any terms in any
// order (equal terms round the same way every time), a sum of n products is off by at most
//
//     8 u size + u |sum| + (n u)^2 size,    u = 2^-53
//
// and by the same without 8 u size if no product was rounded or added without compensation.

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/twofold.hpp"
#include "svm/tuning.hpp"

namespace sven::svm {

struct CarefulSum {
    double high = 0;
    double low = 0;
    double size = 0;

    void add(double term, double term_size) {
        const linalg::Twofold sum = linalg::two_sum(high, term);
        high = sum.high;
        low += sum.low;
        size += term_size;
    }
    void add(double term) { add(term, std::abs(term)); }
    // Without rounding the product, at a few times the cost.
    void add_product(double a, double b) {
        const linalg::Twofold product = linalg::two_product(a, b);
        add(product.high);
        low += product.low;
    }

    // Adds term(k), k < count.
    template <class Term>
    void add_terms(Index count, const Term& term) {
        // the bound above counts these additions
        constexpr Index lanes = 8;
        constexpr Index block = 4 * lanes;
        Index k = 0;
        for (; k + block <= count; k += block) {
            std::array<double, lanes> sums{};
            std::array<double, lanes> sizes{};
            for (Index some = k; some < k + block; some += lanes) {
                for (Index lane = 0; lane < lanes; ++lane) {
                    const double value = term(some + lane);
                    sums[lane] += value;
                    sizes[lane] += std::abs(value);
                }
            }
            add(fold(sums), fold(sizes));
        }
        for (; k < count; ++k) add(term(k));
    }

  private:
    static double fold(const std::array<double, 8>& x) {
        return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
    }
};

// Many of them side by side.
struct CarefulSums {
    double* high = nullptr;
    double* low = nullptr;
    double* size = nullptr;

    CarefulSum get(Index j) const { return {high[j], low[j], size[j]}; }
    void set(Index j, const CarefulSum& sum) const {
        high[j] = sum.high;
        low[j] = sum.low;
        size[j] = sum.size;
    }

    // Adds terms(k)(j), k < count, to each j in [begin, end).
    template <class Terms>
    void add_terms(Index begin, Index end, Index count, const Terms& terms) const {
        constexpr Index width = careful_columns;
        for (Index first = begin; first < end; first += width) {
            add_tile(first, std::min(width, end - first), count, terms);
        }
    }

    double value(Index j) const { return high[j] + low[j]; }
    // The error of a sum of `terms` products: twice the bound above, for the rounding of `size`.
    double error(Index j, Index terms, bool has_whole_products) const {
        constexpr double u = 0x1p-53;
        const double share = u * static_cast<double>(terms + 2);
        const double rounded = std::abs(value(j)) + (has_whole_products ? 0 : 8 * size[j]);
        return 2 * u * rounded + 2 * share * share * size[j];
    }

  private:
    template <class Terms>
    void add_tile(Index first, Index width, Index count, const Terms& terms) const {
        constexpr Index block = 7;  // terms; the bound above counts them
        for (Index begin = 0; begin < count; begin += block) {
            std::array<double, careful_columns> sums{};
            std::array<double, careful_columns> sizes{};
            const Index end = std::min(count, begin + block);
            for (Index k = begin; k < end; ++k) {
                const auto term = terms(k);
                for (Index j = 0; j < width; ++j) {
                    const double value = term(first + j);
                    sums[j] += value;
                    sizes[j] += std::abs(value);
                }
            }
            for (Index j = 0; j < width; ++j) {
                CarefulSum sum = get(first + j);
                sum.add(sums[j], sizes[j]);
                set(first + j, sum);
            }
        }
    }
};

}  // namespace sven::svm
