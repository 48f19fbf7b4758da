#pragma once
// What the gap proves of the support (maths.md, eq. 42-46). With rho^2 the gap, every optimum b*
// satisfies ||X(b - b*)||^2 + l2 sum f (b - b*)^2 <= rho^2, hence |x_j'r - x_j'r*| <= rho ||x_j||:
// a feature whose product stays below its bound is zero in every optimum, and a coefficient larger
// than its possible error is non-zero with its sign.

#include <array>
#include <span>

#include "problem/certificate.hpp"
#include "problem/target.hpp"

namespace sven::problem {

struct CertificationInput {
    Question question;
    DualPoint point;
    double gap = 0;                    // absolute
    std::span<const double> norms;     // ||x_j||
    const double* products = nullptr;  // x_j'u: entry j at products[j * stride]
    Index stride = 1;
    double drift = 0;  // products are off by at most drift * ||x_j||
    // (K_EE^-1)_jj of the support's features where K is well conditioned and E, the features not
    // proven zero, is the support itself; empty where unknown.
    std::span<const double> inverse_diagonal;
    // Features that lie below their bounds as if every coefficient were zero, where they have been
    // counted already (count_below); -1 where not.
    Index below = -1;
};

// What a feature's product is compared with: |x_j'u| + norm_error ||x_j|| < h f_j proves a zero
// coefficient.
struct ZeroBound {
    double norm_error = 0;
    double h = 0;
};
ZeroBound zero_bound(const CertificationInput& input, const Support& support,
                     const Penalties& penalties);

// How many features lie below their bounds, for eight settings at once whose products lie side by
// side: entry (j, i) at products[8 j + i].
std::array<Index, 8> count_below(const std::array<ZeroBound, 8>& bounds, const double* products,
                                 std::span<const double> norms, const Penalties& penalties,
                                 const linalg::Execution& execution);

// Of one feature, in every optimum; selected means with the sign of its coefficient.
enum class Verdict : unsigned char { undecided, selected, zero };

// The counts; and where `verdicts` is not empty, the verdict on each feature.
SupportCertificate certify_support(const CertificationInput& input, const Support& support,
                                   const Penalties& penalties, std::span<Verdict> verdicts = {});

}  // namespace sven::problem
