"""LogisticRegressionCV against scikit-learn's, and PoissonRegressorCV against fits of its folds."""

import numpy as np
import pytest
import sklearn
import svenet
from numpy.testing import assert_allclose, assert_array_equal
from python.outcome_data import outcome
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import mean_absolute_error, mean_poisson_deviance, mean_squared_error
from sklearn.model_selection import GroupKFold, StratifiedKFold

NEW_NAMES = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 8)
CS = [1.0, 0.01, 0.1, 10.0]


def reference(ratios, **arguments):
    """scikit-learn's, tight, with its older attributes."""
    arguments |= {"use_legacy_attributes": True} if NEW_NAMES else {}
    if ratios == [0.0]:
        arguments |= {"solver": "newton-cholesky", "max_iter": 1000}
        arguments |= {"l1_ratios": ratios} if NEW_NAMES else {}
    else:
        arguments |= {"solver": "saga", "max_iter": 100000, "l1_ratios": ratios}
        arguments |= {} if NEW_NAMES else {"penalty": "elasticnet"}
    return LogisticRegressionCV(tol=1e-12, **arguments)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("scoring", ["neg_log_loss", "accuracy", "roc_auc", None])
@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn(tall, scoring, weighted):
    if weighted and scoring is None and not NEW_NAMES:
        pytest.skip("their score by default had no weights before 1.8")
    y, w = np.where(outcome(tall, "binomial") == 1, "b", "a"), tall.w if weighted else None
    arguments = {"Cs": CS, "cv": StratifiedKFold(4), "scoring": scoring}
    ours = svenet.LogisticRegressionCV(tol=1e-13, **arguments).fit(tall.X, y, sample_weight=w)
    theirs = reference([0.0], **arguments).fit(tall.X, y, sample_weight=w)
    assert_allclose(ours.scores_[:, 0], theirs.scores_["b"].reshape(4, 4), atol=1e-6)
    assert_array_equal(ours.Cs_, theirs.Cs_)
    assert ours.C_ == theirs.C_[0] and ours.l1_ratio_ == 0
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-6 * np.abs(theirs.coef_).max())
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    assert_allclose(ours.score(tall.X, y), theirs.score(tall.X, y), atol=1e-6)
    older = svenet.LogisticRegressionCV(use_legacy_attributes=True, **arguments).fit(tall.X, y, sample_weight=w)
    assert_allclose(older.scores_["b"][..., 0], theirs.scores_["b"].reshape(4, 4), atol=1e-4)
    assert_array_equal(older.C_, theirs.C_)


@pytest.mark.filterwarnings("ignore")
def test_several_ratios(tall):
    y = outcome(tall, "binomial")
    # saga never moves the intercept where it leaves all coefficients at zero
    ratios, arguments = [0.3, 1.0], {"Cs": [10.0, 1.0, 3.0], "cv": 3, "scoring": "neg_log_loss"}
    ours = svenet.LogisticRegressionCV(l1_ratios=ratios, **arguments).fit(tall.X, y)
    theirs = reference(ratios, **arguments).fit(tall.X, y)
    assert_allclose(ours.scores_, theirs.scores_[1.0].swapaxes(1, 2), atol=1e-5)
    assert (ours.C_, ours.l1_ratio_) == (theirs.C_[0], theirs.l1_ratio_[0])
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    assert ours.fold_gaps_.shape == ours.scores_.shape == (3, 2, 3) and ours.fold_gaps_.max() <= 1e-10
    assert set(ours.fold_statuses_.ravel()) == {"optimal"}


def test_the_simpler_model(wide):
    y = outcome(wide, "binomial")
    arguments = {"Cs": np.logspace(-2, 1, 12), "l1_ratios": [1.0], "cv": 3}
    best = svenet.LogisticRegressionCV(**arguments).fit(wide.X, y)
    simple = svenet.LogisticRegressionCV(choose="1se", **arguments).fit(wide.X, y)
    assert simple.C_ == best.C_1se_ == simple.C_1se_ <= best.C_
    alone = svenet.LogisticRegression(C=best.C_, l1_ratio=1.0).fit(wide.X, y)
    assert_allclose(best.coef_, alone.coef_, atol=1e-6)
    assert_allclose(best.dual_gap_, best.relative_gap_ * best.null_deviance_ * best.C_ / 2)
    assert_allclose(best.deviance_, alone.deviance_, rtol=1e-6)
    assert "C</th>" in best._repr_mimebundle_()["text/html"]


