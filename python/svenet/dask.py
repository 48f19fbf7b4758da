"""The estimators on dask arrays and dataframes of any number of rows, or of columns.

Every block of rows becomes statistics on the worker that has it; they are merged in pairs in the order of the blocks,
on the cluster, and the client solves from the sums. Predictions are dask arrays that are computed when they are
asked for.

An array of several blocks of columns that has more columns than rows stays in its blocks: the workers multiply them,
and the client has y and the columns that it works with.

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
from scipy.special import expit, log_expit
from sklearn.utils.validation import check_is_fitted

from ._checks import check_choice, check_factors, check_gammas, check_real
from ._cross_validation import cross_validate_grid
from ._cv_estimators import ElasticNetCV as RowsElasticNetCV
from ._cv_estimators import LassoCV as RowsLassoCV
from ._dask_columns import columns_of, in_memory, is_by_columns
from ._dask_logistic import Classes, Penalties, Point, both_classes, chosen_classes, classes_of, newton, sums_at
from ._dask_rows import Rows, column_names, fold_of_rows, is_lazy, linear_predictor, sum_up
from ._elastic_net import ElasticNet as RowsElasticNet
from ._elastic_net import Lasso as RowsLasso
from ._engine import Folds, solve
from ._logistic import LogisticRegression as RowsLogisticRegression
from ._path import check_eps, count_or_alphas
from ._progress import reporting
from ._statistics import Statistics, add_blocks
from ._warnings import warn_if_short

__all__ = ["ElasticNet", "ElasticNetCV", "Lasso", "LassoCV", "LogisticRegression", "statistics"]


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
        """X coef_ + intercept_, plus the offset: a dask array in the blocks of X, or of NumPy for an X in memory.

        Parameters
        ----------
        X : dask array or dataframe, or array in memory, of shape (n_samples, n_features)
        offset : dask vector, or array in memory, of n_samples entries: the known part of y; None: nothing
        """
        return self._lazy(X, offset) if is_lazy(X) else super().predict(X, offset)  # type: ignore[misc]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The coefficient of determination of the predictions, from sums on the cluster.

        Parameters
        ----------
        X : dask array or dataframe, or array in memory, of shape (n_samples, n_features)
        y, sample_weight : dask vectors, or arrays in memory, of n_samples entries
        """
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
        if is_by_columns(X):
            return super().fit(  # type: ignore[misc]
                columns_of(X), in_memory(y), in_memory(sample_weight), offset=in_memory(offset)
            )
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

    X is a dask array or dataframe; blocks of an array hold whole rows, or are joined so, unless it has more columns than
    rows: then the workers multiply its blocks of columns, some ten times for a path, so that it is best persisted, and
    the columns that are selected come to the client. y has one column. ``warm_start`` changes nothing. ``n_jobs`` and
    ``device`` are those of the client, which solves.
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
        if is_by_columns(X):
            return super().fit(  # type: ignore[misc]
                columns_of(X), in_memory(y), in_memory(sample_weight), offset=in_memory(offset)
            )
        owner = type(self).__name__
        self._check_common()
        check_choice(self.choose, "choose", owner, ("min", "1se"))
        wanted = count_or_alphas(self.alphas, getattr(self, "n_alphas", None), owner)
        check_eps(self.eps, owner, wanted)
        if check_gammas(self.relax, self.gamma, owner):
            raise ValueError("relaxed fits need the rows, of which statistics have the sums alone")
        rows = self._rows(X)
        total = sum_up(rows, y, sample_weight, offset, fold_of_rows(self.cv, rows))
        self._keep_features(rows)
        folds = Folds([], self._measure(), summed=len(total.folds))
        with reporting(self.verbose, owner) as progress:
            result = cross_validate_grid(
                self._design(total, None), np.empty(0), folds, self._ratios(), wanted, self.eps, self._controls(None, progress)
            )
        self._keep(result)
        self._keep_left_out(result.best_curve.solutions)
        return self

    def _splitter(self: Any) -> Any:
        return in_memory(self.cv)


class ElasticNetCV(_CrossValidated, RowsElasticNetCV):  # type: ignore[misc]
    """`svenet.ElasticNetCV` on dask arrays and dataframes; parameters and attributes are the same.

    ``cv`` is a number of folds, contiguous rows as in scikit-learn; a splitter or pairs of training and test rows that
    test every row once; or the folds themselves, a whole number for each row, as a dask vector or an array. A number or
    a splitter has the lengths of blocks computed first where dask does not know them, as of dataframes. ``relax`` needs
    rows and is refused, unless X is in blocks of columns.
    """


class LassoCV(_CrossValidated, RowsLassoCV):  # type: ignore[misc]
    """`svenet.LassoCV` on dask arrays and dataframes; ``cv`` as in `ElasticNetCV`."""


