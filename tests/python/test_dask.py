"""svenet.dask on a real cluster of four processes: the answers of the rows in memory, also when a worker dies."""

import os
import signal
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.special import expit, xlogy
from sklearn.base import clone
from sklearn.model_selection import KFold, ShuffleSplit

import svenet

dask = pytest.importorskip("dask")
cloudpickle = pytest.importorskip("cloudpickle")

import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

import svenet.dask as on_dask  # noqa: E402
from python.dask_support import client, same_fit, wait_for  # noqa: E402, F401
from svenet._dask_logistic import Classes, Penalties, Point, bound_at, sums_at  # noqa: E402

# Workers cannot import the tests.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((1500, 15)) + 10 * rng.standard_normal(15)
    return X, X[:, :3] @ [1.0, -2.0, 0.5] + rng.standard_normal(1500), rng.uniform(0, 2, 1500)


def check_one(data, options, chunks=(170, 15)):
    X, y, weights = data
    lazy = da.from_array(X, chunks=chunks)
    found = on_dask.ElasticNet(0.1, **options).fit(lazy, da.from_array(y, chunks=400), da.from_array(weights, chunks=70))
    same_fit(found, svenet.ElasticNet(0.1, **options).fit(X, y, weights))
    return found


def test_one_alpha(client, data):
    X, y, weights = data
    found = check_one(data, {})
    expected = svenet.ElasticNet(0.1).fit(X, y, weights)
    np.testing.assert_allclose(found.dual_gap_, expected.dual_gap_, atol=1e-12)
    assert found.support_certificate_ == expected.support_certificate_
    assert found.n_features_in_ == 15
    lazy = da.from_array(X, chunks=(170, 4))
    predicted = found.predict(lazy)
    assert isinstance(predicted, da.Array) and predicted.chunks == (lazy.chunks[0],)
    np.testing.assert_allclose(predicted.compute(), expected.predict(X), atol=1e-8)
    np.testing.assert_allclose(found.predict(X[:5]), expected.predict(X[:5]), atol=1e-8)
    np.testing.assert_allclose(found.score(lazy, y, weights), expected.score(X, y, weights), atol=1e-10)
    np.testing.assert_allclose(found.score(lazy, da.from_array(y, chunks=99)), expected.score(X, y), atol=1e-10)


@pytest.mark.parametrize("options", [
    {"l1_ratio": 0.0}, {"fit_intercept": False}, {"standardize": True}, {"positive": True},
    {"penalty_factor": [0.0] + [1.0] * 14}, {"lower": -0.5, "upper": 0.7}])
def test_parameters(data, options):
    """Without a cluster dask has threads."""
    with dask.config.set(scheduler="threads"):
        check_one(data, options, (170, 4))


def test_lasso(client, data):
    X, y, _ = data
    offset = X[:, 5]
    lazy = da.from_array(X, chunks=(400, 15))
    found = clone(on_dask.Lasso(0.05)).fit(lazy, y, offset=da.from_array(offset, chunks=1500))
    same_fit(found, svenet.Lasso(0.05).fit(X, y, offset=offset))
    np.testing.assert_allclose(
        found.predict(lazy, offset=offset).compute(), svenet.Lasso(0.05).fit(X, y, offset=offset).predict(X, offset), atol=1e-8
    )


@pytest.mark.parametrize("cv", [None, 3, KFold(4, shuffle=True, random_state=0), "numbers", "lazy"])
def test_cross_validation(client, data, cv):
    X, y, weights = data
    numbers = np.arange(1500) * 7 % 4
    theirs = [(np.flatnonzero(numbers != k), np.flatnonzero(numbers == k)) for k in range(4)]
    mine = {"numbers": numbers, "lazy": da.from_array(numbers, chunks=500)}.get(cv) if isinstance(cv, str) else cv
    options = {"l1_ratio": [0.5, 1.0], "alphas": 30}
    found = on_dask.ElasticNetCV(cv=mine, **options).fit(da.from_array(X, chunks=(170, 15)), y, weights)
    expected = svenet.ElasticNetCV(cv=theirs if isinstance(cv, str) else cv, **options).fit(X, y, weights)
    same_fit(found, expected)
    assert found.mse_path_.shape == expected.mse_path_.shape
    np.testing.assert_allclose(found.mse_path_, expected.mse_path_, rtol=1e-8)
    np.testing.assert_allclose([found.alpha_, found.alpha_1se_], [expected.alpha_, expected.alpha_1se_], rtol=1e-10)
    assert found.l1_ratio_ == expected.l1_ratio_ and found.fold_gaps_.max() <= 1e-10


