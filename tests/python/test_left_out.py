"""A column that is constant but for rounding is left out, with a word, and refuses nothing."""

import warnings

import numpy as np
import pandas as pd
import pytest
import svenet
from scipy import sparse
from sklearn import linear_model

PLACE = 3  # of the column that is left out


@pytest.fixture(scope="module", name="flat")
def with_a_flat_column(tall):
    """X with a column a few roundings wide, 1e15 from zero."""
    rng = np.random.default_rng(7)
    column = 1e15 + rng.integers(0, 4, len(tall.y)) / 4
    assert 0 < column.std() < 1e-10 * column.mean()
    return np.insert(tall.X, PLACE, column, axis=1)


MODELS = {
    "ElasticNet": (svenet.ElasticNet(0.05), linear_model.ElasticNet(0.05, tol=1e-14, max_iter=100000)),
    "Lasso": (svenet.Lasso(0.05), linear_model.Lasso(0.05, tol=1e-14, max_iter=100000)),
    "LassoCV": (svenet.LassoCV(alphas=[0.3, 0.05]), linear_model.LassoCV(alphas=[0.3, 0.05], tol=1e-14, max_iter=100000)),
}


@pytest.mark.parametrize("storage", [np.ascontiguousarray, np.asfortranarray, sparse.csc_array, sparse.csr_array])
@pytest.mark.parametrize("name", MODELS)
def test_the_fit_is_that_of_the_others(tall, flat, name, storage):
    model, reference = MODELS[name]
    with pytest.warns(UserWarning, match="^column 'x3' is constant but for rounding and was left out$") as told:
        model.fit(storage(flat), tall.y)
    assert len(told) == 1 and told[0].filename == __file__
    reference.fit(tall.X, tall.y)
    assert model.coef_[PLACE] == 0
    np.testing.assert_allclose(np.delete(model.coef_, PLACE), reference.coef_, rtol=0, atol=1e-9)
    assert model.intercept_ == pytest.approx(reference.intercept_, abs=1e-9)
    np.testing.assert_array_equal(model.left_out_, [PLACE])
    alone = MODELS[name][0].__class__(**model.get_params()).fit(tall.X, tall.y)
    assert model.support_certificate_ == alone.support_certificate_._replace(left_out=1)
    assert ", 1 left out" in model._repr_mimebundle_()["text/html"]


def test_a_budget(tall, flat):
    with pytest.warns(UserWarning, match="column 'x3' is constant"):
        model = svenet.BudgetElasticNet(1.0).fit(flat, tall.y)
    alone = svenet.BudgetElasticNet(1.0).fit(tall.X, tall.y)
    np.testing.assert_allclose(np.delete(model.coef_, PLACE), alone.coef_, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(model.left_out_, [PLACE])
    assert len(alone.left_out_) == 0 and alone.support_certificate_.left_out == 0


def test_names_of_a_table(tall, flat):
    table = pd.DataFrame(flat, columns=[f"gene {j}" for j in range(flat.shape[1])])
    with pytest.warns(UserWarning, match="^column 'gene 3' is constant"):
        svenet.ElasticNet(0.1).fit(table, tall.y)


def test_many_columns_and_targets(tall, flat):
    wide = np.hstack([tall.X, np.repeat(flat[:, [PLACE]], 12, axis=1)])
    listed = ", ".join(f"'x{j}'" for j in range(12, 22))
    with pytest.warns(UserWarning, match=f"^columns {listed} and 2 more are constant but for rounding and were ") as told:
        model = svenet.Lasso(0.1).fit(wide, np.stack([tall.y, -tall.y], axis=1))
    assert len(told) == 1
    np.testing.assert_array_equal(model.left_out_, np.arange(12, 24))
    assert [each.left_out for each in model.support_certificate_] == [12, 12]


def test_functions(tall, flat):
    with pytest.warns(UserWarning, match="column 'x3' is constant"):
        fit = svenet.glmnet(flat, tall.y, lambda_=[0.3, 0.05])
    alone = svenet.glmnet(tall.X, tall.y, lambda_=[0.3, 0.05])
    np.testing.assert_allclose(np.delete(fit.beta.toarray(), PLACE, axis=0), alone.beta.toarray(), rtol=0, atol=1e-10)
    assert (fit.left_out, alone.left_out) == ((PLACE,), ())
    with pytest.warns(UserWarning, match="column 'x3' is constant"):
        result = svenet.cross_validate(flat, tall.y, alphas=[0.3, 0.05])
    assert result.left_out.tolist() == [PLACE] and result.coef()[PLACE] == 0
    for path in (svenet.lasso_path, svenet.budget_path):
        with pytest.warns(UserWarning, match="column 'x3' is constant"):
            _, coefs, _ = path(flat, tall.y, standardize=True)
        assert not coefs[PLACE].any() and coefs.any()


def test_a_constant_is_proven_zero_without_a_word(tall):
    X = np.insert(tall.X, PLACE, 1e15, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = svenet.Lasso(0.05).fit(X, tall.y)
    assert len(model.left_out_) == 0 and model.coef_[PLACE] == 0 and model.support_certificate_.left_out == 0


def test_without_centring_it_is_a_column(tall, flat):
    """Nothing is subtracted from it, so that nothing is lost."""
    X = flat * np.where(np.arange(13) == PLACE, 1e-15, 1)
    model = svenet.Lasso(0.01, fit_intercept=False).fit(X, tall.y)
    assert len(model.left_out_) == 0 and model.coef_[PLACE] != 0
