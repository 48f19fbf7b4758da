"""curve.md, curve.json and the plot of bench/compare --curve: at each gap, sven asked for it beside the fastest peer that
is there."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.report import Results, exponent, geometric_mean, number, table
from harness.worker import CURVE_GAPS

ROUNDING = 1.001  # a recomputed gap may be above the one asked for by its own rounding
LEAST_AHEAD = 26 / 28  # of the sets
WORST_RATIO = 0.8  # of the fastest peer's time to ours: at most 1.25 times it
LEAST_MEAN = 3.0
JUDGED_GAPS = CURVE_GAPS[1:]  # 1e-1 is reported


@dataclass
class Cell:
    """One set at one gap."""

    set: str
    gap: float
    seconds: float | None  # None: sven did not reach it
    peer: str = ""  # none: no peer reached it
    ratio: float | None = None  # peer's time over ours; the limit over ours where no peer reached it
    is_bound: bool = False

    def text(self) -> str:
        if self.seconds is None:
            return "not reached"
        if self.ratio is None:
            return number(self.seconds)
        return f"{number(self.seconds)} ({'≥ ' if self.is_bound else ''}{self.ratio:.2g}x {self.peer or 'none'})"


def points_of(results: Results, name: str, form: str, alpha: float, solver: str) -> dict[float, dict[str, Any]]:
    """By tolerance; what was measured last counts, which is the median of the repeated calls."""
    key = (name, form, alpha, solver)
    return {
        point["tolerance"]: point
        for point in results.all["points"]
        if (point["set"], point["form"], point["alpha"], point["solver"]) == key and math.isfinite(point["gap"])
    }


def fastest_at(results: Results, name: str, form: str, alpha: float, gap: float) -> tuple[str, float] | None:
    """The peer that takes the least time for this gap or a smaller one."""
    found = [
        (peer, point["seconds"])
        for peer in results.peers
        for point in points_of(results, name, form, alpha, peer).values()
        if point["gap"] <= gap * ROUNDING
    ]
    return min(found, key=lambda item: item[1], default=None)


def limit_of(results: Results, name: str, form: str, alpha: float) -> float | None:
    """Where the first of the peers was stopped: a set may have been run with a limit of its own."""
    stopped = [
        row["seconds"]
        for row in results.all["rows"]
        if (row["set"], row["form"], row["alpha"]) == (name, form, alpha)
        and row["status"] == "limit"
        and row["solver"] in results.peers
    ]
    return min(stopped, default=results.all.get("limit"))


def cell_at(results: Results, name: str, form: str, alpha: float, gap: float) -> Cell:
    point = points_of(results, name, form, alpha, "sven").get(gap)
    if point is None or point["gap"] > gap * ROUNDING:
        return Cell(name, gap, None)
    cell = Cell(name, gap, point["seconds"])
    peer = fastest_at(results, name, form, alpha, gap)
    limit = limit_of(results, name, form, alpha)
    if peer is not None:
        cell.peer, cell.ratio = peer[0], peer[1] / cell.seconds
    elif limit is not None and results.peers:
        cell.ratio, cell.is_bound = limit / cell.seconds, True
    return cell


@dataclass
class Summary:
    """All sets at one gap. One that sven did not reach is behind, and has no ratio."""

    gap: float
    sets: int
    ahead: int
    worst: float | None
    worst_set: str
    mean: float | None

    @staticmethod
    def of(gap: float, cells: list[Cell]) -> Summary:
        judged = [cell for cell in cells if cell.ratio is not None or cell.seconds is None]
        ratios = [(cell.ratio, cell.set) for cell in judged if cell.ratio is not None]
        worst, worst_set = min(ratios, default=(None, ""))
        return Summary(
            gap,
            len(judged),
            sum(ratio >= 1 for ratio, _ in ratios),
            worst,
            worst_set,
            geometric_mean(ratio for ratio, _ in ratios) if ratios else None,
        )

    def is_met(self) -> bool:
        return (
            self.worst is not None
            and self.mean is not None
            and self.ahead >= LEAST_AHEAD * self.sets
            and self.worst >= WORST_RATIO
            and self.mean >= LEAST_MEAN
        )

    def verdict(self) -> str:
        if self.gap not in JUDGED_GAPS or self.worst is None:
            return ""
        return "reached" if self.is_met() else "**missed**"


def describe(results: Results, form: str, alpha: float, cells: list[Cell]) -> tuple[list[str], list[Summary]]:
    by_gap = {gap: [cell for cell in cells if cell.gap == gap] for gap in CURVE_GAPS}
    summaries = [Summary.of(gap, found) for gap, found in by_gap.items()]
    body = [
        [name, *(cell.text() for gap in CURVE_GAPS for cell in by_gap[gap] if cell.set == name)]
        for name in results.names(form)
    ]
    body += [
        ["ahead", *(f"{s.ahead} of {s.sets}" for s in summaries)],
        ["worst ratio", *(f"{s.worst:.2g}x {s.worst_set}" if s.worst is not None else "" for s in summaries)],
        ["geometric mean", *(f"{s.mean:.2g}x" if s.mean is not None else "" for s in summaries)],
        ["target", *(s.verdict() for s in summaries)],
    ]
    head = ["set", *(exponent(gap) for gap in CURVE_GAPS)]
    return [f"## {form}, alpha {alpha:g}", "", *table(head, body), ""], summaries


def write(all_results: dict[str, Any], folder: Path, plots: bool = True) -> None:
    results = Results(all_results)
    unit = "Processor seconds" if all_results.get("clock") == "processor" else "Seconds"
    lines = [
        "# Time against gap",
        "",
        f"`{all_results['command']}`, {all_results['machine']['threads']} threads, {all_results['machine']['cpu']}.",
        "",
        f"{unit} of sven with `tolerance` = the gap, and in brackets the time of the fastest peer at the setting that",
        "reaches it soonest, over ours; ≥ where none did within the limit of a call. The largest gap of the path, recomputed",
        "from X, y and the coefficients. The target: ahead on 26 of 28 sets, no ratio below 0.8, a geometric mean of 3.",
        "",
        "Peers: " + ", ".join(results.peers) + ".",
        "",
    ]
    summary: list[dict[str, Any]] = []
    for form, alpha in results.groups:
        cells = [cell_at(results, name, form, alpha, gap) for name in results.names(form) for gap in CURVE_GAPS]
        text, found = describe(results, form, alpha, cells)
        lines += text
        summary.append(
            {
                "form": form,
                "alpha": alpha,
                "gaps": [{**asdict(one), "is_met": one.is_met()} for one in found],
                "cells": [asdict(cell) for cell in cells],
            }
        )
    (folder / "curve.md").write_text("\n".join(lines))
    (folder / "curve.json").write_text(json.dumps({"format": "sven-curve/1", "groups": summary}, indent=1))
    if plots:
        draw(results, folder)


def draw(results: Results, folder: Path) -> None:
    try:
        from harness import plots as drawing
    except ImportError:
        print("no plot: matplotlib is not installed")
        return
    for form, alpha in results.groups:
        drawing.time_against_gap(results, form, alpha, folder / f"curve-{form}-{alpha:g}.png")
