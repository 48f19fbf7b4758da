#include "problem/standardization.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>

#include "linalg/kernels.hpp"
#include "linalg/row_sums.hpp"
#include "problem/tuning.hpp"
#include "sven/error.hpp"

namespace sven::problem {
namespace {

double factor_of(const Problem& problem, Index j) {
    return problem.penalty_factors.empty() ? 1 : problem.penalty_factors[j];
}

// At zero, by an infinite factor or by its limits.
bool is_fixed(const Problem& problem, Index j) {
    const bool has_no_room =
        !problem.upper.empty() && problem.upper[j] == 0 &&
        (problem.nonnegative || (!problem.lower.empty() && problem.lower[j] == 0));
    return has_no_room || std::isinf(factor_of(problem, j));
}

// `size` is the deviation, or the mean where nothing is subtracted.
void check_column(Index j, double mean, double size) {
    const auto refuse = [&](const char* reason) {
        throw InvalidArgument("column " + std::to_string(j) + " of X " + reason);
    };
    if (!std::isfinite(mean) || !std::isfinite(size))
        refuse("holds a value that is not finite, or too large to square");
    if (size > largest_deviation)
        refuse("has a deviation above 1e75, too large to square: divide it by a constant first");
    if (size < smallest_deviation)
        refuse("has a deviation below 1e-75, too small to square: multiply it by a constant first");
}

// Whether all variation is rounding.
bool is_nearly_constant(const Problem& problem, double mean, double deviation) {
    return (problem.intercept || problem.standardize) && std::abs(mean) > largest_mean * deviation;
}

double length_of(double deviation, double mean) {
    const double squares = deviation * deviation + mean * mean;
    const bool is_safe = squares > smallest_square && squares < largest_square;
    return is_safe ? std::sqrt(squares) : std::hypot(deviation, mean);
}

// ||x|| over ||x - mean||, where the mean is subtracted from the product and not from the entries.
double spread_of(const Problem& problem, double mean, double deviation) {
    const double ratio = std::abs(mean) / deviation;
    return problem.intercept && ratio <= shifted_mean ? std::sqrt(1 + ratio * ratio) : 1;
}

}  // namespace

namespace {

// sum w (y - centre), and of the squares.
linalg::RowSums<2> sums_about(const Problem& problem, double centre,
                              const linalg::Execution& execution) {
    const double* y = problem.y.data();
    const auto n = static_cast<Index>(problem.y.size());
    return linalg::sum_rows<2>(execution, n, response_operations, [&](Index begin, Index length) {
        const double* w = problem.weights.empty() ? nullptr : problem.weights.data() + begin;
        std::array<double, 3> sums{};
        linalg::kernels().centred_sums_f64(y + begin, w, y + begin, centre, length, sums.data());
        return linalg::RowSums<2>{sums[0], sums[1]};
    });
}

void fill_rows(const Problem& problem, const linalg::Execution& execution, Response& response) {
    const double* y = problem.y.data();
    const double* w = problem.weights.empty() ? nullptr : problem.weights.data();
    response.centred.resize(problem.y.size());
    if (w != nullptr) {
        response.weighted.resize(problem.y.size());
        response.root_weights.resize(problem.y.size());
    }
    const auto n = static_cast<Index>(problem.y.size());
    const double work = response_operations * static_cast<double>(n);
    linalg::parallel_pieces(execution, work, n, 1, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            response.centred[i] = y[i] - response.mean;
            if (w == nullptr) continue;
            response.root_weights[i] = std::sqrt(w[i]);
            response.weighted[i] = response.centred[i] * response.root_weights[i];
        }
    });
}

}  // namespace

Response make_response(const Problem& problem, const linalg::Execution& execution) {
    Response response;
    response.total_weight = problem.weights.empty()
                                ? static_cast<double>(problem.y.size())
                                : linalg::sum_of_rows(execution, problem.weights);
    if (problem.intercept) {
        const double sum = linalg::sum_of_rows(execution, problem.y, problem.weights);
        response.mean = sum / response.total_weight;
        // corrects the rounding of the mean
        response.mean += sums_about(problem, response.mean, execution)[0] / response.total_weight;
    }
    const auto [sum, squares] = sums_about(problem, response.mean, execution);
    response.sum = sum;
    response.squares = squares;
    fill_rows(problem, execution, response);
    return response;
}

