"""enet_path, lasso_path and budget_path."""

import numpy as np
import pytest
import sklearn.linear_model as peers
import svenet
from numpy.testing import assert_allclose

TIGHT = {"tol": 1e-12, "max_iter": 1_000_000}


@pytest.mark.parametrize("kind", ["C", "F", "csc_array", "csr_matrix"])
@pytest.mark.parametrize("positive", [True, False])
def test_enet_path(wide, kind, positive):
    alphas, coefs, gaps, steps = svenet.enet_path(
        wide.stored(kind), wide.y, l1_ratio=0.7, positive=positive, return_n_iter=True
    )
    assert np.abs(coefs[:, 0]).max() < 1e-9 < np.abs(coefs[:, 1]).max()
    # The grid of older scikit-learn does not know of signs.
    grid = {"alphas": alphas} if positive else {}
    their_alphas, their_coefs, _ = peers.enet_path(wide.X, wide.y, l1_ratio=0.7, positive=positive, **grid, **TIGHT)
    assert_allclose(alphas, their_alphas, rtol=1e-12)
    assert_allclose(coefs, their_coefs, atol=1e-7)
    assert gaps.shape == (100,) and len(steps) == 100


def test_given_alphas_come_back_in_order(tall):
    alphas, coefs, _ = svenet.lasso_path(tall.X, tall.y, alphas=[0.1, 1.0, 0.5])
    _, theirs, _ = peers.lasso_path(tall.X, tall.y, alphas=[0.1, 1.0, 0.5], **TIGHT)
    assert list(alphas) == [1.0, 0.5, 0.1]
    assert_allclose(coefs, theirs, atol=1e-8)


def test_counts_by_both_names(tall):
    assert len(svenet.lasso_path(tall.X, tall.y, alphas=7)[0]) == 7
    assert len(svenet.lasso_path(tall.X, tall.y, n_alphas=7)[0]) == 7


def test_what_is_refused(tall):
    with pytest.raises(ValueError, match="there is no 'colour'"):
        svenet.enet_path(tall.X, tall.y, colour="red")
    with pytest.raises(ValueError, match="l1_ratio=0"):
        svenet.enet_path(tall.X, tall.y, l1_ratio=0)
    with pytest.raises(ValueError, match="several columns"):
        svenet.enet_path(tall.X, np.stack([tall.y, tall.y], axis=1))
    with pytest.raises(ValueError, match="NaN"):
        svenet.enet_path(np.where(tall.X == tall.X.max(), np.nan, tall.X), tall.y)
    with pytest.raises(ValueError, match="entries"):
        svenet.enet_path(tall.X, tall.y[:-1])


@pytest.mark.parametrize("lambda2", [0.0, 3.0])
def test_budget_path_meets_the_penalised_path(wide, lambda2):
    ts, coefs, gaps = svenet.budget_path(wide.X, wide.y, ts=[0.5, 2.0, 5.0], lambda2=lambda2)
    assert_allclose(np.abs(coefs).sum(axis=0), ts, rtol=1e-12)
    objective = ((wide.y[:, None] - wide.X @ coefs) ** 2).sum(axis=0)
    assert np.all(np.diff(objective) < 0) and np.all(gaps >= 0)
    n = len(wide.y)
    for k, t in enumerate(ts):
        model = svenet.BudgetElasticNet(t, lambda2=lambda2, fit_intercept=False).fit(wide.X, wide.y)
        alpha = model.lambda1_ / (2 * n) + lambda2 / n
        same = svenet.ElasticNet(alpha, l1_ratio=model.lambda1_ / (2 * n * alpha), fit_intercept=False)
        assert_allclose(coefs[:, k], same.fit(wide.X, wide.y).coef_, atol=1e-8)


def test_budget_path_on_its_own_grid(tall):
    ts, coefs, _ = svenet.budget_path(tall.X, tall.y, ts=11, fit_intercept=True)
    assert ts[0] == 0 and not coefs[:, 0].any()
    assert_allclose(coefs[:, -1], peers.LinearRegression().fit(tall.X, tall.y).coef_, atol=1e-7)


@pytest.mark.parametrize("bad, sentence", [
    ({"n_jobs": 0}, "'n_jobs' parameter"),
    ({"standardize": "no"}, "'standardize' parameter"),
])
def test_words_and_no_threads_are_refused(tall, bad, sentence):
    for path in (svenet.enet_path, svenet.lasso_path, svenet.budget_path):
        with pytest.raises(ValueError, match=sentence):
            path(tall.X, tall.y, **bad)
    with pytest.raises(ValueError, match="'fit_intercept' parameter of budget_path must be True or False"):
        svenet.budget_path(tall.X, tall.y, fit_intercept="no")


@pytest.mark.parametrize("path, params, message", [
    (svenet.budget_path, {"t": [1.0]}, r"Unexpected parameters in params of budget_path: there is no 't'\. Did you mean 'ts'\?$"),
    (svenet.budget_path, {"sample_weights": None}, r"no 'sample_weights'\. Did you mean 'sample_weight'\?$"),
    (svenet.enet_path, {"alpha": 1.0}, r"enet_path: there is no 'alpha'\. Did you mean 'alphas'\?$"),
    (svenet.enet_path, {"qqq": 1, "zzz": 2}, "enet_path: there is no 'qqq' and no 'zzz'$"),
    (svenet.lasso_path, {"l1_ratio": 0.5}, "lasso_path: there is no 'l1_ratio'$"),
    (svenet.lasso_path, {"maxiter": 5}, r"lasso_path: there is no 'maxiter'\. Did you mean 'max_iter'\?$"),
])
def test_unknown_parameters_are_named(tall, path, params, message):
    for kind in (ValueError, TypeError):
        with pytest.raises(kind, match=message):
            path(tall.X, tall.y, **params)


def test_parameters_of_scikit_learn_without_effect_are_taken(tall):
    ours = svenet.lasso_path(tall.X, tall.y, alphas=3, check_input=False, selection="random", random_state=1, do_screening=True)
    np.testing.assert_array_equal(ours[1], svenet.lasso_path(tall.X, tall.y, alphas=3)[1])
