#pragma once
// The kernel of a quadratic model of another loss (maths.md, eq. 71). About a point b0, with row
// curvatures k and the vector u = w (y - mean) there,
//
//     1/2 c'Qc - q'c,   Q = X'diag(k)X,   q = Q b0 + X'u,   the intercept eliminated
//
// so that the vector whose products the machine asks for is v = u - k o (X (c - b0) + move of the
// intercept): no row is divided by its curvature. The curvatures may be those of an earlier point:
// the Gram matrix of the slots is theirs, and stays with them from point to point.

#include "reduction/design_kernel.hpp"

namespace sven::reduction {

class CurvedKernel final : public DesignKernel {
  public:
    // What does not change from point to point; all is kept by reference.
    struct Setup {
        std::span<const double> norms;    // of the columns, in the weights of the problem
        std::span<const double> weights;  // of the rows; empty: all one
        bool intercept = true;
    };
    // X without weights.
    CurvedKernel(linalg::ScaledDesign& X, const Setup& setup, const linalg::Execution& execution);

    // Curvatures of the rows, with the weights in them; a point must be set afterwards.
    void set_curvatures(std::span<const double> curvatures);
    std::span<const double> curvatures() const { return curvatures_; }
    // The point: coefficients by slot, X times them, and u with the weights in it.
    void set_point(std::span<const double> beta, std::span<const double> fitted,
                   std::span<const double> u);
    // out = X beta, by slot.
    void predict(std::span<const double> beta, double* out);
    // out = X'v, by slot.
    void correlate_columns(std::span<const double> v, double* out) { correlate_from(0, v, out); }
    // Of the coefficients that were set last: X times them, and how far the intercept moves.
    std::span<const double> fitted();
    double intercept_move();
    // Columns of features that need not have a slot, without curvature.
    void gather_plain(std::span<const Index> features, double* out) const {
        X_.gather(features, execution_, out, rows());
    }

    void append(std::span<const Index> features) override;
    void keep(std::span<const Index> slots) override;
    void set_coefficients(std::span<const double> beta) override;
    void slot_correlations(double* out) override;
    void correlations(std::span<const Index> features, double* out) override;
    double rounding() const override;
    double residual_squares() override;
    double response_squares() const override { return point_length_ * point_length_; }
    double response_product(Index feature) const override { return products_[slot_of(feature)]; }
    double column_norm(Index feature) const override { return setup_.norms[feature]; }
    void need_gram() override;
    double gram_cost() const override { return cost_of_gram(gram_slots_); }
    // Modelled operations of curvatures set anew, with the factor of a system; of a pass over the
    // columns of the slots, with a share of a solve.
    double renewal_cost() const;
    double pass_cost() const;
    void multiply_gram(const double* x, double* out) override;
    double multiply_cost() const override;
    // With the roots of the curvatures in them.
    const double* columns() override;
    void multiply(std::span<const double> x, double* out) override;
    void correlate_slots(std::span<const double> v, double* out) override;
    void gather(std::span<const Index> features, double* out) override;

  private:
    // v and X c of the coefficients, where they are not at hand.
    void follow_coefficients();
    void correlate_from(Index first, std::span<const double> v, double* out);
    void weigh(double* columns, Index count) const;
    void gather_right_sides(std::span<const Index> features, double* out) override;
    linalg::RowProducts row_products() const override { return {curvatures_, setup_.intercept, 0}; }
    void add_products(Index first);
    double cost_of_gram(Index first) const;  // of rows [first, slots())
    void make_gram();
    double length_of(std::span<const double> v) const;
    double mean_of(std::span<const double> v) const;  // by the curvatures; 0 without an intercept

    Setup setup_;
    Columns columns_;   // of a dense X
    Columns weighted_;  // with the roots of the curvatures, where they were asked for
    std::vector<double> curvatures_, roots_;
    double curvature_sum_ = 0;
    double curvature_length_ = 0;
    // of the point
    std::vector<double> point_;     // by slot: coefficients there
    std::vector<double> gradient_;  // by slot: x_j'u
    std::vector<double> products_;  // by slot: x_j'v at c = 0
    std::vector<double> u_;         // centred, where there is an intercept
    std::vector<double> origin_;    // v at c = 0
    double u_move_ = 0;             // of the intercept, to centre u
    double point_mean_ = 0;         // of X b0
    double u_length_ = 0, point_length_ = 0;
    // of the coefficients; what takes a pass over the columns is made when it is asked for
    std::vector<double> coefficients_, change_;  // by slot; from the point
    std::vector<double> followed_;               // the coefficients whose fitted_ and v_ these are
    std::vector<double> fitted_, v_;
    double intercept_move_ = 0;
    std::vector<double> means_;  // of the columns, by the curvatures
};

}  // namespace sven::reduction
