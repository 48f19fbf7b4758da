"""BudgetElasticNet: the constrained form."""

import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose


@pytest.mark.parametrize("lambda2", [0.0, 2.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_round_trip_with_the_penalty(wide, lambda2, fit_intercept):
    budget = svenet.BudgetElasticNet(2.0, lambda2=lambda2, fit_intercept=fit_intercept).fit(wide.X, wide.y)
    n = len(wide.y)
    alpha = budget.lambda1_ / (2 * n) + lambda2 / n
    penalty = svenet.ElasticNet(alpha, l1_ratio=budget.lambda1_ / (2 * n * alpha), fit_intercept=fit_intercept)
    penalty.fit(wide.X, wide.y)
    assert_allclose(budget.coef_, penalty.coef_, atol=1e-8)
    assert penalty.t_ == pytest.approx(2.0) and budget.t_ == 2.0


def test_a_budget_that_does_not_bind_is_ridge(tall):
    model = svenet.BudgetElasticNet(1e6, lambda2=1.0).fit(tall.X, tall.y)
    assert model.lambda1_ == 0 and model.t_ < 1e6
    assert_allclose(model.coef_, svenet.BudgetElasticNet(np.inf, lambda2=1.0).fit(tall.X, tall.y).coef_, atol=1e-10)


def test_no_better_point_within_the_budget(tall):
    model = svenet.BudgetElasticNet(1.5, lambda2=1.0, fit_intercept=False).fit(tall.X, tall.y)

    def objective(b):
        return ((tall.y - tall.X @ b) ** 2).sum() + (b**2).sum()

    rng = np.random.default_rng(0)
    best = objective(model.coef_)
    for _ in range(200):
        other = model.coef_ + 0.1 * rng.standard_normal(12)
        other *= min(1, 1.5 / np.abs(other).sum())
        assert objective(other) >= best - model.dual_gap_ - 1e-9


def test_refused(tall):
    for bad in ({"t": -1}, {"t": "a"}, {"lambda2": -1}, {"device": "tpu"}, {"n_jobs": 0}, {"positive": 1}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            svenet.BudgetElasticNet(**bad).fit(tall.X, tall.y)
