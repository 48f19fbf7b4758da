"""Folds of our own, and what they say of the rows they do not train on."""
import numpy as np
import pytest
from sklearn import clone, config_context
from sklearn.model_selection import TimeSeriesSplit

import svenet


def rows_of(pairs):
    return [test.tolist() for _, test in pairs]


def make_rows(family):
    rng = np.random.default_rng(11)
    X = rng.standard_normal((90, 6))
    eta = X[:, 0] - 0.5 * X[:, 1]
    y = {"gaussian": lambda: eta + rng.standard_normal(90), "binomial": lambda: (rng.random(90) < 1 / (1 + np.exp(-eta))) * 1.0,
         "poisson": lambda: rng.poisson(np.exp(eta)) * 1.0}[family]()
    return X, y


def test_rows_are_dealt_out_once_a_repeat():
    pairs = svenet.make_folds(23, 4, seed=5, repeats=3)
    assert len(pairs) == 12
    for repeat in range(3):
        tested = np.sort(np.concatenate([test for _, test in pairs[4 * repeat : 4 * repeat + 4]]))
        np.testing.assert_array_equal(tested, np.arange(23))
    for train, test in pairs:
        np.testing.assert_array_equal(np.sort(np.r_[train, test]), np.arange(23))
    assert rows_of(svenet.make_folds(23, 4, seed=5)) == rows_of(pairs[:4])
    assert rows_of(svenet.make_folds(23, 4, seed=6)) != rows_of(pairs[:4])


def test_classes_are_spread_and_groups_stay_together():
    y = np.array(["a"] * 30 + ["b"] * 10)
    for _, test in svenet.make_folds(40, 5, stratify=y):
        assert (y[test] == "b").sum() == 2 and len(test) == 8
    groups = np.array([f"patient {k}" for k in np.random.default_rng(1).integers(0, 9, 60)])
    for train, test in svenet.make_folds(60, 3, groups=groups):
        assert not set(groups[train]) & set(groups[test])


def test_rows_in_the_order_of_time():
    ours = svenet.make_folds(50, 4, time_ordered=True)
    for (train, test), (expected, rows) in zip(ours, TimeSeriesSplit(4).split(np.zeros(50)), strict=True):
        np.testing.assert_array_equal(train, expected)
        np.testing.assert_array_equal(test, rows)


@pytest.mark.parametrize("relax", [False, True])
@pytest.mark.parametrize("family", ["gaussian", "binomial", "poisson"])
def test_out_of_fold_predictions_are_those_of_the_folds(family, relax):
    X, y = make_rows(family)
    folds = svenet.make_folds(90, 5, seed=3, repeats=2)
    result = svenet.cross_validate(X, y, family=family, alphas=12, cv=folds, keep=True, relax=relax, measure="mse")
    for rule in ("min", "1se"):
        curve, at = result.best_curve.choice(rule)
        expected = np.zeros(90)
        for train, test in folds:
            path = svenet.cross_validate(X[train], y[train], family=family, alphas=[curve.alphas[at]], relax=relax,
                                         gamma=[curve.gamma], cv=2)
            expected[test] += path.predict(X[test]) / 2
        kept = result.out_of_fold(rule)
        np.testing.assert_allclose(kept, expected, rtol=1e-5, atol=1e-8)
        if family == "gaussian":
            np.testing.assert_allclose(svenet.cross_validate(X, y, alphas=12, cv=folds[:5], keep=True).out_of_fold(),
                                       svenet.Session(X, y).cv(alphas=12, cv=folds[:5], keep=True).out_of_fold(), rtol=1e-6)


def test_rows_that_no_fold_tests_have_none():
    X, y = make_rows("gaussian")
    kept = svenet.cross_validate(X, y, alphas=5, cv=svenet.make_folds(90, 4, time_ordered=True), keep=True).out_of_fold()
    assert np.isnan(kept[:18]).all() and np.isfinite(kept[18:]).all()


@pytest.mark.parametrize("family", ["gaussian", "binomial", "poisson"])
def test_ungrouped_errors_are_those_of_the_rows(family):
    X, y = make_rows(family)
    folds = svenet.make_folds(90, 5, seed=3)
    arguments = {"alphas": 12, "cv": folds, "keep": True, "measure": "mse", "grouped": False}
    for result in (svenet.cross_validate(X, y, family=family, **arguments),
                   svenet.Session(X, y, family=family).cv(**arguments)):
        curve, at = result.best_curve.choice("min")
        errors = (2 if family == "binomial" else 1) * (y - result.out_of_fold("min")) ** 2
        np.testing.assert_allclose(curve.mean[at], errors.mean(), rtol=1e-7)
        np.testing.assert_allclose(curve.standard_error[at], errors.std() / np.sqrt(89), rtol=1e-6)


