"""The estimators on dask arrays and dataframes of any number of rows.

Every block of rows becomes statistics on the worker that has it; they are merged in pairs in the order of the blocks,
on the cluster, and the client solves from the sums. Predictions are dask arrays that are computed when they are
asked for.

>>> import dask.array as da
>>> from svenet.dask import ElasticNet
>>> X = da.random.default_rng(0).standard_normal((600, 4), chunks=(100, 4))
>>> model = ElasticNet(alpha=0.1, l1_ratio=1.0).fit(X, 2 * X[:, 0] - X[:, 2])
>>> model.coef_.round(1)
array([ 1.9,  0. , -0.9,  0. ])
>>> model.predict(X).chunks
((100, 100, 100, 100, 100, 100),)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._checks import check_choice, check_gammas, check_real
from ._cross_validation import cross_validate_grid
from ._cv_estimators import ElasticNetCV as RowsElasticNetCV
from ._cv_estimators import LassoCV as RowsLassoCV
from ._dask_rows import Rows, column_names, fold_of_rows, is_lazy, linear_predictor, sum_up
from ._elastic_net import ElasticNet as RowsElasticNet
from ._elastic_net import Lasso as RowsLasso
from ._engine import Folds, solve, warn_if_short
from ._path import check_eps, count_or_alphas
from ._progress import reporting
from ._statistics import Statistics

__all__ = ["ElasticNet", "ElasticNetCV", "Lasso", "LassoCV", "statistics"]


def statistics(X: Any, y: Any, *, sample_weight: Any = None, offset: Any = None, folds: Any = None) -> Statistics:
    """The sufficient statistics of dask rows, as `svenet.statistics` of rows in memory; computed on the cluster.

    Parameters
    ----------
    X : dask array or dataframe of shape (n_samples, n_features)
    y, sample_weight, offset, folds : dask vectors, or arrays in memory, of n_samples entries
    """
    return sum_up(Rows(X, "statistics"), y, sample_weight, offset, folds)


class _Distributed:
    """Predictions that stay on the cluster, of models whose coef_ is one row."""

    coef_: Any
    intercept_: Any
    n_features_in_: int

    def _rows(self, X: Any) -> Rows:
        return Rows(X, type(self).__name__)

    def _keep_features(self, rows: Rows) -> None:
        self.n_features_in_ = rows.n_features
        if rows.names is not None:
            self.feature_names_in_ = np.array(rows.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _lazy(self, X: Any, offset: Any) -> Any:
        check_is_fitted(self)
        names = column_names(X)
        if names is not None and list(getattr(self, "feature_names_in_", names)) != names:
            raise ValueError("The feature names should match those that were passed during fit.")
        rows = self._rows(X)
        if rows.n_features != self.n_features_in_:
            raise ValueError(
                f"X has {rows.n_features} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input."
            )
        intercept = float(np.ravel(self.intercept_)[0])
        return linear_predictor(rows, np.ravel(self.coef_), intercept, offset)


class _Regressor(_Distributed):
    def predict(self, X: Any, offset: Any = None) -> Any:
        """X coef_ + intercept_, plus the offset: a dask array in the blocks of X, or of NumPy for an X in memory."""
        return self._lazy(X, offset) if is_lazy(X) else super().predict(X, offset)  # type: ignore[misc]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The coefficient of determination of the predictions, from sums on the cluster."""
        if not is_lazy(X):
            return float(super().score(X, y, sample_weight))  # type: ignore[misc]
        rows = self._rows(X)
        truth, weights = rows.vector(y, "y"), rows.vector(sample_weight, "sample_weight")
        left = truth - self.predict(rows.X)
        weights = 1.0 if weights is None else weights
        mean = (weights * truth).sum() / (weights * (truth == truth)).sum()
        explained = 1 - (weights * left**2).sum() / (weights * (truth - mean) ** 2).sum()
        return float(explained.compute())


class _Penalised(_Regressor):
    """The fit of the estimators of one alpha."""

    def fit(self: Any, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_samples, n_features)
        y : dask array or series, or array in memory, of shape (n_samples,)
        sample_weight, offset : the same, as in `svenet.ElasticNet`

        Returns
        -------
        self
        """
        self._check_common()
        check_real(self.alpha, "alpha", type(self).__name__)
        check_real(self.l1_ratio, "l1_ratio", type(self).__name__, high=1.0)
        rows = self._rows(X)
        total = sum_up(rows, y, sample_weight, offset, None)
        self._keep_features(rows)
        controls = self._controls()
        answer = solve(self._design(total, None), np.empty(0), "mixing", self.alpha, self.l1_ratio, controls)
        warn_if_short(answer, controls)
        self._keep([answer], 1)
        self._keep_left_out(answer)
        return self


class ElasticNet(_Penalised, RowsElasticNet):  # type: ignore[misc]
    """`svenet.ElasticNet` on dask arrays and dataframes; parameters and attributes are the same.

    X is a dask array or dataframe; blocks of an array hold whole rows, or are joined so. y has one column.
    ``warm_start`` changes nothing. ``n_jobs`` and ``device`` are those of the client, which solves.
    """


class Lasso(_Penalised, RowsLasso):  # type: ignore[misc]
    """`svenet.Lasso` on dask arrays and dataframes: ElasticNet with ``l1_ratio=1``."""


class _CrossValidated(_Regressor):
    """The fit of the estimators that choose alpha."""

    def fit(self: Any, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Any:
        """Cross-validate the path, then keep the solution on all rows at the alpha that is chosen.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_samples, n_features)
        y : dask array or series, or array in memory, of shape (n_samples,)
        sample_weight, offset : the same, as in `svenet.ElasticNetCV`

        Returns
        -------
        self
        """
        owner = type(self).__name__
        self._check_common()
        check_choice(self.choose, "choose", owner, ("min", "1se"))
        check_eps(self.eps, owner)
        wanted = count_or_alphas(self.alphas, getattr(self, "n_alphas", None), owner)
        if check_gammas(self.relax, self.gamma, owner):
            raise ValueError("relaxed fits need the rows, of which statistics have the sums alone")
        rows = self._rows(X)
        total = sum_up(rows, y, sample_weight, offset, fold_of_rows(self.cv, rows))
        self._keep_features(rows)
        folds = Folds([], self._measure(), summed=len(total.folds))
        with reporting(self.verbose, owner) as progress:
            result = cross_validate_grid(
                self._design(total, None), np.empty(0), folds, self._ratios(), wanted, self.eps, self._controls(progress)
            )
        self._keep(result)
        self._keep_left_out(result.best_curve.solutions)
        return self


class ElasticNetCV(_CrossValidated, RowsElasticNetCV):  # type: ignore[misc]
    """`svenet.ElasticNetCV` on dask arrays and dataframes; parameters and attributes are the same.

    ``cv`` is a number of folds, contiguous rows as in scikit-learn; a splitter or pairs of training and test rows that
    test every row once; or the folds themselves, a whole number for each row, as a dask vector or an array. A number or
    a splitter has the lengths of blocks computed first where dask does not know them, as of dataframes. ``relax`` needs
    rows and is refused.
    """


class LassoCV(_CrossValidated, RowsLassoCV):  # type: ignore[misc]
    """`svenet.LassoCV` on dask arrays and dataframes; ``cv`` as in `ElasticNetCV`."""