class LogisticRegression(_Distributed, RowsLogisticRegression):  # type: ignore[misc]
    """`svenet.LogisticRegression` on dask arrays and dataframes of many more rows than features, of two classes.

    Parameters and attributes are the same. Newton's method: each step is an elastic net of sums that the cluster takes
    over the weighted rows, solved on the client, and the gap is made of such sums too. A fit passes over the rows some 5
    to 15 times: X is best persisted. ``n_iter_`` counts the steps. ``C=inf``, ``standardize``, limits of the coefficients
    and offsets need rows in memory. An array of several blocks of columns with more columns than rows stays in them, as
    in `ElasticNet`, and nothing is refused.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_samples, n_features)
        y : dask array or series, or array in memory, of shape (n_samples,), the classes
        sample_weight : the same, the weights of the losses, not rescaled
        offset : the same, a known part of the log odds; of blocks of columns alone

        Returns
        -------
        self
        """
        if is_by_columns(X):
            return super().fit(columns_of(X), in_memory(y), in_memory(sample_weight), in_memory(offset))
        self._check_names()
        C, ratio = self._cost_and_ratio()
        limited = self.positive or self.lower is not None or self.upper is not None
        if not C < np.inf or self.standardize or limited or offset is not None:
            raise ValueError("C=inf, standardize, positive, lower, upper and offset need the rows in memory")
        rows = self._rows(X)
        factors = check_factors(self.penalty_factor, rows.n_features, type(self).__name__)
        factors = np.ones(rows.n_features) if factors is None else factors
        weights = rows.vector(sample_weight, "sample_weight")
        truth = rows.vector(y, "y")
        classes: Classes | None = rows.sum(classes_of, (truth, weights), add=add_blocks)
        if classes is None:
            raise ValueError("X has no rows")
        start = Point.without_features(classes.checked(), self.class_weight, factors, bool(self.fit_intercept))
        controls = self._controls()
        answer = newton(
            lambda point: rows.sum(sums_at, (truth, weights), point, add=add_blocks),
            start,
            lambda total: self._design(total, None),
            Penalties(ratio / C, (1 - ratio) / C, factors),
            controls,
        )
        warn_if_short(answer, controls)
        self._keep_features(rows)
        self.classes_ = classes.labels
        self._keep_model([answer], 0, C * float(classes.weights @ start.by_class))
        self._keep_left_out(answer)
        return self

    def decision_function(self, X: Any, offset: Any = None) -> Any:
        """The log odds of the second class, plus the offset: a dask array in the blocks of X, or of NumPy.

        Parameters
        ----------
        X : dask array or dataframe, or array in memory, of shape (n_samples, n_features)
        offset : dask vector, or array in memory, of n_samples entries: the known part of the log odds; None: nothing
        """
        return self._lazy(X, offset) if is_lazy(X) else super().decision_function(X, offset)

    def predict(self, X: Any, offset: Any = None) -> Any:
        """The class of each sample: a dask array, or of NumPy.

        Parameters
        ----------
        X : dask array or dataframe, or array in memory, of shape (n_samples, n_features)
        offset : dask vector, or array in memory, of n_samples entries: the known part of the log odds; None: nothing
        """
        if not is_lazy(X):
            return super().predict(X, offset)
        return self.decision_function(X, offset).map_blocks(chosen_classes, self.classes_, dtype=self.classes_.dtype)

    def predict_proba(self, X: Any, offset: Any = None) -> Any:
        """The probability of each class: a dask array of two columns, or of NumPy.

        Parameters
        ----------
        X : dask array or dataframe, or array in memory, of shape (n_samples, n_features)
        offset : dask vector, or array in memory, of n_samples entries: the known part of the log odds; None: nothing
        """
        return self._columns(X, offset, expit) if is_lazy(X) else super().predict_proba(X, offset)

    def predict_log_proba(self, X: Any, offset: Any = None) -> Any:
        """The logarithms of the probabilities, without the loss of small ones.

        Parameters
        ----------
        X : dask array or dataframe, or array in memory, of shape (n_samples, n_features)
        offset : dask vector, or array in memory, of n_samples entries: the known part of the log odds; None: nothing
        """
        return self._columns(X, offset, log_expit) if is_lazy(X) else super().predict_log_proba(X, offset)

    def _columns(self, X: Any, offset: Any, of_odds: Any) -> Any:
        scores = self.decision_function(X, offset)
        return scores.map_blocks(
            both_classes, of_odds, dtype=np.float64, new_axis=1, chunks=(scores.chunks[0], (2,)), meta=np.empty((0, 0))
        )

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of the rows whose class is predicted.

        Parameters
        ----------
        X : dask array or dataframe, or array in memory, of shape (n_samples, n_features)
        y, sample_weight : dask vectors, or arrays in memory, of n_samples entries
        """
        if not is_lazy(X):
            return float(super().score(X, y, sample_weight))
        rows = self._rows(X)
        truth, weights = rows.vector(y, "y"), rows.vector(sample_weight, "sample_weight")
        is_right = truth == self.predict(rows.X)
        weights = 1.0 if weights is None else weights
        return float(((weights * is_right).sum() / (weights * (truth == truth)).sum()).compute())
