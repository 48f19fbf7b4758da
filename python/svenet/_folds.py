"""Folds from a number, a splitter like scikit-learn's, an iterable, or the fold of each row."""

from __future__ import annotations

from numbers import Integral, Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._checks import check_count
from ._engine import Fold
from ._features import Features
from ._inputs import on_host


def _check_count(samples: int, count: int) -> None:
    if count < 2:
        raise ValueError(f"cross-validation needs at least 2 folds, cv={count} was given")
    if count > samples:
        raise ValueError(
            f"Cannot have number of splits n_splits={count} greater than the number of samples: "
            f"n_samples={samples}."
        )


def make_folds(
    rows: int,
    folds: int = 10,
    *,
    seed: int = 1,
    repeats: int = 1,
    stratify: Any = None,
    groups: Any = None,
    time_ordered: bool = False,
) -> list[Fold]:
    """Pairs of training and test rows, those of ``sven cv`` with the same seed: shuffled; with the classes or values of
    ``stratify`` (one for each row) spread evenly; with the rows of a group of ``groups`` (numbers or texts) together; or in
    the order of time, each fold training on the rows before those it tests.

    Parameters
    ----------
    rows : how many there are
    folds : how many folds
    seed : which shuffle
    repeats : how often all rows are dealt out, each time anew
    stratify : a class or value for each row
    groups : a number or text for each row
    time_ordered : whether rows come in the order of time, and are not shuffled

    Examples
    --------
    >>> from svenet import make_folds
    >>> [test.tolist() for _, test in make_folds(6, 2, time_ordered=True)]
    [[2, 3], [4, 5]]
    """
    for value, name, low in ((rows, "rows", 1), (folds, "folds", 2), (seed, "seed", 0), (repeats, "repeats", 1)):
        check_count(value, name, "make_folds", low)
    if sum([stratify is not None, groups is not None, bool(time_ordered)]) > 1:
        raise ValueError("stratify, groups and time_ordered exclude each other")
    if time_ordered and repeats != 1:
        raise ValueError("folds in the order of time cannot be repeated")
    labels = stratify if groups is None else groups
    kind = "time_ordered" if time_ordered else "plain"
    values = np.zeros(int(rows))
    if labels is not None:
        kind = "stratified" if groups is None else "grouped"
        labels = np.asarray(labels)
        if labels.shape != (rows,):
            raise ValueError(f"{'stratify' if groups is None else 'groups'} must have {rows} entries, one for each row")
        values = labels.astype(np.float64) if kind == "stratified" and labels.dtype.kind in "biuf" else _codes(labels)
    return _core.make_folds(kind, np.ascontiguousarray(values), int(folds), int(seed), int(repeats))


def _codes(labels: NDArray[Any]) -> NDArray[np.float64]:
    return np.unique(labels, return_inverse=True)[1].astype(np.float64)


def stratified(cv: Any, y: NDArray[Any]) -> Any:
    """StratifiedKFold without shuffling, if cv is a number and y has two values; else cv."""
    if cv is None:
        cv = 5
    values, first, codes = np.unique(y, return_index=True, return_inverse=True)
    if not isinstance(cv, Integral) or len(values) != 2:
        return cv
    _check_count(len(y), int(cv))
    # Classes in the order in which they appear are dealt out one after the other; rows of a class stay in order.
    codes = codes if first[0] < first[1] else 1 - codes
    dealt = [np.bincount(np.sort(codes)[start :: int(cv)], minlength=2) for start in range(int(cv))]
    fold = np.empty(len(y), dtype=np.int64)
    for code in (0, 1):
        fold[codes == code] = np.arange(int(cv)).repeat([counts[code] for counts in dealt])
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(int(cv))]


def fold_ends(samples: int, count: int) -> NDArray[np.int64]:
    """Of KFold without shuffling: contiguous rows, the first folds longer by one if needed."""
    _check_count(samples, count)
    return np.cumsum(np.full(count, samples // count) + (np.arange(count) < samples % count))


def contiguous_folds(samples: int, count: int) -> list[Fold]:
    ends = fold_ends(samples, count)
    rows = np.arange(samples)
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


def fold_numbers(cv: Any) -> NDArray[Any] | None:
    """The numbers, where cv is a vector of them, or of texts, which are none; else None."""
    is_list = isinstance(cv, (list, tuple)) and len(cv) > 0 and all(isinstance(one, (Number, str)) for one in cv)
    if not (is_list or hasattr(cv, "__array__") or hasattr(cv, "__dlpack__")):
        return None
    array = np.asarray(on_host(cv))
    has_pairs = array.dtype == object and any(hasattr(one, "__len__") for one in array.ravel())
    return array if array.ndim == 1 and not has_pairs else None


def _folds_by_number(numbers: NDArray[Any], samples: int) -> list[Fold]:
    """A fold for each number, in increasing order, which tests the rows that have it."""
    if len(numbers) != samples:
        raise ValueError(f"cv has {len(numbers)} numbers of folds, X has {samples} rows: each row needs one")
    try:
        real = numbers.astype(np.float64)
    except (TypeError, ValueError):
        real = np.full(samples, np.nan)
    is_whole = np.isfinite(real) & (real == np.floor(real))
    if not is_whole.all():
        raise ValueError(f"cv has the fold of each row, which must be a whole number: {numbers[~is_whole][0]!s} is none")
    names, codes = np.unique(numbers, return_inverse=True)
    if len(names) < 2:
        raise ValueError(f"cross-validation needs at least 2 folds, cv has all rows in fold {names[0]}")
    return [(np.flatnonzero(codes != k), np.flatnonzero(codes == k)) for k in range(len(names))]


def as_folds(cv: Any, X: Any, y: Any, **params: Any) -> list[Fold]:
    """Pairs of training and test rows; `params` (groups, ...) go to the splitter."""
    samples = X.shape[0]
    if cv is None:
        cv = 5
    numbers = fold_numbers(cv)
    if params and (numbers is not None or not hasattr(cv, "split")):
        given = " and ".join(sorted(params))
        raise ValueError(f"{given} cannot be used: cv is no splitter that takes them, such as GroupKFold")
    if isinstance(cv, Integral):
        return contiguous_folds(samples, int(cv))
    if numbers is not None:
        return _folds_by_number(numbers, samples)
    if hasattr(cv, "split") and not isinstance(cv, str):
        # Splitters count rows, and do not know an X that is no array.
        rows = np.broadcast_to(0.0, (samples, 1)) if isinstance(X, Features) else X
        pairs = cv.split(getattr(X, "source", rows), y, **params)
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
