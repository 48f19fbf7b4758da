"""Folds from a number, a splitter like scikit-learn's, or an iterable."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._engine import Fold
from ._gpu import GpuFeatures


def contiguous_folds(samples: int, count: int) -> list[Fold]:
    """KFold without shuffling: contiguous rows, the first folds longer by one if needed."""
    if count < 2:
        raise ValueError(f"cross-validation needs at least 2 folds, cv={count} was given")
    if count > samples:
        raise ValueError(
            f"Cannot have number of splits n_splits={count} greater than the number of samples: "
            f"n_samples={samples}."
        )
    rows = np.arange(samples)
    ends = np.cumsum(np.full(count, samples // count) + (np.arange(count) < samples % count))
    return [
        (np.concatenate([rows[:begin], rows[end:]]), rows[begin:end])
        for begin, end in zip(np.r_[0, ends[:-1]], ends)
    ]


def _rows(rows: Any, samples: int, fold: int) -> NDArray[np.int64]:
    array = np.asarray(rows)
    if array.ndim != 1:
        raise ValueError(f"the rows of fold {fold} are no list: they have shape {array.shape}")
    if array.dtype == bool:
        if len(array) != samples:
            raise ValueError(f"fold {fold} has a mask of {len(array)} rows, X has {samples}")
        array = np.flatnonzero(array)
    if array.dtype.kind not in "iu":
        real = array.astype(np.float64)
        is_whole = np.isfinite(real) & (real == np.floor(real))
        if not is_whole.all():
            raise ValueError(f"the rows of fold {fold} must be whole numbers, {array[~is_whole][0]} is none")
    numbers = array.astype(np.int64)
    return np.ascontiguousarray(np.where(numbers < 0, numbers + samples, numbers))


def as_folds(cv: Any, X: Any, y: Any, **params: Any) -> list[Fold]:
    """Pairs of training and test rows; `params` (groups, ...) go to the splitter."""
    samples = X.shape[0]
    if cv is None:
        cv = 5
    if params and not hasattr(cv, "split"):
        given = " and ".join(sorted(params))
        raise ValueError(f"{given} cannot be used: cv is no splitter that takes them, such as GroupKFold")
    if isinstance(cv, Integral):
        return contiguous_folds(samples, int(cv))
    if hasattr(cv, "split") and not isinstance(cv, str):
        pairs = cv.split(X.source if isinstance(X, GpuFeatures) else X, y, **params)
    elif hasattr(cv, "__iter__") and not isinstance(cv, str):
        pairs = cv
    else:
        raise ValueError(
            "Expected `cv` as an integer, a cross-validation object (from "
            f"sklearn.model_selection), or an iterable. Got {cv}."
        )
    folds = [
        (_rows(train, samples, number), _rows(test, samples, number)) for number, (train, test) in enumerate(pairs)
    ]
    if not folds:
        raise ValueError("cv gave no folds")
    for number, (train, test) in enumerate(folds):
        if len(train) == 0 or len(test) == 0:
            raise ValueError(f"fold {number} has no {'training' if len(train) == 0 else 'test'} rows")
    return folds
