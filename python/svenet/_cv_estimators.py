"""ElasticNetCV and LassoCV: scikit-learn's estimators over our cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ._base import LinearRegressor, check_weights
from ._checks import check_choice, check_gammas, check_real
from ._cross_validation import cross_validate_grid
from ._cv_results import CrossValidation, CvCurve
from ._engine import Folds, Solutions
from ._folds import as_folds
from ._inputs import FloatArray, as_vector
from ._path import check_eps, count_or_alphas, enet_path, lasso_path
from ._progress import reporting
from ._routing import RoutedFolds

if TYPE_CHECKING:
    from typing_extensions import Self


class CrossValidated(RoutedFolds, LinearRegressor):
    """Base class: everything but the parameters."""

    _family = "gaussian"

    def _ratios(self) -> list[float]:
        ratios: list[float] = np.atleast_1d(np.asarray(self.l1_ratio)).tolist()
        for ratio in ratios:
            check_real(ratio, "l1_ratio", type(self).__name__, high=1.0)
        return ratios

    def _measure(self) -> str:
        """What folds are judged by, in the library's words."""
        return "mse"

    def _check_data(self, X: Any, y: Any) -> tuple[Any, FloatArray]:
        X, y = self._check_X_y(X, y, multi_output=True)
        if np.ndim(y) == 2 and y.shape[1] > 1:
            raise ValueError(
                f"For multi-task outputs, use MultiTask{type(self).__name__} of scikit-learn, or fit "
                "each column: y should be a 1d array."
            )
        return X, as_vector(column_or_1d(y, warn=True), "y")

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None, **params: Any) -> Self:
        """Cross-validate the path, then keep the solution on all rows at the alpha that is chosen.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), for the fits and for the errors within a fold; in the
            mean that alpha_ minimises folds are not weighted, as in scikit-learn
        offset : array of shape (n_samples,), a known part of the linear predictor: of y itself in ElasticNetCV and
            LassoCV
        **params : for the splitter (groups), if metadata routing is enabled

        Returns
        -------
        self
        """
        self._check_common()
        check_choice(self.choose, "choose", type(self).__name__, ("min", "1se"))
        split_params = self._route(sample_weight, params)
        given = X, y
        X, target = self._check_data(X, y)
        design = self._design(X, check_weights(sample_weight, X.shape[0]), offset, self._family)
        wanted = count_or_alphas(self.alphas, getattr(self, "n_alphas", None), type(self).__name__)
        check_eps(self.eps, type(self).__name__, wanted)
        gammas = check_gammas(self.relax, self.gamma, type(self).__name__)
        folds = Folds(as_folds(self._splitter(), X, target, **split_params), self._measure(), gammas=gammas)
        with reporting(self.verbose, type(self).__name__) as progress:
            result = cross_validate_grid(
                design, target, folds, self._ratios(), wanted, self.eps, self._controls(X, progress)
            )
        self._keep(result)
        self._keep_left_out(result.best_curve.solutions)
        return self._keep_kinds(*given)

    @property
    def fold_statuses_(self) -> NDArray[np.str_]:
        """The status of every fit of a fold, in the shape of the errors."""
        check_is_fitted(self)
        return np.squeeze(np.array([each.fold_statuses for each in self.cross_validation_.curves]))

    def _splitter(self) -> Any:
        return self.cv

    @staticmethod
    def _choose(result: CrossValidation) -> tuple[CvCurve, int]:
        """The curve and the position of the least error by scikit-learn's rule, the first one in case of ties; of relaxed
        fits over all gammas, from the largest down."""
        curves = [one for curve in result.curves for one in (curve.relaxed[::-1] or (curve,))]
        means = [curve.losses.mean(axis=1) for curve in curves]
        chosen = min(range(len(means)), key=lambda k: float(means[k].min()))
        return curves[chosen], int(np.argmin(means[chosen]))

    def _keep(self, result: CrossValidation) -> None:
        curve, best = self._choose(result)
        simple, place = next(each for each in result.curves if each.l1_ratio == curve.l1_ratio).choice("1se")
        if self.choose == "1se":
            curve, best = simple, place
        solutions = curve.solutions
        self.alpha_ = float(curve.alphas[best])
        self.alpha_1se_ = float(curve.alphas[place])
        self.l1_ratio_ = curve.l1_ratio
        if self.relax:
            self.gamma_, self.gamma_1se_ = curve.gamma, simple.gamma
        self._keep_errors(np.squeeze(np.array([each.fold_errors for each in result.curves])))
        self.fold_gaps_ = np.squeeze(np.array([each.fold_gaps for each in result.curves]))
        grids = np.array([each.alphas for each in result.curves])
        automatic = self.alphas is None or np.ndim(self.alphas) == 0
        self.alphas_ = grids if automatic and len(grids) > 1 else grids[0]
        self.coef_ = solutions.coef(best)
        self.intercept_ = solutions.intercepts[best] if self.fit_intercept else 0.0
        self.n_iter_ = int(solutions.n_iters[best])
        self._keep_figures(solutions, best)
        self.cross_validation_ = result

    def _keep_figures(self, solutions: Solutions, best: int) -> None:
        self._keep_certificates([solutions], best)

    def _keep_errors(self, errors: FloatArray) -> None:
        self.mse_path_ = errors

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = True
        tags.target_tags.multi_output = False
        return tags


