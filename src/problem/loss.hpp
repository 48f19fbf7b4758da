#pragma once
// The losses beside the squared one, row by row (maths.md, section "Other outcomes"): with the
// linear predictor eta, the mean mu = A'(eta) and the curvature A''(eta),
//
//     binomial   A = log(1 + e^eta)    mu = 1 / (1 + e^-eta)    A'' = mu (1 - mu)    0 <= y <= 1
//     poisson    A = e^eta             mu = e^eta               A'' = mu             y >= 0
//
// and the divergence KL(q, mu) = A(eta) + A*(q) - q eta >= 0. Half the deviance is the divergence
// of y. Nothing is clamped and nothing cancels: KL is made of (q - mu) / mu, and y - mu of the tail
// that it is.

#include <algorithm>
#include <span>

#include "linalg/execution.hpp"
#include "sven/elastic_net.hpp"

namespace sven::problem {

// A row at its linear predictor.
struct RowLoss {
    double mean = 0;
    double rest = 0;       // binomial: 1 - mean
    double error = 0;      // y - mean
    double curvature = 0;  // of A
};

class Loss {
  public:
    explicit Loss(Family family) : family_(family) {}

    Family family() const { return family_; }
    RowLoss at(double y, double eta) const {
        return family_ == Family::binomial ? binomial(y, eta) : poisson(y, eta);
    }
    // KL(mean + excess, mean); an excess that leaves the domain by rounding is at its end.
    double divergence(const RowLoss& row, double eta, double excess) const;
    // KL(y, mean).
    double half_deviance(const RowLoss& row, double y, double eta) const;
    // The linear predictor of a mean, inside its domain.
    double link(double mean) const;
    double mean(double eta) const { return at(0, eta).mean; }
    // The largest curvature of any row whose mean is at most `most`.
    double largest_curvature(double most) const {
        return family_ == Family::binomial ? 0.25 : most;
    }

  private:
    static RowLoss binomial(double y, double eta);
    static RowLoss poisson(double y, double eta);

    Family family_;
};

// The rows of a problem, kept by reference.
struct LossRows {
    std::span<const double> y;
    std::span<const double> weights;  // empty: all one

    double weight(Index i) const { return weights.empty() ? 1 : weights[i]; }
    Index size() const { return static_cast<Index>(y.size()); }
};

// Sums over the rows are made in pieces of fixed size that are added in order: the same bits for
// any number of threads.
struct LossSums {
    double half_deviance = 0;
    double error_sum = 0;      // sum w (y - mean)
    double error_size = 0;     // sum w |y - mean|
    double curvature_sum = 0;  // sum w A''
    double largest_mean = 0;
};

// At the linear predictor eta: u[i] = w (y - mean) and curvatures[i] = w A''.
LossSums evaluate_loss(const Loss& loss, const LossRows& rows, std::span<const double> eta,
                       const linalg::Execution& execution, double* u, double* curvatures);
// Half the deviance alone.
double half_deviance(const Loss& loss, const LossRows& rows, std::span<const double> eta,
                     const linalg::Execution& execution);

// The dual point u_i = w_i (y_i - mean_i - A''_i tilt_i), of which `tilt`, a move of the linear
// predictor, keeps it orthogonal to the intercept and the free features; up to a move of at most
// `blur` that is not known.
struct TiltedErrors {
    std::span<const double> eta;
    std::span<const double> tilt;  // empty: none
    double blur = 0;
};

struct Divergence {
    double sum = 0;             // sum w KL(q, mean) for q of the dual point kappa u, at most
    double excess_squares = 0;  // sum w (q - mean)^2, at most
};
Divergence sum_divergence(const Loss& loss, const LossRows& rows, const TiltedErrors& point,
                          double kappa, const linalg::Execution& execution);

}  // namespace sven::problem
