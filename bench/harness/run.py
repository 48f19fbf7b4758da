"""Starts a process for each measurement, watches its clock, and keeps what it reports."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.worker import Job

PREPARATION_LIMIT = 900.0  # reading the data, imports, compilation: outside the clock, but not for ever

THREAD_VARIABLES = [
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
]


def environment(threads: int, library: Path | None = None) -> dict[str, str]:
    """The same number of threads for all."""
    variables = {**os.environ, **{name: str(threads) for name in THREAD_VARIABLES}}
    # Peers are not to phone home, nor to draw.
    variables |= {"MPLBACKEND": "Agg", "PYTHONWARNINGS": "ignore"}
    if library:
        variables["SVEN_COMPARE_LIBRARY"] = str(library)
    return variables


@dataclass
class Outcome:
    """What came of one solver on one problem: a row a mode, and the points of its curve of time against gap."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    points: list[dict[str, Any]] = field(default_factory=list)


class Watcher:
    """Follows the reports of one process."""

    def __init__(
        self,
        job: Job,
        limits: dict[str, float],
        log: Path,
        variables: dict[str, str],
        show: Callable[[str], None],
        worker: str = "harness.worker",
    ) -> None:
        self.job, self.limits, self.log, self.show, self.worker = job, limits, log, show, worker
        self.variables = variables
        self.outcome = Outcome()
        self.mode = job.modes[0]
        self.tolerance: float | None = None
        self.failure: str | None = None
        self.deadline = time.monotonic() + PREPARATION_LIMIT
        self.missed: float | None = None

    def run(self) -> Outcome:
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(asdict(self.job), file)
            file.flush()
            self._follow(file.name)
        for mode in self.job.modes:
            if not any(row["mode"] == mode for row in self.outcome.rows):
                self.outcome.rows.append(self._missing_row(mode))
        return self.outcome

    def _follow(self, job_file: str) -> None:
        with open(self.log, "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", self.worker, job_file],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self.variables,
                start_new_session=True,
            )
        lines: queue.Queue[str | None] = queue.Queue()
        reader = threading.Thread(target=self._read, args=(process.stdout, lines), daemon=True)
        reader.start()
        try:
            while (line := lines.get(timeout=max(0.0, self.deadline - time.monotonic()))) is not None:
                self._take(json.loads(line))
        except queue.Empty:
            self.failure = "limit"
        finally:
            self._stop(process)
            reader.join()
        if self.failure is None and process.returncode != 0:
            self.failure = self._crash(process.returncode)

    @staticmethod
    def _read(stream: Any, lines: queue.Queue[str | None]) -> None:
        for line in stream:
            lines.put(line)
        lines.put(None)

    def _stop(self, process: subprocess.Popen[str]) -> None:
        """With all that it started; one that has reported its end is given a moment to leave."""
        if self.failure != "limit":
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def _crash(self, code: int) -> str:
        if code < 0:
            return f"stopped by {signal.Signals(-code).name}"
        tail = self.log.read_text(errors="replace").strip().splitlines()
        return tail[-1][:200] if tail else f"exit code {code}"

    def _take(self, report: dict[str, Any]) -> None:
        event = report.pop("event")
        if event == "start":
            self.mode, self.tolerance = report["mode"], report["tolerance"]
            # Repetitions may take longer than the first call did; the limit has been met by then.
            calls = report["calls"]
            self.deadline = time.monotonic() + self.limits[self.mode] * (1 if calls == 1 else 3 * calls)
            self.show(f"{self.mode}, tolerance {self.tolerance:.0e}")
        elif event == "called":
            self.deadline = time.monotonic() + PREPARATION_LIMIT
        elif event == "point":
            self.outcome.points.append(report)
        elif event == "row":
            self.outcome.rows.append({"status": "ok", **report})
        elif event == "missed":
            self.missed = report["gap"]
        elif event == "failed":
            self.failure = report["reason"]

    def _missing_row(self, mode: str) -> dict[str, Any]:
        """Why there is no row of this mode. A gap that is not reached within the limit counts at the limit."""
        row: dict[str, Any] = {"mode": mode, "seconds": self.limits[mode], "times": []}
        gaps = [point["gap"] for point in self.outcome.points if point["mode"] == mode]
        if gaps:
            row["gap"] = min(gaps)
        if self.failure not in (None, "limit"):
            return {**row, "status": "failed", "seconds": None, "reason": self.failure}
        if self.failure == "limit":
            return {**row, "status": "limit", "reason": f"not done within {self.limits[mode]:.3g} s"}
        best = f"best gap {self.missed:.0e}" if self.missed is not None else "no answer"
        return {**row, "status": "limit", "reason": f"gap not reached at its tightest tolerance ({best})"}


def measure(
    job: Job,
    limits: dict[str, float],
    log: Path,
    variables: dict[str, str],
    show: Callable[[str], None] = lambda text: None,
    worker: str = "harness.worker",
) -> Outcome:
    """`limits`: seconds for one call, by mode."""
    return Watcher(job, limits, log, variables, show, worker).run()
