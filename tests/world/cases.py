"""The problems on which sven is compared with scikit-learn and glmnet: every data set, with every
combination of options, at settings spread over the path. All seeded."""
import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

import numpy as np
import scipy.sparse
from sklearn.datasets import load_diabetes

from world.paths import ROOT


@dataclass
class Data:
    name: str
    X: np.ndarray  # or scipy.sparse
    y: np.ndarray

    @property
    def is_sparse(self):
        return scipy.sparse.issparse(self.X)

    @cached_property
    def dense(self):
        return self.X.toarray() if self.is_sparse else self.X


@dataclass
class Case:
    data: Data
    intercept: bool = True
    standardize: bool = True
    weights: Optional[np.ndarray] = None
    factors: Optional[np.ndarray] = None
    nonnegative: bool = False
    lambda_fraction: float = 0.1  # of the smallest lambda at which nothing is selected
    alpha: float = 1.0

    @property
    def name(self):
        parts = [self.data.name]
        parts += [] if self.intercept else ["no intercept"]
        parts += [] if self.standardize else ["no standardise"]
        parts += [] if self.weights is None else ["weights"]
        if self.factors is not None:
            parts += ["factors" if np.all((self.f > 0) & np.isfinite(self.f)) else "special factors"]
        parts += ["nonnegative"] if self.nonnegative else []
        return ", ".join([*parts, f"{self.lambda_fraction:g} of lambda_max, alpha {self.alpha:g}"])

    @cached_property
    def w(self):
        return np.ones(len(self.data.y)) if self.weights is None else self.weights

    @cached_property
    def f(self):
        return np.ones(self.data.X.shape[1]) if self.factors is None else self.factors

    @cached_property
    def scales(self):
        """What sven divides the columns by: centred also without an intercept."""
        if not self.standardize:
            return np.ones(self.data.X.shape[1])
        mean = np.average(self.data.dense, axis=0, weights=self.w)
        deviation = np.sqrt(np.average((self.data.dense - mean) ** 2, axis=0, weights=self.w))
        return np.where(deviation > 0, deviation, 1.0)

    @cached_property
    def design(self):
        """X and y as the objective sees them: scaled, centred, rows times the root of the weight."""
        X, y = self.data.dense / self.scales, self.data.y
        if self.intercept:
            X = X - np.average(X, axis=0, weights=self.w)
            y = y - np.average(y, weights=self.w)
        root = np.sqrt(self.w)
        return X * root[:, None], y * root

    @cached_property
    def lambda_(self):
        X, y = self.design
        free = self.f == 0
        if free.any():
            y = y - X[:, free] @ np.linalg.lstsq(X[:, free], y, rcond=None)[0]
        penalised = (self.f > 0) & np.isfinite(self.f)
        products = X[:, penalised].T @ y / self.f[penalised]
        largest = np.max(products) if self.nonnegative else np.max(np.abs(products))
        return self.lambda_fraction * largest / self.w.sum() / max(self.alpha, 1e-3)


def random_problem(name, n, p, seed, density=None):
    rng = np.random.default_rng(seed)
    if density is None:
        common = rng.standard_normal((n, 1))
        X = 0.6 * common + rng.standard_normal((n, p)) + rng.uniform(-3, 3, p)
        X *= rng.uniform(0.2, 5, p)
    else:
        X = scipy.sparse.random(n, p, density, "lil", random_state=rng, data_rvs=rng.standard_normal)
        X[0, p - 1] = 1.5  # svmlight states the width by its last entry
        X = X.tocsc()
    beta = np.zeros(p)
    beta[rng.permutation(p)[: max(3, p // 6)]] = rng.standard_normal(max(3, p // 6))
    y = 2 + X @ beta
    return Data(name, X, y + 0.5 * y.std() * rng.standard_normal(n))


def data_sets():
    prostate = np.loadtxt(ROOT / "data/prostate.csv", delimiter=",", skiprows=1)
    X, y = load_diabetes(return_X_y=True, scaled=False)
    return [
        Data("prostate", prostate[:, :-1], prostate[:, -1]),
        Data("diabetes", X, y),
        random_problem("tall", 120, 9, 1),
        random_problem("square", 40, 40, 2),
        random_problem("wide", 35, 110, 3),
        random_problem("sparse tall", 150, 30, 4, density=0.15),
        random_problem("sparse wide", 60, 140, 5, density=0.1),
    ]


def some_weights(data):
    return np.random.default_rng(len(data.y)).uniform(0.1, 3, len(data.y))


def some_factors(data, special):
    """Factors between 0.3 and 3; `special`: with a feature left unpenalised and one left out."""
    factors = np.random.default_rng(data.X.shape[1]).uniform(0.3, 3, data.X.shape[1])
    if special:
        factors[1] = 0
        factors[3] = np.inf
    return factors


EXTRAS = ["plain", "weights", "factors", "special factors", "nonnegative", "all"]
SETTINGS = [(0.5, 0.5), (0.1, 1.0), (0.02, 0.3)]  # fraction of lambda_max, alpha


def make_case(data, intercept, standardize, extra, setting):
    case = Case(data, intercept, standardize, lambda_fraction=setting[0], alpha=setting[1])
    if extra in ("weights", "all"):
        case.weights = some_weights(data)
    if extra in ("factors", "special factors", "all"):
        case.factors = some_factors(data, special=extra == "special factors")
    case.nonnegative = extra in ("nonnegative", "all")
    return case


def all_cases():
    flags = [True, False]
    return [make_case(*c) for c in itertools.product(data_sets(), flags, flags, EXTRAS, SETTINGS)]
