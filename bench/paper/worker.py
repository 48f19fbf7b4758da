"""The process in which one rival is measured at single settings, one after the other, each from a cold start:
python -m paper.worker JOB. Reports as harness.worker does, a row a setting."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from harness.solvers import Solver, find
from harness.worker import JUDGING_PAUSE, Job, Measurement, main, repetitions
from paper.judge import Setting, budget_gap, penalty_gap, visiting_order
from paper.rivals import SingleTask

SETTINGS_FILE = "settings.json"  # in the folder of the set: {"limit": seconds, "settings": [...]}


class SingleMeasurement(Measurement):
    def __init__(self, job: Job) -> None:
        super().__init__(job)
        plan = json.loads((Path(job.data["folder"]) / SETTINGS_FILE).read_text())
        self.limit = plan["limit"]
        self.settings = [Setting(**entry) for entry in plan["settings"]]

    def task_at(self, setting: Setting) -> SingleTask:
        task = self.task
        lambdas = np.array([setting.lambda_])
        return SingleTask(task.X, task.y, lambdas, setting.alpha, False, task.threads, task.folder, setting.t)

    def gap(self, solver: Solver, b: np.ndarray, setting: Setting) -> float:
        if getattr(solver, "is_budget", False):
            return budget_gap(self.design, b, setting.t, setting.l2)
        return penalty_gap(self.design, b, setting)

    def reach(self, solver: Solver, setting: Setting, rung: int) -> tuple[int, dict[str, Any]]:
        """The first rung from `rung` on that reaches the gap asked for, and the call there."""
        last = math.floor(2 * math.log10(solver.default_tolerance / solver.tightest) + 1e-9)
        while True:
            tolerance = self.tolerance(solver, rung)
            answer = self.call(solver, "single", tolerance)
            gap = self.gap(solver, answer.coefficients[0], setting)
            if gap <= self.job.target_gap or rung >= last:
                return rung, {"seconds": answer.seconds, "gap": gap, "tolerance": tolerance}
            decades = min(math.log10(gap / self.job.target_gap), last)
            rung = min(last, rung + max(1, int(decades)))

    def measure(self, solver: Solver, row: dict[str, Any]) -> dict[str, Any]:
        """Repeats the call that was judged."""
        calls = repetitions(row["seconds"], self.job.repeats)
        self.announce(solver, "single", row["tolerance"], calls)
        time.sleep(min(JUDGING_PAUSE, 10 * row["seconds"]))
        times = [solver.solve(row["tolerance"]).seconds for _ in range(calls)] or [row["seconds"]]
        self.report("called", seconds=sum(times))
        return {**row, "seconds": float(np.median(times)), **getattr(solver, "parts", {})}

    def run(self) -> None:
        """In a round a setting begins half a power of ten looser than the one before it ended: nobody is kept at a
        tolerance that only one setting needed."""
        solver_type = find(self.job.solver)
        self.warm_up(solver_type)
        start = time.monotonic()
        solver, done = None, 0
        for each in visiting_order(len(self.settings)):
            rung = 0
            for k in each:
                if done and time.monotonic() - start > self.limit:
                    self.report("failed", reason=f"{done} of {len(self.settings)} settings within {self.limit:g} s")
                    return
                task = self.task_at(self.settings[k])
                solver = solver_type(task) if solver is None else solver.at(task)
                rung, row = self.reach(solver, self.settings[k], max(0, rung - 1))
                row = self.measure(solver, row)
                self.report("row", mode="single", k=k, is_reached=row["gap"] <= self.job.target_gap, **row)
                done += 1
        if solver is not None:
            solver.close()


if __name__ == "__main__":
    main(SingleMeasurement)
