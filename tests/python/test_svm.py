"""SquaredHingeSVC against scikit-learn's LinearSVC, which minimises the same."""

import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.svm import LinearSVC


def data(classes, samples=120, features=10):
    return make_classification(
        samples, features, n_informative=6, n_classes=classes, class_sep=0.5, random_state=0
    )


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 3.0}])
def test_linear_svc(classes, fit_intercept, class_weight):
    X, y = data(classes)
    common = {"C": 0.3, "fit_intercept": fit_intercept, "class_weight": class_weight}
    ours = svenet.SquaredHingeSVC(**common).fit(X, y)
    theirs = LinearSVC(**common, dual=False, tol=1e-13, max_iter=100_000).fit(X, y)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-7)
    assert_allclose(ours.intercept_, np.broadcast_to(theirs.intercept_, ours.intercept_.shape), atol=1e-7)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)
    assert ours.relative_gap_ <= ours.tol


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_array"])
def test_sparse(kind):
    X, y = data(2)
    X[np.abs(X) < 0.5] = 0
    dense = svenet.SquaredHingeSVC().fit(X, y)
    assert_allclose(svenet.SquaredHingeSVC().fit(getattr(sparse, kind)(X), y).coef_, dense.coef_, atol=1e-9)


def test_weights_count_rows():
    X, y = data(2)
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    weighted = svenet.SquaredHingeSVC().fit(X, y, sample_weight=weights)
    repeats = weights.astype(int)
    repeated = svenet.SquaredHingeSVC().fit(np.repeat(X, repeats, axis=0), np.repeat(y, repeats))
    assert_allclose(weighted.coef_, repeated.coef_, atol=1e-8)


def test_dual_variables_give_the_weights_back():
    X, y = data(2)
    model = svenet.SquaredHingeSVC(fit_intercept=False).fit(X, y)
    assert_allclose((model.dual_coef_[0] * np.where(y == 1, 1, -1)) @ X, model.coef_[0], atol=1e-8)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="one class"):
        svenet.SquaredHingeSVC().fit([[0.0], [1.0]], [1, 1])


@pytest.mark.parametrize("decade", [-160, 160])
def test_units_beyond_squares_are_refused(decade):
    X, y = data(2)
    with pytest.raises(ValueError, match="to square: .* X by a constant first"):
        svenet.SquaredHingeSVC(fit_intercept=False).fit(X * 10.0**decade, y)


@pytest.mark.parametrize("decade", [-70, -20, 8, 20, 70])
def test_any_other_unit_is_solved(decade):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 10))
    y = X[:, 0] + rng.standard_normal(120) > 0
    model = svenet.SquaredHingeSVC(fit_intercept=False).fit(X * 10.0**decade, y)
    assert model.status_ == "optimal"
    assert np.isfinite(model.coef_).all()
    assert 0 < model.relative_gap_ <= model.tol


def test_costs_too_large_to_hold_are_refused():
    X, y = data(2)
    with pytest.raises(ValueError, match="the largest cost, .* is too large"):
        svenet.SquaredHingeSVC(C=1e200).fit(X, y)
