"""What a cross-validation of paths found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ._checks import check_offset
from ._engine import PATH_LEFT_BEHIND, Predictions, Solutions
from ._families import transform
from ._inputs import FloatArray, as_features, times


@dataclass(frozen=True)
class CvCurve:
    """The errors of one l1_ratio along its alphas, and the path on all rows.

    What the errors are is ``measure``: 'mse', 'deviance', 'mae', 'class' (the share on the wrong side) or 'auc',
    the area under the curve, of which larger is better.

    Mean, standard error and both choices are those of cv.glmnet and of ``sven cv``: in the mean a fold counts
    by the weight of its test rows. scikit-learn counts every fold the same: its mean is
    ``fold_errors.mean(axis=1)``. The two agree if the folds have the same size and there are no weights.
    """

    l1_ratio: float
    alphas: FloatArray
    fold_errors: FloatArray  # alphas x folds
    mean: FloatArray  # the error of each alpha, over folds
    standard_error: FloatArray  # of that mean; zero for a single fold
    best: int  # the position of the best mean: the largest such alpha
    one_standard_error: int  # of the largest alpha whose mean is within one standard error of the best
    solutions: Solutions
    fold_gaps: FloatArray  # alphas x folds: the relative gap of the fold's fit
    fold_statuses: NDArray[np.str_]  # alphas x folds: its status; iteration_limit: the error may be wrong
    measure: str = "mse"
    gamma: float = 1.0  # the share of the penalised solutions in these; below 1 they are relaxed
    relaxed: tuple[CvCurve, ...] = ()  # the same at each gamma, where relaxed fits were asked for
    relaxed_best: tuple[int, int] = (0, 0)  # the positions of gamma and alpha of the best mean of those
    relaxed_one_standard_error: tuple[int, int] = (0, 0)  # of the largest alpha within one standard error of it
    out_of_fold: Predictions | None = None  # of both choices, of relaxed fits theirs; None: not kept
    fold_refits: NDArray[np.str_] | None = None  # alphas x folds: done, or why the penalised solution stands
    refit_gaps: FloatArray | None = None  # the same, of the refits; 0 where there is none
    refit_statuses: NDArray[np.str_] | None = None  # the same

    def __repr__(self) -> str:
        least = self.mean[self.best]
        word = "largest area" if self.measure == "auc" else "least error"
        share = f", gamma={self.gamma:g}" if self.gamma < 1 else ""
        return f"CvCurve(l1_ratio={self.l1_ratio:g}{share}, {len(self.alphas)} alphas, {word} {least:.4g})"

    def choice(self, rule: str) -> tuple[CvCurve, int]:
        """The curve, of relaxed fits that of the gamma, and the position of the alpha that 'min' or '1se' choose."""
        if rule not in ("min", "1se"):
            raise ValueError(f"rule must be 'min' or '1se', not {rule!r}")
        if self.relaxed:
            gamma, alpha = self.relaxed_best if rule == "min" else self.relaxed_one_standard_error
            return self.relaxed[gamma], alpha
        return self, self.best if rule == "min" else self.one_standard_error

    def with_choices_alone(self) -> CvCurve:
        """Errors as they are, and of the path the coefficients at both choices alone."""
        relaxed = tuple(
            replace(
                curve,
                solutions=curve.solutions.only(
                    [
                        alpha
                        for gamma, alpha in (self.relaxed_best, self.relaxed_one_standard_error)
                        if self.relaxed[gamma] is curve
                    ]
                ),
            )
            for curve in self.relaxed
        )
        own = [] if self.relaxed else [self.best, self.one_standard_error]
        return replace(self, relaxed=relaxed, solutions=self.solutions.only(own))

    @property
    def mse_path(self) -> FloatArray:
        """The errors of the folds, by scikit-learn's name."""
        return self.fold_errors

    @property
    def losses(self) -> FloatArray:
        """The errors of the folds, with the sign at which less is better."""
        return -self.fold_errors if self.measure == "auc" else self.fold_errors

    @property
    def missed(self) -> int:
        """How many fits of folds, refits among them, missed the tolerance."""
        tables = [table for table in (self.fold_statuses, self.refit_statuses) if table is not None]
        return int(sum(np.count_nonzero(table == "iteration_limit") for table in tables))

    @property
    def worst_gap(self) -> float:
        """The largest relative gap of a fit of a fold."""
        refits = 0.0 if self.refit_gaps is None else float(self.refit_gaps.max())
        return max(float(self.fold_gaps.max()), refits)


