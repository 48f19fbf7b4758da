"""Two builds of the shared library on the same data, each in a process of its own, called in turn so that both
see the same machine: python -m harness.pair BEFORE AFTER. A build is the sven_compare.so of its tree."""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from harness import datasets
from harness.library import Library

SLOWER = 1.05  # a set is slower beyond this ratio
NOTICED = 1e-3  # and by more seconds than this


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/pair", description=__doc__)
    parser.add_argument("before", type=Path, help="sven_compare.so of one build")
    parser.add_argument("after", type=Path, help="sven_compare.so of the other")
    parser.add_argument("--data", type=Path, help="a folder of real sets with a load.py")
    parser.add_argument("--sets", default="", help="names, or shapes such as 200x5000; default: all")
    parser.add_argument("--forms", default="standardised", help="standardised, raw, or both with a comma")
    parser.add_argument("--alpha", default="0.5", help="one or more, with commas")
    parser.add_argument("--tolerance", default="1e-10", help="one or more, with commas")
    parser.add_argument("--count", type=int, default=40, help="settings of a path")
    parser.add_argument("--folds", type=int, default=0, help="cross-validation with as many folds instead of a path")
    parser.add_argument("--rounds", type=int, default=9, help="calls of each build that count")
    parser.add_argument("--threads", default="2", help="one or more, with commas")
    parser.add_argument("-o", "--output", type=Path, help="a file for the table")
    return parser.parse_args(arguments)


def call(library: Library, X, y, job: dict) -> float:
    """Seconds of one path, or of one cross-validation."""
    raw = job["form"] == "raw"
    lambdas = np.asarray(job["lambdas"])
    start = time.perf_counter()
    asked = {"standardize": raw, "tolerance": job["tolerance"], "threads": job["threads"]}
    if job["folds"]:
        fold_of_row = np.arange(len(y), dtype=np.int64) * 7919 % job["folds"]
        library.cross_validate(X, y, lambdas, fold_of_row, alpha=job["alpha"], **asked)
    else:
        settings = np.column_stack([lambdas, np.full(len(lambdas), job["alpha"])])
        library.solve_path(X, y, settings, intercept=raw, **asked)
    return time.perf_counter() - start


def serve(path: str) -> None:
    """The process of one build: a line of JSON in, the seconds out."""
    library = Library(path)
    loaded = None
    for line in sys.stdin:
        job = json.loads(line)
        if loaded != job["data"]["folder"]:
            X, y = datasets.read(datasets.Data(**job["data"]))
            loaded = job["data"]["folder"]
        print(call(library, X, y, job), flush=True)


def ask(process: subprocess.Popen, job: dict) -> float:
    process.stdin.write(json.dumps(job) + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise RuntimeError("a build did not answer; its message is above")
    return float(answer)


def largest_lambda(X, y, alpha: float, raw: bool) -> float:
    if raw:
        deviation = X.std(axis=0) if not datasets.scipy.sparse.issparse(X) else 1.0
        centred = y - y.mean()
        products = (X.T @ centred) / deviation
    else:
        products = X.T @ y
    return float(np.abs(products).max() / len(y) / alpha)


def measure(processes: list[subprocess.Popen], job: dict, rounds: int) -> list[list[float]]:
    """Seconds of each build; the first call of each warms up, and who begins changes."""
    seconds: list[list[float]] = [[], []]
    first = [ask(process, job) for process in processes]
    for k in range(rounds if max(first) < 5 else 3):
        for which in (0, 1) if k % 2 == 0 else (1, 0):
            time.sleep(min(0.05, first[which]))
            seconds[which].append(ask(processes[which], job))
    return seconds


def row(name: str, job: dict, seconds: list[list[float]]) -> tuple[str, bool]:
    before, after = (float(np.median(times)) for times in seconds)
    ratio = float(np.median(np.divide(seconds[1], seconds[0])))
    is_slower = ratio > SLOWER and after - before > NOTICED
    text = (
        f"| {name} | {job['form']} | {job['alpha']:g} | {job['tolerance']:g} | {job['threads']} "
        f"| {1e3 * before:.4g} | {1e3 * after:.4g} | {ratio:.3f}{' slower' if is_slower else ''} |"
    )
    return text, is_slower


def main(arguments: list[str]) -> None:
    options = parse(arguments)
    builds = [options.before, options.after]
    for build in builds:
        if not build.exists():
            sys.exit(f"{build} is not there: build the target sven_compare with SVEN_BENCH=ON")
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "harness.pair", "--serve", str(build.resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for build in builds
    ]
    lines = [
        "| set | form | alpha | tolerance | threads | before, ms | after, ms | after / before |",
        "|---|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    slower = 0
    with tempfile.TemporaryDirectory() as place:
        for name in datasets.resolve([s for s in options.sets.split(",") if s], options.data):
            for form in options.forms.split(","):
                data = datasets.prepare(name, form, options.data, Path(place) / f"{name}-{form}".replace("/", "-"))
                X, y = datasets.read(data)
                for alpha in map(float, options.alpha.split(",")):
                    peak = largest_lambda(X, y, alpha, form == "raw")
                    lambdas = datasets.grid(peak, *X.shape, options.count, None)
                    asked = itertools.product(options.tolerance.split(","), options.threads.split(","))
                    for tolerance, threads in asked:
                        job = {
                            "data": vars(data),
                            "form": form,
                            "alpha": alpha,
                            "tolerance": float(tolerance),
                            "lambdas": lambdas.tolist(),
                            "threads": int(threads),
                            "folds": options.folds,
                        }
                        text, is_slower = row(name, job, measure(processes, job, options.rounds))
                        slower += is_slower
                        lines.append(text)
                        print(text, flush=True)
    for process in processes:
        process.stdin.close()
    lines.append(f"\n{slower} of {len(lines) - 2} slower by more than 5 % and 1 ms")
    print(lines[-1])
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    else:
        main(sys.argv[1:])
