"""Runs what is planned, a process for each rival on each set, and keeps the results as it goes."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from harness import compare, datasets
from harness.build import build_library
from harness.progress import Progress
from harness.run import Watcher, environment, measure
from harness.worker import Job
from paper.figures import CALL_SHARE
from paper.rivals import BY_LABEL
from paper.sets import Chosen, PaperSet
from paper.worker import SETTINGS_FILE

# glmnet's thresh, tightest first: the next one where it does not end within the limit.
THRESHOLDS = [1e-14, 1e-10, 1e-7]
# Over p x p matrices, where n >> p alone: for p >> n the same packages do better without.
OF_THE_KERNEL = ("scikit-learn Gram", "adelie cov")
OUR_SHARE = 5  # times the limit of a rival, for SVEN itself and for the studies
STUDY_SETTINGS = 5  # of the shapes that are simulated for one claim
COLUMNS = ["seconds", "gap", "tolerance", "is_reached", "forming", "training"]


def commits(earlier: dict[str, Any], now: dict[str, Any]) -> str:
    """Those that the results of a resumed run are of, each once."""
    return " and ".join(dict.fromkeys([*earlier["commit"].split(" and "), now["commit"]]))


@dataclass(frozen=True)
class Plan:
    sets: list[Chosen]
    missing: list[str]
    paths: list[str]  # solvers of the harness, on whole paths
    crossover: list[str]  # shapes
    scaled: list[str]  # shapes
    cores: list[int]


@dataclass(frozen=True)
class Step:
    """What one process measures: a record for each alpha."""

    study: str
    set: str
    alphas: tuple[float, ...]
    rival: str
    threads: int

    def key(self, alpha: float) -> dict[str, Any]:
        return {"study": self.study, "set": self.set, "alpha": alpha, "rival": self.rival, "threads": self.threads}

    def without(self, records: list[dict[str, Any]]) -> Step:
        """What is left of it."""

        def is_done(alpha: float) -> bool:
            return any(all(r[field] == value for field, value in self.key(alpha).items()) for r in records)

        return replace(self, alphas=tuple(alpha for alpha in self.alphas if not is_done(alpha)))

    def __str__(self) -> str:
        alphas = " and ".join(f"{alpha:g}" for alpha in self.alphas)
        return f"{self.study} {self.set} alpha {alphas} {self.rival}, {self.threads} threads"


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
            "path_limit": options.path_limit,
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
            self.results["machine"]["commit"] = commits(kept["machine"], self.results["machine"])
        for file in options.settings_of:
            self._take_settings(json.loads(file.read_text()))
        self.start = time.monotonic()
        self.studies = self._studies()
        self.progress = Progress(sum(len(steps) for _, _, steps in self.studies), options.quiet)

    def _take_settings(self, other: dict[str, Any]) -> None:
        """The sets of another run with their settings, and how far SVEN was from who gave them."""
        known = {entry["name"]: entry for entry in self.results["sets"]}
        for entry in other["sets"]:
            if entry["name"] not in known:
                self.results["sets"].append(entry)
            else:
                known[entry["name"]]["protocols"] = entry["protocols"] | known[entry["name"]]["protocols"]

    def _studies(self) -> list[tuple[Chosen, bool, list[Step]]]:
        """For each set whether glmnet gives its settings, and what is to be measured on it."""
        options, threads, plan = self.options, self.options.threads, self.plan
        alphas = tuple(options.alpha)
        studies = []
        for name in plan.scaled:
            steps = [Step("cores", name, (0.5,), "SVEN", cores) for cores in plan.cores]
            studies.append((simulated(name), False, steps))
        for name in plan.crossover:
            steps = [Step("crossover", name, (0.5,), rival, threads) for rival in ("SVEN primal", "SVEN dual")]
            studies.append((simulated(name), False, steps))
        for chosen in sorted(plan.sets, key=lambda one: one.paper.n * one.paper.p):  # what is late is the largest
            steps = [Step("settings", chosen.name, alphas, "SVEN", threads)]
            left_out = OF_THE_KERNEL if chosen.paper.p > chosen.paper.n else ()
            rivals = [rival for rival in options.rivals if rival not in left_out]
            solvers = [solver for solver in plan.paths if solver not in left_out]
            steps += [Step("singles", chosen.name, alphas, rival, threads) for rival in rivals]
            for alpha in options.path_alpha:
                steps += [Step("paths", chosen.name, (alpha,), solver, threads) for solver in solvers]
            studies.append((chosen, True, steps))
        return [(chosen, is_glmnet, self._left(steps)) for chosen, is_glmnet, steps in studies]

    def _left(self, steps: list[Step]) -> list[Step]:
        settled = [
            {**Step("settings", entry["name"], (), "SVEN", self.options.threads).key(float(alpha))}
            for entry in self.results["sets"]
            for alpha in entry["protocols"]
        ]
        done = self.results["records"] + self.results["paths"] + settled
        wanted = (step.without(done) for step in steps if step.study in self.options.studies)
        return [step for step in wanted if step.alphas]

    def run(self) -> dict[str, Any]:
        (self.options.output / "logs").mkdir(parents=True, exist_ok=True)
        try:
            for chosen, is_glmnet, steps in self.studies:
                self._run_set(chosen, is_glmnet, steps)
        finally:
            self.progress.close()
            self._save()
        return self.results

    def _is_late(self) -> bool:
        return time.monotonic() - self.start > 60 * self.options.within

    def _save(self) -> None:
        """Whole or not at all: an interrupted run can be resumed. Sets in the order of the paper."""
        order = {chosen.name: k for k, chosen in enumerate(self.plan.sets)}
        last = len(order)
        self.results["sets"].sort(key=lambda entry: order.get(entry["name"], last + (entry["regime"] == "study")))
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(self.results, indent=1))
        part.replace(self.file)

    def _run_set(self, chosen: Chosen, is_glmnet: bool, steps: list[Step]) -> None:
        if not steps or self._is_late():
            return
        with tempfile.TemporaryDirectory(prefix="sven-paper-") as place:
            self.progress.show(f"reading {chosen.name}")
            data = datasets.store(*chosen.load(), chosen.name, "standardised", Path(place))
            entry = self._entry(chosen, data)
            for step in steps:
                if self._is_late():
                    return
                self.progress.begin(str(step))
                if step.study == "paths":
                    self._measure_path(step, data)
                    continue
                protocols = {alpha: self._protocol(entry, data, alpha, is_glmnet) for alpha in step.alphas}
                if step.study == "settings":
                    self.progress.end("; ".join(describe_protocol(*pair) for pair in protocols.items()))
                    self._save()
                else:
                    self._measure_singles(step, data, protocols)

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
            dict.fromkeys(job.modes, limit),
            self.options.output / "logs" / name,
            self._variables(job.threads),
            self.progress.show,
            worker,
        )
        rows = watcher.run().rows
        return [row for row in rows if "reason" not in row], watcher.failure

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
            rows, _ = self._watch(job, "paper.settings", self.options.settings_limit)
            if rows:
                fields = {key: value for key, value in rows[0].items() if key not in ("status", "mode")}
                entry["protocols"][f"{alpha:g}"] = {"source": source, "tolerance": tolerance, **fields}
                return entry["protocols"][f"{alpha:g}"]
        return None

    def _measure_singles(self, step: Step, data: datasets.Data, protocols: dict[float, dict[str, Any] | None]) -> None:
        """One process for all alphas; one that had to be stopped leaves the rest to another."""
        left = {alpha: protocol["settings"] for alpha, protocol in protocols.items() if protocol}
        limit = self._limit(step.study, step.rival)
        lines = []
        for alpha in protocols.keys() - left.keys():
            lines.append(self._keep(step.key(alpha), [], "no path that gives settings within the limit"))
        while left:
            parts = [{"alpha": alpha, "settings": settings} for alpha, settings in left.items()]
            plan = {"limit": limit, "parts": parts}
            (Path(data.folder) / SETTINGS_FILE).write_text(json.dumps(plan))
            job = self._job(BY_LABEL[step.rival].solver, data, next(iter(left)), 1, threads=step.threads)
            rows, failure = self._watch(job, "paper.worker", CALL_SHARE * limit)
            begun = [row["alpha"] for row in rows if row["part"] == "begun"] or [next(iter(left))]
            for alpha in begun:
                del left[alpha]
                ended = [row["why"] for row in rows if row["part"] == "ended" and row["alpha"] == alpha]
                found = [row for row in rows if row["part"] == "setting" and row["alpha"] == alpha]
                lines.append(self._keep(step.key(alpha), found, ended[0] if ended else failure))
        self.progress.end("; ".join(lines))
        self._save()

    def _limit(self, study: str, rival: str) -> float:
        """SVEN's time is the axis of every panel, and what a study compares is no rival."""
        return self.options.limit * (1 if study == "singles" and rival != "SVEN" else OUR_SHARE)

    def _keep(self, key: dict[str, Any], rows: list[dict[str, Any]], failure: str | None) -> str:
        """Adds a record, and says in a line what is in it."""
        record = {**key, "k": [row["k"] for row in rows], "status": "ok", "is_cut": failure == "limit"}
        for column in COLUMNS:
            if any(column in row for row in rows) or column in COLUMNS[:4]:
                record[column] = [row[column] for row in rows]
        if failure:
            is_late = failure == "limit" or (rows and "settings within" in failure)
            most = CALL_SHARE * self._limit(key["study"], key["rival"])
            reason = f"a call was not done within {most:g} s" if failure == "limit" else failure
            record |= {"status": "limit" if is_late else "failed", "reason": reason}
        self.results["records"].append(record)
        return describe(record)

    def _measure_path(self, step: Step, data: datasets.Data) -> None:
        key, options = step.key(step.alphas[0]), self.options
        modes = ["default"] if key["rival"] == "sven" else ["default", "matched"]
        job = self._job(key["rival"], data, key["alpha"], options.settings, modes=modes)
        name = f"path-{data.name}-{key['alpha']:g}-{key['rival']}.log".replace("/", "-").replace(" ", "-")
        limits = dict.fromkeys(modes, options.path_limit)
        outcome = measure(job, limits, options.output / "logs" / name, self._variables(job.threads), self.progress.show)
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


def describe_protocol(alpha: float, protocol: dict[str, Any] | None) -> str:
    if protocol is None:
        return f"alpha {alpha:g} no settings"
    worst = max(protocol["difference"], default=0)
    return (
        f"alpha {alpha:g} {len(protocol['settings'])} settings by {protocol['source']} at {protocol['tolerance']:g}, "
        f"largest difference {worst:.1e}"
    )


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
