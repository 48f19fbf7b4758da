"""X that is used where it lies and is no array of NumPy: on a GPU, or packed in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core


def products_of(matrix: _core.Matrix, coefs: NDArray[Any]) -> NDArray[np.float64]:
    """X times a vector or the columns of a table, computed by the library in double, where X lies."""
    table = np.asarray(coefs, dtype=np.float64)
    columns = table[:, np.newaxis] if table.ndim == 1 else table
    products = [_core.multiply(matrix, np.ascontiguousarray(column)) for column in columns.T]
    answer = np.stack(products, axis=1)
    return answer if table.ndim == 2 else answer[:, 0]


@dataclass(frozen=True)
class Features:
    """The view for the library, with the parts of the array interface that the package uses."""

    matrix: _core.Matrix  # keeps the memory alive
    shape: tuple[int, int]
    dtype: np.dtype[Any]

    def __matmul__(self, coefs: NDArray[Any]) -> Any:
        """Products as a host array."""
        return products_of(self.matrix, coefs)
