"""bench/outcomes: paths of classes and counts by sven and its peers, on the same columns and lambdas.

Columns are standardised before the clock starts (sparse ones divided by their root mean square), with an intercept.
Every peer has two columns: its defaults, and the loosest of its tolerances whose whole path reaches --gap, recomputed
here from X, y and the coefficients. Times are the least of some calls, on one thread unless --threads says otherwise."""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse

from harness import build, datasets
from harness.library import Library, Matrix
from harness.outcome_peers import FAMILIES, PEERS, Sven
from harness.solvers import Refused, Task

SIMULATED = ["100x2000", "5000x100", "1000x3000/sparse", "200x20000"]
TWO_CLASSES = ["arcene", "chowdary", "colon", "dorothea", "hockey", "leukemia", "mitfaces", "singh", "spam", "w8a"]
SMOKE = ["60x20", "40x80", "80x40/sparse"]
LADDER = [10.0**-k for k in range(2, 21)]


def response(name: str, y: np.ndarray, family: str) -> np.ndarray:
    """Classes: those of the set, or the halves of its response. Counts: drawn with the response in the logarithm."""
    standard = (y - y.mean()) / y.std()
    if family == "binomial":
        return (y > np.median(y) if len(np.unique(y)) > 2 else y == y.max()).astype(float)
    return np.random.default_rng(len(name)).poisson(np.exp(np.clip(standard, -3, 3) / 2)).astype(float)


def prepare(X: Matrix) -> Matrix:
    if scipy.sparse.issparse(X):
        sizes = np.sqrt(np.asarray(X.multiply(X).mean(axis=0)).ravel())
        X = scipy.sparse.csc_matrix(X[:, sizes > 0] @ scipy.sparse.diags(1 / sizes[sizes > 0]))
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
        X.sort_indices()
        return X
    deviations = X.std(axis=0)
    return np.asfortranarray(((X - X.mean(axis=0)) / np.where(deviations > 0, deviations, 1))[:, deviations > 1e-12])


def mean_of(family: str, eta: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-eta)) if family == "binomial" else np.exp(eta)


def entropy(x: np.ndarray) -> np.ndarray:
    return x * np.log(np.where(x > 0, x, 1))


def half_deviance(family: str, y: np.ndarray, eta: np.ndarray) -> float:
    if family == "binomial":
        return float(np.sum(np.logaddexp(0, eta) - y * eta + entropy(y) + entropy(1 - y)))
    return float(np.sum(np.exp(eta) - y * eta + entropy(y) - y))


