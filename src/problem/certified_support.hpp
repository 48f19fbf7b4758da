#pragma once
// What the gap proves of the support (maths.md, eq. 42-46). With rho^2 the gap, every optimum b*
// satisfies ||X(b - b*)||^2 + l2 sum f (b - b*)^2 <= rho^2, hence |g_j - g*_j| <= rho N_j with
// N_j^2 = ||x_j||^2 + l2 f_j: a feature whose |g_j| stays below its bound is zero in every optimum,
// and a coefficient larger than its possible error is non-zero with its sign.

#include <span>

#include "problem/certificate.hpp"
#include "reduction/active_set.hpp"

namespace sven::problem {

struct CertificationInput {
    GapInput gap_input;
    double gap = 0;                    // absolute
    std::span<const double> norms;     // ||x_j||
    const double* products = nullptr;  // x_j'r: entry j at products[j * stride]
    Index stride = 1;
    double drift = 0;  // products are off by at most drift * ||x_j||
    // (K_EE^-1)_jj of the support's features where K is well conditioned and E, the features not
    // proven zero, is the support itself; empty where unknown.
    std::span<const double> inverse_diagonal;
};

// Of one feature, in every optimum; selected means with the sign of its coefficient.
enum class Verdict : unsigned char { undecided, selected, zero };

// The counts; and where `verdicts` is not empty, the verdict on each feature.
SupportCertificate certify_support(const CertificationInput& input,
                                   const reduction::Support& support,
                                   const reduction::Penalties& penalties,
                                   std::span<Verdict> verdicts = {});

}  // namespace sven::problem
