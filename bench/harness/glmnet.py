"""R's glmnet in a process of its own, which holds the data; time, by the clock and of the processor, is taken inside R
around the call."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse

from harness.solvers import Answer, Refused, Solver, Task

SCRIPT = Path(__file__).with_name("glmnet.R")


def translate(lambdas: np.ndarray, alpha: float, spread: float) -> tuple[np.ndarray, float]:
    """glmnet's lambda and alpha for our l1 = lambda alpha, l2 = lambda (1 - alpha): it divides its ridge term by
    the spread of y, which is sd(y) with an intercept and the root mean square without."""
    l1, l2 = lambdas * alpha, lambdas * (1 - alpha) * spread
    return l1 + l2, float(l1[0] / (l1[0] + l2[0]))


class Glmnet(Solver):
    """The iteration limit is raised in both modes: beyond it glmnet does not return the rest of the path."""

    default_tolerance = 1e-7
    tightest = 1e-20
    family = "gaussian"

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        if task.folder is None:
            raise Refused("needs its data on disk")
        if shutil.which("Rscript") is None:
            raise Refused("Rscript is not installed (Debian: r-cran-glmnet)")
        self.scratch = tempfile.TemporaryDirectory(prefix="sven-glmnet-")
        self.lambdas_file, self.answer_file = (Path(self.scratch.name) / name for name in ("lambda.npy", "beta.bin"))
        self.at(task)
        self.process = subprocess.Popen(
            ["Rscript", SCRIPT, task.folder, self.family], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.pid = self.process.pid
        self._answer("ready")

    def at(self, task: Task) -> Glmnet:
        self.task = task
        spread = float(task.y.std() if task.raw else np.sqrt(np.mean(task.y**2)))
        lambdas, self.alpha = translate(task.lambdas, task.alpha, spread)
        np.save(self.lambdas_file, lambdas)
        return self

    def _answer(self, expected: str) -> list[str]:
        line = self.process.stdout.readline()
        words = line.split()
        if not words or words[0] != expected:
            raise RuntimeError(line.strip() or "R stopped (its message is in the log)")
        return words[1:]

    def solve(self, tolerance: float | None) -> Answer:
        seconds, count, stored, processor = self.ask(tolerance, intercept=self.task.raw)
        return Answer(processor if self.task.clock == "processor" else seconds, *self._read(int(count), int(stored)))

    def ask(self, tolerance: float | None, intercept: bool, folds: Path | None = None) -> list[float]:
        """Seconds, the sizes of what is in the answer's file, and processor seconds."""
        request = [
            repr(self.alpha),
            int(intercept),
            int(self.task.raw),
            tolerance or 0,
            self.lambdas_file,
            self.answer_file,
            *([folds] if folds else []),
        ]
        self.process.stdin.write(" ".join(map(str, request)) + "\n")
        self.process.stdin.flush()
        return [float(word) for word in self._answer("solved")]

    def _read(self, count: int, stored: int) -> tuple[np.ndarray, np.ndarray]:
        numbers = np.fromfile(self.answer_file)
        offsets, rows, values, intercepts = np.split(numbers, np.cumsum([count + 1, stored, stored]))
        p = self.task.X.shape[1]
        beta = scipy.sparse.csc_matrix((values, rows.astype(np.int64), offsets.astype(np.int64)), shape=(p, count))
        return beta.toarray().T, intercepts

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.scratch.cleanup()
