"""glmnet(): the arguments, the scaling and the fields of R's glmnet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ._checks import check_bool, check_count, check_device, check_flag, check_n_jobs, check_offset, check_real
from ._engine import Controls, Design, Solutions, lasso_grid, solve
from ._families import check_family, transform
from ._inputs import FloatArray, as_features, as_vector, on_host, times
from ._progress import reporting
from ._warnings import warn_if_left_out, warn_if_not_relaxed, warn_if_short

# A path on its own grid ends where it gains less in explained deviance.
FDEV = 1e-5
# For smaller alphas glmnet uses the largest lambda of this one; a smaller lambda.min.ratio is replaced by it.
LEAST_ALPHA, LEAST_RATIO = 1e-3, 1e-6


@dataclass(frozen=True)
class Glmnet:
    """The fields of R's glmnet object; a dot in a name there is an underscore here.

    Attributes
    ----------
    a0 : intercepts
    beta : coefficients, features x lambdas, sparse
    lambda_ : decreasing
    dev_ratio : share of the deviance explained
    nulldev : deviance without features
    df : numbers of non-zero coefficients
    npasses : Newton steps in all
    jerr : 0
    dim : shape of beta
    nobs : rows
    alpha : the mixing parameter, as it was given
    offset : whether there was one
    family : as it was given
    classnames : of a binomial response, the two values that y has, the second of which is fitted, or none
    relaxed : of relax=True, the refits without penalties, likewise
    gap, status, left_out : beyond glmnet: the relative duality gaps, ElasticNet's status_ at each lambda, and its left_out_
    refit : beyond glmnet, of relax=True: how the refit at each lambda came out: 'done', or 'dependent' or 'separated' where
        there is none and ``relaxed`` has the penalised solution
    """

    a0: FloatArray
    beta: sparse.csc_array
    lambda_: FloatArray
    dev_ratio: FloatArray
    nulldev: float
    df: Any
    npasses: int
    jerr: int
    dim: tuple[int, int]
    nobs: int
    alpha: float
    gap: FloatArray
    offset: bool = False
    status: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()
    family: str = "gaussian"
    classnames: tuple[Any, ...] = ()
    relaxed: Glmnet | None = None
    refit: tuple[str, ...] = ()

    def __repr__(self) -> str:
        share = f"{100 * self.dev_ratio[-1]:.4g} %" if len(self.dev_ratio) else "none"
        return f"Glmnet(alpha={self.alpha:g}, {len(self.lambda_)} lambdas, {self.dim[0]} features, %Dev up to {share})"

    def coef(self, s: Any = None, gamma: float = 1.0) -> FloatArray:
        """Intercept and coefficients, (1 + features) x settings, as R's coef().

        Parameters
        ----------
        s : the lambdas, between the fitted ones by linear interpolation; None: all that were fitted
        gamma : of relaxed fits, the share of the penalised solution, beside 1 - gamma of the refit
        """
        check_real(gamma, "gamma", "coef", high=1.0)
        if gamma < 1 and self.relaxed is None:
            raise ValueError("gamma is for relaxed fits: ask for glmnet(relax=True)")
        if gamma < 1 and self.relaxed is not None:
            return np.asarray(gamma * self.coef(s) + (1 - gamma) * self.relaxed.coef(s))
        table = np.vstack([self.a0, self.beta.toarray()])
        if s is None:
            return table
        wanted = np.clip(as_vector(np.atleast_1d(s), "s"), self.lambda_[-1], self.lambda_[0])
        if len(self.lambda_) == 1:
            return np.asarray(np.repeat(table, len(wanted), axis=1))
        left = np.clip(np.searchsorted(-self.lambda_, -wanted, side="right") - 1, 0, len(self.lambda_) - 2)
        high, low = self.lambda_[left], self.lambda_[left + 1]
        share = np.where(high > low, (wanted - low) / np.where(high > low, high - low, 1), 1)
        return np.asarray(table[:, left] * share + table[:, left + 1] * (1 - share))

    def predict(
        self, newx: Any, s: Any = None, newoffset: Any = None, type: str = "link", gamma: float = 1.0
    ) -> Any:
        """Fitted values, rows x settings.

        Parameters
        ----------
        newx : array or sparse matrix of shape (n_samples, n_features)
        s, gamma : the lambdas, and the share of the penalised solution, as in coef()
        newoffset : the offset of the new rows, asked for where the fit had one
        type : 'link' for linear predictors, 'response' for means, 'class' for the names of the classes
        """
        table = self.coef(s, gamma)
        fitted = np.asarray(as_features(newx) @ table[1:] + table[0])
        if newoffset is None and self.offset:
            raise ValueError("No newoffset provided for prediction, yet offset used in fit of glmnet")
        if newoffset is not None:
            fitted = fitted + check_offset(newoffset, len(fitted))[:, np.newaxis]
        said = transform(fitted, self.family, type)
        return np.asarray(self.classnames)[said.astype(int)] if type == "class" and self.classnames else said


def _limits(lower: Any, upper: Any, features: int) -> tuple[FloatArray | None, FloatArray | None]:
    """glmnet repeats what is shorter than the features; infinite limits are none."""

    def check(limits: Any, name: str, side: float) -> FloatArray | None:
        vector = as_vector(np.atleast_1d(limits), name)
        if len(vector) not in (1, features):
            raise ValueError(f"{name} must be one number or {features}, one for each feature")
        if not (side * vector >= 0).all():
            raise ValueError(f"{name} must not be {'above' if side < 0 else 'below'} zero")
        return None if np.isinf(vector).all() else np.ascontiguousarray(np.broadcast_to(vector, features))

    return check(lower, "lower_limits", -1.0), check(upper, "upper_limits", 1.0)


def _has_zero(limits: FloatArray | None) -> bool:
    return limits is not None and bool((limits == 0).any())


def _factors(penalty_factor: Any, exclude: Any, features: int) -> FloatArray | None:
    """exclude means an infinite factor; it is zero-based, as usual in Python."""
    if penalty_factor is None and exclude is None:
        return None
    factors = np.ones(features) if penalty_factor is None else as_vector(penalty_factor, "penalty_factor").copy()
    if exclude is not None:
        factors[np.asarray(exclude, dtype=np.int64)] = np.inf
    return factors


def _lasso_grid(design: Design, y: FloatArray, shape: tuple[int, float], controls: Controls) -> FloatArray:
    """glmnet's grid for alpha = 1, `shape` its count and ratio: from the largest |x'r|, with r what the
    unpenalised features leave of y. It asks for limits there alone, so that a path with limits of zero may begin
    with lambdas at which nothing is selected."""
    if design.lower is None and design.upper is None:
        return lasso_grid(design, y, *shape, controls, glmnet=True)
    factors = design.factors
    free = np.zeros(design.X.shape[1], dtype=bool) if factors is None else factors == 0
    if factors is None or not free.any():
        return lasso_grid(replace(design, lower=None, upper=None), y, *shape, controls, glmnet=True)
    alone = replace(design, factors=np.where(free, 0.0, np.inf))
    fit = solve(alone, y, "glmnet", 0.0, 1.0, controls)
    rest = y - times(design.X, fit.coef(0)) - fit.intercepts[0]
    others = replace(design, lower=None, upper=None, factors=np.where(free, np.inf, factors))
    # Factors are rescaled by their sum, in which excluded features count as 1 and free ones as 0.
    total = float(np.where(np.isinf(factors), 1.0, factors).sum())
    return lasso_grid(others, rest, *shape, controls, glmnet=True) * (total / (total + float(free.sum())))


def _dev_ratio(solutions: Solutions) -> FloatArray:
    null = solutions.null_deviance
    ratio = 1 - solutions.deviances / null if null > 0 else np.zeros(len(solutions.deviances))
    ratio[np.diff(solutions.coefs.indptr) == 0] = 0.0  # exactly, as in glmnet
    return np.asarray(ratio)


def _response(y: Any, weights: FloatArray | None, family: str) -> tuple[FloatArray, FloatArray | None, tuple[Any, ...]]:
    """y as numbers, the weights, and the names of two classes: values in their order, of which the second is fitted.
    Two columns are the numbers of failures and of successes, or their shares."""
    if family != "binomial":
        return as_vector(y, "y"), weights, ()
    array = np.asarray(on_host(y))
    if array.ndim == 2 and array.shape[1] == 2:
        counts = np.asarray(array, dtype=np.float64)
        if not (np.isfinite(counts).all() and (counts >= 0).all()):
            raise ValueError("the two columns of y must be numbers of failures and successes, not negative")
        total = counts.sum(axis=1)
        shares = counts[:, 1] / np.where(total > 0, total, 1)
        return shares, total if weights is None else total * weights, ()
    names, codes = np.unique(array.ravel() if array.ndim == 2 and array.shape[1] == 1 else array, return_inverse=True)
    if len(names) > 2 and array.dtype.kind in "biuf":
        return as_vector(array, "y"), weights, ()  # shares
    if len(names) != 2:
        raise ValueError(f"a binomial response has two classes, y has {len(names)}")
    return codes.astype(np.float64), weights, tuple(names.tolist())


def glmnet(
    x: Any,
    y: Any,
    *,
    family: str = "gaussian",
    weights: Any = None,
    offset: Any = None,
    alpha: float = 1.0,
    nlambda: int = 100,
    lambda_min_ratio: float | None = None,
    lambda_: Any = None,
    standardize: bool = True,
    intercept: bool = True,
    thresh: float = 1e-10,
    exclude: Any = None,
    penalty_factor: Any = None,
    lower_limits: Any = -np.inf,
    upper_limits: Any = np.inf,
    maxit: int = 100000,
    trace_it: int = 0,
    n_jobs: int | None = None,
    device: str | None = "cpu",
    relax: bool = False,
) -> Glmnet:
    """Fit the model of R's glmnet, in its scaling: lambda, alpha and penalty_factor are defined as there.

    glmnet divides the ridge part by the standard deviation of a gaussian y and rescales the penalty factors to
    sum to the number of features. ``thresh`` is the relative duality gap here. A path chosen by
    itself ends early by glmnet's rules (fdev 1e-5, but 0 where a limit is zero; devmax 0.999).

    A binomial y has two values, the second of which in their order is fitted; or it is shares of successes with
    their numbers as weights; or two columns, numbers of failures and of successes. A poisson y has counts, or rates
    with their exposures as weights.

    Parameters
    ----------
    x, y, family, weights, offset, alpha, nlambda, lambda_min_ratio, lambda_, standardize, intercept, thresh,
    penalty_factor, lower_limits, upper_limits, maxit, trace_it : as in glmnet, with underscores for dots
    exclude : as in glmnet, but counted from zero
    n_jobs : threads
    device : as in ElasticNet
    relax : refit the features of every solution without penalties, as in glmnet; ``relaxed`` has the refits, and gamma
        of ``coef`` and ``predict`` blends them with the others. Supports that have no refit keep the penalised
        solution, and there is a warning; glmnet takes the last refit of at most n - 3 features for larger supports

    Returns
    -------
    Glmnet

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import glmnet
    >>> rng = np.random.default_rng(0)
    >>> x = rng.standard_normal((50, 5))
    >>> fit = glmnet(x, x[:, 0] + rng.standard_normal(50), lambda_=[0.5, 0.1])
    >>> fit.df
    array([1, 2])
    """
    check_family(family, "glmnet")
    check_real(alpha, "alpha", "glmnet", high=1.0)
    check_count(nlambda, "nlambda", "glmnet")
    check_count(maxit, "maxit", "glmnet")
    check_real(thresh, "thresh", "glmnet")
    check_device(device, "glmnet")
    check_n_jobs(n_jobs, "glmnet")
    check_bool(relax, "relax", "glmnet")
    flags = (check_flag(standardize, "standardize", "glmnet"), check_flag(intercept, "intercept", "glmnet"))
    features = as_features(x)
    n, p = features.shape
    given = None if weights is None else as_vector(weights, "weights")
    target, total, names = _response(y, given, family)
    lower, upper = _limits(lower_limits, upper_limits, p)
    design = Design(
        features,
        weights=total,
        factors=_factors(penalty_factor, exclude, p),
        lower=lower,
        upper=upper,
        offset=None if offset is None else check_offset(offset, n),
        standardize=flags[0],
        intercept=flags[1],
        family=family,
    )
    controls = Controls(thresh, maxit, n_jobs, device=device)
    if lambda_ is None:
        ratio = 1e-4 if n >= p else 1e-2
        if lambda_min_ratio is not None:
            check_real(lambda_min_ratio, "lambda_min_ratio", "glmnet", high=1.0, open_high=True)
            ratio = max(float(lambda_min_ratio), LEAST_RATIO)
        grid = _lasso_grid(design, target, (nlambda, ratio), controls) / max(alpha, LEAST_ALPHA)
    else:
        grid = np.sort(as_vector(np.atleast_1d(lambda_), "lambda_"))[::-1]
    # With limits of zero glmnet sets fdev to zero: long stretches of such a path may gain nothing.
    least_gain = -np.inf if _has_zero(lower) or _has_zero(upper) else FDEV
    with reporting(trace_it, "glmnet") as progress:
        solutions = solve(
            design,
            target,
            "glmnet",
            grid,
            alpha,
            replace(controls, progress=progress),
            relax,
            least_gain=least_gain if lambda_ is None else None,
        )
    warn_if_short(solutions, controls)
    warn_if_left_out(solutions)
    warn_if_not_relaxed(solutions.refits)
    kept = len(solutions.gaps)

    def fit_of(path: Solutions) -> Glmnet:
        return Glmnet(
            a0=path.intercepts,
            beta=path.coefs.T.tocsc(),
            lambda_=np.ascontiguousarray(grid[:kept]),
            dev_ratio=_dev_ratio(path),
            nulldev=path.null_deviance,
            df=np.diff(path.coefs.indptr),
            npasses=int(path.n_iters.sum()),
            jerr=0,
            dim=(p, kept),
            nobs=n,
            alpha=float(alpha),
            gap=path.gaps,
            offset=offset is not None,
            status=tuple(path.status),
            left_out=tuple(path.left_out.tolist()),
            family=family,
            classnames=names,
        )

    fit = fit_of(solutions)
    if solutions.relaxed is None:
        return fit
    return replace(fit, relaxed=fit_of(solutions.relaxed), refit=solutions.refits)
