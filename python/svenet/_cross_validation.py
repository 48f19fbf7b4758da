"""Cross-validation of whole paths, for the estimators and by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

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
from ._cv_results import CrossValidation, CvCurve
from ._engine import Controls, Design, Folds, GammaTable, Solver, blended, lasso_grid
from ._engine import cross_validate as validate_curve
from ._families import check_family, measure_name
from ._folds import as_folds, stratified
from ._inputs import FloatArray, as_features, as_vector
from ._path import alpha_grid, check_eps, count_or_alphas
from ._progress import reporting
from ._warnings import warn_if_folds_short, warn_if_left_out, warn_if_not_relaxed, warn_if_short


def _at_gammas(design: Design, y: FloatArray, table: GammaTable, curve: CvCurve) -> CvCurve:
    """The curve with those of its relaxed fits."""
    sign = -1 if curve.measure == "auc" else 1
    paths = blended(design, y, curve.solutions, table.gammas.tolist())
    curves = []
    for k, (gamma, solutions) in enumerate(zip(table.gammas, paths)):
        losses = sign * table.mean[k]
        best = int(np.argmin(losses))
        near = losses <= losses[best] + table.standard_error[k][best]
        curves.append(
            replace(
                curve,
                gamma=float(gamma),
                fold_errors=table.fold_errors[k],
                mean=table.mean[k],
                standard_error=table.standard_error[k],
                best=best,
                one_standard_error=int(np.argmax(near)),
                solutions=solutions,
                fold_refits=table.fold_refits,
                refit_gaps=table.refit_gaps,
                refit_statuses=table.refit_statuses,
            )
        )
    return replace(
        curve,
        relaxed=tuple(curves),
        relaxed_best=table.best,
        relaxed_one_standard_error=table.one_standard_error,
        fold_refits=table.fold_refits,
        refit_gaps=table.refit_gaps,
        refit_statuses=table.refit_statuses,
        out_of_fold=table.out_of_fold,
    )


def _warn_of_refits(curves: Sequence[CvCurve]) -> None:
    """Of the fits of the folds, and of the two choices on all rows."""
    refits = [refit for curve in curves if curve.fold_refits is not None for refit in curve.fold_refits.ravel()]
    warn_if_not_relaxed(refits, "fold fits", stacklevel=5)


def cross_validate_grid(
    design: Design,
    y: FloatArray,
    folds: Folds,
    l1_ratios: Sequence[float],
    alphas: int | FloatArray,
    eps: float,
    controls: Controls,
    solver: Solver | None = None,
) -> CrossValidation:
    """One curve for each l1_ratio, each on the alphas given or on scikit-learn's grid for it."""
    curves = []
    of_the_lasso = (
        lasso_grid(design, y, alphas, eps, controls, solver=solver) if isinstance(alphas, int) else alphas
    )
    for l1_ratio in l1_ratios:
        grid = alpha_grid(of_the_lasso, l1_ratio) if isinstance(alphas, int) else alphas
        validated = validate_curve(design, y, folds, l1_ratio, grid, controls, solver)
        warn_if_short(validated.solutions, controls, stacklevel=4)
        curve = CvCurve(
            l1_ratio=float(l1_ratio),
            alphas=grid,
            fold_errors=validated.fold_errors,
            mean=validated.mean,
            standard_error=validated.standard_error,
            best=validated.best,
            one_standard_error=validated.one_standard_error,
            solutions=validated.solutions,
            fold_gaps=validated.fold_gaps,
            fold_statuses=validated.fold_statuses,
            measure=folds.measure,
            out_of_fold=validated.out_of_fold,
        )
        curves.append(curve if validated.gammas is None else _at_gammas(design, y, validated.gammas, curve))
    _warn_of_refits(curves)
    result = CrossValidation(tuple(curves), design.family)
    fits = sum(curve.fold_errors.size * (1 if curve.refit_gaps is None else 2) for curve in curves)
    warn_if_folds_short(result.missed, fits, result.worst_gap, controls.tol, stacklevel=4)
    return result


