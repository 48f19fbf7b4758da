#pragma once
// Numbers of twice the working precision, as the unevaluated sum of two doubles (Dekker 1971), and
// orthonormal bases in them. A certificate with nearly dependent columns needs the distance of one
// from the span of the others to more digits than double precision has.

#include <cmath>
#include <span>
#include <vector>

#include "linalg/execution.hpp"
#include "linalg/tuning.hpp"

namespace sven::linalg {

struct Twofold {
    double high = 0;
    double low = 0;  // at most half a unit in the last place of `high`

    double value() const { return high + low; }
};

// a + b and a b without error.
inline Twofold two_sum(double a, double b) {
    const double sum = a + b;
    const double part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
}
inline Twofold two_product(double a, double b) {
    const double product = a * b;
    return {product, std::fma(a, b, -product)};
}

inline Twofold operator+(const Twofold& a, const Twofold& b) {
    const Twofold high = two_sum(a.high, b.high);
    const Twofold low = two_sum(a.low, b.low);
    const Twofold rest = two_sum(high.high, high.low + low.high);
    return two_sum(rest.high, rest.low + low.low);
}
inline Twofold operator-(const Twofold& a) {
    return {-a.high, -a.low};
}
inline Twofold operator-(const Twofold& a, const Twofold& b) {
    return a + -b;
}
inline Twofold operator*(const Twofold& a, const Twofold& b) {
    const Twofold product = two_product(a.high, b.high);
    return two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
inline Twofold operator/(const Twofold& a, const Twofold& b) {
    const double first = a.high / b.high;
    const Twofold rest = a - b * Twofold{first};
    const double second = rest.high / b.high;
    const double third = (rest - b * Twofold{second}).high / b.high;
    const Twofold sum = two_sum(first, second);
    return sum + Twofold{third};
}

// One Newton step refines the square root to twofold precision.
inline Twofold sqrt(const Twofold& a) {
    const double root = std::sqrt(a.high);
    if (!(root > 0)) return {};
    return Twofold{root} + (a - two_product(root, root)) / Twofold{2 * root};
}

using TwofoldVector = std::vector<Twofold>;

Twofold dot(std::span<const Twofold> a, std::span<const Twofold> b);
double norm(std::span<const Twofold> a);

// An orthonormal basis of columns that are added one by one, by Gram-Schmidt with
// reorthogonalisation.
class TwofoldBasis {
  public:
    static constexpr double dependent_distance = twofold_dependent_distance;

    explicit TwofoldBasis(const Execution& execution) : execution_(execution) {}

    Index size() const { return static_cast<Index>(vectors_.size()); }
    // Adds a column. False, and nothing added, if it lies in the span of the earlier ones up to the
    // rounding of twofold numbers.
    bool add(TwofoldVector column);
    // The coordinates of v in the basis.
    TwofoldVector coordinates(std::span<const Twofold> v) const;
    // v += Q c.
    void add_combination(std::span<const Twofold> coordinates, TwofoldVector& v) const;
    // c with R'c = b: the coordinates of the vector in the span whose products with the columns
    // are b.
    TwofoldVector solve_transposed(std::span<const double> b) const;
    // x with R x = c: the combination of the columns that has the coordinates c.
    TwofoldVector solve(TwofoldVector c) const;

  private:
    Execution execution_;
    std::vector<TwofoldVector> vectors_;
    std::vector<TwofoldVector> triangle_;  // column k of R: k + 1 entries
};

}  // namespace sven::linalg
