"""X in the memory of a GPU, from every package that has such arrays: used where it lies, with the answers of the CPU."""

import os

import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn import clone, config_context
from sklearn.model_selection import ShuffleSplit
from svenet import _core, _inputs

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX would take most of the memory for itself

pytestmark = pytest.mark.skipif(bool(_core.why_no_device()), reason=_core.why_no_device() or "there is a GPU")


def cupy_array(array):
    cupy = pytest.importorskip("cupy")
    return cupy.array(array, order="F" if array.flags.f_contiguous else "C")


def torch_tensor(array):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("PyTorch sees no GPU")
    return torch.from_numpy(array).cuda()


def jax_array(array):
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX sees no GPU")
    jax.config.update("jax_enable_x64", True)
    return jax.numpy.asarray(array)


class DlpackAlone:
    def __init__(self, array):
        self.array = cupy_array(array)

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class InterfaceAlone:
    def __init__(self, array):
        self.array = cupy_array(array)
        self.__cuda_array_interface__ = self.array.__cuda_array_interface__


PACKAGES = {"cupy": cupy_array, "torch": torch_tensor, "jax": jax_array}
KINDS = {**PACKAGES, "dlpack alone": DlpackAlone, "interface alone": InterfaceAlone}


def both_targets(y):
    return np.column_stack([y, y[::-1] ** 2])


# Everything that takes X, as lists of arrays.
FITS = {
    "ElasticNet": lambda X, y, device: fields(svenet.ElasticNet(0.05, device=device).fit(X, y)),
    "Lasso, positive": lambda X, y, device: fields(svenet.Lasso(0.05, positive=True, device=device).fit(X, y)),
    "two targets": lambda X, y, device: fields(svenet.ElasticNet(0.05, device=device).fit(X, both_targets(y))),
    "ridge": lambda X, y, device: fields(svenet.ElasticNet(0.5, l1_ratio=0, device=device).fit(X, y)),
    "budget": lambda X, y, device: fields(svenet.BudgetElasticNet(1.0, lambda2=0.1, device=device).fit(X, y)),
    "ElasticNetCV": lambda X, y, device: cv_fields(
        svenet.ElasticNetCV(l1_ratio=[0.5, 0.9], alphas=20, eps=1e-2, device=device).fit(X, y)
    ),
    "LassoCV, splitter": lambda X, y, device: cv_fields(
        svenet.LassoCV(alphas=20, eps=1e-2, cv=ShuffleSplit(3, random_state=0), device=device).fit(X, y)
    ),
    "enet_path": lambda X, y, device: svenet.enet_path(X, y, alphas=20, eps=1e-2, device=device)[:2],
    "lasso_path": lambda X, y, device: svenet.lasso_path(X, y, alphas=[0.5, 0.1], standardize=True, device=device)[:2],
    "budget_path": lambda X, y, device: svenet.budget_path(X, y, ts=[0.5, 1.0], device=device)[:2],
    "cross_validate": lambda X, y, device: [
        (result := svenet.cross_validate(X, y, alphas=20, eps=1e-2, device=device)).coef(),
        result.best_curve.mse_path,
    ],
    "glmnet": lambda X, y, device: [
        (fit := svenet.glmnet(X, y, alpha=0.5, nlambda=20, lambda_min_ratio=1e-2, device=device)).beta.toarray(),
        fit.a0,
        fit.dev_ratio,
    ],
}


def fields(model):
    return [model.coef_, model.intercept_]


def cv_fields(model):
    return [model.coef_, model.intercept_, model.alphas_, model.mse_path_, [model.alpha_, model.alpha_1se_]]


def assert_same(ours, expected, tolerance=1e-9):
    assert len(ours) == len(expected)
    for one, other in zip(ours, expected):
        assert isinstance(one, (np.ndarray, np.floating, float, list)), type(one)
        assert_allclose(one, other, rtol=0, atol=tolerance * max(1e-300, np.abs(other).max()))


@pytest.fixture(params=["tall", "wide", "large"])
def data(request, tall):
    return type(tall)(2000, 150, seed=2) if request.param == "large" else request.getfixturevalue(request.param)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", PACKAGES)
@pytest.mark.parametrize("fit", FITS)
def test_answers_are_those_of_the_cpu(data, fit, kind, order):
    X = data.stored(order)
    assert_same(FITS[fit](KINDS[kind](X), data.y, "cuda"), FITS[fit](X, data.y, "cpu"))


@pytest.mark.parametrize("fit", FITS)
def test_auto_goes_where_the_data_are(tall, fit):
    assert_same(FITS[fit](cupy_array(tall.X), tall.y, "auto"), FITS[fit](tall.X, tall.y, "cpu"))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("fit", FITS)
