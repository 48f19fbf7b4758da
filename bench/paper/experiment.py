"""Runs what is planned, a process for each rival on each set, and keeps the results as it goes."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness import compare, datasets
from harness.build import build_library
from harness.progress import Progress
from harness.run import Watcher, environment, measure
from harness.worker import Job
from paper.rivals import BY_LABEL
from paper.sets import Chosen, PaperSet
from paper.worker import SETTINGS_FILE

PROTOCOL_SHARE = 3  # times the limit of a rival: without settings nothing can be measured on a set
# glmnet's thresh, tightest first: the next one where it does not end within the limit.
THRESHOLDS = [1e-14, 1e-10, 1e-7]
STUDY_SETTINGS = 5  # of the shapes that are simulated for one claim
COLUMNS = ["seconds", "gap", "tolerance", "is_reached", "forming", "training"]


@dataclass(frozen=True)
class Plan:
    sets: list[Chosen]
    missing: list[str]
    paths: list[str]  # solvers of the harness, on whole paths
    crossover: list[str]  # shapes
    scaled: list[str]  # shapes
    cores: list[int]


class Step:
    """One measurement, known by what it measures."""

    def __init__(self, kind: str, name: str, alpha: float, rival: str, threads: int) -> None:
        self.key = {"study": kind, "set": name, "alpha": alpha, "rival": rival, "threads": threads}

    def is_in(self, records: list[dict[str, Any]]) -> bool:
        return any(all(record[field] == value for field, value in self.key.items()) for record in records)

    def __str__(self) -> str:
        key = self.key
        return f"{key['study']} {key['set']} alpha {key['alpha']:g} {key['rival']}, {key['threads']} threads"


class Experiment:
    def __init__(self, options: argparse.Namespace, plan: Plan) -> None:
        self.options, self.plan = options, plan
        self.file = options.output / "results.json"
        self.libraries = {
            "SVEN_COMPARE_LIBRARY": str(build_library()),
            "PAPER_RIVALS_LIBRARY": str(build_library(target="paper_rivals", folder="paper/rivals")),
        }
        self.results: dict[str, Any] = {
            "format": "sven-paper/1",
            "command": options.command,
            "machine": {**compare.machine(options.threads), "gpu": gpu_name()},
            "gap": options.gap,
            "limit": options.limit,
            "settings": options.settings,
            "alphas": options.alpha,
            "missing": plan.missing,
            "sets": [],
            "records": [],
            "paths": [],
        }
        if options.resume and self.file.exists():
            kept = json.loads(self.file.read_text())
            self.results |= {key: kept[key] for key in ("sets", "records", "paths")}
            self.results["alphas"] = sorted({*kept["alphas"], *options.alpha})
        self.studies = self._studies()
        self.progress = Progress(sum(len(steps) for _, _, steps in self.studies), options.quiet)

    def _studies(self) -> list[tuple[Chosen, bool, list[Step]]]:
        """For each set whether glmnet gives its settings, and what is to be measured on it."""
        options, threads = self.options, self.options.threads
        studies = []
        for chosen in self.plan.sets:
            steps = [
                Step("singles", chosen.name, alpha, rival, threads)
                for alpha in options.alpha
                for rival in options.rivals
            ]
            steps += [
                Step("paths", chosen.name, alpha, solver, threads)
                for alpha in options.alpha
                for solver in self.plan.paths
            ]
            studies.append((chosen, True, steps))
        for name in self.plan.crossover:
            steps = [Step("crossover", name, 0.5, rival, threads) for rival in ("SVEN primal", "SVEN dual")]
            studies.append((simulated(name), False, steps))
        for name in self.plan.scaled:
            studies.append(
                (simulated(name), False, [Step("cores", name, 0.5, "SVEN", cores) for cores in self.plan.cores])
            )
        done = self.results["records"] + self.results["paths"]
        return [
            (chosen, is_glmnet, [s for s in steps if s.key["study"] in options.studies and not s.is_in(done)])
            for chosen, is_glmnet, steps in studies
        ]

    def run(self) -> dict[str, Any]:
        (self.options.output / "logs").mkdir(parents=True, exist_ok=True)
        try:
            for chosen, is_glmnet, steps in self.studies:
                self._run_set(chosen, is_glmnet, steps)
        finally:
            self.progress.close()
            self._save()
        return self.results

    def _save(self) -> None:
        """Whole or not at all: an interrupted run can be resumed."""
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(self.results, indent=1))
        part.replace(self.file)

    def _run_set(self, chosen: Chosen, is_glmnet: bool, steps: list[Step]) -> None:
        if not steps:
            return
        with tempfile.TemporaryDirectory(prefix="sven-paper-") as place:
            data = datasets.store(*chosen.load(), chosen.name, "standardised", Path(place))
            entry = self._entry(chosen, data)
            protocols = {}
            for step in steps:
                self.progress.begin(str(step))
                alpha = step.key["alpha"]
                if step.key["study"] == "paths":
                    self._measure_path(step, data)
                    continue
                if alpha not in protocols:
                    protocols[alpha] = self._protocol(entry, data, alpha, is_glmnet)
                if protocols[alpha]:
                    self._measure_singles(step, data, protocols[alpha])
                else:
                    self._keep(step, [], "no path that gives settings within the limit")

    def _entry(self, chosen: Chosen, data: datasets.Data) -> dict[str, Any]:
        for entry in self.results["sets"]:
            if entry["name"] == chosen.name:
                return entry
        facts = {"name": data.name, "n": data.n, "p": data.p, "nonzeros": data.nonzeros, "is_sparse": data.is_sparse}
        paper = chosen.paper
        entry = {**facts, "regime": paper.regime, "paper": paper.name, "origin": chosen.origin, "protocols": {}}
        self.results["sets"].append(entry)
        return entry

    def _job(self, solver: str, data: datasets.Data, alpha: float, count: int, **more: Any) -> Job:
        fields = {"min_ratio": None, "threads": self.options.threads, "repeats": self.options.repeats}
        fields |= {"target_gap": self.options.gap, "modes": ["single"], **more}
        return Job(solver, asdict(data), alpha, count, **fields)

    def _watch(self, job: Job, worker: str, limit: float) -> tuple[list[dict[str, Any]], str | None]:
        """The rows of a process, and why it did not end well."""
        name = f"{job.data['name']}-{job.alpha:g}-{job.solver}-{job.threads}.log".replace("/", "-").replace(" ", "-")
        watcher = Watcher(
            job,
            limit,
            self.options.output / "logs" / name,
            self._variables(job.threads),
            self.progress.show,
            worker,
        )
        rows = watcher.run().rows
        return [row for row in rows if row["status"] == "ok"], watcher.failure

    def _variables(self, threads: int) -> dict[str, str]:
        return environment(threads) | self.libraries

    def _protocol(
        self, entry: dict[str, Any], data: datasets.Data, alpha: float, is_glmnet: bool
    ) -> dict[str, Any] | None:
        """Settings, and how far SVEN is from who gave them."""
        if f"{alpha:g}" in entry["protocols"]:
            return entry["protocols"][f"{alpha:g}"]
        tries = [("glmnet", thresh) for thresh in THRESHOLDS if is_glmnet and shutil.which("Rscript")]
        for source, tolerance in [*tries, ("sven", 1e-10)]:
            count = self.options.settings if is_glmnet else STUDY_SETTINGS
            self.progress.show(f"settings of {entry['name']} by {source} at {tolerance:g}")
            job = self._job(source, data, alpha, count, target_gap=tolerance, modes=["settings"])
            rows, _ = self._watch(job, "paper.settings", PROTOCOL_SHARE * self.options.limit)
            if rows:
                fields = {key: value for key, value in rows[0].items() if key not in ("status", "mode")}
                entry["protocols"][f"{alpha:g}"] = {"source": source, "tolerance": tolerance, **fields}
                return entry["protocols"][f"{alpha:g}"]
        return None

    def _measure_singles(self, step: Step, data: datasets.Data, protocol: dict[str, Any]) -> None:
        key = step.key
        plan = {"limit": self.options.limit, "settings": protocol["settings"]}
        (Path(data.folder) / SETTINGS_FILE).write_text(json.dumps(plan))
        job = self._job(BY_LABEL[key["rival"]].solver, data, key["alpha"], 1, threads=key["threads"])
        self._keep(step, *self._watch(job, "paper.worker", self.options.limit))

    def _keep(self, step: Step, rows: list[dict[str, Any]], failure: str | None) -> None:
        record = {**step.key, "k": [row["k"] for row in rows], "status": "ok", "is_cut": failure == "limit"}
        for column in COLUMNS:
            if any(column in row for row in rows) or column in COLUMNS[:4]:
                record[column] = [row[column] for row in rows]
        if failure:
            is_late = failure == "limit" or (rows and "settings within" in failure)
            reason = f"not done within {self.options.limit:g} s" if failure == "limit" else failure
            record |= {"status": "limit" if is_late else "failed", "reason": reason}
        self.results["records"].append(record)
        self.progress.end(describe(record))
        self._save()

    def _measure_path(self, step: Step, data: datasets.Data) -> None:
        key, options = step.key, self.options
        modes = ["default"] if key["rival"] == "sven" else ["default", "matched"]
        job = self._job(key["rival"], data, key["alpha"], options.settings, modes=modes)
        name = f"path-{data.name}-{key['alpha']:g}-{key['rival']}.log".replace("/", "-").replace(" ", "-")
        outcome = measure(
            job, options.limit, options.output / "logs" / name, self._variables(job.threads), self.progress.show
        )
        for row in outcome.rows:
            kept = {
                field: row[field]
                for field in ("mode", "status", "seconds", "gap", "tolerance", "reason")
                if field in row
            }
            self.results["paths"].append({**key, "settings": options.settings, **kept})
        self.progress.end("; ".join(compare.describe(row) for row in outcome.rows))
        self._save()


def simulated(name: str) -> Chosen:
    n, p = map(int, name.split("x"))
    return Chosen(PaperSet("a simulated set", "study", n, p, (), name), name, None)


def describe(record: dict[str, Any]) -> str:
    if not record["seconds"]:
        return record["reason"]
    low, high = min(record["seconds"]), max(record["seconds"])
    more = f"; {record['reason']}" if "reason" in record else ""
    return f"{len(record['k'])} settings, {low:.3g} to {high:.3g} s, gap {max(record['gap']):.0e}{more}"


def gpu_name() -> str | None:
    if not shutil.which("nvidia-smi"):
        return None
    command = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or None
