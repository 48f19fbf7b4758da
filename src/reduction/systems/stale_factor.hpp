#pragma once
// A single-precision Cholesky factor of K for a support and an l2 that are nearly the ones asked
// for: the preconditioner of large supports (maths.md, section "Large supports"). K is scaled to
// a unit diagonal first. Features that joined since are bordered; those that left stay in the
// factor, and a solve is projected so that they come out zero.

#include <span>
#include <vector>

#include "linalg/block_triangle.hpp"
#include "reduction/kernel.hpp"

namespace sven::reduction {

class StaleFactor {
  public:
    explicit StaleFactor(const linalg::Execution& execution) : execution_(execution) {}

    // Follows the support. `ridge` is that of the setting; a rebuilt factor is made for `ahead`
    // times it, so that it serves the settings to come. False where single precision does not do.
    bool update(Kernel& kernel, std::span<const char> active, std::span<const double> ridge,
                double l2, double ahead);
    // Asks for a new factor at the next update.
    void expire() { has_expired_ = true; }
    void reset();
    // z = M^-1 r, both by slot; off the support r is zero and z is made so.
    void apply(std::span<const char> active, const double* r, double* z);

  private:
    bool rebuild(Kernel& kernel, std::span<const char> active, std::span<const double> ridge);
    bool append(Kernel& kernel, std::span<const Index> slots, std::span<const double> ridge);
    void fill(const Kernel& kernel, std::span<const Index> rows, std::span<const Index> columns,
              float* out) const;
    void set_scale(const Kernel& kernel, std::span<const Index> slots,
                   std::span<const double> ridge);
    void reserve(Index size);
    bool project_out(std::span<const char> active);

    linalg::Execution execution_;
    std::vector<Index> order_;     // slots in the factor
    std::vector<Index> position_;  // by slot: its place in the factor, or -1
    std::vector<double> scale_;    // by slot: 1 / sqrt(K_jj)
    std::vector<Index> slots_;
    linalg::Buffer<float> U_;
    Index stride_ = 0;
    linalg::BlockTriangle triangle_;  // U's
    std::vector<float> x_, y_;
    std::vector<Index> gone_;           // places in the factor of features that left
    std::vector<Index> before_;         // scratch
    Index projected_ = 0;               // size of the factor that projection_ belongs to
    linalg::Buffer<float> projection_;  // an orthonormal basis of U^-T e_j, j in gone_
    std::vector<float> square_, along_;
    double l2_ = -1;      // the factor's
    double weight_ = 1;   // the factor's ridge over the setting's
    Index appended_ = 0;  // since it was built
    bool has_expired_ = false;
};

}  // namespace sven::reduction
