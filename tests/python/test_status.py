"""What was reached reaches the user: the status of every fit, and the gaps of the folds behind an error."""

import re
import warnings

import numpy as np
import pytest
import svenet
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import ShuffleSplit


@pytest.fixture(scope="module", name="hard")
def hard_problem():
    """Columns that share most of what they are: Newton takes some steps."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((80, 40)) + 3 * rng.standard_normal((80, 1))
    return X, X @ rng.standard_normal(40) + rng.standard_normal(80)


def test_optimal(tall):
    assert svenet.ElasticNet(0.1).fit(tall.X, tall.y).status_ == "optimal"
    assert svenet.LassoCV(alphas=5).fit(tall.X, tall.y).status_ == "optimal"
    assert svenet.SquaredHingeSVC().fit(tall.X, tall.y > 2).status_ == "optimal"


def test_columns_that_depend_on_each_other_are_not_unique(tall):
    X = np.hstack([tall.X, tall.X])
    assert svenet.Lasso(0.01).fit(X, tall.y).status_ == "not_unique"
    assert svenet.ElasticNet(0.01).fit(X, tall.y).status_ == "optimal"
    assert svenet.LassoCV(alphas=[0.02, 0.01]).fit(X, tall.y).status_ == "not_unique"


def test_a_budget_that_does_not_bind(tall):
    assert svenet.BudgetElasticNet(1e6).fit(tall.X, tall.y).status_ == "ridge"
    assert svenet.BudgetElasticNet(0.1).fit(tall.X, tall.y).status_ == "optimal"


def test_a_status_for_each_target(tall):
    X = np.hstack([tall.X, tall.X])
    zero = np.zeros(len(tall.y))
    assert svenet.Lasso(0.01).fit(X, np.stack([tall.y, zero], axis=1)).status_ == ["not_unique", "optimal"]


def test_the_limit_is_a_status_and_a_warning(hard):
    X, y = hard
    with pytest.warns(ConvergenceWarning, match="Newton steps"):
        model = svenet.Lasso(0.01, tol=1e-19).fit(X, y)
    assert model.status_ == "iteration_limit" and model.relative_gap_ > 1e-19
    with pytest.warns(ConvergenceWarning):
        machine = svenet.SquaredHingeSVC(max_iter=1).fit(X, y > 0)
    assert machine.status_ == "iteration_limit"


def test_paths_tell_their_statuses_where_asked(tall):
    X = np.hstack([tall.X, tall.X])
    *_, statuses = svenet.lasso_path(X, tall.y, alphas=[100.0, 0.01], return_status=True)
    assert statuses == ["optimal", "not_unique"]
    _, _, _, steps, statuses = svenet.enet_path(
        tall.X, tall.y, alphas=[0.2, 0.1], return_n_iter=True, return_status=True
    )
    assert statuses == ["optimal"] * 2 and len(steps) == 2
    *_, statuses = svenet.budget_path(tall.X, tall.y, ts=[0.1, 1e6], return_status=True)
    assert statuses == ["optimal", "ridge"]
    assert svenet.glmnet(X, tall.y, lambda_=[100.0, 0.01]).status == ("optimal", "not_unique")


ALPHAS = np.geomspace(5, 1e-3, 12)
# Steps on the way to a setting, and a fit that is mended from the data, have as many each: two are enough for all folds.
CUT = 1


@pytest.mark.parametrize("rows", [80, 30])  # over Gram matrices, over columns
def test_folds_that_missed_the_tolerance(hard, rows):
    """An error is that of the optimum, or its fold says that it may not be."""
    X, y = hard[0][:rows], hard[1][:rows]
    exact = svenet.ElasticNetCV(l1_ratio=[0.5, 1.0], alphas=ALPHAS, cv=4).fit(X, y)
    assert exact.cross_validation_.missed == 0 and set(exact.fold_statuses_.ravel()) == {"optimal"}
    assert exact.fold_gaps_.shape == exact.fold_statuses_.shape == exact.mse_path_.shape == (2, 12, 4)
    assert 0 < exact.cross_validation_.worst_gap <= 1e-10
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cut = svenet.ElasticNetCV(l1_ratio=[0.5, 1.0], alphas=ALPHAS, cv=4, max_iter=CUT).fit(X, y)
    missed = cut.fold_statuses_ == "iteration_limit"
    np.testing.assert_array_equal(missed, cut.fold_gaps_ > 1e-10)
    wrong = np.abs(cut.mse_path_ / exact.mse_path_ - 1) > 1e-3
    assert wrong.any() and missed[wrong].all() and not missed.all()
    told = [re.match(r"(\d+) of (\d+) fold fits missed the tolerance \S+ \(.* (\S+)\);", str(w.message)) for w in caught]
    (told,) = [match for match in told if match]
    assert (int(told[1]), int(told[2])) == (missed.sum(), 96)
    assert float(told[3]) == pytest.approx(cut.fold_gaps_.max(), rel=1e-3)
    assert all(issubclass(w.category, ConvergenceWarning) for w in caught)
    assert cut.cross_validation_.missed == missed.sum() == sum(c.missed for c in cut.cross_validation_.curves)
    assert cut.cross_validation_.worst_gap == cut.fold_gaps_.max()
    assert f"<td>{missed.sum()}</td>" in cut._repr_mimebundle_()["text/html"]


def test_the_function_warns_too(hard):
    with pytest.warns(ConvergenceWarning, match="fold fits missed"):
        result = svenet.cross_validate(*hard, alphas=ALPHAS, max_iter=CUT, cv=ShuffleSplit(1, random_state=0))
    assert result.curves[0].fold_gaps.shape == result.curves[0].fold_statuses.shape == (12, 1)
    assert 0 < result.missed <= 12
