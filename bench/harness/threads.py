"""bench/threads: whether more threads ever hurt. Paths of 40 settings with 1, 2, 4 ... threads, each in a fresh process
(from the first call on, the library's threads and all) and warm (the same process again), for every BLAS that is
installed. The numbers of threads take turns, so that all see the same machine. Prints a table in Markdown and names
what was slower than with fewer threads by more than 5 % and 1 ms. Sets with more rows than columns are then put beside
what the machine could do: the products of their Gram matrix at the rate of one matrix product on each core at once,
and one read of X at the bandwidth of the memory."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from harness.build import build_library
from harness.launch import ROOT

SHARED = ROOT.parent / "shared/data"  # a folder of data sets beside the repository, where there is one
REAL = ["leukemia", "chowdary", "arcene", "mice_bmi", "mitfaces"]
SIMULATED = ["72x7000", "200x10000", "1000x50000", "463715x90", "40000x900"]
BLAS_FOLDERS = ["openblas-serial", "openblas-openmp", "openblas-pthread"]
SLOWER, NOTICED = 1.05, 1e-3  # a ratio, and seconds
ALPHA = 0.5


def parse(arguments: list[str]) -> argparse.Namespace:
    cores = len(os.sched_getaffinity(0))
    steps = sorted({min(2**k, cores) for k in range(12)})
    parser = argparse.ArgumentParser(prog="bench/threads", description=__doc__)
    parser.add_argument("--sets", default="", help="real sets, or shapes such as 200x5000; default: a few of both")
    parser.add_argument("--data", type=Path, default=SHARED, help="a folder of real sets with a load.py")
    parser.add_argument("--threads", default=",".join(map(str, steps)), help="numbers of threads, with commas")
    parser.add_argument("--rounds", type=int, default=7, help="calls of each that count")
    parser.add_argument("--count", type=int, default=40, help="settings of a path")
    parser.add_argument("--blas", default="all", help="default, all, or folders of libopenblas.so.0, with commas")
    parser.add_argument("-o", "--output", type=Path, help="a file for the tables")
    return parser.parse_args(arguments)


def simulate(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Seeded by its shape; neighbouring columns are correlated, and some carry a signal."""
    n, p = map(int, name.split("x"))
    random = np.random.default_rng([n, p])
    X = np.empty((n, p), order="F")
    for j in range(p):
        X[:, j] = random.standard_normal(n)
        if j > 0:
            X[:, j] = 0.5 * X[:, j - 1] + np.sqrt(0.75) * X[:, j]
    signal = X[:, :: max(1, p // 50)].sum(axis=1)
    return X, signal + random.standard_normal(n) * (signal.std() / 3)


def load(name: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    if name[0].isdigit():
        return simulate(name)
    with np.load(folder / f"{name}.npz", allow_pickle=False) as stored:
        if "X" not in stored:
            raise ValueError(f"{name} is sparse: this needs dense sets")
        values = [stored[key] / (stored[f"{key}_div"] if f"{key}_div" in stored else 1.0) for key in ("X", "y")]
    return np.asfortranarray(values[0], dtype=np.float64), np.asarray(values[1], dtype=np.float64)


def prepare(name: str, options: argparse.Namespace, place: Path) -> dict:
    """Writes a set to disk, and says what is to be solved."""
    X, y = load(name, options.data)
    X = np.asfortranarray(X[:, X.max(axis=0) > X.min(axis=0)])
    folder = place / name
    folder.mkdir()
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)
    peak = np.abs((y - y.mean()) @ X / X.std(axis=0)).max() / len(y) / ALPHA
    ratio = 1e-2 if X.shape[0] < X.shape[1] else 1e-4
    return {"folder": str(folder), "shape": X.shape, "lambdas": (peak * np.geomspace(1, ratio, options.count)).tolist()}


def serve(library: str) -> None:
    """A process: a line of JSON in, the seconds of a path out. Its first answer is that of a fresh process."""
    from harness.library import Library

    loaded, opened = None, None
    for line in sys.stdin:
        job = json.loads(line)
        if loaded != job["folder"]:
            X, y = (np.load(Path(job["folder"]) / file) for file in ("X.npy", "y.npy"))
            loaded = job["folder"]
        settings = np.column_stack([job["lambdas"], np.full(len(job["lambdas"]), ALPHA)])
        opened = opened or Library(library)
        start = time.perf_counter()
        opened.solve_path(X, y, settings, intercept=True, standardize=True, tolerance=1e-10, threads=job["threads"])
        print(time.perf_counter() - start, flush=True)


class Process:
    def __init__(self, library: Path, blas: Path | None) -> None:
        environment = dict(os.environ)
        if blas:
            paths = filter(None, [str(blas), environment.get("LD_LIBRARY_PATH")])
            environment["LD_LIBRARY_PATH"] = os.pathsep.join(paths)
        command = [sys.executable, "-m", "harness.threads", "--serve", str(library)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)

    def __call__(self, job: dict) -> float:
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("a process did not answer; its message is above")
        return float(answer)

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()


def measure(
    library: Path, blas: Path | None, job: dict, threads: list[int], rounds: int
) -> dict[str, list[list[float]]]:
    """Seconds, by round and number of threads: fresh, and right after in the same process."""
    seconds: dict[str, list[list[float]]] = {"fresh": [], "warm": []}
    for k in range(rounds):
        order = threads if k % 2 == 0 else threads[::-1]
        found: dict[int, tuple[float, float]] = {}
        for number in order:
            process = Process(library, blas)
            first = process({**job, "threads": number})
            found[number] = first, float(np.median([process({**job, "threads": number}) for _ in range(3)]))
            process.close()
        for at, kind in enumerate(seconds):
            seconds[kind].append([found[number][at] for number in threads])
        if max(map(max, found.values())) > 5 and k >= 2:
            break
    return seconds


def complaints(name: str, kind: str, seconds: np.ndarray, threads: list[int]) -> list[str]:
    """What is slower than with fewer threads, round by round."""
    found = []
    for more in range(1, len(threads)):
        for fewer in range(more):
            ratio = float(np.median(seconds[:, more] / seconds[:, fewer]))
            lost = float(np.median(seconds[:, more] - seconds[:, fewer]))
            if ratio > SLOWER and lost > NOTICED:
                found.append(
                    f"- {name}, {kind}: {threads[more]} threads take {ratio:.2f} times as long as {threads[fewer]} "
                    f"({1e3 * lost:.1f} ms more)"
                )
    return found


def shares_of_ceilings(
    library: Path, jobs: dict[str, dict], warm: dict[str, np.ndarray], threads: list[int]
) -> list[str]:
    """A table of the tall sets beside products and reads of the same run; empty where there are none."""
    from harness.library import Library

    tall = [name for name, job in jobs.items() if job["shape"][0] > job["shape"][1]]
    if not tall:
        return []
    measured = Library(library)
    lines = [
        "\nBeside the machine: the products of the Gram matrix, n p (p + 1) operations, and one read of X; milliseconds\n",
        "| set | threads | warm | products | read | share of the larger |",
        "|---" * 6 + "|",
    ]
    for number in threads:
        flops, bandwidth = measured.gemm_rate(number), measured.read_bandwidth(number)
        for name in tall:
            n, p = jobs[name]["shape"]
            products, read = 1e3 * n * p * (p + 1) / flops, 1e3 * 8 * n * p / bandwidth
            time_taken = 1e3 * float(warm[name][threads.index(number)])
            lines.append(
                f"| {name} | {number} | {time_taken:.4g} | {products:.4g} | {read:.4g} | "
                f"{100 * max(products, read) / time_taken:.0f} % |"
            )
    return lines


def kinds_of_blas(asked: str) -> list[tuple[str, Path | None]]:
    if asked == "default":
        return [("as installed", None)]
    if asked != "all":
        return [(folder, Path(folder)) for folder in asked.split(",")]
    around = Path("/usr/lib") / f"{platform.machine()}-linux-gnu"
    found = [(name, around / name) for name in BLAS_FOLDERS if (around / name / "libopenblas.so.0").exists()]
    return found or [("as installed", None)]


def names_of(options: argparse.Namespace) -> list[str]:
    if options.sets:
        return options.sets.split(",")
    return [name for name in REAL if (options.data / f"{name}.npz").exists()] + SIMULATED


def main(arguments: list[str]) -> None:
    options = parse(arguments)
    threads = [int(number) for number in options.threads.split(",")]
    library = build_library().resolve()
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    with tempfile.TemporaryDirectory() as place:
        jobs = {name: prepare(name, options, Path(place)) for name in names_of(options)}
        slower: list[str] = []
        warm: dict[str, np.ndarray] = {}
        for title, blas in kinds_of_blas(options.blas):
            say(f"\nBLAS: {title}; milliseconds, medians of {options.rounds} rounds\n")
            say("| set | | " + " | ".join(f"{number} thread{'s' * (number > 1)}" for number in threads) + " |")
            say("|---" * (len(threads) + 2) + "|")
            for name, job in jobs.items():
                for kind, seconds in measure(library, blas, job, threads, options.rounds).items():
                    times = np.array(seconds)
                    warm[name] = np.median(times, axis=0)  # the last kind is warm
                    medians = " | ".join(f"{1e3 * t:.4g}" for t in np.median(times, axis=0))
                    say(f"| {name} | {kind} | {medians} |")
                    slower += complaints(f"{name}, {title}", kind, times, threads)
    say("\nMore threads were never slower by more than 5 % and 1 ms." if not slower else "\nSlower with more threads:\n")
    for line in slower + shares_of_ceilings(library, jobs, warm, threads):
        say(line)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    else:
        main(sys.argv[1:])
