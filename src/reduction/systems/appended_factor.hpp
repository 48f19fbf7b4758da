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
    bool eliminate(const SystemRequest& request, std::span<const Index> slots,
                   linalg::Buffer<double>& out) override;
    void reset() override {
        TriangularFactor::reset();
        eliminated_.clear();
    }
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
    void gather(const SystemRequest& request, std::span<const Index> slots, double* out,
                Index stride) const;
    void divide(Index count, double* columns, Index stride) const;
    bool take_eliminated(std::span<const Index> slots);
    void remove(std::span<const Index> positions);
    void load_rows(Index top, Index begin, Index end);
    void store_rows(Index top, Index begin, Index end);
    void find_rotations(Index count, const double* column);
    struct Rotation {
        double cosine, sine;
    };
    static void rotate(Index count, const Rotation* rotations, double* rows);
    double removal_cost(const SystemRequest& request) const;
    double rebuild_cost(Index size) const;

    std::vector<char> is_known_;
    std::vector<Index> slots_;
    linalg::Buffer<double> columns_;  // two of them
    std::vector<double> by_slot_;
    std::vector<Index> leaving_;
    std::vector<Index> gone_;  // before each column that stays
    std::vector<Rotation> rotations_;
    linalg::Buffer<double> rows_;  // of some columns, side by side
    // U^-T K of the slots that were eliminated for, as long as U stays
    std::vector<Index> eliminated_;
    linalg::Buffer<double> panel_;
};

}  // namespace sven::reduction
