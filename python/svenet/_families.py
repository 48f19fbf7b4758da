"""What the response may be, and what a linear predictor says of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._checks import check_choice
from ._inputs import FloatArray

FAMILIES = ("gaussian", "binomial", "poisson")
PREDICTIONS = ("link", "response", "class")
# cv.glmnet's words for what folds are judged by; the default is the deviance, of a gaussian response mse.
MEASURES = ("default", "mse", "deviance", "class", "auc", "mae")


def check_family(family: Any, owner: str) -> None:
    """One of those that there are."""
    check_choice(family, "family", owner, FAMILIES)


def measure_name(measure: Any, family: str, owner: str) -> str:
    """The measure that is meant; the library refuses those that the family does not have."""
    check_choice(measure, "measure", owner, MEASURES)
    if family == "gaussian" and measure in ("default", "deviance"):
        return "mse"
    return "deviance" if measure == "default" else str(measure)


def transform(eta: FloatArray, family: str, type: str = "response") -> FloatArray:
    """Linear predictors as they are ('link'), as means ('response'), or as the class 0 or 1 ('class')."""
    check_choice(type, "type", "predict", PREDICTIONS)
    values = _core.transform(family, type, np.ascontiguousarray(eta, dtype=np.float64).ravel())
    return values.reshape(np.shape(eta))
