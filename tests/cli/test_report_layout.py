"""That texts of the report have room and charts fit, in a real Chromium, on screens and on paper."""
import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from cli.command import PROSTATE, succeed
from cli.test_html_report import Page, make_reports, open_browser, pytestmark  # noqa: F401  (fixtures and the mark)

# Texts of a chart must lie within it, and not on each other.
TEXTS = """() => [...document.querySelectorAll('figure svg')].flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
    const outside = boxes.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1
        || box.top < frame.top - 1 || box.bottom > frame.bottom + 1).map(([name]) => `outside: ${name}`);
    const room = 2;  // lines of text may touch
    const meet = boxes.flatMap(([one, a], k) => boxes.slice(k + 1).filter(([, b]) => a.left + room < b.right
        && b.left + room < a.right && a.top + 2 * room < b.bottom && b.top + 2 * room < a.bottom)
        .map(([other]) => `${one} on ${other}`));
    return [...outside, ...meet];
})"""


@pytest.fixture(scope="module", name="hard_cases")
def make_hard_cases(tmp_path_factory):
    """Long names, large numbers, choices side by side, a single setting, settings in no order."""
    folder = tmp_path_factory.mktemp("hard")
    names = [f"a_very_long_name_of_a_kind_that_people_have_{k}" for k in range(5)] + ["ENSG00000123456.7|CHR1:1-67890"]
    rows = [[(7 * i * (k + 3) + i * i * k) % 31 - 15 for k in range(6)] for i in range(60)]
    lines = [",".join([*map(str, row), str(4e5 * row[0] - 3e5 * row[5] + 1e4 * ((i * i) % 17))])
             for i, row in enumerate(rows)]
    (folder / "d.csv").write_text(",".join([*names, "a target with a rather long name"]) + "\n" + "\n".join(lines))
    (folder / "s.csv").write_text("t,lambda2\n100000,0\n50000,3\n200000,1\n1e9,0\n")
    succeed("cv", "d.csv", "--report", "names.html", folder=folder)
    succeed("cv", PROSTATE, "--folds", 3, "--n-lambda", 5, "--report", "few.html", folder=folder)
    (folder / "l").write_text("0.1\n")
    succeed("path", PROSTATE, "--lambdas", "l", "--report", "one.html", folder=folder)
    succeed("path", "d.csv", "--settings", "s.csv", "--report", "settings.html", folder=folder)
    return folder


@pytest.mark.parametrize("name", ["names", "few", "one", "settings"])
@pytest.mark.parametrize("width", [1280, 400])
def test_texts_have_room(browser, hard_cases, name, width):
    page = Page(browser, hard_cases / f"{name}.html", width)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.page.evaluate(TEXTS) == []
    page.close()


def test_a_single_setting_is_seen(browser, hard_cases):
    page = Page(browser, hard_cases / "one.html")
    assert page.page.evaluate("[...document.querySelectorAll('#paths-lambda polyline')]"
                              ".every((line) => line.getTotalLength() > 4)")
    page.close()


def test_texts_of_the_usual_pages_have_room(browser, folder):
    for name in ("cv", "path"):
        for width in (1280, 400):
            page = Page(browser, folder / f"{name}.html", width)
            assert page.page.evaluate(TEXTS) == []
            page.close()


def test_paper(browser, folder):
    page = Page(browser, folder / "cv.html")
    page.page.emulate_media(media="print")
    page.page.set_viewport_size({"width": 690, "height": 1000})
    # a busy machine takes the new width up some frames later
    page.page.wait_for_function("innerWidth === 690")
    page.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.page.wait_for_function("charts.map((chart) => chart.svg.getBoundingClientRect().width / chart.width)"
                                ".every((zoom) => zoom > 0.9 && zoom < 1.1)", timeout=10_000)
    assert page.page.evaluate(TEXTS) == []
    for what in (".controls", "#theme", "text=Point at a line"):
        assert page.page.locator(what).is_hidden()
    page.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.page.evaluate("charts.every((chart) => chart.height === chart.options.height)")
    page.close()


def test_long_names_stay_apart(browser, folder):
    lines = PROSTATE.read_text().splitlines()
    names = [f"the_same_long_beginning_{k}{k}_and_the_same_long_end_of_it" for k in range(8)]
    (folder / "long.csv").write_text("\n".join([",".join([*names, "lpsa"]), *lines[1:]]) + "\n")
    succeed("path", "long.csv", "--report", "long.html", folder=folder)
    page = Page(browser, folder / "long.html")
    labels = page.page.locator("#paths-lambda svg text[style]").all_text_contents()
    assert len(labels) >= 6 and len(set(labels)) == len(labels)
    page.close()
