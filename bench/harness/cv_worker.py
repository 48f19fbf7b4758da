"""The process in which one cross-validation is measured: python -m harness.cv_worker JOB. Reports as
harness.worker does.

A tolerance has no gap here: at equal accuracy means the tolerance whose path on all rows reaches the gap asked for."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness.glmnet import Glmnet
from harness.peers import PLENTY, Pipeline, ScikitLearn
from harness.solvers import Solver, Sven
from harness.worker import JUDGING_PAUSE, Job, Measurement, main, repetitions


@dataclass
class Curve:
    """Mean error along the lambdas, weighted by the sizes of the folds, and the index of its least value."""

    seconds: float
    mean: np.ndarray
    standard_error: np.ndarray | None
    selection: tuple[int, int] | None  # least error, one standard error


def fold_of_row(n: int, folds: int) -> np.ndarray:
    return np.random.default_rng([n, folds]).permutation(n) % folds


class SvenCv(Sven):
    def curve(self, tolerance: float | None, folds: np.ndarray) -> Curve:
        task = self.task
        start = time.perf_counter()
        found = self.library.cross_validate(
            task.X,
            task.y,
            task.lambdas,
            folds,
            alpha=task.alpha,
            standardize=task.raw,
            tolerance=tolerance or self.default_tolerance,
            threads=task.threads,
        )
        seconds = time.perf_counter() - start
        return Curve(seconds, found.mean, found.standard_error, tuple(found.selection.tolist()))


class SvenPath(Sven):
    """One path on all rows, for what the folds cost on top of it."""

    def curve(self, tolerance: float | None, folds: np.ndarray) -> Curve:
        answer = self.solve(tolerance)
        return Curve(answer.seconds, np.full(len(self.task.lambdas), np.nan), None, None)


class GlmnetCv(Glmnet):
    """Serial: without a parallel back end, which R leaves to the user, the folds run one after the other. Each
    fold's ridge term is divided by the sd(y) of its own training rows, so that for alpha < 1 its problem is
    slightly another."""

    def curve(self, tolerance: float | None, folds: np.ndarray) -> Curve:
        file = Path(self.scratch.name) / "folds.npy"
        if not file.exists():
            np.save(file, (folds + 1).astype(np.int32))
        seconds, count, *_ = self.ask(tolerance, intercept=True, folds=file)
        numbers = np.fromfile(self.answer_file)
        mean, error, selection = np.split(numbers, [int(count), 2 * int(count)])
        if int(count) != len(self.task.lambdas):
            raise RuntimeError(f"returned {int(count)} of {len(self.task.lambdas)} settings")
        return Curve(seconds, mean, error, (int(selection[0]) - 1, int(selection[1]) - 1))


class ElasticNetCv(ScikitLearn):
    """Raw data is scaled once on all rows before, since it does not scale the folds by itself."""

    def curve(self, tolerance: float | None, folds: np.ndarray) -> Curve:
        from sklearn.linear_model import ElasticNetCV

        task = self.task
        rows = np.arange(len(folds))
        splits = [(rows[folds != k], rows[folds == k]) for k in range(folds.max() + 1)]
        options = {} if tolerance is None else {"tol": tolerance, "max_iter": PLENTY}
        start = time.perf_counter()
        pipeline = Pipeline(task)
        model = ElasticNetCV(l1_ratio=task.alpha, alphas=task.lambdas, cv=splits, n_jobs=task.threads, **options)
        model.fit(pipeline.X, pipeline.y)
        seconds = time.perf_counter() - start
        mean = model.mse_path_ @ (np.bincount(folds) / len(folds))
        return Curve(seconds, mean, None, (int(np.argmin(mean)), -1))


SOLVERS: dict[str, type[Solver]] = {
    "sven": SvenCv,
    "sven, one path": SvenPath,
    "cv.glmnet": GlmnetCv,
    "ElasticNetCV": ElasticNetCv,
}


class CvMeasurement(Measurement):
    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.folds = fold_of_row(len(self.task.y), job.folds)

    def measure(self, solver: Any, mode: str, tolerance: float | None) -> None:
        self.announce(solver, mode, tolerance)
        curve = solver.curve(tolerance, self.folds)
        self.report("called", seconds=curve.seconds)
        calls = repetitions(curve.seconds, self.job.repeats)
        self.announce(solver, mode, tolerance, calls)
        time.sleep(JUDGING_PAUSE)
        times = [solver.curve(tolerance, self.folds).seconds for _ in range(calls)] or [curve.seconds]
        self.report("called", seconds=sum(times))
        error = None if curve.standard_error is None else curve.standard_error.tolist()
        self.report(
            "row",
            mode=mode,
            tolerance=tolerance or solver.default_tolerance,
            seconds=float(np.median(times)),
            times=times,
            mean=curve.mean.tolist(),
            standard_error=error,
            selection=curve.selection,
            lambdas=self.task.lambdas.tolist(),
        )

    def run(self) -> None:
        solver = SOLVERS[self.job.solver](self.task)
        self.warm_up(type(solver))
        if "default" in self.job.modes:
            self.measure(solver, "default", None)
        if "matched" in self.job.modes:
            rung = self.loosest_rung(solver)
            if rung is not None:
                self.measure(solver, "matched", self.tolerance(solver, rung))
        solver.close()


if __name__ == "__main__":
    main(CvMeasurement)
