#include "problem/loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "linalg/kernels.hpp"
#include "problem/tuning.hpp"

namespace sven::problem {
namespace {

// The sum over k >= 2 of (-d)^(k - 2) / (k (k - 1)), up to a number of terms.
template <int Terms>
double entropy_series(double d) {
    double sum = 0;
    for (int k = Terms; k >= 2; --k) sum = 1.0 / (k * (k - 1)) - d * sum;
    return sum;
}

// (1 + d) log(1 + d) - d, d >= -1.
double entropy_excess(double d) {
    if (std::abs(d) < short_series_reach) return d * d * entropy_series<short_series_terms>(d);
    if (std::abs(d) < series_reach) return d * d * entropy_series<series_terms>(d);
    return d <= -1 ? 1 : (1 + d) * std::log1p(d) - d;
}

// q log(q / mean) - q + mean for q = mean + excess >= 0; log_mean() is the logarithm of the mean.
template <class LogMean>
double entropy_term(double excess, double mean, const LogMean& log_mean) {
    const double q = mean + excess;
    if (!(q > 0)) return mean;
    if (std::abs(excess) < largest_ratio * mean) return mean * entropy_excess(excess / mean);
    return q * (std::log(q) - log_mean()) - excess;
}

// log of the binomial mean.
double log_mean(double eta) {
    return std::min(eta, 0.0) - std::log1p(std::exp(-std::abs(eta)));
}

// -log(1 + e^-|eta|), from the means.
double log_larger(const RowLoss& row) {
    return -std::log1p(std::min(row.mean, row.rest) / std::max(row.mean, row.rest));
}

template <class Body>
void over_pieces(const linalg::Execution& execution, Index rows, const Body& body) {
    const Index pieces = (rows + loss_rows - 1) / loss_rows;
    const linalg::Team team = execution.team_for(loss_operations * static_cast<double>(rows));
    linalg::parallel_for(execution, team, pieces, [&](Index k) {
        body(k, k * loss_rows, std::min(rows, (k + 1) * loss_rows));
    });
}

static_assert(series_terms == linalg::entropy_terms);

linalg::LossPass pass_over(const LossRows& rows, std::span<const double> eta, Index begin,
                           Index end) {
    return {rows.y.data() + begin, rows.weights.empty() ? nullptr : rows.weights.data() + begin,
            eta.data() + begin,    end - begin,
            largest_ratio,         series_reach};
}

std::size_t piece_count(Index rows) {
    return static_cast<std::size_t>((rows + loss_rows - 1) / loss_rows);
}

}  // namespace

RowLoss Loss::binomial(double y, double eta) {
    const double tail = std::exp(-std::abs(eta));
    const double large = 1 / (1 + tail);
    const double small = tail / (1 + tail);
    RowLoss row;
    row.mean = eta >= 0 ? large : small;
    row.rest = eta >= 0 ? small : large;
    row.error = y * row.rest - (1 - y) * row.mean;
    row.curvature = large * small;
    return row;
}

RowLoss Loss::poisson(double y, double eta) {
    const double mean = std::exp(eta);
    return {mean, 0, y - mean, mean};
}

double Loss::divergence(const RowLoss& row, double eta, double excess) const {
    if (family_ == Family::poisson) return entropy_term(excess, row.mean, [&] { return eta; });
    return entropy_term(excess, row.mean, [&] { return log_mean(eta); }) +
           entropy_term(-excess, row.rest, [&] { return log_mean(-eta); });
}

double Loss::half_deviance(const RowLoss& row, double y, double eta) const {
    if (family_ == Family::poisson) return y == 0 ? row.mean : divergence(row, eta, row.error);
    if (y == 0) return std::max(eta, 0.0) - log_larger(row);
    if (y == 1) return std::max(-eta, 0.0) - log_larger(row);
    return divergence(row, eta, row.error);
}

double Loss::link(double mean) const {
    return family_ == Family::binomial ? std::log(mean) - std::log1p(-mean) : std::log(mean);
}

LossSums evaluate_loss(const Loss& loss, const LossRows& rows, std::span<const double> eta,
                       const linalg::Execution& execution, double* u, double* curvatures) {
    const linalg::LossKernels& kernels = linalg::kernels().losses;
    const auto evaluate =
        loss.family() == Family::binomial ? kernels.evaluate_binomial : kernels.evaluate_poisson;
    std::vector<linalg::LossPassSums> pieces(piece_count(rows.size()));
    over_pieces(execution, rows.size(), [&](Index piece, Index begin, Index end) {
        std::array<Index, loss_rows> listed;
        linalg::LossPassSums& sums = pieces[piece];
        const Index count = evaluate(pass_over(rows, eta, begin, end),
                                     {u + begin, curvatures + begin, listed.data()}, sums);
        for (Index k = 0; k < count; ++k) {
            const Index i = begin + listed[k];
            const double y = rows.y[i];
            sums.half_deviance +=
                rows.weight(i) * loss.half_deviance(loss.at(y, eta[i]), y, eta[i]);
        }
    });
    LossSums total;
    for (const linalg::LossPassSums& sums : pieces) {
        total.half_deviance += sums.half_deviance;
        total.error_sum += sums.error_sum;
        total.error_size += sums.error_size;
        total.curvature_sum += sums.curvature_sum;
        total.largest_mean = std::max(total.largest_mean, sums.largest_mean);
    }
    return total;
}

double half_deviance(const Loss& loss, const LossRows& rows, std::span<const double> eta,
                     const linalg::Execution& execution) {
    std::vector<double> u(rows.y.size());
    std::vector<double> curvatures(rows.y.size());
    return evaluate_loss(loss, rows, eta, execution, u.data(), curvatures.data()).half_deviance;
}

// The divergence is convex in q: over all that q can be it is largest at an end.
Divergence sum_divergence(const Loss& loss, const LossRows& rows, const TiltedErrors& point,
                          double kappa, const linalg::Execution& execution) {
    const linalg::LossKernels& kernels = linalg::kernels().losses;
    const auto diverge =
        loss.family() == Family::binomial ? kernels.diverge_binomial : kernels.diverge_poisson;
    // the errors of the dual point are rounded themselves
    const double rounding = (row_roundings + linalg::pass_roundings) * unit_roundoff;
    std::vector<linalg::DivergencePassSums> pieces(piece_count(rows.size()));
    over_pieces(execution, rows.size(), [&](Index piece, Index begin, Index end) {
        std::array<Index, loss_rows> listed;
        linalg::DivergencePassSums& sums = pieces[piece];
        const double* tilts = point.tilt.empty() ? nullptr : point.tilt.data() + begin;
        const Index count =
            diverge(pass_over(rows, point.eta, begin, end),
                    {tilts, kappa, point.blur, rounding, short_series_reach}, listed.data(), sums);
        for (Index k = 0; k < count; ++k) {
            const Index i = begin + listed[k];
            const double w = rows.weight(i);
            const double eta = point.eta[i];
            const RowLoss row = loss.at(rows.y[i], eta);
            const double tilt = point.tilt.empty() ? 0 : point.tilt[i];
            const double excess = (1 - kappa) * row.error + kappa * row.curvature * tilt;
            const double blur = kappa * row.curvature * point.blur + rounding * std::abs(row.error);
            const double size = std::abs(excess) + blur;
            sums.sum += w * std::max(loss.divergence(row, eta, excess - blur),
                                     loss.divergence(row, eta, excess + blur));
            sums.excess_squares += w * size * size;
        }
    });
    Divergence total;
    for (const linalg::DivergencePassSums& sums : pieces) {
        total.sum += sums.sum;
        total.excess_squares += sums.excess_squares;
    }
    return total;
}

}  // namespace sven::problem
