"""cv.md from the results of bench/cv."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from harness.report import Row, exponent, machine_line, number, table


def find(results: dict[str, Any], name: str, alpha: float, solver: str, mode: str = "default") -> Row | None:
    key = (name, alpha, solver, mode)
    return next((row for row in results["rows"] if (row["set"], row["alpha"], row["solver"], row["mode"]) == key), None)


def curve_difference(row: Row, ours: Row) -> float:
    mean, our_mean = np.array(row["mean"]), np.array(ours["mean"])
    return float(np.max(np.abs(mean - our_mean) / our_mean))


def peer_cell(row: Row | None, ours: Row) -> str:
    """Seconds, how many times ours, and by how much the curves differ."""
    if row is None or row["status"] == "failed":
        return "-"
    at_least = "≥ " if row["status"] == "limit" else ""
    difference = f", {exponent(curve_difference(row, ours))}" if row["status"] == "ok" else ""
    return f"{at_least}{number(row['seconds'])} ({at_least}{row['seconds'] / ours['seconds']:.3g}x{difference})"


def line(results: dict[str, Any], entry: Row, alpha: float) -> list[str]:
    """One set: sven, one path, what the folds cost on top of it, the peers."""
    name = entry["name"]
    head = [name, f"{entry['n']} x {entry['p']}{' sparse' if entry['is_sparse'] else ''}"]
    ours, path = find(results, name, alpha, "sven"), find(results, name, alpha, "sven, one path")
    if any(row is None or row["status"] != "ok" for row in (ours, path)):
        return [*head, "-", *[""] * (2 + 2 * len(results["peers"]))]
    ratio = ours["seconds"] / path["seconds"]
    target = 2 if entry["n"] > entry["p"] else 6
    peers = [
        peer_cell(find(results, name, alpha, peer, mode), ours)
        for peer in results["peers"]
        for mode in ("default", "matched")
    ]
    cost = f"{ratio:.3g} ({'≤' if ratio <= target else '**>**'} {target})"
    return [*head, number(ours["seconds"]), number(path["seconds"]), cost, *peers]


def header(results: dict[str, Any]) -> list[str]:
    scaling = ""
    if results["form"] == "raw":
        scaling = ", scaled by the training rows of each fold (ElasticNetCV: once, by all rows)"
    return [
        "# Cross-validation",
        "",
        f"    {results['command']}",
        "",
        machine_line(results["machine"]),
        "",
        f"{results['folds']} folds, the same for all, {results['settings']} settings; {results['form']} data, with "
        f"intercept{scaling}. Seconds, medians. In brackets how many times sven's, and the largest relative difference "
        "of the curve of mean errors from sven's; for alpha < 1 cv.glmnet solves a slightly different problem, since "
        "the sd(y) of each fold's training rows divides its ridge term. "
        f"≥: not done within {results['limit']:g} s.",
        "",
    ]


def write(results: dict[str, Any], folder: Path) -> None:
    lines = header(results)
    head = ["set", "n x p", "sven", "sven, one path", "folds cost (target)"]
    for peer in results["peers"]:
        head += [f"{peer}, default", f"{peer}, gap ≤ {exponent(results['target_gap'])}"]
    for alpha in dict.fromkeys(row["alpha"] for row in results["rows"]):
        body = [line(results, entry, alpha) for entry in results["sets"]]
        reasons = [
            f"- {row['set']}, {row['solver']}, {row['mode']}: {row['reason']}"
            for row in results["rows"]
            if row["alpha"] == alpha and row["status"] != "ok"
        ]
        lines += [f"## Alpha {alpha:g}", "", *table(head, body), *reasons, ""]
    (folder / "cv.md").write_text("\n".join(lines))
