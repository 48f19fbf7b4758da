"""ElasticNetCV, LassoCV and cross_validate on the folds of any splitter."""

import json
import subprocess

import numpy as np
import pytest
import sklearn
import sklearn.linear_model as peers
import svenet
from numpy.testing import assert_allclose
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, ShuffleSplit, TimeSeriesSplit
from world.paths import PROGRAM

TIGHT = {"tol": 1e-13, "max_iter": 1_000_000}
OLD = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) < (1, 7)
SPLITTERS = {
    "default": lambda X: None,
    "three": lambda X: 3,
    "shuffled": lambda X: KFold(4, shuffle=True, random_state=0),
    "time": lambda X: TimeSeriesSplit(4),
    "random": lambda X: ShuffleSplit(3, test_size=0.3, random_state=0),
    "one split": lambda X: ShuffleSplit(1, random_state=0),
    "pairs": lambda X: list(KFold(3).split(X)),
}


@pytest.mark.parametrize("shape, kind", [("tall", "C"), ("wide", "F"), ("tall", "csc_array"), ("wide", "csr_matrix")])
@pytest.mark.parametrize("splitter", SPLITTERS)
def test_elastic_net_cv(request, shape, kind, splitter):
    data = request.getfixturevalue(shape)
    cv = SPLITTERS[splitter](data.X)
    # Not far down the path, where coordinate descent takes minutes to reach its tolerance.
    common = {"l1_ratio": [0.4, 0.9], "cv": cv, "alphas": np.geomspace(2, 0.05, 20)}
    ours = svenet.ElasticNetCV(**common).fit(data.stored(kind), data.y)
    theirs = peers.ElasticNetCV(**common, **TIGHT).fit(data.X, data.y)
    assert_allclose(ours.alphas_, theirs.alphas_)
    assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-6, atol=1e-6)
    assert ours.alpha_ == theirs.alpha_
    assert ours.l1_ratio_ == theirs.l1_ratio_
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-7)
    assert ours.alpha_1se_ >= ours.alpha_


@pytest.mark.skipif(OLD, reason="alphas is a number since 1.7")
@pytest.mark.parametrize("kind", ["C", "csc_array"])
def test_automatic_grids(tall, kind):
    common = {"l1_ratio": [0.4, 0.9], "cv": 3, "alphas": 30}
    ours = svenet.ElasticNetCV(**common).fit(tall.stored(kind), tall.y)
    theirs = peers.ElasticNetCV(**common, **TIGHT).fit(tall.X, tall.y)
    assert_allclose(ours.alphas_, theirs.alphas_, rtol=1e-12)
    assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-6, atol=1e-6)
    assert ours.alpha_ == pytest.approx(theirs.alpha_, rel=1e-12)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("positive", [True, False])
def test_lasso_cv_with_weights(tall, fit_intercept, positive):
    alphas = np.geomspace(1, 1e-3, 30)
    common = {"alphas": alphas, "fit_intercept": fit_intercept, "positive": positive}
    ours = svenet.LassoCV(**common).fit(tall.X, tall.y, sample_weight=tall.w)
    theirs = peers.LassoCV(**common, **TIGHT).fit(tall.X, tall.y, sample_weight=tall.w)
    assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-6, atol=1e-6)
    assert ours.alpha_ == theirs.alpha_
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    assert not hasattr(ours, "l1_ratio_")


@pytest.mark.skipif(OLD, reason="before 1.7 scikit-learn's grid did not know of weights")
def test_automatic_grid_with_weights(tall):
    ours = svenet.LassoCV(alphas=20).fit(tall.X, tall.y, sample_weight=tall.w)
    theirs = peers.LassoCV(alphas=20).fit(tall.X, tall.y, sample_weight=tall.w)
    assert_allclose(ours.alphas_, theirs.alphas_, rtol=1e-10)


def test_groups_are_routed(tall):
    groups = np.arange(len(tall.y)) % 5
    with sklearn.config_context(enable_metadata_routing=True):
        ours = svenet.LassoCV(cv=GroupKFold(5)).fit(tall.X, tall.y, groups=groups)
        theirs = peers.LassoCV(cv=GroupKFold(5), **TIGHT).fit(tall.X, tall.y, groups=groups)
        assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-6, atol=1e-6)
    with pytest.raises(ValueError, match="metadata_routing"):
        svenet.LassoCV(cv=GroupKFold(5)).fit(tall.X, tall.y, groups=groups)


def test_sample_weight_is_requested(tall):
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    with sklearn.config_context(enable_metadata_routing=True):
        model = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            svenet.ElasticNet(0.1).set_fit_request(sample_weight=True),
        )
        model.fit(tall.X, tall.y, sample_weight=tall.w)
        scaled = StandardScaler().fit_transform(tall.X)
        direct = svenet.ElasticNet(0.1).fit(scaled, tall.y, sample_weight=tall.w)
        assert_allclose(model[-1].coef_, direct.coef_)
    assert len(cross_val_score(svenet.ElasticNet(0.1), tall.X, tall.y)) == 5


