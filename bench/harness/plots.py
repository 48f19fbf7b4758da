"""Plots of the results of bench/compare: time against gap for each set, and speed-ups as bars."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402

from harness.report import Results, bound  # noqa: E402

SMALLEST_GAP = 1e-17
COLOURS = plt.get_cmap("tab10").colors


def write(results: Results, folder: Path) -> None:
    for form, alpha in results.groups:
        suffix = f"{form}-{alpha:g}.png"
        time_against_gap(results, form, alpha, folder / f"gap-{suffix}")
        speedups(results, form, alpha, folder / f"speedup-{suffix}")


def curve(results: Results, name: str, form: str, alpha: float, solver: str) -> list[tuple[float, float]]:
    """Gap and seconds at each tolerance that was tried: medians where the call was repeated."""
    rows = [row for row in results.all["rows"] if row["status"] == "ok"]
    found: dict[float, tuple[float, float]] = {}
    for point in [*results.all["points"], *rows]:  # rows last: they replace the point of their first call
        key = (point["set"], point["form"], point["alpha"], point["solver"])
        if key == (name, form, alpha, solver) and math.isfinite(point["gap"]):
            found[point["tolerance"]] = max(point["gap"], SMALLEST_GAP), point["seconds"]
    return sorted(found.values())


def time_against_gap(results: Results, form: str, alpha: float, file: Path) -> None:
    names = results.names(form)
    columns = min(4, len(names))
    lines = math.ceil(len(names) / columns)
    figure, grid = plt.subplots(
        lines, columns, figsize=(4.2 * columns, 3.4 * lines), squeeze=False, layout="constrained"
    )
    for axes, name in zip(grid.flat, names):
        for k, solver in enumerate(["sven", *results.peers]):
            points = curve(results, name, form, alpha, solver)
            if points:
                style = (
                    {"marker": "*", "markersize": 13, "color": "black"}
                    if k == 0
                    else {"marker": "o", "markersize": 3, "color": COLOURS[(k - 1) % len(COLOURS)]}
                )
                axes.loglog(*zip(*points), label=solver, linewidth=1, **style)
        axes.set_title(name, fontsize=10)
        axes.invert_xaxis()
        axes.set_xlabel("largest relative gap")
        axes.set_ylabel("seconds")
        axes.grid(True, which="major", alpha=0.3)
    for axes in grid.flat[len(names) :]:
        axes.axis("off")
    handles = {label: handle for axes in grid.flat for handle, label in zip(*axes.get_legend_handles_labels())}
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower center",
        ncols=5,
        fontsize=8,
    )
    figure.suptitle(f"{form}, alpha {alpha:g}: time against gap")
    figure.savefig(file, dpi=110)
    plt.close(figure)


def speedups(results: Results, form: str, alpha: float, file: Path) -> None:
    """The fastest peer's time over sven's, at its default and at the gap asked for."""
    names = [name for name in results.names(form) if results.ours(name, form, alpha)]
    if not names:
        return
    figure, axes = plt.subplots(figsize=(8, 1.5 + 0.4 * len(names)))
    titles = {
        "default": "fastest peer at its default",
        "matched": f"fastest peer at gap ≤ {results.all['target_gap']:.0e}",
    }
    for k, mode in enumerate(titles):
        for position, name in enumerate(names):
            peer, ours = results.fastest(name, form, alpha, mode), results.ours(name, form, alpha)
            if peer is None or ours is None:
                continue
            ratio = peer["seconds"] / ours["seconds"]
            height = position + 0.2 * (2 * k - 1)
            axes.barh(height, ratio, 0.38, color=COLOURS[k])
            text = f" {bound(peer, ours)}{ratio:.3g}x {peer['solver']}"
            axes.text(ratio, height, text, va="center", fontsize=7)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlim(right=axes.get_xlim()[1] * 6)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel("times faster")
    axes.set_title(f"{form}, alpha {alpha:g}: sven against the fastest peer")
    handles = [Patch(color=COLOURS[k], label=title) for k, title in enumerate(titles.values())]
    axes.legend(handles=handles, fontsize=8)
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    plt.close(figure)
