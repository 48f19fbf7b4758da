"""results.md and plots from the results of bench/compare."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]

USELESS = 0.5  # a relative gap above this is no answer, and its time no rival
WIDE_BYTES = 1e8
TALL_WORK = 1e10


class Results:
    """The rows, found by what they measure."""

    def __init__(self, results: dict[str, Any]) -> None:
        self.all = results
        self.sets = {(entry["name"], entry["form"]): entry for entry in results["sets"]}
        self.rows: dict[tuple[str, str, float, str, str], Row] = {}
        for row in results["rows"]:
            self.rows[row["set"], row["form"], row["alpha"], row["solver"], row["mode"]] = row
        self.groups = sorted(
            {(row["form"], row["alpha"]) for row in results["rows"]}, key=lambda g: (g[0] == "raw", g[1])
        )
        self.peers = [peer for peer in results["peers"] if any(row["solver"] == peer for row in results["rows"])]

    def names(self, form: str) -> list[str]:
        return [name for name, its_form in self.sets if its_form == form]

    def ours(self, name: str, form: str, alpha: float) -> Row | None:
        """Also where it was stopped: then it counts at the limit, as a peer does."""
        row = self.rows.get((name, form, alpha, "sven", "default"))
        return row if row and row["status"] != "failed" else None

    def fastest(self, name: str, form: str, alpha: float, mode: str) -> Row | None:
        """Of the peers that gave an answer; where none reached the gap, one that counts at its limit."""
        rows = [self.rows[key] for peer in self.peers if (key := (name, form, alpha, peer, mode)) in self.rows]
        answered = [row for row in rows if row["status"] == "ok" and (mode == "matched" or row["gap"] <= USELESS)]
        at_limit = [row for row in rows if row["status"] == "limit"]
        return min(answered or at_limit, key=lambda row: row["seconds"], default=None)


def number(seconds: float) -> str:
    return f"{seconds:.3g}" if seconds < 1000 else f"{seconds:.0f}"


def exponent(gap: float) -> str:
    return "0" if gap <= 1e-17 else f"{gap:.0e}".replace("e-0", "e-").replace("e+0", "e+")


def cell(row: Row | None) -> str:
    if row is None:
        return ""
    if row["status"] == "failed":
        return "-"
    gap = f" ({exponent(row['gap'])})" if "gap" in row else ""
    return f"{'≥ ' if row['status'] == 'limit' else ''}{number(row['seconds'])}{gap}"


def bound(peer: Row, ours: Row) -> str:
    """Which way a ratio is uncertain when one of the two was stopped."""
    stopped = (peer["status"] == "limit", ours["status"] == "limit")
    return {(True, False): "≥ ", (False, True): "≤ ", (True, True): "? "}.get(stopped, "")


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def table(head: list[str], body: list[list[str]]) -> list[str]:
    return [
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *("| " + " | ".join(line) + " |" for line in body),
        "",
    ]


def floor_seconds(entry: Row, ceilings: dict[str, float]) -> float:
    """n >> p: the Gram's multiplications at the rate of a matrix product, or one read of X."""
    return max(
        entry["n"] * entry["p"] ** 2 / ceilings["gemm_flops_per_second"],
        entry["bytes"] / ceilings["read_bytes_per_second"],
    )


def against_machine(entry: Row, ours: Row, ceilings: dict[str, float]) -> str:
    if entry["n"] > entry["p"] and not entry["is_sparse"]:
        return f"{ours['seconds'] / floor_seconds(entry, ceilings):.2g} x floor"
    return f"{ours['seconds'] / entry['pass_seconds']:.3g} passes"


