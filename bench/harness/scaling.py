"""bench/scaling: how the time of sven's path grows with rows, columns, support and the number of settings.

One quantity is doubled at a time, all else kept: columns are added that carry no signal, rows of the same
distribution, settings between those that are there, and the path is followed further down for more support. Writes
scaling.md, scaling.json and a log-log plot."""

from __future__ import annotations

import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from harness import datasets
from harness.build import build_library
from harness.compare import machine
from harness.library import Library
from harness.options import make_parser, words
from harness.report import machine_line, number, table
from harness.worker import JUDGING_PAUSE

ALPHA = 0.5
SIGNALS = 50


@dataclass
class Point:
    x: int
    seconds: float
    support: int  # at the end of the path
    gap: float


@dataclass
class Curve:
    what: str  # the quantity that grows
    title: str
    most: float | None = None  # promised: the largest ratio of the time at twice the quantity
    promised_from: int | None = None  # from this point to the next; from every one where not given
    points: list[Point] = field(default_factory=list)

    def ratios(self) -> list[float]:
        return [after.seconds / before.seconds for before, after in zip(self.points, self.points[1:])]

    def worst(self) -> float:
        pairs = zip(self.points, self.ratios())
        return max(ratio for before, ratio in pairs if self.promised_from in (None, before.x))

    def slope(self) -> float:
        """The exponent between the first point and the last."""
        first, last = self.points[0], self.points[-1]
        return math.log(last.seconds / first.seconds) / math.log(last.x / first.x)


@dataclass(frozen=True)
class Shape:
    """A problem that holds the smaller ones: the response depends on the first columns only."""

    X: np.ndarray
    y: np.ndarray


def shape(n: int, p: int) -> Shape:
    X, _ = datasets.simulate(f"{n}x{p}")
    random = np.random.default_rng([n, p, 1])
    signal = X[:, :SIGNALS] @ random.standard_normal(SIGNALS)
    return Shape(X, signal + random.standard_normal(n) * (signal.std() / 3))


