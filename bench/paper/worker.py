"""The process in which one rival is measured at single settings, one after the other, each from a cold start:
python -m paper.worker JOB. Reports as harness.worker does, a row a setting."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from threadpoolctl import ThreadpoolController

from harness.solvers import Refused, Solver, find
from harness.worker import Job, Measurement, main
from paper.judge import Setting, budget_gap, penalty_gap, visiting_order
from paper.rivals import SingleTask

# In the folder of the set: {"limit": seconds, "parts": [{"alpha": 0.5, "settings": [...]}, ...]}.
SETTINGS_FILE = "settings.json"
PAUSE = 0.002  # seconds before a call, in which the parent reads the report of the one before
REPEATED = 0.04  # seconds: what the repetitions of a short call may take together
MOST_CALLS = 9


def repetitions(seconds: float, is_first: bool) -> int:
    """Of short calls, whose median counts; longer ones count as they are, but for the first, which met cold memory."""
    return max(min(MOST_CALLS, int(REPEATED / max(seconds, 1e-6))), 1 if is_first else 0)


def first_rung(rungs: dict[int, int], k: int) -> int:
    """Of the settings seen so far the nearest on either side are the neighbours."""
    sides = [max((j for j in rungs if j < k), default=None), min((j for j in rungs if j > k), default=None)]
    return max(0, min((rungs[j] for j in sides if j is not None), default=0) - 1)


class SingleMeasurement(Measurement):
    def __init__(self, job: Job) -> None:
        super().__init__(job)
        plan = json.loads((Path(job.data["folder"]) / SETTINGS_FILE).read_text())
        self.limit = plan["limit"]
        self.parts = [(part["alpha"], [Setting(**entry) for entry in part["settings"]]) for part in plan["parts"]]
        self.spent = 0.0  # seconds of calls, without repetitions
        self.is_first = True
        # Answers are judged on one thread: others of NumPy's BLAS would spin on for a while, during the next call.
        self.blas = ThreadpoolController()

    def warm_up(self, solver: type[Solver]) -> None:
        """On a handful of numbers, so that neither compilers nor the start of a device run inside the clock."""
        random = np.random.default_rng(1)
        X = np.asfortranarray(random.standard_normal((20, 6)))
        task = self.task
        X = scipy.sparse.csc_matrix(X) if task.is_sparse else X
        lambdas = np.array([0.1])
        try:
            for alpha in (0.5, 1.0):
                small = SingleTask(X, random.standard_normal(20), lambdas, alpha, False, task.threads, None, t=0.5)
                solver(small).solve(solver.default_tolerance)
        except Exception:  # the real problem will say what is wrong
            pass

    def task_at(self, setting: Setting) -> SingleTask:
        task = self.task
        lambdas = np.array([setting.lambda_])
        return SingleTask(task.X, task.y, lambdas, setting.alpha, False, task.threads, task.folder, t=setting.t)

    def gap(self, solver: Solver, b: np.ndarray, setting: Setting) -> float:
        with self.blas.limit(limits=1, user_api="blas"):
            if getattr(solver, "is_budget", False):
                return budget_gap(self.design, b, setting.t, setting.l2)
            return penalty_gap(self.design, b, setting)

    def reach(self, solver: Solver, setting: Setting, rung: int) -> tuple[int, dict[str, Any]]:
        """The first rung from `rung` on that reaches the gap asked for, and the call there."""
        last = math.floor(2 * math.log10(solver.default_tolerance / solver.tightest) + 1e-9)
        while True:
            tolerance = self.tolerance(solver, rung)
            time.sleep(PAUSE)
            answer = self.call(solver, "single", tolerance)
            self.spent += answer.seconds
            gap = self.gap(solver, answer.coefficients[0], setting)
            if gap <= self.job.target_gap or rung >= last:
                return rung, {"seconds": answer.seconds, "gap": gap, "tolerance": tolerance}
            decades = min(math.log10(gap / self.job.target_gap), last)
            rung = min(last, rung + max(1, int(decades)))

    def measure(self, solver: Solver, row: dict[str, Any]) -> dict[str, Any]:
        """Repeats the call that was judged, where it is short."""
        calls = repetitions(row["seconds"], self.is_first and row["seconds"] < self.limit / 4)
        self.is_first = False
        times = [row["seconds"]]
        if calls:
            self.announce(solver, "single", row["tolerance"], calls)
            time.sleep(PAUSE)
            times = [solver.solve(row["tolerance"]).seconds for _ in range(calls)]
            self.report("called", seconds=sum(times))
        return {**row, "seconds": float(np.median(times)), **getattr(solver, "parts", {})}

    def visit(self, solver_type: type[Solver], solver: Solver | None, alpha: float, settings: list[Setting]) -> Solver:
        """A setting begins half a power of ten looser than the looser of its neighbours ended: nobody is kept at a
        tolerance that another setting needed."""
        self.spent = 0.0
        rungs: dict[int, int] = {}
        for k in (k for each in visiting_order(len(settings)) for k in each):
            if rungs and self.spent > self.limit:
                raise Refused(f"{len(rungs)} of {len(settings)} settings within {self.limit:g} s")
            task = self.task_at(settings[k])
            solver = solver_type(task) if solver is None else solver.at(task)
            rungs[k], row = self.reach(solver, settings[k], first_rung(rungs, k))
            row = self.measure(solver, row)
            is_reached = row["gap"] <= self.job.target_gap
            self.report("row", mode="single", part="setting", alpha=alpha, k=k, is_reached=is_reached, **row)
        return solver

    def run(self) -> None:
        solver_type = find(self.job.solver)
        self.warm_up(solver_type)
        solver = None
        for alpha, settings in self.parts:
            self.report("row", mode="single", part="begun", alpha=alpha)
            why = None
            try:
                solver = self.visit(solver_type, solver, alpha, settings)
            except Refused as refusal:
                why = str(refusal)
            self.report("row", mode="single", part="ended", alpha=alpha, why=why)
        if solver is not None:
            solver.close()


if __name__ == "__main__":
    main(SingleMeasurement)
