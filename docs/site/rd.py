"""The help pages of the R package as one page: R's own parser reads them (rd.R), this writes Markdown.

A macro of R's that is not known here is an error, so that no text is lost.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Node = list[Any]  # tag, option, children or text
# The sections as they are shown: those of a docstring on the Python page, by R's names.
SECTIONS = {"\\description": "", "\\arguments": "Arguments", "\\format": "Format", "\\details": "Details", "\\value": "Value",
            "\\section": "", "\\note": "Note", "\\references": "References", "\\seealso": "See also"}
WITHOUT_TEXT = {"TEXT", "COMMENT", "\\name", "\\alias", "\\title", "\\usage", "\\examples", "\\keyword", "\\docType", "\\concept",
                "\\encoding", "\\author"}
CODE = {"\\code", "\\verb", "\\command", "\\env", "\\file", "\\kbd", "\\option", "\\samp"}
AROUND = {"\\strong": "**", "\\bold": "**", "\\emph": "*", "\\var": "*", "\\dfn": "*", "\\cite": "*", "\\dQuote": '"', "\\sQuote": "'",
          "\\pkg": "", "\\acronym": ""}
WORDS = {"\\dots": "...", "\\ldots": "...", "\\R": "R"}
# Around examples that are not run.
UNWRAPPED = {"\\dontrun", "\\donttest", "\\dontshow", "\\testonly"}


def is_possible() -> bool:
    return shutil.which("Rscript") is not None


def parsed(files: list[Path]) -> list[list[Node]]:
    script = Path(__file__).with_name("rd.R")
    result = subprocess.run(["Rscript", "--vanilla", script, *files], capture_output=True, encoding="utf-8", check=False)
    if result.returncode != 0:
        raise SystemExit(f"R cannot read the help pages:\n{result.stderr}")
    return [topic for _, _, topic in json.loads(result.stdout)]


def parts(topic: list[Node], tag: str) -> list[Any]:
    return [content for name, _, content in topic if name == tag]


def plain(nodes: list[Node] | str) -> str:
    """Code and names: the text without marks."""
    if isinstance(nodes, str):
        return nodes
    texts = []
    for tag, _, content in nodes:
        if tag == "\\method":
            texts.append(f"## S3 method for class '{plain(content[1][2])}'\n{plain(content[0][2])}")
        elif tag in WORDS:
            texts.append(WORDS[tag])
        elif tag in UNWRAPPED | CODE | AROUND.keys() | {"RCODE", "TEXT", "VERB", "\\link", ""}:
            texts.append(plain(content))
        elif tag != "COMMENT":
            raise ValueError(f"{tag} is not known in code")
    return "".join(texts)


def name_of(topic: list[Node]) -> str:
    return plain(parts(topic, "\\name")[0])


def aliases(topic: list[Node]) -> list[str]:
    """The functions of a page; a name that is the page's alone is none."""
    names = [plain(one) for one in parts(topic, "\\alias")]
    return [one for one in names if not one.endswith(("-methods", "-package"))]


def is_of_package(topic: list[Node]) -> bool:
    return "package" in [plain(one) for one in parts(topic, "\\docType")]


