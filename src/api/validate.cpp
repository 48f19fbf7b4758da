#include "api/validate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "problem/tuning.hpp"
#include "sven/error.hpp"
#include "sven/statistics.hpp"

namespace sven::api {
namespace {

[[noreturn]] void refuse(const std::string& sentence) {
    throw InvalidArgument(sentence);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string number(double value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "not a number" : "infinite";
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end.ptr};
}

void check_view(const DenseView& X) {
    if (X.rows < 0 || X.cols < 0) refuse("X has a negative number of rows or columns");
    if (X.data == nullptr && X.rows > 0 && X.cols > 0) refuse("X has no data");
    const Index line = X.layout == Layout::column_major ? X.rows : X.cols;
    if (X.stride < line)
        refuse("the stride of X is " + std::to_string(X.stride) + ", less than a line of " +
               std::to_string(line));
    if (X.scalar == Scalar::int8 && X.on_device) refuse("X on a device is float64 or float32");
}

void check_entries(const SparseView& X) {
    if (X.indices == nullptr) refuse("sparse X has entries but no indices");
    if (X.values == nullptr) refuse("sparse X has entries but no values");
}

template <class Offset, class Position>
void check_lines(const SparseView& X) {
    const bool by_columns = X.compression == Compression::columns;
    const Index lines = by_columns ? X.cols : X.rows;
    const Index length = by_columns ? X.rows : X.cols;
    const auto* offsets = static_cast<const Offset*>(X.offsets);
    const auto* positions = static_cast<const Position*>(X.indices);
    const std::string line_name = by_columns ? "column " : "row ";
    if (offsets[0] != 0) refuse("the first offset of sparse X is not 0");
    for (Index k = 0; k < lines; ++k) {
        if (offsets[k + 1] < offsets[k]) refuse("the offsets of sparse X decrease");
        if (offsets[k + 1] > offsets[k]) check_entries(X);
        for (Index e = offsets[k]; e < static_cast<Index>(offsets[k + 1]); ++e) {
            if (positions[e] < 0 || static_cast<Index>(positions[e]) >= length)
                refuse("index " + std::to_string(positions[e]) + " in " + line_name +
                       std::to_string(k) + " of sparse X is out of range");
            if (e > static_cast<Index>(offsets[k]) && positions[e] <= positions[e - 1])
                refuse("the indices in " + line_name + std::to_string(k) +
                       " of sparse X are not in increasing order");
        }
    }
}

void check_view(const SparseView& X) {
    if (X.rows < 0 || X.cols < 0) refuse("X has a negative number of rows or columns");
    if (X.offsets == nullptr) refuse("sparse X has no offsets");
    if (X.scalar == Scalar::int8) refuse("the values of sparse X are float64 or float32");
    if (X.on_device) return;  // its offsets are not ours to read
    const bool narrow_offsets = X.offset_width == IndexWidth::int32;
    if (X.index_width == IndexWidth::int32)
        narrow_offsets ? check_lines<std::int32_t, std::int32_t>(X)
                       : check_lines<std::int64_t, std::int32_t>(X);
    else
        narrow_offsets ? check_lines<std::int32_t, std::int64_t>(X)
                       : check_lines<std::int64_t, std::int64_t>(X);
}

void check_view(const SharedMatrix& X) {
    if (X == nullptr) refuse("X is a null pointer");
    if (X->rows() < 0 || X->cols() < 0) refuse("X has a negative number of rows or columns");
}

void check_view(const GenotypeView& X) {
    if (X.people < 0 || X.variants < 0 || X.beside.cols < 0)
        refuse("X has a negative number of rows or columns");
    if (X.data == nullptr && X.people > 0 && X.variants > 0) refuse("X has no data");
    if (X.stride < (X.people + 3) / 4)
        refuse("the stride of X is " + std::to_string(X.stride) + " bytes, less than " +
               std::to_string(X.people) + " genotypes take");
    for (Index i = 0; i < rows(X) && X.selection != nullptr; ++i)
        if (X.selection[i] >= X.people || X.selection[i] < (i > 0 ? X.selection[i - 1] + 1 : 0))
            refuse("the people of X that are its rows are not in increasing order");
    if (X.beside.cols == 0) return;
    check_view(X.beside);
    if (X.beside.rows != rows(X) || X.beside.scalar != Scalar::float64 ||
        X.beside.layout != Layout::column_major || X.beside.on_device)
        refuse("the columns beside genotypes must be column-major doubles with as many rows");
}

void check_length(const char* what, std::size_t length, Index expected, const char* lines) {
    if (static_cast<Index>(length) != expected)
        refuse(std::string(what) + " has " + std::to_string(length) + " entries, X has " +
               std::to_string(expected) + " " + lines);
}

// In lanes, which do not wait for each other: there may be millions of numbers.
struct Magnitude {
    double largest = 0;
    bool is_finite = true;
};
Magnitude magnitude_of(std::span<const double> values) {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> largest{};
    std::array<double, lanes> differences{};  // zero, or not a number
    const auto note = [&](std::size_t lane, double value) {
        largest[lane] = std::max(largest[lane], std::abs(value));
        differences[lane] += value - value;
    };
    std::size_t i = 0;
    for (; i + lanes <= values.size(); i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) note(lane, values[i + lane]);
    for (; i < values.size(); ++i) note(0, values[i]);
    Magnitude found;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        found.largest = std::max(found.largest, largest[lane]);
        found.is_finite &= differences[lane] == 0;
    }
    return found;
}

// Numbers whose squares, or the squares of whose ratios, are no numbers any more.
void check_range(const char* what, double largest) {
    if (largest > problem::largest_deviation)
        refuse("the largest entry of " + std::string(what) + " is " + number(largest) +
               ", too large to square: divide by a constant first");
    if (largest > 0 && largest < problem::smallest_deviation)
        refuse("the largest entry of " + std::string(what) + " is " + number(largest) +
               ", too small to square: multiply by a constant first");
}

void check_amount(const char* what, double value) {
    if (!(value >= 0) || std::isinf(value))
        refuse(std::string(what) + " is " + number(value) + "; it must be finite and not negative");
}

// Zero must lie between the limits: the path begins there.
void check_limits(const Problem& problem) {
    const auto check = [&](const char* what, std::span<const double> limits, double side) {
        if (limits.empty()) return;
        check_length((std::string("the vector of ") + what + " limits").c_str(), limits.size(),
                     cols(problem), "columns");
        for (std::size_t j = 0; j < limits.size(); ++j)
            if (!(side * limits[j] >= 0))
                refuse(std::string("the ") + what + " limit of feature " + std::to_string(j) +
                       " is " + number(limits[j]) + "; it must not be " +
                       (side < 0 ? "above" : "below") + " zero");
    };
    check("lower", problem.lower, -1);
    check("upper", problem.upper, 1);
}

void check_rows(const Problem& problem) {
    validate(problem.X);
    if (rows(problem.X) == 0) refuse("X has no rows");
    validate_response(problem);
    validate_weights(problem);
    validate_offset(problem);
    validate_family(problem);
}

void check_statistics(const Problem& problem) {
    if (rows(problem.X) != 0 || !problem.y.empty() || !problem.weights.empty() ||
        !problem.offset.empty())
        refuse("a problem has rows or statistics, not both");
    if (problem.family != Family::gaussian)
        refuse("the loss of a " + std::string(name(problem.family)) +
               " response cannot be served from sums; statistics are for gaussian ones alone");
    if (!(problem.statistics->total_weight() > 0)) refuse("the statistics are of no rows");
}

}  // namespace