def test_mistakes_are_named():
    X, y = make_rows("gaussian")
    with pytest.raises(ValueError, match="keep=True"):
        svenet.cross_validate(X, y, alphas=3).out_of_fold()
    with pytest.raises(ValueError, match="exclude each other"):
        svenet.make_folds(90, stratify=y, groups=y)
    with pytest.raises(ValueError, match="one for each row"):
        svenet.make_folds(90, groups=y[:5])
    with pytest.raises(ValueError, match="cannot be repeated"):
        svenet.make_folds(90, time_ordered=True, repeats=2)
    with pytest.raises(ValueError):
        svenet.make_folds(90, 1)


@pytest.mark.parametrize("rows, folds, more, name", [
    (60, 3.7, {}, "folds"), (60.5, 3, {}, "rows"), (60, True, {}, "folds"), ("60", 3, {}, "rows"),
    (60, 3, {"seed": 1.5}, "seed"), (60, 3, {"seed": -1}, "seed"), (60, 3, {"seed": None}, "seed"),
    (60, 3, {"repeats": 1.5}, "repeats"), (60, 3, {"repeats": 0}, "repeats"),
])
def test_numbers_of_folds_are_whole(rows, folds, more, name):
    with pytest.raises(ValueError, match=f"The '{name}' parameter of make_folds must be an int"):
        svenet.make_folds(rows, folds, **more)


def test_whole_numbers_of_numpy_are_taken():
    ours = svenet.make_folds(np.int64(60), np.uint8(3), seed=np.int32(4), repeats=np.int16(2))
    assert rows_of(ours) == rows_of(svenet.make_folds(60, 3, seed=4, repeats=2))


FOLD_OF_ROW = np.random.default_rng(2).permutation(np.arange(90) % 4) * 3 - 2
BY_NUMBER = [(np.flatnonzero(FOLD_OF_ROW != k), np.flatnonzero(FOLD_OF_ROW == k)) for k in (-2, 1, 4, 7)]


@pytest.mark.parametrize("form", [
    lambda folds: folds, list, lambda folds: folds.astype(float), lambda folds: folds.astype(object),
    lambda folds: pytest.importorskip("pandas").Series(folds, index=np.arange(90)[::-1]),
])
def test_a_vector_has_the_fold_of_each_row(form):
    X, y = make_rows("gaussian")
    ours = svenet.cross_validate(X, y, alphas=6, cv=form(FOLD_OF_ROW))
    expected = svenet.cross_validate(X, y, alphas=6, cv=BY_NUMBER)
    np.testing.assert_array_equal(ours.best_curve.fold_errors, expected.best_curve.fold_errors)


@pytest.mark.parametrize("family, estimator", [
    ("gaussian", svenet.LassoCV(alphas=5)), ("gaussian", svenet.ElasticNetCV(alphas=5)),
    ("poisson", svenet.PoissonRegressorCV(alphas=5)), ("binomial", svenet.LogisticRegressionCV(Cs=5)),
])
@pytest.mark.parametrize("is_routed", [False, True])
def test_estimators_take_the_fold_of_each_row(family, estimator, is_routed):
    X, y = make_rows(family)
    ours, expected = (clone(estimator).set_params(cv=cv) for cv in (FOLD_OF_ROW, BY_NUMBER))
    assert repr(ours)
    with config_context(enable_metadata_routing=is_routed):
        ours.fit(X, y)
        expected.fit(X, y)
    for one, other in zip(ours.cross_validation_.curves, expected.cross_validation_.curves, strict=True):
        np.testing.assert_array_equal(one.fold_errors, other.fold_errors)
    np.testing.assert_array_equal(ours.coef_, expected.coef_)


def test_sessions_and_two_classes_take_the_fold_of_each_row():
    X, y = make_rows("binomial")
    ours = svenet.cross_validate(X, y, family="binomial", alphas=4, cv=FOLD_OF_ROW)
    again = svenet.Session(X, y, family="binomial").cv(alphas=4, cv=FOLD_OF_ROW)
    assert ours.best_curve.fold_errors.shape == again.best_curve.fold_errors.shape == (4, 4)


@pytest.mark.parametrize("cv, message", [
    (FOLD_OF_ROW[:80], "cv has 80 numbers of folds, X has 90 rows"),
    ([0, 1, 2], "cv has 3 numbers of folds"),
    (FOLD_OF_ROW + 0.5, "must be a whole number: -?[0-9]+.5 is none"),
    (np.where(FOLD_OF_ROW > 0, FOLD_OF_ROW, np.nan), "must be a whole number: nan is none"),
    (np.array(["a", "b", "c"] * 30), "must be a whole number: a is none"),
    (np.zeros(90, dtype=int), "at least 2 folds, cv has all rows in fold 0"),
])
def test_mistakes_in_the_folds_of_rows_are_named(cv, message):
    X, y = make_rows("binomial")
    for call in (lambda: svenet.cross_validate(X, y, cv=cv), lambda: svenet.LassoCV(cv=cv).fit(X, y),
                 lambda: svenet.LogisticRegressionCV(Cs=2, cv=cv).fit(X, y)):
        with pytest.raises(ValueError, match=message):
            call()
