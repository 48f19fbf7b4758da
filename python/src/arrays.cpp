#include "arrays.hpp"

#include <stdexcept>

namespace svenet {
namespace {

template <class Array>
sven::Scalar scalar_of(const Array& array) {
    if (array.dtype() == nb::dtype<double>()) return sven::Scalar::float64;
    if (array.dtype() == nb::dtype<float>()) return sven::Scalar::float32;
    throw std::invalid_argument("X must be float64 or float32");
}

sven::IndexWidth width_of(const LineArray& array) {
    if (array.dtype() == nb::dtype<std::int32_t>()) return sven::IndexWidth::int32;
    if (array.dtype() == nb::dtype<std::int64_t>()) return sven::IndexWidth::int64;
    throw std::invalid_argument("the indices of sparse X must be int32 or int64");
}

void demand_contiguous(const LineArray& array) {
    if (array.shape(0) > 1 && array.stride(0) != 1)
        throw std::invalid_argument("the parts of sparse X must be contiguous");
}

}  // namespace

Matrix dense_matrix(const DenseArray& array, nb::object owner) {
    const auto rows = static_cast<sven::Index>(array.shape(0));
    const auto cols = static_cast<sven::Index>(array.shape(1));
    sven::DenseView view{array.data(), scalar_of(array), sven::Layout::column_major, rows, cols, 0};
    // A line of one entry may carry any stride.
    if ((array.stride(0) == 1 || rows <= 1) && (array.stride(1) >= rows || cols <= 1)) {
        view.stride = cols <= 1 ? rows : array.stride(1);
    } else if ((array.stride(1) == 1 || cols <= 1) && (array.stride(0) >= cols || rows <= 1)) {
        view.layout = sven::Layout::row_major;
        view.stride = rows <= 1 ? cols : array.stride(0);
    } else {
        throw std::invalid_argument("the rows or the columns of X must be contiguous");
    }
    return {view, {std::move(owner)}};
}

Matrix sparse_matrix(const LineArray& data, const LineArray& indices, const LineArray& indptr,
                     std::pair<sven::Index, sven::Index> shape, bool by_columns) {
    for (const LineArray* part : {&data, &indices, &indptr}) demand_contiguous(*part);
    const auto lines = static_cast<std::size_t>(by_columns ? shape.second : shape.first);
    if (indptr.shape(0) != lines + 1 || indices.shape(0) != data.shape(0))
        throw std::invalid_argument("the parts of sparse X do not fit its shape");
    const sven::SparseView view{
        .values = data.data(),
        .indices = indices.data(),
        .offsets = indptr.data(),
        .scalar = scalar_of(data),
        .index_width = width_of(indices),
        .offset_width = width_of(indptr),
        .compression = by_columns ? sven::Compression::columns : sven::Compression::rows,
        .rows = shape.first,
        .cols = shape.second,
    };
    return {view, {nb::cast(data), nb::cast(indices), nb::cast(indptr)}};
}

}  // namespace svenet
