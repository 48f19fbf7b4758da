"""The paper's claims, each with what was measured here. Every number comes from the results."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, replace
from typing import Any

from paper.figures import CONVERGED, core_curves, crossover_points, ours, records
from paper.rivals import BY_LABEL
from paper.sets import TALL, WIDE
from paper.svg import number

Results = dict[str, Any]

HOLDS, PARTLY, FAILS, OPEN = "holds", "holds in part", "does not hold", "not measured"
SAME = 1e-4  # of the largest coefficient: less is the same solution
FLAT = 2.0  # longest over shortest time of a set's settings: less is nearly independent
HALF = 0.5  # of the speed-up that is as many times as cores; of the time that is the kernel
EVEN = 0.9  # the fastest rival's time over ours: more is as fast
# The certificate, and what a fit costs besides the kernel, is all there is in a set as small as this.
TINY_ENTRIES = 10_000


@dataclass(frozen=True)
class Part:
    """One measurement of a claim."""

    where: str  # parts of one place stand in one line
    text: str
    is_good: bool | None  # None: says nothing for or against it
    value: float | None = None  # of which the least, the median and the largest are shown


@dataclass(frozen=True)
class Claim:
    claim: str
    verdict: str
    parts: list[Part]
    short: str = ""
    note: str = ""

    def lines(self) -> list[str]:
        grouped: dict[str, list[str]] = {}
        for part in self.parts:
            grouped.setdefault(part.where, []).append(part.text)
        return [f"{where}: {'; '.join(texts)}" for where, texts in grouped.items()]


def times(ratio: float) -> str:
    return (
        f"{ratio:.2g} times" if 0.01 <= ratio < 100 else f"{ratio:.0f} times" if ratio >= 100 else f"{ratio:.1g} times"
    )


def range_text(values: list[float]) -> str:
    if len(values) < 2:
        return ""
    low, middle, high = (times(value) for value in (min(values), statistics.median(values), max(values)))
    return f": {low.removesuffix(' times')} to {high}, median {middle.removesuffix(' times')}"


def judge(claim: str, parts: list[Part], note: str = "") -> Claim:
    """Holds where all parts do."""
    judged = [part for part in parts if part.is_good is not None]
    if not judged:
        return Claim(claim, OPEN, parts, "", note or "nothing in this run measures it")
    good = sum(bool(part.is_good) for part in judged)
    verdict = HOLDS if good == len(judged) else PARTLY if good else FAILS
    values = [part.value for part in judged if part.value is not None]
    return Claim(claim, verdict, parts, f"{good} of {len(judged)}{range_text(values)}.", note)


def machine_name(results: Results) -> str:
    machine = results["machine"]
    return f"{machine['gpu']}, {machine['cpu']}" if machine.get("gpu") else machine["cpu"]


def is_excused(entry: dict[str, Any], setting: dict[str, Any], difference: float, gaps: tuple[float, float]) -> bool:
    """Whether the gaps of both allow such a difference: the objective is ‖y‖² gap above its least value at most, and
    grows by at least λ₂ times the squared distance. At λ₂ = 0 there may be many solutions, and glmnet must have
    converged to say anything."""
    if setting["l2"] == 0:
        return gaps[0] > CONVERGED
    squares = entry["n"]  # ‖y‖², standardised
    return difference <= sum(math.sqrt(max(gap, 0.0) * squares / setting["l2"]) for gap in gaps)


def solution_part(entry: dict[str, Any], alpha: str, protocol: dict[str, Any]) -> Part:
    gaps = list(zip(protocol["gap_reference"], protocol["gap_sven"]))
    size = protocol["largest_coefficient"]
    near = [difference for difference in protocol["difference"] if difference <= SAME * size]
    far = [
        (difference, pair[0], is_excused(entry, setting, difference, pair))
        for difference, setting, pair in zip(protocol["difference"], protocol["settings"], gaps)
        if difference > SAME * size
    ]
    text = f"α {alpha}, thresh {number(protocol['tolerance'])}: the same at {len(near)} of {len(gaps)} settings"
    if near:
        text += f" (largest difference {number(max(near))} of {number(size)})"
    if far:
        low, high = min(gap for _, gap, _ in far), max(gap for _, gap, _ in far)
        text += (
            f", at {len(far)} up to {number(max(difference for difference, _, _ in far))}, where glmnet's gap is "
            f"{number(low)} to {number(high)}"
        )
    text += f"; SVEN's gap at most {number(max(protocol['gap_sven']))}"
    is_bad = not all(excused for _, _, excused in far)
    return Part(entry["name"], text, False if is_bad else True if near else None)


def same_solutions(results: Results) -> Claim:
    parts = [
        solution_part(entry, alpha, protocol)
        for entry in results["sets"]
        for alpha, protocol in entry["protocols"].items()
        if protocol["source"] == "glmnet" and protocol["settings"]
    ]
    note = (
        f"The same: no coefficient differs by more than {number(SAME)} of the largest one. A larger difference "
        "speaks against SVEN where it exceeds what the gaps allow, √(gap ‖y‖²/λ₂), and for the Lasso where glmnet has "
        f"converged to {number(CONVERGED)}"
    )
    found = judge("SVEN's solutions are glmnet's", parts, note if parts else "")
    protocols = [protocol for entry in results["sets"] for protocol in entry["protocols"].values()]
    pairs = [
        difference <= SAME * protocol["largest_coefficient"]
        for protocol in protocols
        if protocol["source"] == "glmnet"
        for difference in protocol["difference"]
    ]
    rest = "; elsewhere the gaps allow the difference" if found.verdict == HOLDS and not all(pairs) else ""
    short = f"{found.short} The same at {sum(pairs)} of {len(pairs)} settings{rest}." if found.short else ""
    return replace(found, short=short)


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
            text = f"{number(min(seconds))} to {number(max(seconds))} s ({times(spread)})"
            parts.append(Part(entry["name"], text, spread <= FLAT, spread))
    note = f"The longest time of a set's settings over the shortest, of the dual; at most {FLAT:g} is hardly"
    return judge("n >> p: the time hardly depends on t and λ₂", parts, note if parts else "")


def path_of_sven(results: Results, name: str, alpha: float) -> dict[str, Any] | None:
    key = {"set": name, "alpha": alpha, "rival": "sven", "status": "ok"}
    return next((row for row in results["paths"] if all(row[field] == value for field, value in key.items())), None)


def kernel_dominates(results: Results) -> Claim:
    """A further setting of a path reuses the kernel: what it costs is what is not kernel."""
    parts = []
    for entry in entries(results, TALL):
        for alpha in results["alphas"]:
            path = path_of_sven(results, entry["name"], alpha)
            single = records(results, study="singles", set=entry["name"], alpha=alpha, rival="SVEN dual")
            if not (path and single and single[0]["seconds"]) or entry["n"] * entry["p"] <= TINY_ENTRIES:
                continue
            one = statistics.median(single[0]["seconds"])
            further = max(0.0, path["seconds"] - one) / (path["settings"] - 1)
            share = 1 - min(1.0, further / one)
            text = f"α {alpha:g}: one fit {number(one)} s, a further setting {number(further)} s, {share:.0%} kernel"
            parts.append(Part(entry["name"], text, share >= HALF))
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
                parts.append(Part(entry["name"], f"α {alpha:g} {times(ratio)}, {rival}", ratio >= EVEN, ratio))
    claim = f"{regime}: SVEN on the CPU is as fast as the fastest rival or faster"
    note = (
        "The fastest rival's time over SVEN's, median of the settings, and who that is most often; rivals at gap "
        f"{number(results['gap'])}, SVEN at 1e-10; from {EVEN:g} on it is as fast"
    )
    return judge(claim, parts, note if parts else "")


def gpu_part(results: Results, record: dict[str, Any]) -> Part | None:
    base = ours(results, record["set"], record["alpha"])
    ratios = [seconds / base[k] for k, seconds in zip(record["k"], record["seconds"]) if k in base]
    if not ratios:
        return None
    gpu = statistics.median(ratios)
    found = fastest_rival(results, record["set"], record["alpha"])
    text = f"α {record['alpha']:g} {times(1 / gpu)} as fast as SVEN on the CPU"
    if found:
        text += f", {times(found[0] / gpu)} as fast as the fastest rival ({found[1]})"
    return Part(record["set"], text, gpu <= 1 and (not found or found[0] >= gpu), 1 / gpu)


def gpu_ahead(all_results: list[Results]) -> Claim:
    parts, machines = [], []
    for results in all_results:
        found = [gpu_part(results, record) for record in records(results, study="singles", rival="SVEN GPU")]
        found = [part for part in found if part]
        parts += found
        machines += [machine_name(results)] if found else []
    note = (
        f"Against the CPU and the rivals of the same machine ({'; '.join(machines)}), transfer of X counted; "
        "the figures are those against SVEN on the CPU"
    )
    return judge("The GPU is ahead of all", parts, note if parts else "no GPU in this run")


def crossing(results: Results) -> Claim:
    """Good where the one that the paper says is ahead, or they are even."""
    points = crossover_points(results)
    logs = [(math.log(ratio), math.log(dual / primal)) for ratio, primal, dual, _ in points]
    meetings = [
        math.exp(a[0] + (b[0] - a[0]) * a[1] / (a[1] - b[1])) for a, b in zip(logs, logs[1:]) if a[1] * b[1] < 0
    ]
    parts = []
    for ratio, primal, dual, shape in points:
        ahead = dual / primal if 2 * ratio < 1 else primal / dual
        is_good = None if 2 * ratio == 1 else ahead * EVEN <= 1
        parts.append(Part(f"{shape}, p/n = {ratio:.2g}", f"dual takes {times(dual / primal)} primal's time", is_good))
    note = ""
    if points:
        places = ", ".join(f"{ratio:.2g}" for ratio in meetings)
        note = f"They meet at p/n = {places} (2p = n is 0.5)" if meetings else "They do not meet"
    return judge("Primal where 2p > n, dual where 2p < n", parts, note)


def speed_up(all_results: list[Results]) -> Claim:
    parts = []
    for results in all_results:
        for name, points in core_curves(results).items():
            if len(points) > 1:
                ratio, threads = points[0][1] / points[-1][1], points[-1][0]
                text = f"{name} {times(ratio)} on {threads} threads"
                parts.append(Part(machine_name(results), text, ratio >= HALF * threads))
    note = f"As many times as cores would be all; from {HALF:.0%} of that on it holds"
    return judge("Many cores are used without further work", parts, note if parts else "")


def median_ratio(results: Results, entry: dict[str, Any], above: str, below: str) -> float | None:
    """Median over settings and alphas of the seconds of one, where it reached the gap, over those of the other."""
    ratios = []
    for alpha in results["alphas"]:
        pair = [
            records(results, study="singles", set=entry["name"], alpha=alpha, rival=label) for label in (above, below)
        ]
        if all(pair):
            low = dict(zip(pair[1][0]["k"], pair[1][0]["seconds"]))
            high = zip(pair[0][0]["k"], pair[0][0]["seconds"], pair[0][0]["is_reached"])
            ratios += [seconds / low[k] for k, seconds, reached in high if reached and k in low]
    return statistics.median(ratios) if ratios else None


def never_forming(results: Results) -> Claim:
    parts = []
    for entry in entries(results, WIDE) + entries(results, TALL):
        found = records(results, study="singles", set=entry["name"], rival="SVEN explicit")
        shares = [
            f / s for record in found if record.get("forming") for f, s in zip(record["forming"], record["seconds"])
        ]
        ratio = median_ratio(results, entry, "SVEN explicit", "SVEN")
        if ratio and shares:
            text = f"{times(ratio)} SVEN's time, {statistics.median(shares):.0%} of it to form them"
            parts.append(Part(entry["name"], text, ratio >= 1, ratio))
    return judge("(not in the paper) the 2p samples are better never formed", parts)


def machine_part(results: Results, entry: dict[str, Any], label: str) -> Part | None:
    found = records(results, study="singles", set=entry["name"], rival=label)
    gaps = [gap for record in found for gap in record["gap"]]
    if not gaps:
        return None
    if not any(reached for record in found for reached in record["is_reached"]):
        return Part(entry["name"], f"{label} reached the gap at no setting (best {number(min(gaps))})", None)
    ratio = median_ratio(results, entry, label, "SVEN explicit")
    return Part(entry["name"], f"{label} {times(ratio)}", ratio >= EVEN, ratio) if ratio else None


def own_machine(results: Results) -> Claim:
    found = (
        machine_part(results, entry, label)
        for entry in entries(results, WIDE) + entries(results, TALL)
        for label in ("LIBLINEAR", "libsvm")
    )
    parts = [part for part in found if part]
    note = (
        "Their time over that of sven::svm::train on the same samples, where they reach the gap; they stop at "
        f"{number(results['gap'])}, it at 1e-10"
    )
    return judge(
        "(not in the paper) our machine is as fast as LIBLINEAR and libsvm on the squared hinge",
        parts,
        note if parts else "",
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
        speed_up([results, *others]),
        never_forming(results),
        own_machine(results),
    ]