@dataclass(frozen=True)
class CrossValidation:
    """The results of `cross_validate`: a curve for each l1_ratio, and the choices.

    Attributes
    ----------
    curves : the errors of each l1_ratio along its alphas, with the path on all rows
    family : 'gaussian', 'binomial' or 'poisson', as it was given
    """

    curves: tuple[CvCurve, ...]
    family: str = "gaussian"

    def __repr__(self) -> str:
        return (
            f"CrossValidation(l1_ratio={self.l1_ratio:g}, alpha_min={self.alpha_min:.4g}, "
            f"alpha_1se={self.alpha_1se:.4g}, {len(self.curves)} x {len(self.alphas)} alphas)"
        )

    @property
    def missed(self) -> int:
        """How many fits of folds missed the tolerance, over all curves."""
        return sum(curve.missed for curve in self.curves)

    @property
    def worst_gap(self) -> float:
        """The largest relative gap of a fit of a fold, over all curves."""
        return max(curve.worst_gap for curve in self.curves)

    @property
    def left_out(self) -> NDArray[np.int64]:
        """The columns that are constant up to rounding over all rows: their coefficients are zero."""
        return self.best_curve.solutions.left_out

    @property
    def best_curve(self) -> CvCurve:
        """The curve with the best mean error, the first one in case of ties."""
        sign = -1 if self.curves[0].measure == "auc" else 1

        def mean(curve: CvCurve) -> float:
            chosen, at = curve.choice("min")
            return sign * float(chosen.mean[at])

        return min(self.curves, key=mean)

    @property
    def alphas(self) -> FloatArray:
        """The alphas of the best curve, decreasing."""
        return self.best_curve.alphas

    @property
    def l1_ratio(self) -> float:
        """The l1_ratio of the best curve."""
        return self.best_curve.l1_ratio

    @property
    def alpha_min(self) -> float:
        """The alpha of the best mean error."""
        return float(self.alphas[self.best_curve.choice("min")[1]])

    @property
    def alpha_1se(self) -> float:
        """The largest alpha within one standard error of that error."""
        return float(self.alphas[self.best_curve.choice("1se")[1]])

    @property
    def gamma_min(self) -> float:
        """The share of the penalised solution at alpha_min: 1 where fits are not relaxed."""
        return self.best_curve.choice("min")[0].gamma

    @property
    def gamma_1se(self) -> float:
        """That at alpha_1se."""
        return self.best_curve.choice("1se")[0].gamma

    def coef(self, rule: str = "min") -> FloatArray:
        """The coefficients on all rows, of relaxed fits at gamma_min or gamma_1se.

        Parameters
        ----------
        rule : 'min' for alpha_min, or '1se' for alpha_1se
        """
        curve, at = self.best_curve.choice(rule)
        return curve.solutions.coef(at)

    def intercept(self, rule: str = "min") -> float:
        """The intercept on all rows, likewise.

        Parameters
        ----------
        rule : 'min' for alpha_min, or '1se' for alpha_1se
        """
        curve, at = self.best_curve.choice(rule)
        return float(curve.solutions.intercepts[at])

    def predict(self, X: Any, rule: str = "min", type: str = "response", offset: Any = None) -> FloatArray:
        """Predictions for rows.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
        rule : 'min' for alpha_min, or '1se' for alpha_1se
        type : 'response' for means, 'link' for linear predictors, or 'class'
        offset : array of shape (n_samples,), added to the linear predictor
        """
        eta = np.asarray(times(as_features(X), self.coef(rule)) + self.intercept(rule))
        return transform(eta if offset is None else eta + check_offset(offset, len(eta)), self.family, type)

    def out_of_fold(self, rule: str = "min") -> FloatArray:
        """The mean of the response for each row by the folds that test it; NaN where none does. Of keep=True alone.

        Parameters
        ----------
        rule : 'min' for alpha_min, or '1se' for alpha_1se
        """
        self.best_curve.choice(rule)
        if self.best_curve.out_of_fold is None:
            raise ValueError("out-of-fold predictions were not kept: ask for keep=True")
        return self.best_curve.out_of_fold[rule == "1se"]

    @property
    def coef_path(self) -> sparse.csc_array:
        """The coefficients of the best curve on all rows, of relaxed fits at gamma_min: features x alphas."""
        solutions = self.best_curve.choice("min")[0].solutions
        if solutions.kept is not None:
            raise ValueError(PATH_LEFT_BEHIND)
        return solutions.coefs.T

    def with_choices_alone(self) -> CrossValidation:
        """All errors and figures, and of the paths the coefficients at both choices alone: what pickles of estimators hold."""
        return replace(self, curves=tuple(curve.with_choices_alone() for curve in self.curves))
