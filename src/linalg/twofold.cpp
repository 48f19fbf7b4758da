#include "linalg/twofold.hpp"

#include <array>

namespace sven::linalg {
namespace {

void axpy(const Twofold& factor, std::span<const Twofold> x, TwofoldVector& y) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y[i] + factor * x[i];
}

}  // namespace

// Four independent sums, so that additions overlap.
Twofold dot(std::span<const Twofold> a, std::span<const Twofold> b) {
    std::array<Twofold, 4> sum{};
    for (std::size_t i = 0; i < a.size(); ++i) sum[i % 4] = sum[i % 4] + a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double norm(std::span<const Twofold> a) {
    return std::sqrt(dot(a, a).value());
}

bool TwofoldBasis::add(TwofoldVector column) {
    const double length = norm(column);
    if (!(length > 0)) return false;
    TwofoldVector entries(vectors_.size() + 1);
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t k = 0; k < vectors_.size(); ++k) {
            execution_.check();
            const Twofold share = dot(vectors_[k], column);
            entries[k] = entries[k] + share;
            axpy(-share, vectors_[k], column);
        }
    const Twofold root = sqrt(dot(column, column));
    if (!(root.high > dependent_distance * length)) return false;
    entries.back() = root;
    const Twofold inverse = Twofold{1} / root;
    for (Twofold& value : column) value = value * inverse;
    vectors_.push_back(std::move(column));
    triangle_.push_back(std::move(entries));
    return true;
}

TwofoldVector TwofoldBasis::coordinates(std::span<const Twofold> v) const {
    TwofoldVector result;
    for (const TwofoldVector& vector : vectors_) result.push_back(dot(vector, v));
    return result;
}

void TwofoldBasis::add_combination(std::span<const Twofold> coordinates, TwofoldVector& v) const {
    for (std::size_t k = 0; k < vectors_.size(); ++k) axpy(coordinates[k], vectors_[k], v);
}

TwofoldVector TwofoldBasis::solve_transposed(std::span<const double> b) const {
    TwofoldVector c;
    for (std::size_t k = 0; k < vectors_.size(); ++k) {
        Twofold rest{b[k]};
        for (std::size_t i = 0; i < k; ++i) rest = rest - triangle_[k][i] * c[i];
        c.push_back(rest / triangle_[k][k]);
    }
    return c;
}

TwofoldVector TwofoldBasis::solve(TwofoldVector c) const {
    for (std::size_t k = c.size(); k-- > 0;) {
        c[k] = c[k] / triangle_[k][k];
        for (std::size_t i = 0; i < k; ++i) c[i] = c[i] - triangle_[k][i] * c[k];
    }
    return c;
}

}  // namespace sven::linalg