def test_tables(client, data):
    """Partitions of unknown lengths, some of them empty."""
    X, y, _ = data
    table = pd.DataFrame(X, columns=[f"c{j}" for j in range(15)]).assign(y=y, flag=(np.arange(1500) // 200) % 3 == 0)
    lazy = dd.from_pandas(table, npartitions=11)
    lazy, kept = lazy[lazy["flag"]], table[table["flag"]]
    features = [f"c{j}" for j in range(15)]
    expected = svenet.LassoCV(alphas=20).fit(kept[features], kept["y"])
    found = on_dask.LassoCV(alphas=20).fit(lazy[features], lazy["y"])
    same_fit(found, expected)
    np.testing.assert_allclose(found.mse_path_, expected.mse_path_, rtol=1e-8)
    assert list(found.feature_names_in_) == features
    np.testing.assert_allclose(found.predict(lazy[features]).compute(), expected.predict(kept[features]), atol=1e-8)
    same_fit(on_dask.Lasso(0.1).fit(lazy[features], kept["y"]), svenet.Lasso(0.1).fit(kept[features], kept["y"]))
    with pytest.raises(ValueError, match="feature names should match"):
        found.predict(lazy[features[::-1]])
    total = on_dask.statistics(lazy[features], lazy["y"])
    assert total.feature_names == features and total.n_samples == len(kept)


def test_sparse_blocks(data):
    X, y, _ = data
    X = np.where(np.abs(X) < 2, 0, X)
    lazy = da.from_array(X, chunks=(300, 15)).map_blocks(sparse.csr_array)
    with dask.config.set(scheduler="synchronous"):
        found = on_dask.ElasticNet(0.1).fit(lazy, y)
        np.testing.assert_allclose(found.predict(lazy).compute(), found.predict(X), atol=1e-9)
    same_fit(found, svenet.ElasticNet(0.1).fit(X, y))


def test_the_answer_does_not_depend_on_the_workers(client, data):
    """The same bits from four processes and from one thread; other blocks change roundings alone."""
    X, y, weights = data
    model = on_dask.ElasticNetCV(alphas=20, cv=4)
    lazy = da.from_array(X, chunks=(130, 15))
    of_four = clone(model).fit(lazy, y, weights)
    with dask.config.set(scheduler="synchronous"):
        of_one = clone(model).fit(lazy, y, weights)
        other_blocks = clone(model).fit(da.from_array(X, chunks=(400, 15)), y, weights)
    assert (of_four.coef_ == of_one.coef_).all() and of_four.intercept_ == of_one.intercept_
    assert (of_four.mse_path_ == of_one.mse_path_).all()
    np.testing.assert_allclose(other_blocks.coef_, of_one.coef_, rtol=0, atol=1e-12)
    np.testing.assert_allclose(other_blocks.mse_path_, of_one.mse_path_, rtol=1e-12)


@pytest.fixture(scope="module")
def classes(data):
    X, y, weights = data
    rng = np.random.default_rng(5)
    return X, np.where(y - np.median(y) + 2 * rng.standard_normal(1500) > 0, "yes", "no"), weights


def in_memory(X, y, weights=None, **options):
    """As exact as the losses in memory allow: a gap leaves its root in the coefficients."""
    return svenet.LogisticRegression(tol=1e-12 if options.get("l1_ratio") == 1 else 1e-15, **options).fit(X, y, weights)


def same_classifier(found, expected):
    same_fit(found, expected)
    np.testing.assert_allclose(found.deviance_, expected.deviance_, rtol=1e-9)
    np.testing.assert_allclose(found.null_deviance_, expected.null_deviance_, rtol=1e-9)
    np.testing.assert_allclose([found.lambda1_, found.lambda2_, found.t_], [expected.lambda1_, expected.lambda2_, expected.t_],
                               rtol=1e-9)
    assert found.support_certificate_ == expected.support_certificate_


@pytest.mark.parametrize("options", [
    {}, {"l1_ratio": 1.0, "C": 0.02}, {"l1_ratio": 0.5, "C": 0.1}, {"l1_ratio": 1.0, "C": 100.0}, {"C": 1e4},
    {"l1_ratio": 1.0, "C": 0.1, "fit_intercept": False}, {"l1_ratio": 0.3, "class_weight": "balanced"},
    {"l1_ratio": 1.0, "C": 1e-9}, {"l1_ratio": 1.0, "C": 0.1, "class_weight": {"yes": 3.0}}])
@pytest.mark.parametrize("weighted", [False, True])
def test_logistic(classes, options, weighted):
    X, y, weights = classes
    weights = weights if weighted else None
    with dask.config.set(scheduler="synchronous"):
        found = on_dask.LogisticRegression(**options).fit(da.from_array(X, chunks=(400, 15)), y, weights)
    same_classifier(found, in_memory(X, y, weights, **options))


def test_logistic_with_free_features(classes):
    """And one that is left out."""
    X, y, _ = classes
    options = {"l1_ratio": 1.0, "C": 0.02, "penalty_factor": [0.0, 0.0] + [1.0] * 12 + [np.inf]}
    with dask.config.set(scheduler="synchronous"):
        found = on_dask.LogisticRegression(**options).fit(da.from_array(X, chunks=(400, 15)), y)
    same_fit(found, in_memory(X, y, **options))


def test_logistic_gap_is_a_bound(classes):
    """Stopped early, the objective is at most the gap above the optimum: of every step on the way."""
    X, y, _ = classes
    lazy = da.from_array(X, chunks=(400, 15))
    for ratio in (0.0, 0.5, 1.0):
        best = in_memory(X, y, C=0.05, l1_ratio=ratio)
        for steps in (1, 2, 3, 4):
            with dask.config.set(scheduler="synchronous"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = on_dask.LogisticRegression(C=0.05, l1_ratio=ratio, max_iter=steps).fit(lazy, y)

            def objective(model):
                w = model.coef_[0]
                return 0.05 * model.deviance_ / 2 + ratio * np.abs(w).sum() + (1 - ratio) / 2 * w @ w

            above = objective(found) - objective(best)
            assert -1e-9 <= above <= found.dual_gap_ + 1e-9
            assert found.n_iter_.tolist() == [steps] and found.n_iter_.dtype == best.n_iter_.dtype
            truth = 2 * np.logaddexp(0, np.where(y == "yes", -1, 1) * found.decision_function(X)).sum()
            np.testing.assert_allclose(found.deviance_, truth)


def test_logistic_on_the_cluster(client, classes):
    X, y, _ = classes
    table = pd.DataFrame(X, columns=[f"c{j}" for j in range(15)])
    lazy, truth = dd.from_pandas(table, npartitions=5), dd.from_pandas(pd.Series(y, name="y"), npartitions=5)
    found = on_dask.LogisticRegression(l1_ratio=1.0, C=0.05).fit(lazy, truth)
    expected = in_memory(table, y, l1_ratio=1.0, C=0.05)
    same_classifier(found, expected)
    assert list(found.feature_names_in_) == list(table.columns) and found.classes_.tolist() == ["no", "yes"]
    for name in ("predict", "decision_function", "predict_proba", "predict_log_proba"):
        predicted = getattr(found, name)(lazy)
        assert isinstance(predicted, da.Array)
        mine, theirs = predicted.compute(), getattr(expected, name)(table)
        assert (mine == theirs).all() if name == "predict" else np.allclose(mine, theirs, atol=1e-8)
    np.testing.assert_allclose(found.score(lazy, truth), expected.score(table, y))
    np.testing.assert_allclose(found.score(table, y), expected.score(table, y))


def rare_class():
    """From the intercept alone whole steps lead far beyond the optimum."""
    x = np.r_[np.ones(10), np.zeros(990)]
    X = np.column_stack([x, np.sin(np.arange(1000))])
    return X, np.isin(np.arange(1000), [0, 1, 2, 3, 4, 500, 600]).astype(int)


def outliers():
    """Rows that are all but certain, some of them of the other class."""
    rng = np.random.default_rng(5)
    X = rng.standard_t(1, size=(400, 2))
    X *= np.sqrt(np.abs(X))
    return X, (3 * X[:, 0] / (1 + np.abs(X[:, 0])) + rng.logistic(size=400) > 0).astype(int)


@pytest.mark.filterwarnings("ignore:Stopped after")  # rows in memory: the tolerance is at the rounding of outliers
@pytest.mark.parametrize("make", [rare_class, outliers])
@pytest.mark.parametrize("options", [{"C": 10.0}, {"C": 1.0, "l1_ratio": 1.0}])
def test_logistic_far_from_the_start(make, options):
    X, y = make()
    with dask.config.set(scheduler="synchronous"):
        found = on_dask.LogisticRegression(**options).fit(da.from_array(X, chunks=(300, 2)), y)
    expected = svenet.LogisticRegression(tol=1e-12, **options).fit(X, y)
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-6)
    assert found.relative_gap_ <= 1e-10 and found.n_iter_[0] < 30


def at_a_point(classes, free=0, seed=0):
    """A point near the optimum, with the sums there; and X, y and w of these."""
    X, y, w = classes
    rng = np.random.default_rng(seed)
    factors = np.r_[np.zeros(free), rng.uniform(0.5, 2, 15 - free)]
    truth = Classes(np.array(["no", "yes"]), np.array([w @ (y == "no"), w @ (y == "yes")]), w @ X)
    start = Point.without_features(truth, None, factors, True)
    near = svenet.LogisticRegression(C=0.1, l1_ratio=0.5, penalty_factor=factors).fit(X, y, w)
    coef = np.where(near.coef_[0] == 0, 0, near.coef_[0] + 1e-3 * rng.standard_normal(15))
    point = replace(start, coef=coef, intercept=float(near.intercept_[0] - X.mean(axis=0) @ (coef - near.coef_[0]) + 0.01))
    return point, sums_at(X, y, w, point), factors


@pytest.mark.parametrize("free", [0, 2])
@pytest.mark.parametrize("ridge", [5.0, 0.0])
def test_logistic_gap_from_the_rows(classes, free, ridge):
    """The gap of eq. 69 at the same dual point, row by row: that of the sums is at least this, and not much more."""
    X, y, w = classes
    point, sums, f = at_a_point(classes, free)
    h = 5.0
    if ridge == 0:  # at the edge: every product keeps its bound only if the dual point is shrunk
        h = np.abs(bound_at(sums, point, Penalties(h, 1.0, f)).products / np.where(f > 0, f, np.inf)).max() * 0.99
    mean = expit(X @ point.coef + point.intercept)
    curvature, truth = mean * (1 - mean), (y == "yes").astype(float)
    centred = X - w @ X / w.sum()
    Z = np.column_stack([np.ones(1500), centred[:, :free]])
    gamma = np.linalg.solve(Z.T @ ((w * curvature)[:, None] * Z), Z.T @ (w * (truth - mean)))
    whole = mean + curvature * (Z @ gamma)
    penalised = f > 0
    fp, b, c = f[penalised], point.coef[penalised], (centred.T @ (w * (truth - whole)))[penalised]
    np.testing.assert_allclose(Z.T @ (w * (truth - whole)), 0, atol=1e-9)
    kappa = 1.0 if ridge else min(1.0, (h * fp / np.abs(c)).min())
    assert ridge or 0.98 < kappa < 1
    q = truth - kappa * (truth - whole)
    divergence = xlogy(q, q / mean) + xlogy(1 - q, (1 - q) / (1 - mean))
    best = np.maximum(kappa * np.abs(c) - h * fp, 0) ** 2 / (ridge * fp) if ridge else 0
    losses = ridge * fp * b**2 + 2 * h * fp * np.abs(b) - 2 * b * kappa * c + best
    expected = 2 * w @ divergence + losses.sum()
    bound = bound_at(sums, point, Penalties(h, ridge, f))
    np.testing.assert_allclose(bound.products[penalised], c, rtol=1e-9, atol=1e-9)
    assert expected * (1 - 1e-9) <= bound.gap <= 4 * expected


def test_logistic_refusals(classes):
    X, y, weights = classes
    lazy = da.from_array(X, chunks=(500, 15))
    with dask.config.set(scheduler="synchronous"):
        for options in ({"C": np.inf}, {"standardize": True}, {"positive": True}, {"lower": -1.0}):
            with pytest.raises(ValueError, match="need the rows in memory"):
                on_dask.LogisticRegression(**options).fit(lazy, y)
        with pytest.raises(ValueError, match="only one class: .*no"):
            on_dask.LogisticRegression().fit(lazy, np.full(1500, "no"))
        with pytest.raises(ValueError, match="y has 3 classes"):
            on_dask.LogisticRegression().fit(lazy, np.arange(1500) % 3)
        with pytest.raises(ValueError, match="Negative values"):
            on_dask.LogisticRegression().fit(lazy, y, -weights)
        with pytest.raises(ValueError, match="rows of class .*no.* have no weight"):
            on_dask.LogisticRegression().fit(lazy, y, (y == "yes").astype(float))


def test_a_worker_that_is_killed(client, data, tmp_path):
    X, y, _ = data
    plain = da.from_array(X, chunks=(100, 15))
    held = plain.map_blocks(lambda block, block_info=None: wait_for(str(tmp_path), block, block_info), dtype=float,
                            meta=np.empty((0, 0)))
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(on_dask.ElasticNetCV(cv=3, alphas=20).fit, held, y)
        while not answer.done() and not list(tmp_path.iterdir()):
            time.sleep(0.01)
        number, process = next(tmp_path.iterdir()).name.split("-")
        os.kill(int(process), signal.SIGKILL)
        (tmp_path / "go").touch()
        found = answer.result()
    again = [path.name for path in tmp_path.iterdir() if path.name.startswith(f"{number}-")]
    assert len(again) >= 2, "the block of the dead worker is summed up by another"
    expected = on_dask.ElasticNetCV(cv=3, alphas=20).fit(plain, y)
    assert (found.coef_ == expected.coef_).all() and (found.mse_path_ == expected.mse_path_).all()
    same_fit(found, svenet.ElasticNetCV(cv=3, alphas=20).fit(X, y))


def test_refusals(data):
    X, y, weights = data
    lazy = da.from_array(X, chunks=(500, 15))
    with dask.config.set(scheduler="synchronous"):
        with pytest.raises(TypeError, match="takes X as a dask array or dataframe, not ndarray"):
            on_dask.ElasticNet().fit(X, y)
        with pytest.raises(ValueError, match="X has 1500 rows, y has 1499"):
            on_dask.ElasticNet().fit(lazy, y[1:])
        with pytest.raises(ValueError, match="must be one-dimensional"):
            on_dask.ElasticNet().fit(lazy, np.column_stack([y, y]))
        with pytest.raises(ValueError, match="Input X contains NaN"):
            on_dask.ElasticNet().fit(da.where(lazy > 12, np.nan, lazy), y)
        with pytest.raises(ValueError, match="test every row once"):
            on_dask.LassoCV(cv=ShuffleSplit(3)).fit(lazy, y)
        with pytest.raises(ValueError, match="relaxed fits need the rows"):
            on_dask.LassoCV(relax=True).fit(lazy, y)
        with pytest.raises(ValueError, match="whole numbers"):
            on_dask.LassoCV(cv=np.linspace(0, 1, 1500)).fit(lazy, y)
        with pytest.raises(ValueError, match="X has no rows"):
            on_dask.ElasticNet().fit(lazy[:0], y[:0])
        with pytest.raises(ValueError, match="alpha"):
            on_dask.ElasticNet(-1.0).fit(lazy, y)
        model = on_dask.ElasticNet().fit(lazy, y)
        with pytest.raises(ValueError, match="X has 14 features, but ElasticNet is expecting 15"):
            model.predict(lazy[:, 1:])
