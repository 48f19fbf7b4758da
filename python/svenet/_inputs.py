"""Converts X, y and weights to arrays that the library reads in place."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _core
from ._features import Features, products_of
from ._gpu import as_gpu_features, copy_to_host, is_on_gpu

FloatArray = NDArray[np.float64]

# Larger whole numbers may not be representable in float64.
EXACT_INTEGERS = 2**53


def on_host(value: Any) -> Any:
    """`value` as a NumPy array: through DLPack if necessary, from a GPU as a copy."""
    if is_on_gpu(value):
        return copy_to_host(value)
    if isinstance(value, (np.ndarray, np.generic)) or not hasattr(value, "__dlpack__"):
        return value
    if hasattr(value, "__array__"):
        try:
            return np.asarray(value)
        except RuntimeError:  # array_api_strict: devices that it plays, in the memory of the processor
            pass
    return np.from_dlpack(value)


def _warn_of_loss(array: NDArray[Any], name: str) -> None:
    """Raises an error if the numbers do not fit into float64, which holds less than some types."""
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        lossy = max(abs(int(array.min())), abs(int(array.max()))) > EXACT_INTEGERS
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        lossy = bool(np.any(array.astype(np.float64) != array))
    else:
        return
    if lossy:
        warnings.warn(f"{name} of {array.dtype} loses digits as float64", UserWarning, stacklevel=4)


def warn_of_loss(X: Any, name: str = "X") -> None:
    """For data that another function will convert; a list or a table has no type of its own."""
    values = getattr(X, "data", None) if sparse.issparse(X) else X
    if isinstance(values, np.ndarray):
        _warn_of_loss(values, name)


def _check_finite(values: NDArray[Any], name: str) -> None:
    # The sum is cheap and almost always finite; otherwise each entry is checked.
    with np.errstate(over="ignore", invalid="ignore"):
        total = values.sum(dtype=np.float64)
    if not np.isfinite(total) and not np.isfinite(values).all():
        raise ValueError(f"Input {name} contains NaN or infinity.")


def _as_real(values: NDArray[Any], name: str) -> NDArray[Any]:
    """float64 or float32 in native byte order, copied only if it is neither."""
    if values.dtype.kind not in "biuf":
        if values.dtype.kind == "c":
            raise ValueError(f"Complex data not supported: {name}")
        values = values.astype(np.float64)
    if values.dtype == np.float32 or values.dtype == np.float64:
        return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))
    _warn_of_loss(values, name)
    return values.astype(np.float64)


def as_features(X: Any) -> Any:
    """X as a NumPy array, as compressed columns or rows of scipy.sparse, or in place on the GPU or in its file."""
    if isinstance(X, Features):
        return X
    if is_on_gpu(X):
        return as_gpu_features(X)
    if sparse.issparse(X):
        if X.format not in ("csc", "csr"):
            X = X.tocsc()
        if X.data.dtype != _as_real(X.data, "X").dtype or not X.data.dtype.isnative:
            X = X.astype(_as_real(X.data, "X").dtype)
        _check_finite(X.data, "X")
        return X
    array = np.asarray(on_host(X))
    if array.dtype != np.int8:  # which the library multiplies as it is
        array = _as_real(array, "X")
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array X, got {array.ndim}D array instead")
    _check_finite(array, "X")
    return array


def types_of(X: Any) -> list[type]:
    """What the library takes entries of X as; others become the first."""
    return [np.float64, np.float32] if sparse.issparse(X) else [np.float64, np.float32, np.int8]


def is_in_place(X: Any) -> bool:
    """Whether X stays where it lies and scikit-learn cannot validate it."""
    return isinstance(X, Features) or is_on_gpu(X)


def as_vector(values: Any, name: str) -> FloatArray:
    """A contiguous one-dimensional float64 array."""
    array = np.asarray(on_host(values))
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, it has shape {array.shape}")
    array = _as_real(array, name)
    return np.ascontiguousarray(array, dtype=np.float64)


def as_targets(y: Any) -> FloatArray:
    """y as n x q float64 with contiguous columns."""
    array = np.asarray(on_host(y))
    if array.ndim == 1:
        array = array[:, np.newaxis]
    return np.asfortranarray(_as_real(array, "y"), dtype=np.float64)


def _canonical(X: Any) -> Any:
    """Sorted indices without duplicates, as the library requires; copied only if they are not."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def _index_part(indices: NDArray[Any]) -> NDArray[Any]:
    if indices.dtype not in (np.int32, np.int64):
        indices = indices.astype(np.int64)
    return np.ascontiguousarray(indices)


def as_matrix(X: Any) -> _core.Matrix:
    """The view for the library; an array without unit stride in either dimension is copied."""
    if isinstance(X, Features):
        return X.matrix
    if sparse.issparse(X):
        X = _canonical(X)
        return _core.Matrix.sparse(
            np.ascontiguousarray(X.data),
            _index_part(X.indices),
            _index_part(X.indptr),
            (int(X.shape[0]), int(X.shape[1])),
            X.format == "csc",
        )
    rows, columns = (stride // X.itemsize for stride in X.strides)
    dense_lines = (rows == 1 and columns >= X.shape[0]) or (columns == 1 and rows >= X.shape[1])
    misaligned = any(stride % X.itemsize for stride in X.strides) or not X.flags.aligned
    if misaligned or not (dense_lines or X.flags.forc):
        X = np.asfortranarray(X) if abs(rows) < abs(columns) else np.ascontiguousarray(X)
    return _core.Matrix.dense(X)


def times(X: Any, coefs: NDArray[Any]) -> Any:
    """X @ coefs in float64. float32 and int8 are converted entry by entry: NumPy would copy X first."""
    if isinstance(X, Features) or X.dtype not in (np.float32, np.int8):
        return X @ coefs
    if sparse.issparse(X) and X.format not in ("csc", "csr"):
        X = X.tocsr()
    return products_of(as_matrix(X), coefs)
