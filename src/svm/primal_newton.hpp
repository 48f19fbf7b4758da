#pragma once
// The exact Newton point by the d x d system of the primal (maths.md, eq. 11):
//
//     H = I + 2 sum over the support of C_i z_i z_i',   s = H^-1 g,   w_N = w - s,   m_N = m + Z's
//
// H is kept between steps and updated by the samples that entered or left.

#include <vector>

#include "linalg/buffer.hpp"
#include "svm/iterate.hpp"

namespace sven::svm {

class PrimalNewton {
  public:
    explicit PrimalNewton(const SquaredHinge& problem);

    // The cost of the next solve; infinite if the system is too large.
    double cost(const Iterate& iterate) const;
    // Writes the Newton point; false if H cannot be factorised.
    [[nodiscard]] bool solve(Iterate& iterate);

  private:
    Index count_differences(const Iterate& iterate) const;
    void rebuild(const Iterate& iterate);
    void update(const Iterate& iterate);
    void add(const Iterate& iterate, double sign);
    bool factorise_hessian(const Iterate& iterate);

    linalg::Buffer<double> hessian_;
    linalg::Buffer<double> factor_;
    std::vector<double> step_;     // d
    std::vector<double> weights_;  // m
    std::vector<Index> batch_;     // samples to add or remove
    std::vector<char> is_in_hessian_;
    bool has_hessian_ = false;
};

}  // namespace sven::svm
