#pragma once
// What the gap proves about the support (maths.md, eq. 46-50, 73, 74). With rho^2 the gap, every
// optimum b* satisfies ||X(b - b*)||^2 + l2 sum f (b - b*)^2 <= rho^2, hence |x_j'r - x_j'r*| <=
// rho ||x_j||: a feature whose product stays below its bound is zero in every optimum, and a
// coefficient larger than its possible error is non-zero with its sign.

#include <array>
#include <span>

#include "problem/certificate.hpp"
#include "problem/target.hpp"

namespace sven::problem {

struct CertificationInput {
    Question question;
    DualPoint point;
    double gap = 0;  // absolute
    // How far a product at the optimum may be from x_j'u for a gap, in units of gap^(1/2) ||x_j||:
    // 1 for the squared loss, 1/2 for a binomial response (eq. 73), infinite where nothing is
    // known.
    double product_radius = 1;
    std::span<const double> norms;     // ||x_j||
    const double* products = nullptr;  // x_j'u: entry j at products[j * stride]
    Index stride = 1;
    double drift = 0;  // products are off by at most drift * ||x_j||
    // (K_EE^-1)_jj of the support's features if K is well conditioned and E, the features not
    // proven zero, is the support itself; empty if unknown.
    std::span<const double> inverse_diagonal;
    // The number of features below their bounds if every coefficient were zero, from ZeroCount;
    // -1 if not counted yet.
    Index below = -1;
};

// The bound on a feature's product: |x_j'u| + norm_error ||x_j|| < h f_j proves a zero coefficient.
struct ZeroBound {
    double norm_error = 0;
    double h = 0;
};
ZeroBound zero_bound(const CertificationInput& input, const Support& support,
                     const Penalties& penalties);

// Counts features below their bounds, for eight settings at once with interleaved products: entry
// (j, i) at products[8 j + i].
class ZeroCount {
  public:
    ZeroCount(const std::array<ZeroBound, 8>& bounds, const double* products,
              std::span<const double> norms, const Penalties& penalties);

    // Whether features with no larger product in setting i, nor a larger norm, are known to be
    // below without a look at each.
    bool are_all_below(std::size_t i, double steepest, double largest_norm) const;
    // Below are products with |product| + slope norm < limit, where there is one bound for all.
    const std::array<double, 8>& slopes() const { return slope_; }
    const std::array<double, 8>& limits() const { return limit_; }
    // Adds the features [begin, end) that are.
    void add(Index begin, Index end, std::array<Index, 8>& counts) const;

  private:
    const std::array<ZeroBound, 8>& bounds_;
    const double* products_;
    std::span<const double> norms_;
    const Penalties& penalties_;
    bool is_plain_;  // one bound for all features
    std::array<double, 8> slope_{};
    std::array<double, 8> limit_{};
};

// The counts and, if `proofs` is not empty, the proof of each feature.
SupportCertificate certify_support(const CertificationInput& input, const Support& support,
                                   const Penalties& penalties, std::span<Proof> proofs = {});

}  // namespace sven::problem
