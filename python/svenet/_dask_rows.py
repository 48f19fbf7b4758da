"""Rows of dask arrays and dataframes: blocks of X with those of y and of what else has a number for each row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

try:
    import dask as dask
    import dask.array as da
except ImportError as error:
    raise ImportError("svenet.dask needs dask: pip install 'dask[array,dataframe]' distributed") from error

from ._folds import as_folds, fold_ends
from ._inputs import FloatArray, as_features, as_vector, times
from ._statistics import Statistics, add_blocks, in_pairs, statistics


def is_table(values: Any) -> bool:
    """A dataframe or a series of dask."""
    return not isinstance(values, da.Array) and hasattr(values, "npartitions") and hasattr(values, "to_dask_array")


def is_lazy(values: Any) -> bool:
    return isinstance(values, da.Array) or is_table(values)


def column_names(X: Any) -> list[str] | None:
    """Of a dataframe, if all are texts."""
    names = list(X.columns) if is_table(X) else []
    return names if names and all(isinstance(name, str) for name in names) else None


def _as_array(values: Any) -> Any:
    return values.to_dask_array() if is_table(values) else values


def _sizes_known(array: Any) -> bool:
    return not any(np.isnan(size) for size in array.chunks[0])


class Rows:
    """X in blocks of whole rows; other vectors are cut as X is."""

    def __init__(self, X: Any, owner: str) -> None:
        if not is_lazy(X):
            raise TypeError(f"{owner} takes X as a dask array or dataframe, not {type(X).__name__}")
        array = _as_array(X)
        if array.ndim != 2:
            raise ValueError(f"Expected 2D array X, got {array.ndim}D array instead")
        self.X = array if array.numblocks[1] == 1 else array.rechunk({1: -1})
        self.names = column_names(X)

    @property
    def n_features(self) -> int:
        return int(self.X.shape[1])

    def count(self) -> int:
        """The number of rows; where X does not know it, the lengths of its blocks are computed."""
        if not _sizes_known(self.X):
            self.X = self.X.copy().compute_chunk_sizes()
        return int(self.X.shape[0])

    def vector(self, values: Any, name: str) -> Any:
        """A dask vector in the blocks of X; None stays None."""
        if values is None:
            return None
        if not is_lazy(values):
            values = da.from_array(np.asarray(values), chunks=-1)
            self.count()
        array = _as_array(values)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise ValueError(f"{name} must be one-dimensional, it has shape {array.shape}")
        if _sizes_known(array) != _sizes_known(self.X) and array.numblocks[0] != self.X.numblocks[0]:
            self.count()
            array = array if _sizes_known(array) else array.copy().compute_chunk_sizes()
        if _sizes_known(array) and _sizes_known(self.X):
            if array.shape[0] != self.X.shape[0]:
                raise ValueError(f"X has {self.X.shape[0]} rows, {name} has {array.shape[0]}")
            return array.rechunk((self.X.chunks[0],))
        if array.numblocks[0] != self.X.numblocks[0]:
            raise ValueError(f"X has {self.X.numblocks[0]} blocks of rows of unknown lengths, {name} has {array.numblocks[0]}")
        return array

    def sum(self, work: Callable[..., Any], vectors: Sequence[Any], *more: Any, add: Callable[[Any, Any], Any]) -> Any:
        """The results of work(X, *vectors, *more) of the blocks, added in pairs in their order on the workers."""
        task = dask.delayed(work, pure=True)
        plus = dask.delayed(add, pure=True)
        parts = [_blocks(self.X), *(_blocks(vector) for vector in vectors)]
        more = tuple(dask.delayed(one, traverse=False) for one in more)
        results = [
            task(*(None if part is None else part[k] for part in parts), *more) for k in range(self.X.numblocks[0])
        ]
        return dask.compute(in_pairs(results, plus))[0]


def _blocks(array: Any) -> list[Any] | None:
    return None if array is None else list(array.to_delayed(optimize_graph=False).ravel())


def _block_statistics(X: Any, y: Any, weights: Any, offset: Any, folds: Any, names: Any) -> Statistics | None:
    """On a worker. One thread: dask has others at work."""
    if X.shape[0] == 0:
        return None
    total = statistics(X, y, sample_weight=weights, offset=offset, folds=folds, n_jobs=1)
    if names is not None:
        total._core.set_names(names, "")
    return total


def sum_up(rows: Rows, y: Any, sample_weight: Any, offset: Any, folds: Any) -> Statistics:
    given = (("y", y), ("sample_weight", sample_weight), ("offset", offset), ("folds", folds))
    vectors = [rows.vector(values, name) for name, values in given]
    # Lengths that a vector asked for belong to all.
    vectors = [vector if vector is None else rows.vector(vector, name) for (name, _), vector in zip(given, vectors)]
    total: Statistics | None = rows.sum(_block_statistics, vectors, rows.names, add=add_blocks)
    if total is None:
        raise ValueError("X has no rows")
    return total


def _fold_numbers(rows: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.searchsorted(ends, rows, side="right")


def fold_of_rows(cv: Any, rows: Rows) -> Any:
    """The number of the fold that tests each row: from a number of folds (contiguous rows, as in scikit-learn), a
    splitter, or pairs of training and test rows that test every row once; or the numbers themselves."""
    if is_lazy(cv) or isinstance(cv, np.ndarray) and cv.ndim == 1 or hasattr(cv, "to_numpy"):
        return cv
    samples = rows.count()
    cv = 5 if cv is None else cv
    if isinstance(cv, Integral):
        ends = fold_ends(samples, int(cv))
        numbers = da.arange(samples, chunks=(rows.X.chunks[0],), dtype=np.int64)
        return numbers.map_blocks(_fold_numbers, ends=ends, dtype=np.int64)
    fold = np.full(samples, -1, dtype=np.int64)
    pairs = as_folds(cv, np.broadcast_to(0.0, (samples, 1)), None)
    for number, (train, test) in enumerate(pairs):
        if (fold[test] >= 0).any() or np.intersect1d(train, test).size or len(train) + len(test) != samples:
            break
        fold[test] = number
    if (fold < 0).any():
        raise ValueError("statistics are summed by folds: cv must test every row once and train on all others")
    return fold


def _block_predictions(X: Any, coef: FloatArray, intercept: Any) -> FloatArray:
    return np.asarray(times(as_features(X), coef) + intercept)


def linear_predictor(rows: Rows, coef: FloatArray, intercept: Any, offset: Any) -> Any:
    """A dask array in the blocks of X."""
    fitted = rows.X.map_blocks(
        _block_predictions, coef=coef, intercept=intercept, drop_axis=1, dtype=np.float64, meta=np.empty(0)
    )
    return fitted if offset is None else fitted + rows.vector(offset, "offset")