def test_single_precision(data, fit, order):
    """Summed in double, and given back so."""
    X = data.stored(order).astype(np.float32, order="K")
    assert_same(FITS[fit](cupy_array(X), data.y, "cuda"), FITS[fit](X, data.y, "cpu"))


@pytest.mark.parametrize("kind", ["dlpack alone", "interface alone"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("fit", ["ElasticNet", "ElasticNetCV", "glmnet"])
def test_each_protocol_alone(tall, fit, kind, order):
    X = tall.stored(order)
    assert_same(FITS[fit](KINDS[kind](X), tall.y, "cuda"), FITS[fit](X, tall.y, "cpu"))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("fit", FITS)
def test_sparse(data, fit, dtype):
    cupy_sparse = pytest.importorskip("cupyx.scipy.sparse")
    X = sparse.csc_matrix(data.X.astype(dtype))
    assert_same(FITS[fit](cupy_sparse.csc_matrix(X), data.y, "cuda"), FITS[fit](X, data.y, "cpu"))


@pytest.mark.parametrize("format", ["csr", "coo"])
@pytest.mark.parametrize("fit", ["ElasticNet", "ElasticNetCV", "glmnet"])
def test_other_formats_become_columns(wide, fit, format):
    cupy_sparse = pytest.importorskip("cupyx.scipy.sparse")
    X = sparse.csc_matrix(wide.X)
    there = cupy_sparse.csc_matrix(X).asformat(format)
    assert_same(FITS[fit](there, wide.y, "cuda"), FITS[fit](X, wide.y, "cpu"))
    assert there.format == format


def test_sparse_entries_given_twice(tall):
    cupy_sparse = pytest.importorskip("cupyx.scipy.sparse")
    X = sparse.csc_matrix(tall.X)
    split = sparse.csc_matrix(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), X.indptr * 2), shape=X.shape
    )
    there = cupy_sparse.csc_matrix(tuple(map(cupy_array, (split.data, split.indices, split.indptr))), shape=X.shape)
    assert_same(FITS["ElasticNet"](there, tall.y, "cuda"), FITS["ElasticNet"](X, tall.y, "cpu"))
    assert there.nnz == 2 * X.nnz  # it is not written to


