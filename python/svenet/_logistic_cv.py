"""LogisticRegressionCV: scikit-learn's estimator over our cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_is_fitted

from ._checks import check_choice, check_count, check_gammas, check_real
from ._cross_validation import cross_validate_grid
from ._cv_results import CrossValidation, CvCurve
from ._engine import Design, Folds
from ._folds import as_folds, fold_numbers
from ._inputs import FloatArray, on_host
from ._logistic import LogisticModel
from ._progress import reporting
from ._routing import RoutedFolds

if TYPE_CHECKING:
    from typing_extensions import Self

# scikit-learn's scores by the library's measures, and what makes the former of the latter.
SCORES: dict[Any, tuple[str, float, float]] = {  # measure, constant, factor
    "neg_log_loss": ("deviance", 0.0, -0.5),
    "accuracy": ("class", 1.0, -1.0),
    "roc_auc": ("auc", 0.0, 1.0),
    None: ("class", 1.0, -1.0),
}


def _at(curve: CvCurve, gamma: int) -> CvCurve:
    """The curve of relaxed fits at a gamma, by its place; the curve itself where fits are not relaxed."""
    return curve.relaxed[gamma] if curve.relaxed else curve


class LogisticRegressionCV(RoutedFolds, LogisticModel):
    """Logistic regression with C and l1_ratio chosen by cross-validation.

    The model is LogisticRegression's. Parameters and attributes are those of
    ``sklearn.linear_model.LogisticRegressionCV``, in the shapes of ``use_legacy_attributes=False``, which are
    scikit-learn's own from 1.10; folds are fitted with the same C, as there. **More than two classes are fitted one
    against the rest**, with one C and one l1_ratio for all, those of the best mean score over the problems.

    Parameters
    ----------
    Cs : the number of Cs, evenly spaced on the log scale from 1e-4 to 1e4, or the Cs
    l1_ratios : the mixing parameters of which the best is taken; (0,), no L1 penalty, by default
    cv : the number of folds (5 by default, stratified), a splitter, pairs of training and test rows, or the fold of each
        row: n_samples whole numbers
    scoring : 'neg_log_loss', scikit-learn's default from 1.11; 'accuracy', which None means too; or 'roc_auc'. Rows count
        by their weights, with those of their classes
    choose : 'min' for the best score, as in scikit-learn, or '1se', of two classes, for the least C within one standard
        error of it
    relax : refit the features of every solution without penalties and choose gamma too, as in ElasticNetCV; where features
        separate the classes there is no refit, and the penalised solution stands
    gamma : as in ElasticNetCV
    refit : True
    use_legacy_attributes : True for C_, l1_ratio_ and scores_ as scikit-learn before 1.8 has them
    verbose : show a progress bar
    penalty, fit_intercept, tol, max_iter, class_weight, n_jobs, positive, standardize, penalty_factor, lower, upper,
    device, dual, solver, intercept_scaling, random_state : as in LogisticRegression

    Attributes
    ----------
    C_, l1_ratio_ : what was chosen
    Cs_, l1_ratios_ : what was tried
    scores_ : the scores of the folds, (n_folds, n_l1_ratios, n_cs)
    gamma_, gamma_1se_ : of relaxed fits, as in ElasticNetCV, the latter of two classes; scores_ are those at gamma_
    C_1se_ : of two classes, the least C within one standard error of the best score, at l1_ratio_
    fold_gaps_, fold_statuses_ : the relative gap and the status of every fit of a fold, in the shape of scores_; with
        more than two classes there is an axis of classes before these
    cross_validation_ : the curves in our terms, with the coefficients on all rows at every C, where alpha is
        1 / (C sum of the weights); with more than two classes a list, one for each
    classes_, coef_, intercept_, n_iter_, n_features_in_, feature_names_in_, dual_gap_, relative_gap_, deviance_,
    null_deviance_, status_, support_certificate_, left_out_, lambda1_, lambda2_, t_ : as in LogisticRegression, of the
        fit on all rows. Coefficients of the folds (coefs_paths_) are not kept

    Examples
    --------
    >>> import numpy as np
    >>> from svenet import LogisticRegressionCV
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((80, 10))
    >>> model = LogisticRegressionCV(l1_ratios=[0.5, 1.0]).fit(X, X[:, 0] + rng.standard_normal(80) > 0)
    >>> model.scores_.shape, model.C_ in model.Cs_
    ((5, 2, 10), True)
    """

    def __init__(
        self,
        *,
        Cs: Any = 10,
        l1_ratios: Any = (0.0,),
        fit_intercept: bool = True,
        cv: Any = None,
        dual: bool = False,
        penalty: Any = "deprecated",
        scoring: str | None = "neg_log_loss",
        solver: str = "lbfgs",
        tol: float = 1e-10,
        max_iter: int = 1000,
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = 0,
        refit: bool = True,
        intercept_scaling: float = 1.0,
        random_state: Any = None,
        use_legacy_attributes: bool = False,
        choose: str = "min",
        positive: bool = False,
        standardize: bool = False,
        penalty_factor: Any = None,
        lower: Any = None,
        upper: Any = None,
        device: str | None = "cpu",
        relax: bool = False,
        gamma: Any = None,
    ) -> None:
        self.Cs = Cs
        self.l1_ratios = l1_ratios
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
        self.penalty = penalty
        self.scoring = scoring
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.refit = refit
        self.intercept_scaling = intercept_scaling
        self.random_state = random_state
        self.use_legacy_attributes = use_legacy_attributes
        self.choose = choose
        self.positive = positive
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.lower = lower
        self.upper = upper
        self.device = device
        self.relax = relax
        self.gamma = gamma

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        self._check_names()
        check_choice(self.scoring, "scoring", owner, tuple(SCORES))
        check_choice(self.choose, "choose", owner, ("min", "1se"))
        check_choice(self.refit, "refit", owner, (True,))
        check_choice(self.use_legacy_attributes, "use_legacy_attributes", owner, (True, False))

    def _costs(self) -> FloatArray:
        owner = type(self).__name__
        if self.penalty is None:
            return np.array([np.inf])
        if np.ndim(self.Cs) == 0:
            check_count(self.Cs, "Cs", owner)
            return np.logspace(-4, 4, int(self.Cs))
        for C in self.Cs:
            if C != np.inf:
                check_real(C, "Cs", owner, open_low=True)
        return np.asarray(self.Cs, dtype=np.float64)

    def _ratios(self) -> list[float]:
        by_name = {"l1": [1.0], "l2": [0.0]}
        if self.penalty in by_name:
            return by_name[self.penalty]
        if self.l1_ratios is None or isinstance(self.l1_ratios, str):  # of scikit-learn before 1.10
            return [0.0]
        ratios = [float(ratio) for ratio in np.atleast_1d(np.asarray(self.l1_ratios))]
        for ratio in ratios:
            check_real(ratio, "l1_ratios", type(self).__name__, high=1.0)
        return ratios

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None, **params: Any) -> Self:
        """Cross-validate the path, then keep the solution on all rows at the C and l1_ratio that are chosen.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,), the classes
        sample_weight : array of shape (n_samples,), for the fits and for the scores
        offset : array of shape (n_samples,), a known part of the log odds of two classes
        **params : for the splitter (groups), if metadata routing is enabled

        Returns
        -------
        self
        """
        self._check_parameters()
        split_params = self._route(sample_weight, params)
        given = X, y
        X, y = self._check_X_y(X, y, y_numeric=False)
        targets, weights = self._encode(y, sample_weight)
        if self.choose == "1se" and len(targets) > 1:
            raise ValueError(f"choose='1se' is for two classes; there are {len(self.classes_)} classes.")
        design = self._binomial(X, weights, offset, bool((self._costs() < np.inf).any()))
        cv = self.cv if fold_numbers(self.cv) is not None else check_cv(self.cv, y, classifier=True)
        rows = as_folds(cv, X, y, **split_params)
        gammas = check_gammas(self.relax, self.gamma, type(self).__name__)
        folds = Folds(rows, SCORES[self.scoring][0], "penalty", gammas)
        self.Cs_, ratios = self._costs(), self._ratios()
        self.l1_ratios_ = np.array(ratios)
        order = np.argsort(self.Cs_, kind="stable")
        alphas = 1 / (self.Cs_[order] * design.total_weight)
        with reporting(self.verbose, type(self).__name__) as progress:
            controls = self._controls(X, progress)
            results = [
                cross_validate_grid(design, target, folds, ratios, alphas, 0.0, controls) for target in targets
            ]
        self._keep(results, order, design)
        self._keep_left_out(results[0].best_curve.solutions)
        return self._keep_kinds(*given)

    def _in_order(self, results: list[CrossValidation], order: Any, name: str, gamma: int = 0) -> Any:
        """A table of the curves as (problems, folds, l1_ratios, Cs), the Cs as they were given; of relaxed fits at the
        gamma of that place."""
        tables = np.array(
            [[getattr(_at(curve, gamma), name).T for curve in result.curves] for result in results]
        )
        given = np.empty_like(tables)
        given[..., order] = tables
        return given.swapaxes(1, 2)

    @property
    def fold_statuses_(self) -> NDArray[np.str_]:
        """The status of every fit of a fold, in the shape of ``fold_gaps_``."""
        check_is_fitted(self)
        results: Any = self.cross_validation_
        order = np.argsort(on_host(self.Cs_), kind="stable")
        statuses: NDArray[np.str_] = self._in_order(
            results if isinstance(results, list) else [results], order, "fold_statuses"
        )
        return statuses if isinstance(results, list) else statuses[0]

    def _keep(self, results: list[CrossValidation], order: Any, design: Design) -> None:
        _, constant, factor = SCORES[self.scoring]
        count = max(1, len(results[0].curves[0].relaxed))
        tables = [
            constant + factor * self._in_order(results, order, "fold_errors", g).mean(axis=0) for g in range(count)
        ]
        # of equal scores the largest gamma: the least that is relaxed
        gamma = max(reversed(range(count)), key=lambda g: float(tables[g].sum(axis=0).max()))
        scores = tables[gamma]
        # scikit-learn's rule: the first of the best means, of l1_ratios within Cs
        place, ratio = np.unravel_index(np.argmax(scores.sum(axis=0).T), scores.shape[:0:-1])
        at = int(np.flatnonzero(order == place)[0])
        if len(results) == 1:
            curve = results[0].curves[ratio]
            chosen, simple = curve.choice("1se")
            self.C_1se_ = float(self.Cs_[order[simple]])
            if self.choose == "1se":
                at, gamma = simple, curve.relaxed_one_standard_error[0]
                scores = tables[gamma]
            if self.relax:
                self.gamma_1se_ = chosen.gamma
        if self.relax:
            self.gamma_ = results[0].curves[0].relaxed[gamma].gamma
        C = float(self.Cs_[order[at]])
        self._keep_scores(scores, C, float(self.l1_ratios_[ratio]))
        single = len(results) == 1
        gaps = self._in_order(results, order, "fold_gaps")
        self.fold_gaps_ = gaps[0] if single else gaps
        self.cross_validation_ = results[0] if single else results
        unit = design.total_weight * (C if C < np.inf else 1.0)
        self._keep_model([_at(result.curves[ratio], gamma).solutions for result in results], at, unit)

    def _keep_scores(self, scores: FloatArray, C: float, ratio: float) -> None:
        self.C_: Any = C
        self.l1_ratio_: Any = ratio
        self.scores_: Any = scores
        if not self.use_legacy_attributes:
            return
        names = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        self.C_, self.l1_ratio_ = np.full(len(names), C), np.full(len(names), ratio)
        of_class = scores.swapaxes(1, 2)
        has_ratios = self.l1_ratios is not None and self.penalty in ("deprecated", "elasticnet")
        self.scores_ = {name: of_class if has_ratios else of_class[..., 0] for name in names}

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The score of ``scoring``, of several classes one against the rest.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,), the classes
        sample_weight : array of shape (n_samples,)
        """
        check_is_fitted(self)
        self._kind_of(X, "score")
        model = self._on_host()
        name = self.scoring or "accuracy"
        if name == "roc_auc" and len(model.classes_) > 2:
            name = "roc_auc_ovr"
        with config_context(array_api_dispatch=False):  # which not all scores support
            return float(get_scorer(name)(model, X, on_host(y), sample_weight=on_host(sample_weight)))
