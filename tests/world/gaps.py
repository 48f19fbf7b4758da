"""Optimality gaps from X, y and the coefficients alone, in plain NumPy: what the program claims is
judged by code that shares nothing with it. Columns standardised, intercept in the model, weights one.
The formulas are those of docs/maths.md, section "Certificates"."""
import numpy as np
import scipy.sparse


class Standardized:
    """X centred and scaled, without forming it where X is sparse."""

    def __init__(self, X, y):
        self.is_sparse = scipy.sparse.issparse(X)
        self.y = y - y.mean()
        n = len(y)
        if self.is_sparse:
            self.X = scipy.sparse.csc_matrix(X)
            self.mean = np.asarray(self.X.mean(axis=0)).ravel()
            squares = np.asarray(self.X.multiply(self.X).sum(axis=0)).ravel()
            # Sum over the stored entries of (x - mean)^2, and of mean^2 over the others.
            entries = np.diff(self.X.indptr)
            centred = self.X.copy()
            centred.data = (centred.data - np.repeat(self.mean, entries)) ** 2
            variance = (np.asarray(centred.sum(axis=0)).ravel() + (n - entries) * self.mean**2) / n
            variance[variance <= 1e-28 * squares / n] = 0
        else:
            self.mean = X.mean(axis=0)
            self.X = np.asfortranarray(X - self.mean)
            self.mean_left = self.X.mean(axis=0)
            self.X -= self.mean_left
            variance = np.einsum("ij,ij->j", self.X, self.X) / n
            variance[variance <= 1e-28 * self.mean**2] = 0
        self.scale = np.where(variance > 0, np.sqrt(variance), 1.0)
        self.is_constant = variance == 0

    def times(self, b):
        b = np.where(self.is_constant, 0, b / self.scale)
        product = self.X @ b
        return product - self.mean @ b if self.is_sparse else product

    def transposed_times(self, r):
        product = self.X.T @ r
        if self.is_sparse:
            product = product - self.mean * r.sum()
        return np.where(self.is_constant, 0, product / self.scale)

    def lambda_max(self, alpha):
        return np.max(np.abs(self.transposed_times(self.y))) / len(self.y) / alpha


def penalty_gap(design, b, l1, l2):
    """Fenchel duality gap over ||y||^2, the better of two dual points."""
    y = design.y
    r = y - design.times(b)
    Xr = design.transposed_times(r)
    primal = r @ r + l2 * (b @ b) + l1 * np.abs(b).sum()
    # The residual of the problem with rows sqrt(l2) I added, scaled to be feasible.
    norm = r @ r + l2 * (b @ b)
    bound = np.max(np.abs(Xr - l2 * b), initial=0)
    limit = (l1 / 2) / bound if bound > 0 else np.inf
    s = np.clip(r @ y / norm, -limit, limit) if norm > 0 else 0
    dual = 2 * s * (r @ y) - s * s * norm
    if l2 > 0:
        excess = np.maximum(np.abs(Xr) - l1 / 2, 0)
        dual = max(dual, 2 * (r @ y) - r @ r - excess @ excess / l2)
    return (primal - dual) / (y @ y)


def budget_gap(design, b, t, l2):
    """Frank-Wolfe gap over ||y||^2."""
    y = design.y
    g = design.transposed_times(y - design.times(b)) - l2 * b
    return (2 * t * np.max(np.abs(g)) - 2 * (g @ b)) / (y @ y)