def escaped(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\`*_\[\]])", r"\\\1", text)


@dataclass
class Writer:
    places: dict[str, str]  # where each name is on the page
    formula: Callable[[str, str], str]  # from TeX, "inline" or "block"

    def linked(self, node: Node, shown: str) -> str:
        """A link, where its goal is on the page; of another package the text alone."""
        _, option, content = node
        if option and not option.startswith("="):
            return shown
        place = self.places.get(option[1:] or plain(content))
        return f"[{shown}](#{place})" if place else shown

    def code(self, nodes: list[Node]) -> str:
        pieces = []
        for tag, option, content in nodes:
            shown = f"`{plain([[tag, option, content]])}`"
            pieces.append(self.linked([tag, option, content], shown) if tag == "\\link" else shown)
        return "".join(pieces).replace("``", "")

    def inline(self, nodes: list[Node]) -> str:
        texts = []
        for tag, option, content in nodes:
            if tag == "TEXT":
                texts.append(escaped(content))
            elif tag in WORDS:
                texts.append(WORDS[tag])
            elif tag in CODE:
                texts.append(self.code(content))
            elif tag in AROUND:
                texts.append(f"{AROUND[tag]}{self.inline(content)}{AROUND[tag]}")
            elif tag == "\\link":
                texts.append(self.linked([tag, option, content], self.inline(content)))
            elif tag in ("\\url", "\\email"):
                texts.append(f"<{plain(content)}>")
            elif tag == "\\href":
                texts.append(f"[{self.inline(content[1][2])}]({plain(content[0][2])})")
            elif tag == "\\eqn":
                texts.append(self.formula(tex(content), "inline"))
            elif tag != "COMMENT":
                raise ValueError(f"{tag} is not known in text")
        return "".join(texts)

    def blocks(self, nodes: list[Node]) -> list[str]:
        """Paragraphs, formulas and lists, each a text of its own."""
        found: list[str] = []
        run: list[Node] = []

        def flush() -> None:
            texts = re.split(r"\n\s*\n", self.inline(run))
            found.extend(" ".join(text.split()) for text in texts if text.strip())
            run.clear()

        for tag, option, content in nodes:
            if tag == "\\deqn":
                flush()
                found.append(self.formula(tex(content), "block"))
            elif tag in ("\\itemize", "\\enumerate"):
                flush()
                found.extend(self.entries(content, "1." if tag == "\\enumerate" else "-"))
            elif tag == "\\describe":
                flush()
                found.extend(self.blocks(content))
            elif tag == "\\item":
                flush()
                name = ", ".join(f"`{one.strip()}`" for one in plain(content[0][2]).split(","))
                found.append(entry("-", f"{name}: ", self.blocks(content[1][2])))
            elif tag == "\\preformatted":
                flush()
                found.append(fenced(content, "text"))
            else:
                run.append([tag, option, content])
        flush()
        return found

    def entries(self, nodes: list[Node], mark: str) -> list[str]:
        """The entries of a list without names, which \\item divides."""
        items: list[list[Node]] = []
        for node in nodes:
            if node[0] == "\\item":
                items.append([])
            elif items:
                items[-1].append(node)
        return [entry(mark, "", self.blocks(one)) for one in items]

    def section(self, tag: str, content: list[Node]) -> list[str]:
        title = SECTIONS[tag]
        if tag == "\\section":
            title, content = plain(content[0][2]), content[1][2]
        return [*([f"**{title}**"] if title else []), *self.blocks(content)]

    def title(self, topic: list[Node]) -> str:
        return " ".join(self.inline(parts(topic, "\\title")[0]).split())

    def topic(self, topic: list[Node]) -> list[str]:
        """One help page: its call first, as on the Python page."""
        unknown = {tag for tag, _, _ in topic} - SECTIONS.keys() - WITHOUT_TEXT
        if unknown:
            raise ValueError(f"{name_of(topic)} has sections that are not known: {', '.join(sorted(unknown))}")
        name, title = name_of(topic), self.title(topic)
        found = [f"## `{name}` {{ #{self.places[name]} }}", f"{title}."]
        found += [fenced(one) for one in parts(topic, "\\usage")]
        for tag in SECTIONS:
            for content in parts(topic, tag):
                lines = self.section(tag, content)
                found += lines if lines != [title] else []
        for content in parts(topic, "\\examples"):
            found += ["**Examples**", fenced(content)]
        return found


def tex(content: list[Node]) -> str:
    """A formula may have a second argument, for a terminal."""
    return plain(content[0][2]).strip()


def entry(mark: str, name: str, blocks: list[str]) -> str:
    """An entry of a list; what follows its first paragraph belongs to it."""
    text = f"{mark} {name}" + "\n\n".join(blocks)
    return text.replace("\n", "\n    ").replace("\n    \n", "\n\n")


def fenced(content: list[Node], language: str = "r") -> str:
    return f"```{language}\n" + plain(content).strip("\n") + "\n```"


def joined(blocks: list[str]) -> str:
    """Blank lines between all but the entries of a list."""
    text = blocks[0]
    for before, block in zip(blocks, blocks[1:]):
        is_list = all(one.startswith("- ") and "\n" not in one for one in (before, block))
        text += ("\n" if is_list else "\n\n") + block
    return text + "\n"


def page(folder: Path, formula: Callable[[str, str], str]) -> str:
    """All help pages but that of the package itself, which says what the documents say."""
    topics = sorted(parsed(sorted(folder.glob("*.Rd"))), key=lambda topic: name_of(topic).casefold())
    topics = [one for one in topics if not is_of_package(one)]
    places = {name: name_of(topic) for topic in topics for name in [name_of(topic), *aliases(topic)]}
    writer = Writer(places, formula)
    rows = ["| function | what it is |", "|---|---|"]
    for topic in topics:
        names = ", ".join(f"[`{one}`](#{places[one]})" for one in aliases(topic))
        rows.append(f"| {names} | {writer.title(topic)} |")
    blocks = ["# R reference", "The help pages of the R package `svenet`, as `help()` shows them. [The R package](../r.md) tells how they "
              "belong together.", "\n".join(rows)]
    for topic in topics:
        blocks += writer.topic(topic)
    return joined(blocks)
