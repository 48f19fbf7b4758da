"""BudgetElasticNet: the constrained form, with a budget on the L1 norm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import LinearRegressor, check_weights
from ._checks import check_real
from ._engine import solve
from ._inputs import as_vector
from ._path import budget_path
from ._warnings import warn_if_short

if TYPE_CHECKING:
    from typing_extensions import Self


class BudgetElasticNet(LinearRegressor):
    """The elastic net with a budget instead of a penalty on the L1 norm.

    Minimises::

        ||y - Xw||^2_2 + lambda2 * ||w||^2_2    subject to    ||w||_1 <= t

    Parameters
    ----------
    t : float, the budget; infinite: ridge regression
    lambda2 : float, the ridge penalty; 0 is the Lasso
    fit_intercept, max_iter, tol, positive, standardize, penalty_factor, lower, upper, n_jobs, device : as in
        ElasticNet; with penalty factors f the budget bounds sum f |w|

    Attributes
    ----------
    coef_, sparse_coef_, intercept_, n_iter_, n_features_in_, feature_names_in_ : as in ElasticNet
    dual_gap_ : an upper bound on the distance of the objective above from its optimum
    relative_gap_ : the gap that was compared with tol
    status_ : as in ElasticNet, or 'ridge': the budget does not bind, so that lambda1_ is 0
    t_ : the L1 norm that was used: t if the budget binds, less if it does not
    lambda1_ : the multiplier of the budget: the penalty on the L1 norm that gives the same solution
    support_certificate_ : how many features are proven selected, proven zero, undecided, left out
    support_proof_ : array of shape (n_features,), 'selected', 'zero', 'undecided' or 'left out'
    left_out_ : as in ElasticNet

    Examples
    --------
    >>> from svenet import BudgetElasticNet
    >>> X = [[0.0, 1.0], [1.0, 0.5], [2.0, 0.0], [3.0, 1.0]]
    >>> model = BudgetElasticNet(t=0.75).fit(X, [0.0, 1.0, 2.0, 3.0])
    >>> model.coef_
    array([0.75, 0.  ])
    """

    path = staticmethod(budget_path)

    def __init__(
        self,
        t: float = 1.0,
        *,
        lambda2: float = 0.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-10,
        positive: bool = False,
        standardize: bool = False,
        penalty_factor: Any = None,
        lower: Any = None,
        upper: Any = None,
        n_jobs: int | None = None,
        device: str | None = "cpu",
    ) -> None:
        self.t = t
        self.lambda2 = lambda2
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
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
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), the weights of the squares, not rescaled
        offset : array of shape (n_samples,), a known part of y, as in ElasticNet

        Returns
        -------
        self
        """
        owner = type(self).__name__
        self._check_common()
        if self.t != np.inf:
            check_real(self.t, "t", owner)
        check_real(self.lambda2, "lambda2", owner)
        given = X, y
        X, y = self._check_X_y(X, y, multi_output=False)
        target = as_vector(y, "y")
        design = self._design(X, check_weights(sample_weight, X.shape[0]), offset)
        controls = self._controls(X)
        answer = solve(design, target, "budget", self.t, self.lambda2, controls)
        warn_if_short(answer, controls)
        self.coef_ = answer.coef(0)
        self.intercept_ = answer.intercepts[0] if self.fit_intercept else 0.0
        self.n_iter_ = int(answer.n_iters[0])
        self._keep_certificates([answer], unit=2 * design.total_weight)
        self._keep_left_out(answer)
        return self._keep_kinds(*given)
