"""LogisticRegression against scikit-learn's, at its tightest."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
import svenet
from numpy.testing import assert_allclose, assert_array_equal
from python.outcome_data import objective, outcome
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.multiclass import OneVsRestClassifier

TIGHT = 1e-13  # coefficients are as accurate as the root of the gap
# Below 1.8 scikit-learn wants the penalty by its name.
NEW_NAMES = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 8)


def reference(C=1.0, l1_ratio=0.0, **more):
    names = {} if NEW_NAMES else {"penalty": "l2" if l1_ratio == 0 else "elasticnet"}
    if l1_ratio == 0:
        return LogisticRegression(C=C, solver="newton-cholesky", tol=1e-13, max_iter=1000, **names, **more)
    return LogisticRegression(C=C, l1_ratio=l1_ratio, solver="saga", tol=1e-13, max_iter=200000, **names, **more)


def assert_same(ours, theirs, parity=1e-6):
    largest = np.abs(theirs.coef_).max()
    assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=parity * largest)
    assert_allclose(ours.intercept_, theirs.intercept_, rtol=0, atol=parity * max(1, largest))
    assert ours.coef_.shape == theirs.coef_.shape and ours.intercept_.shape == theirs.intercept_.shape
    assert_array_equal(ours.classes_, theirs.classes_)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_scikit_learn(tall, l1_ratio, intercept):
    y = np.where(outcome(tall, "binomial") == 1, "yes", "no")
    arguments = {"C": 0.7, "l1_ratio": l1_ratio, "fit_intercept": intercept}
    ours = svenet.LogisticRegression(tol=TIGHT, **arguments).fit(tall.X, y)
    theirs = reference(**arguments).fit(tall.X, y)
    assert_same(ours, theirs)
    assert_allclose(ours.predict_proba(tall.X), theirs.predict_proba(tall.X), atol=1e-6)
    assert_allclose(ours.predict_log_proba(tall.X), theirs.predict_log_proba(tall.X), atol=1e-5)
    assert_allclose(ours.decision_function(tall.X), theirs.decision_function(tall.X), atol=1e-5)
    assert_array_equal(ours.predict(tall.X), theirs.predict(tall.X))
    assert ours.score(tall.X, y) == theirs.score(tall.X, y)
    assert_allclose(ours.deviance_, 2 * log_loss(y, theirs.predict_proba(tall.X), normalize=False), rtol=1e-9)
    assert ours.status_ == "optimal" and ours.relative_gap_ <= TIGHT and ours.n_iter_.shape == (1,)


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 0.5, 1: 3.0}])
def test_weights(tall, class_weight):
    y = outcome(tall, "binomial")
    arguments = {"C": 0.3, "class_weight": class_weight}
    ours = svenet.LogisticRegression(tol=TIGHT, **arguments).fit(tall.X, y, sample_weight=tall.w)
    theirs = reference(**arguments)
    if class_weight == "balanced":  # by the rows' weights, as in scikit-learn since 1.7
        weight = tall.w.sum() / (2 * np.bincount(y.astype(int), weights=tall.w))
        theirs = reference(C=0.3, class_weight=dict(enumerate(weight)))
    assert_same(ours, theirs.fit(tall.X, y, sample_weight=tall.w))
    doubled = svenet.LogisticRegression(**arguments).fit(tall.X, y, sample_weight=2.0)
    other = svenet.LogisticRegression(C=0.6, class_weight=class_weight).fit(tall.X, y)
    assert_allclose(doubled.coef_, other.coef_, atol=1e-8)


@pytest.mark.parametrize("kind", ["C", "F", "csr_array", "csc_matrix"])
def test_wide_in_any_storage(wide, kind):
    y = outcome(wide, "binomial")
    ours = svenet.LogisticRegression(C=0.5, l1_ratio=0.3).fit(wide.stored(kind), y)
    plain = svenet.LogisticRegression(C=0.5, l1_ratio=0.3).fit(wide.X, y)
    assert_allclose(ours.coef_, plain.coef_, atol=1e-9)
    assert_allclose(ours.predict_proba(wide.stored(kind)), plain.predict_proba(wide.X), atol=1e-9)
    # the objective, in scikit-learn's scale
    value = objective("binomial", wide.X, y, ours.coef_[0], ours.intercept_[0], ours.lambda1_, ours.lambda2_)
    assert_allclose([ours.lambda1_, ours.lambda2_], [2 * 0.3 / 0.5, 0.7 / 0.5])
    assert_allclose(ours.deviance_ + ours.lambda2_ * ours.coef_[0] @ ours.coef_[0] + ours.lambda1_ * ours.t_, value)
    assert_allclose(ours.dual_gap_, ours.relative_gap_ * ours.null_deviance_ * 0.5 / 2)


def test_one_against_the_rest(tall):
    y = np.digitize(tall.y, np.quantile(tall.y, [0.3, 0.6]))
    ours = svenet.LogisticRegression(C=0.5, tol=TIGHT).fit(tall.X, y)
    theirs = OneVsRestClassifier(reference(C=0.5)).fit(tall.X, y)
    assert_allclose(ours.coef_, np.vstack([each.coef_ for each in theirs.estimators_]), atol=1e-6)
    assert_allclose(ours.predict_proba(tall.X), theirs.predict_proba(tall.X), atol=1e-6)
    assert_array_equal(ours.predict(tall.X), theirs.predict(tall.X))
    assert_allclose(np.exp(ours.predict_log_proba(tall.X)), ours.predict_proba(tall.X), atol=1e-12)
    assert ours.relative_gap_.shape == (3,) and len(ours.status_) == 3 and ours.n_iter_.shape == (3,)
    with pytest.raises(ValueError, match="log odds of two classes; there are 3 classes"):
        ours.fit(tall.X, y, offset=np.zeros(80))


@pytest.mark.filterwarnings("ignore")
def test_the_penalty_by_its_older_names(tall):
    y = outcome(tall, "binomial")

    def coef(**arguments):
        return svenet.LogisticRegression(**arguments).fit(tall.X, y).coef_

    assert_array_equal(coef(penalty="l1"), coef(l1_ratio=1.0))
    assert_array_equal(coef(penalty="l2", l1_ratio=None), coef())
    assert_array_equal(coef(penalty="elasticnet", l1_ratio=0.4), coef(l1_ratio=0.4))
    assert_array_equal(coef(penalty=None), coef(C=np.inf))
    free = svenet.LogisticRegression(C=np.inf).fit(tall.X, y)
    assert_same(free, reference(C=np.inf).fit(tall.X, y))
    assert free.status_ == "optimal" and free.relative_gap_ <= 1e-10 and free.lambda1_ == free.lambda2_ == 0
    several = svenet.LogisticRegressionCV(penalty=None).fit(tall.X, y)
    assert_allclose(several.coef_, free.coef_, atol=1e-9)
    assert several.C_ == np.inf and several.fold_gaps_.max() <= 1e-10


def test_limits_offset_and_factors(tall):
    y, offset = outcome(tall, "binomial"), np.random.default_rng(1).standard_normal(80)
    free = svenet.LogisticRegression(C=2.0, l1_ratio=0.5).fit(tall.X, y, offset=offset)
    bound = 0.4 * np.abs(free.coef_).max()
    model = svenet.LogisticRegression(C=2.0, l1_ratio=0.5, lower=-bound, upper=bound).fit(tall.X, y, offset=offset)
    assert np.abs(model.coef_).max() == bound and model.relative_gap_ <= 1e-10
    assert clone(model).get_params()["upper"] == bound
    assert_allclose(model.decision_function(tall.X, offset), model.decision_function(tall.X) + offset)
    assert (svenet.LogisticRegression(l1_ratio=1.0, positive=True).fit(tall.X, y).coef_ >= 0).all()
    factors = np.ones(12)
    factors[2], factors[5] = 0, np.inf
    model = svenet.LogisticRegression(C=0.01, l1_ratio=1.0, penalty_factor=factors).fit(tall.X, y)
    assert model.coef_[0, 2] != 0 and model.coef_[0, 5] == 0


def test_names_display_and_copies(tall):
    y = outcome(tall, "binomial")
    table = pd.DataFrame(tall.X, columns=[f"f{k}" for k in range(12)])
    model = svenet.LogisticRegression(l1_ratio=0.5).fit(table, y)
    assert list(model.feature_names_in_) == list(table.columns)
    html = model._repr_mimebundle_()["text/html"]
    assert "null deviance" in html and "f0" in html
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict_proba(table), model.predict_proba(table))


def test_what_is_refused(tall):
    y = outcome(tall, "binomial")
    cases = [
        ({"C": 0.0}, "'C' parameter of LogisticRegression"),
        ({"l1_ratio": 1.5}, "'l1_ratio' parameter of LogisticRegression"),
        ({"penalty": "l3"}, "'penalty' parameter of LogisticRegression"),
        ({"solver": "mine"}, "'solver' parameter of LogisticRegression"),
        ({"lower": 1.0}, "'lower' parameter of LogisticRegression"),
        ({"upper": -1.0}, "'upper' parameter of LogisticRegression"),
    ]
    for arguments, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            svenet.LogisticRegression(**arguments).fit(tall.X, y)
    with pytest.raises(ValueError, match="only one class"):
        svenet.LogisticRegression().fit(tall.X, np.ones(80))
    with pytest.raises(ValueError, match="The offset has 2 numbers, X has 80 rows"):
        svenet.LogisticRegression().fit(tall.X, y, offset=[1.0, 2.0])
    with pytest.raises(ValueError, match="unpenalised columns separate the classes"):
        factors = np.where(np.arange(12) == 0, 0.0, 1.0)
        svenet.LogisticRegression(penalty_factor=factors).fit(tall.X, tall.X[:, 0] > 0.2)
    with pytest.raises(ValueError, match="unpenalised columns separate the classes"):
        svenet.LogisticRegression(C=np.inf).fit(tall.X, tall.X[:, 0] > 0.2)
