#pragma once
// The part of the kernels that evaluates losses of rows beside the squared one (problem/loss.hpp):
// exponentials and logarithms in vectors, each within two units of the last place.

#include "linalg/tuning.hpp"
#include "sven/matrix.hpp"

namespace sven::linalg {

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

}  // namespace sven::linalg
