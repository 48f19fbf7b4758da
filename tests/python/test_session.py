"""Sessions and warm starts: the answers of fresh fits, for less work."""

import copy
import pickle
import threading

import numpy as np
import pytest
from sklearn.base import clone

from svenet import ElasticNet, Lasso, Session, cross_validate, enet_path

KINDS = ["C", "F", "csc_array", "csr_array"]


def assert_same(fit, model):
    np.testing.assert_allclose(fit.coef, model.coef_, atol=1e-7)
    assert fit.intercept == pytest.approx(model.intercept_, abs=1e-7)
    assert fit.relative_gap <= 1e-10
    assert fit.status == model.status_


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", ["tall", "wide"])
def test_changes_equal_fresh_fits(kind, shape, request):
    data = request.getfixturevalue(shape)
    X = data.stored(kind)
    rng = np.random.default_rng(3)
    y, weights, offset = data.y.copy(), None, np.zeros(len(data.y))
    session = Session(X, y)
    for _ in range(25):
        change = rng.integers(4)
        if change == 0:
            y = y + 0.2 * rng.standard_normal(len(y))
            session.set_response(y)
        elif change == 1:
            weights = rng.uniform(0.3, 2, len(y))
            session.set_weights(weights)
        elif change == 2:
            offset = rng.standard_normal(len(y))
            session.set_offset(offset)
        alpha, l1_ratio = 10 ** rng.uniform(-2.5, -0.5), rng.uniform(0.3, 1)
        fresh = ElasticNet(alpha, l1_ratio=l1_ratio).fit(X, y - offset, sample_weight=weights)
        assert_same(session.fit(alpha, l1_ratio=l1_ratio), fresh)


def test_arguments_are_copied(tall):
    y, weights = tall.y.copy(), tall.w.copy()
    session = Session(tall.X, y, sample_weight=weights, offset=0.1 * tall.y)
    first = session.fit(0.1)
    y[:] = 0
    weights[:] = 1
    assert_same(session.fit(0.1), ElasticNet(0.1).fit(tall.X, 0.9 * tall.y, sample_weight=tall.w))
    np.testing.assert_allclose(first.coef, session.fit(0.1).coef, atol=1e-8)
    np.testing.assert_allclose(first.predict(tall.X), tall.X @ first.coef + first.intercept)


def test_the_same_again_takes_one_step(wide):
    session = Session(wide.X, wide.y)
    assert session.fit(0.05, l1_ratio=1).n_iter > 1
    assert session.fit(0.05, l1_ratio=1).n_iter <= 1


def test_path_and_cv(tall):
    session = Session(tall.X, tall.y, fit_intercept=False)
    alphas, solutions = session.path(20, l1_ratio=0.7)
    expected, coefs, _ = enet_path(tall.X, tall.y, l1_ratio=0.7, alphas=20)
    np.testing.assert_allclose(alphas, expected, rtol=1e-12)
    np.testing.assert_allclose(solutions.coefs.toarray().T, coefs, atol=1e-7)
    found = session.cv(l1_ratio=[0.5, 1.0], alphas=15, cv=4)
    fresh = cross_validate(tall.X, tall.y, l1_ratio=[0.5, 1.0], alphas=15, cv=4, fit_intercept=False)
    assert found.alpha_min == pytest.approx(fresh.alpha_min)
    for one, other in zip(found.curves, fresh.curves):
        np.testing.assert_allclose(one.mse_path, other.mse_path, rtol=1e-6)


def test_options_may_change(wide):
    session = Session(wide.X, wide.y, max_iter=1)
    with pytest.warns(match="max_iter=1"):
        session.fit(0.01)
    session.set_options(max_iter=1000)
    assert session.fit(0.01).relative_gap <= 1e-10
    session.set_options(tol=1e-13)
    assert session.fit(0.02).relative_gap <= 1e-13