Response response_of(const linalg::GramSums& sums, double y_shift, bool intercept) {
    const Index p = sums.cols;
    Response response;
    response.total_weight = sums(p + 1, p + 1);
    const double sum = sums(p + 1, p);
    const double mean = sum / response.total_weight;
    const double about_zero = y_shift * (2 * sum + y_shift * response.total_weight);
    response.mean = intercept ? y_shift + mean : 0;
    response.squares = std::max(0.0, sums(p, p) + (intercept ? -sum * mean : about_zero));
    response.sum = intercept ? 0 : sum + y_shift * response.total_weight;
    return response;
}

namespace {

// What a share of the columns adds to what is known of all.
struct ColumnShare {
    double spread = 1;
    std::vector<Index> left_out;
    std::exception_ptr thrown;  // at the first column that is refused
};

void make_column(const Problem& problem, const Response& response,
                 const linalg::ColumnMoments& moments, Index j, Columns& columns,
                 ColumnShare& share) {
    const double W = response.total_weight;
    columns.mean[j] = moments.mean[j] + moments.centred_sum[j] / W;
    // about the mean itself, not about its rounding
    const double rounding = moments.centred_sum[j] / W;
    const double deviation = std::sqrt(std::max(moments.squares[j] / W - rounding * rounding, 0.0));
    const bool is_constant = moments.is_constant[j] != 0;
    const double length = problem.intercept ? deviation : length_of(deviation, moments.mean[j]);
    // a column that is constant except for a NaN is not constant
    if (!is_constant || !std::isfinite(moments.mean[j]) || !std::isfinite(deviation))
        check_column(j, moments.mean[j], problem.standardize ? deviation : length);
    const bool is_empty =
        is_constant && (problem.intercept || problem.standardize || moments.mean[j] == 0);
    const bool is_rounding = !is_constant && !is_fixed(problem, j) &&
                             is_nearly_constant(problem, moments.mean[j], deviation);
    columns.excluded[j] = is_rounding                        ? left_out
                          : is_empty || is_fixed(problem, j) ? is_zero
                                                             : not_excluded;
    if (is_rounding) share.left_out.push_back(j);
    const bool is_used = !is_empty && !is_rounding;
    columns.scale[j] = problem.standardize && !is_constant ? deviation : 1;
    if (is_used)
        share.spread = std::max(share.spread, spread_of(problem, moments.mean[j], deviation));
    columns.norms[j] = is_used ? std::sqrt(W) * length / columns.scale[j] : 0;
    const double product =
        moments.products[j] + (problem.intercept ? 0 : moments.mean[j] * response.sum);
    columns.products[j] = is_used ? product / columns.scale[j] : 0;
}

}  // namespace

Columns make_columns(const Problem& problem, const Response& response,
                     const linalg::ColumnMoments& moments, const linalg::Execution& execution) {
    const auto p = static_cast<Index>(moments.mean.size());
    Columns columns;
    columns.mean.resize(p);
    columns.scale.resize(p);
    columns.norms.resize(p);
    columns.products.resize(p);
    columns.excluded.resize(p);
    const Index shares = (p + standardized_columns - 1) / standardized_columns;
    std::vector<ColumnShare> parts(static_cast<std::size_t>(shares));
    const double operations = column_operations * static_cast<double>(p);
    linalg::parallel_for(execution, execution.small_team_for(operations), shares, [&](Index k) {
        const Index end = std::min(p, (k + 1) * standardized_columns);
        try {
            for (Index j = k * standardized_columns; j < end; ++j)
                make_column(problem, response, moments, j, columns, parts[k]);
        } catch (...) {  // of the first column, whichever share is done first
            parts[k].thrown = std::current_exception();
        }
    });
    for (const ColumnShare& part : parts) {
        if (part.thrown) std::rethrow_exception(part.thrown);
        columns.spread = std::max(columns.spread, part.spread);
        columns.left_out.insert(columns.left_out.end(), part.left_out.begin(), part.left_out.end());
    }
    return columns;
}

std::vector<double> choose_shift(const Problem& problem, const Response& response,
                                 const linalg::ColumnMoments& moments) {
    std::vector<double> shift;
    if (!problem.intercept) return shift;
    for (std::size_t j = 0; j < moments.mean.size(); ++j) {
        const double deviation = std::sqrt(moments.squares[j] / response.total_weight);
        if (moments.is_constant[j] || std::abs(moments.mean[j]) <= shifted_mean * deviation)
            continue;
        if (shift.empty()) shift.assign(moments.mean.size(), 0.0);
        shift[j] = moments.mean[j];
    }
    return shift;
}

