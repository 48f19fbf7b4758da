"""The paper's protocol, as a process of its own: python -m paper.settings JOB. glmnet's path, of it settings with
distinct numbers of selected features, their budgets t = ||b||_1, and SVEN at the same (t, l2): how far apart are the
two? Where there is no R, SVEN's own path gives the settings."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from harness import datasets
from harness.gap import relative_gaps
from harness.glmnet import Glmnet
from harness.library import Form
from harness.solvers import Solver, Sven
from harness.worker import Job, Measurement, main
from paper.judge import Setting, budget_gap

PATH_LENGTH = 100  # glmnet's own
DRAWN = 20  # coefficients are kept for a figure where there are no more features than this


def choose(coefficients: np.ndarray, count: int) -> list[int]:
    """The first of each number of selected features, nothing selected left out; of too many, evenly spread."""
    sizes = np.count_nonzero(coefficients, axis=1)
    first = [int(np.flatnonzero(sizes == size)[0]) for size in np.unique(sizes) if size > 0]
    first.sort()
    if len(first) <= count:
        return first
    return [first[k] for k in np.unique(np.linspace(0, len(first) - 1, count).round().astype(int))]


class Protocol(Measurement):
    """job.count settings; job.target_gap is the tolerance of the path they are chosen from, glmnet's thresh."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        largest = self.design.lambda_max(job.alpha)
        lambdas = datasets.grid(largest, self.design.n, self.design.p, PATH_LENGTH, job.min_ratio)
        self.task = replace(self.task, lambdas=lambdas)

    def path_solver(self) -> Solver:
        return Glmnet(self.task) if self.job.solver == "glmnet" else Sven(self.task)

    def setting(self, lambda_: float, b: np.ndarray) -> Setting:
        n, alpha = len(self.task.y), self.job.alpha
        return Setting(
            float(lambda_),
            alpha,
            float(np.abs(b).sum()),
            float(2 * n * lambda_ * alpha),
            float(n * lambda_ * (1 - alpha)),
            int(np.count_nonzero(b)),
        )

    def sven_at(self, settings: list[Setting]) -> np.ndarray:
        task, solver = self.task, Sven(self.task)
        pairs = np.array([[setting.t, setting.l2] for setting in settings])
        return solver.library.solve_path(
            task.X,
            task.y,
            pairs,
            form=Form.BUDGET,
            intercept=False,
            standardize=False,
            tolerance=solver.default_tolerance,
            threads=task.threads,
        ).coefficients

    def compare(self, kept: np.ndarray, settings: list[Setting]) -> dict[str, Any]:
        ours = self.sven_at(settings)
        lambdas = np.array([setting.lambda_ for setting in settings])
        theirs = relative_gaps(self.design, kept, np.zeros(len(kept)), lambdas, self.job.alpha)
        mine = [budget_gap(self.design, b, s.t, s.l2) for b, s in zip(ours, settings)]
        found = {
            "difference": np.abs(ours - kept).max(axis=1).tolist(),
            "largest_coefficient": float(np.abs(kept).max()),
            "gap_reference": theirs.tolist(),
            "gap_sven": mine,
        }
        if kept.shape[1] <= DRAWN:
            found |= {"coefficients_reference": kept.tolist(), "coefficients_sven": ours.tolist()}
        return found

    def run(self) -> None:
        solver = self.path_solver()
        answer = self.call(solver, "settings", self.job.target_gap)
        coefficients = answer.coefficients
        solver.close()
        if coefficients.shape[1] <= DRAWN:  # a figure of the whole path
            kept = [k for k in range(len(coefficients)) if coefficients[k].any()]
            whole = [self.setting(self.task.lambdas[k], coefficients[k]) for k in kept]
            drawn = {"t": [s.t for s in whole], **self.compare(coefficients[kept], whole)}
        else:
            drawn = None
        chosen = choose(coefficients, self.job.count)
        settings = [self.setting(self.task.lambdas[k], coefficients[k]) for k in chosen]
        self.report(
            "row",
            mode="settings",
            settings=[asdict(setting) for setting in settings],
            path=drawn,
            **self.compare(coefficients[chosen], settings),
        )


if __name__ == "__main__":
    main(Protocol)
