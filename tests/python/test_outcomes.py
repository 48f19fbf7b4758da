"""Binomial and poisson responses of the functions: cross_validate and Session."""

import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose
from python.outcome_data import half_deviance, objective, outcome
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold

FAMILIES = ["binomial", "poisson"]


def mean(family, eta):
    return 1 / (1 + np.exp(-eta)) if family == "binomial" else np.exp(eta)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("shape", ["tall", "wide"])
def test_a_session_reaches_the_optimum(request, family, shape):
    """No step along a coordinate, nor a random one, gains more than the gap."""
    data = request.getfixturevalue(shape)
    y, offset = outcome(data, family), 0.3 * np.random.default_rng(1).standard_normal(len(data.y))
    session = svenet.Session(data.X, y, family=family, sample_weight=data.w, offset=offset)
    fit = session.fit(0.05, l1_ratio=0.7)
    assert fit.status == "optimal" and fit.relative_gap <= 1e-10

    def value(coef, intercept):
        return objective(family, data.X, y, coef, intercept, fit.lambda1, fit.lambda2, data.w, offset)

    least = value(fit.coef, fit.intercept)
    rng = np.random.default_rng(2)
    for _ in range(200):
        step = rng.standard_normal(len(fit.coef)) * (rng.random(len(fit.coef)) < 0.3) * 10 ** rng.uniform(-6, -1)
        assert value(fit.coef + step, fit.intercept + rng.standard_normal() * 1e-4) > least - 1e-10 * fit.null_deviance
    eta = data.X @ fit.coef + fit.intercept + offset
    plain = 2 * np.sum(data.w * half_deviance(family, y, eta))
    assert_allclose(fit.deviance, plain, rtol=1e-10)
    assert fit.deviance < fit.null_deviance
    assert_allclose(fit.predict(data.X, offset=offset), mean(family, eta), rtol=1e-12)
    assert_allclose(fit.predict(data.X, "link", offset), eta, rtol=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_budgets(wide, family):
    """The multiplier's penalty form has the same optimum, and the budget is used up."""
    y = outcome(wide, family)
    ts, coefs, gaps, status, intercepts = svenet.budget_path(
        wide.X, y, ts=[0.3, 0.1], lambda2=1.0, fit_intercept=True, family=family, return_status=True,
        return_intercepts=True)
    assert list(status) == ["optimal", "optimal"]
    assert_allclose(np.abs(coefs).sum(axis=0), ts, rtol=1e-10)
    rng = np.random.default_rng(3)
    for coef, intercept, t in zip(coefs.T, intercepts, ts):
        least = objective(family, wide.X, y, coef, intercept, 0.0, 1.0)
        for _ in range(100):
            other = coef + rng.standard_normal(len(coef)) * (rng.random(len(coef)) < 0.3) * 10 ** rng.uniform(-6, -1)
            other *= min(1.0, t / np.abs(other).sum())
            assert objective(family, wide.X, y, other, intercept, 0.0, 1.0) > least - 1e-9 * abs(least)
    assert (gaps >= 0).all()


def test_classes_are_said(tall):
    fit = svenet.Session(tall.X, outcome(tall, "binomial"), family="binomial").fit(0.01)
    assert_allclose(fit.predict(tall.X, "class"), fit.predict(tall.X) > 0.5)
    counts = svenet.Session(tall.X, outcome(tall, "poisson"), family="poisson").fit(0.01)
    with pytest.raises(ValueError, match="a poisson response has no classes"):
        counts.predict(tall.X, "class")


def error(measure, family, y, eta):
    if measure == "auc":
        return roc_auc_score(y, eta)
    of_rows = {
        "deviance": lambda: 2 * half_deviance(family, y, eta),
        "class": lambda: (eta > 0) != (y == 1),
        "mse": lambda: (2 if family == "binomial" else 1) * (y - mean(family, eta)) ** 2,
        "mae": lambda: (2 if family == "binomial" else 1) * np.abs(y - mean(family, eta)),
    }
    return np.mean(of_rows[measure]())


@pytest.mark.parametrize(
    ("family", "measure"),
    [("binomial", name) for name in ("deviance", "class", "auc", "mse", "mae")]
    + [("poisson", name) for name in ("deviance", "mse", "mae")],
)
def test_folds_are_judged_as_said(tall, family, measure):
    y = outcome(tall, family)
    result = svenet.cross_validate(tall.X, y, family=family, measure=measure, alphas=[0.1, 0.03, 0.01], cv=4)
    curve = result.best_curve
    assert result.family == family and curve.measure == measure
    splitter = StratifiedKFold(4) if family == "binomial" else KFold(4)
    for fold, (train, test) in enumerate(splitter.split(tall.X, y)):
        fit = svenet.Session(tall.X[train], y[train], family=family).fit(curve.alphas[1], l1_ratio=1.0)
        eta = fit.predict(tall.X[test], "link")
        assert_allclose(curve.fold_errors[1, fold], error(measure, family, y[test], eta), rtol=1e-6)
    best = curve.mean.argmax() if measure == "auc" else curve.mean.argmin()
    assert curve.best == best and result.missed == 0
    assert_allclose(result.predict(tall.X), mean(family, result.predict(tall.X, type="link")))


@pytest.mark.parametrize("classes", [[0, 1], [1, 0]])
def test_folds_of_classes_are_stratified_as_in_scikit_learn(classes):
    y = np.repeat(classes, [13, 8])
    X = np.random.default_rng(0).standard_normal((21, 2))
    ours = svenet.cross_validate(X, y, family="binomial", alphas=3, cv=4, measure="auc")
    theirs = svenet.cross_validate(X, y, family="binomial", alphas=3, cv=StratifiedKFold(4), measure="auc")
    assert_allclose(ours.best_curve.fold_errors, theirs.best_curve.fold_errors)
    with pytest.raises(ValueError, match="at least 2 folds"):
        svenet.cross_validate(X, y, family="binomial", cv=1)


def test_several_ratios_by_the_area(tall):
    y = outcome(tall, "binomial")
    session = svenet.Session(tall.X, y, family="binomial")
    result = session.cv(l1_ratio=[0.1, 1.0], alphas=20, cv=4, measure="auc")
    assert result.best_curve.mean.max() == max(curve.mean.max() for curve in result.curves)


@pytest.mark.parametrize("family", FAMILIES)
def test_shares_are_copies(tall, family):
    """A share with its number as weight is as many rows as that."""
    y, counts = outcome(tall, family), np.random.default_rng(3).integers(1, 4, 80)
    rows = np.repeat(np.arange(80), counts)
    many = outcome(type(tall)(80, 12), family, seed=9)[rows] if family == "poisson" else y[rows]
    rng = np.random.default_rng(4)
    many = np.where(rng.random(len(rows)) < 0.3, 1.0, many)
    shares = np.bincount(rows, weights=many) / counts
    apart = svenet.Session(tall.X[rows], many, family=family).fit(0.02)
    together = svenet.Session(tall.X, shares, sample_weight=counts, family=family).fit(0.02)
    assert_allclose(together.coef, apart.coef, atol=1e-7)
    assert_allclose(together.intercept, apart.intercept, atol=1e-7)


def test_what_is_refused(tall):
    y = outcome(tall, "binomial")
    cases = [
        ({"family": "gamma"}, "'family' parameter of cross_validate"),
        ({"family": "binomial", "measure": "rmse"}, "'measure' parameter of cross_validate"),
        ({"family": "poisson", "measure": "auc"}, "a poisson response has no classes"),
        ({"measure": "class"}, "a gaussian response has no classes"),
        ({"family": "binomial", "offset": [1.0, 2.0]}, "The offset has 2 numbers, X has 80 rows"),
        ({"family": "binomial", "lower": 1.0}, "'lower' parameter of cross_validate"),
    ]
    for arguments, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            svenet.cross_validate(tall.X, y, **arguments)
    for response, family, sentence in [
        (np.ones(80), "binomial", "the response is of one class alone"),
        (np.full(80, 3.0), "poisson", "the response is constant"),
        (y - 1, "poisson", "a poisson response must not be negative"),
        (2 * y, "binomial", "a binomial response is 0 or 1"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            svenet.Session(tall.X, response, family=family)
    with pytest.raises(ValueError, match="fold 0 trains on rows of one class alone"):
        svenet.cross_validate(tall.X, y, family="binomial", cv=[(np.flatnonzero(y), np.arange(5))])
