"""The elastic net and the Lasso, solved exactly and certified, behind scikit-learn's interface.

>>> from svenet import ElasticNet
>>> model = ElasticNet(alpha=0.1).fit([[0.0, 1.0], [1.0, 0.5], [2.0, 0.0], [3.0, 1.0]], [0.0, 1.0, 2.0, 3.0])
>>> model.coef_.round(4)
array([0.9231, 0.    ])

Estimators are loaded on first use, with scikit-learn; the functions only need NumPy and SciPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._core import __version__
from ._threads import register as _register_threads

if TYPE_CHECKING:
    from ._budget import BudgetElasticNet
    from ._cross_validation import cross_validate
    from ._cv_estimators import ElasticNetCV, LassoCV
    from ._cv_results import CrossValidation
    from ._elastic_net import ElasticNet, Lasso
    from ._folds import make_folds
    from ._glmnet import Glmnet, glmnet
    from ._logistic import LogisticRegression
    from ._logistic_cv import LogisticRegressionCV
    from ._path import budget_path, enet_path, lasso_path
    from ._plink import Genotypes, Plink, read_plink
    from ._plots import CvDisplay, PathDisplay, plot_cv, plot_path
    from ._poisson import PoissonRegressor
    from ._poisson_cv import PoissonRegressorCV
    from ._session import Session, SessionFit
    from ._statistics import Statistics, statistics
    from ._svm import SquaredHingeSVC

_HOMES = {
    "BudgetElasticNet": "_budget",
    "CrossValidation": "_cv_results",
    "CvDisplay": "_plots",
    "ElasticNet": "_elastic_net",
    "ElasticNetCV": "_cv_estimators",
    "Genotypes": "_plink",
    "Glmnet": "_glmnet",
    "Lasso": "_elastic_net",
    "LassoCV": "_cv_estimators",
    "LogisticRegression": "_logistic",
    "LogisticRegressionCV": "_logistic_cv",
    "PathDisplay": "_plots",
    "Plink": "_plink",
    "PoissonRegressor": "_poisson",
    "PoissonRegressorCV": "_poisson_cv",
    "Session": "_session",
    "SessionFit": "_session",
    "SquaredHingeSVC": "_svm",
    "Statistics": "_statistics",
    "budget_path": "_path",
    "cross_validate": "_cross_validation",
    "enet_path": "_path",
    "glmnet": "_glmnet",
    "lasso_path": "_path",
    "make_folds": "_folds",
    "plot_cv": "_plots",
    "plot_path": "_plots",
    "read_plink": "_plink",
    "statistics": "_statistics",
}

__all__ = [
    "BudgetElasticNet",
    "CrossValidation",
    "CvDisplay",
    "ElasticNet",
    "ElasticNetCV",
    "Genotypes",
    "Glmnet",
    "Lasso",
    "LassoCV",
    "LogisticRegression",
    "LogisticRegressionCV",
    "PathDisplay",
    "Plink",
    "PoissonRegressor",
    "PoissonRegressorCV",
    "Session",
    "SessionFit",
    "SquaredHingeSVC",
    "Statistics",
    "__version__",
    "budget_path",
    "cross_validate",
    "enet_path",
    "glmnet",
    "lasso_path",
    "make_folds",
    "plot_cv",
    "plot_path",
    "read_plink",
    "statistics",
]


_register_threads()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'svenet' has no attribute {name!r}")
    value = getattr(import_module(f"svenet.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