def test_one_standard_error_is_glmnets_rule(tall):
    result = svenet.cross_validate(tall.X, tall.y, l1_ratio=[0.5, 1.0], alphas=40, cv=10)
    curve = result.best_curve
    mean = curve.mse_path.mean(axis=1)
    error = curve.mse_path.std(axis=1, ddof=1) / np.sqrt(10)
    limit = mean.min() + error[mean.argmin()]
    assert result.alpha_1se == max(curve.alphas[mean <= limit])
    assert result.alpha_min == curve.alphas[mean.argmin()]
    exact = svenet.ElasticNet(result.alpha_1se, l1_ratio=result.l1_ratio).fit(tall.X, tall.y)
    assert_allclose(result.coef("1se"), exact.coef_, atol=1e-9)
    assert_allclose(result.predict(tall.X, "1se"), exact.predict(tall.X), atol=1e-8)


def uneven(seed):
    """Weights, and five folds of unequal size: 40 %, 30 %, 15 %, 10 % and 5 % of the rows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 8))
    y = X @ np.r_[1.0, -0.5, 0.2, np.zeros(5)] + rng.standard_normal(60)
    fold = rng.permutation(np.repeat(np.arange(5), [24, 18, 9, 6, 3]))
    cv = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(5)]
    return X, y, rng.uniform(0.1, 3, 60), fold, cv


def of_the_program(folder, X, y, w, fold, alphas, l1_ratios):
    """What `sven cv` says of the same folds."""
    table = np.column_stack([X, fold, w, y])
    names = ",".join([f"x{j}" for j in range(X.shape[1])] + ["fold", "w", "y"])
    np.savetxt(folder / "data.csv", table, delimiter=",", header=names, comments="", fmt="%.17g")
    np.savetxt(folder / "alphas.txt", alphas, fmt="%.17g")
    columns = ["--fold-column", "fold", "--weights-column", "w", "--target", "y"]
    ratios = ",".join(map(str, l1_ratios))
    grid = ["--lambdas", "alphas.txt", "--alpha", ratios, "--no-standardize"]
    command = [str(PROGRAM), "cv", "data.csv", *columns, *grid, "--json"]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout)


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
def test_the_summary_is_that_of_the_program(tmp_path):
    X, y, w, fold, cv = uneven(seed=1)
    alphas, ratios = np.geomspace(1.5, 1e-3, 60), [0.5, 1.0]
    answer = of_the_program(tmp_path, X, y, w, fold, alphas, ratios)
    result = svenet.cross_validate(X, y, sample_weight=w, cv=cv, alphas=alphas, l1_ratio=ratios)
    for ours, theirs in zip(result.curves, answer["curves"], strict=True):
        for name in ("mean", "standard_error"):
            assert_allclose(getattr(ours, name), [each[name] for each in theirs["settings"]], rtol=1e-9)
        assert (ours.best, ours.one_standard_error) == (theirs["min"], theirs["1se"])
    best = answer["curves"][answer["best_curve"]]
    assert result.l1_ratio == best["alpha"]
    assert result.alpha_1se == pytest.approx(best["settings"][best["1se"]]["lambda"])
    lasso = svenet.LassoCV(cv=cv, alphas=alphas).fit(X, y, sample_weight=w)
    curve = answer["curves"][1]
    assert lasso.alpha_1se_ == pytest.approx(curve["settings"][curve["1se"]]["lambda"])
    # Of folds that count the same it would be another.
    mean = lasso.mse_path_.mean(axis=1)
    limit = mean.min() + lasso.mse_path_.std(axis=1, ddof=1)[mean.argmin()] / np.sqrt(5)
    assert np.argmax(mean <= limit) != curve["1se"]


def test_the_choice_is_scikit_learns(tmp_path):
    """Where the two means have their minima at different alphas."""
    X, y, w, _, cv = uneven(seed=1)
    common = {"l1_ratio": [0.5, 1.0], "cv": cv, "alphas": np.geomspace(1.5, 1e-3, 60)}
    ours = svenet.ElasticNetCV(**common).fit(X, y, sample_weight=w)
    theirs = peers.ElasticNetCV(**common, **TIGHT).fit(X, y, sample_weight=w)
    assert (ours.alpha_, ours.l1_ratio_) == (theirs.alpha_, theirs.l1_ratio_)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    assert ours.cross_validation_.alpha_min != ours.alpha_


def test_the_function_is_the_estimator(wide):
    result = svenet.cross_validate(wide.X, wide.y, l1_ratio=0.5, cv=3, standardize=True)
    model = svenet.ElasticNetCV(l1_ratio=0.5, cv=3, standardize=True).fit(wide.X, wide.y)
    assert_allclose(result.curves[0].mse_path, model.mse_path_)
    assert_allclose(result.coef(), model.coef_)
    assert_allclose(result.coef_path.toarray()[:, result.best_curve.best], model.coef_)


def test_groups_of_the_function(tall):
    groups = np.arange(len(tall.y)) // 10
    result = svenet.cross_validate(tall.X, tall.y, cv=GroupKFold(4), groups=groups, alphas=10)
    pairs = list(GroupKFold(4).split(tall.X, tall.y, groups))
    assert_allclose(result.curves[0].mse_path, svenet.cross_validate(tall.X, tall.y, cv=pairs, alphas=10).curves[0].mse_path)


def test_leave_one_out(tall):
    assert svenet.LassoCV(cv=LeaveOneOut(), alphas=5).fit(tall.X, tall.y).mse_path_.shape == (5, 80)


def test_both_spellings_of_the_number_of_alphas(tall):
    assert len(svenet.LassoCV(alphas=9).fit(tall.X, tall.y).alphas_) == 9
    assert len(svenet.LassoCV(n_alphas=9, alphas=None).fit(tall.X, tall.y).alphas_) == 9


REFUSED = {
    "groups without cv": ({"groups": np.arange(80) % 4}, "groups cannot be used"),
    "groups with a number": ({"groups": np.arange(80) % 4, "cv": 4}, "groups cannot be used"),
    "groups with rows": ({"groups": np.arange(80) % 4, "cv": [(range(40), range(40, 80))]}, "groups cannot be used"),
    "a word for False": ({"fit_intercept": "no"}, "'fit_intercept' parameter of cross_validate must be True or False"),
    "another": ({"standardize": "false"}, "'standardize' parameter of cross_validate must be True or False"),
    "a number for True": ({"fit_intercept": 2}, "'fit_intercept' parameter"),
    "no threads": ({"n_jobs": 0}, "'n_jobs' parameter of cross_validate must be None or an int other than 0"),
    "fractions": ({"cv": [([0.0, 1.5, 2.0], [3, 4])] * 2}, "fold 0 must be whole numbers, 1.5 is none"),
    "not a number": ({"cv": [([0, 1, 2], [3, 4]), ([0, 1], [np.nan, 2.0])]}, "fold 1 must be whole numbers, nan is none"),
    "a short mask": ({"cv": [(np.ones(79, bool), [3, 4])] * 2}, "fold 0 has a mask of 79 rows, X has 80"),
    "a table": ({"cv": [([[0, 1]], [3, 4])] * 2}, "fold 0 are no list"),
    "rows beyond": ({"cv": [([0, 1], [80])] * 2}, "fold 0 names row 80 of 80"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_by_the_function(tall, case):
    parameters, sentence = REFUSED[case]
    with pytest.raises(ValueError, match=sentence):
        svenet.cross_validate(tall.X, tall.y, alphas=5, **parameters)


def test_rows_in_other_words(tall):
    """Whole numbers as floats, masks, and numbers from the end."""
    plain = svenet.cross_validate(tall.X, tall.y, alphas=5, cv=[(range(40), range(40, 80))] * 2)
    rows = [(np.arange(40.0), np.arange(80) >= 40), (np.arange(40), np.arange(-40, 0))]
    other = svenet.cross_validate(tall.X, tall.y, alphas=5, cv=rows, fit_intercept=1)
    assert_allclose(other.curves[0].mse_path, plain.curves[0].mse_path)


@pytest.mark.parametrize("bad", [{"cv": 1}, {"cv": 1000}, {"cv": []}, {"cv": "five"}, {"eps": 0}, {"alphas": [-1.0]}, {"alphas": 0}])
def test_refused(tall, bad):
    with pytest.raises(ValueError):
        svenet.LassoCV(**bad).fit(tall.X, tall.y)


@pytest.mark.parametrize("eps", [0, 1, 2.0])
def test_a_grid_goes_down(tall, eps):
    """The alphas of an eps above one would increase."""
    for call in (svenet.LassoCV(eps=eps).fit, lambda X, y: svenet.lasso_path(X, y, eps=eps),
                 lambda X, y: svenet.cross_validate(X, y, eps=eps)):
        with pytest.raises(ValueError, match=r"'eps' parameter of \w+ must be a float in the range \(0.0, 1.0\)"):
            call(tall.X, tall.y)


@pytest.mark.parametrize("estimator", [svenet.LassoCV, svenet.ElasticNetCV])
def test_the_choice_within_one_standard_error(tall, estimator):
    least, simple = (estimator(alphas=30, choose=choose).fit(tall.X, tall.y) for choose in ("min", "1se"))
    assert simple.alpha_ == least.alpha_1se_ == simple.alpha_1se_ and simple.alpha_ > least.alpha_
    again = svenet.ElasticNet(simple.alpha_, l1_ratio=getattr(simple, "l1_ratio_", 1.0)).fit(tall.X, tall.y)
    np.testing.assert_allclose(simple.coef_, again.coef_, atol=1e-9)
    with pytest.raises(ValueError, match="choose"):
        estimator(choose="best").fit(tall.X, tall.y)
