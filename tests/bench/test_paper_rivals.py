"""The rivals of bench/paper reach the optimum of the problem they are given; the gap is recomputed."""

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse
from world.paths import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from harness import datasets  # noqa: E402
from harness.build import build_library  # noqa: E402
from harness.gap import Design  # noqa: E402
from harness.solvers import Refused, Sven, Task  # noqa: E402
from paper import rivals  # noqa: E402
from paper.judge import Setting, budget_gap, penalty_gap  # noqa: E402

pytestmark = pytest.mark.bench

SETS = ["60x200", "300x12", "120x80/sparse"]


@pytest.fixture(scope="module", autouse=True)
def libraries():
    os.environ["SVEN_COMPARE_LIBRARY"] = str(build_library())
    os.environ["PAPER_RIVALS_LIBRARY"] = str(build_library(target="paper_rivals", folder="paper/rivals"))


def problem(name, alpha, share=0.1, threads=1):
    """Design, task and setting, with the budget of sven's solution."""
    X, y = datasets.standardize(*datasets.simulate(name))
    if scipy.sparse.issparse(X):
        X.sort_indices()
    else:
        X = np.asfortranarray(X)
    return stated(X, y, alpha, share, threads)


def stated(X, y, alpha, share, threads):
    design = Design(X, y, raw=False)
    lambdas = np.array([share * design.lambda_max(alpha)])
    b = Sven(Task(X, y, lambdas, alpha, False, threads)).solve(None).coefficients[0]
    task = rivals.SingleTask(X, y, lambdas, alpha, False, threads, None, t=float(np.abs(b).sum()))
    return design, task, Setting(float(lambdas[0]), alpha, task.t, task.l1, task.l2, np.count_nonzero(b))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("alpha", [0.5, 1.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_shotgun_reaches_the_optimum(name, alpha, threads):
    design, task, setting = problem(name, alpha, threads=threads)
    b = rivals.Shotgun(task, threads).solve(1e-11).coefficients[0]
    assert abs(penalty_gap(design, b, setting)) <= 1e-9
    assert np.count_nonzero(b) == setting.selected


def test_shotgun_survives_more_coordinates_at_once_than_the_columns_allow():
    """Forty copies of a column: any two updated at once overshoot together."""
    random = np.random.default_rng(3)
    column = random.standard_normal((50, 1))
    X = np.asfortranarray(
        np.hstack([column + 1e-3 * random.standard_normal((50, 40)), random.standard_normal((50, 5))])
    )
    design, task, setting = stated(X, X @ random.standard_normal(45), 0.5, 0.1, 4)
    b = rivals.Shotgun(task, 4).solve(1e-8).coefficients[0]
    assert penalty_gap(design, b, setting) <= 1e-6


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_l1_ls_reaches_the_optimum(name, alpha):
    design, task, setting = problem(name, alpha)
    gaps = [
        penalty_gap(design, rivals.L1Ls(task).solve(tolerance).coefficients[0], setting) for tolerance in (1e-3, 1e-9)
    ]
    assert gaps[1] <= 1e-9 < gaps[0] <= 1e-3  # as accurate as asked for, and not more


@pytest.mark.parametrize("rival", ["SvenSingle", "SvenPrimal", "SvenDual", "ExplicitMachine", "Liblinear", "Libsvm"])
@pytest.mark.parametrize("name", ["60x200", "300x12"])
def test_machines_reach_the_optimum_of_the_budget(rival, name):
    design, task, setting = problem(name, 0.5)
    solver = getattr(rivals, rival)(task)
    if rival == "Liblinear" and not has_liblinear(solver):
        pytest.skip("LIBLINEAR is not in this build")
    ours = rival.startswith("Sven") or rival == "ExplicitMachine"
    b = solver.solve(None if ours else 1e-11).coefficients[0]
    assert budget_gap(design, b, setting.t, setting.l2) <= (1e-10 if ours else 1e-6)


def has_liblinear(solver):
    try:
        solver.solve(1e-3)
    except RuntimeError as error:
        return "LIBLINEAR" not in str(error)
    return True


@pytest.mark.parametrize("rival", ["ExplicitMachine", "Liblinear", "Libsvm"])
def test_machines_refuse_a_hard_margin(rival):
    _, task, _ = problem("60x200", 1.0)
    with pytest.raises(Refused, match="hard margin"):
        getattr(rivals, rival)(task)


def test_the_gap_of_a_budget_is_zero_at_the_optimum_only():
    design, task, setting = problem("300x12", 0.5)
    b = rivals.SvenSingle(task).solve(None).coefficients[0]
    assert abs(budget_gap(design, b, setting.t, setting.l2)) < 1e-14
    assert budget_gap(design, 0.9 * b, setting.t, setting.l2) > 1e-4
    assert budget_gap(design, 1.1 * b, setting.t, setting.l2) == np.inf
    assert budget_gap(design, b * np.nan, setting.t, setting.l2) == np.inf


L1LS = """
import sys
import numpy as np
from l1ls import l1ls
data = np.load(sys.argv[1])
found = [l1ls(data["A"], data["y"], float(l1), tar_gap=1e-9, quiet=True) for l1 in data["l1"]]
assert all(status == "Solved" for _, status, _ in found)
np.save(sys.argv[2], [x for x, _, _ in found])
"""


def l1ls_python():
    """An interpreter with l1ls 0.2.0, which needs a SciPy of its time; None where it cannot be had."""
    venv = ROOT / "build/l1ls-venv"
    python = venv / "bin/python"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    commands = [
        [sys.executable, "-m", "venv", "--clear", venv],
        [*pip, "setuptools<70", "wheel", "numpy<2", "scipy<1.14"],
        [*pip, "--no-deps", "--no-build-isolation", "l1ls==0.2.0"],
    ]

    def is_there():
        return python.exists() and subprocess.run([python, "-c", "import l1ls"], capture_output=True).returncode == 0

    if not is_there():
        for command in commands:
            if subprocess.run(command, capture_output=True, check=False).returncode:
                return None
    return python if is_there() else None


@pytest.mark.long
def test_l1_ls_agrees_with_the_package_l1ls(tmp_path):
    """The Lasso as it is, and the elastic net on rows sqrt(l2) I that the package is given explicitly."""
    python = l1ls_python()
    if python is None:
        pytest.skip("l1ls 0.2.0 cannot be installed")
    for alpha in (1.0, 0.5):
        _, task, setting = problem("60x200", alpha)
        p = task.X.shape[1]
        A = np.vstack([task.X, np.sqrt(setting.l2) * np.eye(p)])
        np.savez(tmp_path / "problem.npz", A=A, y=np.concatenate([task.y, np.zeros(p)]), l1=[setting.l1])
        command = [python, "-c", L1LS, tmp_path / "problem.npz", tmp_path / "x.npy"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        theirs = np.load(tmp_path / "x.npy")[0]
        ours = rivals.L1Ls(task).solve(1e-9).coefficients[0]
        assert np.abs(theirs - ours).max() <= 1e-5 * np.abs(ours).max()
