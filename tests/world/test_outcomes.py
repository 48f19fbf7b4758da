"""Binomial and poisson responses of the program against the real glmnet and scikit-learn: seeded problems with
weights, penalty factors and shares, and real data."""
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, PoissonRegressor

from world import glmnet
from world.program import fit, number, write_npy, write_vector

SCRIPT = Path(__file__).with_name("outcomes.R")
# The program's gap is below 1e-13 here; what is left is glmnet's own error at thresh 1e-20, of its clamped
# probabilities and its outer loop.
PARITY = 1e-6
DEVIANCE_PARITY = 1e-9
TIGHT = ["--tolerance", "1e-13"]


def seeded(family, n, p, seed, shares=False):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, p)) * random.uniform(0.5, 3, p) + random.standard_normal(p)
    eta = (X - X.mean(0)) @ (random.standard_normal(p) * (random.random(p) < 0.3))
    eta = eta / max(np.std(eta), 1e-3)
    w = random.integers(1, 6, n).astype(float)
    if family == "binomial":
        mean = 1 / (1 + np.exp(-eta))
        y = random.binomial(w.astype(int), mean) / w if shares else (random.random(n) < mean).astype(float)
    else:
        y = random.poisson(np.exp(0.7 * eta)) / (w if shares else 1)
    f = random.uniform(0.5, 2, p)
    f[0] = 0
    return X, y, w, f


def by_glmnet(folder, family, alpha, lambdas, X, y, w, f):
    columns = {"x": X, "y": y, "w": w, "o": np.zeros(len(y)), "f": f, "lambda": lambdas}
    for name, values in columns.items():
        np.savetxt(folder / f"{name}.csv", values, delimiter=",", fmt="%.17g")
    subprocess.run(["Rscript", SCRIPT, folder, family, str(alpha)], check=True)
    return np.loadtxt(folder / "out.csv", delimiter=",", ndmin=2)


def assert_same(answer, row):
    """A row of glmnet's: lambda, intercept, share of the deviance explained, null deviance, coefficients."""
    assert answer.status == "optimal"
    assert answer.gap <= 1e-13
    largest = np.max(np.abs(row[4:]))
    assert np.max(np.abs(answer.coefficients - row[4:])) <= PARITY * largest
    assert abs(answer.intercept - row[1]) <= PARITY * max(1, abs(row[1]), largest)


@pytest.mark.skipif(not glmnet.is_available(), reason="R and glmnet are not here")
@pytest.mark.parametrize("family", ["binomial", "poisson"])
@pytest.mark.parametrize("n, p, alpha, shares", [(120, 12, 1, False), (60, 100, 0.5, False), (80, 20, 0.7, True)])
def test_glmnet(family, n, p, alpha, shares, tmp_path):
    X, y, w, f = seeded(family, n, p, n + p, shares)
    files = write_npy(tmp_path, X, y)
    extra = ["--weights", write_vector(tmp_path / "weights.txt", w),
             "--penalty-factors", write_vector(tmp_path / "factors.txt", f), "--family", family, "--glmnet", *TIGHT]
    first = fit(files, "--lambda", "1e3", "--alpha", str(alpha), *extra)
    lambdas = np.array([0.2, 0.05, 0.02])
    table = by_glmnet(tmp_path, family, alpha, lambdas, X, y, w, f)
    assert abs(table[0, 3] / first.null_deviance - 1) <= 1e-9
    for row in table:
        answer = fit(files, "--lambda", number(row[0]), "--alpha", str(alpha), *extra)
        assert_same(answer, row)
        assert abs(1 - answer.deviance / answer.null_deviance - row[2]) <= DEVIANCE_PARITY


@pytest.mark.parametrize("C, l1_ratio", [(0.5, 1.0), (1.0, 0.5), (0.3, 0.0)])
def test_logistic_regression(C, l1_ratio, tmp_path):
    X, y, _, _ = seeded("binomial", 80, 10, 3)  # with weights saga does not converge
    X = (X - X.mean(0)) / X.std(0)
    # lambda1 = 2 l1_ratio / C and lambda2 = (1 - l1_ratio) / C
    answer = fit(write_npy(tmp_path, X, y), "--lambda1", number(2 * l1_ratio / C), "--lambda2",
                 number((1 - l1_ratio) / C), "--family", "binomial", "--no-standardize", *TIGHT)
    peer = LogisticRegression(C=C, l1_ratio=l1_ratio, solver="saga", tol=1e-13, max_iter=100000).fit(X, y)
    assert np.max(np.abs(answer.coefficients - peer.coef_[0])) <= PARITY * np.max(np.abs(peer.coef_))
    assert abs(answer.intercept - peer.intercept_[0]) <= PARITY


def test_poisson_regressor(tmp_path):
    X, y, w, _ = seeded("poisson", 80, 10, 4)
    answer = fit(write_npy(tmp_path, X, y), "--lambda", "0.1", "--alpha", "0", "--family", "poisson",
                 "--no-standardize", *TIGHT, "--weights", write_vector(tmp_path / "weights.txt", w))
    peer = PoissonRegressor(alpha=0.1, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(X, y, sample_weight=w)
    assert np.max(np.abs(answer.coefficients - peer.coef_)) <= PARITY * np.max(np.abs(peer.coef_))
    assert abs(answer.intercept - peer.intercept_) <= PARITY
