"""Links of the documents lead to files, and to places in them, that are there; the site has a page for every document."""
import re

import pytest

from world.paths import ROOT

DOCUMENTS = sorted(
    path for top in [ROOT.glob("*.md"), (ROOT / "docs").rglob("*.md"), (ROOT / "bench").rglob("*.md"), ROOT.glob("data/*.md"),
                     ROOT.glob("tests/*/*.md")] for path in top if "venv" not in path.parts)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def without_code(text):
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)


def places(document):
    """The anchors that GitHub, and the site, make of headings."""
    found = set()
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.S)
    for heading in re.findall(r"^#+ (.+)$", text, re.M):
        found.add(re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-"))
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links(document):
    for link in LINK.findall(without_code(document.read_text(encoding="utf-8"))):
        where, _, anchor = link.partition("#")
        if "://" in where:
            continue
        target = (document.parent / where).resolve() if where else document
        assert target.exists(), link
        assert not anchor or anchor in places(target), link


def test_there_are_documents_and_links():
    assert len(DOCUMENTS) > 15
    assert sum(len(LINK.findall(without_code(path.read_text(encoding="utf-8")))) for path in DOCUMENTS) > 60


def test_the_site_lists_every_document():
    listed = re.findall(r"[\w/-]+\.md", (ROOT / "docs/site/mkdocs.yml").read_text(encoding="utf-8"))
    documents = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert documents <= set(listed)
    assert len(listed) == len(set(listed))


def test_the_commands_are_those_of_the_program():
    text = (ROOT / "docs/site/assemble.py").read_text(encoding="utf-8")
    commands = re.search(r"^COMMANDS = \[(.*)\]$", text, re.M).group(1).replace('"', "").split(", ")
    table = (ROOT / "docs/program.md").read_text(encoding="utf-8")
    described = re.findall(r"^\| `sven (\w+)", table, re.M)
    assert set(described) - {"completion", "help"} == set(commands) - {"completion", "help"}
