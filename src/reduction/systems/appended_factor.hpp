#pragma once
// A Cholesky factor U'U = K to which columns are appended and from which they are removed while l2
// stays; a new l2 means a new factor. Columns that depend on the others are refused, not factored.
// Where the Gram matrix is too coarse to tell (it squares the condition of X_A) and the columns are
// at hand, it leaves the support to a QR.

#include "reduction/systems/triangular_factor.hpp"

namespace sven::reduction {

class AppendedFactor final : public TriangularFactor {
  public:
    using TriangularFactor::TriangularFactor;

    bool update(const SystemRequest& request) override;
    bool inverse_diagonal(std::vector<double>& out) override;
    // Another factor took over, of these slots: they are the ones known to be independent.
    void give_way(std::span<const Index> order) {
        order_.assign(order.begin(), order.end());
        l2_ = -1;
    }

  private:
    bool follow(const SystemRequest& request, std::size_t known);
    bool rebuild(const SystemRequest& request, std::span<const Index> slots, std::size_t known);
    bool rebuild_at_once(const SystemRequest& request, std::span<const Index> slots);
    bool append(const SystemRequest& request, std::span<const Index> slots);
    bool append_some(const SystemRequest& request, std::span<const Index> slots);
    bool is_dependent(const SystemRequest& request, Index slot, const double* solved);
    bool is_multiple(const SystemRequest& request, Index slot, double threshold);
    void remove(Index position);
    template <Index Count>
    void rotate(Index begin, Index end, double* columns) const;
    double removal_cost(const SystemRequest& request) const;
    double rebuild_cost(Index size) const;

    std::vector<char> is_known_;
    std::vector<Index> slots_;
    linalg::Buffer<double> columns_;  // two of them
    std::vector<double> cosine_, sine_, by_slot_;
};

}  // namespace sven::reduction
