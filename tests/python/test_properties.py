"""What must hold for any problem, on problems that hypothesis makes up."""

import numpy as np
import sklearn.linear_model as peers
import svenet
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

problems = st.fixed_dictionaries(
    {
        "rows": st.integers(3, 25),
        "cols": st.integers(1, 25),
        "seed": st.integers(0, 2**32 - 1),
        "strength": st.floats(0.02, 1.2),
        # The ridge part makes the solution unique, so that coefficients may be compared.
        "l1_ratio": st.floats(0.05, 0.95),
        "fit_intercept": st.booleans(),
        "positive": st.booleans(),
        "standardize": st.booleans(),
    }
)
relaxed = settings(max_examples=60, deadline=None)


class Case:
    """A problem and its fit; `strength` is a share of the alpha at which all coefficients are zero."""

    def __init__(self, problem):
        self.rng = np.random.default_rng(problem["seed"])
        rows, cols = problem["rows"], problem["cols"]
        self.X = self.rng.standard_normal((rows, cols)) @ np.diag(self.rng.uniform(0.3, 3, cols))
        self.y = self.X @ self.rng.standard_normal(cols) + self.rng.standard_normal(rows)
        self.names = {name: problem[name] for name in ("l1_ratio", "fit_intercept", "positive", "standardize")}
        centred = self.y - self.y.mean()
        largest = np.abs((self.X - self.X.mean(axis=0)).T @ centred).max() / rows / problem["l1_ratio"]
        self.alpha = problem["strength"] * largest
        self.scale = 1 + np.abs(self.fit().coef_).max()

    def fit(self, X=None, y=None, alpha=None, weights=None, **changes):
        model = svenet.ElasticNet(self.alpha if alpha is None else alpha, **{**self.names, **changes})
        return model.fit(self.X if X is None else X, self.y if y is None else y, sample_weight=weights)

    def same(self, got, expected):
        assert_allclose(got, expected, atol=1e-7 * self.scale)


@relaxed
@given(problems, st.floats(0.01, 100))
def test_scaling_y_scales_b(problem, factor):
    case = Case(problem)
    scaled = case.fit(y=factor * case.y, alpha=factor * case.alpha)
    case.same(scaled.coef_ / factor, case_of_penalty(case, factor).coef_)


def case_of_penalty(case, factor):
    """With y scaled by c, the L1 penalty scales by c and the ridge penalty stays: b scales by c. Written
    for the unscaled problem: alpha l1_ratio as before, alpha (1 - l1_ratio) times c."""
    l1, l2 = case.alpha * case.names["l1_ratio"], case.alpha * (1 - case.names["l1_ratio"]) * factor
    return case.fit(alpha=l1 + l2, l1_ratio=l1 / (l1 + l2))


@relaxed
@given(problems)
def test_permuting_columns_permutes_b(problem):
    case = Case(problem)
    order = case.rng.permutation(case.X.shape[1])
    case.same(case.fit(X=case.X[:, order]).coef_, case.fit().coef_[order])


@relaxed
@given(problems)
def test_permuting_rows_changes_nothing(problem):
    case = Case(problem)
    order = case.rng.permutation(case.X.shape[0])
    case.same(case.fit(X=case.X[order], y=case.y[order]).coef_, case.fit().coef_)


@relaxed
@given(problems, st.integers(0, 2))
def test_a_row_again_is_weight_two(problem, row):
    case = Case(problem)
    weights = np.ones(len(case.y))
    weights[row] = 2
    repeated = case.fit(X=np.vstack([case.X, case.X[row]]), y=np.append(case.y, case.y[row]))
    weighted = case.fit(weights=weights)
    case.same(repeated.coef_, weighted.coef_)
    case.same(repeated.intercept_, weighted.intercept_)


@relaxed
@given(problems)
def test_a_zero_column_changes_nothing(problem):
    case = Case(problem)
    position = int(case.rng.integers(case.X.shape[1] + 1))
    widened = case.fit(X=np.insert(case.X, position, 0, axis=1))
    case.same(np.delete(widened.coef_, position), case.fit().coef_)
    assert widened.coef_[position] == 0


@relaxed
@given(problems)
def test_dense_sparse_and_both_orders_agree(problem):
    from scipy import sparse

    case = Case(problem)
    X = np.where(case.rng.random(case.X.shape) < 0.5, case.X, 0)
    expected = case.fit(X=X).coef_
    for other in (np.asfortranarray(X), sparse.csc_array(X), sparse.csr_matrix(X)):
        case.same(case.fit(X=other).coef_, expected)


def objective(case, model):
    residual = case.y - model.predict(case.X)
    b = model.coef_
    penalty = case.names["l1_ratio"] * np.abs(b).sum() + 0.5 * (1 - case.names["l1_ratio"]) * (b**2).sum()
    return 0.5 * np.mean(residual**2) + case.alpha * penalty


@relaxed
@given(problems)
def test_the_gap_bounds_the_distance_to_scikit_learn(problem):
    """And stopped early too, where the gap is no mere rounding."""
    case = Case({**problem, "standardize": False})
    common = {name: case.names[name] for name in ("l1_ratio", "fit_intercept", "positive")}
    theirs = peers.ElasticNet(case.alpha, **common, tol=1e-12, max_iter=1_000_000).fit(case.X, case.y)
    rounding = 1e-13 * (1 + np.mean(case.y**2))
    for tol in (1e-10, 0.1):
        model = case.fit(tol=tol)
        assert objective(case, model) - objective(case, theirs) <= model.dual_gap_ + rounding
        assert model.relative_gap_ <= tol


@relaxed
@given(problems, st.floats(0.05, 0.95))
def test_the_budget_is_kept_and_is_the_penalty(problem, share):
    case = Case({**problem, "standardize": False})
    names = {name: case.names[name] for name in ("fit_intercept", "positive")}
    lambda2 = 0.5
    free = svenet.BudgetElasticNet(np.inf, lambda2=lambda2, **names).fit(case.X, case.y).t_
    if free < 1e-6:
        return
    model = svenet.BudgetElasticNet(share * free, lambda2=lambda2, **names).fit(case.X, case.y)
    assert np.abs(model.coef_).sum() <= share * free * (1 + 1e-10)
    n = len(case.y)
    alpha = model.lambda1_ / (2 * n) + lambda2 / n
    penalty = svenet.ElasticNet(alpha, l1_ratio=model.lambda1_ / (2 * n * alpha), **names).fit(case.X, case.y)
    case.same(penalty.coef_, model.coef_)
