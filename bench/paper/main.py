"""bench/paper/run: the evaluation of the SVEN paper, run again on the data at hand.

Figure 1: glmnet's and SVEN's solutions. Figures 2 and 3: the time of each rival against SVEN's at single settings
(t, l2), cold, for p >> n and n >> p, and whole paths beside them. Then the paper's claims one by one. Writes
index.html, one page that needs nothing else, and results.json."""

from __future__ import annotations

import argparse
import json
import math
import shlex
import signal
import sys
from pathlib import Path

from harness.launch import ROOT
from harness.options import make_parser, words
from paper import page, sets
from paper.experiment import Experiment, Plan
from paper.rivals import BY_LABEL, RIVALS, why_missing

# What light_python has, and what the system may have.
SMOKE_RIVALS = [rival.label for rival in RIVALS if rival.label not in ("SVEN GPU", "celer", "skglm", "adelie")]
PATHS = ["sven", "glmnet", "scikit-learn", "scikit-learn Gram", "celer", "skglm", "adelie", "adelie cov"]
STUDIES = ["settings", "singles", "paths", "crossover", "cores"]
PATH_REPEATS = 2  # timed calls of a whole path after the first; below 20 ms there are more
CROSSOVER_ENTRIES = 2_000_000  # n p of the shapes on which primal and dual are compared
CROSSOVER_RATIOS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]  # p / n
SCALED = ["187x20000", "463715x90"]  # sets on which the cores are counted
# A rival may be missing on a machine; that is not a fault of the run.
ALLOWED = ("Rscript is not installed", "has no LIBLINEAR")


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = make_parser("paper/run", __doc__)
    parser.set_defaults(output=ROOT / "build/paper", repeats=PATH_REPEATS)  # of single settings see paper/worker.py
    parser.add_argument(
        "--data",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="with public files of the paper's sets (.mat, svmlight, CSV), or real sets and a load.py; repeatable",
    )
    parser.add_argument(
        "--sets", type=words, default=[], metavar="A,B", help="names of sets, or shapes like 200x5000; all"
    )
    parser.add_argument("--rivals", type=words, metavar="A,B", help="of: " + ", ".join(BY_LABEL))
    parser.add_argument(
        "--alpha",
        type=lambda text: [float(word) for word in words(text)],
        metavar="A,B",
        help="shares of the l1 penalty: 1 is the Lasso (0.5,1)",
    )
    parser.add_argument(
        "--path-alpha",
        type=lambda text: [float(word) for word in words(text)],
        metavar="A,B",
        help="those of --alpha at which whole paths are measured too (all)",
    )
    parser.add_argument("--settings", type=int, default=40, help="with distinct numbers of selected features (40)")
    parser.add_argument("--gap", type=float, default=1e-6, help="that a rival has to reach; SVEN's own is 1e-10 (1e-6)")
    parser.add_argument("--limit", type=float, default=20, help="seconds of calls for a rival on a set and alpha (20)")
    parser.add_argument("--path-limit", type=float, default=60, help="seconds for one call of a whole path (60)")
    parser.add_argument(
        "--settings-limit", type=float, default=180, help="seconds for the path of glmnet that gives the settings (180)"
    )
    parser.add_argument(
        "--settings-of",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="results.json of an earlier run, or of another machine, whose settings are measured again",
    )
    parser.add_argument(
        "--within", type=float, default=math.inf, metavar="MINUTES", help="after which nothing new is begun; --resume"
    )
    parser.add_argument("--studies", type=words, metavar="A,B", help="of: " + ", ".join(STUDIES) + "; all")
    parser.add_argument(
        "--beside",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="results.json of another machine, drawn apart",
    )
    parser.add_argument(
        "--export", type=Path, metavar="FOLDER", help="only write the real sets, as a folder for --data elsewhere"
    )
    parser.add_argument("--resume", action="store_true", help="keep what results.json has already")
    parser.add_argument("--report", action="store_true", help="only write the page again, from results.json")
    parser.add_argument("--smoke", action="store_true", help="the two smallest sets; exit code 1 if something is off")
    parser.add_argument("--quiet", action="store_true", help="no progress display")
    options = parser.parse_args(argv)
    options.command = shown_command(sys.argv[1:] if argv is None else argv)
    options.is_chosen = bool(options.rivals)
    options.rivals = options.rivals or (SMOKE_RIVALS if options.smoke else list(BY_LABEL))
    options.alpha = options.alpha or ([0.5] if options.smoke else [0.5, 1.0])
    options.path_alpha = options.path_alpha or options.alpha
    options.studies = options.studies or STUDIES
    if options.smoke:
        options.settings, options.repeats = min(options.settings, 6), 1
        # Tiny sets: the limit only guards against a solver that hangs, also on a busy machine.
        options.threads, options.limit = min(options.threads, 2), 120
    for what, names, known in (("rival", options.rivals, BY_LABEL), ("study", options.studies, STUDIES)):
        unknown = [name for name in names if name not in known]
        if unknown:
            parser.error(f"no {what} is called {unknown[0]}")
    return options


