"""svenet.dask on wide arrays in blocks of columns: the answers of X in memory, also when a worker dies."""

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import KFold

import svenet

dask = pytest.importorskip("dask")
cloudpickle = pytest.importorskip("cloudpickle")

import dask.array as da  # noqa: E402

import svenet.dask as on_dask  # noqa: E402
from python.dask_support import client, same_fit, wait_for  # noqa: E402, F401

# Workers cannot import the tests.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def wide():
    rng = np.random.default_rng(8)
    X = rng.standard_normal((120, 700)) + 3 * rng.standard_normal(700)
    return X, X[:, :4] @ [1.0, -2.0, 0.5, 3.0] + rng.standard_normal(120), rng.uniform(0.1, 2, 120)


def in_columns(X, chunks=(50, 190)):
    return da.from_array(X, chunks=chunks)


def test_wide_arrays_stay_in_their_columns(client, wide, monkeypatch):
    X, y, weights = wide
    monkeypatch.setattr(on_dask, "sum_up", None)  # rows are not summed
    found = on_dask.ElasticNet(0.1).fit(in_columns(X), da.from_array(y, chunks=50), da.from_array(weights, chunks=40))
    expected = svenet.ElasticNet(0.1).fit(X, y, weights)
    same_fit(found, expected)
    assert found.support_certificate_ == expected.support_certificate_ and found.n_features_in_ == 700
    predicted = found.predict(in_columns(X))
    assert isinstance(predicted, da.Array)
    np.testing.assert_allclose(predicted.compute(), expected.predict(X), atol=1e-8)


@pytest.mark.parametrize("options", [
    {"fit_intercept": False}, {"standardize": True}, {"positive": True}, {"penalty_factor": [0.0] * 2 + [1.0] * 698},
    {"lower": -0.5, "upper": 0.7}])
def test_parameters_in_columns(wide, options):
    X, y, weights = wide
    with dask.config.set(scheduler="threads"):
        found = on_dask.ElasticNet(0.1, **options).fit(in_columns(X), y, weights)
    same_fit(found, svenet.ElasticNet(0.1, **options).fit(X, y, weights))


@pytest.mark.parametrize("cv", [3, KFold(4, shuffle=True, random_state=0), "lazy"])
@pytest.mark.filterwarnings("ignore:.*not relaxed")
def test_cross_validation_in_columns(client, wide, cv):
    X, y, weights = wide
    numbers = np.arange(120) * 7 % 4
    theirs = [(np.flatnonzero(numbers != k), np.flatnonzero(numbers == k)) for k in range(4)]
    mine = da.from_array(numbers, chunks=50) if isinstance(cv, str) else cv
    options = {"l1_ratio": [0.5, 1.0], "alphas": 10, "relax": True}
    found = on_dask.ElasticNetCV(cv=mine, **options).fit(in_columns(X).persist(), y, weights)
    expected = svenet.ElasticNetCV(cv=theirs if isinstance(cv, str) else cv, **options).fit(X, y, weights)
    same_fit(found, expected)
    np.testing.assert_allclose(found.mse_path_, expected.mse_path_, rtol=1e-8)
    assert found.fold_gaps_.max() <= 1e-10


def test_classes_and_sparse_blocks_in_columns(client, wide):
    X, y, weights = wide
    X = np.where(np.abs(X) < 2, 0, X)
    classes = np.where(y > np.median(y), "high", "low")
    lazy = in_columns(X, (120, 300)).map_blocks(sparse.csc_array)
    expected = svenet.LogisticRegression(C=0.5, l1_ratio=0.9, standardize=True).fit(X, classes, weights)
    found = on_dask.LogisticRegression(C=0.5, l1_ratio=0.9, standardize=True).fit(lazy, classes, weights)
    np.testing.assert_allclose(found.coef_, expected.coef_, atol=1e-8)
    assert list(found.classes_) == ["high", "low"] and found.relative_gap_ <= 1e-10
    same_fit(on_dask.Lasso(0.1).fit(lazy, y), svenet.Lasso(0.1).fit(X, y))


def test_refusals_in_columns(wide):
    X, y, _ = wide
    with dask.config.set(scheduler="threads"):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            on_dask.ElasticNet().fit(in_columns(np.where(X > 9, np.nan, X)), y)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            on_dask.ElasticNet().fit(in_columns(X), y[1:])
        with pytest.raises(ZeroDivisionError, match="in a block"):
            on_dask.ElasticNet().fit(in_columns(X).map_blocks(fail, dtype=float, meta=np.empty((0, 0))), y)


def fail(block):
    raise ZeroDivisionError("in a block")


def test_a_worker_that_is_killed_in_columns(client, wide, tmp_path):
    X, y, _ = wide
    plain = in_columns(X, (120, 190))
    held = plain.map_blocks(lambda block, block_info=None: wait_for(str(tmp_path), block, block_info), dtype=float,
                            meta=np.empty((0, 0)))
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(on_dask.ElasticNetCV(cv=3, alphas=12).fit, held.persist(), y)
        while not answer.done() and not list(tmp_path.iterdir()):
            time.sleep(0.01)
        os.kill(int(next(tmp_path.iterdir()).name.split("-")[1]), signal.SIGKILL)
        (tmp_path / "go").touch()
        found = answer.result()
    same_fit(found, svenet.ElasticNetCV(cv=3, alphas=12).fit(X, y))


def slow(block):
    time.sleep(30)
    return block


def test_interrupted_in_columns(client, wide):
    """Ctrl-C while workers are busy."""
    X, y, _ = wide
    held = in_columns(X).map_blocks(slow, dtype=float, meta=np.empty((0, 0)))
    # what was started in the background of a shell ignores it
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            on_dask.Lasso(0.1).fit(held, y)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 10
