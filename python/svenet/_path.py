"""Paths: the elastic net and the Lasso over many penalties or many budgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from numbers import Integral
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from ._checks import (
    check_alphas,
    check_bool,
    check_count,
    check_device,
    check_factors,
    check_flag,
    check_limits,
    check_n_jobs,
    check_real,
    refuse_unknown,
)
from ._engine import Controls, Design, Solutions, lasso_grid, solve
from ._families import check_family
from ._features import Features
from ._inputs import FloatArray, as_features, as_vector
from ._progress import reporting
from ._warnings import warn_if_left_out, warn_if_short


class SupportsDLPack(Protocol):
    """A tensor, or an array on a GPU."""

    def __dlpack__(self) -> Any: ...


# Texts, since sparray is not in every version of SciPy that is supported.
Matrix: TypeAlias = "ArrayLike | sparse.sparray | sparse.spmatrix | SupportsDLPack | Features"
Vector: TypeAlias = "ArrayLike | SupportsDLPack"

# The additional keyword arguments of paths, and those of scikit-learn's that change nothing.
PARAMS = (
    "tol",
    "max_iter",
    "sample_weight",
    "penalty_factor",
    "lower",
    "upper",
    "standardize",
    "n_jobs",
    "device",
)
WITHOUT_EFFECT = ("random_state", "selection", "do_screening")

# The smallest alpha that scikit-learn considers meaningful.
TINY_ALPHA = float(np.finfo(np.float64).resolution)


def alpha_grid(of_the_lasso: FloatArray, l1_ratio: float) -> FloatArray:
    """scikit-learn's: from the smallest alpha at which all coefficients are zero, which is that of the
    Lasso over l1_ratio, down to eps of it. `of_the_lasso`: lasso_grid(count, eps)."""
    if l1_ratio == 0:
        raise ValueError(
            "Automatic alpha grid generation is not supported for l1_ratio=0. Please supply a grid "
            "by providing your estimator with the appropriate `alphas=` argument."
        )
    grid = of_the_lasso / l1_ratio
    return np.full(len(grid), TINY_ALPHA) if grid[0] <= TINY_ALPHA else grid


def check_eps(eps: Any, owner: str, wanted: int | FloatArray = 0) -> None:
    """The smallest alpha over the largest; of a single one, as scikit-learn has it, any number above zero."""
    if isinstance(wanted, int) and wanted == 1:
        check_real(eps, "eps", owner, open_low=True)
    else:
        check_real(eps, "eps", owner, high=1.0, open_low=True, open_high=True)


def count_or_alphas(alphas: Any, n_alphas: Any, owner: str) -> int | FloatArray:
    """The number of alphas, or the alphas themselves: the spellings of all versions of scikit-learn."""
    if n_alphas in (None, "deprecated"):
        n_alphas = 100
    check_count(n_alphas, "n_alphas", owner)
    if alphas is None or (isinstance(alphas, str) and alphas == "warn"):
        return int(n_alphas)
    if isinstance(alphas, Integral) and not isinstance(alphas, bool):
        check_count(alphas, "alphas", owner)
        return int(alphas)
    return check_alphas(alphas, owner)


def _dense_path(solutions: Solutions) -> Any:
    """Coefficients as features x settings."""
    return np.asarray(solutions.coefs.toarray().T)


def _check_names(params: dict[str, Any], path: Callable[..., Any], *more: str) -> None:
    """That the additional keyword arguments of a path are some of those that there are."""
    named = [name for name in signature(path).parameters if name != "params"]
    refuse_unknown(params, [*named, *PARAMS, *WITHOUT_EFFECT, *more], path.__name__)


def _take_params(params: dict[str, Any], owner: str) -> tuple[Controls, dict[str, Any]]:
    """The additional keyword arguments of scikit-learn's path, and ours."""
    given = dict(params)
    controls = Controls(
        tol=given.pop("tol", 1e-10),
        max_iter=given.pop("max_iter", 1000),
        n_jobs=given.pop("n_jobs", None),
        device=given.pop("device", "cpu"),
    )
    check_device(controls.device, owner)
    check_n_jobs(controls.n_jobs, owner)
    check_real(controls.tol, "tol", owner)
    check_count(controls.max_iter, "max_iter", owner)
    extra = {
        "sample_weight": given.pop("sample_weight", None),
        "penalty_factor": given.pop("penalty_factor", None),
        "lower": given.pop("lower", None),
        "upper": given.pop("upper", None),
        "standardize": check_flag(given.pop("standardize", False), "standardize", owner),
    }
    return controls, extra


