#include "arrays.hpp"

#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string_view>

namespace svenet {
namespace {

template <class Array>
sven::Scalar scalar_of(const Array& array) {
    if (array.dtype() == nb::dtype<double>()) return sven::Scalar::float64;
    if (array.dtype() == nb::dtype<float>()) return sven::Scalar::float32;
    if (array.dtype() == nb::dtype<std::int8_t>()) return sven::Scalar::int8;
    throw std::invalid_argument("X must be float64, float32 or int8");
}

sven::IndexWidth width_of(const LineArray& array) {
    if (array.dtype() == nb::dtype<std::int32_t>()) return sven::IndexWidth::int32;
    if (array.dtype() == nb::dtype<std::int64_t>()) return sven::IndexWidth::int64;
    throw std::invalid_argument("the indices of sparse X must be int32 or int64");
}

sven::Scalar scalar_of(const GpuPart& part) {
    if (part.second == "float64") return sven::Scalar::float64;
    if (part.second == "float32") return sven::Scalar::float32;
    throw std::invalid_argument("X on a GPU must be float64 or float32, it is " + part.second);
}

sven::IndexWidth width_of(const GpuPart& part) {
    if (part.second == "int32") return sven::IndexWidth::int32;
    if (part.second == "int64") return sven::IndexWidth::int64;
    throw std::invalid_argument("the indices of sparse X must be int32 or int64");
}

const void* address(const GpuPart& part) {
    return reinterpret_cast<const void*>(part.first);  // NOLINT(performance-no-int-to-ptr)
}

// `strides` in entries.
sven::DenseView dense_view(const void* data, sven::Scalar scalar, Extents shape, Extents strides) {
    const auto [rows, cols] = shape;
    sven::DenseView view{data, scalar, sven::Layout::column_major, rows, cols, 0};
    // A line of one entry may have any stride.
    if ((strides.first == 1 || rows <= 1) && (strides.second >= rows || cols <= 1)) {
        view.stride = cols <= 1 ? rows : strides.second;
    } else if ((strides.second == 1 || cols <= 1) && (strides.first >= cols || rows <= 1)) {
        view.layout = sven::Layout::row_major;
        view.stride = rows <= 1 ? cols : strides.first;
    } else {
        throw std::invalid_argument("the rows or the columns of X must be contiguous");
    }
    return view;
}

void demand_contiguous(const LineArray& array) {
    if (array.shape(0) > 1 && array.stride(0) != 1)
        throw std::invalid_argument("the parts of sparse X must be contiguous");
}

}  // namespace

Matrix dense_matrix(const DenseArray& array, nb::object owner) {
    const auto rows = static_cast<sven::Index>(array.shape(0));
    const auto cols = static_cast<sven::Index>(array.shape(1));
    return {dense_view(array.data(), scalar_of(array), {rows, cols},
                       {array.stride(0), array.stride(1)}),
            {std::move(owner)}};
}

Matrix dense_matrix_on_gpu(const GpuPart& entries, Extents shape, Extents strides,
                           nb::object owner) {
    sven::DenseView view = dense_view(address(entries), scalar_of(entries), shape, strides);
    view.on_device = true;
    return {view, {std::move(owner)}};
}

Matrix sparse_matrix_on_gpu(const GpuPart& data, const GpuPart& indices, const GpuPart& indptr,
                            Extents shape, nb::object owner) {
    const sven::SparseView view{
        .values = address(data),
        .indices = address(indices),
        .offsets = address(indptr),
        .scalar = scalar_of(data),
        .index_width = width_of(indices),
        .offset_width = width_of(indptr),
        .compression = sven::Compression::columns,
        .rows = shape.first,
        .cols = shape.second,
        .on_device = true,
    };
    return {view, {std::move(owner)}};
}

nb::dict describe_dlpack(const nb::ndarray<nb::ro>& array) {
    constexpr std::string_view kinds = "iuf";  // in the order of DLPack's codes
    if (array.dtype().code >= kinds.size())
        throw std::invalid_argument("X must be float64 or float32");
    const std::size_t bytes = array.dtype().bits / 8;
    nb::list shape;
    nb::list strides;
    for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
        shape.append(array.shape(axis));
        strides.append(array.stride(axis) * static_cast<std::int64_t>(bytes));
    }
    nb::dict fields;
    fields["shape"] = nb::tuple(shape);
    fields["strides"] = nb::tuple(strides);
    fields["typestr"] = std::string("<") + kinds[array.dtype().code] + std::to_string(bytes);
    fields["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(array.data()), true);
    fields["owner"] = nb::cast(array);
    return fields;
}

Matrix sparse_matrix(const LineArray& data, const LineArray& indices, const LineArray& indptr,
                     Extents shape, bool by_columns) {
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