class ElasticNetCV(CrossValidated):
    """The elastic net, with alpha and l1_ratio chosen by cross-validation.

    Parameters, attributes and defaults are those of ``sklearn.linear_model.ElasticNetCV``, but for
    ``tol``, the relative duality gap, which defaults to 1e-10; ``n_alphas`` of older scikit-learn is
    taken too. Of ours: ``standardize``, ``penalty_factor``, ``lower``, ``upper`` and ``device`` as in ElasticNet, ``choose``,
    ``relax``, ``gamma`` and the attributes below.

    Parameters
    ----------
    l1_ratio : float in [0, 1], or a list of them of which the best is taken
    eps : the smallest alpha of the automatic grid over the largest
    alphas : the number of alphas in that grid, or the alphas
    fit_intercept : bool
    precompute, copy_X, random_state, selection : accepted, and change nothing
    max_iter : int, Newton steps
    tol : float, the relative duality gap to reach
    cv : the number of folds (5 by default), a splitter, pairs of training and test rows, or the fold of each
        row: n_samples whole numbers
    verbose : show a progress bar
    n_jobs : int or None, threads
    positive : bool; coefficients must not be negative
    n_alphas : the number of alphas, as in older scikit-learn
    standardize, penalty_factor, lower, upper, device : as in ElasticNet
    choose : 'min' for the alpha of least error, as in scikit-learn, or '1se' for the largest alpha within one
        standard error of it: a simpler model that predicts about as well, cv.glmnet's and ``sven cv``'s default
    relax : refit the features of every solution without penalties, as glmnet's relax, and choose the share gamma of the
        penalised solution with alpha
    gamma : the shares that are tried; 0, 0.25, 0.5, 0.75 and 1 by default

    Attributes
    ----------
    alpha_ : the alpha of the model, by ``choose``
    gamma_, gamma_1se_ : of relaxed fits the gamma of the model, and that of alpha_1se_; errors and gaps of folds are those
        of the penalised fits, and ``cross_validation_`` has a curve for each gamma
    alpha_1se_ : the largest alpha within one standard error of the least error, at l1_ratio_ (lambda.1se of
        cv.glmnet and ``sven cv``)
    cross_validation_ : the curves, with coefficients on all rows at every alpha
    fold_gaps_, fold_statuses_ : the relative gap and the status of every fit of a fold, in the shape of
        mse_path_; where one is 'iteration_limit' its error may be wrong, and a ConvergenceWarning says how
        many there are
    relative_gap_, status_, support_certificate_, left_out_, lambda1_, lambda2_, t_ : as in ElasticNet, of the
        fit on all rows

    There are two rules for the mean over folds. ``alpha_`` and ``l1_ratio_`` are scikit-learn's choice, with
    every fold counting the same. ``alpha_1se_`` and the means of ``cross_validation_`` are those of cv.glmnet
    and ``sven cv``, where a fold counts by the weight of its test rows. Where folds differ in size, or in the
    weight of their rows, the two can disagree: ``alpha_`` then need not be ``cross_validation_.alpha_min``, nor
    lie below ``alpha_1se_``.

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import ElasticNetCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 10))
    >>> model = ElasticNetCV(l1_ratio=[0.5, 1.0]).fit(X, X[:, 0] + 0.1 * rng.standard_normal(80))
    >>> model.mse_path_.shape, float(model.l1_ratio_)
    ((2, 100, 5), 1.0)
    """

    path = staticmethod(enet_path)

    def __init__(
        self,
        *,
        l1_ratio: Any = 0.5,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 1000,
        tol: float = 1e-10,
        cv: Any = None,
        copy_X: bool = True,
        verbose: bool | int = 0,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        n_alphas: Any = None,
        standardize: bool = False,
        penalty_factor: Any = None,
        lower: Any = None,
        upper: Any = None,
        device: str | None = "cpu",
        choose: str = "min",
        relax: bool = False,
        gamma: Any = None,
    ) -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.n_alphas = n_alphas
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.lower = lower
        self.upper = upper
        self.device = device
        self.choose = choose
        self.relax = relax
        self.gamma = gamma


class LassoCV(CrossValidated):
    """The Lasso, with alpha chosen by cross-validation.

    Parameters, attributes and defaults are those of ``sklearn.linear_model.LassoCV``, but for ``tol``,
    the relative duality gap, which defaults to 1e-10; ours are those of ElasticNetCV.

    Parameters
    ----------
    eps, alphas, fit_intercept, precompute, max_iter, tol, copy_X, cv, verbose, n_jobs : as in ElasticNetCV
    positive, random_state, selection, n_alphas, standardize, penalty_factor, lower, upper, device : as in ElasticNetCV
    choose, relax, gamma : as in ElasticNetCV

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import LassoCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 10))
    >>> model = LassoCV(cv=3).fit(X, X[:, 0] + 0.1 * rng.standard_normal(80))
    >>> bool(model.alpha_ <= model.alpha_1se_)
    True
    """

    path = staticmethod(lasso_path)

    def __init__(
        self,
        *,
        eps: float = 1e-3,
        alphas: Any = 100,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 1000,
        tol: float = 1e-10,
        copy_X: bool = True,
        cv: Any = None,
        verbose: bool | int = False,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        n_alphas: Any = None,
        standardize: bool = False,
        penalty_factor: Any = None,
        lower: Any = None,
        upper: Any = None,
        device: str | None = "cpu",
        choose: str = "min",
        relax: bool = False,
        gamma: Any = None,
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.n_alphas = n_alphas
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.lower = lower
        self.upper = upper
        self.device = device
        self.choose = choose
        self.relax = relax
        self.gamma = gamma

    def _ratios(self) -> list[float]:
        return [1.0]

    def _keep(self, result: CrossValidation) -> None:
        super()._keep(result)
        del self.l1_ratio_
