"""The figures, from the results."""

from __future__ import annotations

import statistics
from typing import Any

from harness.launch import ROOT
from paper.judge import visiting_order
from paper.rivals import RIVALS
from paper.sets import TALL, WIDE
from paper.svg import SHAPES, Axis, Chart, linear_axis, log_axis, number

Results = dict[str, Any]
Record = dict[str, Any]

PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a65628", "#7b3fa0", "#b5179e"]
STYLES = {
    rival.label: (SHAPES[k % len(SHAPES)], PALETTE[k % len(PALETTE)])
    for k, rival in enumerate(rival for rival in RIVALS if rival.label != "SVEN")
}
FIGURE = {WIDE: 2, TALL: 3}
CONVERGED = 1e-9  # a gap of glmnet's above this says nothing of SVEN's solution
CALL_SHARE = 2  # of the limit of a rival, for one call: the last that it begins may end
SMALLEST_SHARE = 1e-17  # where a difference of zero is drawn


def records(results: Results, **key: Any) -> list[Record]:
    return [record for record in results["records"] if all(record[field] == value for field, value in key.items())]


def ours(results: Results, name: str, alpha: float) -> dict[int, float]:
    """SVEN's seconds at each setting."""
    found = records(results, study="singles", set=name, alpha=alpha, rival="SVEN")
    return dict(zip(found[0]["k"], found[0]["seconds"])) if found else {}


def prostate(results: Results) -> Chart | None:
    """The paper's figure 1."""
    entry = next((entry for entry in results["sets"] if entry["name"] == "prostate"), None)
    protocol = next((p for p in (entry or {"protocols": {}})["protocols"].values() if p.get("path")), None)
    if protocol is None:
        return None
    path = protocol["path"]
    names = (ROOT / "data/prostate.csv").read_text().split("\n", 1)[0].split(",")[:-1]
    theirs, mine = path["coefficients_reference"], path["coefficients_sven"]
    flat = [value for line in theirs for value in line]
    worst = max(path["difference"])
    chart = Chart(
        f"prostate, {entry['n']} × {entry['p']}, alpha {protocol['settings'][0]['alpha']:g}",
        f"line {protocol['source']} (gap ≤ {number(max(path['gap_reference']))}), circle SVEN "
        f"(≤ {number(max(path['gap_sven']))}); largest difference {number(worst)}",
        linear_axis("‖β‖₁, of standardised columns", path["t"]),
        linear_axis("coefficient", flat),
        width=660,
        height=420,
        right=70,
    )
    for j, name in enumerate(names):
        colour = PALETTE[j % len(PALETTE)]
        chart.line([(t, line[j]) for t, line in zip(path["t"], theirs)], colour, f"{name}, {protocol['source']}")
        for t, line in thinned(list(zip(path["t"], mine)), path["t"][-1] / 40):
            chart.point(t, line[j], colour, f"{name}, SVEN: {line[j]:.6g} at ‖β‖₁ = {t:.6g}", is_hollow=True)
    heights = spread([chart.at(path["t"][-1], value)[1] for value in theirs[-1]], 11)
    for j, name in enumerate(names):
        chart.text(chart.x.high, theirs[-1][j], name, PALETTE[j % len(PALETTE)], dx=5, dy=3 + heights[j])
    return chart


def set_styles(results: Results) -> dict[str, tuple[str, str]]:
    names = [entry["name"] for entry in results["sets"] if entry["regime"] != "study"]
    return {name: (SHAPES[k % len(SHAPES)], PALETTE[k % len(PALETTE)]) for k, name in enumerate(names)}


