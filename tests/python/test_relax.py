"""Relaxed fits in Python: R's glmnet and cv.glmnet, plain refits, and supports that have none."""
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.special import xlogy
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor

import svenet

SCRIPT = Path(__file__).with_name("glmnet_relaxed.R")
GAMMAS = [0.25, 0.5, 1]


def make_data(family, rows=120, columns=8):
    rng = np.random.default_rng(7)
    X = rng.standard_normal((rows, columns)) * rng.uniform(0.5, 2, columns)
    eta = X[:, :3] @ [0.8, -0.6, 0.4] + 0.1
    y = {"gaussian": lambda: eta + rng.standard_normal(rows),
         "binomial": lambda: (rng.random(rows) < 1 / (1 + np.exp(-eta))).astype(float),
         "poisson": lambda: rng.poisson(np.exp(eta / 2)).astype(float)}[family]()
    return X, y, rng.uniform(0.5, 2, rows)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R and glmnet")
@pytest.mark.parametrize("family", ["gaussian", "binomial", "poisson"])
def test_glmnet_of_r(tmp_path, family):
    X, y, weights = make_data(family)
    factors = np.ones(X.shape[1])
    factors[[1, 5]] = [0.0, 2.0]
    lambdas = 0.3 * np.logspace(0, -2, 10)
    fold = np.arange(len(y)) % 4
    for name, values in {"x": X.ravel(order="F"), "y": y, "weights": weights, "factors": factors, "lambda": lambdas,
                         "fold": fold + 1.0}.items():
        np.asarray(values, dtype=float).tofile(tmp_path / name)
    result = subprocess.run(["Rscript", SCRIPT, tmp_path, family], capture_output=True, text=True, check=False)
    if "there is no package" in result.stderr:
        pytest.skip("glmnet is not installed")
    assert result.returncode == 0, result.stderr

    def theirs(name, *shape):
        return np.fromfile(tmp_path / name).reshape(*shape, order="F")

    fit = svenet.glmnet(X, y, family=family, weights=weights, lambda_=lambdas, alpha=0.9, penalty_factor=factors,
                        relax=True)
    assert set(fit.refit) == {"done"} and fit.relaxed.gap.max() <= 1e-10
    shape = (X.shape[1] + 1, 10)
    for ours, name in [(fit.relaxed.coef(), "refits"), (fit.coef(gamma=0), "refits"), (fit.coef(gamma=0.3), "blends")]:
        expected = theirs(name, *shape)
        np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-6 * np.abs(expected).max())
    np.testing.assert_allclose(fit.relaxed.dev_ratio, theirs("dev.ratio", 10), atol=1e-9)
    np.testing.assert_allclose(fit.predict(X, gamma=0.3), X @ fit.coef(gamma=0.3)[1:] + fit.coef(gamma=0.3)[0])
    folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    # a gaussian ridge is divided by the deviation of y in glmnet: its alpha and lambda are others
    if family == "gaussian":
        return
    cv = svenet.cross_validate(X, y, family=family, sample_weight=weights, l1_ratio=0.9, alphas=lambdas, cv=folds,
                               relax=True, gamma=GAMMAS)
    curve = cv.curves[0]
    for k, one in enumerate(curve.relaxed):
        np.testing.assert_allclose(one.mean, theirs("means", 10, 3)[:, k], rtol=1e-6)
        np.testing.assert_allclose(one.standard_error, theirs("errors", 10, 3)[:, k], rtol=1e-5)
    places = [[alpha, gamma] for gamma, alpha in (curve.relaxed_best, curve.relaxed_one_standard_error)]
    np.testing.assert_array_equal(places, theirs("places", 2, 2).T)


@pytest.mark.parametrize("family", ["gaussian", "binomial", "poisson"])
def test_refits_are_plain_fits_of_the_support(family):
    X, y, weights = make_data(family)
    fit = svenet.glmnet(X, y, family=family, weights=weights, nlambda=8, relax=True)
    for k in range(1, len(fit.lambda_)):
        support = fit.beta[:, [k]].toarray().ravel().nonzero()[0]
        plain = {"gaussian": LinearRegression(), "binomial": LogisticRegression(C=np.inf, tol=1e-12, max_iter=10**4),
                 "poisson": PoissonRegressor(alpha=0, tol=1e-12, max_iter=10**4)}[family]
        plain.fit(X[:, support], y, sample_weight=weights)
        np.testing.assert_allclose(fit.relaxed.beta[:, [k]].toarray().ravel()[support], plain.coef_.ravel(), atol=1e-4)


