#pragma once
// The certificate of a w whose dual variables are not representable. If costs are large relative to
// the identity, a = 2 C (t)_+ is so large that the rounding of Za alone exceeds the optimum, even
// if w is accurate. But another a is near: with H = I + 2 sum over S of C_i z_i z_i' and g = w - w0
// - Za, the dual point a + 2 C Z_S'H^-1 g has the gap 1/2 g'H^-1 g, as long as none of its entries
// is negative (maths.md, eq. 65). It need not be computed. H is known by the QR of
//
//     A = [ (2C)^(1/2) Z_S ; I ],    H = A'A = R'R
//
// and a bound on g'H^-1 g follows.

#include <optional>

#include "linalg/buffer.hpp"
#include "svm/certificate.hpp"

namespace sven::svm {

class SharpGap {
  public:
    SharpGap(const SquaredHinge& problem, Certificate& certificate);

    // For the w that the certificate has measured, and a = 2 C (t)_+: alpha() and step(). False if
    // there are too many samples, or H cannot be factorised.
    [[nodiscard]] bool prepare(std::span<const double> w);
    // The gap of the same w; empty if H is too ill-conditioned.
    [[nodiscard]] std::optional<Gap> close();
    std::span<const double> alpha() const { return alpha_; }
    // H^-1 g: w minus the Newton point.
    std::span<const double> step() const { return step_; }

  private:
    // False if H cannot be factorised.
    bool factorise();
    // An upper bound on the square root of g'H^-1 g.
    double radius() const;
    void solve_step();
    double gap(double radius) const;

    SquaredHinge problem_;
    Certificate& certificate_;
    std::vector<double> alpha_;
    std::vector<double> step_;
    std::vector<Index> curved_;  // S
    std::vector<char> is_curved_;
    linalg::Buffer<double> factor_;  // d x d: R
    std::vector<double> spread_;     // square roots of the diagonal of H^-1
    double change_ =
        0;  // bound on the relative change of lengths in the norm of H^-1 by the rounding of R
};

}  // namespace sven::svm
