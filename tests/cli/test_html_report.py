"""The report in a real Chromium: no errors, the right hover text, the numbers of the JSON."""
import json
import re
import shutil

import pytest

from cli.command import PROSTATE, files, succeed, sven

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


@pytest.fixture(scope="module", name="browser")
def open_browser():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module", name="folder")
def make_reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    succeed("cv", PROSTATE, "--target", "lpsa", "--alpha", "0.5,1", "--save", "cv.json", "--report", "cv.html",
            folder=folder)
    succeed("path", PROSTATE, "--alpha", 0.5, "-o", "path.json", "--report", "path.html", folder=folder)
    return folder


class Page:
    """A page that remembers what went wrong on it, and refuses the network."""

    def __init__(self, browser, path, width=1280, **options):
        self.errors = []
        self.page = browser.new_page(viewport={"width": width, "height": 900}, **options)
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: None if request.url.startswith(("file:", "data:"))
                     else self.errors.append(request.url))
        self.page.goto(f"file://{path}")
        self.page.wait_for_selector("#paths-lambda svg polyline", state="attached")

    def close(self):
        self.page.close()
        assert not self.errors, self.errors


@pytest.mark.parametrize("name", ["cv.html", "path.html"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_errors_and_no_overflow(browser, folder, name, width, scheme):
    page = Page(browser, folder / name, width, color_scheme=scheme)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    paper = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    page.page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
    page.close()


def test_fold_fits_that_missed_the_tolerance_are_told_of(browser, folder):
    """Of results that say so, of results that had no field for it, and of results without any."""
    answer = sven("cv", PROSTATE, "--tolerance", 1e-17, "--json").json
    (folder / "missed.json").write_text(json.dumps(answer))
    missed = answer["cross_validation"]["missed"]
    for setting in answer["curves"][0]["settings"]:
        del setting["fold_gaps"], setting["fold_statuses"]
        setting["status"] = "optimal"
    for key in ("missed", "fold_fits", "worst_gap"):
        del answer["cross_validation"][key]
    (folder / "old.json").write_text(json.dumps(answer))
    for name in ("missed", "old"):
        succeed("report", f"{name}.json", "-o", f"{name}.html", folder=folder)
    page = Page(browser, folder / "missed.html")
    text = page.page.inner_text("#warnings")
    assert f"{missed} of 1,000 fold fits missed the tolerance 1e-17" in text.replace("\u202f", ",")
    assert re.search(r"^\d+ of 100 settings missed the tolerance", text)
    page.close()
    for name in ("old.html", "cv.html"):
        page = Page(browser, folder / name)
        assert not page.page.is_visible("#warnings")
        page.close()


def test_columns_that_were_left_out_are_told_of(browser, folder):
    """Beside what is proven, in the table and in the chart; nothing of it where there are none."""
    lines = PROSTATE.read_text().splitlines()
    flat = [f"{10**15 + k % 4 / 4!r},{line}" for k, line in enumerate(lines[1:])]
    (folder / "flat.csv").write_text("\n".join([f"flat,{lines[0]}", *flat]) + "\n")
    outcome = sven("path", "flat.csv", "--report", "flat.html", folder=folder)
    assert outcome.code == 0 and 'column "flat"' in outcome.err
    for name, is_there in (("flat.html", True), ("path.html", False)):
        page = Page(browser, folder / name)
        assert ("left out" in page.page.text_content("#settings thead")) == is_there
        assert ("left out, constant but for rounding" in page.page.text_content("#data-summary")) == is_there
        page.page.focus("#gaps svg")
        page.page.keyboard.press("ArrowRight")
        text = page.page.inner_text("#tip")
        assert "undecided" in text and text.endswith(", 1 left out") == is_there
        page.close()


def test_the_table_has_the_proof_of_each_feature(browser, folder):
    """What is undecided is listed without a coefficient, too; what is zero where it is looked for."""
    succeed("path", PROSTATE, "--family", "binomial", "--target", "svi", "--report", "proofs.html", "-o", "proofs.json", folder=folder)
    settings = json.loads((folder / "proofs.json").read_text())["settings"]
    at = next(k for k, setting in enumerate(settings) if setting["undecided_zeros"])
    page = Page(browser, folder / "proofs.html")
    page.page.evaluate(f"setSetting({at})")
    rows = "[...document.querySelectorAll('#features tbody tr')].slice(0, -1).map((row) => [...row.cells].map((cell) => cell.textContent))"
    told = {row[0]: row[-1] for row in page.page.evaluate(rows)}
    expected = {entry["feature"]: entry["proof"] for entry in settings[at]["coefficients"]}
    assert told == {**expected, **{entry["feature"]: "undecided" for entry in settings[at]["undecided_zeros"]}}
    zero = next(entry["feature"] for entry in settings[-1]["coefficients"] if entry["feature"] not in told)
    page.page.fill("#search", zero)
    assert page.page.evaluate(rows)[0][-1] == "zero"
    page.close()


def test_hover_names_feature_value_and_setting(browser, folder):
    cv = json.loads((folder / "cv.json").read_text())
    best = cv["curves"][cv["best_curve"]]
    k = best["min"]
    setting = best["settings"][k]
    page = Page(browser, folder / "cv.html")
    largest = max(setting["coefficients"], key=lambda entry: abs(entry["standardized"]))
    place = page.page.evaluate("""([k, value]) => {
        const chart = charts[0];
        chart.svg.scrollIntoView({block: 'center'});
        const box = chart.svg.getBoundingClientRect();
        const zoom = box.width / chart.width;
        return [box.left + chart.x(chart.xs[k]) * zoom, box.top + chart.y(value) * zoom];
    }""", [k, largest["standardized"]])
    page.page.mouse.move(*place)
    text = page.page.inner_text("#tip")
    assert text.split("\n")[0] == largest["feature"]
    shown = [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text.split("\n", 1)[1])]
    expected = [largest["value"], largest["standardized"], k + 1, setting["lambda"], setting["t"]]
    assert shown == pytest.approx(expected, rel=1e-5)
    page.page.mouse.click(*place)
    assert largest["feature"] in page.page.inner_text("#pinned")
    page.page.click("#pinned button")
    assert page.page.inner_text("#pinned").strip() == ""
    page.close()


def test_the_keyboard_reaches_all(browser, folder):
    page = Page(browser, folder / "cv.html")
    page.page.focus("#paths-lambda svg")
    page.page.keyboard.press("ArrowRight")
    first = page.page.inner_text("#tip")
    page.page.keyboard.press("ArrowDown")
    assert page.page.inner_text("#tip").split("\n")[0] != first.split("\n")[0]
    page.page.keyboard.press("Enter")
    assert page.page.inner_text("#pinned").startswith("pinned")
    page.page.focus("#setting")
    before = page.page.inner_text("#setting-text")
    page.page.keyboard.press("ArrowRight")
    assert page.page.inner_text("#setting-text") != before
    page.close()


@pytest.mark.parametrize(("chart", "enter"),
                         [("cv-curve", True), ("nonzero", True), ("gaps", True), ("scatter", False)])
def test_the_keyboard_reads_every_chart(browser, folder, chart, enter):
    page = Page(browser, folder / "cv.html")
    page.page.focus(f"#{chart} svg")
    page.page.keyboard.press("ArrowRight")
    first = page.page.inner_text("#tip")
    page.page.keyboard.press("ArrowRight")
    assert page.page.inner_text("#tip") != first != ""
    before = page.page.input_value("#setting")
    page.page.keyboard.press("Enter")
    assert (page.page.input_value("#setting") == str(int(before) + 1)) == enter
    page.page.keyboard.press("ArrowLeft")  # the chart was drawn anew, and still has the focus
    assert page.page.inner_text("#tip") == first
    page.page.keyboard.press("Escape")
    assert page.page.locator("#tip").is_hidden()
    page.close()


def test_only_what_can_be_chosen_is_offered(browser, folder):
    for name, is_offered in [("cv.html", True), ("path.html", False)]:
        page = Page(browser, folder / name)
        assert page.page.locator("#curve-control").is_visible() == is_offered
        page.close()


def table(page):
    rows = page.page.locator("#features tbody tr").all_inner_texts()
    return [row.split("\t") for row in rows]


def test_the_numbers_are_those_of_the_json(browser, folder):
    cv = json.loads((folder / "cv.json").read_text())
    best = cv["curves"][cv["best_curve"]]
    setting = best["settings"][cv["cross_validation"]["setting"]]
    page = Page(browser, folder / "cv.html")
    rows = table(page)
    expected = sorted(setting["coefficients"], key=lambda entry: -abs(entry["standardized"]))
    assert [row[0] for row in rows[:-1]] == [entry["feature"] for entry in expected]
    for row, entry in zip(rows, expected):
        assert [float(row[1]), float(row[2])] == pytest.approx([entry["value"], entry["standardized"]], rel=1e-5)
    assert float(rows[-1][1]) == pytest.approx(setting["intercept"], rel=1e-5)
    figures = page.page.inner_text("#figures")
    assert f"{setting['nonzero']} of 8" in figures
    embedded = json.loads(page.page.inner_text("#results"))
    for one, curve in zip(embedded["curves"], cv["curves"]):
        for key in ["lambda", "t", "mean", "standard_error", "gap", "nonzero", "intercept"]:
            assert one[key] == [entry[key] for entry in curve["settings"]]
        for k, entry in enumerate(curve["settings"]):
            assert one["value"][k] == [c["value"] for c in entry["coefficients"]]
            assert [embedded["features"][f] for f in one["features"][k]] == [c["feature"] for c in entry["coefficients"]]
    page.page.click("#features th:first-child button")
    assert [row[0] for row in table(page)[:-1]] == sorted(entry["feature"] for entry in expected)
    page.page.select_option("#curve", "0")
    page.page.click("text=lambda.min")
    other = cv["curves"][0]
    assert len(table(page)) - 1 == other["settings"][other["min"]]["nonzero"]
    page.close()


def test_report_command_makes_the_same_page(folder):
    for name in ("cv", "path"):
        succeed("report", f"{name}.json", "-o", "again.html", folder=folder)
        assert (folder / "again.html").read_text() == (folder / f"{name}.html").read_text()


def test_names_cannot_break_the_page(browser, tmp_path):
    (tmp_path / "d.csv").write_text('"</script><b>x","a & <i>",y\n1,2,4\n2,9,3\n5,1,7\n3,3,1\n4,0,2\n')
    succeed("cv", "d.csv", "--folds", 2, "--choose", "min", "-q", "--report", "r.html", folder=tmp_path)
    page = Page(browser, tmp_path / "r.html")
    assert page.page.locator("main b, main i:not(.left):not(.right)").count() == page.page.locator("#figures b").count()
    page.close()


def test_a_hundred_thousand_features(browser, tmp_path):
    succeed("simulate", "X.npz", "--y-out", "y.npy", "--rows", 120, "--features", 100_000, "--density", 0.02,
            folder=tmp_path)
    succeed("path", "X.npz", "--y", "y.npy", "--n-lambda", 40, "-q", "--report", "r.html", folder=tmp_path)
    assert (tmp_path / "r.html").stat().st_size < 3_000_000
    page = Page(browser, tmp_path / "r.html")
    drawn = page.page.locator("#paths-lambda polyline").count()
    selected = page.page.evaluate("new Set(curve().features.flat()).size")
    assert drawn == selected <= page.page.evaluate("results.features.length") < 2000
    page.close()


RESULTS = {
    "a model": ('{"format": "sven-model/1"}', "this is not a sven-path or sven-cv file, but a sven-model file"),
    "version": ('{"format": "sven-cv/9"}', 'the format is "sven-cv/9", but this sven reads sven-cv/1 only'),
    "cut": ('{"format": "sven-path/1"}', 'the file is damaged: it has no "sven"'),
}


@pytest.mark.parametrize("case", RESULTS)
def test_what_cannot_be_shown(tmp_path, case):
    text, message = RESULTS[case]
    (tmp_path / "r.json").write_text(text)
    outcome = sven("report", "r.json", folder=tmp_path)
    assert (outcome.code, outcome.err) == (1, f"sven: r.json: {message}\n")
    assert list(files(tmp_path)) == ["r.json"]


def test_the_table_is_searched_and_told_what_is_proven(browser, folder):
    page = Page(browser, folder / "cv.html")
    rows = "#features tbody tr"
    assert page.page.locator(rows).count() == 5
    assert page.page.locator(f"{rows} td:last-child").all_inner_texts()[:4] == ["selected"] * 4
    page.page.fill("#search", "WEI")
    assert page.page.locator(f"{rows} td:first-child").all_inner_texts() == ["lweight", "(intercept)"]
    assert page.page.inner_text("#found") == "1 found, 3 others selected"
    page.page.fill("#search", "")
    assert page.page.locator(rows).count() == 5 and page.page.inner_text("#found") == ""
    page.close()


# Chromium drops the downloads of a page after the tenth in a second.
def saved(page, selector, folder):
    page.page.wait_for_timeout(120)
    with page.page.expect_download() as download:
        page.page.click(selector)
    download.value.save_as(folder / download.value.suggested_filename)
    return download.value.suggested_filename, (folder / download.value.suggested_filename).read_text()


def test_charts_are_saved(browser, folder, tmp_path):
    page = Page(browser, folder / "cv.html")
    for chart in page.page.evaluate("charts.map((chart) => chart.holder.id)"):
        name, text = saved(page, f"#{chart} ~ .save:text('SVG')", tmp_path)
        assert name == f"{chart}.svg" and text.startswith("<?xml") and "fill: rgb(" in text and "var(--" not in text
    page.close()


def test_tables_are_saved(browser, folder, tmp_path):
    page = Page(browser, folder / "cv.html")
    name, text = saved(page, "#more ~ .save", tmp_path)
    cv = json.loads((folder / "cv.json").read_text())
    chosen = cv["curves"][cv["best_curve"]]["settings"][cv["cross_validation"]["setting"]]
    lines = text.splitlines()
    assert name == "features.csv" and lines[0] == "feature,coefficient,standardized,proof"
    assert lines[1] == f"(intercept),{chosen['intercept']!r},,"
    assert all(line.endswith(",selected") for line in lines[2:])
    values = {line.split(",")[0]: float(line.split(",")[1]) for line in lines[2:]}
    assert values == {entry["feature"]: entry["value"] for entry in chosen["coefficients"]}
    page.page.click("summary")
    name, text = saved(page, "#settings-holder ~ .save", tmp_path)
    assert name == "settings.csv" and len(text.splitlines()) == 101
    name, text = saved(page, "#scatter ~ .save:text('CSV')", tmp_path)
    assert name == "fitted.csv" and len(text.splitlines()) == 98
    page.close()


def test_all_alphas_are_in_one_chart_and_can_be_chosen(browser, folder):
    page = Page(browser, folder / "cv.html")
    assert page.page.locator("#alphas polyline").count() == 2
    page.page.focus("#alphas svg")
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowRight")
    assert "alpha 1" in page.page.inner_text("#tip")
    page.page.keyboard.press("Enter")
    assert page.page.input_value("#curve") == "1"
    page.close()
    page = Page(browser, folder / "path.html")
    assert not page.page.is_visible("#all-alphas")
    page.close()


def test_residuals_are_those_of_the_fit(browser, folder):
    page = Page(browser, folder / "cv.html")
    fitted = json.loads((folder / "cv.json").read_text())["fitted"]
    assert page.page.locator("#residuals circle.dot").count() == len(fitted["actual"]) == 97
    middle = page.page.evaluate("[0.1, 0.5, 0.975, 1e-4].map(normalQuantile)")
    assert middle == pytest.approx([-1.2815515655, 0, 1.9599639845, -3.7190164855], abs=1e-8)
    page.page.focus("#residuals svg")
    page.page.keyboard.press("ArrowRight")
    first = min(range(97), key=lambda k: fitted["predicted"][k])
    assert page.page.inner_text("#tip").splitlines()[0] == f"row {fitted['rows'][first]}"
    page.close()


def test_a_single_fit_has_no_paths(browser, folder):
    succeed("fit", PROSTATE, "--target", "lpsa", "--lambda", 0.2, "--report", "fit.html", folder=folder)
    page = Page(browser, folder / "fit.html")
    assert page.page.inner_text("h1") == "Fit of lpsa"
    for name in ("paths", "validation", "controls"):
        assert not page.page.is_visible(f"#{name}")
    assert page.page.is_visible("#scatter svg") and page.page.is_visible("#features")
    page.close()


def test_a_path_opens_at_a_sensible_setting(folder):
    path = json.loads((folder / "path.json").read_text())
    assert 0 < path["fitted"]["setting"] < 99
    assert 3 <= path["settings"][path["fitted"]["setting"]]["nonzero"] <= 6