@pytest.mark.parametrize("family", ["gaussian", "binomial", "poisson"])
def test_the_choice_is_the_blend(family):
    X, y, weights = make_data(family)
    cv = svenet.cross_validate(X, y, family=family, sample_weight=weights, alphas=15, relax=True)
    curve, at = cv.best_curve.choice("min")
    assert curve.gamma == cv.gamma_min and cv.alpha_min == curve.alphas[at]
    assert curve.mean[at] == min(one.mean.min() for one in cv.best_curve.relaxed)
    whole = cv.best_curve
    expected = curve.gamma * whole.solutions.coef(at) + (1 - curve.gamma) * whole.solutions.relaxed.coef(at)
    np.testing.assert_allclose(cv.coef(), expected, rtol=1e-12)
    session = svenet.Session(X, y, family=family, sample_weight=weights)
    again = session.cv(alphas=15, relax=True)
    assert (again.gamma_min, again.gamma_1se) == (cv.gamma_min, cv.gamma_1se)
    np.testing.assert_allclose(again.coef("1se"), cv.coef("1se"), rtol=1e-6, atol=1e-9)
    plain = svenet.cross_validate(X, y, family=family, sample_weight=weights, alphas=15)
    assert plain.gamma_min == 1 and plain.curves[0].relaxed == ()
    np.testing.assert_allclose(cv.curves[0].relaxed[-1].mean, plain.curves[0].mean)


MODELS = {
    "ElasticNetCV": (svenet.ElasticNetCV(alphas=15, l1_ratio=[0.5, 1.0], relax=True), "gaussian"),
    "LassoCV": (svenet.LassoCV(alphas=15, relax=True, gamma=[0, 1], choose="1se"), "gaussian"),
    "PoissonRegressorCV": (svenet.PoissonRegressorCV(alphas=15, relax=True), "poisson"),
    "LogisticRegressionCV": (svenet.LogisticRegressionCV(Cs=[0.01, 0.1, 1], l1_ratios=[1.0], relax=True), "binomial"),
    "1se": (svenet.LogisticRegressionCV(Cs=[0.01, 0.1, 1], l1_ratios=[1.0], relax=True, choose="1se"), "binomial"),
}


@pytest.mark.parametrize("case", MODELS)
def test_estimators_choose_gamma_too(case):
    model, family = MODELS[case]
    X, y, _ = make_data(family)
    model = clone(model).fit(X, y)
    curve = next(one for one in model.cross_validation_.curves if one.l1_ratio == getattr(model, "l1_ratio_", 1.0))
    chosen = next(one for one in curve.relaxed if one.gamma == model.gamma_)
    costs = chosen.losses.mean(axis=1)
    alpha = model.alpha_ if hasattr(model, "alpha_") else 1 / (model.C_ * len(y))
    at = int(np.argmin(np.abs(chosen.alphas - alpha)))
    if model.choose == "min":
        assert costs[at] == min(one.losses.mean(axis=1).min() for one in curve.relaxed)
    else:
        assert (chosen.gamma, at) == (curve.choice("1se")[0].gamma, curve.choice("1se")[1])
    np.testing.assert_allclose(np.ravel(model.coef_), chosen.solutions.coef(at))
    assert model.gamma_1se_ == curve.choice("1se")[0].gamma
    if hasattr(model, "deviance_"):
        eta = X @ np.ravel(model.coef_) + np.ravel(model.intercept_)
        if family == "poisson":
            expected = 2 * (xlogy(y, y) - y * eta - y + np.exp(eta)).sum()
        else:
            expected = 2 * (np.logaddexp(0, eta) - y * eta).sum()
        np.testing.assert_allclose(model.deviance_, expected, rtol=1e-9)


def test_classes_one_against_the_rest():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((150, 5))
    y = np.argmax(X[:, :3] + rng.standard_normal((150, 3)), axis=1)
    model = svenet.LogisticRegressionCV(Cs=[0.01, 0.1], l1_ratios=[1.0], relax=True).fit(X, y)
    assert model.coef_.shape == (3, 5) and 0 <= model.gamma_ <= 1 and not hasattr(model, "gamma_1se_")


def test_separation_is_said():
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2
    X = np.c_[rng.standard_normal((60, 3)), y * (1 + rng.random(60))]
    with pytest.warns(UserWarning, match="9 of 10 settings are not relaxed, since the selected features separate"):
        fit = svenet.glmnet(X, y, family="binomial", lambda_=np.logspace(0, -2, 10) * 0.4999, relax=True)
    assert set(fit.refit[1:]) == {"separated"}
    np.testing.assert_array_equal(fit.relaxed.beta.toarray(), fit.beta.toarray())
    with pytest.warns(UserWarning, match="fold fits are not relaxed, since the selected features separate"):
        svenet.cross_validate(X, y, family="binomial", alphas=5, relax=True)


def test_more_features_than_rows_is_said():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((12, 40))
    with pytest.warns(UserWarning, match="not relaxed, since more features are selected than the rows can tell apart"):
        fit = svenet.glmnet(X, X[:, :8].sum(axis=1), alpha=0.05, nlambda=10, relax=True)
    assert [refit == "dependent" for refit in fit.refit] == [bool(df > 11) for df in fit.df]


def test_mistakes_are_named():
    X, y, _ = make_data("gaussian")
    fit = svenet.glmnet(X, y, nlambda=5)
    with pytest.raises(ValueError, match=r"ask for glmnet\(relax=True\)"):
        fit.coef(gamma=0.5)
    with pytest.raises(ValueError, match="gamma"):
        svenet.cross_validate(X, y, relax=True, gamma=[0, 1.5])
    with pytest.raises(ValueError, match="relax"):
        svenet.ElasticNetCV(relax="yes").fit(X, y)
