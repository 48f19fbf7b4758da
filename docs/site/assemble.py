"""Lays out the pages of the site: the documents as they are, with their links turned, and pages made of the headers, the
docstrings, the help pages of R, the program's help and the gallery.

    assemble.py PAGES PROGRAM PYTHON    PROGRAM is sven, PYTHON an interpreter that has svenet and matplotlib
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import docstrings
import headers
import rd
from latex2mathml.converter import convert

ROOT = Path(__file__).resolve().parents[2]
# Documents that are not in docs/, and what they are called on the site.
ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "bench/README.md": "bench.md",
    "data/README.md": "data.md",
}
COMMANDS = ["fit", "path", "cv", "predict", "assess", "report", "gram", "convert", "simulate", "info"]
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".c": "c", ".h": "c", ".py": "python", ".json": "json", ".R": "r"}
# The headers that only include others, or hold what a compiler needs.
WITHOUT_PAGE = {"export.h", "sven.hpp", "version.hpp", "sven.h"}


class Site:
    def __init__(self, pages: Path) -> None:
        self.pages = pages
        self.sources: set[Path] = set()  # files of the tree that a document links to

    def target(self, path: Path) -> str:
        """Where a file of the tree is on the site, from its root."""
        name = path.relative_to(ROOT).as_posix()
        if name in ELSEWHERE:
            return ELSEWHERE[name]
        if name.startswith("docs/"):
            return name[len("docs/"):]
        if name.startswith("include/sven/") and path.name not in WITHOUT_PAGE:
            return f"reference/cpp/{path.stem}.md"
        if name == "include/sven/sven.h":
            return "reference/c.md"
        self.sources.add(path)
        return f"source/{name}.md"

    def turned(self, text: str, document: Path, page: str) -> str:
        """The links of a document, from where its page is."""
        depth = "../" * page.count("/")

        def link(match: re.Match[str]) -> str:
            where, _, anchor = match[2].partition("#")
            if not where or "://" in where:
                return match[0]
            path = (document.parent / where).resolve()
            if not path.exists():
                raise SystemExit(f"{document.relative_to(ROOT)} links to {where}, which is not there")
            label = title(path) if match[1].endswith(".md") else match[1]
            return f"[{label}]({depth}{self.target(path)}{'#' + anchor if anchor else ''})"

        return LINK.sub(link, text)

    def write(self, page: str, text: str) -> None:
        path = self.pages / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add_document(self, document: Path) -> None:
        page = self.target(document)
        text = bars(formulas(document.read_text(encoding="utf-8")))
        self.write(page, self.turned(text, document, page))

    def add_sources(self) -> None:
        """Files that documents link to, as they are; a folder as the list of its files."""
        done: set[Path] = set()
        while todo := sorted(self.sources - done):
            for path in todo:
                done.add(path)
                name = path.relative_to(ROOT).as_posix()
                page = f"source/{name}.md"
                if path.is_dir():
                    files = sorted(one for one in path.iterdir() if one.suffix in LANGUAGES)
                    depth = "../" * page.count("/")
                    lines = [f"- [{one.name}]({depth}{self.target(one)})" for one in files]
                    self.write(page, f"# {name}\n\n" + "\n".join(lines) + "\n")
                    continue
                text = path.read_text(encoding="utf-8")
                self.write(page, f"# {name}\n\n`````{LANGUAGES.get(path.suffix, 'text')}\n{text}`````\n")


def title(document: Path) -> str:
    """What a document is called, where a link shows the name of its file alone."""
    return document.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ")


def formulas(text: str) -> str:
    """Formulas that GitHub sets from TeX become MathML, which a browser shows without a script."""
    return re.sub(r"\$\$(.+?)\$\$", lambda match: convert(match[1], display="block"), text, flags=re.S)


def bars(text: str) -> str:
    """GitHub wants the bars of code in a table escaped; here they are plain."""
    rows = re.compile(r"^\|.*\|$", re.M)
    return rows.sub(lambda row: re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0]), text)


def add_documents(site: Site) -> None:
    for document in sorted((ROOT / "docs").rglob("*")):
        inside = document.relative_to(ROOT / "docs")
        if document.is_dir() or inside.parts[0] in ("site", "gallery"):
            continue
        if document.suffix == ".md":
            site.add_document(document)
        else:
            (site.pages / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(document, site.pages / inside)
    for name in ELSEWHERE:
        site.add_document(ROOT / name)


def add_headers(site: Site) -> None:
    rows = ["# C++ reference", "", "One page for each public header; `#include <sven/sven.hpp>` brings them all but the MPI transport. "
            "The public headers include nothing but the standard library.", "", "| header | what it has |", "|---|---|"]
    for header in sorted((ROOT / "include/sven").glob("*.hpp")):
        if header.name in WITHOUT_PAGE:
            continue
        rows.append(f"| [`sven/{header.name}`]({header.stem}.md) | {headers.summary(header)} |")
        site.write(f"reference/cpp/{header.stem}.md", headers.page(header, "cpp"))
    site.write("reference/cpp/index.md", "\n".join(rows) + "\n")
    site.write("reference/c.md", headers.page(ROOT / "include/sven/sven.h", "c"))


def add_r(site: Site) -> None:
    """R's parser reads its help pages; hooks.py leaves the page out of the table of contents where it was not made."""
    if not rd.is_possible():
        print("There is no Rscript: the site has no R reference.")
        return
    site.write("reference/r.md", rd.page(ROOT / "r/man", lambda tex, display: convert(tex, display=display)))


