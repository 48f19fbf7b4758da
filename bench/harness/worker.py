"""The process in which one solver is measured on one problem: python -m harness.worker JOB. It reports each step as a
line of JSON on standard output, so that the parent can stop it when a call takes too long and keep what is done."""

from __future__ import annotations

import json
import math
import os
import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness import datasets
from harness.gap import Design, relative_gaps
from harness.solvers import Answer, Refused, Solver, Task, find

# Before the calls that count: the parent has read the report then, and the threads of NumPy's BLAS, which wait actively
# for a while after an answer was judged, sleep. A solver on every core would pay for both, one on a single core not.
JUDGING_PAUSE = 0.3  # seconds
LOOSER_RUNGS = 6  # how far above its default a peer may be loosened
CURVE_GAPS = [1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10]  # sven is asked for each


@dataclass(frozen=True)
class Job:
    solver: str
    data: dict[str, Any]
    alpha: float
    count: int
    min_ratio: float | None
    threads: int
    repeats: int
    target_gap: float
    modes: list[str]  # "default", "matched"; "curve"
    folds: int = 0  # of a cross-validation
    clock: str = "wall"  # or "processor"


def repetitions(seconds: float, repeats: int) -> int:
    """Timed calls after the first, which is the warm-up; of very long ones the first counts."""
    if seconds > 30:
        return 0
    if seconds > 10:
        return min(repeats, 2)
    return max(repeats, 15) if seconds < 0.02 else repeats


