"""Arrays in the memory of a GPU: X is used in place, everything else is copied to the host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._features import Features

# DLPack's kDLCUDA and kDLCUDAManaged.
CUDA_DEVICES = (2, 13)


def _is_sparse(value: Any) -> bool:
    """A sparse matrix of any package: SciPy's, or CuPy's, which SciPy does not know."""
    return hasattr(value, "tocsc") and hasattr(value, "data")


def is_on_gpu(value: Any) -> bool:
    """Whether an array, a tensor or the parts of a sparse matrix are in the memory of a GPU."""
    if _is_sparse(value):
        return is_on_gpu(value.data)
    if isinstance(value, np.ndarray):
        return False
    return hasattr(value, "__cuda_array_interface__") or _dlpack_device(value)[0] in CUDA_DEVICES


def _dlpack_device(value: Any) -> tuple[int, int]:
    """DLPack's kind and number of the device; zeros if unknown."""
    if not hasattr(value, "__dlpack_device__"):
        return (0, 0)
    kind, number = value.__dlpack_device__()
    return int(kind), int(number)


def copy_to_host(value: Any) -> Any:
    """A copy that NumPy and SciPy can read; the name of the method depends on the package."""
    for method in ("get", "cpu", "copy_to_host"):  # CuPy, PyTorch, Numba
        if hasattr(value, method):
            value = getattr(value, method)()
            return value if _is_sparse(value) else np.asarray(value)
    if not hasattr(value, "__array__"):  # JAX has it
        raise TypeError(f"{type(value).__name__} lies on a GPU and does not say how to copy it to the host")
    return np.asarray(value)


@dataclass(frozen=True)
class GpuFeatures(Features):
    """X on the GPU: products are computed there."""

    source: Any  # what the user passed


def as_gpu_features(X: Any) -> GpuFeatures:
    """X in place; types that the library cannot read are rejected by name."""
    why_not = _core.why_no_device()
    if why_not:
        raise RuntimeError(f"X lies on a GPU, and no GPU can be used: {why_not}")
    number = _dlpack_device(X.data if _is_sparse(X) else X)[1]
    if number != 0:
        raise ValueError(f"X lies on GPU {number}, only GPU 0 is used: copy it there, or set CUDA_VISIBLE_DEVICES")
    return _sparse_features(X) if _is_sparse(X) else _dense_features(X)


def _fields(array: Any) -> dict[str, Any]:
    """The fields of __cuda_array_interface__, and the object that keeps the memory as its owner."""
    if hasattr(array, "__cuda_array_interface__"):
        return {**array.__cuda_array_interface__, "owner": array}
    return _core.describe_dlpack(array)


def _part(fields: dict[str, Any]) -> tuple[int, str]:
    return int(fields["data"][0]), np.dtype(fields["typestr"]).name


def _refuse_if_not_finite(extremes: Any) -> None:
    if not np.isfinite(extremes).all():
        raise ValueError("Input X contains NaN, infinity or a value too large for dtype('float64').")


def _dense_features(X: Any) -> GpuFeatures:
    fields = _fields(X)
    shape = tuple(int(extent) for extent in fields["shape"])
    if len(shape) != 2:
        raise ValueError(f"Expected 2D array X, got {len(shape)}D array instead")
    dtype = np.dtype(fields["typestr"])
    strides = fields.get("strides") or (shape[1] * dtype.itemsize, dtype.itemsize)
    if any(stride % dtype.itemsize for stride in strides):
        raise ValueError("the rows or the columns of X must be contiguous")
    steps = (int(strides[0]) // dtype.itemsize, int(strides[1]) // dtype.itemsize)
    matrix = _core.Matrix.dense_on_gpu(_part(fields), shape, steps, fields["owner"])
    features = GpuFeatures(matrix, shape, dtype, X)
    if 0 not in shape:  # row sums are finite if all entries are
        _refuse_if_not_finite(features @ np.ones(shape[1]))
    return features


def _sparse_features(X: Any) -> GpuFeatures:
    """CuPy's; other formats become compressed columns there, and entries given twice are summed."""
    columns = X if X.format == "csc" else X.tocsc()
    if not columns.has_canonical_format:
        columns = columns.copy()
        columns.sum_duplicates()
    data, indices, indptr = (_part(_fields(part)) for part in (columns.data, columns.indices, columns.indptr))
    shape = (int(X.shape[0]), int(X.shape[1]))
    matrix = _core.Matrix.sparse_on_gpu(data, indices, indptr, shape, columns)
    if columns.nnz:
        _refuse_if_not_finite([float(columns.data.min()), float(columns.data.max())])
    return GpuFeatures(matrix, shape, np.dtype(data[1]), X)
