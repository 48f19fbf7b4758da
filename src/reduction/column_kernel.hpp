#pragma once
// The kernel over the columns of X. Of a dense X the slots keep their columns, scaled; of a sparse
// X products run over the stored entries, and the dense columns are made when a factor asks for
// them. So is the Gram matrix of either. Where a device solves with the columns of all slots it
// multiplies with them too, and the host need not have them.

#include "reduction/design_kernel.hpp"

namespace sven::reduction {

class ColumnKernel final : public DesignKernel {
  public:
    // `products` are x_j'y, `norms` ||x_j||, at least; all are kept by reference.
    ColumnKernel(linalg::ScaledDesign& X, std::span<const double> y,
                 std::span<const double> products, std::span<const double> norms,
                 const linalg::Execution& execution);

    // Another response over the same columns; coefficients are to be set anew.
    void set_response(std::span<const double> y, std::span<const double> products);

    void append(std::span<const Index> features) override;
    void keep(std::span<const Index> slots) override;
    void set_coefficients(std::span<const double> beta) override;
    void slot_correlations(double* out) override;
    void correlations_of_slots(std::span<const Index> some, double* out) override;
    void correlations(std::span<const Index> features, double* out) override;
    double rounding() const override;
    double residual_squares() override;
    double response_squares() const override { return response_norm_ * response_norm_; }
    bool sweep(std::span<const Index> slots, int rounds,
               const linalg::CoordinateStep& step) override;
    double sweep_cost(std::span<const Index> slots) const override;
    void need_gram() override;
    double gram_cost() const override;
    linalg::Systems* systems() override;
    void multiply_gram(const double* x, double* out) override;
    double multiply_cost() const override;
    bool multiplies_by_gram() const override { return !X_.is_sparse() && slots() < 2 * rows(); }
    double response_product(Index feature) const override { return products_[feature]; }
    double column_norm(Index feature) const override { return norms_[feature]; }
    const double* columns() override;

    void multiply(std::span<const double> x, double* out) override;
    void correlate_slots(std::span<const double> v, double* out) override;
    void gather(std::span<const Index> features, double* out) override;

    std::span<const double> residual() const { return residual_; }

  private:
    // Whether products with the columns of all slots are the device's.
    bool is_for_device() const;
    bool has_residual_of(std::span<const double> beta) const;
    bool knows_slot_products() const {
        return slots() > 0 && static_cast<Index>(slot_products_.size()) == slots();
    }
    bool keeps_selected();
    // The slots by rows, made anew where more than a few are missing; null where there are none.
    void select_slots();

    std::span<const double> y_;
    std::span<const double> products_;
    std::span<const double> norms_;
    std::vector<double> residual_;
    std::vector<double> residual_of_;  // by slot: the coefficients that it is of, if it knows them
    bool knows_residual_ = false;
    std::vector<double> slot_products_;  // with the residual, once they were asked for
    double response_norm_ = 0;
    Columns columns_;
    std::unique_ptr<linalg::Systems> systems_;
    bool has_asked_for_systems_ = false;
    Index multiplications_ = 0;    // with the slots at hand
    std::vector<double> product_;  // n: of multiply_gram
};

}  // namespace sven::reduction