def summary(results: Results, form: str, alpha: float) -> list[str]:
    """sven against the fastest peer, a line a set."""
    body: list[list[str]] = []
    ratios: dict[str, dict[str, float]] = defaultdict(dict)
    for name in results.names(form):
        entry, ours = results.sets[name, form], results.ours(name, form, alpha)
        if ours is None:
            failed = results.rows.get((name, form, alpha, "sven", "default"))
            if failed:
                body.append([name, f"{entry['n']} x {entry['p']}", f"failed: {failed['reason']}", *[""] * 6])
            continue
        line = [name, f"{entry['n']} x {entry['p']}{' sparse' if entry['is_sparse'] else ''}", cell(ours)]
        for mode in ("default", "matched"):
            peer = results.fastest(name, form, alpha, mode)
            if peer is None:
                line += ["", ""]
                continue
            ratio = peer["seconds"] / ours["seconds"]
            ratios[mode][name] = ratio
            line += [f"{peer['solver']} {cell(peer)}", f"{bound(peer, ours)}{ratio:.3g}"]
        memory = ours.get("memory")
        line += [
            against_machine(entry, ours, results.all["ceilings"]),
            "" if memory is None else f"{memory / 1e6:.1f} ({100 * memory / entry['bytes']:.0f} %)",
        ]
        body.append(line)
    target = exponent(results.all["target_gap"])
    lines = table(
        [
            "set",
            "n x p",
            "sven s (gap)",
            "fastest peer at its default, s (gap)",
            "ratio",
            f"fastest peer at gap ≤ {target}, s (gap)",
            "ratio",
            "against the machine",
            "memory above X, MB (of X)",
        ],
        body,
    )
    return lines + targets(results, (form, alpha), ratios)


def path_targets(default: dict[str, float], matched: dict[str, float], target: str) -> list[tuple[str, str, bool]]:
    found = []
    if default:
        worst = min(default, key=lambda name: default[name])
        smallest = f"smallest {default[worst]:.3g}x ({worst})"
        found.append(("every set, fastest peer at its default: ≥ 2x", smallest, default[worst] >= 2))
        mean = geometric_mean(default.values())
        found.append(("geometric mean at the peers' defaults: ≥ 8x", f"{mean:.3g}x", mean >= 8))
    if matched:
        mean = geometric_mean(matched.values())
        found.append((f"geometric mean at gap ≤ {target}: ≥ 40x", f"{mean:.3g}x", mean >= 40))
    return found


def accuracy(results: Results, form: str, alpha: float) -> tuple[str, str, bool]:
    keys = [(name, form, alpha, "sven", "default") for name in results.names(form)]
    rows = [results.rows[key] for key in keys if key in results.rows]
    off = [row["set"] for row in rows if row["status"] != "ok"]
    largest = max((row["gap"] for row in rows if row["status"] == "ok"), default=0.0)
    here = f"largest {exponent(largest)}" + (f"; not done: {', '.join(off)}" if off else "")
    return "sven solves every set, gap of every setting ≤ 1e-10", here, not off and largest <= 1e-10


def targets(results: Results, group: tuple[str, float], ratios: dict[str, dict[str, float]]) -> list[str]:
    """What was to be reached, and whether it was."""
    form, alpha = group
    found: list[tuple[str, str, bool]] = []
    default, matched = ratios["default"], ratios["matched"]
    target = exponent(results.all["target_gap"])
    if results.all["settings"] == 1:
        if matched:
            worst = min(matched, key=lambda name: matched[name])
            smallest = f"smallest {matched[worst]:.3g}x ({worst})"
            found.append((f"single fit, fastest peer at gap ≤ {target}: > 1x", smallest, matched[worst] > 1))
    else:
        found += path_targets(default, matched, target)
    for name in results.names(form):
        entry, ours = results.sets[name, form], results.ours(name, form, alpha)
        if ours is None or results.all["settings"] == 1:
            continue
        passes = ours["seconds"] / entry["pass_seconds"]
        if entry["p"] > entry["n"] and entry["bytes"] > WIDE_BYTES:
            found.append((f"{name}: ≤ 20 passes", f"{passes:.1f}", passes <= 20))
        elif entry["n"] > entry["p"] and not entry["is_sparse"] and entry["n"] * entry["p"] ** 2 >= TALL_WORK:
            share = ours["seconds"] / floor_seconds(entry, results.all["ceilings"])
            found.append((f"{name}: ≤ 1.3 x the floor", f"{share:.2f}", share <= 1.3))
    found.append(accuracy(results, form, alpha))
    return table(
        ["target", "here", ""], [[what, here, "reached" if is_met else "**missed**"] for what, here, is_met in found]
    )