def differences(results: Results, alpha: float) -> Chart | None:
    """How far SVEN is from glmnet at every setting; hollow where glmnet itself has not converged."""
    marks = []
    for entry in results["sets"]:
        protocol = entry["protocols"].get(f"{alpha:g}")
        if entry["regime"] == "study" or not protocol or protocol["source"] != "glmnet":
            continue
        size = protocol["largest_coefficient"]
        for k, (difference, gap) in enumerate(zip(protocol["difference"], protocol["gap_reference"])):
            what = f"{number(difference)} of {number(size)}, glmnet's gap {number(gap)}"
            tip = f"{entry['name']}, setting {k + 1}: {what}"
            share = max(difference / size, SMALLEST_SHARE)
            marks.append((k + 1, share, entry["name"], tip, gap > CONVERGED))
    if not marks:
        return None
    chart = Chart(
        f"SVEN and glmnet, α {alpha:g}",
        f"a mark is a setting of a set; hollow where glmnet's own gap is above {number(CONVERGED)}",
        linear_axis("setting, from strong to weak penalty", [mark[0] for mark in marks]),
        log_axis("largest difference / largest coefficient", [mark[1] for mark in marks]),
        width=520,
        height=340,
    )
    styles = set_styles(results)
    for x, y, name, tip, is_hollow in marks:
        shape, colour = styles[name]
        chart.point(x, y, colour, tip, shape, is_hollow)
    return chart


def difference_charts(results: Results) -> list[Chart]:
    return [chart for alpha in results["alphas"] if (chart := differences(results, alpha))]


def set_legend(results: Results) -> list[tuple[str, str, str]]:
    sizes = {entry["name"]: f"{entry['name']} ({entry['n']} × {entry['p']})" for entry in results["sets"]}
    return [(*style, sizes[name]) for name, style in set_styles(results).items()]


def thinned(points: list[tuple[float, Any]], distance: float) -> list[tuple[float, Any]]:
    """Those that are so far apart."""
    kept: list[tuple[float, Any]] = []
    for point in points:
        if not kept or abs(point[0] - kept[-1][0]) >= distance:
            kept.append(point)
    return kept


def spread(heights: list[float], distance: float) -> list[float]:
    """How far to move each label so that none lies on another."""
    order = sorted(range(len(heights)), key=lambda j: heights[j])
    placed = list(heights)
    for above, below in zip(order, order[1:]):
        placed[below] = max(placed[below], placed[above] + distance)
    return [new - old for new, old in zip(placed, heights)]


def panel(results: Results, entry: dict[str, Any], alpha: float) -> Chart | None:
    """The time of each rival against SVEN's, a mark a setting."""
    base = ours(results, entry["name"], alpha)
    shown = [r for r in records(results, study="singles", set=entry["name"], alpha=alpha) if r["rival"] != "SVEN"]
    limit = results["limit"]
    marks = []
    for record in shown:
        shape, colour = STYLES[record["rival"]]
        for k, seconds, gap, reached in zip(record["k"], record["seconds"], record["gap"], record["is_reached"]):
            if k in base:
                tip = f"{record['rival']} {number(seconds)} s (gap {number(gap)}), SVEN {number(base[k])} s"
                marks.append(
                    (base[k], seconds, colour, tip if reached else f"{tip}: gap not reached", shape, not reached)
                )
        if record["is_cut"] and (following := stopped_at(entry, alpha, record)) in base:
            tip = f"{record['rival']}: {record['reason']}"
            marks.append((base[following], CALL_SHARE * limit, colour, tip, shape, True))
    if not marks:
        return None
    worst = max(records(results, study="singles", set=entry["name"], alpha=alpha, rival="SVEN")[0]["gap"])
    both = [value for mark in marks for value in mark[:2]]
    y_axis = log_axis("rival, seconds", both)
    chart = Chart(
        f"{entry['name']}, {entry['n']} × {entry['p']}",
        f"{len(base)} settings, α {alpha:g}, gap: rivals ≤ {number(results['gap'])}, SVEN ≤ {number(worst)}",
        log_axis("SVEN, seconds", [mark[0] for mark in marks]),
        y_axis,
    )
    low, high = max(chart.x.low, y_axis.low), min(chart.x.high, y_axis.high)
    if low < high:
        chart.line([(low, low), (high, high)], "currentColor", "as fast as SVEN", dash="4 3")
    for x, y, colour, tip, shape, is_hollow in marks:
        chart.point(x, y, colour, tip, shape, is_hollow)
    return chart


