#pragma once
// Python arrays as views for the library, and vectors of the library as NumPy arrays. Inputs are
// not copied; a Matrix or vector keeps the memory of Python alive.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sven/matrix.hpp"

namespace svenet {

namespace nb = nanobind;

using DenseArray = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using LineArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using RealVector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IndexVector = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Extents = std::pair<sven::Index, sven::Index>;
// GPU memory: its address and NumPy's name of the type.
using GpuPart = std::pair<std::uintptr_t, std::string>;

struct Matrix {
    sven::MatrixView view;
    std::vector<nb::object> owners;
};

Matrix dense_matrix(const DenseArray& array, nb::object owner);
// The parts as scipy.sparse names them: data, indices, indptr.
Matrix sparse_matrix(const LineArray& data, const LineArray& indices, const LineArray& indptr,
                     Extents shape, bool by_columns);
// The same in GPU memory, by addresses only; compressed by columns.
Matrix dense_matrix_on_gpu(const GpuPart& entries, Extents shape, Extents strides,
                           nb::object owner);
Matrix sparse_matrix_on_gpu(const GpuPart& data, const GpuPart& indices, const GpuPart& indptr,
                            Extents shape, nb::object owner);
// Converts an object that only supports DLPack to the fields of __cuda_array_interface__, with its
// owner.
nb::dict describe_dlpack(const nb::ndarray<nb::ro>& array);

inline std::span<const double> span_of(const RealVector& vector) {
    return {vector.data(), vector.size()};
}

// A NumPy array that takes ownership of the vector.
template <class T>
nb::object to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nb::capsule owner(owned.release(),
                      [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
    return nb::cast(nb::ndarray<nb::numpy, T>(data, shape, owner));
}

template <class T>
nb::object to_numpy(std::vector<T> values) {
    const std::size_t size = values.size();
    return to_numpy(std::move(values), {size});
}

}  // namespace svenet