def details(results: Results, form: str, alpha: float) -> list[str]:
    lines = []
    target = exponent(results.all["target_gap"])
    titles = {
        "default": "Each at its own defaults: seconds (largest gap over the path)",
        "matched": f"Each at the loosest tolerance that reaches gap ≤ {target}: seconds (largest gap)",
    }
    extra = [solver for solver in ("sven, budget",) if any(key[3] == solver for key in results.rows)]
    for mode, title in titles.items():
        body = []
        for name in results.names(form):
            cells = [cell(results.rows.get((name, form, alpha, solver, "default"))) for solver in ["sven", *extra]]
            cells += [cell(results.rows.get((name, form, alpha, peer, mode))) for peer in results.peers]
            body.append([name, *cells])
        lines += [f"#### {title}", "", *table(["set", "sven", *extra, *results.peers], body)]
    return lines + reasons(results, form, alpha)


def reasons(results: Results, form: str, alpha: float) -> list[str]:
    """Why a cell is empty or stands at its limit, alike ones together."""
    grouped: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (name, its_form, its_alpha, solver, mode), row in results.rows.items():
        if (its_form, its_alpha) == (form, alpha) and row["status"] != "ok":
            grouped[solver, mode if row["status"] == "limit" else "", row["reason"]].append(name)
    lines = []
    for (solver, mode, reason), names in sorted(grouped.items()):
        lines.append(f"- {solver}{f', {mode}' if mode else ''}: {reason}: {', '.join(dict.fromkeys(names))}")
    return lines + [""] if lines else []


NOTES = {
    "standardised": "Columns and response were centred and scaled once, before; no intercept. Sets with less than 10 % "
    "non-zeros stay sparse: their columns are divided by their root mean square and not centred.",
    "raw": "Raw data with intercept and standardisation, both inside the clock. sven, glmnet, adelie and glum "
    "standardise by themselves. scikit-learn, celer, skglm, adelie cov and scikit-learn-intelex do not: their time "
    "includes StandardScaler before the path and the coefficients scaled back after it.",
}


def machine_line(machine: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    threads = f"{machine['threads']} thread{'s' if machine['threads'] != 1 else ''} for everyone"
    return f"{machine['date'][:10]}, {machine['cpu']}, {threads}; sven {machine['commit']}; {versions}."


def header(all_: dict[str, Any]) -> list[str]:
    machine, ceilings = all_["machine"], all_["ceilings"]
    what = (
        f"a single fit at {all_['single']:g} of the largest lambda"
        if all_["single"]
        else f"paths of {all_['settings']} settings"
    )
    return [
        "# sven beside its peers",
        "",
        f"    {all_['command']}",
        "",
        f"{machine_line(machine)} Measured in the same run: reading memory "
        f"{ceilings['read_bytes_per_second'] / 1e9:.1f} GB/s, matrix product "
        f"{ceilings['gemm_flops_per_second'] / 1e9:.0f} GFLOP/s.",
        "",
        f"Times are medians in seconds, for {what}, from data in memory to coefficients in memory; sven's include its "
        "certificates. In brackets the largest relative duality gap over the path, recomputed from X, y and the "
        f"coefficients. ≥: not done, or the gap not reached, within {all_['limit']:g} s, and counted at that. "
        "-: failed, for the reason given below the table.",
        "",
    ]


def write(results: dict[str, Any], folder: Path, plots: bool = True) -> None:
    """`plots` needs matplotlib."""
    found = Results(results)
    lines = header(results)
    for form, alpha in found.groups:
        name = f"{form}, alpha {alpha:g}{' (Lasso)' if alpha == 1 else ''}"
        lines += [
            f"## {name[0].upper()}{name[1:]}",
            "",
            NOTES[form],
            "",
            *summary(found, form, alpha),
            *details(found, form, alpha),
        ]
    (folder / "results.md").write_text("\n".join(lines))
    if plots:
        try:
            from harness import plots as drawing
        except ImportError:
            print("no plot: matplotlib is not installed")
            return
        drawing.write(found, folder)