void validate(const MatrixView& X) {
    std::visit([](const auto& view) { check_view(view); }, X);
}

void validate(const Problem& problem) {
    if (problem.statistics != nullptr)
        check_statistics(problem);
    else
        check_rows(problem);
    check_limits(problem);
    if (problem.penalty_factors.empty()) return;
    check_length("the penalty factors vector", problem.penalty_factors.size(), cols(problem),
                 "columns");
    for (std::size_t j = 0; j < problem.penalty_factors.size(); ++j)
        if (!(problem.penalty_factors[j] >= 0))
            refuse("penalty factor " + std::to_string(j) + " is " +
                   number(problem.penalty_factors[j]) + "; factors must not be negative");
}

namespace {

void check_binomial(std::size_t row, double y) {
    if (!(y >= 0 && y <= 1))
        refuse("entry " + std::to_string(row) + " of y is " + number(y) +
               "; a binomial response is 0 or 1, or a share between them");
}

void check_poisson(std::size_t row, double y) {
    if (!(y >= 0))
        refuse("entry " + std::to_string(row) + " of y is " + number(y) +
               "; a poisson response must not be negative");
}

}  // namespace

void validate_family(const Problem& problem) {
    if (problem.family == Family::gaussian) return;
    const auto weight = [&](std::size_t i) {
        return problem.weights.empty() ? 1 : problem.weights[i];
    };
    double least = infinity;
    double most = -infinity;
    for (std::size_t i = 0; i < problem.y.size(); ++i) {
        (problem.family == Family::binomial ? check_binomial : check_poisson)(i, problem.y[i]);
        if (weight(i) == 0) continue;
        least = std::min(least, problem.y[i]);
        most = std::max(most, problem.y[i]);
    }
    if (problem.intercept && least == most)
        refuse(problem.family == Family::binomial && (least == 0 || least == 1)
                   ? "the response is of one class alone"
                   : "the response is constant: " + number(least) + " in every row");
    if (problem.family == Family::poisson && most == 0) refuse("every count is zero");
    if (!problem.nonnegative && problem.lower.empty() && problem.upper.empty()) return;
    for (const double f : problem.penalty_factors)
        if (f == 0)
            refuse(
                "unpenalised features beside limits of coefficients are offered for gaussian "
                "responses alone");
}

