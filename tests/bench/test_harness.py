"""The harness of bench/compare judges rightly: its gaps, its limits, its verdict."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import enet_path
from world.paths import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from harness import datasets  # noqa: E402
from harness.gap import Design, relative_gaps  # noqa: E402
from harness.glmnet import translate  # noqa: E402
from harness.run import environment, measure  # noqa: E402
from harness.worker import Job  # noqa: E402

pytestmark = pytest.mark.bench

HERE = Path(__file__).resolve().parent


@pytest.fixture(autouse=True)
def odd_solvers_can_be_imported(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "bench"), str(HERE)]))


def objective(X, y, b, lambda_, alpha):
    n = len(y)
    return np.sum((y - X @ b) ** 2) + 2 * n * lambda_ * alpha * np.abs(b).sum() + n * lambda_ * (1 - alpha) * b @ b


@pytest.fixture(scope="module")
def problem():
    X, y = datasets.standardize(*datasets.simulate("80x30"))
    return np.asfortranarray(X), y


@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_gap_is_zero_at_the_solution_and_bounds_the_distance_elsewhere(problem, alpha):
    X, y = problem
    design = Design(X, y, raw=False)
    lambdas = datasets.grid(design.lambda_max(alpha), *X.shape, 10, None)
    exact = enet_path(X, y, l1_ratio=alpha, alphas=lambdas, tol=1e-14, max_iter=10**6)[1].T
    zero = np.zeros(len(lambdas))
    assert np.abs(relative_gaps(design, exact, zero, lambdas, alpha)).max() < 1e-12
    random = np.random.default_rng(1)
    wrong = exact + 1e-3 * random.standard_normal(exact.shape)
    gaps = relative_gaps(design, wrong, zero, lambdas, alpha)
    for k, lambda_ in enumerate(lambdas):
        excess = objective(X, y, wrong[k], lambda_, alpha) - objective(X, y, exact[k], lambda_, alpha)
        assert gaps[k] >= excess / (y @ y) > 0


def test_gap_in_closed_form():
    """Orthonormal columns: at beta = 0 the gap is known."""
    X = np.asfortranarray(np.linalg.qr(np.random.default_rng(1).standard_normal((20, 4)))[0])
    y = X @ np.array([3.0, -2.0, 0.5, 0.0])
    design = Design(X, y, raw=False)
    lambda_ = 0.5 * design.lambda_max(1.0)  # l1 / 2 = n lambda = 1.5
    gap = relative_gaps(design, np.zeros((1, 4)), np.zeros(1), np.array([lambda_]), 1.0)[0]
    scaling = 0.5  # makes y dual feasible: |x'y| <= 1.5
    assert gap == pytest.approx(1 - 2 * scaling + scaling**2, rel=1e-12)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_raw_data_has_the_gap_of_its_standardised_form(is_sparse):
    X, y = datasets.simulate("80x30/sparse")
    X, y = datasets.without_constants(X), 5 + 3 * y
    dense = X.toarray()
    scale, mean = dense.std(axis=0), dense.mean(axis=0)
    standard, centred = (dense - mean) / scale, y - y.mean()
    reference = Design(np.asfortranarray(standard), centred, raw=False)
    design = Design(X if is_sparse else np.asfortranarray(dense), y, raw=True)
    b = 0.1 * np.random.default_rng(2).standard_normal((3, X.shape[1]))
    lambdas = reference.lambda_max(0.5) * np.array([0.5, 0.1, 0.01])
    assert design.lambda_max(0.5) == pytest.approx(reference.lambda_max(0.5), rel=1e-12)
    expected = relative_gaps(reference, b, np.zeros(3), lambdas, 0.5)
    user = b / scale
    intercepts = y.mean() - user @ mean
    assert relative_gaps(design, user, intercepts, lambdas, 0.5) == pytest.approx(expected, rel=1e-10)
    # A wrong intercept costs n times its square.
    shifted = relative_gaps(design, user, intercepts + 0.7, lambdas, 0.5)
    assert shifted - expected == pytest.approx(len(y) * 0.49 / (centred @ centred), rel=1e-8)


def test_gap_of_nonsense_is_infinite(problem):
    design = Design(*problem, raw=False)
    gaps = relative_gaps(design, np.full((1, 30), np.nan), np.zeros(1), np.array([0.1]), 0.5)
    assert gaps[0] == np.inf


def test_glmnet_is_asked_for_the_same_penalty():
    lambdas, alpha, spread = np.array([2.0, 1.0]), 0.3, 7.0
    its_lambdas, its_alpha = translate(lambdas, alpha, spread)
    assert its_lambdas * its_alpha == pytest.approx(lambdas * alpha)
    assert its_lambdas * (1 - its_alpha) / spread == pytest.approx(lambdas * (1 - alpha))


def test_sets_are_written_and_read_alike(tmp_path):
    for name, form in [("40x9", "raw"), ("40x60/sparse", "standardised")]:
        data = datasets.prepare(name, form, None, tmp_path / form)
        X, y = datasets.read(data)
        assert X.shape == (data.n, data.p) and len(y) == data.n
        assert scipy.sparse.issparse(X) == data.is_sparse
    assert np.asarray(X.multiply(X).mean(axis=0)).ravel() == pytest.approx(np.ones(data.p))
    assert (y.mean(), y.std()) == pytest.approx((0, 1))
    first, second = datasets.simulate("40x9"), datasets.simulate("40x9")
    assert np.array_equal(first[0], second[0]) and np.array_equal(first[1], second[1])


@pytest.mark.parametrize("name", ["400x300@0.02", "400x300@.02"])
def test_a_simulated_set_is_as_full_as_its_name_says(name):
    X, y = datasets.simulate(name)
    assert X.format == "csc" and X.has_sorted_indices and X.shape == (400, 300) and len(y) == 400
    assert X.nnz == pytest.approx(0.02 * 400 * 300, rel=0.1)
    assert datasets.resolve([name], None) == [name]
    again = datasets.load(name, None)
    assert (X != again[0]).nnz == 0 and np.array_equal(y, again[1])
    with pytest.raises(ValueError, match="no set is called"):
        datasets.resolve(["400x300@2"], None)


@pytest.fixture(scope="module")
def small_set(tmp_path_factory):
    return datasets.prepare("60x40", "standardised", None, tmp_path_factory.mktemp("set"))


def outcome_of(solver, data, tmp_path, limit=30.0):
    job = Job(solver, asdict(data), 0.5, 8, None, 1, 1, 1e-8, ["default", "matched"])
    rows = measure(job, dict.fromkeys(job.modes, limit), tmp_path / "log", environment(1)).rows
    return {row["mode"]: row for row in rows}


def test_a_race_follows_nobody_far_beyond_the_fastest_peer(tmp_path):
    from harness.compare import RACE_MARGIN, RACE_START, Comparison, arguments

    comparison = object.__new__(Comparison)
    comparison.options = arguments(["--race", "--limit", "60", "-o", str(tmp_path)])
    key = {"set": "a", "form": "raw", "alpha": 0.5, "solver": "celer"}
    row = {**key, "mode": "matched", "status": "ok", "seconds": 2.0}
    comparison.results = {
        "rows": [
            {**row, "solver": "glmnet"},
            {**row, "solver": "adelie", "seconds": 3.0},
            {**row, "solver": "sven", "seconds": 0.1},
            {**row, "solver": "skglm", "seconds": 0.1, "status": "limit"},
            {**row, "solver": "glmnet", "seconds": 0.1, "alpha": 1},
        ]
    }
    limits = comparison._limits(key, ["default", "matched"])
    assert limits == {"default": 60, "matched": RACE_MARGIN * 2 + RACE_START}
    assert comparison._limits({**key, "solver": "sven"}, ["default"]) == {"default": 60}


def test_a_peer_is_measured_at_its_default_and_at_the_gap(small_set, tmp_path):
    rows = outcome_of("scikit-learn", small_set, tmp_path)
    assert rows["default"]["status"] == rows["matched"]["status"] == "ok"
    assert rows["matched"]["gap"] <= 1e-8 < rows["default"]["gap"]
    assert rows["matched"]["tolerance"] < rows["default"]["tolerance"] == 1e-4
    assert len(rows["matched"]["gaps"]) == 8


def test_the_loosest_tolerance_is_found(small_set, tmp_path):
    assert outcome_of("odd_solvers:Exact", small_set, tmp_path)["matched"]["tolerance"] == pytest.approx(0.1)


def test_a_wrong_answer_counts_at_the_limit(small_set, tmp_path):
    rows = outcome_of("odd_solvers:Halved", small_set, tmp_path)
    assert rows["default"]["gap"] > 0.01
    assert rows["matched"]["status"] == "limit" and rows["matched"]["seconds"] == 30
    assert "gap not reached" in rows["matched"]["reason"]


def test_a_peer_that_takes_too_long_is_stopped(small_set, tmp_path):
    rows = outcome_of("odd_solvers:Hanging", small_set, tmp_path, limit=1.0)
    assert {row["status"] for row in rows.values()} == {"limit"}
    assert rows["default"]["seconds"] == 1


@pytest.mark.parametrize(
    "solver, reason",
    [
        ("Crashing", "SIGABRT"),
        ("Raising", "cannot do this"),
        ("Short", "returned 5 of 8 settings"),
        ("Missing", "no attribute"),
    ],
)
def test_a_peer_that_fails_says_why(small_set, tmp_path, solver, reason):
    rows = outcome_of(f"odd_solvers:{solver}", small_set, tmp_path)
    assert {row["status"] for row in rows.values()} == {"failed"}
    assert reason in rows["default"]["reason"]


def compare(tmp_path, *arguments):
    command = [sys.executable, ROOT / "bench/compare", "--smoke", "--quiet", "-o", tmp_path, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_smoke(tmp_path):
    """sven and scikit-learn on tiny sets, by the command itself; every gap recomputed."""
    result = compare(tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    ours = [row for row in results["rows"] if row["solver"] == "sven"]
    assert len(ours) == len(datasets.SMOKE) * len(datasets.FORMS)
    assert all(row["gap"] <= 1e-10 for row in ours)
    assert "every gap is as promised" in result.stdout
    assert "## Raw, alpha 0.7" in (tmp_path / "results.md").read_text()


def test_smoke_fails_when_a_gap_is_off(tmp_path):
    result = compare(tmp_path, "--sets", "40x9", "--peers", "odd_solvers:Halved")
    assert result.returncode == 1
    assert "odd_solvers:Halved matched: gap not reached" in result.stdout


def test_cross_validation_smoke(tmp_path):
    """sven's curve of errors is ElasticNetCV's."""
    result = subprocess.run(
        [sys.executable, ROOT / "bench/cv", "--smoke", "--quiet", "-o", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    results = json.loads((tmp_path / "cv.json").read_text())
    assert {row["solver"] for row in results["rows"]} == {"sven", "sven, one path", "ElasticNetCV"}
    assert all(row["status"] == "ok" for row in results["rows"])


def test_scaling_smoke(tmp_path):
    """Every curve on small shapes: doubled quantities, certified answers, a table that says what was promised."""
    result = subprocess.run(
        [sys.executable, ROOT / "bench/scaling", "--smoke", "--repeats", "1", "-o", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    curves = {curve["what"]: curve for curve in json.loads((tmp_path / "scaling.json").read_text())["curves"]}
    assert len(curves) == 6
    assert [point["x"] for point in curves["features"]["points"]] == [250, 500, 1000, 2000, 4000]
    assert all(0 <= point["gap"] <= 1e-10 for curve in curves.values() for point in curve["points"])
    supports = [point["support"] for point in curves["support"]["points"]]
    assert supports == sorted(supports) and supports[-1] > 2 * supports[0]
    assert "Target: at most 2.2 times for twice as many" in (tmp_path / "scaling.md").read_text()


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="Rscript is not installed")
def test_outcomes_smoke(tmp_path):
    """Classes by glmnet and sven: each gives a time and a gap at its default, and at the gap that is asked for."""
    command = [sys.executable, ROOT / "bench/outcomes", "--smoke", "--sets", "60x20", "--families", "binomial"]
    result = subprocess.run([*command, "-o", tmp_path], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["solvers"] == ["sven", "glmnet"]
    for found in results["table"][0]["found"]:
        assert isinstance(found, list), found
    assert results["table"][0]["found"][3][1] <= 1e-8
