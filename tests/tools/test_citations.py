"""Every equation and every section of docs/maths.md that the tree cites is there."""
import re

from world.paths import ROOT

MATHS = (ROOT / "docs/maths.md").read_text(encoding="utf-8")
NUMBERS = [int(number) for number in re.findall(r"\((\d+)\)$", MATHS, re.M)]
SECTIONS = re.findall(r"^## (.+)$", MATHS, re.M)
TEXTS = sorted(
    path
    for top in ["include", "src", "cli", "bench", "examples", "tests", "docs"]
    for path in (ROOT / top).rglob("*")
    if path.suffix in {".hpp", ".cpp", ".md", ".py"}
)
# A comment may break the line inside a citation.
BREAK = r"\s(?:\s*(?://|#))?\s*"
EQUATION = re.compile(rf"\beq\.{BREAK}(\d+)(?:-(\d+))?")
SECTION = re.compile(rf'maths\.md,{BREAK}section{BREAK}"([^"]+)"')


def citations(pattern):
    for path in TEXTS:
        for match in pattern.finditer(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)}: {match[0]}", [group for group in match.groups() if group]


def test_equations_are_numbered_in_order():
    assert NUMBERS == list(range(1, len(NUMBERS) + 1))


def test_cited_equations_exist():
    cited = list(citations(EQUATION))
    assert len(cited) > 20
    assert not [where for where, numbers in cited if any(int(number) not in NUMBERS for number in numbers)]


def test_cited_sections_exist():
    cited = list(citations(SECTION))
    assert len(cited) > 5
    assert not [where for where, names in cited if re.sub(BREAK, " ", names[0]) not in SECTIONS]