void validate_outcome(const Problem& problem, const Options& options) {
    if (problem.family == Family::gaussian) return;
    if (options.svm != Svm::newton)
        refuse("the SVM " + std::string(name(options.svm)) +
               " is offered for gaussian responses alone; ask for newton");
}

void validate_gamma(double gamma) {
    if (!(gamma >= 0 && gamma <= 1))
        refuse("gamma is " + number(gamma) + "; it must lie between 0 and 1");
}

void validate_relax(const Problem& problem, std::span<const Solution> path) {
    if (problem.statistics != nullptr)
        refuse("relaxed fits need the rows, of which statistics have the sums alone");
    for (const Solution& solution : path)
        for (const Coefficient& b : solution.coefficients)
            if (b.feature < 0 || b.feature >= cols(problem.X))
                refuse("feature " + std::to_string(b.feature) + " is no column of X, which has " +
                       std::to_string(cols(problem.X)));
}

void validate_response(const Problem& problem, const char* name) {
    check_length(name, problem.y.size(), rows(problem.X), "rows");
    const Magnitude magnitude = magnitude_of(problem.y);
    for (std::size_t i = 0; i < problem.y.size() && !magnitude.is_finite; ++i)
        if (!std::isfinite(problem.y[i]))
            refuse("entry " + std::to_string(i) + " of " + name + " is " + number(problem.y[i]));
    check_range(name, magnitude.largest);
}

void validate_offset(const Problem& problem) {
    if (problem.offset.empty()) return;
    check_length("the offset", problem.offset.size(), rows(problem.X), "rows");
    std::vector<double> difference(problem.y.begin(), problem.y.end());
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= problem.offset[i];
    Problem trial = problem;
    trial.y = difference;
    validate_response(trial, "y minus the offset");
}

