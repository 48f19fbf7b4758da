"""curve.md and its plot from bench/compare --curve: at each gap, sven asked for it beside the fastest peer that is there."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from harness.report import Results, exponent, geometric_mean, number, table
from harness.worker import CURVE_GAPS

ROUNDING = 1.001  # a recomputed gap may be above the one asked for by its own rounding


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


def lines_of(results: Results, form: str, alpha: float) -> tuple[list[list[str]], dict[float, list[float]]]:
    """A line of the table a set, and the ratios by gap."""
    body: list[list[str]] = []
    ratios: dict[float, list[float]] = {gap: [] for gap in CURVE_GAPS}
    for name in results.names(form):
        ours = points_of(results, name, form, alpha, "sven")
        line = [name]
        for gap in CURVE_GAPS:
            point, peer = ours.get(gap), fastest_at(results, name, form, alpha, gap)
            if point is None or point["gap"] > gap * ROUNDING:
                line.append("not reached")
                continue
            text = number(point["seconds"])
            if peer is not None:
                ratio = peer[1] / point["seconds"]
                ratios[gap].append(ratio)
                text += f" ({ratio:.2g}x {peer[0]})"
            line.append(text)
        body.append(line)
    return body, ratios


def describe(results: Results, form: str, alpha: float) -> list[str]:
    body, ratios = lines_of(results, form, alpha)
    ahead = [f"{sum(r >= 1 for r in found)} of {len(found)}" for found in ratios.values()]
    means = [f"{geometric_mean(found):.2g}x" if found else "" for found in ratios.values()]
    return [
        f"## {form}, alpha {alpha:g}",
        "",
        *table(
            ["set", *(exponent(gap) for gap in CURVE_GAPS)],
            [*body, ["ahead", *ahead], ["geometric mean", *means]],
        ),
        "",
    ]


def write(all_results: dict[str, Any], folder: Path, plots: bool = True) -> None:
    results = Results(all_results)
    lines = [
        "# Time against gap",
        "",
        f"`{all_results['command']}`, {all_results['machine']['threads']} threads, {all_results['machine']['cpu']}.",
        "",
        "Seconds of sven with `tolerance` = the gap, and in brackets the time of the fastest peer at its loosest tolerance",
        "that reaches it, over ours. The largest gap of the path, recomputed from X, y and the coefficients.",
        "",
    ]
    for form, alpha in results.groups:
        lines += describe(results, form, alpha)
    (folder / "curve.md").write_text("\n".join(lines))
    if plots:
        from harness import plots as drawing

        for form, alpha in results.groups:
            drawing.time_against_gap(results, form, alpha, folder / f"curve-{form}-{alpha:g}.png")
