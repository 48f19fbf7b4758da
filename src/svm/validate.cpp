#include "svm/validate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "sven/error.hpp"
#include "svm/tuning.hpp"

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

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", value);
    return text.data();
}

template <class T>
Index first_not_finite(const T* values, Index count) {
    return std::find_if_not(values, values + count, [](T value) { return std::isfinite(value); }) -
           values;
}

// NaN if one of them is not finite: zero times it is not zero.
template <class T>
T largest_size(const T* values, Index count) {
    T largest = 0;
    T zeros = 0;
#pragma omp simd reduction(max : largest) reduction(+ : zeros)
    for (Index k = 0; k < count; ++k) {
        const T size = std::abs(values[k]);
        largest = size > largest ? size : largest;
        zeros += size * 0;
    }
    return largest + zeros;
}

// The size of the largest entry seen, in which line of the matrix and at which place there.
struct Largest {
    double size = 0;
    Index line = 0;
    Index place = 0;

    // False if an entry is not finite.
    template <class T>
    bool sees(const T* values, Index count, Index at_line) {
        const T here = largest_size(values, count);
        if (!(here > size)) return !std::isnan(here);
        size = here;
        line = at_line;
        place =
            std::find_if(values, values + count, [&](T value) { return std::abs(value) == here; }) -
            values;
        return true;
    }
};

std::string entry_name(bool by_rows, Index line, Index place) {
    return "sample " + std::to_string(by_rows ? line : place) + ", feature " +
           std::to_string(by_rows ? place : line);
}

// The unit of X is removed from the problem if squares of entries are representable.
void check_size(const Largest& largest, bool by_rows) {
    const bool is_too_large = largest.size > largest_entry;
    if (!is_too_large && (largest.size == 0 || largest.size >= smallest_entry)) return;
    require(false, "the largest entry of X, at " +
                       entry_name(by_rows, largest.line, largest.place) + ", is " +
                       number(largest.size) + " in size, " +
                       (is_too_large ? "too large to square: divide X by a constant first"
                                     : "too small to square: multiply X by a constant first"));
}

template <class T>
double check_entries(const DenseView& X) {
    const bool by_rows = X.layout == Layout::row_major;
    const Index lines = by_rows ? X.rows : X.cols;
    const Index length = by_rows ? X.cols : X.rows;
    Largest largest;
    for (Index line = 0; line < lines; ++line) {
        const T* start = static_cast<const T*>(X.data) + line * X.stride;
        if (largest.sees(start, length, line)) continue;
        const Index at = first_not_finite(start, length);
        require(false, "X is not finite at " + entry_name(by_rows, line, at));
    }
    check_size(largest, by_rows);
    return largest.size;
}

double check(const DenseView& X) {
    require(!X.on_device, "the machine takes an X of the host");
    require(X.scalar != Scalar::int8, "the machine takes an X of float64 or float32");
    const Index least = X.layout == Layout::row_major ? X.cols : X.rows;
    require(X.rows >= 0 && X.cols >= 0, "X has a negative number of rows or columns");
    require(X.stride >= least, "the stride of X, " + std::to_string(X.stride) +
                                   ", is shorter than its lines, " + std::to_string(least));
    require(X.data != nullptr || X.rows * X.cols == 0, "X has no data");
    return X.scalar == Scalar::float64 ? check_entries<double>(X) : check_entries<float>(X);
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

template <class T>
double check_entries(const SparseView& X) {
    const bool by_rows = X.compression == Compression::rows;
    const Index lines = by_rows ? X.rows : X.cols;
    const T* values = static_cast<const T*>(X.values);
    Largest largest;
    for (Index line = 0; line < lines; ++line) {
        const Index begin = offset_at(X, line);
        const Index count = offset_at(X, line + 1) - begin;
        if (largest.sees(values + begin, count, line)) continue;
        const Index at = begin + first_not_finite(values + begin, count);
        require(false, "entry " + std::to_string(at) + " of sparse X is not finite");
    }
    if (largest.size > 0) largest.place = index_at(X, offset_at(X, largest.line) + largest.place);
    check_size(largest, by_rows);
    return largest.size;
}

double check(const SparseView& X) {
    require(!X.on_device, "the machine takes an X of the host");
    require(X.scalar != Scalar::int8, "the machine takes an X of float64 or float32");
    require(X.rows >= 0 && X.cols >= 0, "X has a negative number of rows or columns");
    require(X.offsets != nullptr, "X has no offsets");
    const bool by_rows = X.compression == Compression::rows;
    const Index lines = by_rows ? X.rows : X.cols;
    require(offset_at(X, 0) == 0, "the offsets of X do not begin with 0");
    for (Index line = 0; line < lines; ++line) check_line(X, line, by_rows ? X.cols : X.rows);
    return X.scalar == Scalar::float64 ? check_entries<double>(X) : check_entries<float>(X);
}

void check_labels(std::span<const double> labels) {
    const auto bad = std::find_if_not(labels.begin(), labels.end(),
                                      [](double label) { return label == 1 || label == -1; });
    require(bad == labels.end(),
            "label " + std::to_string(bad - labels.begin()) + " is neither -1 nor +1");
}

// Costs enter multiplied by squares of entries of X.
void check_product(const std::string& which, double cost, double largest) {
    const double product = largest > 0 ? cost * largest * largest : cost;
    require(product <= largest_product,
            which + ", " + number(cost) + ", times the square of the largest entry of X, " +
                number(largest) + ", is too large: divide X by a constant first");
    require(product >= smallest_product,
            which + ", " + number(cost) + ", times the square of the largest entry of X, " +
                number(largest) + ", is too small: multiply X by a constant first");
}

void check_costs(const Classification& problem, double largest) {
    const auto is_cost = [](double cost) { return cost > 0 && std::isfinite(cost); };
    if (problem.costs.empty()) {
        require(is_cost(problem.cost), "the cost is not a positive number");
        return check_product("the cost", problem.cost, largest);
    }
    require_length(problem.costs.size(), rows(problem.X), "costs", "rows");
    const auto bad = std::find_if_not(problem.costs.begin(), problem.costs.end(), is_cost);
    require(bad == problem.costs.end(),
            "cost " + std::to_string(bad - problem.costs.begin()) + " is not a positive number");
    const auto most = std::max_element(problem.costs.begin(), problem.costs.end());
    check_product(
        "the largest cost, that of sample " + std::to_string(most - problem.costs.begin()), *most,
        largest);
}

double check(const SharedMatrix&) {
    throw InvalidArgument("the machine takes a dense or a sparse X");
}

double check(const GenotypeView&) {
    throw InvalidArgument("the machine takes a dense or a sparse X");
}

}  // namespace

double validate(const Classification& problem, const Options& options,
                std::span<const double> warm_start) {
    const double largest = std::visit([](const auto& X) { return check(X); }, problem.X);
    require(rows(problem.X) > 0, "there are no samples");
    require_length(problem.labels.size(), rows(problem.X), "labels", "rows");
    check_labels(problem.labels);
    check_costs(problem, largest);
    require(options.tolerance >= 0, "the tolerance is negative or not a number");
    require(options.max_iterations > 0, "the largest number of iterations is not positive");
    require(options.threads >= 0, "the number of threads is negative");
    if (warm_start.empty()) return largest;
    require_length(warm_start.size(), cols(problem.X), "the warm start", "columns");
    const Index at = first_not_finite(warm_start.data(), cols(problem.X));
    require(at == cols(problem.X),
            "entry " + std::to_string(at) + " of the warm start is not finite");
    return largest;
}

}  // namespace sven::svm
