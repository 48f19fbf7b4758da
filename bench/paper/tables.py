"""The tables, from the results: a head and lines of plain text, for the page and for the document."""

from __future__ import annotations

import statistics
from typing import Any

from paper.figures import ours, records
from paper.rivals import RIVALS
from paper.svg import number

Results = dict[str, Any]
Table = tuple[list[str], list[list[str]]]


def shown_sets(results: Results) -> list[dict[str, Any]]:
    """Without those that were simulated for one claim."""
    return [entry for entry in results["sets"] if entry["regime"] != "study"]


def ratio_text(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.2g}"


def sets(results: Results) -> Table:
    body = []
    for entry in shown_sets(results):
        kind = f"sparse, {entry['nonzeros']:,}" if entry["is_sparse"] else "dense"
        body.append([entry["name"], entry["regime"], entry["origin"], f"{entry['n']:,}", f"{entry['p']:,}", kind])
    return ["set", "regime", "origin", "n", "p", "entries"], body


def correctness(results: Results) -> Table:
    body = []
    for entry in shown_sets(results):
        for alpha, protocol in entry["protocols"].items():
            counts = [setting["selected"] for setting in protocol["settings"]]
            if not counts:
                continue
            body.append(
                [
                    entry["name"],
                    f"{protocol['source']}, {number(protocol['tolerance'])}",
                    alpha,
                    str(len(counts)),
                    f"{min(counts)} to {max(counts)}",
                    number(max(protocol["difference"])),
                    number(protocol["largest_coefficient"]),
                    number(max(protocol["gap_reference"])),
                    number(max(protocol["gap_sven"])),
                ]
            )
    head = ["set", "settings from, thresh", "α", "settings", "selected", "largest difference", "largest coefficient"]
    return [*head, "its gap", "SVEN's gap"], body


def ratio_cell(record: dict[str, Any] | None, base: dict[int, float]) -> str:
    """Of the settings that reached the gap: the median of a rival's time over SVEN's, and how many they are."""
    if record is None:
        return ""
    reached = zip(record["k"], record["seconds"], record["is_reached"])
    ratios = [seconds / base[k] for k, seconds, is_reached in reached if is_reached and k in base]
    if not ratios:
        return "-"
    return ratio_text(statistics.median(ratios)) + ("" if len(ratios) == len(base) else f" ({len(ratios)})")


def singles(results: Results) -> Table:
    present = {record["rival"] for record in results["records"] if record["study"] == "singles"}
    rivals = [rival.label for rival in RIVALS if rival.label in present and rival.label != "SVEN"]
    body = []
    for entry in shown_sets(results):
        for alpha in results["alphas"]:
            base = ours(results, entry["name"], alpha)
            if not base:
                continue
            found = {r["rival"]: r for r in records(results, study="singles", set=entry["name"], alpha=alpha)}
            seconds = f"{number(statistics.median(base.values()))} ({len(base)})"
            cells = [ratio_cell(found.get(rival), base) for rival in rivals]
            body.append([entry["name"], f"{alpha:g}", seconds, *cells])
    return ["set", "α", "SVEN, s", *rivals], body


def path_cell(row: dict[str, Any] | None) -> str:
    if row is None or row["status"] == "failed":
        return "-"
    gap = f" ({number(row['gap'])})" if "gap" in row else ""
    return f"{'≥ ' if row['status'] == 'limit' else ''}{number(row['seconds'])}{gap}"


def paths(results: Results) -> Table:
    solvers = [name for name in dict.fromkeys(row["rival"] for row in results["paths"]) if name != "sven"]
    body = []
    for name, alpha in dict.fromkeys((row["set"], row["alpha"]) for row in results["paths"]):
        rows = {(r["rival"], r["mode"]): r for r in results["paths"] if (r["set"], r["alpha"]) == (name, alpha)}
        for mode in ("default", "matched"):
            what = "own defaults" if mode == "default" else f"gap ≤ {number(results['gap'])}"
            cells = [path_cell(rows.get((solver, mode))) for solver in solvers]
            body.append([name, f"{alpha:g}", what, path_cell(rows.get(("sven", "default"))), *cells])
    return ["set", "α", "peers at", "sven", *solvers], body


def refusals(results: Results) -> Table:
    """Who did not run, or not to the end, and why."""
    found: dict[tuple[str, str], list[str]] = {}
    for record in results["records"]:
        if record["status"] != "ok":
            why = "settings within the limit" if record["status"] == "limit" else record["reason"]
            where = f"{record['set']} (α {record['alpha']:g})"
            if record["status"] == "limit":
                where += f" {len(record['k'])}"
            found.setdefault((record["rival"], why), []).append(where)
    return ["rival", "why", "where"], [[rival, why, ", ".join(where)] for (rival, why), where in found.items()]


def rivals(results: Results) -> Table:
    present = {record["rival"] for record in results["records"]}
    return ["name", "what it is"], [[rival.label, rival.what] for rival in RIVALS if rival.label in present]
