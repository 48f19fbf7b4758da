"""PoissonRegressor: scikit-learn's estimator, exact, with any mix of both penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import xlogy
from sklearn.base import RegressorMixin

from ._base import LinearModel, check_weights
from ._checks import check_choice, check_offset, check_real
from ._engine import solve
from ._families import transform
from ._inputs import FloatArray, as_vector, on_host
from ._warnings import warn_if_short

if TYPE_CHECKING:
    from typing_extensions import Self


class PoissonModel(RegressorMixin, LinearModel):  # type: ignore[misc]
    """Base of the regressors of counts: the exponential of the linear predictor predicts."""

    def predict(self, X: Any, offset: Any = None) -> FloatArray:
        """Predict the mean: exp(X coef_ + intercept_), with the offset of the rows added to the exponent.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features); an X on a GPU is multiplied there
        offset : array of shape (n_samples,), the known part of the exponent of these rows; None: nothing

        Returns
        -------
        array of shape (n_samples,), of NumPy, or with array API dispatch of X's kind
        """
        return self._answer(X, "predict", transform(self._linear(X, offset), "poisson"))

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float:
        """D^2, the share of the deviance that the predictions explain, as in scikit-learn: 1 - deviance / deviance of
        the mean of y. With an offset, the latter has the offset and the best intercept.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,), counts, or rates with their exposures as weights
        sample_weight : array of shape (n_samples,); None: all one
        offset : array of shape (n_samples,), the known part of the exponent of these rows; None: nothing
        """
        eta = self._linear(X, offset)
        self._kind_of(X, "score")
        target = as_vector(y, "y")
        if len(target) != len(eta):
            raise ValueError(f"y has {len(target)} numbers, X has {len(eta)} rows.")
        if (target < 0).any():
            raise ValueError("Some value of y is negative: counts are not.")
        weights = check_weights(None if sample_weight is None else on_host(sample_weight), len(eta))
        known = np.zeros(len(eta)) if offset is None else check_offset(offset, len(eta))
        intercept = np.log(np.average(target, weights=weights) / np.average(np.exp(known), weights=weights))
        saturated = xlogy(target, target) - target

        def deviance(exponents: Any) -> Any:
            losses = np.exp(exponents) - np.where(target > 0, target * exponents, 0) + saturated
            return np.average(losses, weights=weights)

        return float(1 - deviance(eta) / deviance(known + intercept))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags

    def _more_tags(self) -> dict[str, bool]:
        """The same, for scikit-learn before 1.6."""
        return {"requires_positive_y": True}


class PoissonRegressor(PoissonModel):
    """Regression of counts or rates on the log scale, with both an L1 and an L2 penalty.

    Minimises, with mu_i = exp(x_i'w + b)::

        1 / sum_i weight_i * sum_i weight_i * (mu_i - y_i log(mu_i) + constant)
        + alpha * l1_ratio * ||w||_1
        + 0.5 * alpha * (1 - l1_ratio) * ||w||^2_2

    Parameters, attributes and defaults are those of ``sklearn.linear_model.PoissonRegressor``, which has the second
    penalty alone, but for ``tol``, a true relative duality gap that defaults to 1e-10, and ``max_iter``, which counts
    Newton steps.

    Parameters
    ----------
    alpha : float, the weight of both penalties; 0: none, and an error where there is no single best fit, as where
        columns depend on each other
    l1_ratio : float in [0, 1]; 1 is the Lasso's penalty, 0 that of ridge regression and of scikit-learn
    fit_intercept : bool
    solver, verbose, warm_start : accepted, and change nothing
    max_iter : int, Newton steps
    tol : float, the relative duality gap to reach
    positive, standardize, penalty_factor, lower, upper, n_jobs, device : as in ElasticNet

    Attributes
    ----------
    coef_, sparse_coef_, intercept_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn
    dual_gap_ : an upper bound on the distance of the objective above from its optimum
    relative_gap_ : the gap that was compared with tol, relative to the null deviance
    deviance_, null_deviance_ : of the model, and without any feature
    status_, support_certificate_, left_out_, t_ : as in ElasticNet
    lambda1_, lambda2_ : the penalties of deviance + lambda2 ||w||^2 + lambda1 ||w||_1

    Examples
    --------
    >>> from svenet import PoissonRegressor
    >>> model = PoissonRegressor().fit([[1, 2], [2, 3], [3, 4], [4, 3]], [12, 17, 22, 21])
    >>> model.coef_.round(3), model.predict([[1, 1], [3, 4]]).round(3)
    (array([0.121, 0.158]), array([10.676, 21.875]))
    """

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        l1_ratio: float = 0.0,
        fit_intercept: bool = True,
        solver: str = "lbfgs",
        max_iter: int = 1000,
        tol: float = 1e-10,
        warm_start: bool = False,
        verbose: bool | int = 0,
        positive: bool = False,
        standardize: bool = False,
        penalty_factor: Any = None,
        lower: Any = None,
        upper: Any = None,
        n_jobs: int | None = None,
        device: str | None = "cpu",
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.verbose = verbose
        self.positive = positive
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.lower = lower
        self.upper = upper
        self.n_jobs = n_jobs
        self.device = device

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,), counts, or rates with their exposures as weights
        sample_weight : array of shape (n_samples,)
        offset : array of shape (n_samples,), a known part of the exponent, such as the logarithm of an exposure;
            ``predict`` adds the one that it is given

        Returns
        -------
        self
        """
        self._check_common()
        check_real(self.alpha, "alpha", type(self).__name__)
        check_real(self.l1_ratio, "l1_ratio", type(self).__name__, high=1.0)
        check_choice(self.solver, "solver", type(self).__name__, ("lbfgs", "newton-cholesky"))
        given = X, y
        X, y = self._check_X_y(X, y, ensure_min_samples=2)
        weights = check_weights(sample_weight, X.shape[0])
        design = self._design(X, weights, offset, "poisson", is_penalised=self.alpha > 0)
        controls = self._controls(X)
        answer = solve(design, as_vector(y, "y"), "mixing", self.alpha, self.l1_ratio, controls)
        warn_if_short(answer, controls)
        self.coef_ = answer.coef(0)
        self.intercept_ = answer.intercepts[0] if self.fit_intercept else 0.0
        self.n_iter_ = int(answer.n_iters[0])
        self._keep_certificates([answer])
        self._keep_deviances([answer])
        self._keep_left_out(answer)
        return self._keep_kinds(*given)
