#pragma once
// Features that left a factor U'U = K and stay in it. With F their places and P = U^-T E_F, a solve
// with K restricted to the others is U^-1 (I - P (P'P)^-1 P') U^-T; and P'P = (K^-1)_FF is the
// inverse of what is left of K for F once the others are solved for (maths.md, section "Large
// supports"). A column of P is kept as long as the factor is: features come and go.

#include <span>
#include <vector>

#include "linalg/block_triangle.hpp"
#include "linalg/buffer.hpp"

namespace sven::reduction {

class Projection {
  public:
    explicit Projection(const linalg::Execution& execution) : execution_(execution) {}

    struct Factor {
        linalg::UpperTriangle U;
        const linalg::BlockTriangle& triangle;
        Index order;
    };

    // The factor was made anew: nothing has left it.
    void clear();
    // Follows the factor, which may have grown, and the places that left it, ascending. False where
    // single precision cannot tell them from the rest.
    bool follow(const Factor& factor, std::span<const Index> left);
    bool is_empty() const { return left_ == 0; }
    // y := (I - P (P'P)^-1 P') y
    void apply(float* y);
    // (P'P)^-1 of some of the places that left, by columns.
    void remainder(std::span<const Index> places, linalg::Buffer<double>& out) const;

  private:
    // Rows of the kept columns for what was appended to the factor.
    void extend(const Factor& factor);
    // Columns for places that have none, behind the others.
    void add(const Factor& factor, std::span<const Index> places);
    void reserve(Index rows, Index columns);
    void swap(Index a, Index b);
    bool factor_square();
    float* column(Index k) { return P_.data() + k * stride_; }

    linalg::Execution execution_;
    linalg::Buffer<float> P_;
    Index stride_ = 0;
    Index rows_ = 0;             // of the columns that are kept: the order of the factor then
    std::vector<Index> places_;  // of the columns, in their order; the first left_ are F
    Index left_ = 0;
    bool is_ready_ = true;  // square_ is that of F
    std::vector<Index> missing_;
    std::vector<float> sums_;     // P'P
    std::vector<double> square_;  // R, R'R = P'P
    std::vector<float> along_;
    std::vector<double> solved_;
};

}  // namespace sven::reduction