def test_what_is_refused_changes_nothing(tall):
    session = Session(tall.X, tall.y)
    before = session.fit(0.1)
    with pytest.raises(ValueError, match="rows"):
        session.set_response(tall.y[:-1])
    with pytest.raises(ValueError, match="offset"):
        session.set_offset(np.full(len(tall.y), np.nan))
    with pytest.raises(ValueError, match="zero"):
        session.set_weights(np.zeros(len(tall.y)))
    with pytest.raises(ValueError, match="l1_ratio"):
        session.fit(0.1, l1_ratio=2)
    with pytest.raises(ValueError, match="tol"):
        session.set_options(tol=-1)
    np.testing.assert_allclose(session.fit(0.1).coef, before.coef, atol=1e-10)


def test_one_thread_at_a_time():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 3000))
    session = Session(X, X[:, :50].sum(axis=1) + rng.standard_normal(400))
    thread = threading.Thread(target=session.path, kwargs={"alphas": 100, "l1_ratio": 0.5})
    thread.start()
    refused = 0
    while thread.is_alive():
        try:
            session.fit(1.0)
        except RuntimeError as error:
            assert "one thread" in str(error)
            refused += 1
            thread.join(0.01)
    assert refused > 0
    assert session.fit(1.0).relative_gap <= 1e-10


@pytest.mark.parametrize("kind", KINDS)
def test_warm_start_equals_cold(kind, wide):
    X = wide.stored(kind)
    warm = ElasticNet(warm_start=True)
    rng = np.random.default_rng(1)
    for alpha in (0.3, 0.1, 0.09, 0.5, 0.01):
        y = wide.y + 0.05 * rng.standard_normal(len(wide.y))
        for weights in (None, wide.w):
            warm.set_params(alpha=alpha).fit(X, y, sample_weight=weights)
            cold = ElasticNet(alpha).fit(X, y, sample_weight=weights)
            np.testing.assert_allclose(warm.coef_, cold.coef_, atol=1e-7)
            assert warm.relative_gap_ <= 1e-10
            assert warm.status_ == cold.status_


def test_warm_start_goes_on(wide):
    model = Lasso(0.05, warm_start=True).fit(wide.X, wide.y)
    assert model.n_iter_ > 2
    assert model.fit(wide.X, wide.y).n_iter_ <= 1
    assert Lasso(0.05).fit(wide.X, wide.y).fit(wide.X, wide.y).n_iter_ > 2
    # an equal array is another one
    assert model.fit(wide.X.copy(), wide.y).n_iter_ > 2


@pytest.mark.parametrize("kind", KINDS)
def test_warm_start_sees_that_X_has_changed(kind, wide):
    X = wide.stored(kind).copy()
    model = Lasso(0.05, warm_start=True).fit(X, wide.y)
    entries = X if isinstance(X, np.ndarray) else X.data
    entries[:] = entries[::-1].copy()
    model.fit(X, wide.y)
    np.testing.assert_allclose(model.coef_, Lasso(0.05).fit(X, wide.y).coef_, atol=1e-8)


def test_warm_start_sees_other_parameters(wide):
    model = Lasso(0.05, warm_start=True)
    for change in ({"positive": True}, {"fit_intercept": False}, {"standardize": True}, {"tol": 1e-6}):
        model.set_params(**change).fit(wide.X, wide.y)
        cold = clone(model).set_params(warm_start=False).fit(wide.X, wide.y)
        np.testing.assert_allclose(model.coef_, cold.coef_, atol=1e-2 if "tol" in change else 1e-7)
    targets = np.column_stack([wide.y, -wide.y])
    model.set_params(tol=1e-10, positive=False).fit(wide.X, targets)
    np.testing.assert_allclose(model.coef_[0], -model.coef_[1], atol=1e-8)


def test_warm_models_are_copied_without_their_session(wide):
    model = Lasso(0.05, warm_start=True).fit(wide.X, wide.y)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(other.coef_, model.coef_)
        np.testing.assert_allclose(other.fit(wide.X, wide.y).coef_, model.coef_, atol=1e-8)