class PeakMemory:
    """How much the resident memory of a process rises above where it stood, where the kernel tells."""

    def __init__(self, pid: int | None) -> None:
        self.folder = f"/proc/{pid or os.getpid()}"
        try:
            with open(f"{self.folder}/clear_refs", "w", encoding="ascii") as file:
                file.write("5")
            self.before = self._read("VmRSS")
        except OSError:
            self.before = None

    def _read(self, field: str) -> int:
        with open(f"{self.folder}/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(field)) * 1024

    def rise(self) -> int | None:
        return None if self.before is None else max(0, self._read("VmHWM") - self.before)


class Measurement:
    def __init__(self, job: Job) -> None:
        self.job = job
        self.channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # what the peers print is no report
        data = datasets.Data(**job.data)
        X, y = datasets.read(data)
        self.design = Design(X, y, data.raw)
        lambdas = datasets.grid(self.design.lambda_max(job.alpha), data.n, data.p, job.count, job.min_ratio)
        self.task = Task(X, y, lambdas, job.alpha, data.raw, job.threads, data.folder, job.clock)
        self.tested: dict[int, tuple[float, dict[str, Any]]] = {}  # rung: gap, the first call there

    def report(self, event: str, **fields: Any) -> None:
        print(json.dumps({"event": event, **fields}), file=self.channel, flush=True)

    def warm_up(self, solver: type[Solver]) -> None:
        """On a handful of numbers, so that just-in-time compilers do not run inside the time limit."""
        random = np.random.default_rng(1)
        X = np.asfortranarray(random.standard_normal((20, 6)))
        X -= X.mean(axis=0)
        task = self.task
        if task.is_sparse:
            import scipy.sparse

            X = scipy.sparse.csc_matrix(X)
        small = Task(X, random.standard_normal(20), np.array([0.2, 0.1]), task.alpha, task.raw, task.threads)
        try:
            for tolerance in (None, solver.default_tolerance):
                solver(small).solve(tolerance)
        except Exception:  # the real problem will say what is wrong
            pass

    def announce(self, solver: Solver, mode: str, tolerance: float | None, calls: int = 1) -> None:
        self.report("start", mode=mode, tolerance=tolerance or solver.default_tolerance, calls=calls)

    def call(self, solver: Solver, mode: str, tolerance: float | None) -> Answer:
        self.announce(solver, mode, tolerance)
        answer = solver.solve(tolerance)
        self.report("called", seconds=answer.seconds)
        return answer

    def first_call(self, solver: Solver, mode: str, tolerance: float | None) -> dict[str, Any]:
        """A call whose answer is judged."""
        memory = PeakMemory(solver.pid)
        answer = self.call(solver, mode, tolerance)
        rise = memory.rise()
        found = len(answer.coefficients)
        if found != len(self.task.lambdas):
            raise Refused(f"returned {found} of {len(self.task.lambdas)} settings")
        gaps = relative_gaps(self.design, answer.coefficients, answer.intercepts, self.task.lambdas, self.task.alpha)
        row = {
            "mode": mode,
            "tolerance": tolerance or solver.default_tolerance,
            "seconds": answer.seconds,
            "gap": float(gaps.max()),
            "gaps": gaps.tolist(),
            "memory": rise,
            "nonzero": int(np.count_nonzero(answer.coefficients, axis=1).max()),
        }
        claimed = getattr(solver, "claimed_gaps", None)
        if claimed is not None:
            row["claimed_gap"] = float(claimed.max())
        self.report("point", **{key: row[key] for key in ("mode", "tolerance", "seconds", "gap")})
        return row

    def finish(self, solver: Solver, row: dict[str, Any], tolerance: float | None) -> None:
        """Repeats a call that was judged good, and reports the row."""
        calls = repetitions(row["seconds"], self.job.repeats)
        self.announce(solver, row["mode"], tolerance, calls)
        time.sleep(JUDGING_PAUSE)
        times = [solver.solve(tolerance).seconds for _ in range(calls)]
        self.report("called", seconds=sum(times))
        row["times"] = times or [row["seconds"]]
        row["seconds"] = float(np.median(row["times"]))
        self.report("row", **row)

    def matched(self, solver: Solver) -> None:
        rung = self.loosest_rung(solver)
        if rung is not None:
            self.finish(solver, self.tested[rung][1], self.tolerance(solver, rung))

    def loosest_rung(self, solver: Solver) -> int | None:
        """Of a ladder of tolerances, two rungs a power of ten: the loosest that reaches the gap asked for."""
        target = self.job.target_gap
        last = math.floor(2 * math.log10(solver.default_tolerance / solver.tightest) + 1e-9)
        rung = 0
        while rung <= last and not self.reaches(solver, rung):
            # At best the gap falls with the square of the tolerance: a longer step could pass the rung.
            decades = math.log10(max(self.tested[rung][0], target) / target)
            rung += max(1, int(min(decades, last)))
        if rung > last and not (last not in self.tested and self.reaches(solver, rung := last)):
            self.report("missed", mode="matched", gap=min(gap for gap, _ in self.tested.values()))
            return None
        while rung > -LOOSER_RUNGS and self.reaches(solver, rung - 1):
            rung -= 1
        return rung

    def curve(self, solver: Solver) -> None:
        """Time against gap: sven at each gap, a peer at one tolerance a power of ten, from loose to tight."""
        if self.job.solver.startswith("sven"):
            tolerances = CURVE_GAPS
        else:
            last = math.floor(2 * math.log10(solver.default_tolerance / solver.tightest) + 1e-9)
            tolerances = [self.tolerance(solver, rung) for rung in range(-LOOSER_RUNGS, last + 1, 2)]
        for tolerance in tolerances:
            row = self.first_call(solver, "curve", tolerance)
            calls = repetitions(row["seconds"], self.job.repeats)
            self.announce(solver, "curve", tolerance, calls)
            row["times"] = [solver.solve(tolerance).seconds for _ in range(calls)] or [row["seconds"]]
            row["seconds"] = float(np.median(row["times"]))
            self.report("called", seconds=sum(row["times"]))
            self.report("point", **{key: row[key] for key in ("mode", "tolerance", "seconds", "gap")})
            if row["gap"] <= CURVE_GAPS[-1] and tolerances is not CURVE_GAPS:
                break
        self.report("row", **row)

    @staticmethod
    def tolerance(solver: Solver, rung: int) -> float:
        return float(f"{solver.default_tolerance * 10 ** (-rung / 2):.1e}")

    def reaches(self, solver: Solver, rung: int) -> bool:
        if rung not in self.tested:
            row = self.first_call(solver, "matched", self.tolerance(solver, rung))
            self.tested[rung] = row["gap"], row
        return self.tested[rung][0] <= self.job.target_gap

    def run(self) -> None:
        solver_type = find(self.job.solver)
        self.warm_up(solver_type)
        solver = solver_type(self.task)
        if "curve" in self.job.modes:
            self.curve(solver)
        if "default" in self.job.modes:
            self.finish(solver, self.first_call(solver, "default", None), None)
        if "matched" in self.job.modes:
            self.matched(solver)
        solver.close()


def main(measurement_type: type[Measurement] = Measurement) -> None:
    warnings.simplefilter("ignore")  # a peer that does not converge is judged by its gap
    with open(sys.argv[1], encoding="utf-8") as file:
        measurement = measurement_type(Job(**json.load(file)))
    try:
        measurement.run()
    except Refused as refusal:
        measurement.report("failed", reason=str(refusal))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".strip().splitlines()[0]
        measurement.report("failed", reason=reason[:200])
    measurement.report("end")
    measurement.channel.close()
    os._exit(0)  # a peer's threads do not always let a process end


if __name__ == "__main__":
    main()
