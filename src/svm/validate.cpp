#include "svm/validate.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "sven/error.hpp"

namespace sven::svm {
namespace {

void require(bool holds, const std::string& message) {
    if (!holds) throw InvalidArgument(message);
}

void require_length(std::size_t length, Index expected, const std::string& what,
                    const std::string& of) {
    require(static_cast<Index>(length) == expected, what + " has " + std::to_string(length) +
                                                        " entries, X has " +
                                                        std::to_string(expected) + " " + of);
}

template <class T>
Index first_not_finite(const T* values, Index count) {
    return std::find_if_not(values, values + count, [](T value) { return std::isfinite(value); }) -
           values;
}

template <class T>
void require_finite_dense(const DenseView& X) {
    const bool by_rows = X.layout == Layout::row_major;
    const Index lines = by_rows ? X.rows : X.cols;
    const Index length = by_rows ? X.cols : X.rows;
    for (Index line = 0; line < lines; ++line) {
        const T* start = static_cast<const T*>(X.data) + line * X.stride;
        const Index at = first_not_finite(start, length);
        if (at == length) continue;
        require(false, "X is not finite at sample " + std::to_string(by_rows ? line : at) +
                           ", feature " + std::to_string(by_rows ? at : line));
    }
}

void check(const DenseView& X) {
    require(!X.on_device, "the machine takes an X of the host");
    const Index least = X.layout == Layout::row_major ? X.cols : X.rows;
    require(X.rows >= 0 && X.cols >= 0, "X has a negative number of rows or columns");
    require(X.stride >= least, "the stride of X, " + std::to_string(X.stride) +
                                   ", is shorter than its lines, " + std::to_string(least));
    require(X.data != nullptr || X.rows * X.cols == 0, "X has no data");
    if (X.scalar == Scalar::float64) {
        require_finite_dense<double>(X);
    } else {
        require_finite_dense<float>(X);
    }
}

Index offset_at(const SparseView& X, Index line) {
    return X.offset_width == IndexWidth::int32
               ? static_cast<Index>(static_cast<const std::int32_t*>(X.offsets)[line])
               : static_cast<Index>(static_cast<const std::int64_t*>(X.offsets)[line]);
}

Index index_at(const SparseView& X, Index entry) {
    return X.index_width == IndexWidth::int32
               ? static_cast<Index>(static_cast<const std::int32_t*>(X.indices)[entry])
               : static_cast<Index>(static_cast<const std::int64_t*>(X.indices)[entry]);
}

void check_line(const SparseView& X, Index line, Index length) {
    const Index end = offset_at(X, line + 1);
    require(end >= offset_at(X, line), "the offsets of X decrease at line " + std::to_string(line));
    const bool is_empty = end == offset_at(X, line);
    require(is_empty || X.indices != nullptr, "sparse X has entries but no indices");
    require(is_empty || X.values != nullptr, "sparse X has entries but no values");
    Index last = -1;
    for (Index entry = offset_at(X, line); entry < end; ++entry) {
        const Index index = index_at(X, entry);
        require(index >= 0 && index < length, "index " + std::to_string(index) + " in line " +
                                                  std::to_string(line) + " of X is out of range");
        require(index > last,
                "the indices in line " + std::to_string(line) + " of X are not sorted or repeat");
        last = index;
    }
}

void check(const SparseView& X) {
    require(!X.on_device, "the machine takes an X of the host");
    require(X.rows >= 0 && X.cols >= 0, "X has a negative number of rows or columns");
    require(X.offsets != nullptr, "X has no offsets");
    const bool by_rows = X.compression == Compression::rows;
    const Index lines = by_rows ? X.rows : X.cols;
    require(offset_at(X, 0) == 0, "the offsets of X do not begin with 0");
    for (Index line = 0; line < lines; ++line) check_line(X, line, by_rows ? X.cols : X.rows);
    const Index entries = offset_at(X, lines);
    const Index at = X.scalar == Scalar::float64
                         ? first_not_finite(static_cast<const double*>(X.values), entries)
                         : first_not_finite(static_cast<const float*>(X.values), entries);
    require(at == entries, "entry " + std::to_string(at) + " of sparse X is not finite");
}

void check_labels(std::span<const double> labels) {
    const auto bad = std::find_if_not(labels.begin(), labels.end(),
                                      [](double label) { return label == 1 || label == -1; });
    require(bad == labels.end(),
            "label " + std::to_string(bad - labels.begin()) + " is neither -1 nor +1");
}

void check_costs(const Classification& problem) {
    const auto is_cost = [](double cost) { return cost > 0 && std::isfinite(cost); };
    if (problem.costs.empty()) {
        require(is_cost(problem.cost), "the cost is not a positive number");
        return;
    }
    require_length(problem.costs.size(), rows(problem.X), "costs", "rows");
    const auto bad = std::find_if_not(problem.costs.begin(), problem.costs.end(), is_cost);
    require(bad == problem.costs.end(),
            "cost " + std::to_string(bad - problem.costs.begin()) + " is not a positive number");
}

}  // namespace

void validate(const Classification& problem, const Options& options,
              std::span<const double> warm_start) {
    std::visit([](const auto& X) { check(X); }, problem.X);
    require(rows(problem.X) > 0, "there are no samples");
    require_length(problem.labels.size(), rows(problem.X), "labels", "rows");
    check_labels(problem.labels);
    check_costs(problem);
    require(options.tolerance >= 0, "the tolerance is negative or not a number");
    require(options.max_iterations > 0, "the largest number of iterations is not positive");
    require(options.threads >= 0, "the number of threads is negative");
    if (warm_start.empty()) return;
    require_length(warm_start.size(), cols(problem.X), "the warm start", "columns");
    const Index at = first_not_finite(warm_start.data(), cols(problem.X));
    require(at == cols(problem.X),
            "entry " + std::to_string(at) + " of the warm start is not finite");
}

}  // namespace sven::svm
