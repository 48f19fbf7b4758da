"""What X and y may be: nothing that fits is copied, names are kept, nothing is lost without a word."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import svenet
from numpy.testing import assert_allclose
from scipy import sparse
from svenet import _core, _inputs

NAMES = [f"feature {j}" for j in range(12)]
TABLES = {
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "polars": lambda X: pl.DataFrame(X, schema=NAMES),
    "arrow": lambda X: pa.table({name: X[:, j] for j, name in enumerate(NAMES)}),
}


class Tensor:
    """Speaks DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("model", [svenet.ElasticNet(0.1), svenet.LassoCV(alphas=5), svenet.BudgetElasticNet(1.0)])
def test_tables_keep_their_names(tall, kind, model):
    table = TABLES[kind](tall.X)
    model.fit(table, tall.y)
    assert list(model.feature_names_in_) == NAMES
    coefs, predicted = model.coef_.copy(), model.predict(table)
    model.fit(tall.X, tall.y)
    assert_allclose(coefs, model.coef_, rtol=1e-12)
    assert_allclose(predicted, model.predict(tall.X), rtol=1e-12)
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize("kind", TABLES)
def test_functions_take_tables(tall, kind):
    _, coefs, _ = svenet.lasso_path(TABLES[kind](tall.X), tall.y, alphas=[0.1])
    assert_allclose(coefs, svenet.lasso_path(tall.X, tall.y, alphas=[0.1])[1], rtol=1e-12)


def test_series_as_target_and_weights(tall):
    ours = svenet.ElasticNet(0.1).fit(tall.X, pd.Series(tall.y), sample_weight=pd.Series(tall.w))
    assert_allclose(ours.coef_, svenet.ElasticNet(0.1).fit(tall.X, tall.y, sample_weight=tall.w).coef_)


def test_dlpack(tall):
    model = svenet.ElasticNet(0.1).fit(Tensor(tall.X), Tensor(tall.y))
    assert_allclose(model.coef_, svenet.ElasticNet(0.1).fit(tall.X, tall.y).coef_)
    assert_allclose(model.predict(Tensor(tall.X)), model.predict(tall.X))
    assert_allclose(
        svenet.lasso_path(Tensor(tall.X), Tensor(tall.y), alphas=3)[1], svenet.lasso_path(tall.X, tall.y, alphas=3)[1]
    )


class OnGpu:
    """Says that it lies on a GPU, and can be copied from there as CuPy's arrays can."""

    def __init__(self, array):
        self.array = array
        self.shape, self.ndim = array.shape, array.ndim
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False), "version": 3
        }

    def get(self):
        return self.array


class TensorOnGpu(Tensor):
    def __dlpack_device__(self):
        return (2, 0)


@pytest.mark.skipif(not _core.why_no_device(), reason="a GPU can be used")
@pytest.mark.parametrize("kind", [OnGpu, TensorOnGpu])
@pytest.mark.parametrize("device", ["cpu", "cuda", "auto", "automatic"])
def test_features_on_a_gpu_that_cannot_be_used(tall, kind, device):
    """One sentence with the reason: without CUDA, that the build has none."""
    X = kind(tall.X)
    fitted = svenet.ElasticNet(0.1).fit(tall.X, tall.y)
    for call in (
        lambda: svenet.ElasticNet(device=device).fit(X, tall.y),
        lambda: svenet.LassoCV(device=device).fit(X, tall.y),
        lambda: svenet.lasso_path(X, tall.y, device=device),
        lambda: svenet.glmnet(X, tall.y, device=device),
        lambda: svenet.cross_validate(X, tall.y, device=device),
        lambda: fitted.predict(X),
    ):
        with pytest.raises(RuntimeError, match="^X lies on a GPU, and no GPU can be used: " + _core.why_no_device()):
            call()


