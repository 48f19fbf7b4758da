"""What the report says of rows by the folds that test them, in a real Chromium: ROC, calibration, classes, observed values."""
import json

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from cli.command import PROSTATE, succeed
from cli.test_html_report import Page, make_reports, open_browser, pytestmark  # noqa: F401  (fixtures and the mark)


@pytest.fixture(scope="module", name="classes")
def make_report_of_classes(folder):
    lines = PROSTATE.read_text().splitlines()
    place = lines[0].split(",").index("svi")
    rows = [line.split(",") for line in lines[1:]]
    for row in rows:
        row[place] = "invaded" if row[place] == "1" else "free"
    (folder / "classes.csv").write_text("\n".join([lines[0], *map(",".join, rows)]) + "\n")
    succeed("cv", "classes.csv", "--target", "svi", "--family", "binomial", "--measure", "auc", "--stratified", "-q",
            "--choose", "min", "--save", "classes.json", "--report", "classes.html", folder=folder)
    return folder


@pytest.mark.parametrize("width", [1280, 400])
def test_classes_are_judged_by_the_folds(browser, classes, width):
    results = json.loads((classes / "classes.json").read_text())
    judged = results["out_of_fold"]["assessment"]
    page = Page(browser, classes / "classes.html", width)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    for figure in ("roc", "calibration", "cv-curve"):
        page.page.locator(f"#{figure} svg").scroll_into_view_if_needed()
        page.page.screenshot(path=classes / f"{figure}-{width}.png")
    assert page.page.text_content("#cv-curve svg .axis-label >> nth=1") == "area under the ROC curve"
    assert f"area {judged['auc']:.4g}" in page.page.text_content("#roc svg")
    drawn = page.page.get_attribute("#roc svg polyline", "points").split()
    assert len(drawn) == len(judged["roc"]["true_positive"])
    assert page.page.locator("#calibration svg circle.dot").count() == len(judged["calibration"])
    cells = page.page.locator("#confusion tbody tr").all_inner_texts()
    for text, name, counts in zip(cells, ["free", "invaded"], judged["confusion"]):
        assert text.split()[:3] == [name, *(f"{value:.6g}" for value in counts)]
    figures = page.page.inner_text("#figures")
    assert f"{judged['explained']:.3g}\ndeviance explained, cross-validated" in figures
    setting = results["curves"][0]["settings"][results["cross_validation"]["setting"]]
    share = 1 - setting["deviance"] / setting["null_deviance"]
    assert f"{share:.3g}\ndeviance explained on the rows of the fit" in figures
    assert not page.page.is_visible("#residuals") and not page.page.is_visible("#judged-numbers")
    page.page.focus("#roc svg")
    page.page.keyboard.press("ArrowRight")
    assert "true positives" in page.page.inner_text("#tip")
    page.close()


def test_numbers_are_shown_against_the_folds(browser, folder):
    results = json.loads((folder / "cv.json").read_text())
    page = Page(browser, folder / "cv.html")
    assert page.page.locator("#folds-scatter svg circle.dot").count() == results["n"]
    assert f"{results['out_of_fold']['assessment']['explained']:.3g}\nR², cross-validated" in page.page.inner_text(
        "#figures")
    assert not page.page.is_visible("#confusion") and page.page.is_visible("#residuals")
    assert page.page.text_content("#cv-curve svg .axis-label >> nth=1") == "mean squared error"
    page.close()
    page = Page(browser, folder / "path.html")
    assert not page.page.is_visible("#folds-scatter")
    page.close()


def test_results_of_older_files_are_shown_as_they_were(browser, folder):
    """Without measure, deviances and predictions by the folds: squared errors, and R² from the variance and the rows."""
    results = json.loads((folder / "cv.json").read_text())
    y = results["data"]["y"]
    mean = results["cross_validation"]["mean"]
    del results["out_of_fold"], results["cross_validation"]["measure"]
    for curve in results["curves"]:
        for setting in curve["settings"]:
            del setting["deviance"], setting["null_deviance"]
    (folder / "older.json").write_text(json.dumps(results))
    succeed("report", "older.json", "-o", "older.html", folder=folder)
    page = Page(browser, folder / "older.html")
    actual, predicted = results["fitted"]["actual"], results["fitted"]["predicted"]
    total = sum((value - y["mean"]) ** 2 for value in actual)
    share = 1 - sum((a - b) ** 2 for a, b in zip(actual, predicted)) / total
    figures = page.page.inner_text("#figures")
    assert f"{1 - mean / y['deviation'] ** 2:.3g}\nR², cross-validated" in figures
    assert f"{share:.3g}\nR² on the rows of the fit" in figures
    assert page.page.text_content("#cv-curve svg .axis-label >> nth=1") == "mean squared error"
    assert not page.page.is_visible("#folds-scatter") and not page.page.is_visible("#confusion")
    page.close()


def test_relaxed_fits_are_shown_at_every_gamma(browser, folder):
    succeed("cv", PROSTATE, "--relax", "--folds", 5, "--save", "relaxed.json", "--report", "relaxed.html", folder=folder)
    results = json.loads((folder / "relaxed.json").read_text())
    page = Page(browser, folder / "relaxed.html")
    lines = page.page.locator("#cv-curve svg polyline")
    assert [lines.nth(k).get_attribute("data-gamma") for k in range(lines.count())] == ["0", "0.25", "0.5", "0.75", "1"]
    gamma = results["cross_validation"]["gamma"]
    assert f"{gamma:.4g}\nγ of the relaxed fit" in page.page.inner_text("#figures")
    assert f"gamma {gamma:.4g}" in page.page.inner_text("#run-summary")
    page.page.focus("#cv-curve svg")
    page.page.keyboard.press("ArrowRight")
    chosen = results["cross_validation"]["setting"]
    assert f"γ 0.5: {results['curves'][0]['relaxed']['gammas'][2]['mean'][chosen]:.5g}"[:12] in page.page.inner_text("#tip")
    page.close()
