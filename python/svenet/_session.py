"""A problem that is set up once and solved many times."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _core
from ._checks import (
    check_bool,
    check_count,
    check_device,
    check_factors,
    check_flag,
    check_gammas,
    check_limits,
    check_n_jobs,
    check_offset,
    check_real,
)
from ._cross_validation import cross_validate_grid
from ._cv_results import CrossValidation
from ._engine import Controls, Design, Fold, Folds, Solutions, Solver, SupportCertificate, lasso_grid, proof_names
from ._families import check_family, measure_name, transform
from ._folds import as_folds, stratified
from ._inputs import FloatArray, as_features, as_vector, times
from ._path import alpha_grid, check_eps, count_or_alphas
from ._statistics import Statistics, library_source
from ._warnings import warn_if_left_out, warn_if_short


@dataclass(frozen=True)
class SessionFit:
    """One fit of a session; names as ElasticNet's attributes, without their underscores.

    Attributes
    ----------
    coef : array of shape (n_features,)
    intercept : float, 0 where none is fitted
    dual_gap : an upper bound on the distance of the objective from its optimum
    relative_gap : the gap that was compared with tol
    status : 'optimal', 'not_unique' or 'iteration_limit'
    n_iter : Newton steps
    support_certificate : how many features are proven selected, proven zero, undecided, left out
    support_proof : array of shape (n_features,), 'selected', 'zero', 'undecided' or 'left out'
    lambda1, lambda2 : the penalties, as in ElasticNet
    t : the L1 norm of the coefficients
    deviance, null_deviance : of the model, and without any feature
    family : 'gaussian', 'binomial' or 'poisson'
    """

    coef: FloatArray
    intercept: float
    dual_gap: float
    relative_gap: float
    status: str
    n_iter: int
    support_certificate: SupportCertificate
    support_proof: NDArray[np.str_]
    lambda1: float
    lambda2: float
    t: float
    deviance: float
    null_deviance: float
    family: str

    def __repr__(self) -> str:
        selected = np.count_nonzero(self.coef)
        return (
            f"SessionFit({selected} of {len(self.coef)} features, t={self.t:.4g}, status={self.status!r}, "
            f"relative_gap={self.relative_gap:.1e})"
        )

    def predict(self, X: Any, type: str = "response", offset: Any = None) -> FloatArray:
        """Predictions for rows.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        type : 'response' for means, 'link' for X coef + intercept + offset, 'class' for the class 0 or 1
        offset : array of shape (n_samples,), a known part of the linear predictor
        """
        eta = np.asarray(times(as_features(X), self.coef) + self.intercept)
        return transform(eta if offset is None else eta + check_offset(offset, len(eta)), self.family, type)


class Session:
    """One X, set up once, for many fits of the elastic net that each start where the last one ended.

    What is computed from X is kept: standardisation, Gram matrix, the columns that were used. Another
    response or other penalties cost little; with other weights it is recomputed. Every answer has its
    gap, as ElasticNet's has, and may differ from ElasticNet's within ``tol``.

    X is used in place and must not change while the session exists; y, weights and offset are copied.
    A session may be used by one thread at a time, else it raises RuntimeError; any number of sessions may run
    concurrently.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features), or Statistics of such rows and their response
    y : array of shape (n_samples,); None with Statistics
    sample_weight : array of shape (n_samples,) or None
    offset : array of shape (n_samples,) or None, a known part of the linear predictor
    family : 'gaussian', 'binomial' or 'poisson', as in `cross_validate`
    penalty_factor, positive, lower, upper, fit_intercept, standardize, tol, max_iter, n_jobs, device : as in
        ElasticNet

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import Session
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 8))
    >>> session = Session(X, X[:, 0] - X[:, 3])
    >>> session.fit(0.5, l1_ratio=1.0).coef.nonzero()[0]
    array([0, 3])
    >>> session.set_response(X[:, 5])
    >>> session.fit(0.5, l1_ratio=1.0).coef.nonzero()[0]
    array([5])
    """

    def __init__(
        self,
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        offset: Any = None,
        family: str = "gaussian",
        penalty_factor: Any = None,
        positive: bool = False,
        lower: Any = None,
        upper: Any = None,
        fit_intercept: bool = True,
        standardize: bool = False,
        tol: float = 1e-10,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        device: str | None = "cpu",
    ) -> None:
        owner = type(self).__name__
        check_family(family, owner)
        check_bool(positive, "positive", owner)
        check_device(device, owner)
        check_n_jobs(n_jobs, owner)
        check_real(tol, "tol", owner)
        check_count(max_iter, "max_iter", owner)
        if y is None and not isinstance(X, Statistics):
            raise TypeError(f"{owner} needs y, or Statistics in the place of X and y")
        if isinstance(X, Statistics) and not (y is None and sample_weight is None and offset is None):
            raise TypeError("Statistics hold y, sample_weight and offset")
        features = X if isinstance(X, Statistics) else as_features(X)
        limits = check_limits(lower, upper, features.shape[1], owner)
        design = Design(
            library_source(features),
            weights=_vector_or_none(sample_weight, "sample_weight"),
            factors=check_factors(penalty_factor, features.shape[1], owner),
            positive=positive,
            lower=limits[0],
            upper=limits[1],
            offset=_vector_or_none(offset, "offset"),
            family=family,
            intercept=check_flag(fit_intercept, "fit_intercept", owner),
            standardize=check_flag(standardize, "standardize", owner),
        )
        response = np.empty(0) if y is None else as_vector(y, "y")
        self._solver = Solver(design, response, Controls(tol, max_iter, n_jobs, None, device))
        self._has_warned = False
        self._shape = features.shape

    def __repr__(self) -> str:
        family = self._solver.design.family
        more = "" if family == "gaussian" else f", family={family!r}"
        return f"{type(self).__name__}({self._shape[0]} rows, {self._shape[1]} features{more})"

    def set_response(self, y: Any) -> None:
        """Another y for the same rows; the offset stays.

        Parameters
        ----------
        y : array of shape (n_samples,)
        """
        self._solver.set_response(as_vector(y, "y"))

    def set_weights(self, sample_weight: Any) -> None:
        """Other weights for the rows.

        Parameters
        ----------
        sample_weight : array of shape (n_samples,); None: all one
        """
        self._solver.set_weights(_vector_or_none(sample_weight, "sample_weight"))
        self._has_warned = False

    def set_offset(self, offset: Any) -> None:
        """A known part of the linear predictor: of a gaussian response it is subtracted from y.

        Parameters
        ----------
        offset : array of shape (n_samples,); None: nothing
        """
        self._solver.set_offset(_vector_or_none(offset, "offset"))

    def set_options(self, *, tol: float | None = None, max_iter: int | None = None) -> None:
        """Another tolerance or number of Newton steps.

        Parameters
        ----------
        tol : the relative duality gap to reach; None: unchanged
        max_iter : Newton steps; None: unchanged
        """
        controls = self._solver.controls
        tol = controls.tol if tol is None else tol
        max_iter = controls.max_iter if max_iter is None else max_iter
        check_real(tol, "tol", type(self).__name__)
        check_count(max_iter, "max_iter", type(self).__name__)
        self._solver.set_controls(replace(controls, tol=tol, max_iter=max_iter))

    def fit(self, alpha: float = 1.0, *, l1_ratio: float = 0.5) -> SessionFit:
        """The elastic net at one alpha.

        Parameters
        ----------
        alpha : the penalty
        l1_ratio : float in [0, 1]; 1 is the Lasso
        """
        check_real(alpha, "alpha", type(self).__name__)
        solutions = self._solve(np.array([float(alpha)]), l1_ratio, proofs=True)
        return SessionFit(
            coef=solutions.coef(0),
            intercept=float(solutions.intercepts[0]),
            dual_gap=float(solutions.dual_gaps[0]),
            relative_gap=float(solutions.gaps[0]),
            status=solutions.status[0],
            n_iter=int(solutions.n_iters[0]),
            support_certificate=solutions.certificates[0],
            support_proof=proof_names(solutions.proofs)[0],
            lambda1=float(solutions.lambda1[0]),
            lambda2=float(solutions.lambda2[0]),
            t=float(solutions.t[0]),
            deviance=float(solutions.deviances[0]),
            null_deviance=solutions.null_deviance,
            family=self._solver.design.family,
        )

    def path(
        self, alphas: Any = 100, *, l1_ratio: float = 0.5, eps: float = 1e-3
    ) -> tuple[FloatArray, Solutions]:
        """The alphas and the solutions in their order.

        Parameters
        ----------
        alphas : how many, from scikit-learn's grid, or which
        l1_ratio : float in [0, 1]; 1 is the Lasso
        eps : the smallest alpha of the grid over the largest
        """
        wanted = count_or_alphas(alphas, None, type(self).__name__)
        if isinstance(wanted, int):
            check_eps(eps, type(self).__name__, wanted)
            wanted = alpha_grid(self._lasso_grid(wanted, eps), l1_ratio)
        return wanted, self._solve(wanted, l1_ratio)

    def cv(
        self,
        *,
        l1_ratio: float | Sequence[float] = 1.0,
        alphas: Any = 100,
        eps: float = 1e-3,
        cv: Any = None,
        measure: str = "default",
        relax: bool = False,
        gamma: Any = None,
        keep: bool = False,
        grouped: bool = True,
    ) -> CrossValidation:
        """Cross-validate the path, as the function `cross_validate` does.

        Parameters
        ----------
        l1_ratio, alphas, eps, cv, measure : as in `cross_validate`
        relax, gamma, keep, grouped : as in `cross_validate`
        """
        ratios = [float(ratio) for ratio in np.atleast_1d(np.asarray(l1_ratio))]
        for ratio in ratios:
            check_real(ratio, "l1_ratio", type(self).__name__, high=1.0)
        check_eps(eps, type(self).__name__)
        solver = self._solver
        name = type(self).__name__
        judged = measure_name(measure, solver.design.family, name)
        gammas = check_gammas(relax, gamma, name)
        if isinstance(solver.design.X, _core.Statistics):
            if cv is not None:
                raise ValueError("the folds of Statistics are those that they were summed by: cv must be None")
            rows: Sequence[Fold] = []
            summed = len(solver.design.X.folds)
        else:
            cv = stratified(cv, solver.y) if solver.design.family == "binomial" else cv
            rows = as_folds(cv, solver.design.X, solver.y)
            summed = 0
        folds = Folds(rows, judged, gammas=gammas, keep=bool(keep), summed=summed, grouped=bool(grouped))
        wanted = count_or_alphas(alphas, None, type(self).__name__)
        return cross_validate_grid(
            solver.design, solver.y, folds, ratios, wanted, eps, solver.controls, solver=solver
        )

    def _lasso_grid(self, count: int, eps: float) -> FloatArray:
        solver = self._solver
        return lasso_grid(solver.design, solver.y, count, eps, solver.controls, solver=solver)

    def _solve(self, alphas: FloatArray, l1_ratio: float, proofs: bool = False) -> Solutions:
        check_real(l1_ratio, "l1_ratio", type(self).__name__, high=1.0)
        self._solver.set_controls(replace(self._solver.controls, proofs=proofs))
        solutions = self._solver.solve("mixing", alphas, l1_ratio)
        warn_if_short(solutions, self._solver.controls, stacklevel=4)
        if not self._has_warned:
            warn_if_left_out(solutions, stacklevel=4)
            self._has_warned = True
        return solutions


def _vector_or_none(values: Any, name: str) -> FloatArray | None:
    return None if values is None else as_vector(values, name)


def _checksum(array: Any) -> int:
    line = array if array.flags.c_contiguous else array.T
    return zlib.crc32(memoryview(line).cast("B")) if line.size else 0


def fingerprint(X: Any) -> Any:
    """The address and a checksum of X; None if unknown: an array that is not contiguous, or on a GPU."""
    if sparse.issparse(X):
        parts = (X.data, X.indices, X.indptr)
        return (X.format, X.shape, *((part.ctypes.data, _checksum(part)) for part in parts))
    if not isinstance(X, np.ndarray) or not X.flags.forc:
        return None
    return (X.ctypes.data, X.shape, X.strides, X.dtype.str, _checksum(X))


class WarmStart:
    """The solver for warm_start=True: kept between fits as long as X is the same array with the same numbers."""

    def __init__(self, design: Design, y: FloatArray, controls: Controls) -> None:
        self._fingerprint = fingerprint(design.X)
        self._threads = _core.available_threads()
        self._solver = Solver(design, y, controls)

    def takes(self, design: Design, controls: Controls) -> bool:
        """Whether this fit can continue from the last one."""
        kept, mine = self._solver.design, self._solver.controls
        return (
            self._fingerprint is not None
            and self._threads == _core.available_threads()
            and (mine.n_jobs, mine.device) == (controls.n_jobs, controls.device)
            and (kept.positive, kept.intercept, kept.standardize, kept.family)
            == (design.positive, design.intercept, design.standardize, design.family)
            and _same(kept.factors, design.factors)
            and _same(kept.lower, design.lower)
            and _same(kept.upper, design.upper)
            and self._fingerprint == fingerprint(design.X)
        )

    def solve(
        self, design: Design, y: FloatArray, alpha: float, l1_ratio: float, controls: Controls
    ) -> Solutions:
        solver = self._solver
        if not _same(solver.design.weights, design.weights):
            solver.set_weights(design.weights)
        if not _same(solver.y, y):
            solver.set_response(y)
        solver.set_controls(controls)
        return solver.solve("mixing", alpha, l1_ratio)


def _same(one: FloatArray | None, other: FloatArray | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)
