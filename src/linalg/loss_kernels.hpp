#pragma once
// The part of the kernels that evaluates losses of rows beside the squared one (problem/loss.hpp):
// exponentials and logarithms in vectors, each within two units of the last place.

#include "sven/matrix.hpp"

namespace sven::linalg {

// Terms of the series of (1 + d) log(1 + d) - d.
inline constexpr int entropy_terms = 14;
// Roundings of an exponential and the quotients made of it, beside those of y - mean itself: 3.2
// were seen for y - mean and 5.2 for A'' (tests/linalg/test_losses.cpp).
inline constexpr double pass_roundings = 5;

// Rows of a pass; where the mean and y are `largest_ratio` times apart their ratio may overflow,
// and where they are within `series_reach` of each other the divergence is summed from a series of
// `entropy_terms` terms. Rows of weight zero add nothing, whatever their linear predictor.
struct LossPass {
    const double* y;
    const double* weights;  // null: all one
    const double* eta;
    Index rows;
    double largest_ratio;
    double series_reach;
};

struct LossPassSums {
    double half_deviance = 0;  // but for the rows that are listed
    double error_sum = 0;      // sum w (y - mean)
    double error_size = 0;     // sum w |y - mean|
    double curvature_sum = 0;  // sum w A''
    double largest_mean = 0;
};

// What the rows become; `listed` has room for all of them.
struct LossPassOut {
    double* u;           // w (y - mean)
    double* curvatures;  // w A''
    Index* listed;       // rows whose divergence is left to the caller
};

// Half the divergence of the dual point kappa u, where u = w (y - mean - A'' tilt) up to a move of
// the linear predictor of at most `blur`.
struct DivergencePass {
    const double* tilt;  // null: none
    double kappa;
    double blur;
    double row_rounding;  // of y - mean, relative
    double reach;         // sizes below this share of the room have a divergence of second order
};

struct DivergencePassSums {
    double sum = 0;             // but for the rows that are listed, as the next
    double excess_squares = 0;  // sum w (q - mean)^2
};

struct LossKernels {
    // Returns how many rows are listed, in order.
    using Evaluate = Index (*)(const LossPass&, const LossPassOut&, LossPassSums&);
    using Diverge = Index (*)(const LossPass&, const DivergencePass&, Index* listed,
                              DivergencePassSums&);
    Evaluate evaluate_binomial;
    Evaluate evaluate_poisson;
    Diverge diverge_binomial;
    Diverge diverge_poisson;
};

// Those of the instruction set of kernels().
const LossKernels& loss_kernels();

const LossKernels& generic_loss_kernels();
const LossKernels& avx2_loss_kernels();
const LossKernels& avx512_loss_kernels();

}  // namespace sven::linalg
