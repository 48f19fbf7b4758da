#pragma once
// The kernel of a quadratic model of another loss (maths.md, eq. 71). About a point b0, with row
// curvatures k and the vector u = w (y - mean) there,
//
//     1/2 c'Qc - q'c,   Q = X'diag(k)X,   q = Q b0 + X'u,   the intercept eliminated
//
// so that the vector whose products the machine asks for is v = u - k o (X (c - b0) + move of the
// intercept): no row is divided by its curvature. The slots keep their columns as they are, centred
// and scaled; a new point changes the Gram matrix and leaves the slots.

#include "linalg/scaled_design.hpp"
#include "reduction/kernel.hpp"

namespace sven::reduction {

class CurvedKernel final : public Kernel {
  public:
    // What does not change from point to point; all is kept by reference.
    struct Setup {
        std::span<const double> norms;    // of the columns, in the weights of the problem
        std::span<const double> weights;  // of the rows; empty: all one
        bool intercept = true;
    };
    // X without weights.
    CurvedKernel(linalg::ScaledDesign& X, const Setup& setup, const linalg::Execution& execution);

    // The point: coefficients by slot; curvatures and u with the weights in them.
    void set_point(std::span<const double> beta, std::span<const double> curvatures,
                   std::span<const double> u);
    // out = X beta, by slot.
    void predict(std::span<const double> beta, double* out) const;
    // out = X'v, by slot.
    void correlate_columns(std::span<const double> v, double* out) const;
    // How far the intercept moves with the coefficients that were set last.
    double intercept_move() const { return intercept_move_; }
    // The columns of the slots, without curvature.
    const double* plain_columns() const { return columns_.data(); }

    void append(std::span<const Index> features) override;
    void keep(std::span<const Index> slots) override;
    void set_coefficients(std::span<const double> beta) override;
    void slot_correlations(double* out) override { correlate_columns(v_, out); }
    void correlations(std::span<const Index> features, double* out) override;
    double rounding() const override;
    double residual_squares() const override { return length_of(v_) * length_of(v_); }
    double response_squares() const override { return point_length_ * point_length_; }
    double response_product(Index feature) const override { return products_[slot_of(feature)]; }
    double column_norm(Index feature) const override { return setup_.norms[feature]; }
    void need_gram() override;
    void multiply_gram(const double* x, double* out) override;
    double multiply_cost() const override;
    // With the roots of the curvatures in them.
    bool has_columns() const override { return true; }
    const double* columns() override;
    Index rows() const override { return X_.rows(); }
    void multiply(std::span<const double> x, double* out) override;
    void correlate_slots(std::span<const double> v, double* out) override;
    void gather(std::span<const Index> features, double* out) override;

  private:
    void weigh(double* columns, Index count) const;
    void add_products(Index first);
    double length_of(std::span<const double> v) const;

    linalg::ScaledDesign& X_;
    Setup setup_;
    linalg::Execution execution_;
    linalg::Buffer<double> columns_, weighted_;
    Index capacity_ = 0, weighted_capacity_ = 0;  // columns that fit
    Index weighted_slots_ = 0;                    // slots whose weighted columns are there
    Index gram_slots_ = 0;                        // slots whose rows the Gram matrix has
    std::vector<double> point_;                   // by slot: coefficients there
    std::vector<double> products_;                // by slot: x_j'v at c = 0
    std::vector<double> curvatures_, roots_;
    double curvature_sum_ = 0;
    std::vector<double> u_;       // centred, where there is an intercept
    std::vector<double> origin_;  // v at c = 0
    std::vector<double> v_;
    double u_move_ = 0;  // of the intercept, to centre u
    double intercept_move_ = 0;
    double point_length_ = 0;
    std::vector<double> change_;  // by slot
};

}  // namespace sven::reduction