def _design(X: Any, extra: dict[str, Any], positive: bool, owner: str) -> Design:
    features = as_features(X)
    weights = extra["sample_weight"]
    limits = check_limits(extra["lower"], extra["upper"], features.shape[1], owner)
    return Design(
        features,
        weights=None if weights is None else as_vector(weights, "sample_weight"),
        factors=check_factors(extra["penalty_factor"], features.shape[1], owner),
        positive=positive,
        lower=limits[0],
        upper=limits[1],
        intercept=False,
        standardize=extra["standardize"],
    )


def _one_target(y: Any) -> FloatArray:
    if getattr(y, "ndim", 1) == 2 and y.shape[1] > 1:
        raise ValueError(
            "y has several columns: scikit-learn's path for them couples them by another penalty "
            "(multi-task), which is not offered here. Call the path for each column."
        )
    return as_vector(y, "y")


def enet_path(
    X: Matrix,
    y: Vector,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    n_alphas: int | Literal["deprecated"] | None = "deprecated",
    alphas: int | ArrayLike | Literal["warn"] | None = "warn",
    precompute: bool | ArrayLike | Literal["auto"] = "auto",
    Xy: ArrayLike | None = None,
    copy_X: bool = True,
    coef_init: ArrayLike | None = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    positive: bool = False,
    check_input: bool = True,
    return_status: bool = False,
    **params: Any,
) -> tuple[Any, ...]:
    """Solve the elastic net, without an intercept, for many alphas.

    Arguments and results are those of ``sklearn.linear_model.enet_path``; y is one column. ``tol``
    (default 1e-10) is the relative duality gap.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    l1_ratio : float in [0, 1]; 1 is the Lasso
    eps : the smallest alpha over the largest
    alphas : int or array; how many, or which
    n_alphas : how many, as in older scikit-learn
    precompute, Xy, copy_X, coef_init, check_input : accepted, and change nothing: the answer is exact without them
    positive : coefficients must not be negative
    verbose : show a progress bar
    return_n_iter : return the Newton steps too
    return_status : return the status of each alpha too, as ElasticNet's ``status_``
    **params : tol, max_iter, sample_weight, penalty_factor, lower, upper, standardize, n_jobs, device

    Returns
    -------
    alphas, coefs (n_features, n_alphas), dual_gaps, and n_iters and the list of statuses if requested

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import enet_path
    >>> X = np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 5.0], [4.0, 4.0]])
    >>> alphas, coefs, gaps = enet_path(X, X[:, 0], alphas=[0.5, 0.1])
    >>> coefs.shape
    (2, 2)
    >>> bool(gaps.max() < 1e-9)
    True
    """
    check_real(l1_ratio, "l1_ratio", "enet_path", high=1.0)
    check_bool(positive, "positive", "enet_path")
    _check_names(params, enet_path)
    controls, extra = _take_params(params, "enet_path")
    design = _design(X, extra, positive, "enet_path")
    target = _one_target(y)
    wanted = count_or_alphas(alphas, n_alphas, "enet_path")
    if isinstance(wanted, int):
        check_eps(eps, "enet_path", wanted)
        wanted = alpha_grid(lasso_grid(design, target, wanted, eps, controls), l1_ratio)
    with reporting(verbose, "path") as progress:
        controls = replace(controls, progress=progress)
        solutions = solve(design, target, "mixing", wanted, l1_ratio, controls)
    warn_if_short(solutions, controls)
    warn_if_left_out(solutions)
    answer: tuple[Any, ...] = (wanted, _dense_path(solutions), solutions.dual_gaps)
    if return_n_iter:
        answer += (solutions.n_iters.tolist(),)
    return (*answer, solutions.status) if return_status else answer


