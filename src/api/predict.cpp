#include "sven/predict.hpp"

#include <string>

#include "linalg/devices.hpp"
#include "sven/error.hpp"

namespace sven {
namespace {

using Coefficients = std::span<const Coefficient>;

template <class Number>
void add_dense(const DenseView& X, Coefficients coefficients, std::vector<double>& out) {
    const auto* const numbers = static_cast<const Number*>(X.data);
    if (X.layout == Layout::column_major) {
        for (const Coefficient& b : coefficients) {
            const Number* const column = numbers + b.feature * X.stride;
            for (Index i = 0; i < X.rows; ++i) out[i] += b.value * static_cast<double>(column[i]);
        }
        return;
    }
    for (Index i = 0; i < X.rows; ++i) {
        const Number* const row = numbers + i * X.stride;
        for (const Coefficient& b : coefficients)
            out[i] += b.value * static_cast<double>(row[b.feature]);
    }
}

void add(const DenseView& X, Coefficients coefficients, std::vector<double>& out) {
    if (X.scalar == Scalar::float64)
        add_dense<double>(X, coefficients, out);
    else
        add_dense<float>(X, coefficients, out);
}

Index index_at(const void* array, IndexWidth width, Index at) {
    return width == IndexWidth::int32 ? Index{static_cast<const std::int32_t*>(array)[at]}
                                      : static_cast<const Index*>(array)[at];
}

double value_at(const SparseView& X, Index at) {
    return X.scalar == Scalar::float64 ? static_cast<const double*>(X.values)[at]
                                       : double{static_cast<const float*>(X.values)[at]};
}

// Calls body(position, value) for the entries of one compressed line.
template <class Body>
void for_each_entry(const SparseView& X, Index line, const Body& body) {
    const Index end = index_at(X.offsets, X.offset_width, line + 1);
    for (Index k = index_at(X.offsets, X.offset_width, line); k < end; ++k)
        body(index_at(X.indices, X.index_width, k), value_at(X, k));
}

void add(const SparseView& X, Coefficients coefficients, std::vector<double>& out) {
    if (X.compression == Compression::columns) {
        for (const Coefficient& b : coefficients)
            for_each_entry(X, b.feature, [&](Index i, double x) { out[i] += b.value * x; });
        return;
    }
    std::vector<double> dense(static_cast<std::size_t>(X.cols), 0.0);
    for (const Coefficient& b : coefficients) dense[b.feature] = b.value;
    for (Index i = 0; i < X.rows; ++i)
        for_each_entry(X, i, [&](Index j, double x) { out[i] += dense[j] * x; });
}

// X stays where it is; one number for each row comes back.
void add_on_device(const MatrixView& X, Coefficients coefficients, std::vector<double>& out) {
    const std::unique_ptr<linalg::Design> design = linalg::make_device_design(X);
    std::vector<Index> columns;
    std::vector<double> values;
    for (const Coefficient& b : coefficients) {
        columns.push_back(b.feature);
        values.push_back(b.value);
    }
    std::vector<double> products(out.size());
    design->multiply(columns, values, {linalg::resolve_threads(0), nullptr}, products.data());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += products[i];
}

}  // namespace

std::vector<double> predict(const MatrixView& X, double intercept, Coefficients coefficients) {
    for (const Coefficient& b : coefficients) {
        if (b.feature < 0 || b.feature >= cols(X))
            throw InvalidArgument("feature " + std::to_string(b.feature) + " is no column of X, " +
                                  "which has " + std::to_string(cols(X)));
    }
    std::vector<double> out(static_cast<std::size_t>(rows(X)), intercept);
    if (is_on_device(X))
        add_on_device(X, coefficients, out);
    else
        std::visit([&](const auto& view) { add(view, coefficients, out); }, X);
    return out;
}

}  // namespace sven
