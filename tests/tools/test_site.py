"""What the site makes of headers, docstrings and R's help pages: nothing is lost, and every public name has its place."""
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

from world.paths import ROOT

sys.path.insert(0, str(ROOT / "docs/site"))
import check_pages  # noqa: E402
import docstrings  # noqa: E402
import headers  # noqa: E402
import hooks  # noqa: E402
import rd  # noqa: E402

needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
HEADERS = sorted((ROOT / "include/sven").glob("*.h*"))


@pytest.mark.parametrize("path", HEADERS, ids=lambda path: path.name)
def test_every_declaration_of_a_header_is_shown(path):
    page = headers.page(path, "cpp")
    for line in path.read_text().splitlines():
        is_code = line.strip() and not line.lstrip().startswith(("//", "/*", "*", "#", "}"))
        if is_code and not re.match(r"namespace|extern|class \w+;|struct \w+;", line):
            assert line in page, line


def test_names_are_headings():
    page = headers.page(ROOT / "include/sven/path.hpp", "cpp")
    assert re.findall(r"^## `(\w+)`", page, re.M) == [
        "solve_path", "solve_paths", "Grid", "lambda_grid", "distinct_budgets"]
    assert "section \"Paths\"" in page.split("## ")[0]
    interface = headers.page(ROOT / "include/sven/sven.h", "c")
    declared = set(re.findall(r"\b(sven_\w+)\(", (ROOT / "include/sven/sven.h").read_text()))
    assert len(declared) > 20 and all(name in interface for name in declared)


def test_every_public_name_of_the_package():
    page = docstrings.page(ROOT / "python/svenet")
    assert re.findall(r"^## `(\w+)`", page, re.M) and set(docstrings.homes(ROOT / "python/svenet")) == set(
        re.findall(r"^## `(\w+)`", page, re.M))
    assert "- `l1_ratio`: " in page and "```pycon\n>>> import numpy as np" in page
    assert not re.search(r"^-{3,}$", page, re.M), "a heading of a docstring was not understood"


def r_page(folder):
    return rd.page(folder, lambda tex, display: f"<math {display}>{tex}</math>")


@needs_r
def test_every_help_page_of_r():
    """The arguments by their names in the sources, the examples as R itself extracts them, and no link that leads nowhere."""
    page = r_page(ROOT / "r/man")
    sections = dict(re.findall(r"^## `([\w.-]+)` \{ #\1 \}\n(.*?)(?=^## `|\Z)", page, re.M | re.S))
    files = [path for path in sorted((ROOT / "r/man").glob("*.Rd")) if "docType{package}" not in path.read_text()]
    assert set(sections) == {path.stem for path in files}
    for path in files:
        source, section = path.read_text(), sections[path.stem]
        for names in re.findall(r"^\\item\{([\w., ]+)\}", source, re.M):
            assert f"- {', '.join(f'`{name}`' for name in names.split(', '))}: " in section, names
        for name in re.findall(r"^\\alias\{([\w.]+)\}", source, re.M):
            assert f"[`{name}`](#{path.stem})" in page, name
        examples = subprocess.run(["Rscript", "-e", f"tools::Rd2ex('{path}')"], capture_output=True, text=True, check=True).stdout
        assert examples.split("### ** Examples")[1].strip() in section
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= set(sections)
    text = re.sub(r"<math.*?</math>|^```.*?^```", "", page, flags=re.M | re.S)
    assert not re.search(r"\\[a-z]+\{", text), "a macro was not understood"
    assert page.count("<math block>") == 2 and "{dev/(2W)" not in page


@needs_r
def test_marks_of_help_pages(tmp_path):
    (tmp_path / "one.Rd").write_text(r"""\name{one}\alias{one}\alias{two}\title{One *}
\usage{\method{print}{one}(x, \dots)}
\description{A_b < c, \emph{d} \code{a\%b} \link[=two]{e} \code{\link[stats]{sd}}.
\itemize{\item first \eqn{x_1}{x}

more
\item second}}
\value{\item{a}{b}}
""")
    page = r_page(tmp_path)
    assert "One \\*." in page and "## S3 method for class 'one'\nprint(x, ...)\n```" in page
    assert "A\\_b &lt; c, *d* `a%b` [e](#one) `sd`." in page
    assert "- first <math inline>x_1</math>\n\n    more\n\n- second\n" in page and "**Value**\n\n- `a`: b\n" in page
    (tmp_path / "one.Rd").write_text("\\name{one}\\title{One}\\description{\\enc{a}{b}}")
    with pytest.raises(ValueError, match=r"\\enc is not known"):
        r_page(tmp_path)


def test_pages_that_were_not_made_are_not_listed(tmp_path):
    def listed():
        config = SimpleNamespace(docs_dir=str(tmp_path), nav=[{"Reference": [{"R": "reference/r.md"}, {"C": "reference/c.md"}]}])
        return hooks.on_config(config).nav[0]["Reference"]

    assert listed() == [{"C": "reference/c.md"}]
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference/r.md").write_text("# R reference\n")
    assert listed() == [{"R": "reference/r.md"}, {"C": "reference/c.md"}]


def test_wrong_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<h1 id="top"></h1><a href="b.html#there">b</a><a href="#top">a</a>')
    (tmp_path / "b.html").write_text('<p id="there"></p><a href="https://example.org/">elsewhere</a>')
    assert check_pages.mistakes(tmp_path) == []
    (tmp_path / "b.html").write_text('<a href="c.html">c</a><script src="https://example.org/x.js"></script>')
    found = " ".join(check_pages.mistakes(tmp_path))
    assert "no such place" in found and "leads nowhere" in found and "fetched from a network" in found
