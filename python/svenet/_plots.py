"""Plots in the style of glmnet's, on matplotlib, which is imported only here."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ._inputs import on_host


MEASURE_NAMES = {
    "mse": "mean squared error",
    "deviance": "deviance",
    "mae": "mean absolute error",
    "class": "misclassification error",
    "auc": "area under the curve",
}


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots of svenet need matplotlib: pip install matplotlib") from error
    return plt.subplots()[1]


def _counts_above(ax: Any, x: Any, counts: Any) -> None:
    """The number of selected features, along the upper edge."""
    shown = np.unique(np.linspace(0, len(x) - 1, min(len(x), 7)).astype(int))
    upper = ax.secondary_xaxis("top")
    upper.set_xticks(x[shown], [str(int(counts[k])) for k in shown])
    upper.set_xlabel("features selected")


def _tried(model: Any, alphas: Any) -> tuple[Any, str]:
    """What a fitted CV estimator was asked to try along its path, and its name: Cs rise where alphas fall."""
    return (np.sort(on_host(model.Cs_)), "C") if hasattr(model, "Cs_") else (alphas, "alpha")


def _positions(settings: Any, name: str) -> tuple[Any, str]:
    """Along the axis, with its label: fits are less penalised to the right."""
    if name == "t":
        return settings, "budget t"
    with np.errstate(divide="ignore"):
        return (np.log(settings), "log(C)") if name == "C" else (-np.log(settings), f"-log({name})")


def _is_path(path: Any) -> bool:
    return isinstance(path, tuple) and len(path) >= 2 and np.ndim(path[0]) == 1 and np.ndim(path[1]) == 2


def _path_of(path: Any) -> tuple[Any, Any, str, Any]:
    """Penalties, Cs or budgets, coefficients (features x settings), their name, names of features."""
    if hasattr(getattr(path, "cross_validation_", None), "best_curve"):
        result = path.cross_validation_
        settings, name = _tried(path, result.alphas)
        return settings, result.coef_path.toarray(), name, getattr(path, "feature_names_in_", None)
    if hasattr(path, "best_curve"):
        return path.alphas, path.coef_path.toarray(), "alpha", None
    if hasattr(path, "beta"):
        return path.lambda_, path.beta.toarray(), "lambda", None
    if not _is_path(path):
        raise TypeError(
            "path must come from enet_path, lasso_path, budget_path, glmnet or cross_validate, or be a fitted "
            f"CV estimator of ours, not {_described(path)}"
        )
    settings, coefs = np.asarray(path[0]), path[1]
    dense = coefs.toarray() if sparse.issparse(coefs) else np.asarray(coefs)
    # Penalties fall along a path, and budgets rise.
    rises = len(settings) > 1 and settings[0] < settings[-1]
    return settings, dense, "t" if rises else "alpha", None


def _described(wrong: Any) -> str:
    name = type(wrong).__name__
    if hasattr(wrong, "cross_validation_"):
        return f"a {name} of more than two classes: draw one of its cross_validation_"
    return f"a {name} that is not fitted" if name.endswith("CV") else f"a {name}"


def plot_path(path: Any, *, xvar: str = "lambda", label: int = 0, names: Any = None, ax: Any = None) -> Any:
    """Coefficients along a path, one line for each feature that is ever selected.

    Parameters
    ----------
    path : the result of enet_path, lasso_path, budget_path, glmnet or cross_validate, or a fitted CV estimator:
        ElasticNetCV, LassoCV, LogisticRegressionCV of two classes, PoissonRegressorCV
    xvar : 'lambda' for -log of the penalty, as in glmnet, log(C) of LogisticRegressionCV, or the budget of budget_path;
        'norm' for the L1 norm
    label : the number of features to name, the largest ones at the end of the path
    names : names of the features
    ax : matplotlib Axes to draw on

    Returns
    -------
    the Axes

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import numpy as np
    >>> from svenet import lasso_path, plot_path
    >>> X = np.random.default_rng(0).standard_normal((30, 4))
    >>> plot_path(lasso_path(X, X[:, 0] - X[:, 1], alphas=20)).get_ylabel()
    'coefficients'
    """
    if xvar not in ("lambda", "norm"):
        raise ValueError(f"xvar must be 'lambda' or 'norm', not {xvar!r}")
    settings, coefs, setting, known = _path_of(path)
    if names is None:
        names = known
    ax = _axes(ax)
    if xvar == "norm":
        x, text = np.abs(coefs).sum(axis=0), "L1 norm"
    else:
        x, text = _positions(settings, setting)
    ever = np.flatnonzero(np.any(coefs != 0, axis=1))
    for j in ever:
        ax.plot(x, coefs[j], linewidth=1)
    ax.axhline(0, color="0.7", linewidth=0.5)
    for j in sorted(ever, key=lambda k: -abs(coefs[k, -1]))[:label]:
        ax.annotate(str(j if names is None else names[j]), (x[-1], coefs[j, -1]), fontsize="small")
    ax.set_xlabel(text)
    ax.set_ylabel("coefficients")
    _counts_above(ax, x, np.count_nonzero(coefs, axis=0))
    return ax


def _result_of(model: Any) -> Any:
    """The cross-validation of a fitted estimator, or itself."""
    result = getattr(model, "cross_validation_", model)
    if not hasattr(result, "best_curve"):
        raise TypeError(
            f"model must come from cross_validate, or be a fitted CV estimator of ours, not {_described(model)}"
        )
    return result


def plot_cv(model: Any, *, ax: Any = None) -> Any:
    """The mean error along the path, in what the folds were judged by, plus and minus one standard error, and the two choices.

    Fits are less penalised to the right: the axis is -log(alpha), and log(C) of LogisticRegressionCV.

    Parameters
    ----------
    model : the result of cross_validate, or a fitted CV estimator: ElasticNetCV, LassoCV, LogisticRegressionCV of two
        classes, PoissonRegressorCV
    ax : matplotlib Axes to draw on

    Returns
    -------
    the Axes

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import numpy as np
    >>> from svenet import cross_validate, plot_cv
    >>> X = np.random.default_rng(0).standard_normal((30, 4))
    >>> plot_cv(cross_validate(X, X[:, 0], alphas=20)).get_ylabel()
    'mean squared error'
    """
    curve = _result_of(model).best_curve
    ax = _axes(ax)
    x, text = _positions(*_tried(model, curve.alphas))
    ax.errorbar(
        x, curve.mean, yerr=curve.standard_error, fmt="o", color="tab:red", ecolor="0.7", markersize=3, capsize=2
    )
    for position, style in ((curve.best, "--"), (curve.one_standard_error, ":")):
        ax.axvline(x[position], color="0.3", linestyle=style, linewidth=1)
    ax.set_xlabel(text)
    ax.set_ylabel(MEASURE_NAMES[curve.measure])
    _counts_above(ax, x, np.diff(curve.solutions.coefs.indptr))
    return ax


class _Display:
    """What scikit-learn's displays share: the object that is shown, and the Axes and Figure of the last plot."""

    ax_: Any
    figure_: Any

    def _keep(self, ax: Any) -> None:
        self.ax_ = ax
        self.figure_ = ax.figure