linalg::ScaledDesign scale_design(const linalg::Design& design, const Problem& problem,
                                  const Response& response, const Columns& columns,
                                  const linalg::ColumnMoments& moments) {
    const Index p = design.cols();
    std::vector<double> offset(static_cast<std::size_t>(p), 0.0);
    std::vector<double> inverse_scale(static_cast<std::size_t>(p));
    for (Index j = 0; j < p; ++j) {
        inverse_scale[j] = columns.norms[j] == 0 ? 0 : 1 / columns.scale[j];
        if (!problem.intercept) continue;
        // mean - shift, corrected for the rounding of the mean
        const double shift = design.shift().empty() ? 0 : design.shift()[j];
        offset[j] = (moments.mean[j] - shift) + moments.centred_sum[j] / response.total_weight;
    }
    return {design, std::move(offset), std::move(inverse_scale), response.root_weights};
}

double moment_loss(const linalg::GramSums& sums, const linalg::ColumnMoments& moments) {
    double loss = 1;
    for (Index j = 0; j < sums.cols; ++j)
        if (moments.squares[j] > 0) loss = std::max(loss, sums(j, j) / moments.squares[j]);
    return loss;
}

linalg::ColumnMoments moments_of(const linalg::GramSums& sums, bool& needs_care) {
    const Index p = sums.cols;
    const double W = sums(p + 1, p + 1);
    linalg::ColumnMoments moments;
    moments.mean.resize(p);
    moments.centred_sum.assign(p, 0.0);
    moments.squares.resize(p);
    moments.products.resize(p);
    moments.is_constant.assign(p, 0);
    needs_care = false;
    const double y_mean = sums(p + 1, p) / W;
    for (Index j = 0; j < p; ++j) {
        const double sum = sums(p + 1, j);
        const double squares = sums(j, j) - sum * sum / W;
        moments.mean[j] = sums.centre[j] + sum / W;
        moments.squares[j] = std::max(0.0, squares);
        moments.products[j] = sums(p, j) - sum * y_mean;
        // Subtracting the mean loses as many digits as this ratio has, and a sum about zero of a
        // column far from zero has already lost them.
        const bool is_coarse = !(squares > remaining_squares * sums(j, j));
        // the rounding of the mean
        moments.centred_sum[j] = W * ((sums.centre[j] - moments.mean[j]) + sum / W);
        moments.squares[j] += moments.centred_sum[j] * moments.centred_sum[j] / W;
        const double mean = moments.mean[j];
        needs_care |= is_coarse || !(W * mean * mean < largest_mean * largest_mean * squares);
    }
    return moments;
}

ScaledGram scale_gram(const linalg::GramSums& sums, const Problem& problem,
                      const Response& response, const Columns& columns,
                      const linalg::Execution& execution) {
    const Index p = sums.cols;
    const double W = sums(p + 1, p + 1);
    ScaledGram gram;
    gram.features = p;
    linalg::Buffer<double>& values = *gram.values;
    values.reserve(p * p);
    gram.products = columns.products;
    gram.norms = columns.norms;
    gram.response_squares = response.squares;
    std::vector<double> inverse(static_cast<std::size_t>(p));
    for (Index j = 0; j < p; ++j) {
        if (columns.norms[j] == 0) continue;
        inverse[j] = 1 / columns.scale[j];
        const double about_zero = problem.intercept ? 0 : W * sums.centre[j] * sums.centre[j];
        gram.spread = std::max(gram.spread,
                               std::sqrt(sums(j, j) + about_zero) * inverse[j] / columns.norms[j]);
    }
    const double work = scaling_operations * static_cast<double>(p) * static_cast<double>(p);
    const auto scale_columns = [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j) {
            const double sum_j = sums(p + 1, j);
            const double centre_j = sums.centre[j];
            for (Index i = j; i < p; ++i) {
                const double sum_i = sums(p + 1, i);
                const double centre_i = sums.centre[i];
                const double raw = sums.values[j * sums.stride + i];
                // about the means, or about zero
                const double value = problem.intercept ? raw - sum_i * sum_j / W
                                                       : raw + centre_i * sum_j + centre_j * sum_i +
                                                             centre_i * centre_j * W;
                values[j * p + i] = value * inverse[i] * inverse[j];
            }
        }
    };
    linalg::parallel_pieces(execution, work, p, scaled_columns, scale_columns);
    constexpr Index tile = mirror_tile;
    const auto mirror = [&](Index begin, Index end) {
        for (Index first = 0; first < end; first += tile)
            for (Index j = begin; j < end; ++j)
                for (Index i = first; i < std::min(j, first + tile); ++i)
                    values[j * p + i] = values[i * p + j];
    };
    linalg::parallel_pieces(execution, work, p, tile, mirror);
    return gram;
}

}  // namespace sven::problem
