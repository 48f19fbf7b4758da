"""bench/cv: cross-validation of a whole path, sven beside cv.glmnet and scikit-learn's ElasticNetCV on the same folds.

Each peer is measured twice: with its own defaults, and at the tolerance whose path on all rows reaches --gap. Writes
cv.json and cv.md."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness import datasets
from harness.build import build_library
from harness.compare import describe, machine
from harness.options import add_comparison, make_parser
from harness.progress import Progress
from harness.cv_report import curve_difference, find, write
from harness.run import environment, measure
from harness.worker import Job

PEERS = ["cv.glmnet", "ElasticNetCV"]
SMOKE_GAP, SMOKE_CURVE = 1e-12, 1e-5  # errors differ as residuals do, by the root of the gap


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = make_parser("cv", __doc__)
    add_comparison(parser, PEERS, limit=300)
    parser.add_argument("--raw", action="store_true", help="raw data, standardised by the folds' own scales")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument(
        "--smoke", action="store_true", help="tiny sets and ElasticNetCV; exit code 1 if a curve is off"
    )
    options = parser.parse_args(argv)
    if options.smoke:
        options.sets, options.settings, options.repeats, options.folds = ["60x90", "200x12"], 10, 1, 5
        options.alpha, options.gap, options.threads = [1.0], SMOKE_GAP, min(options.threads, 2)
    options.peers = options.peers or (["ElasticNetCV"] if options.smoke else PEERS)
    if set(options.peers) - set(PEERS):
        parser.error(f"peers are {' and '.join(PEERS)}")
    return options


def run(options: argparse.Namespace) -> dict[str, Any]:
    form = "raw" if options.raw else "standardised"
    names = datasets.resolve(options.sets, options.data)
    variables = environment(options.threads, build_library())
    results: dict[str, Any] = {
        "format": "sven-cv/1",
        "command": " ".join(["bench/cv", *sys.argv[1:]]),
        "form": form,
        "folds": options.folds,
        "settings": options.settings,
        "limit": options.limit,
        "target_gap": options.gap,
        "peers": options.peers,
        "machine": machine(options.threads),
        "sets": [],
        "rows": [],
    }
    solvers = ["sven", "sven, one path", *options.peers]
    progress = Progress(len(names) * len(options.alpha) * len(solvers), options.quiet)
    (options.output / "logs").mkdir(parents=True, exist_ok=True)
    for name in names:
        with tempfile.TemporaryDirectory(prefix="sven-bench-") as place:
            data = datasets.prepare(name, form, options.data, Path(place))
            results["sets"].append({"name": name, "n": data.n, "p": data.p, "is_sparse": data.is_sparse})
            for alpha in options.alpha:
                for solver in solvers:
                    job = Job(
                        solver,
                        asdict(data),
                        alpha,
                        options.settings,
                        options.min_ratio,
                        options.threads,
                        options.repeats,
                        options.gap,
                        ["default"] if "sven" in solver else ["default", "matched"],
                        options.folds,
                    )
                    progress.begin(f"{name} alpha {alpha:g} {solver}")
                    log = options.output / "logs" / f"{name}-{alpha:g}-{solver}.log".replace("/", "-").replace(" ", "-")
                    limits = dict.fromkeys(job.modes, options.limit)
                    outcome = measure(job, limits, log, variables, progress.show, "harness.cv_worker")
                    results["rows"] += [{"set": name, "alpha": alpha, "solver": solver, **row} for row in outcome.rows]
                    progress.end("; ".join(describe(row) for row in outcome.rows))
                    (options.output / "cv.json").write_text(json.dumps(results, indent=1))
    progress.close()
    return results


def verdict(results: dict[str, Any]) -> list[str]:
    """What is off in a smoke run: failures, and curves that differ although both are exact."""
    complaints = []
    for row in results["rows"]:
        where = f"{row['set']} alpha {row['alpha']:g} {row['solver']} {row['mode']}"
        if row["status"] != "ok":
            complaints.append(f"{where}: {row['reason']}")
        elif row["solver"] == "ElasticNetCV" and row["mode"] == "matched":
            ours = find(results, row["set"], row["alpha"], "sven")
            if ours and ours["status"] == "ok" and not (difference := curve_difference(row, ours)) <= SMOKE_CURVE:
                complaints.append(f"{where}: its curve differs from sven's by {difference:.1e}")
    return complaints


def main() -> int:
    options = arguments()
    try:
        results = run(options)
    except (ValueError, FileNotFoundError) as error:
        sys.exit(f"bench/cv: {error}")
    write(results, options.output)
    print((options.output / "cv.md").read_text())
    if options.smoke:
        complaints = verdict(results)
        print("\n".join(complaints) or "every curve is as it should be")
        return 1 if complaints else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
