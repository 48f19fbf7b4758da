"""SquaredHingeSVC: the support vector machine of the reduction, as a classifier."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import Classifier, check_weights, validate_data
from ._checks import check_bool, check_count, check_device, check_n_jobs, check_real
from ._engine import Controls
from ._inputs import FloatArray, as_matrix, on_host, times
from ._namespaces import FollowsX
from ._warnings import convergence_warning

if TYPE_CHECKING:
    from typing_extensions import Self


class SquaredHingeSVC(Classifier, FollowsX, BaseEstimator):  # type: ignore[misc]
    """A linear support vector classifier with squared hinge loss, solved exactly.

    Minimises, as ``sklearn.svm.LinearSVC`` does with its squared hinge loss::

        1/2 ||w||^2 + C sum_i weight_i max(0, 1 - label_i (x_i'w + b))^2

    where b, the intercept, is the coefficient of a feature that is ``intercept_scaling`` throughout
    and is penalised like the others. More than two classes: one against the rest. X may be in any unit
    with a largest entry of 1e-75 to 1e75 in size.

    Parameters
    ----------
    C : float, the cost of an error
    fit_intercept : bool
    intercept_scaling : float
    class_weight : dict, 'balanced' or None
    max_iter : int, Newton steps
    tol : float, the relative duality gap to reach
    n_jobs : as in ElasticNet
    device : for compatibility with ElasticNet: the solver runs on the CPU, and X on a GPU is copied

    Attributes
    ----------
    classes_, coef_, intercept_, n_iter_, n_features_in_, feature_names_in_ : as in LinearSVC, the numbers
        float64 for X of float32 too
    dual_coef_ : the dual variables, one row for each problem; the support vectors' are positive
    dual_gap_ : an upper bound on the distance of the objective from its optimum, the largest over problems
    relative_gap_ : the gap that was compared with tol, its own rounding included, the largest over problems
    status_ : 'optimal', or 'iteration_limit' if the gap of some problem is above tol

    Examples
    --------
    >>> from svenet import SquaredHingeSVC
    >>> model = SquaredHingeSVC().fit([[-1.0, 0.0], [-2.0, 1.0], [1.0, 0.0], [2.0, 1.0]], [0, 0, 1, 1])
    >>> model.predict([[-3.0, 0.0], [3.0, 0.0]])
    array([0, 1])
    """

    def __init__(
        self,
        C: float = 1.0,
        *,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: Any = None,
        max_iter: int = 1000,
        tol: float = 1e-10,
        n_jobs: int | None = None,
        device: str | None = "cpu",
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.device = device

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_real(self.C, "C", owner, open_low=True)
        check_bool(self.fit_intercept, "fit_intercept", owner)
        check_real(self.intercept_scaling, "intercept_scaling", owner, open_low=True)
        check_count(self.max_iter, "max_iter", owner)
        check_real(self.tol, "tol", owner)
        check_n_jobs(self.n_jobs, owner)
        check_device(self.device, owner)

    def _with_constant(self, X: Any) -> Any:
        if not self.fit_intercept:
            return X
        constant = np.full((X.shape[0], 1), self.intercept_scaling, dtype=X.dtype)
        if sparse.issparse(X):
            return sparse.hstack([X, constant], format="csr")
        return np.hstack([X, constant])

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,), the classes
        sample_weight : array of shape (n_samples,)

        Returns
        -------
        self
        """
        self._check_parameters()
        given = X, y
        X, y = validate_data(
            self, on_host(X), on_host(y), accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32]
        )
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data contains "
                f"only one class: {self.classes_[0]!r}"
            )
        weights = check_weights(sample_weight, X.shape[0])
        by_class = np.asarray(compute_class_weight(self.class_weight, classes=self.classes_, y=y), dtype=np.float64)
        costs = np.full(X.shape[0], float(self.C)) if weights is None else self.C * weights
        answers = [
            self._train(self._with_constant(X), codes == k, costs * factors)
            for k, factors in self._problems(codes, by_class)
        ]
        # The value in the column of the intercept, which has the type of X.
        self._keep(answers, float(X.dtype.type(self.intercept_scaling)))
        return self._keep_kinds(*given)

    def _problems(self, codes: Any, by_class: FloatArray) -> list[tuple[int, FloatArray]]:
        """The class that is positive and the weights of the samples: one problem for two classes, else
        one for each class against the rest, who count one each, as in LIBLINEAR."""
        if len(self.classes_) == 2:
            return [(1, by_class[codes])]
        return [(k, np.where(codes == k, by_class[k], 1.0)) for k in range(len(self.classes_))]

    def _train(self, X: Any, is_positive: Any, costs: FloatArray) -> dict[str, Any]:
        kept = np.flatnonzero(costs > 0)  # the library requires positive costs
        labels = np.where(is_positive, 1.0, -1.0)
        options = Controls(self.tol, self.max_iter, self.n_jobs, device=self.device).options()
        if len(kept) == len(costs):
            return _core.train(as_matrix(X), labels, costs, options)
        answer = _core.train(as_matrix(X[kept]), labels[kept], costs[kept], options)
        dual = np.zeros(len(costs))
        dual[kept] = answer["alpha"]
        return {**answer, "alpha": dual}

    def _keep(self, answers: list[dict[str, Any]], scaling: float) -> None:
        weights = np.array([answer["w"] for answer in answers])
        if self.fit_intercept:
            self.coef_, self.intercept_ = weights[:, :-1], weights[:, -1] * scaling
        else:
            self.coef_, self.intercept_ = weights, np.zeros(len(answers))
        self.dual_coef_ = np.array([answer["alpha"] for answer in answers])
        self.n_iter_ = max(int(answer["iterations"]) for answer in answers)
        self.dual_gap_ = max(answer["gap"] * answer["objective"] for answer in answers)
        self.relative_gap_ = max(answer["gap"] for answer in answers)
        statuses = [answer["status"] for answer in answers]
        self.status_ = "iteration_limit" if "iteration_limit" in statuses else "optimal"
        if self.status_ == "iteration_limit":
            warnings.warn(
                f"Stopped after max_iter={self.max_iter} Newton steps: the relative duality gap is "
                f"{self.relative_gap_:.3e}, the tolerance {self.tol:.3e}.",
                convergence_warning(),
                stacklevel=3,
            )

    def _scores(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        X = validate_data(
            self, on_host(X), accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32], reset=False
        )
        scores: FloatArray = times(X, on_host(self.coef_).T) + on_host(self.intercept_)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def decision_function(self, X: Any) -> Any:
        """Signed distances to the hyperplanes, up to the norm of coef_; one column for each class
        where there are more than two.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        """
        return self._answer(X, "decision_function", self._scores(X))

    def predict(self, X: Any) -> Any:
        """The class of each sample.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        """
        scores = self._scores(X)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self._answer(X, "predict", on_host(self.classes_)[codes])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
