"""PoissonRegressorCV: PoissonRegressor with its penalties chosen by cross-validation."""

from __future__ import annotations

from typing import Any

from ._checks import check_choice
from ._cv_estimators import CrossValidated
from ._engine import Solutions
from ._inputs import FloatArray, as_vector
from ._poisson import PoissonModel


class PoissonRegressorCV(PoissonModel, CrossValidated):
    """Regression of counts or rates, with alpha and l1_ratio chosen by cross-validation.

    The model is PoissonRegressor's; parameters and attributes are named as ElasticNetCV's. scikit-learn has no such
    estimator.

    Parameters
    ----------
    l1_ratio : float in [0, 1], or a list of them of which the best is taken; at 0 the alphas must be given
    eps : the smallest alpha of the automatic grid over the largest
    alphas : the number of alphas in that grid, or the alphas
    measure : what folds are judged by: 'deviance', 'mse' or 'mae' of the means, as in cv.glmnet
    cv : the number of folds (5 by default), a splitter, pairs of training and test rows, or the fold of each
        row: n_samples whole numbers
    choose : 'min' for the alpha of least error, or '1se' for the largest alpha within one standard error of it
    relax, gamma : as in ElasticNetCV
    verbose : show a progress bar
    fit_intercept, max_iter, tol, positive, standardize, penalty_factor, lower, upper, n_jobs, device : as in
        PoissonRegressor

    Attributes
    ----------
    alpha_, alpha_1se_, gamma_, gamma_1se_, l1_ratio_, alphas_, cross_validation_, fold_gaps_, fold_statuses_ : as in ElasticNetCV
    error_path_ : the errors of the folds, in the shape of ElasticNetCV's mse_path_
    coef_, intercept_, n_iter_, dual_gap_, relative_gap_, deviance_, null_deviance_, status_, support_certificate_,
    left_out_, lambda1_, lambda2_, t_, n_features_in_, feature_names_in_ : as in PoissonRegressor, on all rows

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import PoissonRegressorCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 10))
    >>> model = PoissonRegressorCV(l1_ratio=[0.5, 1.0], alphas=20).fit(X, rng.poisson(np.exp(X[:, 0])))
    >>> model.error_path_.shape, bool(model.score(X, rng.poisson(np.exp(X[:, 0]))) > 0.2)
    ((2, 20, 5), True)
    """

    _family = "poisson"

    def __init__(
        self,
        *,
        l1_ratio: Any = 0.5,
        eps: float = 1e-3,
        alphas: Any = 100,
        measure: str = "deviance",
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-10,
        cv: Any = None,
        choose: str = "min",
        verbose: bool | int = 0,
        positive: bool = False,
        standardize: bool = False,
        penalty_factor: Any = None,
        lower: Any = None,
        upper: Any = None,
        n_jobs: int | None = None,
        device: str | None = "cpu",
        relax: bool = False,
        gamma: Any = None,
    ) -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.measure = measure
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.choose = choose
        self.verbose = verbose
        self.positive = positive
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.lower = lower
        self.upper = upper
        self.n_jobs = n_jobs
        self.device = device
        self.relax = relax
        self.gamma = gamma

    def _measure(self) -> str:
        check_choice(self.measure, "measure", type(self).__name__, ("deviance", "mse", "mae"))
        return str(self.measure)

    def _check_data(self, X: Any, y: Any) -> tuple[Any, FloatArray]:
        X, y = self._check_X_y(X, y, ensure_min_samples=2)
        return X, as_vector(y, "y")

    def _keep_figures(self, solutions: Solutions, best: int) -> None:
        super()._keep_figures(solutions, best)
        self._keep_deviances([solutions], best)

    def _keep_errors(self, errors: FloatArray) -> None:
        self.error_path_ = errors