@pytest.mark.skipif(not _core.why_no_device(), reason="a GPU can be used")
def test_a_gpu_that_is_not_there(tall):
    for call in (
        lambda device: svenet.ElasticNet(device=device).fit(tall.X, tall.y),
        lambda device: svenet.lasso_path(tall.X, tall.y, alphas=2, device=device),
        lambda device: svenet.budget_path(tall.X, tall.y, ts=2, device=device),
        lambda device: svenet.glmnet(tall.X, tall.y, nlambda=2, device=device),
        lambda device: svenet.cross_validate(tall.X, tall.y, alphas=2, device=device),
    ):
        call("auto")
        call("automatic")
        with pytest.raises(RuntimeError, match="no GPU can be used: " + _core.why_no_device()):
            call("cuda")
        with pytest.raises(ValueError, match="'device' parameter"):
            call("tpu")


def test_targets_and_weights_are_copied_from_a_gpu(tall):
    ours = svenet.ElasticNet(0.1).fit(tall.X, OnGpu(tall.y), sample_weight=OnGpu(tall.w))
    expected = svenet.ElasticNet(0.1).fit(tall.X, tall.y, sample_weight=tall.w)
    assert_allclose(ours.coef_, expected.coef_)
    assert ours.score(tall.X, OnGpu(tall.y), OnGpu(tall.w)) == expected.score(tall.X, tall.y, tall.w)
    _, coefs, _ = svenet.lasso_path(tall.X, OnGpu(tall.y), alphas=[0.1], sample_weight=OnGpu(tall.w))
    assert_allclose(coefs, svenet.lasso_path(tall.X, tall.y, alphas=[0.1], sample_weight=tall.w)[1])
    with pytest.raises(TypeError, match="TensorOnGpu lies on a GPU and does not say how to copy it"):
        svenet.ElasticNet(0.1).fit(tall.X, TensorOnGpu(tall.y))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
def test_no_copy_of_dense(tall, dtype, order):
    X = np.array(tall.X, dtype=dtype, order=order)
    assert np.shares_memory(_inputs.as_features(X), X)
    X.setflags(write=False)  # and it is not written to
    svenet.ElasticNet(0.1).fit(X, tall.y)


@pytest.mark.parametrize("order", ["C", "F"])
def test_whole_numbers_of_a_byte_stay(order):
    rng = np.random.default_rng(4)
    counts = np.asarray(rng.integers(-2, 5, (40, 25)), dtype=np.int8, order=order)
    y = counts[:, :3] @ [1.0, -2.0, 0.5] + rng.standard_normal(40)
    assert np.shares_memory(_inputs.as_features(counts), counts)
    wide = counts.astype(float)
    for make in (lambda: svenet.ElasticNet(0.1), lambda: svenet.LassoCV(cv=3, alphas=10),
                 lambda: svenet.PoissonRegressor(alpha=0.1)):
        target = np.exp(y / 4) if "Poisson" in repr(make()) else y
        small, large = make().fit(counts, target), make().fit(wide, target)
        assert_allclose(small.coef_, large.coef_, atol=1e-9)
        assert_allclose(small.predict(counts), large.predict(wide), atol=1e-8)
    total = svenet.statistics(counts, y)
    assert_allclose(svenet.Session(total).fit(0.1).coef, svenet.Session(wide, y).fit(0.1).coef, atol=1e-9)
    with pytest.raises(ValueError, match="X of int8 is for the CPU"):
        svenet.ElasticNet(0.1, device="cuda").fit(counts, y)


def test_sparse_bytes_become_numbers():
    X = sparse.random(30, 10, density=0.4, random_state=1, format="csc")
    X.data = np.round(9 * X.data)
    y = np.asarray(X.sum(axis=1)).ravel()
    small = svenet.Lasso(0.1).fit(X.astype(np.int8), y)
    assert_allclose(small.coef_, svenet.Lasso(0.1).fit(X, y).coef_, atol=1e-10)
    assert_allclose(small.predict(X.astype(np.int8)), small.predict(X))


