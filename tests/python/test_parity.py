"""scikit-learn's answers at tol 1e-12, reproduced to 1e-8 through the same calls."""

import inspect

import numpy as np
import pytest
import sklearn.linear_model as peers
import svenet
from numpy.testing import assert_allclose, assert_array_equal

TIGHT = {"tol": 1e-12, "max_iter": 1_000_000}
KINDS = ["C", "F", "csc_matrix", "csr_matrix", "csc_array", "csr_array"]


@pytest.mark.parametrize("shape", ["tall", "wide"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("positive", [True, False])
def test_elastic_net(request, shape, kind, fit_intercept, positive):
    data = request.getfixturevalue(shape)
    X = data.stored(kind)
    for alpha in (0.02, 0.2, 1.0):
        for l1_ratio in (0.1, 0.5, 1.0):
            for weights in (None, data.w):
                common = {"l1_ratio": l1_ratio, "fit_intercept": fit_intercept, "positive": positive}
                ours = svenet.ElasticNet(alpha, **common).fit(X, data.y, sample_weight=weights)
                theirs = peers.ElasticNet(alpha, **common, **TIGHT).fit(data.X, data.y, sample_weight=weights)
                assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
                assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-8)
                assert_allclose(ours.predict(X), theirs.predict(data.X), atol=1e-7)


def test_lasso(wide):
    ours = svenet.Lasso(0.1).fit(wide.X, wide.y)
    theirs = peers.Lasso(0.1, **TIGHT).fit(wide.X, wide.y)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    assert ours.l1_ratio == theirs.l1_ratio == 1.0


def test_ridge_limit(wide):
    ours = svenet.ElasticNet(0.5, l1_ratio=0.0).fit(wide.X, wide.y)
    theirs = peers.Ridge(0.5 * len(wide.y), tol=1e-12).fit(wide.X, wide.y)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)


def test_least_squares_limit(tall):
    assert_allclose(
        svenet.ElasticNet(0.0).fit(tall.X, tall.y).coef_,
        peers.LinearRegression().fit(tall.X, tall.y).coef_,
        atol=1e-9,
    )


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_shapes_with_a_matrix_of_targets(tall, columns, fit_intercept):
    Y = np.stack([tall.y * (k + 1) + k * tall.X[:, k] for k in range(columns)], axis=1)
    ours = svenet.ElasticNet(0.1, fit_intercept=fit_intercept).fit(tall.X, Y)
    theirs = peers.ElasticNet(0.1, fit_intercept=fit_intercept, **TIGHT).fit(tall.X, Y)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-8)
    assert_allclose(ours.predict(tall.X), theirs.predict(tall.X), atol=1e-7)
    for name in ("coef_", "intercept_", "dual_gap_", "n_iter_"):
        assert np.shape(getattr(ours, name)) == np.shape(getattr(theirs, name)), name


IN_SINGLE = {
    "ElasticNet": lambda X, y: svenet.ElasticNet(0.1).fit(X, y),
    "several targets": lambda X, y: svenet.ElasticNet(0.1).fit(X, np.stack([y, -y], axis=1)),
    "LassoCV": lambda X, y: svenet.LassoCV(alphas=20).fit(X, y),
    "BudgetElasticNet": lambda X, y: svenet.BudgetElasticNet(0.5).fit(X, y),
    "SquaredHingeSVC": lambda X, y: svenet.SquaredHingeSVC(intercept_scaling=0.1).fit(X, y > 2),
}


@pytest.mark.parametrize("kind", ["C", "F", "csc_array", "csr_matrix", "coo_array"])
@pytest.mark.parametrize("fit", IN_SINGLE)
def test_float32_data_have_float64_answers(tall, fit, kind):
    """Those of the same numbers as float64: rounded to float32 they would be off by more than their gap."""
    X = tall.stored(kind).astype(np.float32)
    ours, exact = IN_SINGLE[fit](X, tall.y), IN_SINGLE[fit](X.astype(np.float64), tall.y)
    assert ours.coef_.dtype == np.asarray(ours.intercept_).dtype == np.float64
    scaled = 1e-6 if fit == "SquaredHingeSVC" else 1e-12  # its column of 0.1 has the type of X
    assert_allclose(ours.coef_, exact.coef_, rtol=0, atol=scaled)
    assert_allclose(ours.intercept_, exact.intercept_, rtol=0, atol=scaled)
    values = getattr(ours, "decision_function", ours.predict)(X)
    assert values.dtype == np.float64
    assert_allclose(values, X.astype(np.float64) @ ours.coef_.T.squeeze() + ours.intercept_, atol=1e-12)


