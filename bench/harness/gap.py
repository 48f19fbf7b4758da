"""Duality gaps from X, y and the coefficients alone. Every solver is judged by this code, sven included, and
it shares nothing with any of them.

With l1 = 2 n lambda alpha and l2 = n lambda (1 - alpha), the primal objective is
||y - Xb||^2 + l2 ||b||^2 + l1 ||b||_1, and its dual is bounded from below at three points: the residual r itself and
r scaled until |x_j'r - l2 b_j| <= l1 / 2 (where l2 > 0), and the residual of the problem with rows sqrt(l2) I added,
scaled to be feasible. The gap takes the best of them, and is divided by ||y||^2."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from harness.library import Matrix

SETTINGS_AT_ONCE = 8  # bounds the memory of the residuals


class Design:
    """X and y as the objective sees them: as they are, or standardised with an intercept (`raw`)."""

    def __init__(self, X: Matrix, y: np.ndarray, raw: bool) -> None:
        self.raw = raw
        self.n, self.p = X.shape
        self.X = X
        self.mean, self.scale = np.zeros(self.p), np.ones(self.p)
        self.y_mean = y.mean() if raw else 0.0
        self.y = y - self.y_mean
        if raw:
            self._standardize(X)

    def _standardize(self, X: Matrix) -> None:
        """A dense X is copied, so that no digits are lost; a sparse one is centred in the products."""
        if scipy.sparse.issparse(X):
            self.mean = np.asarray(X.mean(axis=0)).ravel()
            stored = np.diff(X.indptr)
            deviations = scipy.sparse.csc_matrix(
                ((X.data - np.repeat(self.mean, stored)) ** 2, X.indices, X.indptr), shape=X.shape
            )
            squares = np.asarray(deviations.sum(axis=0)).ravel() + (self.n - stored) * self.mean**2
        else:
            self.mean = X.mean(axis=0)
            self.X = np.asfortranarray(X - self.mean)
            self.X -= self.X.mean(axis=0)
            squares = np.einsum("ij,ij->j", self.X, self.X)
        self.scale = np.sqrt(squares / self.n)
        if not scipy.sparse.issparse(X):
            self.X /= self.scale

    def multiply(self, B: np.ndarray) -> np.ndarray:
        """X B for coefficients of the standardised columns, one column a setting."""
        if not (self.raw and scipy.sparse.issparse(self.X)):
            return self.X @ B
        B = B / self.scale[:, None]
        return self.X @ B - self.mean @ B

    def correlate(self, R: np.ndarray) -> np.ndarray:
        """X'R"""
        if not (self.raw and scipy.sparse.issparse(self.X)):
            return self.X.T @ R
        return (self.X.T @ R - np.outer(self.mean, R.sum(axis=0))) / self.scale[:, None]

    def lambda_max(self, alpha: float) -> float:
        """The smallest lambda at which every coefficient is zero."""
        return float(np.abs(self.correlate(self.y[:, None])).max()) / self.n / alpha


def relative_gaps(
    design: Design, coefficients: np.ndarray, intercepts: np.ndarray, lambdas: np.ndarray, alpha: float
) -> np.ndarray:
    """One gap a setting. `coefficients`: settings x features, on the scale of the X that the solver was given."""
    if coefficients.shape != (len(lambdas), design.p):
        raise ValueError(f"coefficients are {coefficients.shape}, not {(len(lambdas), design.p)}")
    gaps = np.empty(len(lambdas))
    for start in range(0, len(lambdas), SETTINGS_AT_ONCE):
        part = slice(start, start + SETTINGS_AT_ONCE)
        gaps[part] = _gaps(
            design, np.asarray(coefficients[part], dtype=np.float64), intercepts[part], lambdas[part], alpha
        )
    return np.where(np.isfinite(gaps), gaps, np.inf)


def _gaps(
    design: Design, coefficients: np.ndarray, intercepts: np.ndarray, lambdas: np.ndarray, alpha: float
) -> np.ndarray:
    l1, l2 = 2 * design.n * lambdas * alpha, design.n * lambdas * (1 - alpha)
    B = coefficients.T * design.scale[:, None]
    R = design.y[:, None] - design.multiply(B)
    correlations = design.correlate(R)
    # An intercept that is not the best one for these coefficients adds to the primal objective.
    intercept_error = intercepts - (design.y_mean - design.mean @ coefficients.T)
    residual, ridge = np.sum(R * R, axis=0), l2 * np.sum(B * B, axis=0)
    primal = residual + ridge + l1 * np.abs(B).sum(axis=0) + design.n * intercept_error**2
    product = design.y @ R
    norm = residual + ridge
    bound = np.abs(correlations - l2 * B).max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        limit = np.where(bound > 0, (l1 / 2) / bound, np.inf)
        scaling = np.where(norm > 0, np.clip(product / norm, -limit, limit), 0)
    dual = 2 * scaling * product - scaling**2 * norm
    if alpha < 1:
        for share in (1.0, np.minimum(limit, 1)):
            excess = np.maximum(np.abs(share * correlations) - l1 / 2, 0)
            dual = np.maximum(dual, 2 * share * product - share**2 * residual - np.sum(excess**2, axis=0) / l2)
    return (primal - dual) / (design.y @ design.y)
