"""Sufficient statistics: the sums over the rows that an elastic net needs, without the rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._checks import check_n_jobs
from ._engine import Controls, Design
from ._inputs import as_features, as_vector

T = TypeVar("T")


class Statistics:
    """What is left of rows: their number, and the sums of products of the columns, the response and the weights.

    Made by `statistics`; those of other rows add up (``+``), a file is written by ``save`` and read by
    ``Statistics.load``, the same as of ``sven gram``. A `Session` takes them in the place of X and y, for a gaussian
    response.

    Parameters
    ----------
    core : what `statistics` and ``load`` hand over
    """

    def __init__(self, core: _core.Statistics) -> None:
        self._core = core

    def __repr__(self) -> str:
        folds = f", {len(self.folds)} folds" if len(self.folds) else ""
        return f"Statistics({self.n_samples} rows, {self.n_features} features{folds})"

    def __add__(self, other: object) -> Statistics:
        if not isinstance(other, Statistics):
            return NotImplemented
        return Statistics(self._core.plus(other._core))

    def __radd__(self, other: object) -> Statistics:
        """For sum(), which begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __getstate__(self) -> bytes:
        return self._core.encode()

    def __setstate__(self, state: bytes) -> None:
        self._core = _core.Statistics.decode("pickle", state)

    @property
    def n_samples(self) -> int:
        return self._core.rows

    @property
    def n_features(self) -> int:
        return self._core.cols

    @property
    def shape(self) -> tuple[int, int]:
        """Of the X that they were made of."""
        return self.n_samples, self.n_features

    @property
    def total_weight(self) -> float:
        return self._core.total_weight

    @property
    def rounding(self) -> float:
        """How far the sums may be off, relative to the lengths of the columns."""
        return self._core.rounding

    @property
    def folds(self) -> NDArray[np.int64]:
        """The numbers of the folds, increasing."""
        return np.array(self._core.folds, dtype=np.int64)

    @property
    def feature_names(self) -> list[str] | None:
        return self._core.feature_names or None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an .npz file, for ``Statistics.load`` and the program ``sven``.

        Parameters
        ----------
        path : the file; an existing one is replaced
        """
        target = os.fspath(path)
        beside = f"{target}.{os.getpid()}.part"
        try:
            with open(beside, "wb") as file:
                file.write(self._core.encode())
            os.replace(beside, target)
        finally:
            if os.path.exists(beside):
                os.remove(beside)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Statistics:
        """Reads a file; ValueError if it is damaged.

        Parameters
        ----------
        path : what ``save`` or ``sven gram`` wrote
        """
        with open(path, "rb") as file:
            return Statistics(_core.Statistics.decode(os.fspath(path), file.read()))


def statistics(
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    offset: Any = None,
    folds: Any = None,
    n_jobs: int | None = None,
) -> Statistics:
    """The sufficient statistics of some rows, for a gaussian response.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    sample_weight : array of shape (n_samples,) or None
    offset : array of shape (n_samples,) or None: it is subtracted from y
    folds : whole numbers, one for each row, which name its fold in cross-validations; None: no folds
    n_jobs : threads; None: as many as are available

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import Session, statistics
    >>> rng = np.random.default_rng(0)
    >>> days = [rng.standard_normal((50, 6)) for _ in range(3)]
    >>> total = sum(statistics(X, X[:, 1] - X[:, 4]) for X in days)
    >>> total
    Statistics(150 rows, 6 features)
    >>> Session(total).fit(0.1, l1_ratio=1.0).coef.nonzero()[0]
    array([1, 4])
    """
    check_n_jobs(n_jobs, "statistics")
    features = as_features(X)
    design = Design(
        features,
        weights=None if sample_weight is None else as_vector(sample_weight, "sample_weight"),
        offset=None if offset is None else as_vector(offset, "offset"),
    )
    fold_of_row = None
    if folds is not None:
        given = np.asarray(folds)
        fold_of_row = given.astype(np.int64, casting="unsafe") if given.dtype.kind in "iufb" else None
        if fold_of_row is None or given.ndim != 1 or not np.array_equal(fold_of_row, given):
            raise ValueError("folds must be whole numbers, one for each row")
    core = _core.Statistics.of(
        design.problem(as_vector(y, "y")), fold_of_row, Controls(n_jobs=n_jobs).options()
    )
    names = getattr(X, "columns", None)
    if names is not None and all(isinstance(name, str) for name in names):
        core.set_names([str(name) for name in names], str(getattr(y, "name", None) or ""))
    return Statistics(core)


def library_source(X: Any) -> Any:
    """What a Design is made of: the library's statistics, or the features themselves."""
    return X._core if isinstance(X, Statistics) else X


def in_pairs(parts: Sequence[T], add: Callable[[T, T], T]) -> T:
    """Neighbours are added, then pairs of pairs, as by ``sven::sum_on_root``: the order depends on the parts alone, not
    on who adds them or when."""
    while len(parts) > 1:
        pairs = [add(*parts[k : k + 2]) for k in range(0, len(parts) - 1, 2)]
        parts = [*pairs, *parts[2 * len(pairs) :]]
    return parts[0]


def add_blocks(one: Any, other: Any) -> Any:
    """Sums of any kind; None: of a block without rows."""
    if one is None or other is None:
        return one if other is None else other
    return one + other