def lasso_path(
    X: Matrix,
    y: Vector,
    *,
    eps: float = 1e-3,
    n_alphas: int | Literal["deprecated"] | None = "deprecated",
    alphas: int | ArrayLike | Literal["warn"] | None = "warn",
    precompute: bool | ArrayLike | Literal["auto"] = "auto",
    Xy: ArrayLike | None = None,
    copy_X: bool = True,
    coef_init: ArrayLike | None = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    positive: bool = False,
    return_status: bool = False,
    **params: Any,
) -> tuple[Any, ...]:
    """Solve the Lasso, without an intercept, for many alphas: ``enet_path`` with ``l1_ratio=1``.

    Parameters
    ----------
    X, y, eps, alphas, positive, verbose, return_n_iter, return_status, **params : as in enet_path
    n_alphas, precompute, Xy, copy_X, coef_init : as in enet_path

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import lasso_path
    >>> X = np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 5.0], [4.0, 4.0]])
    >>> alphas, coefs, _ = lasso_path(X, X[:, 0], alphas=5)
    >>> alphas.shape, coefs.shape
    ((5,), (2, 5))
    """
    _check_names(params, lasso_path, "check_input")
    return enet_path(
        X,
        y,
        l1_ratio=1.0,
        eps=eps,
        n_alphas=n_alphas,
        alphas=alphas,
        verbose=verbose,
        return_n_iter=return_n_iter,
        positive=positive,
        return_status=return_status,
        **params,
    )


def budget_path(
    X: Matrix,
    y: Vector,
    *,
    ts: int | Vector = 100,
    lambda2: float = 0.0,
    fit_intercept: bool = False,
    positive: bool = False,
    verbose: bool | int = False,
    return_status: bool = False,
    family: str = "gaussian",
    return_intercepts: bool = False,
    **params: Any,
) -> tuple[Any, ...]:
    """Solve min ||y - Xb||^2 + lambda2 ||b||^2 subject to ||b||_1 <= t for many budgets t.

    With ``family="binomial"`` (y 0 or 1, or a share of successes) or ``"poisson"`` the deviance takes the place of the
    sum of squares.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    ts : int or array; the number of budgets, evenly spaced from zero to the least that no longer binds, or the budgets
    lambda2 : the ridge penalty
    fit_intercept : centre X and y first
    positive : coefficients must not be negative
    verbose : show a progress bar
    return_status : return the status of each budget too, as BudgetElasticNet's ``status_``
    family : 'gaussian', 'binomial' or 'poisson'
    return_intercepts : return the intercept of each budget too
    **params : tol, max_iter, sample_weight, penalty_factor, lower, upper, standardize, n_jobs, device

    Returns
    -------
    ts, coefs (n_features, n_ts), dual_gaps of the objective above, and the list of statuses and the intercepts if requested

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import budget_path
    >>> X = np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 5.0], [4.0, 4.0]])
    >>> ts, coefs, gaps = budget_path(X, X[:, 0] - X[:, 1], ts=[0.5, 1.0])
    >>> np.abs(coefs).sum(axis=0)
    array([0.5, 1. ])
    """
    check_real(lambda2, "lambda2", "budget_path")
    check_bool(positive, "positive", "budget_path")
    _check_names(params, budget_path)
    controls, extra = _take_params(params, "budget_path")
    intercept = check_flag(fit_intercept, "fit_intercept", "budget_path")
    check_family(family, "budget_path")
    design = replace(_design(X, extra, positive, "budget_path"), intercept=intercept, family=family)
    target = _one_target(y)
    if isinstance(ts, Integral):
        check_count(ts, "ts", "budget_path")
        largest = solve(design, target, "budget", np.inf, lambda2, controls).t[0]
        budgets = np.linspace(0, largest, int(ts))
    else:
        budgets = as_vector(ts, "ts")
    with reporting(verbose, "path") as progress:
        controls = replace(controls, progress=progress)
        solutions = solve(design, target, "budget", budgets, lambda2, controls)
    warn_if_short(solutions, controls)
    warn_if_left_out(solutions)
    total = len(target) if design.weights is None else float(design.weights.sum())
    answer = (budgets, _dense_path(solutions), solutions.dual_gaps * (2 * total))
    asked = [(return_status, solutions.status), (return_intercepts, solutions.intercepts)]
    return (*answer, *(values for is_asked, values in asked if is_asked))
