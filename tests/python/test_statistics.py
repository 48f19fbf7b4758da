"""Statistics in the place of rows: the same answers, sums that add up, files there and back."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from svenet import Session, Statistics, cross_validate, statistics


def make(n=150, p=12, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p)) + rng.standard_normal(p) * 10
    return X, X[:, :3] @ [1.0, -2.0, 0.5] + rng.standard_normal(n), rng.uniform(0, 2, n)


def pieces(X, y, weights, cuts, folds=None):
    parts = np.split(np.arange(len(y)), cuts)
    return sum(
        statistics(X[rows], y[rows], sample_weight=None if weights is None else weights[rows],
                   folds=None if folds is None else folds[rows])
        for rows in parts
    )


@pytest.mark.parametrize("options", [
    {}, {"fit_intercept": False}, {"standardize": True}, {"positive": True},
    {"penalty_factor": [0.0] + [1.0] * 11}, {"lower": -0.5, "upper": 0.7}])
@pytest.mark.parametrize("weighted", [False, True])
def test_paths_are_those_of_the_rows(options, weighted):
    X, y, weights = make()
    weights = weights if weighted else None
    expected = Session(X, y, sample_weight=weights, **options)
    alphas, rows = expected.path(20, l1_ratio=0.7)
    for cuts in ([], [10], [40, 90, 91, 120]):
        total = pieces(X, y, weights, cuts)
        session = Session(total, **options)
        found, solutions = session.path(20, l1_ratio=0.7)
        np.testing.assert_allclose(found, alphas, rtol=1e-10)
        again, solutions = session.path(alphas, l1_ratio=0.7)
        assert solutions.gaps.max() <= 1e-10
        np.testing.assert_allclose(solutions.coefs.toarray(), rows.coefs.toarray(), rtol=0, atol=1e-9)
        np.testing.assert_allclose(solutions.intercepts, rows.intercepts, atol=1e-8)
        np.testing.assert_allclose(solutions.dual_gaps, solutions.gaps * solutions.null_deviance
                                   / 2 / total.total_weight)


def test_cross_validation_is_that_of_the_rows():
    X, y, weights = make()
    folds = np.arange(150) % 5
    splits = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(5)]
    expected = cross_validate(X, y, sample_weight=weights, l1_ratio=[0.5, 1.0], alphas=25, cv=splits)
    total = pieces(X, y, weights, [70], folds)
    assert total.folds.tolist() == [0, 1, 2, 3, 4]
    found = Session(total).cv(l1_ratio=[0.5, 1.0], alphas=25)
    for mine, rows in zip(found.curves, expected.curves, strict=True):
        np.testing.assert_allclose(mine.fold_errors, rows.fold_errors, rtol=1e-8)
        np.testing.assert_allclose(mine.standard_error, rows.standard_error, rtol=1e-7)
        assert (mine.best, mine.one_standard_error) == (rows.best, rows.one_standard_error)
    assert found.missed == 0


def test_files(tmp_path):
    X, y, _ = make()
    total = statistics(pd.DataFrame(X, columns=list("abcdefghijkl")), pd.Series(y, name="price"), folds=np.arange(150) % 2)
    total.save(tmp_path / "s.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["s.npz"]
    for other in (Statistics.load(tmp_path / "s.npz"), pickle.loads(pickle.dumps(total))):
        assert repr(other) == "Statistics(150 rows, 12 features, 2 folds)"
        assert other.feature_names == list("abcdefghijkl")
        assert other.rounding == total.rounding and other.total_weight == 150
    content = (tmp_path / "s.npz").read_bytes()
    (tmp_path / "s.npz").write_bytes(content[:-100])
    with pytest.raises(ValueError, match="s.npz: the zip archive is damaged"):
        Statistics.load(tmp_path / "s.npz")
    with pytest.raises(FileNotFoundError):
        Statistics.load(tmp_path / "none.npz")


def test_other_kinds_of_rows():
    X, y, _ = make()
    X[np.abs(X) < 2] = 0
    for kind in (X.astype(np.float32), np.asfortranarray(X), sparse.csr_array(X), sparse.csc_matrix(X)):
        expected = Session(kind, y).fit(0.1)
        np.testing.assert_allclose(Session(statistics(kind, y)).fit(0.1).coef, expected.coef, atol=1e-9)


def test_refusals():
    X, y, weights = make()
    total = statistics(X, y)
    with pytest.raises(ValueError, match="of 12 columns and of 11 do not add up"):
        total + statistics(X[:, 1:], y)
    with pytest.raises(TypeError):
        total + 1
    with pytest.raises(ValueError, match="cannot be served from sums"):
        Session(total, family="poisson").fit(1.0)
    with pytest.raises(TypeError, match="needs y"):
        Session(X)
    with pytest.raises(TypeError, match="Statistics hold y"):
        Session(total, sample_weight=weights)
    with pytest.raises(ValueError, match="have no folds"):
        Session(total).cv()
    with pytest.raises(ValueError, match="cv must be None"):
        Session(total).cv(cv=5)
    with pytest.raises(ValueError, match="one response"):
        Session(total).set_response(y)
    with pytest.raises(ValueError, match="whole numbers"):
        statistics(X, y, folds=np.linspace(0, 1, 150))
    with pytest.raises(ValueError, match="folds for 3 rows"):
        statistics(X, y, folds=[0, 1, 2])
