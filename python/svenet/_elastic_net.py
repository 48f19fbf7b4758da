"""ElasticNet and Lasso: scikit-learn's estimators, exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import MultiOutputMixin

from ._base import LinearRegressor, check_weights
from ._checks import check_real, without_offset
from ._engine import Controls, Design, Solutions, solve_targets
from ._inputs import FloatArray, as_features, as_targets, on_host
from ._path import enet_path, lasso_path
from ._session import WarmStart
from ._warnings import warn_if_short

if TYPE_CHECKING:
    from typing_extensions import Self


class ElasticNet(MultiOutputMixin, LinearRegressor):  # type: ignore[misc]
    """The elastic net: least squares with both an L1 and an L2 penalty.

    Minimises::

        1 / (2 * n_samples) * ||y - Xw||^2_2
        + alpha * l1_ratio * ||w||_1
        + 0.5 * alpha * (1 - l1_ratio) * ||w||^2_2

    Parameters, attributes and defaults are those of ``sklearn.linear_model.ElasticNet``, but for
    ``tol``, which is a true relative duality gap and defaults to 1e-10.

    Parameters
    ----------
    alpha : float, the weight of both penalties; 0 is ordinary least squares
    l1_ratio : float in [0, 1]; 1 is the Lasso, 0 ridge regression
    fit_intercept : bool
    precompute, copy_X, random_state, selection : accepted, and change nothing: X is never written to, and the answer is
        exact in any case
    max_iter : int, Newton steps
    tol : float, the relative duality gap to reach
    warm_start : bool; a fit begins where the last one ended, and what was worked out from X is kept, where X is
        the same array (or sparse matrix) with the same numbers, y has one column, and ``fit_intercept``,
        ``positive``, ``standardize``, ``penalty_factor``, ``lower``, ``upper``, ``n_jobs`` and ``device`` are as they
        were; else it begins afresh. X, of which a reference is kept, is read once to see whether it has changed
    positive : bool; coefficients must not be negative
    standardize : bool; penalise the coefficients of columns divided by their standard deviation
    penalty_factor : array of n_features numbers that multiply both penalties; 0: not penalised,
        infinite: left out
    lower, upper : limits of the coefficients, lower <= 0 <= upper: a number for all, or an array of n_features; None:
        none. Both zero: the coefficient is zero
    n_jobs : int or None, threads; None and -1: as many as SVEN_NUM_THREADS, OMP_NUM_THREADS or threadpoolctl allow
    device : 'cpu', 'cuda', or 'auto' for a GPU if there is one and it is expected to be faster; a build without CUDA
        rejects 'cuda'. For 'cuda' and 'auto' X may already be on the GPU: CuPy, PyTorch, JAX

    Attributes
    ----------
    coef_, sparse_coef_, intercept_, n_iter_, dual_gap_, n_features_in_, feature_names_in_ : as in
        scikit-learn; with several targets, one row or entry for each. Coefficients are float64 for X of
        float32 too: rounded, they would not have the gap that is reported
    relative_gap_ : the gap that was compared with tol
    status_ : 'optimal'; 'not_unique': other coefficients reach the same optimum, as where columns depend on
        each other; 'iteration_limit': the gap is above tol, which a ConvergenceWarning says too
    support_certificate_ : how many features are proven selected, proven zero, undecided, left out
    support_proof_ : array of shape (n_features,), 'selected', 'zero', 'undecided' or 'left out'
    left_out_ : the indices of columns that are constant up to rounding: with an intercept or standardisation,
        those whose mean is more than 1e10 standard deviations from zero. Their coefficients are zero and
        a UserWarning names them
    lambda1_, lambda2_ : the penalties of sum w (y - Xb)^2 + lambda2 ||b||^2 + lambda1 ||b||_1
    t_ : the L1 norm of the coefficients, the budget at which the constrained form has this solution

    Examples
    --------
    >>> from svenet import ElasticNet
    >>> X = [[0.0, 1.0], [1.0, 0.5], [2.0, 0.0], [3.0, 1.0]]
    >>> model = ElasticNet(alpha=0.1).fit(X, [0.0, 1.0, 2.0, 3.0])
    >>> model.predict([[4.0, 1.0]]).round(3)
    array([3.808])
    >>> model.support_certificate_
    SupportCertificate(proven_selected=1, proven_zero=1, undecided=0, left_out=0)
    """

    path = staticmethod(enet_path)

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        fit_intercept: bool = True,
        precompute: Any = False,
        max_iter: int = 1000,
        copy_X: bool = True,
        tol: float = 1e-10,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
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
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.lower = lower
        self.upper = upper
        self.n_jobs = n_jobs
        self.device = device

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True, offset: Any = None
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,) or (n_samples, n_targets); each column is fitted separately
        sample_weight : array of shape (n_samples,)
        check_input : bool; False skips the validation of X and y
        offset : array of shape (n_samples,), a known part of y: the rest is fitted, and ``predict`` adds the
            offset that it is given

        Returns
        -------
        self
        """
        self._check_common()
        check_real(self.alpha, "alpha", type(self).__name__)
        check_real(self.l1_ratio, "l1_ratio", type(self).__name__, high=1.0)
        given = X, y
        if check_input:
            X, y = self._check_X_y(X, y, multi_output=True)
        else:
            X, y = as_features(X), np.asarray(on_host(y))
        design = self._design(X, check_weights(sample_weight, X.shape[0]))
        targets = without_offset(as_targets(y), offset)
        controls = self._controls(X)
        answers = self._solve(design, targets, controls)
        for answer in answers:
            warn_if_short(answer, controls)
        self._keep(answers, np.ndim(y))
        self._keep_left_out(answers[0])
        return self._keep_kinds(*given)

    def _solve(self, design: Design, targets: FloatArray, controls: Controls) -> list[Solutions]:
        warm: WarmStart | None = self.__dict__.pop("_warm", None)
        if not self.warm_start or targets.shape[1] != 1:
            return solve_targets(design, targets, "mixing", self.alpha, self.l1_ratio, controls)
        y = targets[:, 0]
        if warm is None or not warm.takes(design, controls):
            warm = WarmStart(design, y, controls)
        answer = warm.solve(design, y, self.alpha, self.l1_ratio, controls)
        self._warm = warm
        return [answer]

    def __getstate__(self) -> Any:
        """Without the solver kept for the next fit, which is specific to this process."""
        state = dict(super().__getstate__())
        state.pop("_warm", None)
        return state

    def _keep(self, answers: list[Solutions], dimensions: int) -> None:
        """Attributes in scikit-learn's shapes: a single target has no axis of targets, except in the
        intercept where y had two dimensions."""
        coefs = np.array([answer.coef(0) for answer in answers])
        intercepts = np.array([answer.intercepts[0] for answer in answers])
        steps = [int(answer.n_iters[0]) for answer in answers]
        single = len(answers) == 1
        self.coef_ = coefs[0] if single else coefs
        self.intercept_ = (intercepts[0] if dimensions == 1 else intercepts) if self.fit_intercept else 0.0
        self.n_iter_ = steps[0] if single else steps
        self._keep_certificates(answers)


