"""PoissonRegressor against scikit-learn's, at its tightest."""

import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose
from python.outcome_data import objective, outcome
from sklearn.linear_model import PoissonRegressor
from sklearn.metrics import mean_poisson_deviance


def reference(**arguments):
    return PoissonRegressor(solver="newton-cholesky", tol=1e-13, max_iter=1000, **arguments)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
def test_scikit_learn(tall, weighted, intercept):
    y, w = outcome(tall, "poisson"), tall.w if weighted else None
    ours = svenet.PoissonRegressor(alpha=0.3, fit_intercept=intercept, tol=1e-13).fit(tall.X, y, sample_weight=w)
    theirs = reference(alpha=0.3, fit_intercept=intercept).fit(tall.X, y, sample_weight=w)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-6 * np.abs(theirs.coef_).max())
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    assert_allclose(ours.predict(tall.X), theirs.predict(tall.X), rtol=1e-6)
    assert_allclose(ours.score(tall.X, y, w), theirs.score(tall.X, y, w), atol=1e-9)
    total = 80 if w is None else w.sum()
    plain = total * mean_poisson_deviance(y, ours.predict(tall.X), sample_weight=w)
    assert_allclose(ours.deviance_, plain, rtol=1e-9)
    if intercept:
        assert_allclose(ours.score(tall.X, y, w), 1 - ours.deviance_ / ours.null_deviance_, rtol=1e-9)
    assert ours.status_ == "optimal" and ours.relative_gap_ <= 1e-13


def test_without_a_penalty(tall):
    y = outcome(tall, "poisson")
    ours, theirs = svenet.PoissonRegressor(alpha=0.0).fit(tall.X, y), reference(alpha=0.0).fit(tall.X, y)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-6 * np.abs(theirs.coef_).max())
    assert ours.status_ == "optimal" and ours.relative_gap_ <= 1e-10
    with pytest.raises(ValueError, match="the unpenalised columns have no best fit"):
        svenet.PoissonRegressor(alpha=0).fit(np.hstack([tall.X, tall.X]), y)


@pytest.mark.parametrize("l1_ratio", [0.5, 1.0])
def test_both_penalties(wide, l1_ratio):
    y, offset = outcome(wide, "poisson"), 0.5 * np.random.default_rng(1).standard_normal(30)
    model = svenet.PoissonRegressor(alpha=0.1, l1_ratio=l1_ratio).fit(wide.X, y, sample_weight=wide.w, offset=offset)
    assert 0 < np.count_nonzero(model.coef_) < 60
    assert_allclose([model.lambda1_, model.lambda2_], 0.1 * wide.w.sum() * np.array([2 * l1_ratio, 1 - l1_ratio]))

    def value(coef, intercept):
        return objective("poisson", wide.X, y, coef, intercept, model.lambda1_, model.lambda2_, wide.w, offset)

    least, rng = value(model.coef_, model.intercept_), np.random.default_rng(2)
    for _ in range(100):
        step = rng.standard_normal(60) * (rng.random(60) < 0.3) * 10 ** rng.uniform(-6, -1)
        assert value(model.coef_ + step, model.intercept_) > least - 1e-10 * model.null_deviance_
    assert_allclose(model.predict(wide.X, offset=offset), np.exp(wide.X @ model.coef_ + model.intercept_ + offset))
    score = model.score(wide.X, y, wide.w, offset)
    assert_allclose(score, 1 - model.deviance_ / model.null_deviance_, rtol=1e-9)


def test_rates_and_exposures(tall):
    """A rate with its exposure as weight is a count with the logarithm of the exposure as offset."""
    y, exposure = outcome(tall, "poisson"), np.random.default_rng(3).uniform(0.5, 3, 80)
    rates = svenet.PoissonRegressor(alpha=0.05, l1_ratio=0.5).fit(tall.X, y / exposure, sample_weight=exposure)
    scale = 80 / exposure.sum()  # the losses are divided by the sum of the weights
    counts = svenet.PoissonRegressor(alpha=0.05 / scale, l1_ratio=0.5).fit(tall.X, y, offset=np.log(exposure))
    assert_allclose(rates.coef_, counts.coef_, atol=1e-7)
    assert_allclose(rates.intercept_, counts.intercept_, atol=1e-7)


def test_limits_are_reached(tall):
    y = outcome(tall, "poisson")
    model = svenet.PoissonRegressor(alpha=0.001, l1_ratio=1.0, upper=0.05, lower=-0.02).fit(tall.X, y)
    assert model.coef_.max() == 0.05 and model.coef_.min() == -0.02 and model.relative_gap_ <= 1e-10


def test_what_is_refused(tall):
    y = outcome(tall, "poisson")
    for response, sentence in [
        (y - 1, "a poisson response must not be negative"),
        (np.full(80, 2.0), "the response is constant: 2 in every row"),
        (np.zeros(80), "the response is constant: 0 in every row"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            svenet.PoissonRegressor().fit(tall.X, response)
    with pytest.raises(ValueError, match="'upper' parameter of PoissonRegressor"):
        svenet.PoissonRegressor(upper=-1).fit(tall.X, y)
    with pytest.raises(ValueError, match="The offset has 3 numbers, X has 80 rows"):
        svenet.PoissonRegressor().fit(tall.X, y, offset=[1, 2, 3])
    with pytest.raises(ValueError, match="counts are not"):
        svenet.PoissonRegressor().fit(tall.X, y).score(tall.X, -y)
