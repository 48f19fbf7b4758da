"""What the site makes of headers and docstrings: nothing is lost, and every public name has its place."""
import re
import sys

import pytest

from world.paths import ROOT

sys.path.insert(0, str(ROOT / "docs/site"))
import check_pages  # noqa: E402
import docstrings  # noqa: E402
import headers  # noqa: E402

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


def test_wrong_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<h1 id="top"></h1><a href="b.html#there">b</a><a href="#top">a</a>')
    (tmp_path / "b.html").write_text('<p id="there"></p><a href="https://example.org/">elsewhere</a>')
    assert check_pages.mistakes(tmp_path) == []
    (tmp_path / "b.html").write_text('<a href="c.html">c</a><script src="https://example.org/x.js"></script>')
    found = " ".join(check_pages.mistakes(tmp_path))
    assert "no such place" in found and "leads nowhere" in found and "fetched from a network" in found
