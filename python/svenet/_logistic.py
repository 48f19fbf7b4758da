"""LogisticRegression: scikit-learn's estimator, exact, with any mix of both penalties."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit, logsumexp
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets

from ._base import Classifier, LinearModel, check_weights
from ._checks import check_bool, check_choice, check_real
from ._engine import Design, Solutions, solve
from ._inputs import FloatArray, on_host
from ._warnings import warn_if_short

if TYPE_CHECKING:
    from typing_extensions import Self

SOLVERS = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")


class LogisticModel(Classifier, LinearModel):
    """Base of the classifiers: log odds of two classes, or of each class against the rest."""

    def _check_names(self) -> None:
        """scikit-learn's parameters that change nothing, and the penalty by its names before 1.8."""
        owner = type(self).__name__
        self._check_common()
        check_bool(self.dual, "dual", owner)
        check_choice(self.solver, "solver", owner, SOLVERS)
        check_real(self.intercept_scaling, "intercept_scaling", owner, open_low=True)
        check_choice(self.penalty, "penalty", owner, ("deprecated", "l1", "l2", "elasticnet", None))

    def _encode(self, y: Any, sample_weight: Any) -> tuple[list[FloatArray], FloatArray | None]:
        """The responses, one for two classes and else one for each, and the weights of the rows; the classes are
        kept."""
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        count = len(self.classes_)
        if count < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data contains "
                f"only one class: {self.classes_[0]!r}"
            )
        weights = self._weights(y, codes, sample_weight)
        positive = [1] if count == 2 else range(count)
        return [(codes == k).astype(np.float64) for k in positive], weights

    def _weights(self, y: Any, codes: Any, sample_weight: Any) -> FloatArray | None:
        """Of the rows, times those of their classes. A number for all rows counts: losses are summed."""
        if isinstance(sample_weight, Number):
            sample_weight = np.full(len(codes), sample_weight)
        weights = check_weights(sample_weight, len(codes))
        if self.class_weight is None:
            return weights
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            of_class = np.bincount(codes, weights=weights)
            by_class = of_class.sum() / (len(of_class) * np.where(of_class > 0, of_class, np.inf))
        else:
            by_class = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
        factors: FloatArray = np.asarray(by_class, dtype=np.float64)[codes]
        return factors if weights is None else weights * factors

    def _binomial(self, X: Any, weights: FloatArray | None, offset: Any, is_penalised: bool) -> Design:
        if offset is not None and len(self.classes_) > 2:
            raise ValueError(
                f"The offset is a part of the log odds of two classes; there are {len(self.classes_)} classes."
            )
        return self._design(X, weights, offset, "binomial", is_penalised)

    def _keep_model(self, answers: list[Solutions], at: int, unit: float) -> None:
        """scikit-learn's shapes: a row for each problem."""
        self.coef_ = np.array([answer.coef(at) for answer in answers])
        intercepts = np.array([answer.intercepts[at] for answer in answers])
        self.intercept_ = intercepts if self.fit_intercept else np.zeros(len(answers))
        self.n_iter_ = np.array([int(answer.n_iters[at]) for answer in answers], dtype=np.int32)
        self._keep_certificates(answers, at, unit)
        self._keep_deviances(answers, at)

    def _scores(self, X: Any, offset: Any) -> FloatArray:
        scores = self._linear(X, offset)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def decision_function(self, X: Any, offset: Any = None) -> FloatArray:
        """The log odds of the second class, plus the offset of the rows; with more than two classes, those of each
        against the rest, a column each.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        offset : array of shape (n_samples,), the known part of the log odds of these rows; None: nothing
        """
        return self._answer(X, "decision_function", self._scores(X, offset))

    def predict(self, X: Any, offset: Any = None) -> NDArray[Any]:
        """The class of each sample: the one of the largest probability.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        offset : array of shape (n_samples,), the known part of the log odds of these rows; None: nothing
        """
        scores = self._scores(X, offset)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self._answer(X, "predict", on_host(self.classes_)[codes])

    def predict_proba(self, X: Any, offset: Any = None) -> FloatArray:
        """The probability of each class, in the order of ``classes_``; with more than two, the probabilities against
        the rest, divided by their sum.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        offset : array of shape (n_samples,), the known part of the log odds of these rows; None: nothing
        """
        scores = self._scores(X, offset)
        both = np.column_stack([expit(-scores), expit(scores)]) if scores.ndim == 1 else np.exp(_shares(scores))
        return self._answer(X, "predict_proba", both)

    def predict_log_proba(self, X: Any, offset: Any = None) -> FloatArray:
        """The logarithms of the probabilities, without the loss of small ones.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        offset : array of shape (n_samples,), the known part of the log odds of these rows; None: nothing
        """
        scores = self._scores(X, offset)
        logs = np.column_stack([log_expit(-scores), log_expit(scores)]) if scores.ndim == 1 else _shares(scores)
        return self._answer(X, "predict_log_proba", logs)


def _shares(scores: FloatArray) -> FloatArray:
    """Logarithms of probabilities against the rest, over their sum."""
    logs = log_expit(scores)
    return np.asarray(logs - logsumexp(logs, axis=1, keepdims=True))


