"""The table of bench/compare says what the rows say, and no more."""

import json
import sys

import pytest
from world.paths import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from harness import curve, report  # noqa: E402

pytestmark = pytest.mark.bench


def entry(name, n, p):
    return {"name": name, "form": "raw", "n": n, "p": p, "is_sparse": False, "bytes": 8 * n * p, "pass_seconds": 0.001}


def row(name, solver, mode, seconds, gap=1e-9, status="ok", **more):
    place = {"set": name, "form": "raw", "alpha": 1.0, "solver": solver, "mode": mode, "status": status}
    return {**place, "seconds": seconds, "gap": gap, "times": [seconds], **more}


def table_of(rows, tmp_path, sets=("wide",)):
    results = {
        "command": "bench/compare",
        "settings": 40,
        "single": None,
        "target_gap": 1e-8,
        "limit": 60,
        "peers": ["one", "two"],
        "ceilings": {"read_bytes_per_second": 1e10, "gemm_flops_per_second": 1e11},
        "machine": {"cpu": "a", "threads": 2, "versions": {}, "commit": "b", "date": "2030-01-01T00:00"},
        "sets": [entry(name, 100, 1000) for name in sets],
        "rows": rows,
        "points": [],
    }
    report.write(results, tmp_path, plots=False)
    lines = (tmp_path / "results.md").read_text().splitlines()
    return {
        line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]]
        for line in lines[::-1]
        if "|" in line
    }


def test_the_fastest_peer_is_named_with_its_ratio(tmp_path):
    rows = [
        row("wide", "sven", "default", 0.01, 1e-15),
        row("wide", "one", "default", 0.2, 1e-3),
        row("wide", "two", "default", 0.3, 1e-3),
        row("wide", "one", "matched", 60.0, 1e-6, "limit", reason="slow"),
        row("wide", "two", "matched", 5.0),
    ]
    line = table_of(rows, tmp_path)["wide"]
    assert line[2:6] == ["one 0.2 (1e-3)", "20", "two 5 (1e-9)", "500"]
    assert line[6] == "10 passes"


def test_a_peer_without_an_answer_is_no_rival(tmp_path):
    rows = [
        row("wide", "sven", "default", 0.01, 1e-15),
        row("wide", "one", "default", 0.001, 0.9),
        row("wide", "two", "default", 0.3, 1e-3),
        row("wide", "one", "matched", None, status="failed", reason="no"),
        row("wide", "two", "matched", 60.0, 1e-6, "limit", reason="slow"),
    ]
    line = table_of(rows, tmp_path)["wide"]
    assert line[2:6] == ["two 0.3 (1e-3)", "30", "two ≥ 60 (1e-6)", "≥ 6e+03"]


@pytest.mark.parametrize("status", ["limit", "failed"])
def test_a_set_that_sven_does_not_solve_is_a_target_missed(tmp_path, status):
    lost = row("wide", "sven", "default", 60.0, status=status, reason="not done within 60 s")
    rows = [
        {**lost, "seconds": None} if status == "failed" else lost,
        row("wide", "one", "default", 0.2, 1e-3),
        row("good", "sven", "default", 0.01, 1e-15),
        row("good", "one", "default", 0.2, 1e-3),
    ]
    lines = table_of(rows, tmp_path, ("wide", "good"))
    name = "sven solves every set, gap of every setting ≤ 1e-10"
    assert lines[name] == ["largest 1e-15; not done: wide", "**missed**"]
    if status == "limit":
        assert lines["wide"][3] == "≤ 0.00333"
        assert lines["every set, fastest peer at its default: ≥ 2x"][1] == "**missed**"


def test_the_curve_sets_sven_beside_the_fastest_peer_that_is_there(tmp_path):
    def point(solver, tolerance, seconds, gap):
        return {**row("wide", solver, "curve", seconds, gap), "tolerance": tolerance}

    points = [
        point("sven", 1e-2, 0.9, 7e-3),
        point("sven", 1e-2, 0.01, 7e-3),  # the median of the repeated calls replaces the first
        point("sven", 1e-3, 0.02, 2e-3),  # not what it promised
        point("one", 1e-4, 0.001, 3e-2),  # faster, but not there
        point("one", 1e-5, 0.04, 6e-3),
        point("two", 1e-7, 0.03, 1e-5),
    ]
    results = {
        "command": "bench/compare --curve",
        "machine": {"threads": 1, "cpu": "any"},
        "sets": [{"name": "wide", "form": "raw"}],
        "peers": ["one", "two"],
        "rows": points,
        "points": points,
    }
    curve.write(results, tmp_path, plots=False)
    line = next(text for text in (tmp_path / "curve.md").read_text().splitlines() if text.startswith("| wide"))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[2] == "0.01 (3x two)"
    assert cells[3] == "not reached"


def test_the_curve_counts_what_is_ahead_what_is_worst_and_what_nobody_reached(tmp_path):
    def point(name, solver, tolerance, seconds, gap):
        return {**row(name, solver, "curve", seconds, gap), "tolerance": tolerance}

    points = [
        point("won", "sven", 1e-2, 0.01, 7e-3),
        point("won", "one", 1e-5, 0.09, 6e-3),
        point("lost", "sven", 1e-2, 0.04, 7e-3),
        point("lost", "one", 1e-5, 0.01, 6e-3),
        point("alone", "sven", 1e-2, 2.0, 7e-3),
        point("alone", "one", 1e-5, 1.0, 0.3),
        point("open", "sven", 1e-2, 2.0, 0.4),
        point("long", "sven", 1e-2, 2.0, 7e-3),
    ]
    stopped = [row("long", "one", "curve", 30.0, 0.3, "limit", reason="slow")]
    results = {
        "command": "bench/compare --curve --processor",
        "clock": "processor",
        "limit": 20.0,
        "machine": {"threads": 1, "cpu": "any"},
        "sets": [{"name": name, "form": "raw"} for name in ("won", "lost", "alone", "open", "long")],
        "peers": ["one"],
        "rows": points + stopped,
        "points": points,
    }
    curve.write(results, tmp_path, plots=False)
    text = (tmp_path / "curve.md").read_text()
    lines = {cells[0]: cells[1:] for cells in ([c.strip() for c in x.strip("|").split("|")] for x in text.splitlines())}
    assert "Processor seconds of sven" in text
    assert lines["alone"][1] == "2 (≥ 10x none)"
    assert lines["open"][1] == "not reached"
    assert lines["long"][1] == "2 (≥ 15x none)"
    assert lines["ahead"][1] == "3 of 5"
    assert lines["worst ratio"][1] == "0.25x lost"
    assert lines["geometric mean"][1] == "4.3x"
    assert lines["target"][:2] == ["", "**missed**"]
    summary = json.loads((tmp_path / "curve.json").read_text())["groups"][0]["gaps"][1]
    assert summary["ahead"] == 3 and summary["sets"] == 5 and not summary["is_met"]
