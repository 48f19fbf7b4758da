#pragma once
// The kernel over the whole Gram matrix of the scaled columns: no product with X at all.

#include <memory>

#include "linalg/design.hpp"
#include "problem/scaled_gram.hpp"
#include "reduction/kernel.hpp"

namespace sven::reduction {

using problem::ScaledGram;

class GramKernel final : public Kernel {
  public:
    // `design`, where given, may have a device to solve on.
    GramKernel(const ScaledGram& gram, const linalg::Execution& execution,
               const linalg::Design* design = nullptr);

    void append(std::span<const Index> features) override { add_slots(features); }
    void keep(std::span<const Index> slots) override;
    void set_coefficients(std::span<const double> beta) override;
    void slot_correlations(double* out) override;
    void correlations_of_slots(std::span<const Index> some, double* out) override;
    void correlations(std::span<const Index> features, double* out) override;
    double rounding() const override;
    double settled() const override { return tuning::settled_over_gram * rounding(); }
    double residual_squares() override {
        follow_coefficients();
        return residual_squares_;
    }
    double response_squares() const override { return data_.response_squares; }
    bool sweep(std::span<const Index> slots, int rounds,
               const linalg::CoordinateStep& step) override;
    double sweep_cost(std::span<const Index> slots) const override;
    linalg::Systems* systems() override;
    Index member_of(Index slot) const override { return feature(slot); }
    void multiply_gram(const double* x, double* out) override;
    double multiply_cost() const override {
        return static_cast<double>(slots()) * static_cast<double>(slots());
    }
    double response_product(Index feature) const override { return data_.products[feature]; }
    double column_norm(Index feature) const override { return data_.norms[feature]; }

    double spread() const { return data_.spread; }
    // X'r, every feature.
    std::span<const double> all_correlations() {
        follow_coefficients();
        return correlations_;
    }

  private:
    void copy_slots();
    // X'r of all features, which waits until more than a few of its entries are asked for.
    void follow_coefficients();
    void subtract_columns();
    void subtract_half();
    void note_residual();
    // x_j'r of one feature, while that waits.
    double correlation(Index feature) const;
    bool is_for_few(std::size_t features) const;

    const ScaledGram& data_;
    linalg::Execution execution_;
    const linalg::Design* design_;  // null once it was asked
    std::unique_ptr<linalg::Systems> systems_;
    std::vector<double> correlations_;
    double residual_squares_ = 0;
    Index copied_ = 0;        // slots whose Gram matrix was copied
    bool is_current_ = true;  // the products are those of the coefficients
    std::vector<Index> nonzero_;
    std::vector<double> value_;
    std::vector<double> expanded_;  // coefficients by feature
};

}  // namespace sven::reduction