def add_program(site: Site, program: str) -> None:
    lines = ["# The commands", "", "What `sven help COMMAND` prints. [The program](../program.md) tells what it reads and writes.", ""]
    for command in COMMANDS:
        result = subprocess.run([program, "help", command], capture_output=True, text=True, check=True)
        lines += [f"## `sven {command}`", "", "```text", result.stdout.rstrip(), "```", ""]
    site.write("reference/program.md", "\n".join(lines))


def add_gallery(site: Site, python: str) -> None:
    """Every example is run; what it prints and draws is what the page shows."""
    cards = []
    for example in sorted((ROOT / "docs/gallery").glob("*.py")):
        text = example.read_text(encoding="utf-8")
        title, _, about = (ast.get_docstring(ast.parse(text)) or example.stem).partition("\n")
        picture = site.pages / "gallery" / f"{example.stem}.png"
        picture.parent.mkdir(parents=True, exist_ok=True)
        drawing = f"import runpy, sys\nimport matplotlib\nmatplotlib.use('Agg')\nrunpy.run_path({str(example)!r})\n" \
            f"import matplotlib.pyplot as plt\nplt.gcf().savefig({str(picture)!r}, dpi=110)\n"
        result = subprocess.run([python, "-c", drawing], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise SystemExit(f"docs/gallery/{example.name} failed:\n{result.stderr}")
        code = text.split('"""', 2)[2].strip()
        printed = f"\n```text\n{result.stdout.rstrip()}\n```\n" if result.stdout.strip() else ""
        site.write(f"gallery/{example.stem}.md", f"# {title}\n\n{about.strip()}\n\n![{title}]({example.stem}.png)\n{printed}\n"
                   f"```python\n{code}\n```\n")
        cards.append(f'<a href="{example.stem}.html"><img src="{example.stem}.png" alt="{title}">{title}</a>')
    site.write("gallery/index.md", '# Gallery\n\nExamples in Python, each run when this page was made.\n\n<div class="gallery">\n' +
               "\n".join(cards) + "\n</div>\n")


def add_paper(site: Site) -> None:
    """Until there is a document of its own, the paper's page says where its experiments are."""
    if not (ROOT / "docs/paper.md").exists():
        site.write("paper.md", "# The paper, repeated\n\nOne command, `bench/paper/run`, repeats the experiments of the SVEN paper: "
                   "[how it is used](bench.md#benchpaper).\n")


def main() -> None:
    pages, program, python = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    shutil.rmtree(pages, ignore_errors=True)
    site = Site(pages)
    add_documents(site)
    add_headers(site)
    site.write("reference/python.md", docstrings.page(ROOT / "python/svenet"))
    add_r(site)
    add_program(site, program)
    add_gallery(site, python)
    add_paper(site)
    site.add_sources()
    for name in ("site.css", "worker.js"):
        shutil.copyfile(ROOT / "docs/site" / name, pages / name)


if __name__ == "__main__":
    main()
