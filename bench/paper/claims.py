"""The paper's claims, each with what was measured here. Every number comes from the results."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, replace
from typing import Any

from paper.figures import core_curves, crossover_points, ours, records
from paper.rivals import BY_LABEL
from paper.sets import TALL, WIDE
from paper.svg import number

Results = dict[str, Any]

HOLDS, PARTLY, FAILS, OPEN = "holds", "holds in part", "does not hold", "not measured"
SAME = 1e-4  # of the largest coefficient: less is the same solution
CONVERGED = 1e-9  # a gap of glmnet's above this says nothing of SVEN's solution
FLAT = 2.0  # longest over shortest time of a set's settings: less is nearly independent
HALF = 0.5  # of the speed-up that is as many times as cores
EVEN = 0.9  # the fastest rival's time over ours: more is as fast
# The certificate, and what a fit costs besides the kernel, is all there is in a set as small as this.
TINY_ENTRIES = 10_000


@dataclass(frozen=True)
class Claim:
    claim: str
    verdict: str
    measured: list[str]
    note: str = ""


def times(ratio: float) -> str:
    return (
        f"{ratio:.2g} times" if 0.01 <= ratio < 100 else f"{ratio:.0f} times" if ratio >= 100 else f"{ratio:.1g} times"
    )


def judge(claim: str, parts: list[tuple[bool, str]], note: str = "") -> Claim:
    """Holds where all parts do."""
    if not parts:
        return Claim(claim, OPEN, [], note or "nothing in this run measures it")
    good = sum(is_good for is_good, _ in parts)
    verdict = HOLDS if good == len(parts) else PARTLY if good else FAILS
    return Claim(claim, verdict, [text for _, text in parts], note)


def same_solutions(results: Results) -> Claim:
    parts, unjudged = [], []
    for entry in results["sets"]:
        for alpha, protocol in entry["protocols"].items():
            if protocol["source"] != "glmnet" or not protocol["settings"]:
                continue
            pairs = list(zip(protocol["difference"], protocol["gap_reference"]))
            near = [difference for difference, gap in pairs if gap <= CONVERGED]
            size = protocol["largest_coefficient"]
            where = f"{entry['name']} (α {alpha}, thresh {number(protocol['tolerance'])})"
            text = f"{where} {number(max(near))} of {number(size)}" if near else where
            if len(near) < len(pairs):
                above = (
                    f"glmnet's gap is above {number(CONVERGED)} at {len(pairs) - len(near)} of {len(pairs)} settings"
                )
                text += f", {above} (largest {number(max(protocol['gap_reference']))})"
            text += f"; SVEN's gap at most {number(max(protocol['gap_sven']))}"
            if near:
                parts.append((max(near) <= SAME * size, text))
            else:
                unjudged.append(text)
    note = (
        "The largest difference of a coefficient, and the largest coefficient; the same is at most "
        f"{number(SAME)} of it. Compared where glmnet itself has converged, to a gap of {number(CONVERGED)}"
    )
    found = judge("SVEN's solutions are glmnet's", parts, note if parts or unjudged else "")
    return replace(found, measured=found.measured + unjudged)


def entries(results: Results, regime: str) -> list[dict[str, Any]]:
    return [entry for entry in results["sets"] if entry["regime"] == regime]


def independent_of_setting(results: Results) -> Claim:
    parts = []
    for entry in entries(results, TALL):
        seconds = [
            second
            for record in records(results, study="singles", set=entry["name"], rival="SVEN dual")
            for second in record["seconds"]
        ]
        if seconds and entry["n"] * entry["p"] > TINY_ENTRIES:
            spread = max(seconds) / min(seconds)
            parts.append(
                (
                    spread <= FLAT,
                    f"{entry['name']} {number(min(seconds))} to {number(max(seconds))} s ({times(spread)})",
                )
            )
    return judge("n >> p: the time hardly depends on t and λ₂", parts)


def kernel_dominates(results: Results) -> Claim:
    """A further setting of a path reuses the kernel: what it costs is what is not kernel."""
    parts = []
    for entry in entries(results, TALL):
        for alpha in results["alphas"]:
            path = [
                p
                for p in results["paths"]
                if p["set"] == entry["name"] and p["alpha"] == alpha and p["rival"] == "sven"
            ]
            single = records(results, study="singles", set=entry["name"], alpha=alpha, rival="SVEN dual")
            if not (path and path[0]["status"] == "ok" and single and single[0]["seconds"]):
                continue
            if entry["n"] * entry["p"] <= TINY_ENTRIES:
                continue
            one = statistics.median(single[0]["seconds"])
            further = max(0.0, path[0]["seconds"] - one) / (path[0]["settings"] - 1)
            share = 1 - min(1.0, further / one)
            parts.append(
                (
                    share >= 0.5,
                    f"{entry['name']} (α {alpha:g}) one fit {number(one)} s, a further setting {number(further)} s: "
                    f"{share:.0%} kernel",
                )
            )
    return judge("n >> p: the kernel dominates the time", parts)


def fastest_rival(results: Results, name: str, alpha: float) -> tuple[float, str] | None:
    """Median over the settings of the fastest rival's time over SVEN's, and who is fastest most often."""
    base = ours(results, name, alpha)
    best: dict[int, tuple[float, str]] = {}
    for record in records(results, study="singles", set=name, alpha=alpha):
        if BY_LABEL[record["rival"]].is_ours:
            continue
        for k, seconds, reached in zip(record["k"], record["seconds"], record["is_reached"]):
            if reached and k in base:
                best[k] = min(best.get(k, (math.inf, "")), (seconds, record["rival"]))
    if not best:
        return None
    names = [rival for _, rival in best.values()]
    return statistics.median(best[k][0] / base[k] for k in best), statistics.mode(names)


def as_fast(results: Results, regime: str) -> Claim:
    parts = []
    for entry in entries(results, regime):
        for alpha in results["alphas"]:
            if found := fastest_rival(results, entry["name"], alpha):
                ratio, rival = found
                parts.append((ratio >= EVEN, f"{entry['name']} (α {alpha:g}) {times(ratio)}, {rival}"))
    claim = f"{regime}: SVEN on the CPU is as fast as the fastest rival or faster"
    note = (
        "The fastest rival's time over SVEN's, median of the settings; rivals at gap "
        f"{number(results['gap'])}, SVEN at 1e-10"
    )
    return judge(claim, parts, note if parts else "")


def gpu_ahead(all_results: list[Results]) -> Claim:
    parts = []
    for results in all_results:
        for record in records(results, study="singles", rival="SVEN GPU"):
            found = fastest_rival(results, record["set"], record["alpha"])
            base = ours(results, record["set"], record["alpha"])
            if not record["seconds"] or not base:
                continue
            gpu = statistics.median(record["seconds"][i] / base[k] for i, k in enumerate(record["k"]) if k in base)
            rival = found[0] / gpu if found else math.inf
            where = f"{record['set']} (α {record['alpha']:g})"
            text = f"{where} {times(1 / gpu)} as fast as SVEN on the CPU, {times(rival)} as fast as the fastest rival"
            parts.append((gpu <= 1 and rival >= 1, text))
    return judge("The GPU is ahead of all", parts, "" if parts else "no GPU in this run")


def crossing(results: Results) -> Claim:
    points = crossover_points(results)
    claim = "Primal where 2p > n, dual where 2p < n"
    if not points:
        return judge(claim, [])
    logs = [(math.log(ratio), math.log(dual / primal)) for ratio, primal, dual, _ in points]
    crossings = [
        math.exp(a[0] + (b[0] - a[0]) * a[1] / (a[1] - b[1])) for a, b in zip(logs, logs[1:]) if a[1] * b[1] < 0
    ]
    first, last = points[0], points[-1]
    ends = (
        f"dual takes {times(first[2] / first[1])} primal's time at p/n = {first[0]:.2g}, "
        f"{times(last[2] / last[1])} at {last[0]:.2g}"
    )
    if not crossings:
        winner = "primal" if logs[0][1] > 0 else "dual"
        return Claim(claim, FAILS, [f"{winner} is ahead at every shape", ends])
    near = min(crossings, key=lambda ratio: abs(math.log(2 * ratio)))
    verdict = HOLDS if 0.25 <= near <= 1 else PARTLY
    return Claim(claim, verdict, [f"they meet at p/n = {near:.2g} (2p = n is 0.5)", ends])


def speed_up(results: Results) -> Claim:
    parts = []
    for name, points in core_curves(results).items():
        if len(points) > 1:
            ratio = points[0][1] / points[-1][1]
            parts.append((ratio >= HALF * points[-1][0], f"{name} {times(ratio)} on {points[-1][0]} threads"))
    return judge("Many cores are used without further work", parts)


def median_ratio(results: Results, entry: dict[str, Any], above: str, below: str) -> float | None:
    """Median over settings and alphas of the seconds of one over those of the other."""
    ratios = []
    for alpha in results["alphas"]:
        pair = [
            records(results, study="singles", set=entry["name"], alpha=alpha, rival=label) for label in (above, below)
        ]
        if all(pair):
            low = dict(zip(pair[1][0]["k"], pair[1][0]["seconds"]))
            ratios += [seconds / low[k] for k, seconds in zip(pair[0][0]["k"], pair[0][0]["seconds"]) if k in low]
    return statistics.median(ratios) if ratios else None


def never_forming(results: Results) -> Claim:
    parts = []
    for entry in entries(results, WIDE) + entries(results, TALL):
        found = records(results, study="singles", set=entry["name"], rival="SVEN explicit")
        ratio = median_ratio(results, entry, "SVEN explicit", "SVEN")
        if ratio and found and found[0].get("forming"):
            share = statistics.median(
                f / s for record in found if record["seconds"] for f, s in zip(record["forming"], record["seconds"])
            )
            parts.append((ratio >= 1, f"{entry['name']} {times(ratio)} SVEN's time, {share:.0%} of it to form them"))
    return judge("(not in the paper) the 2p samples need not be formed", parts)


def own_machine(results: Results) -> Claim:
    parts = []
    for entry in entries(results, WIDE) + entries(results, TALL):
        for label in ("LIBLINEAR", "libsvm"):
            if ratio := median_ratio(results, entry, label, "SVEN explicit"):
                parts.append((ratio >= EVEN, f"{entry['name']} {label} {times(ratio)}"))
    note = (
        "Their time over that of sven::svm::train on the same samples; they stop at gap "
        f"{number(results['gap'])}, it at 1e-10"
    )
    return judge(
        "The machine of the reduction against LIBLINEAR and libsvm on the squared hinge", parts, note if parts else ""
    )


def all_claims(results: Results, others: list[Results]) -> list[Claim]:
    return [
        same_solutions(results),
        as_fast(results, WIDE),
        as_fast(results, TALL),
        gpu_ahead([results, *others]),
        independent_of_setting(results),
        kernel_dominates(results),
        crossing(results),
        speed_up(results),
        never_forming(results),
        own_machine(results),
    ]
