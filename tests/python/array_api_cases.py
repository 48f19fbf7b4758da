"""Arrays of other packages under scikit-learn's array API dispatch. test_array_api.py runs these in a process of their own."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import svenet
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn import clone, config_context
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from svenet._gpu import GpuFeatures
from svenet._namespaces import kind_of


class Package:
    """Arrays of NumPy to those of a package, on a device, and back."""

    def __init__(self, name, device):
        self.namespace = pytest.importorskip(name)
        self.device = self.namespace.Device(device) if name == "array_api_strict" else self.namespace.device(device)

    def put(self, array):
        return self.namespace.asarray(array, device=self.device)

    def is_kind_of(self, array):
        kind = type(self.namespace.asarray(0.0))
        return type(array) is kind and array.device == self.device

    @staticmethod
    def get(array):
        return np.from_dlpack(array)


PACKAGES = {
    "strict": ("array_api_strict", "CPU_DEVICE"),
    "strict, a device": ("array_api_strict", "device1"),
    "torch": ("torch", "cpu"),
}


@pytest.fixture(params=PACKAGES)
def package(request):
    return Package(*PACKAGES[request.param])


@pytest.fixture
def dispatch():
    with config_context(array_api_dispatch=True):
        yield


def counts(y):
    return np.floor(np.exp((y - y.mean()) / y.std()))


def two_classes(y):
    return (y > np.median(y)).astype(int)


def three_classes(y):
    return np.digitize(y, np.quantile(y, [0.3, 0.7]))


CASES = {
    "ElasticNet": (svenet.ElasticNet(0.1), np.asarray),
    "no intercept": (svenet.Lasso(0.1, fit_intercept=False), np.asarray),
    "two targets": (svenet.ElasticNet(0.1), lambda y: np.column_stack([y, y[::-1] ** 2])),
    "budget": (svenet.BudgetElasticNet(1.0), np.asarray),
    "ElasticNetCV": (svenet.ElasticNetCV(l1_ratio=[0.5, 1.0], alphas=8), np.asarray),
    "LassoCV, relaxed": (svenet.LassoCV(alphas=8, relax=True), np.asarray),
    "PoissonRegressor": (svenet.PoissonRegressor(alpha=0.1, l1_ratio=0.5), counts),
    "PoissonRegressorCV": (svenet.PoissonRegressorCV(alphas=8), counts),
    "LogisticRegression": (svenet.LogisticRegression(l1_ratio=0.5), two_classes),
    "three classes": (svenet.LogisticRegression(), three_classes),
    "LogisticRegressionCV": (svenet.LogisticRegressionCV(Cs=4, l1_ratios=[0.5, 1.0], scoring="roc_auc"), two_classes),
    "three classes, CV": (svenet.LogisticRegressionCV(Cs=[1.0, 0.1], scoring="roc_auc"), three_classes),
    "SquaredHingeSVC": (svenet.SquaredHingeSVC(), two_classes),
    "SVC, three classes": (svenet.SquaredHingeSVC(), three_classes),
}
ANSWERS = ("predict", "decision_function", "predict_proba", "predict_log_proba")


@pytest.fixture(params=CASES)
def case(request, tall):
    """An estimator, X and y."""
    model, target = CASES[request.param]
    return clone(model), tall.X, target(tall.y)


def numbers(model):
    """Of what a fit has kept, the arrays."""
    arrays = {name: value for name, value in vars(model).items() if isinstance(value, np.ndarray)}
    assert {"coef_", "left_out_"} <= set(arrays) or isinstance(model, svenet.SquaredHingeSVC)
    return arrays


def test_arrays_are_of_the_kind_of_X(case, package, dispatch):
    model, X, y = case
    expected = clone(model).fit(X, y)
    ours = model.fit(package.put(X), package.put(y))
    for name, value in numbers(expected).items():
        assert package.is_kind_of(getattr(ours, name)), name
        assert_allclose(package.get(getattr(ours, name)), value, rtol=1e-12, err_msg=name)
    if isinstance(expected.intercept_, np.floating):
        assert package.is_kind_of(ours.intercept_)
    else:
        assert type(ours.intercept_) is float or package.is_kind_of(ours.intercept_)
    assert not any(package.is_kind_of(value) for name, value in vars(ours).items() if not name.endswith("_"))
    for name in ("dual_gap_", "status_", "support_certificate_", "alpha_", "C_"):
        assert type(getattr(ours, name, None)) is type(getattr(expected, name, None)) or np.ndim(expected.coef_) == 2, name
    if hasattr(expected, "fold_statuses_"):
        assert (ours.fold_statuses_ == expected.fold_statuses_).all()
    if not isinstance(model, svenet.SquaredHingeSVC):
        assert (ours.support_proof_ == expected.support_proof_).all()
        assert_allclose(ours.sparse_coef_.toarray(), expected.sparse_coef_.toarray(), rtol=1e-12)
        assert "duality gap" in ours._repr_mimebundle_()["text/html"]


def test_answers_are_of_the_kind_of_X(case, package, dispatch):
    model, X, y = case
    expected = clone(model).fit(X, y)
    ours = model.fit(package.put(X), package.put(y))
    for method in filter(lambda name: hasattr(expected, name), ANSWERS):
        answer = getattr(ours, method)(package.put(X))
        assert package.is_kind_of(answer), method
        assert_allclose(package.get(answer), getattr(expected, method)(X), rtol=1e-10, err_msg=method)
    weights = np.linspace(0.5, 2, len(X))
    for w in (None, weights):
        put = None if w is None else package.put(w)
        score = ours.score(package.put(X), package.put(y), sample_weight=put)
        assert type(score) is float
        assert score == pytest.approx(expected.score(X, y, sample_weight=w), rel=1e-12)


def test_without_dispatch_numpy_comes_back(case, package):
    model, X, y = case
    expected = clone(model).fit(X, y)
    ours = clone(model).fit(package.put(X), package.put(y))
    for name, value in numbers(expected).items():
        assert type(getattr(ours, name)) is np.ndarray, name
        assert_allclose(getattr(ours, name), value, rtol=1e-12)
    with config_context(array_api_dispatch=True):
        dispatched = clone(model).fit(package.put(X), package.put(y))
    for method in filter(lambda name: hasattr(expected, name), ANSWERS):
        for fitted in (ours, dispatched):
            answer = getattr(fitted, method)(package.put(X))
            assert type(answer) is np.ndarray
            assert_allclose(answer, getattr(expected, method)(X), rtol=1e-10)
    assert dispatched.score(X, y) == pytest.approx(expected.score(X, y), rel=1e-12)
    again = dispatched.fit(package.put(X), package.put(y))
    assert all(type(getattr(again, name)) is np.ndarray for name in numbers(expected))


def test_other_kinds_are_refused(case, package, dispatch):
    model, X, y = case
    there, here = clone(model).fit(package.put(X), y), clone(model).fit(X, y)
    name = type(model).__name__
    for method in filter(lambda name: hasattr(here, name), ANSWERS):
        for fitted, other in ((there, X), (there, sparse.csr_array(X)), (here, package.put(X))):
            with pytest.raises(ValueError, match=rf"{name}\.{method}\(\) must use the same namespace"):
                getattr(fitted, method)(other)
    with pytest.raises(ValueError, match="must use the same namespace"):
        there.score(X, y)


def test_another_device_is_refused(tall, dispatch):
    one, other = Package(*PACKAGES["strict"]), Package(*PACKAGES["strict, a device"])
    model = svenet.Lasso(0.1).fit(one.put(tall.X), one.put(tall.y))
    with pytest.raises(ValueError, match="array_api_strict on .*CPU_DEVICE.*; these are .*device1"):
        model.predict(other.put(tall.X))


@pytest.mark.parametrize("form", [pd.DataFrame, sparse.csc_matrix, sparse.csr_array, np.ndarray.tolist])
def test_tables_lists_and_sparse_matrices(case, form, dispatch):
    model, X, y = case
    model.fit(form(X), y)
    assert type(model.coef_) is np.ndarray
    assert type(model.predict(form(X))) is np.ndarray
    for target in (y, y.tolist()):
        assert type(model.score(form(X), target)) is float
    if y.ndim == 1:
        assert model.score(form(X), pd.Series(y)) == pytest.approx(model.score(X, y))


def test_everything_follows_X(tall, package, dispatch):
    """y, weights and offset of another kind."""
    put = package.put
    expected = svenet.ElasticNet(0.1).fit(tall.X, tall.y, tall.w, offset=tall.w)
    of_X = svenet.ElasticNet(0.1).fit(put(tall.X), tall.y, tall.w, offset=tall.w)
    assert package.is_kind_of(of_X.coef_)
    assert package.is_kind_of(of_X.predict(put(tall.X), tall.w))
    assert of_X.score(put(tall.X), tall.y, tall.w) == pytest.approx(expected.score(tall.X, tall.y, tall.w))
    of_y = svenet.ElasticNet(0.1).fit(tall.X, put(tall.y), put(tall.w), offset=put(tall.w))
    assert type(of_y.coef_) is np.ndarray
    assert_allclose(of_y.coef_, expected.coef_)
    assert type(of_y.predict(tall.X, put(tall.w))) is np.ndarray


@pytest.mark.parametrize("name", ["LogisticRegression", "LogisticRegressionCV", "SquaredHingeSVC"])
def test_classes_are_of_the_kind_of_y(tall, package, name, dispatch):
    model, y, X = CASES[name][0], two_classes(tall.y), package.put(tall.X)
    named = clone(model).fit(X, np.array(["no", "yes"])[y])
    assert type(named.classes_) is np.ndarray
    assert type(named.predict(X)) is np.ndarray
    assert set(named.predict(X)) == {"no", "yes"}
    assert named.score(X, np.array(["no", "yes"])[y]) > 0.5
    numbered = clone(model).fit(X, y)
    assert type(numbered.classes_) is np.ndarray
    assert package.is_kind_of(numbered.predict(X))
    there = clone(model).fit(tall.X, package.put(y))
    assert package.is_kind_of(there.classes_)
    assert type(there.predict(tall.X)) is np.ndarray


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.int64])
def test_coefficients_are_double_in_any_case(tall, package, dtype, dispatch):
    X = np.round(4 * tall.X).astype(dtype)
    model = svenet.ElasticNet(0.1).fit(package.put(X), package.put(tall.y.astype(np.float32)))
    assert model.coef_.dtype == model.predict(package.put(X)).dtype == package.namespace.float64


def test_what_the_user_passed_stays(tall, package, dispatch):
    factors = np.linspace(0, 1, tall.X.shape[1])
    X, y = package.put(tall.X), package.put(tall.y)
    model = svenet.Lasso(0.1, penalty_factor=factors, warm_start=True).fit(X, y)
    assert model.penalty_factor is factors
    unchecked = svenet.Lasso(0.1, penalty_factor=package.put(factors)).fit(X, y, check_input=False)
    assert_allclose(package.get(unchecked.coef_), package.get(model.coef_))
    again = model.fit(X, y)  # where the last one ended
    assert_allclose(package.get(again.coef_), package.get(unchecked.coef_))


def test_memory_is_not_shared(package):
    values = np.arange(6.0)[::-1]  # with steps that PyTorch does not take
    answer = kind_of(package.put(np.zeros(1))).of(values)
    values[:] = 0
    assert package.get(answer).tolist() == [5, 4, 3, 2, 1, 0]


def test_copies(case, package, dispatch):
    model, X, y = case
    model.fit(package.put(X), package.put(y))
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert package.is_kind_of(twin.coef_)
        assert_allclose(package.get(twin.predict(package.put(X))), package.get(model.predict(package.put(X))))
    assert not hasattr(clone(model), "coef_")


def test_plots(tall, package, dispatch):
    pytest.importorskip("matplotlib").use("agg")
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = package.put(tall.X), package.put(two_classes(tall.y))
    for model in (svenet.LogisticRegressionCV(Cs=4), svenet.LassoCV(alphas=5)):
        svenet.PathDisplay.from_estimator(model.fit(X, y)).plot()
        svenet.CvDisplay.from_estimator(model).plot()
    plt.close("all")


def test_between_estimators_of_scikit_learn(tall, package, dispatch):
    pipeline = make_pipeline(MinMaxScaler(), svenet.Lasso(0.01)).fit(package.put(tall.X), package.put(tall.y))
    predicted = pipeline.predict(package.put(tall.X))
    assert package.is_kind_of(predicted)
    expected = make_pipeline(MinMaxScaler(), svenet.Lasso(0.01)).fit(tall.X, tall.y).predict(tall.X)
    assert_allclose(package.get(predicted), expected, rtol=1e-9)


def test_folds_of_scikit_learn(tall, dispatch):
    torch = pytest.importorskip("torch")
    X, y = torch.from_numpy(tall.X), torch.from_numpy(tall.y)
    assert_allclose(cross_val_score(svenet.Lasso(0.1), X, y), cross_val_score(svenet.Lasso(0.1), tall.X, tall.y))


def test_X_on_a_gpu_says_where(dispatch):
    """device='cpu' is the default, and scikit-learn's estimators have no such parameter."""
    features = GpuFeatures(None, (3, 2), np.dtype(np.float64), None)
    model = svenet.Lasso(0.1)
    assert model._controls(features).device == "cuda"
    assert model._controls(np.zeros((3, 2))).device == "cpu"
    with config_context(array_api_dispatch=False):
        assert model._controls(features).device == "cpu"
