#pragma once
// The factor of K = G_AA + l2 diag(f) over the support A (maths.md, eq. 18): U'U = K. At the same
// l2 columns are appended and removed; a new l2 means a new factor. Where the Gram matrix is too
// coarse (it squares the condition of X_A) and the columns are at hand, U comes from a QR of
// [X_A; sqrt(l2 f)] instead (eq. 25). A column that depends on the others is refused, not factored.

#include <span>
#include <vector>

#include "linalg/execution.hpp"
#include "reduction/kernel.hpp"

namespace sven::reduction {

class SupportFactor {
  public:
    // A Cholesky pivot below this share of its diagonal has lost eleven digits: refinement from X
    // would still converge at 1e-11, not far below.
    static constexpr double coarse_pivot = 1e-11;

    explicit SupportFactor(const linalg::Execution& execution) : execution_(execution) {}

    // What is to be factored: the slots for which active is set, ridge[slot] = l2 f_slot.
    struct Request {
        Kernel& kernel;
        std::span<const char> active;
        std::span<const double> ridge;
        double l2;
    };

    // Brings the factor up to date. Active slots that depend on the others, support first and
    // fresh ones last, are listed in refused().
    void update(const Request& request);
    std::span<const Index> refused() const { return refused_; }
    // The slots of the factor, in its order.
    std::span<const Index> order() const { return order_; }

    // K x = b, both by slot; x is zero off the factor.
    void solve(const double* b, double* x);
    // d'Kd, d by slot.
    double quadratic(const double* d);
    // diag(K^-1) in factor order.
    void inverse_diagonal(std::vector<double>& out);

    // Whether it can be brought up to date at this l2 without starting anew.
    bool is_for(double l2) const { return l2 == l2_ && !order_.empty(); }

    // From the QR: accuracy then needs refinement from X, which converges.
    bool is_orthogonal() const { return is_orthogonal_; }
    // Slots were renumbered or the columns changed.
    void reset();

  private:
    void rebuild(const Request& request, std::span<const Index> slots, std::size_t members);
    bool rebuild_by_cholesky(const Request& request, std::span<const Index> slots);
    void rebuild_by_qr(const Request& request, std::vector<Index> slots);
    bool append(const Request& request, std::span<const Index> slots);
    bool append_some(const Request& request, std::span<const Index> slots);
    bool is_dependent(const Request& request, Index slot, const double* solved);
    bool is_multiple(const Request& request, Index slot, double threshold);
    void remove(Index position);
    void reserve(Index size);
    double rebuild_cost(Index size) const;

    linalg::Execution execution_;
    std::vector<Index> order_;
    std::vector<Index> refused_;
    std::vector<char> is_member_;
    linalg::Buffer<double> U_;
    Index stride_ = 0;
    double l2_ = -1;
    bool is_orthogonal_ = false;
    linalg::Buffer<double> stacked_;
    std::vector<double> tau_, cosine_, sine_, gathered_, by_slot_;
    std::vector<Index> slots_, fresh_;
};

}  // namespace sven::reduction
