"""What a solver is to the harness, the list of all, and sven itself."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import time
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from harness.library import Form, Library, Matrix

# Imported by name, in the process that measures it: a peer that cannot be imported is one row that says so.
SOLVERS: dict[str, str] = {
    "sven": "harness.solvers:Sven",
    "glmnet": "harness.glmnet:Glmnet",
    "scikit-learn": "harness.peers:ScikitLearn",
    "scikit-learn Gram": "harness.peers:ScikitLearnGram",
    "celer": "harness.peers:Celer",
    "skglm": "harness.peers:Skglm",
    "adelie": "harness.peers:Adelie",
    "adelie cov": "harness.peers:AdelieCov",
    "glum": "harness.peers:Glum",
    "scikit-learn-intelex": "harness.peers:Intelex",
}
# What each is imported from, where that is not scikit-learn, which the harness needs itself.
MODULES = {
    "celer": "celer",
    "skglm": "skglm",
    "adelie": "adelie",
    "adelie cov": "adelie",
    "glum": "glum",
    "scikit-learn-intelex": "sklearnex",
}
SMOKE_PEERS = ["scikit-learn", "scikit-learn Gram"]
BUDGET = "sven, budget"  # the paper's form, for a single fit


@dataclass(frozen=True)
class Task:
    """A path to solve: lambda and alpha as in scikit-learn's objective (its alpha and l1_ratio). `raw`: with an
    intercept, on columns of standard deviation one, and coefficients wanted on the scale of X."""

    X: Matrix
    y: np.ndarray
    lambdas: np.ndarray  # decreasing
    alpha: float
    raw: bool
    threads: int
    folder: str | None = None  # where X and y lie on disk
    clock: str = "wall"  # or "processor": that of all threads, which load beside it changes little

    @property
    def is_sparse(self) -> bool:
        return scipy.sparse.issparse(self.X)


@dataclass
class Answer:
    seconds: float
    coefficients: np.ndarray  # settings x features, on the scale of X
    intercepts: np.ndarray


class Refused(Exception):
    """The solver cannot do this problem, for the reason given."""


class Solver:
    """One peer on one task. The clock runs from data in memory to coefficients in memory."""

    default_tolerance = 1e-4
    tightest = 1e-16  # end of the ladder of tolerances
    pid: int | None = None  # of another process that does the work

    def __init__(self, task: Task) -> None:
        self.task = task

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and intercepts. None: the tool's own defaults, its iteration limit included; with a
        tolerance the limit is raised until it plays no part."""
        raise NotImplementedError

    def solve(self, tolerance: float | None) -> Answer:
        clock = time.process_time if self.task.clock == "processor" else time.perf_counter
        start = clock()
        coefficients, intercepts = self.path(tolerance)
        return Answer(clock() - start, coefficients, intercepts)

    def at(self, task: Task) -> Solver:
        """The same on another task over the same data."""
        return type(self)(task)

    def close(self) -> None:
        """After the last solve."""


def find(name: str) -> type[Solver]:
    """By its name in the list, or written module:Class."""
    module, _, attribute = SOLVERS.get(name, name).partition(":")
    return getattr(importlib.import_module(module), attribute)


def is_installed(name: str) -> bool:
    """Whether a peer of the list can be measured on this machine, by this interpreter."""
    if name == "glmnet":
        return shutil.which("Rscript") is not None
    return name not in MODULES or importlib.util.find_spec(MODULES[name]) is not None


def available_memory() -> float:
    with open("/proc/meminfo", encoding="ascii") as lines:
        return next(float(line.split()[1]) for line in lines if line.startswith("MemAvailable")) * 1024


def refuse_large_gram(task: Task, copies: float = 1) -> None:
    """For those that form a p x p matrix."""
    size = copies * 8 * task.X.shape[1] ** 2
    if size > 0.6 * available_memory():
        raise Refused(f"would need {size / 1e9:.0f} GB for a p x p matrix")


class Sven(Solver):
    """The promise by default is a gap of 1e-10, proven inside the clock."""

    default_tolerance = 1e-10
    form = Form.MIXING

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.library = Library(os.environ["SVEN_COMPARE_LIBRARY"])
        self.settings = np.column_stack([task.lambdas, np.full(len(task.lambdas), task.alpha)])
        self.claimed_gaps: np.ndarray | None = None

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        task = self.task
        path = self.library.solve_path(
            task.X,
            task.y,
            self.settings,
            form=self.form,
            intercept=task.raw,
            standardize=task.raw,
            tolerance=tolerance or self.default_tolerance,
            threads=task.threads,
        )
        self.claimed_gaps = path.gaps
        return path.coefficients, path.intercepts


class SvenBudget(Sven):
    """The same settings as (t, l2). The budgets come from a solve in the penalty form, outside the clock."""

    form = Form.BUDGET

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        path = self.library.solve_path(
            task.X,
            task.y,
            self.settings,
            intercept=task.raw,
            standardize=task.raw,
            tolerance=self.default_tolerance,
            threads=task.threads,
        )
        self.settings = np.column_stack([path.t, len(task.y) * task.lambdas * (1 - task.alpha)])


SOLVERS[BUDGET] = "harness.solvers:SvenBudget"
