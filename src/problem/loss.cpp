#include "problem/loss.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "problem/tuning.hpp"

namespace sven::problem {
namespace {

// The sum over k >= 2 of (-d)^(k - 2) / (k (k - 1)), up to a number of terms.
template <int terms>
double entropy_series(double d) {
    double sum = 0;
    for (int k = terms; k >= 2; --k) sum = 1.0 / (k * (k - 1)) - d * sum;
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
                       const linalg::Execution& execution, double* errors, double* curvatures) {
    std::vector<LossSums> pieces(piece_count(rows.size()));
    over_pieces(execution, rows.size(), [&](Index piece, Index begin, Index end) {
        LossSums sums;
        for (Index i = begin; i < end; ++i) {
            const double w = rows.weight(i);
            const RowLoss row = loss.at(rows.y[i], eta[i]);
            errors[i] = row.error;
            curvatures[i] = row.curvature;
            if (w == 0) continue;
            sums.half_deviance += w * loss.half_deviance(row, rows.y[i], eta[i]);
            sums.error_sum += w * row.error;
            sums.error_size += w * std::abs(row.error);
            sums.error_squares += w * row.error * row.error;
            sums.curvature_sum += w * row.curvature;
            sums.largest_mean = std::max(sums.largest_mean, row.mean);
        }
        pieces[piece] = sums;
    });
    LossSums total;
    for (const LossSums& sums : pieces) {
        total.half_deviance += sums.half_deviance;
        total.error_sum += sums.error_sum;
        total.error_size += sums.error_size;
        total.error_squares += sums.error_squares;
        total.curvature_sum += sums.curvature_sum;
        total.largest_mean = std::max(total.largest_mean, sums.largest_mean);
    }
    return total;
}

double half_deviance(const Loss& loss, const LossRows& rows, std::span<const double> eta,
                     const linalg::Execution& execution) {
    std::vector<double> pieces(piece_count(rows.size()));
    over_pieces(execution, rows.size(), [&](Index piece, Index begin, Index end) {
        double sum = 0;
        for (Index i = begin; i < end; ++i) {
            if (rows.weight(i) == 0) continue;
            sum +=
                rows.weight(i) * loss.half_deviance(loss.at(rows.y[i], eta[i]), rows.y[i], eta[i]);
        }
        pieces[piece] = sum;
    });
    double total = 0;
    for (const double sum : pieces) total += sum;
    return total;
}

// The divergence is convex in q: over all that q can be it is largest at an end.
Divergence sum_divergence(const Loss& loss, const LossRows& rows, const TiltedErrors& point,
                          double kappa, const linalg::Execution& execution) {
    std::vector<Divergence> pieces(piece_count(rows.size()));
    over_pieces(execution, rows.size(), [&](Index piece, Index begin, Index end) {
        Divergence sums;
        for (Index i = begin; i < end; ++i) {
            const double w = rows.weight(i);
            if (w == 0) continue;
            const double eta = point.eta[i];
            const RowLoss row = loss.at(rows.y[i], eta);
            const double tilt = point.tilt.empty() ? 0 : point.tilt[i];
            const double excess = (1 - kappa) * row.error + kappa * row.curvature * tilt;
            // the errors of the dual point are rounded themselves
            const double blur = kappa * row.curvature * point.blur +
                                row_roundings * unit_roundoff * std::abs(row.error);
            const double size = std::abs(excess) + blur;
            sums.sum += w * (size < short_series_reach * loss.room(row)
                                 ? loss.small_divergence(row, size)
                                 : std::max(loss.divergence(row, eta, excess - blur),
                                            loss.divergence(row, eta, excess + blur)));
            sums.excess_squares += w * size * size;
        }
        pieces[piece] = sums;
    });
    Divergence total;
    for (const Divergence& sums : pieces) {
        total.sum += sums.sum;
        total.excess_squares += sums.excess_squares;
    }
    return total;
}

}  // namespace sven::problem