class Scaling:
    def __init__(self, library: Library, threads: int, repeats: int, share: float) -> None:
        self.library, self.threads, self.repeats, self.share = library, threads, repeats, share

    def size(self, full: int) -> int:
        return max(2, int(full * self.share))

    def measure(self, x: int, X: np.ndarray, y: np.ndarray, count: int = 40, ratio: float | None = None) -> Point:
        n, p = X.shape
        largest = np.abs((X - X.mean(axis=0)).T @ (y - y.mean()) / X.std(axis=0)).max() / (n * ALPHA)
        lambdas = datasets.grid(largest, n, p, count, ratio)
        settings = np.column_stack([lambdas, np.full(count, ALPHA)])

        def solve() -> Any:
            return self.library.solve_path(
                X, y, settings, intercept=True, standardize=True, tolerance=1e-10, threads=self.threads
            )

        solution = solve()
        time.sleep(JUDGING_PAUSE)
        seconds = []
        while len(seconds) < self.repeats or (sum(seconds) < 0.3 and len(seconds) < 5 * self.repeats):
            start = time.perf_counter()
            solve()
            seconds.append(time.perf_counter() - start)
        support = int(np.count_nonzero(solution.coefficients[-1]))
        return Point(x, statistics.median(seconds), support, float(solution.gaps.max()))

    def columns(self) -> Iterator[Curve | Point]:
        yield Curve("features", f"{self.size(200)} rows, columns without signal added", most=2.2)
        whole = shape(self.size(200), self.size(80000))
        for p in (self.size(80000) // 2**k for k in (4, 3, 2, 1, 0)):
            yield self.measure(p, whole.X[:, :p], whole.y)

    def rows(self) -> Iterator[Curve | Point]:
        yield Curve("rows", f"{self.size(100)} columns, rows added")
        whole = shape(self.size(800000), max(SIGNALS, self.size(100)))
        for n in (self.size(800000) // 2**k for k in (4, 3, 2, 1, 0)):
            yield self.measure(n, np.asfortranarray(whole.X[:n]), whole.y[:n])

    def width(self) -> Iterator[Curve | Point]:
        yield Curve("columns of a tall set", f"{self.size(50000)} rows, columns added")
        whole = shape(self.size(50000), max(SIGNALS, self.size(800)))
        for p in (whole.X.shape[1] // 2**k for k in (3, 2, 1, 0)):
            yield self.measure(p, whole.X[:, :p], whole.y)

    def settings_wide(self) -> Iterator[Curve | Point]:
        yield Curve("settings, p >> n", f"{self.size(187)} x {self.size(20000)}, settings between", 2.1, 40)
        whole = shape(self.size(187), self.size(20000))
        for count in (20, 40, 80, 160):
            yield self.measure(count, whole.X, whole.y, count)

    def settings_tall(self) -> Iterator[Curve | Point]:
        yield Curve("settings, n >> p", f"{self.size(50000)} x {self.size(200)}, settings between", 2.1, 40)
        whole = shape(self.size(50000), max(SIGNALS, self.size(200)))
        for count in (20, 40, 80, 160):
            yield self.measure(count, whole.X, whole.y, count)

    def support(self) -> Iterator[Curve | Point]:
        yield Curve("support", f"{self.size(2000)} x {self.size(8000)}, 40 settings, the last one further down")
        whole = shape(self.size(2000), self.size(8000))
        for ratio in (0.3, 0.15, 0.08, 0.04, 0.02, 0.01):
            point = self.measure(0, whole.X, whole.y, ratio=ratio)
            point.x = max(1, point.support)
            yield point


CURVES: dict[str, Callable[[Scaling], Iterator[Curve | Point]]] = {
    "columns": Scaling.columns,
    "rows": Scaling.rows,
    "width": Scaling.width,
    "settings-wide": Scaling.settings_wide,
    "settings-tall": Scaling.settings_tall,
    "support": Scaling.support,
}


def run(scaling: Scaling, names: list[str]) -> list[Curve]:
    curves: list[Curve] = []
    for name in names:
        for item in CURVES[name](scaling):
            if isinstance(item, Curve):
                curves.append(item)
                continue
            curves[-1].points.append(item)
            print(
                f"{curves[-1].what}: {item.x}  {number(item.seconds)} s  support {item.support}  gap {item.gap:.0e}",
                file=sys.stderr,
                flush=True,
            )
    return curves


def report(curves: list[Curve], command: str, facts: dict[str, Any]) -> str:
    lines = [
        "# How sven's time grows",
        "",
        f"    {command}",
        "",
        f"{machine_line(facts)} Simulated data, alpha {ALPHA:g}, raw, with intercept and standardisation; 40 settings "
        "unless they are what grows. Medians.",
        "",
    ]
    for curve in curves:
        body = []
        for point, ratio in zip(curve.points, [None, *curve.ratios()]):
            change = "" if ratio is None else f"{ratio:.2f}"
            body.append([str(point.x), number(point.seconds), change, str(point.support), f"{point.gap:.0e}"])
        head = ["seconds", "times the line above", "support at the end", "largest gap"]
        lines += [f"## {curve.what[0].upper()}{curve.what[1:]}", "", f"{curve.title}. Exponent {curve.slope():.2f}."]
        if curve.most is not None:
            verdict = "reached" if curve.worst() <= curve.most else "**missed**"
            start = curve.promised_from
            where = "twice as many" if start is None else f"{2 * start} instead of {start}"
            lines[-1] += f" Target: at most {curve.most:g} times for {where}; here {curve.worst():.2f}: {verdict}."
        lines += ["", *table([curve.what.split(",")[0], *head], body)]
    return "\n".join(lines)


def plot(curves: list[Curve], file: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    columns = min(3, len(curves))
    lines = math.ceil(len(curves) / columns)
    figure, grid = plt.subplots(lines, columns, figsize=(4.2 * columns, 3.4 * lines), squeeze=False)
    for axes, curve in zip(grid.flat, curves):
        x, seconds = [point.x for point in curve.points], [point.seconds for point in curve.points]
        axes.loglog(x, seconds, "o-", color="black", label=f"measured, exponent {curve.slope():.2f}")
        axes.loglog(x, [seconds[0] * at / x[0] for at in x], ":", color="grey", label="exponent 1")
        axes.set_title(curve.title, fontsize=9)
        axes.set_xlabel(curve.what)
        axes.set_ylabel("seconds")
        axes.set_xticks(x, [str(at) for at in x], fontsize=7)
        axes.minorticks_off()
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(fontsize=7)
    for axes in grid.flat[len(curves) :]:
        axes.axis("off")
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    plt.close(figure)


def main() -> int:
    parser = make_parser("scaling", __doc__)
    parser.add_argument("--curves", type=words, default=list(CURVES), metavar="A,B", help="of: " + ", ".join(CURVES))
    parser.add_argument("--smoke", action="store_true", help="small shapes, no plot; exit code 1 if a gap is off")
    options = parser.parse_args()
    unknown = [name for name in options.curves if name not in CURVES]
    if unknown:
        parser.error(f"no curve is called {unknown[0]}")
    scaling = Scaling(Library(build_library()), options.threads, options.repeats, 0.05 if options.smoke else 1)
    curves = run(scaling, options.curves)
    facts = machine(options.threads)
    options.output.mkdir(parents=True, exist_ok=True)
    kept = {"machine": facts, "curves": [{**vars(c), "points": [vars(p) for p in c.points]} for c in curves]}
    (options.output / "scaling.json").write_text(json.dumps(kept, indent=1))
    text = report(curves, " ".join(["bench/scaling", *sys.argv[1:]]), facts)
    (options.output / "scaling.md").write_text(text)
    print(text)
    if options.smoke:
        return int(any(point.gap > 1e-10 for curve in curves for point in curve.points))
    plot(curves, options.output / "scaling.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
