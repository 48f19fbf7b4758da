"""Limits of the coefficients, and offsets, of the estimators."""

import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose
from sklearn.base import clone


def test_limits_are_kept_and_reached(tall):
    free = svenet.ElasticNet(alpha=0.01).fit(tall.X, tall.y)
    bound = 0.5 * np.abs(free.coef_).max()
    model = svenet.ElasticNet(alpha=0.01, lower=-bound, upper=bound).fit(tall.X, tall.y)
    assert np.abs(model.coef_).max() == bound
    assert model.relative_gap_ < 1e-10 and model.status_ == "optimal"
    assert clone(model).get_params()["upper"] == bound


def test_lower_zero_is_positive(wide):
    by_limit = svenet.Lasso(alpha=0.1, lower=0).fit(wide.X, wide.y)
    by_flag = svenet.Lasso(alpha=0.1, positive=True).fit(wide.X, wide.y)
    assert_allclose(by_limit.coef_, by_flag.coef_, rtol=0, atol=1e-12)


def test_limits_of_single_features(tall):
    upper = np.full(12, np.inf)
    upper[[0, 3]] = 0
    lower = np.where(upper == 0, 0, -np.inf)
    model = svenet.ElasticNetCV(lower=lower, upper=upper, cv=3).fit(tall.X, tall.y)
    assert model.coef_[0] == 0 and model.coef_[3] == 0 and np.count_nonzero(model.coef_) > 0
    alphas, coefs, gaps = svenet.enet_path(tall.X, tall.y, alphas=[0.5, 0.01], upper=0.1)
    assert coefs.max() == 0.1 and gaps.max() < 1e-8


def test_budgets_and_cross_validation_take_both(tall):
    offset = np.random.default_rng(2).standard_normal(80)
    model = svenet.BudgetElasticNet(t=1.0, upper=0.2, lower=-0.2).fit(tall.X, tall.y + offset, offset=offset)
    assert np.abs(model.coef_).max() == 0.2 and model.t_ <= 1.0 and model.relative_gap_ < 1e-10
    plain = svenet.BudgetElasticNet(t=1.0, upper=0.2, lower=-0.2).fit(tall.X, tall.y)
    assert_allclose(model.coef_, plain.coef_, atol=1e-9)
    result = svenet.cross_validate(tall.X, tall.y + offset, upper=0.1, offset=offset, alphas=20)
    assert result.coef("min").max() == 0.1


def test_warm_starts_see_other_limits(tall):
    model = svenet.Lasso(alpha=0.01, upper=1.0, warm_start=True).fit(tall.X, tall.y)
    model.set_params(upper=0.01).fit(tall.X, tall.y)
    assert model.coef_.max() == 0.01


def test_session_takes_limits(tall):
    session = svenet.Session(tall.X, tall.y, upper=0.02, lower=-0.03)
    coef = session.fit(0.01, l1_ratio=1.0).coef
    assert coef.max() <= 0.02 and coef.min() >= -0.03


@pytest.mark.parametrize(("name", "value"), [("lower", 1.0), ("upper", -1.0), ("upper", [1.0, 2.0]), ("lower", np.nan)])
def test_limits_that_make_no_sense(tall, name, value):
    with pytest.raises(ValueError, match=f"'{name}' parameter of Lasso"):
        svenet.Lasso(**{name: value}).fit(tall.X, tall.y)


def test_offset_is_taken_off_and_added(tall):
    offset = np.random.default_rng(1).standard_normal(80)
    plain = svenet.ElasticNet(alpha=0.05).fit(tall.X, tall.y)
    shifted = svenet.ElasticNet(alpha=0.05).fit(tall.X, tall.y + offset, offset=offset)
    assert_allclose(shifted.coef_, plain.coef_, atol=1e-10)
    assert_allclose(shifted.predict(tall.X, offset=offset), plain.predict(tall.X) + offset)
    cross = svenet.LassoCV(cv=3).fit(tall.X, tall.y + offset, offset=offset)
    assert_allclose(cross.alpha_, svenet.LassoCV(cv=3).fit(tall.X, tall.y).alpha_)
    with pytest.raises(ValueError, match="offset has 2 numbers"):
        shifted.predict(tall.X, offset=[1.0, 2.0])