def cross_validate(
    X: Any,
    y: Any,
    *,
    l1_ratio: float | Sequence[float] = 1.0,
    alphas: Any = 100,
    eps: float = 1e-3,
    cv: Any = None,
    groups: Any = None,
    family: str = "gaussian",
    measure: str = "default",
    fit_intercept: bool = True,
    standardize: bool = False,
    positive: bool = False,
    sample_weight: Any = None,
    penalty_factor: Any = None,
    lower: Any = None,
    upper: Any = None,
    offset: Any = None,
    tol: float = 1e-10,
    max_iter: int = 1000,
    n_jobs: int | None = None,
    verbose: bool | int = False,
    device: str | None = "cpu",
    relax: bool = False,
    gamma: Any = None,
    keep: bool = False,
    grouped: bool = True,
) -> CrossValidation:
    """Cross-validate the path of the elastic net; needs no scikit-learn.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    l1_ratio : one mixing parameter or several; the Lasso by default
    alphas : int or array; how many, or which
    eps : the smallest alpha over the largest
    cv : number of folds (5; contiguous rows, of two classes stratified), a splitter with ``split(X, y, groups)``, pairs
        of training and test rows, such as those of `make_folds`, or the fold of each row: n_samples whole numbers
    groups : for splitters that use them; rejected if cv is not a splitter
    family : 'gaussian'; 'binomial', y 0 or 1, or shares of successes with their numbers as weights; 'poisson', y counts,
        or rates with their exposures as weights
    measure : what the folds are judged by, in cv.glmnet's words: 'mse', 'deviance' and 'mae'; 'class' and 'auc', of a
        binomial response. 'default': the deviance, which of a gaussian one is 'mse'
    verbose : show a progress bar
    sample_weight : array of shape (n_samples,), for the fits and for the errors; a fold counts by that of its test rows
    offset : array of shape (n_samples,), a known part of the linear predictor: the rest is fitted
    relax : refit the features of every solution without penalties, as cv.glmnet's relax; gamma is chosen with alpha
    gamma : the shares of the penalised solution that are tried; 0, 0.25, 0.5, 0.75 and 1 by default
    keep : keep out-of-fold predictions: ``result.out_of_fold(rule)``
    grouped : whether standard errors are those of the means of the folds, or else of the errors of the rows, as in
        cv.glmnet
    fit_intercept, standardize, positive, penalty_factor, lower, upper, tol, max_iter, n_jobs, device : as in
        ElasticNet

    Returns
    -------
    CrossValidation, with alpha_min, alpha_1se, coef(rule), predict(X, rule) and the curves; ``missed`` says
    how many fits of folds missed the tolerance and ``worst_gap`` by how much, and each curve has
    ``fold_gaps`` and ``fold_statuses`` beside ``fold_errors``. If any did, there is a ConvergenceWarning.
    Means and choices are those of cv.glmnet and ``sven cv``: a fold counts by the weight of its test rows.
    ``left_out`` is as ElasticNet's ``left_out_``. Of relaxed fits each curve has ``relaxed``, a curve for each gamma,
    and the result ``gamma_min`` and ``gamma_1se``; where a support has no refit (it separates the classes, or has more
    features than the rows can tell apart) the penalised solution stands, and there is a warning.

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import cross_validate
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 8))
    >>> result = cross_validate(X, X[:, 0] + 0.1 * rng.standard_normal(60), alphas=20)
    >>> bool(result.alpha_1se >= result.alpha_min)
    True
    >>> np.flatnonzero(result.coef("1se"))
    array([0])
    """
    owner = "cross_validate"
    ratios = [float(ratio) for ratio in np.atleast_1d(np.asarray(l1_ratio))]
    for ratio in ratios:
        check_real(ratio, "l1_ratio", owner, high=1.0)
    check_bool(positive, "positive", owner)
    check_real(tol, "tol", owner)
    check_count(max_iter, "max_iter", owner)
    check_device(device, owner)
    check_n_jobs(n_jobs, owner)
    check_eps(eps, owner)
    features = as_features(X)
    target = as_vector(y, "y")
    check_family(family, owner)
    judged_by = measure_name(measure, family, owner)
    limits = check_limits(lower, upper, features.shape[1], owner)
    design = Design(
        features,
        weights=None if sample_weight is None else as_vector(sample_weight, "sample_weight"),
        factors=check_factors(penalty_factor, features.shape[1], owner),
        positive=positive,
        lower=limits[0],
        upper=limits[1],
        offset=None if offset is None else check_offset(offset, len(target)),
        family=family,
        intercept=check_flag(fit_intercept, "fit_intercept", owner),
        standardize=check_flag(standardize, "standardize", owner),
    )
    cv = stratified(cv, target) if family == "binomial" else cv
    rows = as_folds(cv, features, target, **({} if groups is None else {"groups": groups}))
    check_bool(keep, "keep", owner)
    check_bool(grouped, "grouped", owner)
    gammas = check_gammas(relax, gamma, owner)
    folds = Folds(rows, judged_by, gammas=gammas, keep=bool(keep), grouped=bool(grouped))
    with reporting(verbose, "cross-validation") as progress:
        controls = Controls(tol, max_iter, n_jobs, progress, device)
        wanted = count_or_alphas(alphas, None, owner)
        result = cross_validate_grid(design, target, folds, ratios, wanted, eps, controls)
    warn_if_left_out(result.best_curve.solutions)
    return result