@pytest.mark.parametrize("kind", PACKAGES)
def test_target_and_weights_there_too(tall, kind):
    put = KINDS[kind]
    ours = svenet.ElasticNet(0.05, device="cuda").fit(put(tall.X), put(tall.y), sample_weight=put(tall.w))
    expected = svenet.ElasticNet(0.05).fit(tall.X, tall.y, sample_weight=tall.w)
    assert_same(fields(ours), fields(expected))
    assert ours.score(put(tall.X), put(tall.y), put(tall.w)) == pytest.approx(expected.score(tall.X, tall.y, tall.w))
    on_host = svenet.ElasticNet(0.05).fit(tall.X, put(tall.y), sample_weight=put(tall.w))
    assert_same(fields(on_host), fields(expected))
    _, coefs, _ = svenet.lasso_path(put(tall.X), put(tall.y), alphas=[0.1], sample_weight=put(tall.w), device="cuda")
    assert_allclose(coefs, svenet.lasso_path(tall.X, tall.y, alphas=[0.1], sample_weight=tall.w)[1], atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("targets", [1, 2])
def test_without_dispatch_predictions_are_arrays_of_the_host(tall, kind, targets):
    y = tall.y if targets == 1 else both_targets(tall.y)
    model = svenet.ElasticNet(0.05).fit(tall.X, y)  # of the CPU: predict goes by X alone
    with config_context(array_api_dispatch=False):
        predicted = model.predict(KINDS[kind](tall.X))
    assert isinstance(predicted, np.ndarray)
    assert_allclose(predicted, model.predict(tall.X), rtol=1e-9, atol=1e-9)


@pytest.fixture
def dispatch(monkeypatch):
    """scikit-learn asks for the variable; nothing here depends on SciPy having read it."""
    pytest.importorskip("sklearn", "1.7", reason="older scikit-learn needs array_api_compat for this")
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    with config_context(array_api_dispatch=True):
        yield


DISPATCHED = {
    "ElasticNet": (svenet.ElasticNet(0.05), lambda y: y),
    "LassoCV": (svenet.LassoCV(alphas=5), lambda y: y),
    "PoissonRegressor": (svenet.PoissonRegressor(alpha=0.1), lambda y: np.floor(np.abs(y))),
    "LogisticRegression": (svenet.LogisticRegression(), lambda y: (y > 2).astype(float)),
    "SquaredHingeSVC": (svenet.SquaredHingeSVC(), lambda y: (y > 2).astype(float)),
}


@pytest.mark.parametrize("device", ["cpu", "cuda", "auto"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", PACKAGES)
@pytest.mark.parametrize("name", DISPATCHED)
def test_with_dispatch_everything_stays_there(tall, name, kind, dtype, device, dispatch):
    put, (model, target) = KINDS[kind], DISPATCHED[name]
    host_X, host_y = tall.X.astype(dtype), target(tall.y)
    X, y = put(host_X), put(host_y)
    expected = clone(model).fit(host_X, host_y)
    ours = clone(model).set_params(device=device).fit(X, y)
    predicted = ours.predict(X)
    for array in (ours.coef_, ours.intercept_, predicted):
        assert type(array) is type(X)
        assert array.device == X.device
    assert_allclose(_inputs.on_host(ours.coef_), expected.coef_, rtol=0, atol=1e-7)
    assert_allclose(_inputs.on_host(predicted), expected.predict(host_X), rtol=0, atol=1e-6)
    assert ours.score(X, y) == pytest.approx(expected.score(host_X, host_y))
    with pytest.raises(ValueError, match="must use the same namespace"):
        ours.predict(host_X)


def test_predictions_of_the_others(tall):
    cupy_sparse = pytest.importorskip("cupyx.scipy.sparse")
    there = cupy_array(tall.X)
    compressed = cupy_sparse.csr_matrix(there)
    model = svenet.ElasticNet(0.05).fit(tall.X, tall.y)
    assert_allclose(model.predict(compressed), model.predict(tall.X), rtol=1e-9)
    path = svenet.glmnet(tall.X, tall.y, lambda_=[0.5, 0.1])
    assert_allclose(path.predict(there), path.predict(tall.X), rtol=1e-9)
    result = svenet.cross_validate(tall.X, tall.y, alphas=5)
    assert_allclose(result.predict(there), result.predict(tall.X), rtol=1e-9)
    machine = svenet.SquaredHingeSVC().fit(there, cupy_array((tall.y > 2).astype(float)))
    assert_allclose(machine.coef_, svenet.SquaredHingeSVC().fit(tall.X, tall.y > 2).coef_)
    assert (machine.predict(there) == (machine.decision_function(tall.X) > 0)).all()


def test_nothing_is_copied(tall):
    there = cupy_array(tall.X)
    features = _inputs.as_features(there)
    before = features @ np.ones(features.shape[1])
    there *= 2
    assert_allclose(features @ np.ones(features.shape[1]), 2 * before, rtol=1e-12)


@pytest.mark.parametrize("take", [lambda X: X[:, 1:8], lambda X: X[11:70], lambda X: X[:, :1], lambda X: X.T[:5].T])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_slices(tall, take, order, dtype):
    X = tall.stored(order).astype(dtype, order="K")
    y = tall.y[: len(take(X))]
    ours, expected = (FITS["glmnet"](take(there), y, device) for there, device in ((cupy_array(X), "cuda"), (X, "cpu")))
    assert_same(ours, expected)


def test_what_is_still_being_written_is_waited_for():
    cupy = pytest.importorskip("cupy")
    X = np.random.default_rng(3).standard_normal((3000, 1000))
    y = X[:, :5].sum(axis=1)
    there, half = cupy.zeros_like(cupy.asarray(X)), cupy.asarray(X) / 2.0**200
    cupy.cuda.Device().synchronize()
    with cupy.cuda.Stream(non_blocking=True):
        for _ in range(200):
            half *= 2
        there += half
        ours = svenet.Lasso(0.5, device="cuda").fit(there, y)
    assert_same(fields(ours), fields(svenet.Lasso(0.5).fit(X, y)))


def test_refusals(tall):
    cupy = pytest.importorskip("cupy")
    there = cupy.asarray(tall.X)
    model = svenet.ElasticNet(0.1, device="cuda")
    with pytest.raises(ValueError, match="device cuda or auto"):
        svenet.ElasticNet(0.1).fit(there, tall.y)
    with pytest.raises(ValueError, match="float64 or float32, it is float16"):
        model.fit(there.astype(cupy.float16), tall.y)
    with pytest.raises(ValueError, match="contiguous"):
        model.fit(there[::2, ::2], tall.y[::2])
    with pytest.raises(ValueError, match="Expected 2D array"):
        model.fit(there[:, 0], tall.y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(there, tall.y[1:])
    with pytest.raises(ValueError, match="at least one sample"):
        model.fit(there[:, :0], tall.y)
    with pytest.raises(ValueError, match="11 features, but ElasticNet is expecting 12"):
        model.fit(there, tall.y).predict(there[:, :11])
    for bad in (np.nan, np.inf):
        there[3, 3] = bad
        for X in (there, cupy.asfortranarray(there)):
            with pytest.raises(ValueError, match="NaN"):
                model.fit(X, tall.y)
            with pytest.raises(ValueError, match="NaN"):
                svenet.glmnet(X, tall.y, device="cuda")
