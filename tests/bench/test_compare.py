"""bench/compare by the command itself: time against gap, and a run that goes on where it was stopped."""

import json
import subprocess
import sys

import pytest
from world.paths import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from harness.curve import JUDGED_GAPS, ROUNDING  # noqa: E402
from harness.report import geometric_mean  # noqa: E402
from harness.worker import CURVE_GAPS  # noqa: E402

pytestmark = pytest.mark.bench

SETS = ["60x40", "40x90@0.05"]
PEER = "scikit-learn"
SHORT = ["--settings", "6", "--repeats", "1", "--threads", "1", "--installed", "--quiet"]


def compare(folder, *arguments):
    command = [sys.executable, ROOT / "bench/compare", *SHORT, "--sets", ",".join(SETS), "-o", folder, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads((folder / "results.json").read_text())


@pytest.fixture(scope="module")
def curves(tmp_path_factory):
    folder = tmp_path_factory.mktemp("curve")
    return compare(folder, "--curve", "--peers", PEER), folder


def last_points(results, name, solver):
    """Of each tolerance what was measured last."""
    return {
        point["tolerance"]: point for point in results["points"] if (point["set"], point["solver"]) == (name, solver)
    }


@pytest.mark.parametrize("name", SETS)
def test_every_gap_of_the_curve_is_kept(curves, name):
    """What sven is asked for, recomputed; and the peer is followed from a useless gap to the last of the curve."""
    results, _ = curves
    ours = last_points(results, name, "sven")
    assert sorted(ours, reverse=True) == CURVE_GAPS
    for asked, point in ours.items():
        assert 0 <= point["gap"] <= asked * ROUNDING
    theirs = list(last_points(results, name, PEER).values())
    tolerances = [point["tolerance"] for point in theirs]
    assert tolerances == sorted(tolerances, reverse=True) and tolerances[0] > 1e-4 > tolerances[-1]
    assert theirs[-1]["gap"] <= CURVE_GAPS[-1] < theirs[0]["gap"]


def test_the_ratios_of_the_curve_are_those_of_its_points(curves):
    results, folder = curves
    (group,) = json.loads((folder / "curve.json").read_text())["groups"]
    places = [(cell["set"], cell["gap"]) for cell in group["cells"]]
    assert places == [(name, gap) for name in SETS for gap in CURVE_GAPS]
    for cell in group["cells"]:
        theirs = last_points(results, cell["set"], PEER).values()
        fastest = min(point["seconds"] for point in theirs if point["gap"] <= cell["gap"] * ROUNDING)
        assert cell["seconds"] == last_points(results, cell["set"], "sven")[cell["gap"]]["seconds"]
        assert (cell["peer"], cell["is_bound"]) == (PEER, False)
        assert cell["ratio"] == pytest.approx(fastest / cell["seconds"])
    for summary in group["gaps"]:
        ratios = [cell["ratio"] for cell in group["cells"] if cell["gap"] == summary["gap"]]
        assert summary["sets"] == len(SETS) and summary["ahead"] == sum(ratio >= 1 for ratio in ratios)
        assert (summary["worst"], summary["mean"]) == (min(ratios), pytest.approx(geometric_mean(ratios)))
        is_met = min(ratios) >= 1 and summary["mean"] >= 3
        assert summary["is_met"] == is_met


def test_the_table_of_the_curve_shows_its_cells(curves):
    _, folder = curves
    (group,) = json.loads((folder / "curve.json").read_text())["groups"]
    lines = [line.strip("|").split("|") for line in (folder / "curve.md").read_text().splitlines()]
    by_name = {line[0].strip(): [cell.strip() for cell in line[1:]] for line in lines}
    assert by_name["set"] == ["1e-1", "1e-2", "1e-3", "1e-4", "1e-6", "1e-8", "1e-10"]
    for cell in group["cells"]:
        text = by_name[cell["set"]][CURVE_GAPS.index(cell["gap"])]
        assert text == f"{cell['seconds']:.3g} ({cell['ratio']:.2g}x {PEER})"
    verdicts = dict(zip(CURVE_GAPS, by_name["target"], strict=True))
    for summary in group["gaps"]:
        expected = "" if summary["gap"] not in JUDGED_GAPS else "reached" if summary["is_met"] else "**missed**"
        assert verdicts[summary["gap"]] == expected


def without(results, name, solver):
    """The results of a run that was stopped before it came to one solver on one set."""
    kept = dict(results)
    for part in ("rows", "points"):
        kept[part] = [entry for entry in results[part] if (entry["set"], entry["solver"]) != (name, solver)]
        assert len(kept[part]) < len(results[part])
    return kept


@pytest.mark.parametrize("removed", [PEER, "sven"])
def test_a_run_goes_on_where_it_was_stopped(curves, tmp_path, removed):
    """Whatever is there stays as it is, to the bit, and nothing of it is called again; what is missing is measured."""
    name = SETS[1]
    before = without(curves[0], name, removed)
    (tmp_path / "results.json").write_text(json.dumps(before))
    after = compare(tmp_path, "--curve", "--peers", PEER, "--resume")
    assert after["sets"] == before["sets"] and after["ceilings"] == before["ceilings"]
    for part in ("rows", "points"):
        new = [entry for entry in after[part] if (entry["set"], entry["solver"]) == (name, removed)]
        assert [entry for entry in after[part] if entry not in new] == before[part]
        assert new and all(entry["seconds"] > 0 for entry in new)
    assert [row["status"] for row in after["rows"]] == ["ok"] * 2 * len(SETS)
    assert [log.name for log in (tmp_path / "logs").iterdir()] == [f"{name}-standardised-0.5-{removed}.log"]
    line = next(text for text in (tmp_path / "curve.md").read_text().splitlines() if text.startswith(f"| {name} "))
    assert line.count(f"x {PEER})") == len(CURVE_GAPS)
