"""Problems for the tests of the Python package; all seeded."""

import numpy as np
import pytest
from scipy import sparse


class Data:
    """X, y and weights, with X in every kind of storage."""

    def __init__(self, rows, cols, seed=0, noise=1.0):
        rng = np.random.default_rng(seed)
        self.X = rng.standard_normal((rows, cols)) * (rng.random((rows, cols)) < 0.6)
        self.X += 0.3 * rng.standard_normal((rows, 1)) * (self.X != 0)
        truth = np.where(np.arange(cols) % 4 == 0, rng.standard_normal(cols), 0)
        self.y = 2 + self.X @ truth + noise * rng.standard_normal(rows)
        self.w = rng.uniform(0.2, 3, rows)

    def stored(self, kind):
        if kind == "C":
            return np.ascontiguousarray(self.X)
        if kind == "F":
            return np.asfortranarray(self.X)
        return getattr(sparse, kind)(self.X)


@pytest.fixture(scope="session")
def tall():
    return Data(80, 12)


@pytest.fixture(scope="session")
def wide():
    return Data(30, 60, seed=1)