class PathDisplay(_Display):
    """Coefficients along a path, in the manner of scikit-learn's displays.

    Parameters
    ----------
    path : what plot_path draws
    names : names of the features

    Attributes
    ----------
    ax_, figure_ : of the last plot

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import numpy as np
    >>> from svenet import LassoCV, PathDisplay
    >>> X = np.random.default_rng(0).standard_normal((30, 4))
    >>> display = PathDisplay.from_estimator(LassoCV(alphas=20).fit(X, X[:, 0] - X[:, 1]))
    >>> display.ax_.get_ylabel()
    'coefficients'
    """

    def __init__(self, path: Any, *, names: Any = None) -> None:
        settings, coefs, name, _ = _path_of(path)
        self.path = path
        self.names = names
        self._size = f"{len(settings)} {'budgets' if name == 't' else name + 's'}, {len(coefs)} features"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._size})"

    def plot(self, ax: Any = None, *, xvar: str = "lambda", label: int = 0) -> PathDisplay:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes to draw on
        xvar, label : as in plot_path
        """
        self._keep(plot_path(self.path, xvar=xvar, label=label, names=self.names, ax=ax))
        return self

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, names: Any = None, xvar: str = "lambda", label: int = 0, ax: Any = None
    ) -> PathDisplay:
        """Draw the path of a fitted CV estimator, or of a result that plot_path takes.

        Parameters
        ----------
        estimator : the estimator, or the result
        names : names of the features
        xvar, label, ax : as in plot_path
        """
        return cls(estimator, names=names).plot(ax, xvar=xvar, label=label)


class CvDisplay(_Display):
    """The mean error of a cross-validation, in the manner of scikit-learn's displays.

    Parameters
    ----------
    model : what plot_cv draws

    Attributes
    ----------
    ax_, figure_ : of the last plot

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import numpy as np
    >>> from svenet import CvDisplay, LassoCV
    >>> X = np.random.default_rng(0).standard_normal((30, 4))
    >>> CvDisplay.from_estimator(LassoCV(alphas=20).fit(X, X[:, 0])).ax_.get_ylabel()
    'mean squared error'
    """

    def __init__(self, model: Any) -> None:
        curve = _result_of(model).best_curve
        self.model = model
        self._size = f"{len(curve.alphas)} {_tried(model, curve.alphas)[1]}s, {MEASURE_NAMES[curve.measure]}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._size})"

    def plot(self, ax: Any = None) -> CvDisplay:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes to draw on
        """
        self._keep(plot_cv(self.model, ax=ax))
        return self

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> CvDisplay:
        """Draw the errors of a fitted CV estimator, or of a result of cross_validate.

        Parameters
        ----------
        estimator : the estimator, or the result
        ax : matplotlib Axes to draw on
        """
        return cls(estimator).plot(ax)
