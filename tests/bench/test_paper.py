"""bench/paper: its protocol, its claims, and the whole command on the two smallest sets."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from world.paths import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from paper import claims, document, experiment, figures, originals, page, rivals, sets  # noqa: E402
from paper import main as paper_main  # noqa: E402
from paper.main import complaints  # noqa: E402
from paper.judge import visiting_order  # noqa: E402
from paper.settings import choose  # noqa: E402
from paper.worker import first_rung  # noqa: E402
from paper.svg import Axis, log_axis, number  # noqa: E402

pytestmark = pytest.mark.bench

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def test_settings_have_distinct_numbers_of_features():
    sizes = [0, 1, 1, 2, 4, 3, 4, 5, 9]
    coefficients = np.array([[1.0] * size + [0.0] * (9 - size) for size in sizes])
    assert choose(coefficients, 40) == [1, 3, 4, 5, 7, 8]
    fewer = choose(coefficients, 3)
    assert len(fewer) == 3 and fewer[0] == 1 and fewer[-1] == 8


def test_settings_are_visited_from_coarse_to_fine():
    rounds = visiting_order(12)
    assert rounds == [[0, 8], [4], [2, 6, 10], [1, 3, 5, 7, 9, 11]]
    assert sorted(k for each in visiting_order(40) for k in each) == list(range(40))
    assert visiting_order(1) == [[0]] and visiting_order(0) == []
    assert [first_rung({0: 2, 8: 6, 16: 4}, k) for k in (4, 12, 20)] == [1, 3, 3] and first_rung({}, 0) == 0


def test_a_rival_that_was_stopped_is_drawn_at_the_limit():
    results = judged_results(
        [record("SVEN", [1.0, 1.0, 1.0]), record("glmnet", [2.0], status="limit", is_cut=True, reason="late")]
    )
    results["sets"][0]["protocols"] = {"0.5": {"settings": [None] * 3}}
    chart = figures.panel(results, results["sets"][0], 0.5)
    assert sum("glmnet: late" in part for part in chart.parts) == 1
    assert chart.y.high > results["limit"]


def test_glmnet_is_compared_where_it_has_converged():
    def verdict(difference, gap, l2=1.0):
        results = judged_results([])
        protocol = {
            "source": "glmnet",
            "tolerance": 1e-14,
            "settings": [{"l2": l2}, {"l2": l2}],
            "largest_coefficient": 1.0,
            "gap_sven": [0, 0],
        }
        results["sets"][0]["protocols"] = {"0.5": {**protocol, "difference": difference, "gap_reference": gap}}
        return claims.same_solutions(results)

    assert verdict([1e-6, 1e-7], [1e-12, 1e-12]).verdict == "holds"
    assert verdict([1e-3, 1e-7], [1e-12, 1e-12]).verdict == "does not hold"
    assert verdict([1e-3, 1e-7], [1e-4, 1e-12]).verdict == "holds"
    # The Lasso: there may be many solutions.
    assert verdict([1e-3, 1e-7], [1e-8, 1e-12], l2=0).verdict == "holds"
    assert verdict([1e-3, 1e-7], [1e-12, 1e-12], l2=0).verdict == "does not hold"
    unjudged = verdict([1e-3, 1e-3], [1e-4, 1e-4])
    assert unjudged.verdict == "not measured" and "the same at 0 of 2 settings" in unjudged.lines()[0]


def test_the_verdict_on_a_smoke_run():
    def wrong(record):
        return complaints({"gap": 1e-6, "records": [record], "sets": []})

    assert wrong(record("glmnet", [1.0], gap=[1e-7])) == []
    assert "gap 1.0e-05" in wrong(record("glmnet", [1.0], gap=[1e-5]))[0]
    assert "promised 1e-10" in wrong(record("SVEN", [1.0], gap=[1e-9]))[0]
    assert wrong(record("LIBLINEAR", [], status="failed", reason="RuntimeError: this build has no LIBLINEAR")) == []
    assert "out of order" in wrong(record("LIBLINEAR", [], status="failed", reason="out of order"))[0]


def test_axes():
    assert log_axis("s", [1e-4, 2.0]).ticks() == pytest.approx([1e-4, 1e-3, 1e-2, 1e-1, 1])
    assert Axis("", 0.9, 4.2, True).ticks() == pytest.approx([1, 2])
    assert Axis("", -0.13, 0.61).ticks() == pytest.approx([0, 0.2, 0.4, 0.6], abs=1e-12)
    assert [number(value) for value in (0, 1e-16, 0.0123, 512.3, 1234.5, 3e7)] == [
        "0",
        "1e-16",
        "0.0123",
        "512",
        "1234",
        "3e7",
    ]


def record(rival, seconds, **more):
    count = len(seconds)
    key = {"study": "singles", "set": "tall", "alpha": 0.5, "rival": rival, "threads": 1, "status": "ok"}
    return {
        **key,
        "is_cut": False,
        "k": list(range(count)),
        "seconds": seconds,
        "gap": [1e-12] * count,
        "is_reached": [True] * count,
        **more,
    }


def judged_results(records):
    results = {"gap": 1e-6, "limit": 9, "alphas": [0.5], "records": records, "paths": [], "missing": []}
    results["sets"] = [{"name": "tall", "n": 1000, "p": 20, "regime": sets.TALL, "protocols": {}}]
    return results


def judged(records):
    return {claim.claim: claim for claim in claims.all_claims(judged_results(records), [])}


def test_claims_follow_the_numbers():
    name = "n >> p: SVEN on the CPU is as fast as the fastest rival or faster"
    ours = record("SVEN", [1.0, 1.0, 1.0])
    found = judged([ours, record("glmnet", [2.0, 4.0, 3.0]), record("Shotgun", [9.0, 9.0, 9.0])])
    assert found[name].verdict == "holds" and found[name].lines() == ["tall: α 0.5 3 times, glmnet"]
    assert judged([ours, record("glmnet", [0.5, 0.5, 0.5])])[name].verdict == "does not hold"
    # A rival that did not reach the gap is no rival.
    unfinished = record("glmnet", [0.5, 0.5, 0.5], is_reached=[False] * 3)
    assert judged([ours, unfinished])[name].verdict == "not measured"
    flat = "n >> p: the time hardly depends on t and λ₂"
    assert judged([record("SVEN dual", [1.0, 1.5])])[flat].verdict == "holds"
    assert judged([record("SVEN dual", [1.0, 2.5])])[flat].verdict == "does not hold"
    assert judged([])["The GPU is ahead of all"].verdict == "not measured"
    machine = "(not in the paper) our machine is as fast as LIBLINEAR and libsvm on the squared hinge"
    explicit = record("SVEN explicit", [1.0, 1.0])
    assert judged([explicit, record("libsvm", [5.0, 7.0])])[machine].lines() == ["tall: libsvm 6 times"]
    never = judged([explicit, record("libsvm", [5.0, 7.0], is_reached=[False] * 2)])[machine]
    assert never.verdict == "not measured" and "at no setting (best 1e-12)" in never.lines()[0]


def test_claims_say_on_how_many_sets_they_hold():
    parts = [claims.Part("a", "x", True, 4.0), claims.Part("b", "y", False, 0.5), claims.Part("a", "z", True, 2.0)]
    found = claims.judge("it", parts)
    assert (found.verdict, found.short) == ("holds in part", "2 of 3: 0.5 to 4 times, median 2.")
    assert found.lines() == ["a: x; z", "b: y"]
    assert claims.judge("it", [claims.Part("a", "x", None)]).verdict == "not measured"


@pytest.fixture(scope="module", name="smoke")
def run_smoke(tmp_path_factory):
    """The whole command on the two smallest sets."""
    folder = tmp_path_factory.mktemp("paper")
    command = [sys.executable, ROOT / "bench/paper/run", "--smoke", "--quiet", "-o", folder]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "every gap is as promised" in result.stdout
    return folder


def test_smoke_measures_every_rival(smoke):
    results = json.loads((smoke / "results.json").read_text())
    singles = {(r["set"], r["rival"]): r for r in results["records"] if r["study"] == "singles"}
    for name in ("prostate", "60x200"):
        for rival in (
            "SVEN",
            "SVEN primal",
            "SVEN dual",
            "SVEN explicit",
            "Shotgun",
            "L1_LS",
            "libsvm",
            "scikit-learn",
        ):
            found = singles[name, rival]
            assert found["status"] == "ok" and len(found["k"]) == 6 and all(found["is_reached"])
            assert all(seconds > 0 for seconds in found["seconds"])
    protocol = results["sets"][0]["protocols"]["0.5"]
    assert len({setting["selected"] for setting in protocol["settings"]}) == 6
    assert max(protocol["difference"]) <= 1e-5 * protocol["largest_coefficient"]
    assert {record["threads"] for record in results["records"] if record["study"] == "cores"} >= {1}


def test_a_run_is_resumed(smoke):
    """Nothing is measured twice."""
    before = json.loads((smoke / "results.json").read_text())
    before["records"] = [r for r in before["records"] if (r["set"], r["rival"]) != ("60x200", "Shotgun")]
    (smoke / "results.json").write_text(json.dumps(before))
    command = [sys.executable, ROOT / "bench/paper/run", "--smoke", "--resume", "-o", smoke]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    after = json.loads((smoke / "results.json").read_text())
    assert after["records"][:-1] == before["records"]
    assert (after["records"][-1]["set"], after["records"][-1]["rival"]) == ("60x200", "Shotgun")
    assert "[1/1 " in result.stderr


def test_a_resumed_run_names_every_commit():
    assert experiment.commits({"commit": "a1"}, {"commit": "a1"}) == "a1"
    assert experiment.commits({"commit": "a1 and b2"}, {"commit": "c3"}) == "a1 and b2 and c3"
    assert experiment.commits({"commit": "a1 and b2"}, {"commit": "a1"}) == "a1 and b2"


def test_settings_of_another_run_are_measured_again(smoke, tmp_path):
    """Another machine has no R; its settings are those of a run that had. What is late is left for a resumption."""
    command = [sys.executable, ROOT / "bench/paper/run", "--smoke", "--quiet", "--settings-of", smoke / "results.json"]
    more = ["--rivals", "SVEN,SVEN dual", "--studies", "singles", "-o", tmp_path]
    late = subprocess.run([*command, *more, "--within", "0"], capture_output=True, text=True, check=False)
    assert late.returncode == 0, late.stdout + late.stderr
    assert json.loads((tmp_path / "results.json").read_text())["records"] == []
    result = subprocess.run([*command, *more, "--resume"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    before, after = (json.loads((folder / "results.json").read_text()) for folder in (smoke, tmp_path))
    assert [r["rival"] for r in after["records"]] == ["SVEN", "SVEN dual"] * 2
    kept = {entry["name"]: entry["protocols"] for entry in before["sets"]}
    assert all(entry["protocols"] == kept[entry["name"]] for entry in after["sets"])


def test_one_alpha_stopped_does_not_cost_the_other(smoke, tmp_path, monkeypatch):
    """A solver that hangs in the Lasso only: the elastic net before and after it is kept."""
    (tmp_path / "hanging.py").write_text(
        "import time\nfrom paper.rivals import SvenSingle\n\n\nclass Hanging(SvenSingle):\n"
        "    def path(self, tolerance):\n        if self.task.alpha == 1:\n            time.sleep(99)\n"
        "        return super().path(tolerance)\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT / 'bench'}")
    arguments = ["--smoke", "--quiet", "--sets", "60x200", "--rivals", "SVEN", "--studies", "singles"]
    options = paper_main.arguments([*arguments, "--alpha", "1,0.5", "-o", str(tmp_path / "out")])
    options.limit, options.settings_limit = 1, 60
    monkeypatch.setitem(experiment.BY_LABEL, "SVEN", rivals.Rival("SVEN", "hanging:Hanging", "", True))
    found = experiment.Experiment(options, paper_main.plan(options)).run()["records"]
    assert [(r["alpha"], r["status"], len(r["k"])) for r in found] == [(1, "limit", 0), (0.5, "ok", 6)]
    assert found[0]["is_cut"] and found[0]["reason"] == "a call was not done within 10 s"


def test_the_page_opens_without_an_error(smoke):
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    errors = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for width, scheme in ((1280, "light"), (400, "dark")):
            view = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            view.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
            view.on("pageerror", lambda error: errors.append(str(error)))
            view.on("request", lambda request: request.url.startswith("file:") or errors.append(request.url))
            view.goto(f"file://{smoke / 'index.html'}")
            assert view.evaluate("document.documentElement.scrollWidth") <= width
            assert view.locator("figure").count() >= 4
            text = view.inner_text("body")
            for words in (
                "The claims",
                "SVEN, seconds",
                "rival, seconds",
                "prostate, 97 × 8",
                "60x200, 60 × 200",
                "p / n",
                "threads",
            ):
                assert words in text or view.locator(f"svg >> text={words}").count(), words
            stored = view.evaluate("JSON.parse(document.getElementById('results').textContent).format")
            assert stored == "sven-paper/1"
        browser.close()
    assert not errors, errors


def test_results_of_another_machine_are_drawn_apart(smoke):
    results = json.loads((smoke / "results.json").read_text())
    other = json.loads(json.dumps(results))
    other["machine"] |= {"cpu": "another processor", "gpu": "a GPU"}
    ours = next(r for r in other["records"] if (r["study"], r["rival"]) == ("singles", "SVEN"))
    other["records"].append({**ours, "rival": "SVEN GPU"})
    text = page.render(results, [other])
    head, tail = text.split("Single settings on another machine")
    assert "another processor" not in head.split("The sets")[1] and "another processor" in tail
    assert "GPU is ahead of all" in head and "the same machine (a GPU, another processor" in head


def test_the_document_is_made_of_the_results(smoke, tmp_path):
    document.take(tmp_path, [f"cpu={smoke / 'results.json'}"])
    text = document.write(tmp_path)
    original, kept = (json.loads(path.read_text()) for path in (smoke / "results.json", tmp_path / "paper/cpu.json"))
    assert kept["sets"] == original["sets"] and kept.keys() == original.keys()
    for mine, theirs in zip(kept["records"], original["records"]):
        assert mine["k"] == theirs["k"] and mine["seconds"] == pytest.approx(theirs["seconds"], rel=1e-3)
    summary = text.split("## What holds")[1].split("##")[0].strip().splitlines()
    assert len(summary) == 2 + len(claims.all_claims(kept, []))
    assert "## Claim by claim" in text and "[paper/cpu.json](paper/cpu.json)" in text
    for figure in ("figure1", "differences", "figure2-0.5", "figure3-0.5", "studies"):
        assert f"(paper/cpu-{figure}.svg)" in text
        drawing = (tmp_path / f"paper/cpu-{figure}.svg").read_text()
        assert drawing.startswith("<svg xmlns") and kept["machine"]["cpu"].split("(")[0] in drawing


def test_the_document_takes_results_only(tmp_path):
    (tmp_path / "other.json").write_text("{}")
    for pair, words in (("cpu", "is not NAME=FILE"), (f"cpu={tmp_path / 'other.json'}", "has no results of bench")):
        command = [sys.executable, ROOT / "bench/paper/document", pair, "--docs", tmp_path]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 1 and words in result.stderr and "Traceback" not in result.stderr


def test_the_committed_document_is_that_of_the_committed_results(tmp_path):
    if not list((ROOT / "docs/paper").glob("*.json")):
        pytest.skip("docs/paper has no results yet")
    shutil.copytree(ROOT / "docs/paper", tmp_path / "paper")
    for figure in (tmp_path / "paper").glob("*.svg"):
        figure.unlink()
    assert document.write(tmp_path) == (ROOT / "docs/paper.md").read_text()
    for figure in (ROOT / "docs/paper").glob("*.svg"):
        assert (tmp_path / "paper" / figure.name).read_text() == figure.read_text(), figure.name


def test_figures_leave_out_what_was_not_measured():
    results = {"sets": [], "records": [], "paths": [], "alphas": [1.0], "limit": 1, "gap": 1e-6}
    assert figures.prostate(results) is None and figures.crossover(results) is None and figures.cores(results) is None
    assert figures.panels(results, sets.WIDE, 1.0) == [] and figures.shown_rivals(results) == []
    assert originals.find(ROOT / "data", ("prostate",)).name == "prostate.csv"
