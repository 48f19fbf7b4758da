"""Every data set beside the project: relative gap at most 1e-10 at 40 settings spread over the path,
elastic net and Lasso, recomputed from the data; every fourth setting solved back in the budget form."""
import importlib.util
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse

from world.gaps import Standardized, budget_gap, penalty_gap
from world.paths import SHARED_DATA
from world.program import fit, number, write_npy, write_svmlight

PROMISE = 1e-10
NAMES = ["aquatictox_fp", "arcene", "blogfeedback", "caco_fp", "calhousing", "chowdary", "colon", "diabetes",
         "diabetes_x2", "dorothea", "gas", "hockey", "leukemia", "mice_bmi", "mitfaces", "news20", "prostate",
         "protein", "riboflavin", "singh", "spam", "w8a", "we8there", "wheat", "zipcode"]
LONG = {"arcene", "blogfeedback", "caco_fp", "chowdary", "dorothea", "hockey", "mice_bmi", "news20", "w8a", "we8there"}


def load(name):
    if not (SHARED_DATA / f"{name}.npz").exists():
        pytest.skip(f"{name}: no ../shared/data/{name}.npz")
    specification = importlib.util.spec_from_file_location("shared_data", SHARED_DATA / "load.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.load(name)


@pytest.fixture(scope="module", params=[
    pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in NAMES])
def data(request, tmp_path_factory):
    X, y = load(request.param)
    folder = tmp_path_factory.mktemp(request.param)
    if scipy.sparse.issparse(X):
        X = X[:, : np.flatnonzero(np.diff(X.indptr))[-1] + 1]  # svmlight states no width
        return Standardized(X, y), write_svmlight(folder, X, y)
    return Standardized(X, y), write_npy(folder, X, y)


def lambdas(design, alpha):
    """As glmnet's path, from just below the largest."""
    n, p = design.X.shape
    return design.lambda_max(alpha) * np.geomspace(0.95, 1e-4 if n >= p else 1e-2, 40)


def check(design, files, setting):
    lambda_, alpha, also_budget = setting
    n = len(design.y)
    answer = fit(files, "--lambda", number(lambda_), "--alpha", number(alpha), "--threads", 1)
    gap = penalty_gap(design, answer.standardized, 2 * n * lambda_ * alpha, n * lambda_ * (1 - alpha))
    worst = [(gap, answer.gap, answer.status, lambda_)]
    if also_budget:
        back = fit(files, "--t", number(answer.t), "--lambda2", number(answer.lambda2), "--threads", 1)
        assert np.abs(back.standardized).sum() <= answer.t * (1 + 1e-12)
        gap = budget_gap(design, back.standardized, answer.t, answer.lambda2)
        worst.append((gap, back.gap, back.status, f"t = {answer.t}"))
    return max(worst, key=lambda result: result[0])


@pytest.mark.parametrize("alpha", [0.5, 1.0], ids=["elastic_net", "lasso"])
def test_gap_over_the_path(data, alpha):
    design, files = data
    settings = [(lambda_, alpha, k % 4 == 0) for k, lambda_ in enumerate(lambdas(design, alpha))]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda setting: check(design, files, setting), settings))
    worst = max(results, key=lambda result: result[0])
    assert worst[0] <= PROMISE, f"gap {worst[0]:.1e}, claimed {worst[1]:.1e}, {worst[2]}, at {worst[3]}"
    assert all(result[2] in ("optimal", "not_unique", "ridge") for result in results)