@pytest.mark.parametrize("kind", ["csc_matrix", "csr_array"])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_in_every_width(tall, kind, index, dtype):
    X = tall.stored(kind).astype(dtype)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    assert np.shares_memory(_inputs.as_features(X).data, X.data)
    coefs = svenet.ElasticNet(0.1).fit(X, tall.y).coef_
    assert_allclose(coefs, svenet.ElasticNet(0.1).fit(tall.X.astype(dtype), tall.y).coef_, atol=1e-6)


def test_memory_of_a_large_fit():
    """X of 160 MB in rows: a copy of it would show."""
    import resource

    X = np.random.default_rng(0).standard_normal((2_000, 10_000))
    y = X[:, 0].copy()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    svenet.Lasso(0.5).fit(X, y)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < X.nbytes // 2


@pytest.mark.parametrize("take", [
    lambda X: X[::2, :], lambda X: X[:, ::2], lambda X: X[::-1, ::-1], lambda X: X.T[:, :12].T[::2],
    lambda X: X[:, 1:7], lambda X: X[3:, :1], lambda X: X[:5, ::3], lambda X: np.broadcast_to(X[:, :1], (80, 3)),
])
@pytest.mark.parametrize("order", ["C", "F"])
def test_views_with_gaps(tall, take, order):
    X = take(np.array(tall.X, order=order))
    y = tall.y[: len(X)]
    assert_allclose(
        svenet.ElasticNet(0.1).fit(X, y).predict(X), svenet.ElasticNet(0.1).fit(X.copy(), y).predict(X), atol=1e-10
    )


def test_unsorted_and_repeated_sparse_entries(tall):
    rows = np.array([0, 0, 1, 2, 2, 2])
    cols = np.array([1, 0, 1, 2, 0, 2])
    data = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    X = sparse.csr_matrix((data, cols[[1, 0, 2, 3, 4, 5]], [0, 2, 3, 6]), shape=(3, 3))
    y = np.array([1.0, -1.0, 2.0])
    parts = X.data.copy(), X.indices.copy()
    assert_allclose(svenet.ElasticNet(0.1).fit(X, y).coef_, svenet.ElasticNet(0.1).fit(X.toarray(), y).coef_, atol=1e-12)
    assert_allclose(parts[0], X.data), assert_allclose(parts[1], X.indices)
    del rows


def test_integers_convert_and_say_when_digits_go(tall):
    whole = np.round(tall.X * 10).astype(np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svenet.ElasticNet(0.1).fit(whole, tall.y)
        svenet.ElasticNet(0.1).fit(whole.astype(np.float16), tall.y)
    whole[0, 0] = 2**53 + 1
    with pytest.warns(UserWarning, match="loses digits"):
        svenet.ElasticNet(0.1).fit(whole, tall.y)
    with pytest.warns(UserWarning, match="loses digits"):
        svenet.lasso_path(np.longdouble(tall.X) / 3, tall.y, alphas=2)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_not_finite_is_refused(tall, bad):
    X, y, w = tall.X.copy(), tall.y.copy(), tall.w.copy()
    X[3, 3] = y[3] = w[3] = bad
    for args in ((X, tall.y), (tall.X, y), (tall.X, tall.y, w), (sparse.csr_array(X), tall.y)):
        with pytest.raises(ValueError):
            svenet.ElasticNet().fit(*args)
    with pytest.raises(ValueError):
        svenet.lasso_path(sparse.csc_array(X), tall.y)


@pytest.mark.parametrize("bad", [
    {"alpha": -1}, {"alpha": "x"}, {"alpha": np.inf}, {"l1_ratio": 1.5}, {"max_iter": 0}, {"tol": -1}, {"positive": "yes"},
    {"selection": "odd"}, {"precompute": "odd"}, {"n_jobs": 1.5}, {"device": "tpu"}, {"penalty_factor": [1.0]},
    {"standardize": None},
])
def test_parameters_are_refused_by_name(tall, bad):
    with pytest.raises((ValueError, TypeError), match=next(iter(bad))):
        svenet.ElasticNet(**bad).fit(tall.X, tall.y)