void validate_weights(const Problem& problem) {
    if (problem.weights.empty()) return;
    check_length("the weights vector", problem.weights.size(), rows(problem.X), "rows");
    bool has_positive = false;
    for (std::size_t i = 0; i < problem.weights.size(); ++i) {
        const double w = problem.weights[i];
        if (!(w >= 0) || std::isinf(w))
            refuse("weight " + std::to_string(i) + " is " + number(w) +
                   "; weights must be finite and not negative");
        has_positive |= w > 0;
    }
    if (!has_positive) refuse("every weight is zero");
    check_range("the weights vector", magnitude_of(problem.weights).largest);
}

void validate(std::span<const Setting> settings) {
    const Mixing* first = nullptr;
    bool has_other_forms = false;
    for (const Setting& setting : settings) {
        if (const auto* budget = std::get_if<Budget>(&setting)) {
            if (!(budget->t >= 0))
                refuse("the budget t is " + number(budget->t) + "; it must not be negative");
            check_amount("lambda2", budget->l2);
            has_other_forms = true;
        } else if (const auto* penalty = std::get_if<Penalty>(&setting)) {
            check_amount("lambda1", penalty->l1);
            check_amount("lambda2", penalty->l2);
            has_other_forms = true;
        } else {
            const auto& mixing = std::get<Mixing>(setting);
            check_amount("lambda", mixing.lambda);
            if (first == nullptr) first = &mixing;
            if (first->convention != mixing.convention)
                refuse("the settings mix the documented convention with glmnet's");
            if (!(mixing.alpha >= 0 && mixing.alpha <= 1))
                refuse("alpha is " + number(mixing.alpha) + "; it must lie between 0 and 1");
        }
    }
    // glmnet rescales the penalty factors
    if (has_other_forms && first != nullptr && first->convention == Convention::glmnet)
        refuse("the settings mix glmnet's convention with budgets or penalties");
}

void validate(const Problem& problem, const Options& options) {
    validate(options);
    if (problem.statistics != nullptr) {
        if (options.svm != Svm::newton)
            refuse("the SVM " + std::string(name(options.svm)) +
                   " needs the rows, of which statistics have the sums alone; ask for newton");
        if (options.method == Method::primal)
            refuse(
                "the method primal needs the rows, of which statistics have the sums alone; ask "
                "for dual");
        if (options.device == Device::cuda)
            refuse("statistics are solved on the CPU: ask for the device cpu or auto");
    }
    if (is_on_device(problem.X) && options.device == Device::cpu)
        refuse("X lies in the memory of a device: ask for the device cuda or auto");
    if (options.svm != Svm::newton && !(problem.lower.empty() && problem.upper.empty()))
        refuse("limits of the coefficients are not offered with the SVM " +
               std::string(name(options.svm)) + "; ask for newton");
    if (options.svm != Svm::newton && options.checkpoint != nullptr)
        refuse("checkpoints are not offered with the SVM " + std::string(name(options.svm)) +
               "; ask for newton");
    if (std::holds_alternative<SharedMatrix>(problem.X) && options.device == Device::cuda)
        refuse("X is of a kind of the caller's own: ask for the device cpu or auto");
}

void validate(const Options& options) {
    if (!(options.tolerance > 0))
        refuse("the tolerance is " + number(options.tolerance) + "; it must be positive");
    if (options.max_iterations < 1) refuse("max_iterations must be at least 1");
    if (options.threads < 0) refuse("the number of threads must not be negative");
}

void validate(const Grid& grid) {
    if (!(grid.alpha >= 0 && grid.alpha <= 1))
        refuse("alpha is " + number(grid.alpha) + "; it must lie between 0 and 1");
    if (grid.count < 1) refuse("a grid needs at least one lambda");
    if (!(grid.min_ratio >= 0 && grid.min_ratio < 1))
        refuse("the ratio of the smallest to the largest lambda is " + number(grid.min_ratio) +
               "; it must lie between 0 and 1");
}

}  // namespace sven::api