class LogisticRegression(LogisticModel):
    """Logistic regression with both an L1 and an L2 penalty.

    Minimises, with y of two classes as -1 and 1::

        C * sum_i weight_i * log(1 + exp(-y_i (x_i'w + b)))
        + l1_ratio * ||w||_1
        + 0.5 * (1 - l1_ratio) * ||w||^2_2

    Parameters, attributes and defaults are those of ``sklearn.linear_model.LogisticRegression`` since 1.8, but for
    ``tol``, which is a true relative duality gap and defaults to 1e-10, and ``max_iter``, which counts Newton steps.
    The intercept is not penalised, as with all solvers of scikit-learn's but liblinear. **More than two classes are
    fitted one against the rest**, each with the penalty above, where scikit-learn fits a multinomial model; that is
    ``OneVsRestClassifier`` over scikit-learn's estimator, or over this one.

    Parameters
    ----------
    penalty : as in scikit-learn before 1.8, taken without a warning: 'l2' is l1_ratio=0, 'l1' is l1_ratio=1,
        'elasticnet' takes l1_ratio, and None is C=inf
    C : float, the weight of the losses beside the penalties; infinite: no penalty, and an error where there is no
        single best fit: where columns separate the classes, or depend on each other
    l1_ratio : float in [0, 1]; 1 is the Lasso's penalty, 0 that of ridge regression
    tol : float, the relative duality gap to reach
    fit_intercept : bool
    class_weight : dict, 'balanced' or None: weights that multiply those of the rows of each class, the same in
        every problem of more than two classes
    max_iter : int, Newton steps
    dual, intercept_scaling, random_state, solver, verbose, warm_start : accepted, and change nothing
    n_jobs : int or None, threads, as in ElasticNet
    positive, standardize, penalty_factor, lower, upper, device : as in ElasticNet

    Attributes
    ----------
    classes_, coef_, intercept_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn
    sparse_coef_ : the coefficients as a compressed matrix
    dual_gap_ : an upper bound on the distance of the objective above from its optimum
    relative_gap_ : the gap that was compared with tol, relative to the null deviance
    deviance_, null_deviance_ : twice the sum of the losses, of the model and without any feature
    status_, support_certificate_, left_out_, t_ : as in ElasticNet
    lambda1_, lambda2_ : the penalties of deviance + lambda2 ||w||^2 + lambda1 ||w||_1

    With more than two classes these are arrays or lists, an entry for each class.

    Examples
    --------
    >>> from svenet import LogisticRegression
    >>> X = [[0.0, 1.0], [1.0, 0.5], [2.0, 0.0], [3.0, 1.0], [4.0, 0.0], [5.0, 1.0]]
    >>> model = LogisticRegression(l1_ratio=1.0).fit(X, ["no", "no", "yes", "no", "yes", "yes"])
    >>> model.predict([[0.0, 0.0], [6.0, 0.0]])
    array(['no', 'yes'], dtype='<U3')
    >>> model.coef_.round(4)
    array([[0.6736, 0.    ]])
    """

    def __init__(
        self,
        penalty: Any = "deprecated",
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-10,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "lbfgs",
        max_iter: int = 1000,
        verbose: bool | int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        positive: bool = False,
        standardize: bool = False,
        penalty_factor: Any = None,
        lower: Any = None,
        upper: Any = None,
        device: str | None = "cpu",
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.positive = positive
        self.standardize = standardize
        self.penalty_factor = penalty_factor
        self.lower = lower
        self.upper = upper
        self.device = device

    def _cost_and_ratio(self) -> tuple[float, float]:
        owner = type(self).__name__
        if self.C != np.inf:
            check_real(self.C, "C", owner, open_low=True)
        if self.l1_ratio is not None:
            check_real(self.l1_ratio, "l1_ratio", owner, high=1.0)
        by_name = {"l1": 1.0, "l2": 0.0}
        ratio = by_name.get(self.penalty, float(self.l1_ratio or 0.0))
        return (np.inf if self.penalty is None else float(self.C)), ratio

    def fit(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,), the classes
        sample_weight : array of shape (n_samples,), the weights of the losses, not rescaled
        offset : array of shape (n_samples,), a known part of the log odds of two classes; ``decision_function`` and
            the predictions add the one that they are given

        Returns
        -------
        self
        """
        self._check_names()
        C, ratio = self._cost_and_ratio()
        given = X, y
        X, y = self._check_X_y(X, y, y_numeric=False)
        targets, weights = self._encode(y, sample_weight)
        design = self._binomial(X, weights, offset, C < np.inf)
        controls = self._controls(X)
        answers = [
            solve(design, target, "penalty", 2 * ratio / C, (1 - ratio) / C, controls) for target in targets
        ]
        for answer in answers:
            warn_if_short(answer, controls)
        self._keep_model(answers, 0, design.total_weight * (C if C < np.inf else 1.0))
        self._keep_left_out(answers[0])
        return self._keep_kinds(*given)