def test_more_than_two_classes(tall):
    y = np.digitize(tall.y, np.quantile(tall.y, [0.3, 0.6]))
    folds = list(StratifiedKFold(4).split(tall.X, y))
    model = svenet.LogisticRegressionCV(Cs=CS, cv=folds).fit(tall.X, y)
    each = [svenet.LogisticRegressionCV(Cs=CS, cv=folds).fit(tall.X, y == k).scores_ for k in range(3)]
    assert_allclose(model.scores_, np.mean(each, axis=0), atol=1e-8)
    assert_allclose(model.coef_, svenet.LogisticRegression(C=model.C_).fit(tall.X, y).coef_, atol=1e-6)
    assert model.fold_gaps_.shape == (3, 4, 1, 4) and len(model.cross_validation_) == 3
    assert "svenet-fit" in model._repr_mimebundle_()["text/html"]
    assert 0.5 < svenet.LogisticRegressionCV(scoring="roc_auc").fit(tall.X, y).score(tall.X, y) <= 1
    with pytest.raises(ValueError, match="choose='1se' is for two classes; there are 3 classes"):
        svenet.LogisticRegressionCV(choose="1se").fit(tall.X, y)


def test_groups_reach_the_splitter(tall):
    y, groups = outcome(tall, "binomial"), np.arange(80) % 5
    with sklearn.config_context(enable_metadata_routing=True):
        model = svenet.LogisticRegressionCV(Cs=3, cv=GroupKFold(5)).fit(tall.X, y, groups=groups)
    assert model.scores_.shape == (5, 1, 3)


def test_what_is_refused(tall):
    y = outcome(tall, "binomial")
    for name, value in [("scoring", "f1"), ("Cs", [0.0]), ("l1_ratios", [2.0]), ("refit", False), ("Cs", 0)]:
        with pytest.raises(ValueError, match=f"'{name}' parameter of LogisticRegressionCV"):
            svenet.LogisticRegressionCV(**{name: value}).fit(tall.X, y)
    with pytest.raises(ValueError, match="fold 0 trains on rows of one class alone"):
        svenet.LogisticRegressionCV(cv=[(np.flatnonzero(y), np.arange(9))]).fit(tall.X, y)
    with pytest.raises(ValueError, match="'measure' parameter of PoissonRegressorCV"):
        svenet.PoissonRegressorCV(measure="auc").fit(tall.X, y + 1)


ERRORS = {"deviance": mean_poisson_deviance, "mse": mean_squared_error, "mae": mean_absolute_error}


@pytest.mark.parametrize("measure", ERRORS)
def test_counts(tall, measure):
    y, offset = outcome(tall, "poisson"), 0.2 * np.random.default_rng(1).standard_normal(80)
    model = svenet.PoissonRegressorCV(l1_ratio=[0.5, 1.0], alphas=15, cv=4, measure=measure)
    model.fit(tall.X, y, sample_weight=tall.w, offset=offset)
    assert model.error_path_.shape == (2, 15, 4) and model.alphas_.shape == (2, 15)
    for fold, test in enumerate(np.split(np.arange(80), 4)):
        train = np.setdiff1d(np.arange(80), test)
        alone = svenet.PoissonRegressor(alpha=model.alphas_[1, 9], l1_ratio=1.0)
        alone.fit(tall.X[train], y[train], sample_weight=tall.w[train], offset=offset[train])
        mean = alone.predict(tall.X[test], offset[test])
        error = ERRORS[measure](y[test], mean, sample_weight=tall.w[test])
        assert_allclose(model.error_path_[1, 9, fold], error, rtol=1e-6)
    best = model.error_path_.mean(axis=2)
    assert model.l1_ratio_ == [0.5, 1.0][best.min(axis=1).argmin()]
    alone = svenet.PoissonRegressor(alpha=model.alpha_, l1_ratio=model.l1_ratio_)
    alone.fit(tall.X, y, sample_weight=tall.w, offset=offset)
    assert_allclose(model.coef_, alone.coef_, atol=1e-6)
    assert_allclose(model.deviance_, alone.deviance_, rtol=1e-6)
    assert_allclose(model.predict(tall.X), np.exp(tall.X @ model.coef_ + model.intercept_))
