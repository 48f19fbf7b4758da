#pragma once
// A single-precision Cholesky factor of K for a support and an l2 that are nearly the ones asked
// for: the preconditioner of large supports (maths.md, section "Large supports"). K is scaled to
// a unit diagonal first. Features that joined since are bordered; those that left stay in the
// factor, and a solve is projected so that they come out zero.

#include <span>
#include <vector>

#include "linalg/block_triangle.hpp"
#include "reduction/kernel.hpp"
#include "reduction/systems/projection.hpp"

namespace sven::reduction {

class StaleFactor {
  public:
    explicit StaleFactor(const linalg::Execution& execution)
        : execution_(execution), projection_(execution) {}

    // The support and the ridge of the setting, by slot; a factor that is made anew is made for
    // `ahead` times the ridge, so that it serves the settings to come.
    struct Request {
        Kernel& kernel;
        std::span<const char> active;
        std::span<const double> ridge;
        double l2;
        double ahead;
    };
    // Follows the support. False where single precision does not do.
    bool update(const Request& request);
    // Asks for a new factor at the next update.
    void expire() { has_expired_ = true; }
    void reset();
    // What is left of K for `slots`, which are not active, once the active ones are solved for, by
    // columns (maths.md, eq. 79). The factor has them, too, from then on. False as above.
    bool eliminate(const Request& request, std::span<const Index> slots,
                   linalg::Buffer<double>& out);
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
    Projection projection_;             // of features that left
    std::vector<Index> gone_, places_;  // in the factor
    std::vector<char> with_slots_;
    double l2_ = -1;      // the factor's
    double weight_ = 1;   // the factor's ridge over the setting's
    Index appended_ = 0;  // since it was built
    bool has_expired_ = false;
};

}  // namespace sven::reduction