def stopped_at(entry: dict[str, Any], alpha: float, record: Record) -> int | None:
    """The setting at which a rival was when it was stopped."""
    count = len(entry["protocols"][f"{alpha:g}"]["settings"])
    order = [k for each in visiting_order(count) for k in each]
    return order[len(record["k"])] if len(record["k"]) < count else None


def panels(results: Results, regime: str, alpha: float) -> list[Chart]:
    entries = [entry for entry in results["sets"] if entry["regime"] == regime]
    return [chart for entry in entries if (chart := panel(results, entry, alpha))]


def shown_rivals(results: Results) -> list[tuple[str, str, str]]:
    present = {record["rival"] for record in results["records"] if record["study"] == "singles" and record["seconds"]}
    return [(*style, label) for label, style in STYLES.items() if label in present]


def crossover_points(results: Results) -> list[tuple[float, float, float, str]]:
    """p/n, median seconds of primal and of dual, the shape."""
    found = []
    for entry in results["sets"]:
        times = {}
        for record in records(results, study="crossover", set=entry["name"]):
            if record["seconds"]:
                times[record["rival"]] = statistics.median(record["seconds"])
        if len(times) == 2:
            found.append(
                (entry["p"] / entry["n"], times["SVEN primal"], times["SVEN dual"], f"{entry['n']} × {entry['p']}")
            )
    return sorted(found)


def crossover(results: Results) -> Chart | None:
    points = crossover_points(results)
    if not points:
        return None
    chart = Chart(
        "Primal and dual",
        "simulated, n p constant; median of the settings, one fit from cold; gap ≤ 1e-10",
        log_axis("p / n", [point[0] for point in points]),
        log_axis("seconds", [value for point in points for value in point[1:3]]),
        width=500,
        height=320,
        right=60,
    )
    chart.line([(0.5, chart.y.low), (0.5, chart.y.high)], "currentColor", "2p = n", dash="2 3")
    chart.text(0.5, chart.y.high, "2p = n", dy=14)
    for column, label, colour in ((1, "primal", PALETTE[0]), (2, "dual", PALETTE[1])):
        chart.line([(point[0], point[column]) for point in points], colour)
        for point in points:
            chart.point(point[0], point[column], colour, f"{label}, {point[3]}: {number(point[column])} s")
        chart.text(chart.x.high, points[-1][column], label, colour, dx=5)
    return chart


def core_curves(results: Results) -> dict[str, list[tuple[int, float]]]:
    """Of each set, threads and median seconds."""
    curves: dict[str, list[tuple[int, float]]] = {}
    for record in records(results, study="cores"):
        if record["seconds"]:
            curves.setdefault(record["set"], []).append((record["threads"], statistics.median(record["seconds"])))
    return {name: sorted(points) for name, points in curves.items()}


def cores(results: Results) -> Chart | None:
    curves = {name: points for name, points in core_curves(results).items() if len(points) > 1}
    if not curves:
        return None
    most = max(points[-1][0] for points in curves.values())
    ratios = [points[0][1] / seconds for points in curves.values() for _, seconds in points]
    chart = Chart(
        "Speed-up over cores",
        "SVEN, median of the settings, one fit from cold; 1 thread is 1",
        log_axis("threads", [1, most]),
        Axis("times faster than one thread", 0, max(most, *ratios) * 1.1),
        width=500,
        height=320,
        right=90,
    )
    chart.line([(1, 1), (most, most)], "currentColor", "as many times as cores", dash="4 3")
    for k, (name, points) in enumerate(curves.items()):
        scaled = [(threads, points[0][1] / seconds) for threads, seconds in points]
        chart.line(scaled, PALETTE[k])
        for (threads, ratio), (_, seconds) in zip(scaled, points):
            chart.point(threads, ratio, PALETTE[k], f"{name}: {threads} threads, {number(seconds)} s")
        chart.text(chart.x.high, scaled[-1][1], name.replace("x", " × "), PALETTE[k], dx=5)
    return chart