def shown_command(arguments_: list[str]) -> str:
    """As it can be given elsewhere: folders of this machine are called by their last name."""
    names = [Path(word).name if word.startswith(("/", "..")) else word for word in arguments_]
    return " ".join(["bench/paper/run", *(shlex.quote(name) for name in names)])


def shape(ratio: float, entries: int) -> str:
    n = round((entries / ratio) ** 0.5)
    return f"{n}x{round(entries / n)}"


def plan(options: argparse.Namespace) -> Plan:
    chosen, missing = sets.resolve(sets.SMOKE if options.smoke else sets.PAPER, options.sets, options.data)
    entries, ratios = (20_000, [1 / 8, 1 / 2, 2]) if options.smoke else (CROSSOVER_ENTRIES, CROSSOVER_RATIOS)
    for label in dict.fromkeys([*options.rivals, *PATHS]):
        if why := why_missing(label):
            missing.append(f"{label}: {why}")
    if not options.is_chosen:  # who is asked for by name is tried
        options.rivals = [label for label in options.rivals if not why_missing(label)]
    paths = [label for label in (PATHS[:3] if options.smoke else PATHS) if not why_missing(label)]
    cores = [count for count in (1, 2, 4, 8, 16, 32, 64) if count < options.threads] + [options.threads]
    return Plan(
        chosen,
        missing,
        paths=paths,
        crossover=[shape(ratio, entries) for ratio in ratios],
        scaled=["60x2000"] if options.smoke else SCALED,
        cores=cores,
    )


def complaints(results: dict) -> list[str]:
    """What is wrong with a run in which nothing may go wrong."""
    found = []
    for record in results["records"]:
        where = f"{record['set']} alpha {record['alpha']:g} {record['rival']}"
        bound = 1e-10 if BY_LABEL[record["rival"]].is_ours else results["gap"]
        if record["status"] == "failed":
            if not any(words in record["reason"] for words in ALLOWED):
                found.append(f"{where}: {record['reason']}")
        elif not max(record["gap"], default=0) <= bound:
            found.append(f"{where}: gap {max(record['gap']):.1e}, promised {bound:.0e}")
    for entry in results["sets"]:
        for protocol in entry["protocols"].values():
            if not max(protocol["gap_sven"]) <= 1e-10:
                found.append(f"{entry['name']}: gap {max(protocol['gap_sven']):.1e} of SVEN at glmnet's budgets")
    return found


def main() -> int:
    options = arguments()
    # A run that is told to end stops the rival that it measures, and keeps what it has.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("bench/paper/run: stopped; --resume goes on"))
    file = options.output / "results.json"
    try:
        if options.export:
            written = sets.export(plan(options).sets, options.export)
            size = sum(path.stat().st_size for path in written) / 1e6
            print(f"{len(written)} files in {options.export}, {size:.0f} MB")
            return 0
        results = json.loads(file.read_text()) if options.report else Experiment(options, plan(options)).run()
        others = [json.loads(path.read_text()) for path in options.beside]
    except (ValueError, OSError) as error:
        sys.exit(f"bench/paper/run: {error}")
    target = options.output / "index.html"
    target.write_text(page.render(results, others), encoding="utf-8")
    shown = target.relative_to(ROOT) if target.is_relative_to(ROOT) else target
    print(f"{shown} and {file.name} beside it")
    if options.smoke:
        wrong = complaints(results)
        print("\n".join(wrong) or "every gap is as promised")
        return 1 if wrong else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
