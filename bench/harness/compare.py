"""bench/compare: every peer on the same data, side by side.

Each peer is measured twice: with its own defaults, and at the loosest tolerance that reaches --gap. The gap of every
solution, sven's included, is recomputed from X, y and the coefficients. Writes results.json, results.md and plots.
With --curve, each is measured over a sweep of tolerances instead, and curve.md and a plot say who is fastest at which gap."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from harness import datasets
from harness.build import build_library
from harness.launch import ROOT
from harness.options import add_comparison, make_parser, words
from harness.progress import Progress
from harness.run import Outcome, environment, measure
from harness.solvers import BUDGET, SMOKE_PEERS, SOLVERS, is_installed
from harness.worker import Job

PROMISED_GAP = 1e-10
RACE_MARGIN, RACE_START = 2.5, 0.5  # times the seconds of the fastest, and seconds
PACKAGES = ["numpy", "scipy", "scikit-learn", "celer", "skglm", "adelie", "glum", "scikit-learn-intelex"]


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = make_parser("compare", __doc__)
    peers = [name for name in SOLVERS if not name.startswith("sven")]
    add_comparison(parser, peers, limit=60)
    parser.add_argument(
        "--raw",
        action="store_true",
        help="raw data, with intercept and standardisation inside the clock, instead of data standardised before",
    )
    parser.add_argument("--forms", type=words, metavar="A,B", help="standardised,raw for both in one run")
    parser.add_argument(
        "--single",
        type=float,
        metavar="SHARE",
        help="a single fit at this share of the largest lambda instead of a path",
    )
    parser.add_argument(
        "--curve",
        action="store_true",
        help="time against gap: sven at each gap from 1e-1 to 1e-10, every peer over a sweep of its tolerances",
    )
    parser.add_argument(
        "--processor",
        action="store_true",
        help="processor time, of all threads, instead of the clock: for a machine that is busy",
    )
    parser.add_argument(
        "--installed",
        action="store_true",
        help="with the peers that this interpreter and machine have, for one without a network",
    )
    parser.add_argument(
        "--race",
        action="store_true",
        help="stop a peer that takes far longer than the fastest before it, where only the fastest matters",
    )
    parser.add_argument("--resume", action="store_true", help="keep the rows of results.json that are there already")
    parser.add_argument("--report", action="store_true", help="only write table and plots again, from results.json")
    parser.add_argument("--smoke", action="store_true", help="tiny sets and two peers; exit code 1 if a gap is off")
    options = parser.parse_args(argv)
    if options.smoke:
        options.sets, options.forms = options.sets or datasets.SMOKE, datasets.FORMS
        options.alpha, options.settings, options.repeats = [0.7], 10, 1
        options.threads = min(options.threads, 2)
    if options.installed:
        peers = [name for name in peers if is_installed(name)]
    options.peers = options.peers or (SMOKE_PEERS if options.smoke else peers)
    options.forms = options.forms or (["raw"] if options.raw else ["standardised"])
    if options.single:
        options.settings, options.min_ratio = 1, options.single
    unknown = [name for name in options.peers if name not in SOLVERS and ":" not in name]
    if unknown:
        parser.error(f"no peer is called {unknown[0]}")
    if set(options.forms) - set(datasets.FORMS):
        parser.error(f"forms are {' and '.join(datasets.FORMS)}")
    return options


def machine(threads: int) -> dict[str, Any]:
    def version(package: str) -> str | None:
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return None

    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        cpu = next(
            (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
        )
    versions = {package: found for package in PACKAGES if (found := version(package))}
    if shutil.which("Rscript"):
        code = 'cat(as.character(packageVersion("glmnet")))'
        versions["glmnet"] = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=False).stdout
    # A copy of the tree, on a machine that is lent, may be no repository: who copies it may say what it is.
    commit = os.environ.get("SVEN_COMMIT", "")
    if not commit and shutil.which("git"):
        command = ["git", "describe", "--always", "--dirty"]
        commit = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "threads": threads,
        "python": platform.python_version(),
        "versions": versions,
        "commit": commit,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


class Comparison:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.file = options.output / "results.json"
        self.names = datasets.resolve(options.sets, options.data)
        self.library = build_library()
        self.variables = environment(options.threads, self.library)
        self.results: dict[str, Any] = {
            "format": "sven-compare/1",
            "command": " ".join(["bench/compare", *sys.argv[1:]]),
            "settings": options.settings,
            "single": options.single,
            "target_gap": options.gap,
            "limit": options.limit,
            "clock": "processor" if options.processor else "wall",
            "peers": options.peers,
            "machine": machine(options.threads),
            "ceilings": {},
            "sets": [],
            "rows": [],
            "points": [],
        }
        if options.resume and self.file.exists():
            kept = json.loads(self.file.read_text())
            self.results |= {key: kept[key] for key in ("sets", "rows", "points", "ceilings")}
            self.results["peers"] = list(dict.fromkeys([*kept["peers"], *options.peers]))
        self.solvers = [
            "sven",
            *([BUDGET] if options.single else []),
            *options.peers,
            *([] if options.smoke or options.curve else ["sven"]),
        ]
        total = len(self.names) * len(options.forms) * len(options.alpha) * len(self.solvers)
        self.progress = Progress(total, options.quiet)

    def run(self) -> dict[str, Any]:
        self.options.output.mkdir(parents=True, exist_ok=True)
        (self.options.output / "logs").mkdir(exist_ok=True)
        if not self.results["ceilings"]:
            self.results["ceilings"] = self._ask_library("ceilings")
        try:
            for name in self.names:
                for form in self.options.forms:
                    self._measure_set(name, form)
        finally:
            self.progress.close()
            self.save()
        return self.results

    def save(self) -> None:
        """Whole or not at all: an interrupted run can be resumed."""
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(self.results, indent=1))
        part.replace(self.file)

    def _ask_library(self, question: str, *more: str) -> Any:
        """Ceilings, in a process with the threads of the others and by their clock."""
        result = subprocess.run(
            [sys.executable, "-m", "harness.ceilings", question, str(self.options.threads), self.results["clock"], *more],
            env=self.variables,
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(result.stdout)

    def _key(self, name: str, form: str, alpha: float, solver: str) -> dict[str, Any]:
        return {"set": name, "form": form, "alpha": alpha, "solver": solver}

    def _is_done(self, key: dict[str, Any]) -> bool:
        return any(all(row[field] == value for field, value in key.items()) for row in self.results["rows"])

    def _measure_set(self, name: str, form: str) -> None:
        todo = [(alpha, solver) for alpha in self.options.alpha for solver in self.solvers]
        done = [item for item in todo if self._is_done(self._key(name, form, *item))]
        for _ in done:
            self.progress.skip()
        if len(done) == len(todo):
            return
        with tempfile.TemporaryDirectory(prefix="sven-bench-") as place:
            data = datasets.prepare(name, form, self.options.data, Path(place))
            if not any(row["name"] == name and row["form"] == form for row in self.results["sets"]):
                facts = {key: value for key, value in asdict(data).items() if key != "folder"}
                self.results["sets"].append({**facts, "bytes": data.bytes, **self._ask_library("pass", place)})
            for item in todo:
                if item not in done:
                    self._measure(data, *item)

    def _measure(self, data: datasets.Data, alpha: float, solver: str) -> None:
        is_ours = solver.startswith("sven")
        options = self.options
        job = Job(
            solver,
            asdict(data),
            alpha,
            options.settings,
            options.min_ratio,
            options.threads,
            options.repeats,
            options.gap,
            ["curve"] if options.curve else (["default"] if is_ours else ["default", "matched"]),
            clock=self.results["clock"],
        )
        self.progress.begin(f"{data.name} {data.form} alpha {alpha:g} {solver}")
        log = (
            options.output
            / "logs"
            / f"{data.name}-{data.form}-{alpha:g}-{solver}.log".replace("/", "-").replace(" ", "-")
        )
        key = self._key(data.name, data.form, alpha, solver)
        outcome = measure(job, self._limits(key, job.modes), log, self.variables, self.progress.show)
        self._keep(key, outcome)
        self.progress.end("; ".join(describe(row) for row in outcome.rows))
        self.save()

    def _limits(self, key: dict[str, Any], modes: list[str]) -> dict[str, float]:
        """Of a call, by mode. In a race nobody is followed far beyond the fastest peer; the clock of a busy machine may
        run twice as fast as that of the processor."""
        limits = dict.fromkeys(modes, self.options.limit)
        if self.options.race and not key["solver"].startswith("sven"):
            for row in self.results["rows"]:
                if (
                    row["status"] == "ok"
                    and row["mode"] in limits
                    and not row["solver"].startswith("sven")
                    and all(row[field] == key[field] for field in ("set", "form", "alpha"))
                ):
                    limits[row["mode"]] = min(limits[row["mode"]], RACE_MARGIN * row["seconds"] + RACE_START)
        return limits

    def _keep(self, key: dict[str, Any], outcome: Outcome) -> None:
        """sven is measured before and after its peers: its two rows become one."""
        for row in outcome.rows:
            twin = next(
                (
                    other
                    for other in self.results["rows"]
                    if row["status"] == other["status"] == "ok"
                    and all(other[field] == value for field, value in {**key, "mode": row["mode"]}.items())
                ),
                None,
            )
            if twin is None:
                self.results["rows"].append({**key, **row})
            else:
                twin["times"] += row["times"]
                twin["seconds"] = statistics.median(twin["times"])
                twin["gap"] = max(twin["gap"], row["gap"])
        self.results["points"] += [{**key, **point} for point in outcome.points]


def describe(row: dict[str, Any]) -> str:
    if row["status"] == "failed":
        return f"{row['mode']}: {row['reason']}"
    sign = ">= " if row["status"] == "limit" else ""
    gap = f" (gap {row['gap']:.0e})" if "gap" in row else ""
    return f"{row['mode']} {sign}{row['seconds']:.4g} s{gap}"


def verdict(results: dict[str, Any], promised: float = PROMISED_GAP) -> list[str]:
    """What is wrong with a run in which nothing may go wrong: gaps that are off, solvers that fail."""
    complaints = []
    for row in results["rows"]:
        where = f"{row['set']} {row['form']} alpha {row['alpha']:g} {row['solver']} {row['mode']}"
        if row["status"] == "failed" and "sparse X" in row["reason"]:
            continue  # a peer that does not take sparse data
        if row["status"] != "ok":
            complaints.append(f"{where}: {row['reason']}")
            continue
        bound = promised if row["solver"].startswith("sven") else results["target_gap"]
        if (row["mode"] == "matched" or row["solver"].startswith("sven")) and not row["gap"] <= bound:
            complaints.append(f"{where}: gap {row['gap']:.1e}, promised {bound:.0e}")
        if row.get("claimed_gap", 0) > bound:
            complaints.append(f"{where}: claims a gap of {row['claimed_gap']:.1e} itself")
        if row["mode"] == "default" and not row["gap"] <= 0.1:
            complaints.append(f"{where}: gap {row['gap']:.1e}: another problem was solved")
    return complaints


def main() -> int:
    options = arguments()
    if options.report:
        results = json.loads((options.output / "results.json").read_text())
    else:
        try:
            comparison = Comparison(options)
        except (ValueError, FileNotFoundError) as error:
            sys.exit(f"bench/compare: {error}")
        results = comparison.run()
    from harness import report

    if options.curve:
        from harness import curve

        curve.write(results, options.output, plots=not options.smoke)
        print((options.output / "curve.md").read_text())
        return 0
    report.write(results, options.output, plots=not options.smoke)
    print((options.output / "results.md").read_text())
    if options.smoke:
        complaints = verdict(results)
        print("\n".join(complaints) or "every gap is as promised")
        return 1 if complaints else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
