"""The same problems solved by scikit-learn, as far as its coordinate descent goes."""
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ElasticNet, Lasso

# The gap it stops at is rounding at this tolerance: it runs on until nothing moves.
TIGHT = {"tol": 1e-14, "max_iter": 1_000_000}


def solve(case):
    """Intercept, and coefficients on the scale of the standardised columns; None where scikit-learn
    has no such problem (unpenalised and excluded features)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if case.factors is None:
            return plain(case)
        return None if (case.f == 0).any() or np.isinf(case.f).any() else with_factors(case)


def plain(case):
    X = case.data.X
    X = X.multiply(1 / case.scales).tocsc() if case.data.is_sparse else X / case.scales
    model = ElasticNet(alpha=case.lambda_, l1_ratio=case.alpha, fit_intercept=case.intercept,
                       positive=case.nonnegative, **TIGHT)
    model.fit(X, case.data.y, sample_weight=case.weights)
    return model.intercept_, model.coef_


def with_factors(case):
    """scikit-learn has no penalty factors. With c = f b the l1 penalty is plain, and extra rows
    sqrt(l2 / f) c carry the ridge term: a Lasso."""
    X, y = case.design
    n, p = X.shape
    l1 = 2 * case.w.sum() * case.lambda_ * case.alpha
    l2 = case.w.sum() * case.lambda_ * (1 - case.alpha)
    rows = np.vstack([X / case.f, np.diag(np.sqrt(l2 / case.f))])
    model = Lasso(alpha=l1 / (2 * (n + p)), fit_intercept=False, positive=case.nonnegative, **TIGHT)
    model.fit(np.asfortranarray(rows), np.concatenate([y, np.zeros(p)]))
    standardized = model.coef_ / case.f
    if not case.intercept:
        return 0.0, standardized
    means = np.average(case.data.dense, axis=0, weights=case.w)
    return np.average(case.data.y, weights=case.w) - means @ (standardized / case.scales), standardized