def settle(family: str, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """The intercept moved until the errors sum to zero."""
    for _ in range(50):
        mean = mean_of(family, eta)
        curvature = mean * (1 - mean) if family == "binomial" else mean
        move = np.sum(y - mean) / np.sum(curvature)
        eta = eta + np.clip(move, -2, 2)
        if abs(move) < 1e-15:
            break
    return eta


def gap(family: str, X: Matrix, y: np.ndarray, setting: tuple[float, float], b: np.ndarray, intercept: float) -> float:
    """Relative to the null deviance, at the better of two dual points (maths.md, eq. 69 and 70)."""
    l1, l2 = setting
    n = len(y)
    eta = X @ b + intercept
    primal = half_deviance(family, y, eta) + n * (l1 * np.abs(b).sum() + l2 * (b @ b) / 2)
    errors = y - mean_of(family, settle(family, y, eta))
    products = X.T @ errors
    null = half_deviance(family, y, settle(family, y, np.zeros(n)))

    def dual(share: float, is_ridge_data: bool) -> float:
        q = y - share * errors
        conjugate = entropy(q) + entropy(1 - q) if family == "binomial" else entropy(q) - q
        saturated = entropy(y) + entropy(1 - y) if family == "binomial" else entropy(y) - y
        value = -np.sum(conjugate - saturated)
        if is_ridge_data:
            return float(value - share**2 * n * l2 * (b @ b) / 2)
        excess = np.maximum(np.abs(share * products) - n * l1, 0)
        if l2 == 0:
            return float(value) if excess.max(initial=0) <= 1e-13 * n * l1 else -np.inf
        return float(value - (excess @ excess) / (2 * n * l2))

    steepest = np.abs(products - n * l2 * b).max(initial=0)
    share = min(1.0, n * l1 / steepest) if steepest > 0 else 1.0
    return max(primal - max(dual(1, False), dual(share, True), dual(share, False)), 0.0) / null


class Measured(multiprocessing.Process):
    """One solver on one problem, in a process of its own: sends (seconds, largest gap) of each call."""

    def __init__(self, name: str, family: str, folder: Path, ask: argparse.Namespace, tolerance: float | None) -> None:
        super().__init__()
        self.of, self.family, self.folder, self.ask, self.tolerance = name, family, folder, ask, tolerance
        self.answer, self.sender = multiprocessing.Pipe(duplex=False)

    def run(self) -> None:
        os.setsid()  # a group of its own, with the R that a peer may start
        warnings.simplefilter("ignore")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            X, y, lambdas = read(self.folder)
            task = Task(X, y, lambdas, self.ask.alpha, False, self.ask.threads, str(self.folder))
            kind = type("Asked", ({"sven": Sven, **PEERS}[self.of],), {"family": self.family})
            if self.of == "sven":
                kind.library = Library(build.build_library())
            solver = kind(task)
            for call in range(self.ask.repeats + 1):  # the first warms up
                found = solver.solve(self.tolerance)
                worst = 0.0
                if call == 0:
                    for k, strength in enumerate(lambdas):
                        setting = (strength * task.alpha, strength * (1 - task.alpha))
                        worst = max(worst, gap(self.family, X, y, setting, found.coefficients[k], found.intercepts[k]))
                self.sender.send((found.seconds, worst))
        except Refused as reason:
            self.sender.send(str(reason))
        except Exception as error:  # what a peer throws is its row
            self.sender.send(f"{type(error).__name__}: {error}".splitlines()[0][:80])

    def result(self, limit: float) -> tuple[float, float] | str:
        """The least seconds and the gap, or why there are none."""
        self.start()
        self.sender.close()
        seconds, worst = [], 0.0
        try:
            for call in range(self.ask.repeats + 1):
                if not self.answer.poll(limit):
                    return (min(seconds), worst) if seconds else f"> {limit:g} s"
                found = self.answer.recv()
                if isinstance(found, str):
                    return found
                if call == 0:
                    worst = found[1]
                if call > 0 or found[0] > limit / 4:
                    seconds.append(found[0])
        except EOFError:
            return "ended without an answer"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self.kill()
            self.join()
        return min(seconds), worst


def read(folder: Path) -> tuple[Matrix, np.ndarray, np.ndarray]:
    y, lambdas = np.load(folder / "y.npy"), np.load(folder / "lambdas.npy")
    if (folder / "X.npy").exists():
        return np.asfortranarray(np.load(folder / "X.npy")), y, lambdas
    values, indices, offsets = (np.load(folder / f"{part}.npy") for part in ("values", "indices", "offsets"))
    return scipy.sparse.csc_matrix((values, indices, offsets), shape=(len(y), len(offsets) - 1)), y, lambdas


def write(folder: Path, X: Matrix, y: np.ndarray, ask: argparse.Namespace) -> None:
    largest = np.abs(X.T @ (y - y.mean())).max() / (len(y) * max(ask.alpha, 1e-3))
    ratio = 0.01 if X.shape[1] > X.shape[0] else 1e-3
    np.save(folder / "lambdas.npy", largest * np.geomspace(0.99, ratio, ask.count))
    np.save(folder / "y.npy", y)
    if scipy.sparse.issparse(X):
        for part, values in (("values", X.data), ("indices", X.indices), ("offsets", X.indptr)):
            np.save(folder / f"{part}.npy", values)
    else:
        np.save(folder / "X.npy", X)


def matched(name: str, family: str, folder: Path, ask: argparse.Namespace) -> tuple[float, float] | str:
    """At the loosest tolerance that reaches the gap, by bisection: a call beyond the limit was asked for too much."""
    ladder = [ask.gap] if name == "sven" else LADDER
    reached: tuple[float, float] | str | None = None
    short = "not reached"
    low, high = 0, len(ladder) - 1
    while low <= high:
        middle = (low + high) // 2
        found = Measured(name, family, folder, ask, ladder[middle]).result(ask.limit)
        if isinstance(found, str):
            if not found.startswith(">"):
                return found
            short = found
        elif found[1] > ask.gap:
            if not short.startswith(">"):
                short = f"gap {found[1]:.0e} at best"
            low = middle + 1
            continue
        else:
            reached = found
        high = middle - 1
    return reached or short


def cell(found: tuple[float, float] | str) -> str:
    return found if isinstance(found, str) else f"{found[0]:.3f} s ({found[1]:.0e})"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/outcomes", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of real sets, with a load.py")
    parser.add_argument("--sets", default="", help="names, by commas (default: the simulated ones, and the real ones)")
    parser.add_argument("--families", default="binomial,poisson")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--alpha", type=float, default=1.0)
    parser.add_argument("--count", type=int, default=40, help="lambdas of a path")
    parser.add_argument("--gap", type=float, default=1e-8)
    parser.add_argument("--limit", type=float, default=60, help="seconds of a call")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="tiny sets; exit code 1 where sven misses its gap")
    parser.add_argument("-o", "--output", type=Path, default=build.ROOT / "build/outcomes")
    ask = parser.parse_args()
    if ask.smoke:
        ask.sets, ask.count, ask.peers = ask.sets or ",".join(SMOKE), 8, "glmnet"
    return ask


def main() -> None:
    ask = arguments()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = str(ask.threads)
    sets = ask.sets.split(",") if ask.sets else SIMULATED + (TWO_CLASSES if ask.data else [])
    names = ["sven", *ask.peers.split(",")]
    ask.output.mkdir(parents=True, exist_ok=True)
    build.build_library()
    table, missed = [], False
    lines = [f"| set | {' | '.join(f'{name}, default | {name}, {ask.gap:g}' for name in names)} |"]
    lines.append("|---|" + "---|" * (2 * len(names)))
    for family in (family for family in ask.families.split(",") if family in FAMILIES):
        for one in sets:
            X, y = datasets.load(one, ask.data)
            X, y = prepare(X), response(one, y, family)
            with tempfile.TemporaryDirectory(prefix="sven-outcomes-") as folder:
                write(Path(folder), X, y, ask)
                row = []
                for name in names:
                    usual = Measured(name, family, Path(folder), ask, None).result(ask.limit)
                    row += [usual, matched(name, family, Path(folder), ask)]
                    print(f"{one} {family} {name}: {cell(row[-2])}, {cell(row[-1])}", file=sys.stderr, flush=True)
            missed |= isinstance(row[0], str) or row[0][1] > 1e-9
            table.append({"set": one, "family": family, "rows": y.size, "cols": X.shape[1], "found": row})
            lines.append(f"| {one}, {family} | {' | '.join(map(cell, row))} |")
            (ask.output / "results.json").write_text(json.dumps({"solvers": names, "table": table}, indent=1))
            (ask.output / "results.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    sys.exit(1 if ask.smoke and missed else 0)


if __name__ == "__main__":
    main()
