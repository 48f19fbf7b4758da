"""svenet.glmnet reproduces the real glmnet, run in R."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose
from python.outcome_data import outcome

SCRIPT = Path(__file__).with_name("glmnet_path.R")
FAMILIES = ("gaussian", "binomial", "poisson")
needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R and glmnet")


def real_glmnet(folder, data, alpha, standardize, intercept, positive, weights, factors, lambdas=None, **more):
    n, p = data.X.shape
    settings = [n, p, alpha, standardize, intercept, positive, lambdas is not None]
    inputs = {"settings": settings, "x": data.X.ravel(order="F"), "y": data.y, "weights": weights, "factors": factors}
    if lambdas is not None:
        inputs["lambda"] = lambdas
    inputs.update(more)  # lower, upper, offset
    for name, values in inputs.items():
        np.asarray(values, dtype=np.float64).tofile(folder / name)
    subprocess.run(["Rscript", SCRIPT, folder], check=True)
    answer = {name: np.fromfile(folder / name) for name in ("a0", "lambda.out", "dev.ratio", "nulldev", "df", "s")}
    answer["beta"] = np.fromfile(folder / "beta").reshape(p, -1, order="F")
    answer["coef.at"] = np.fromfile(folder / "coef.at").reshape(p + 1, -1, order="F")
    return answer


@needs_r
@pytest.mark.parametrize("alpha", [1.0, 0.4])
@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("intercept", [True, False])
def test_whole_path(tmp_path, tall, alpha, standardize, intercept):
    ones, factors = np.ones(80), np.ones(12)
    theirs = real_glmnet(tmp_path, tall, alpha, standardize, intercept, False, ones, factors)
    ours = svenet.glmnet(tall.X, tall.y, alpha=alpha, standardize=standardize, intercept=intercept)
    assert_allclose(ours.lambda_, theirs["lambda.out"], rtol=1e-9)
    assert_allclose(ours.beta.toarray(), theirs["beta"], atol=1e-7)
    assert_allclose(ours.a0, theirs["a0"], atol=1e-7)
    assert_allclose(ours.dev_ratio, theirs["dev.ratio"], atol=1e-9)
    assert_allclose(ours.nulldev, theirs["nulldev"], rtol=1e-12)
    assert ours.dim == theirs["beta"].shape and ours.nobs == 80 and ours.jerr == 0
    assert not ours.offset
    assert_allclose(ours.coef(theirs["s"]), theirs["coef.at"], atol=1e-7)


@needs_r
@pytest.mark.parametrize("positive", [True, False])
def test_weights_factors_and_given_lambdas(tmp_path, wide, positive):
    factors = np.random.default_rng(0).uniform(0.5, 2, 60)
    factors[[4, 9]] = 0.0, np.inf
    lambdas = [1.0, 0.5, 0.2, 0.1]
    theirs = real_glmnet(tmp_path, wide, 0.6, True, True, positive, wide.w, factors, lambdas)
    ours = svenet.glmnet(
        wide.X, wide.y, alpha=0.6, weights=wide.w, penalty_factor=factors, lambda_=lambdas[::-1],
        lower_limits=0 if positive else -np.inf,
    )
    assert_allclose(ours.beta.toarray(), theirs["beta"], atol=1e-7)
    assert_allclose(ours.a0, theirs["a0"], atol=1e-7)
    assert_allclose(ours.dev_ratio, theirs["dev.ratio"], atol=1e-9)
    assert_allclose(ours.nulldev, theirs["nulldev"], rtol=1e-12)


@needs_r
@pytest.mark.parametrize("alpha", [1.0, 0.4])
@pytest.mark.parametrize("standardize", [True, False])
def test_limits_and_offset(tmp_path, tall, alpha, standardize):
    rng = np.random.default_rng(3)
    offset = rng.standard_normal(80)
    free = svenet.glmnet(tall.X, tall.y, alpha=alpha, standardize=standardize, offset=offset)
    size = np.abs(free.beta.toarray()).max()
    lower, upper = -size * rng.uniform(0.02, 0.3, 12), size * rng.uniform(0.02, 0.3, 12)
    lower[2], upper[3], lower[4], upper[5] = 0, 0, -9.9e35, 9.9e35
    lambdas = free.lambda_[::8]
    theirs = real_glmnet(tmp_path, tall, alpha, standardize, True, False, np.ones(80), np.ones(12), lambdas,
                         lower=lower, upper=upper, offset=offset)
    ours = svenet.glmnet(tall.X, tall.y, alpha=alpha, standardize=standardize, offset=offset, lambda_=lambdas,
                         lower_limits=lower, upper_limits=upper)
    table = ours.beta.toarray()
    assert_allclose(table, theirs["beta"], atol=1e-6 * size)
    assert_allclose(ours.a0, theirs["a0"], atol=1e-6)
    assert_allclose(ours.dev_ratio, theirs["dev.ratio"], atol=1e-8)
    assert ours.gap.max() < 1e-10
    assert (table >= lower[:, np.newaxis]).all() and (table <= upper[:, np.newaxis]).all()
    assert ((table == lower[:, np.newaxis]) & (table < 0)).any()
    assert ((table == upper[:, np.newaxis]) & (table > 0)).any()
    assert ours.offset
    with pytest.raises(ValueError, match="No newoffset provided"):
        ours.predict(tall.X)
    assert_allclose(ours.predict(tall.X, newoffset=offset), tall.X @ table + ours.a0 + offset[:, np.newaxis])


@needs_r
def test_the_grid_of_limited_paths(tmp_path, tall):
    lower, upper = np.full(12, -0.1), np.full(12, 0.05)
    theirs = real_glmnet(tmp_path, tall, 0.7, True, True, False, np.ones(80), np.ones(12), lower=lower, upper=upper)
    ours = svenet.glmnet(tall.X, tall.y, alpha=0.7, lower_limits=-0.1, upper_limits=0.05)
    assert_allclose(ours.lambda_, theirs["lambda.out"], rtol=1e-9)
    assert_allclose(ours.beta.toarray(), theirs["beta"], atol=1e-7)


def same_path(ours, theirs, parity=1e-6):
    size = np.abs(theirs["beta"]).max()
    assert_allclose(ours.lambda_, theirs["lambda.out"], rtol=1e-9)
    assert_allclose(ours.beta.toarray(), theirs["beta"], atol=parity * size)
    assert_allclose(ours.a0, theirs["a0"], atol=parity * max(1, size))
    # the deviance alone is not at its minimum: a gap of 1e-15 leaves up to its root
    assert_allclose(ours.dev_ratio, theirs["dev.ratio"], atol=1e-8)
    assert_allclose(ours.nulldev, theirs["nulldev"], rtol=1e-9)
    assert_allclose(ours.coef(theirs["s"]), theirs["coef.at"], atol=parity * max(1, size))


@needs_r
@pytest.mark.parametrize("family", ["binomial", "poisson"])
@pytest.mark.parametrize("shape, alpha, standardize", [("tall", 1.0, True), ("tall", 0.4, False), ("wide", 0.7, True)])
def test_outcomes(tmp_path, request, family, shape, alpha, standardize):
    """The grid, its length, and every field, with weights."""
    data = request.getfixturevalue(shape)
    y, (n, p) = outcome(data, family), data.X.shape
    numbered = type(data)(n, p)
    numbered.X, numbered.y = data.X, y
    weights = np.ones(n) if shape == "tall" else data.w
    theirs = real_glmnet(tmp_path, numbered, alpha, standardize, True, False, weights, np.ones(p),
                         family=[FAMILIES.index(family)])
    ours = svenet.glmnet(data.X, y, family=family, alpha=alpha, standardize=standardize, weights=weights, thresh=1e-13)
    same_path(ours, theirs)
    assert ours.family == family and ours.gap.max() <= 1e-13


@needs_r
@pytest.mark.parametrize("family", ["binomial", "poisson"])
def test_outcomes_with_all_arguments(tmp_path, tall, family):
    rng = np.random.default_rng(3)
    numbered = type(tall)(80, 12)
    numbered.X, numbered.y = tall.X, outcome(tall, family)
    if family == "binomial":  # shares, with their numbers as weights
        numbered.y = np.where(rng.random(80) < 0.3, 0.5, numbered.y)
    offset, factors = 0.5 * rng.standard_normal(80), rng.uniform(0.5, 2, 12)
    factors[5] = np.inf
    lower, upper = np.full(12, -0.1), np.full(12, 0.2)
    lambdas = np.array([0.1, 0.03, 0.01])
    theirs = real_glmnet(tmp_path, numbered, 0.6, True, True, False, tall.w, factors, lambdas,
                         lower=lower, upper=upper, offset=offset, family=[FAMILIES.index(family)])
    ours = svenet.glmnet(tall.X, numbered.y, family=family, alpha=0.6, weights=tall.w, offset=offset, lambda_=lambdas,
                         penalty_factor=factors, lower_limits=-0.1, upper_limits=0.2, thresh=1e-13)
    same_path(ours, theirs)
    assert ours.beta.toarray().max() == 0.2 and ours.beta.toarray().min() == -0.1


def test_classes_and_counts(tall):
    y, w = outcome(tall, "binomial"), np.random.default_rng(2).integers(1, 5, 80)
    numbers = svenet.glmnet(tall.X, y, family="binomial", lambda_=[0.1, 0.02], weights=w)
    names = svenet.glmnet(tall.X, np.where(y == 1, "b", "a"), family="binomial", lambda_=[0.1, 0.02], weights=w)
    counts = svenet.glmnet(tall.X, np.column_stack([w * (1 - y), w * y]), family="binomial", lambda_=[0.1, 0.02])
    assert_allclose(names.beta.toarray(), numbers.beta.toarray())
    assert_allclose(counts.beta.toarray(), numbers.beta.toarray(), atol=1e-10)
    link = names.predict(tall.X)
    assert names.classnames == ("a", "b") and numbers.classnames == (0, 1) and counts.classnames == ()
    assert_allclose(names.predict(tall.X, type="response"), 1 / (1 + np.exp(-link)))
    assert (names.predict(tall.X, type="class") == np.where(link > 0, "b", "a")).all()
    rates = svenet.glmnet(tall.X, outcome(tall, "poisson"), family="poisson", lambda_=[0.1])
    assert_allclose(rates.predict(tall.X, type="response"), np.exp(rates.predict(tall.X)))


def test_outcomes_that_are_refused(tall):
    y = outcome(tall, "binomial")
    for response, family, sentence in [
        (np.full(80, "a"), "binomial", "a binomial response has two classes, y has 1"),
        (np.array(list("abcd") * 20), "binomial", "a binomial response has two classes, y has 4"),
        (np.column_stack([y, -y]), "binomial", "numbers of failures and successes, not negative"),
        (3 * np.random.default_rng(0).random(80), "binomial", "a share between them"),
        (-y, "poisson", "must not be negative"),
        (np.ones(80), "poisson", "the response is constant"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            svenet.glmnet(tall.X, response, family=family)


def test_exclude_is_an_infinite_factor(tall):
    factors = np.ones(12)
    factors[[0, 3]] = np.inf
    by_exclusion = svenet.glmnet(tall.X, tall.y, exclude=[0, 3])
    by_factors = svenet.glmnet(tall.X, tall.y, penalty_factor=factors)
    assert_allclose(by_exclusion.beta.toarray(), by_factors.beta.toarray())
    assert not by_exclusion.beta.toarray()[[0, 3]].any()


def test_predict(tall):
    fit = svenet.glmnet(tall.X, tall.y)
    table = fit.coef()
    assert_allclose(fit.predict(tall.X), tall.X @ table[1:] + table[0])
    assert fit.predict(tall.X, s=[0.1, 0.2]).shape == (80, 2)


def test_what_is_refused(tall):
    with pytest.raises(ValueError, match="family"):
        svenet.glmnet(tall.X, tall.y, family="cox")
    with pytest.raises(ValueError, match="upper_limits must not be below zero"):
        svenet.glmnet(tall.X, tall.y, upper_limits=-1.0)
    with pytest.raises(ValueError, match="lower_limits must be one number or 12"):
        svenet.glmnet(tall.X, tall.y, lower_limits=[-1.0, 0.0])
    with pytest.raises(ValueError, match="offset has 3 numbers, X has 80 rows"):
        svenet.glmnet(tall.X, tall.y, offset=[1.0, 2.0, 3.0])
    for name, value in (("intercept", "no"), ("standardize", "no"), ("n_jobs", 0), ("thresh", -1.0), ("maxit", 0)):
        with pytest.raises(ValueError, match=f"'{name}' parameter of glmnet"):
            svenet.glmnet(tall.X, tall.y, **{name: value})


@needs_r
@pytest.mark.parametrize("kind", ["plain", "raw", "weights", "free", "fitted"])
@pytest.mark.parametrize("shape, alpha", [("tall", 1.0), ("wide", 0.4)])
def test_whole_path_without_negative_coefficients(tmp_path, request, shape, kind, alpha):
    """glmnet's grid does not know of the limit; nor does it end a path that gains little. `free`: two features
    that are not penalised, one of which the limit keeps at zero; `fitted`: devmax ends the path."""
    data = request.getfixturevalue(shape)
    n, p = data.X.shape
    if kind == "fitted":
        data = type(data)(n, p, seed=7)
        data.y = data.X[:, :3].sum(axis=1)
    weights, factors = np.ones(n), np.ones(p)
    if kind == "weights":
        weights, factors = data.w, np.random.default_rng(1).uniform(0.5, 2, p)
    if kind == "free":
        correlations = (data.X - data.X.mean(axis=0)).T @ (data.y - data.y.mean())
        factors[[correlations.argmin(), correlations.argmax()]] = 0
        factors[1] = np.inf
    flags = kind != "raw"
    theirs = real_glmnet(tmp_path, data, alpha, flags, flags, True, weights, factors)
    ours = svenet.glmnet(
        data.X, data.y, alpha=alpha, standardize=flags, intercept=flags, weights=weights, penalty_factor=factors,
        lower_limits=0,
    )
    assert len(ours.lambda_) == len(theirs["lambda.out"])
    assert_allclose(ours.lambda_, theirs["lambda.out"], rtol=1e-12)
    assert_allclose(ours.beta.toarray(), theirs["beta"], atol=1e-6)
    assert_allclose(ours.dev_ratio, theirs["dev.ratio"], atol=1e-8)
    assert (len(ours.lambda_) < 100) == (kind == "fitted")


def test_the_least_ratio_of_lambdas_is_glmnets(tall):
    """glmnet.control's eps: what R makes of lambda.min.ratio = 0."""
    lambdas = svenet.glmnet(tall.X, tall.y, nlambda=20, lambda_min_ratio=0).lambda_
    assert_allclose(lambdas[1:] / lambdas[:-1], 1e-6 ** (1 / 19), rtol=1e-12)
    with pytest.raises(ValueError, match="lambda_min_ratio"):
        svenet.glmnet(tall.X, tall.y, lambda_min_ratio=1)