class Lasso(ElasticNet):
    """The Lasso: ElasticNet with ``l1_ratio=1``.

    Parameters and attributes are those of ``sklearn.linear_model.Lasso``, and those that ElasticNet
    adds. Minimises::

        1 / (2 * n_samples) * ||y - Xw||^2_2 + alpha * ||w||_1

    Parameters
    ----------
    alpha : float, the penalty
    fit_intercept, precompute, copy_X, max_iter, tol, warm_start, positive, random_state, selection : as in ElasticNet
    standardize, penalty_factor, lower, upper, n_jobs, device : as in ElasticNet

    Examples
    --------
    >>> from svenet import Lasso
    >>> Lasso(alpha=0.1).fit([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [0.0, 1.0, 2.0]).intercept_.round(6).item()
    0.15
    """

    path = staticmethod(lasso_path)

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: Any = False,
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-10,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        standardize: bool = False,
        penalty_factor: Any = None,
        lower: Any = None,
        upper: Any = None,
        n_jobs: int | None = None,
        device: str | None = "cpu",
    ) -> None:
        super().__init__(
            alpha=alpha,
            l1_ratio=1.0,
            fit_intercept=fit_intercept,
            precompute=precompute,
            copy_X=copy_X,
            max_iter=max_iter,
            tol=tol,
            warm_start=warm_start,
            positive=positive,
            random_state=random_state,
            selection=selection,
            standardize=standardize,
            penalty_factor=penalty_factor,
            lower=lower,
            upper=upper,
            n_jobs=n_jobs,
            device=device,
        )
