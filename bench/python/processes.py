"""What a call from Python costs beside the library's own time, and four processes at once beside one after the other.

    python bench/python/processes.py [--rounds 15] [--threads 1,2] [--library build/release/bench/sven_compare.so]

The first table: `ElasticNet(...).fit(X, y)`, its checks, conversion and thread counted, and the same fit by the
C interface through ctypes, call by call in turn; medians. The second: as many jobs as `--jobs`, each the paths of a
set, by joblib's processes all at once and by the same processes one after the other. Run it on the cores that are to
be shared: `taskset -c 0,1 python bench/python/processes.py`.
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

import joblib
import numpy as np
import svenet

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from harness.library import Library  # noqa: E402

CALLS = [("100 x 10000", 100, 10000), ("50 x 1000", 50, 1000), ("1000 x 100", 1000, 100)]
JOBS = [("72 x 7129", 72, 7129), ("200 x 10000", 200, 10000), ("5000 x 300", 5000, 300)]


def data(rows, cols, seed=1):
    rng = np.random.default_rng(seed)
    X = np.asfortranarray(rng.standard_normal((rows, cols)) + rng.standard_normal((rows, 1)))
    y = X[:, :20] @ rng.standard_normal(20) + 3 * rng.standard_normal(rows)
    return X, y


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def overhead(library, rows, cols, threads, rounds):
    """Medians of the library's time, of Python's, and of their difference."""
    X, y = data(rows, cols)
    alpha = 0.3 * np.abs((X - X.mean(0)).T @ (y - y.mean())).max() / rows
    model = svenet.ElasticNet(alpha=alpha, l1_ratio=0.5, n_jobs=threads)
    setting = np.array([[alpha, 0.5]])

    def own():
        library.solve_path(X, y, setting, intercept=True, standardize=False, tolerance=1e-10, threads=threads)

    def ours():
        model.fit(X, y)

    pairs = []
    for i in range(rounds + 2):
        first, second = (seconds(call) for call in ((own, ours) if i % 2 else (ours, own)))
        if i >= 2:
            pairs.append((first, second) if i % 2 else (second, first))
    return [statistics.median(column) for column in (*zip(*pairs), [b - a for a, b in pairs])]


def job(rows, cols, seed, paths):
    X, y = data(rows, cols, seed)
    for _ in range(paths):
        svenet.enet_path(X, y, l1_ratio=0.5, n_alphas=40)
    return os.getpid()


def at_once(rows, cols, jobs, rounds):
    """Medians of the seconds of all jobs side by side, and one after the other."""
    X, y = data(rows, cols)
    paths = max(1, int(0.3 / seconds(lambda: svenet.enet_path(X, y, l1_ratio=0.5, n_alphas=40))))
    tasks = [joblib.delayed(job)(rows, cols, seed, paths) for seed in range(jobs)]
    both = [[], []]
    with joblib.Parallel(n_jobs=jobs) as many, joblib.Parallel(n_jobs=1) as one:
        many(tasks), one(tasks)
        for _ in range(rounds):
            both[0].append(seconds(lambda: many(tasks)))
            both[1].append(seconds(lambda: one(tasks)))
    return [statistics.median(column) for column in both]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=lambda text: [int(word) for word in text.split(",")], default=[1, 2])
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--library", default=ROOT / "build/release/bench/sven_compare.so")
    options = parser.parse_args()
    library = Library(options.library)
    print("| fit | threads | library, ms | Python, ms | Python adds, ms |\n|---|---|---|---|---|")
    for name, rows, cols in CALLS:
        for threads in options.threads:
            own, ours, more = overhead(library, rows, cols, threads, options.rounds)
            print(f"| {name} | {threads} | {own * 1e3:.2f} | {ours * 1e3:.2f} | {more * 1e3:.2f} |", flush=True)
    cores = len(os.sched_getaffinity(0))
    print(f"\n| {options.jobs} jobs on {cores} cores | at once, s | one after the other, s | ratio |\n|---|---|---|---|")
    for name, rows, cols in JOBS:
        many, one = at_once(rows, cols, options.jobs, max(3, options.rounds // 4))
        print(f"| {name} | {many:.2f} | {one:.2f} | {many / one:.2f} |", flush=True)


if __name__ == "__main__":
    main()