def test_float32_paths_have_float64_answers(tall):
    X = tall.X.astype(np.float32)
    for path, parameters in ((svenet.enet_path, {"alphas": [0.1]}), (svenet.budget_path, {"ts": [0.5]})):
        _, coefs, _ = path(X, tall.y, **parameters)
        _, exact, _ = path(X.astype(np.float64), tall.y, **parameters)
        assert coefs.dtype == np.float64
        assert_allclose(coefs, exact, rtol=0, atol=1e-12)


def test_prediction_for_float32_makes_no_copy_of_X():
    import tracemalloc

    X = np.ones((2000, 500), dtype=np.float32)
    model = svenet.ElasticNet(0.1).fit(X[:50] + np.eye(50, 500, dtype=np.float32), np.arange(50.0))
    tracemalloc.start()
    model.predict(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < X.nbytes / 2


def test_weights_scale_away(tall):
    once = svenet.ElasticNet(0.1).fit(tall.X, tall.y, sample_weight=tall.w)
    scaled = svenet.ElasticNet(0.1).fit(tall.X, tall.y, sample_weight=100 * tall.w)
    assert_allclose(once.coef_, scaled.coef_, atol=1e-12)


@pytest.mark.parametrize("name", ["ElasticNet", "Lasso", "ElasticNetCV", "LassoCV"])
def test_names_and_defaults_are_scikit_learns(name):
    """The newest names; but tol, which is a true gap, and alphas, an integer since 1.7."""
    ours = inspect.signature(getattr(svenet, name)).parameters
    theirs = inspect.signature(getattr(peers, name)).parameters
    for parameter, declared in theirs.items():
        if parameter in ("tol", "alphas", "n_alphas"):
            assert parameter in ours
            continue
        assert ours[parameter].default == declared.default, parameter
        assert ours[parameter].kind == declared.kind, parameter
    assert ours["tol"].default == 1e-10


@pytest.mark.parametrize("name", ["ElasticNet", "Lasso", "ElasticNetCV", "LassoCV"])
def test_attributes_are_scikit_learns(name, tall):
    ours = getattr(svenet, name)().fit(tall.X, tall.y)
    theirs = getattr(peers, name)().fit(tall.X, tall.y)
    for attribute in vars(theirs):
        if attribute.endswith("_") and not attribute.startswith("_"):
            assert np.shape(getattr(ours, attribute)) == np.shape(getattr(theirs, attribute)), attribute


def test_sparse_coef(wide):
    model = svenet.Lasso(0.3).fit(wide.X, wide.y)
    assert model.sparse_coef_.shape == (1, 60)
    assert model.sparse_coef_.nnz == np.count_nonzero(model.coef_) > 0
    assert_allclose(model.sparse_coef_.toarray()[0], model.coef_)


def test_standardize_is_a_scaler_before(tall):
    scale = tall.X.std(axis=0)
    inside = svenet.ElasticNet(0.1, standardize=True).fit(tall.X, tall.y)
    outside = peers.ElasticNet(0.1, **TIGHT).fit(tall.X / scale, tall.y)
    assert_allclose(inside.coef_ * scale, outside.coef_, atol=1e-8)


def test_penalty_factor_is_a_scaling_of_a_column(tall):
    factors = np.ones(12)
    factors[3] = 4.0
    ours = svenet.Lasso(0.1, penalty_factor=factors).fit(tall.X, tall.y)
    theirs = peers.Lasso(0.1, **TIGHT).fit(tall.X / factors, tall.y)
    assert_allclose(ours.coef_ * factors, theirs.coef_, atol=1e-8)
    factors[[3, 5]] = 0.0, np.inf
    free = svenet.Lasso(50.0, penalty_factor=factors).fit(tall.X, tall.y)
    assert free.coef_[3] != 0 and np.count_nonzero(free.coef_) == 1


def test_certificate_and_multipliers(tall):
    model = svenet.ElasticNet(0.2, l1_ratio=0.5).fit(tall.X, tall.y)
    n = len(tall.y)
    assert model.lambda1_ == pytest.approx(2 * n * 0.2 * 0.5)
    assert model.lambda2_ == pytest.approx(n * 0.2 * 0.5)
    assert model.t_ == pytest.approx(np.abs(model.coef_).sum())
    assert sum(model.support_certificate_) == 12
    assert model.support_certificate_.proven_selected == np.count_nonzero(model.coef_)
    assert_array_equal(model.support_proof_, np.where(model.coef_ != 0, "selected", "zero"))
    assert model.relative_gap_ <= model.tol


def test_proofs_of_every_estimator(tall):
    classes = (tall.y > np.median(tall.y)).astype(int)
    counts = np.round(np.exp(tall.y / np.abs(tall.y).max()))
    for model, y in (
        (svenet.Lasso(0.3), tall.y),
        (svenet.LassoCV(cv=3), tall.y),
        (svenet.LogisticRegression(C=0.1, l1_ratio=0.5), classes),
        (svenet.PoissonRegressor(alpha=0.1), counts),
    ):
        model.fit(tall.X, y)
        told = [int((model.support_proof_ == proof).sum()) for proof in ("selected", "zero", "undecided", "left out")]
        assert tuple(told) == model.support_certificate_, type(model)
    both = svenet.Lasso(0.3).fit(tall.X, np.column_stack([tall.y, -tall.y]))
    assert_array_equal(both.support_proof_, [svenet.Lasso(0.3).fit(tall.X, tall.y).support_proof_] * 2)
    fit = svenet.Session(tall.X, tall.y).fit(0.3, l1_ratio=1.0)
    assert_array_equal(fit.support_proof, both.support_proof_[0])


@pytest.mark.parametrize("kind", ["tall", "wide"])
def test_targets_side_by_side(kind, request):
    data = request.getfixturevalue(kind)
    random = np.random.default_rng(5)
    Y = np.column_stack([data.y, 100 * data.X[:, 0] + 3, -data.y, random.standard_normal(len(data.y))])
    weights = random.uniform(0.5, 2, len(data.y))
    together = svenet.ElasticNet(0.1, standardize=True).fit(data.X, Y, sample_weight=weights)
    assert together.coef_.shape == (4, data.X.shape[1]) and together.intercept_.shape == (4,)
    for k in range(4):
        alone = svenet.ElasticNet(0.1, standardize=True).fit(data.X, Y[:, k], sample_weight=weights)
        assert_allclose(together.coef_[k], alone.coef_, atol=1e-8 * np.abs(alone.coef_).max())
        assert together.t_[k] == pytest.approx(alone.t_)
        assert together.relative_gap_[k] <= 1e-10


def test_warning_names_what_was_compared(wide):
    with pytest.warns(svenet._warnings.convergence_warning()) as caught:
        model = svenet.Lasso(0.001, max_iter=1).fit(wide.X, wide.y)
    text = str(caught[0].message)
    assert f"{model.relative_gap_:.3e}" in text and f"{model.tol:.3e}" in text
    assert model.relative_gap_ > model.tol


def test_devices(tall):
    """A build without CUDA solves on the processor where it may, and says why where it may not."""
    expected = svenet.Lasso(0.1).fit(tall.X, tall.y).coef_
    for device in ("auto", "automatic"):  # the second is the older name
        assert_allclose(svenet.Lasso(0.1, device=device).fit(tall.X, tall.y).coef_, expected, atol=1e-10)
    try:
        on_gpu = svenet.Lasso(0.1, device="cuda").fit(tall.X, tall.y)
    except RuntimeError as error:
        assert "CUDA" in str(error) or "device" in str(error)
    else:
        assert_allclose(on_gpu.coef_, expected, atol=1e-8)
