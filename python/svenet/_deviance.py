"""The deviance of any linear predictor."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from ._inputs import FloatArray


def deviance(y: FloatArray, eta: FloatArray, weights: FloatArray | None, family: str) -> float:
    """Twice the loss above that of the best fit to each row, summed by the weights; of a gaussian response the sum of
    squares."""
    if family == "gaussian":
        losses = (y - eta) ** 2
    elif family == "binomial":
        losses = 2 * (np.logaddexp(0, eta) - y * eta + xlogy(y, y) + xlogy(1 - y, 1 - y))
    else:
        losses = 2 * (np.exp(eta) - y * eta + xlogy(y, y) - y)
    return float(losses.sum() if weights is None else weights @ losses)
