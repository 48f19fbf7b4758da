"""The public headers as pages: what a header says of itself, then each declaration under the text above it.

The headers have one form, which this relies on: a declaration, with the comment above it, stands between blank lines at the
level of its namespace; the first comment is about the whole header. A header that breaks it shows a block of code without
a heading, and nothing is lost.
"""

from __future__ import annotations

import re
from pathlib import Path

SKIPPED = re.compile(r"^(#(include|pragma|ifndef|ifdef|endif|define SVEN_SVEN_H)\b|namespace [\w:]+ \{|\}  // namespace|extern \"C\"|\})")
TYPE = re.compile(r"\b(?:enum class|enum|struct|class|typedef struct)\s+(?:SVEN_API\s+)?(\w+)")
FUNCTION = re.compile(r"([\w]+)\s*\(")
POINTER = re.compile(r"\(\*\s*(\w+)\)\s*\(")
FORWARD = re.compile(r"^(class|struct) \w+;$")
NOT_NAMES = {"nodiscard", "explicit", "requires", "sizeof", "defined", "SVEN_API", "deprecated", "template", "noexcept"}


def blocks(text: str) -> list[list[str]]:
    """Runs of lines between blank ones, where no brace, bracket or comment is open."""
    found: list[list[str]] = [[]]
    depth, in_comment = 0, False
    for line in text.splitlines():
        code = re.sub(r"//.*|/\*.*?\*/|\"[^\"]*\"", "", line)
        is_open = depth > 0 or in_comment
        if not line.strip() and not is_open:
            found.append([])
            continue
        if not is_open and SKIPPED.match(line):
            continue
        found[-1].append(line)
        if in_comment:
            in_comment = "*/" not in line
        elif "/*" in code:
            in_comment = True
        else:
            depth += code.count("{") - code.count("}") + code.count("(") - code.count(")")
    return [block for block in found if block]


def split_comment(block: list[str]) -> tuple[list[str], list[str]]:
    """The text of the comment at the head of a block, and the code below it."""
    if block[0].startswith("//"):
        end = next((k for k, line in enumerate(block) if not line.startswith("//")), len(block))
        return [line[3:] for line in block[:end]], block[end:]
    if block[0].startswith("/*"):
        end = next(k for k, line in enumerate(block) if "*/" in line) + 1
        lines = [re.sub(r"^ ?\*/?", "", line.replace("*/", "")) for line in block[:end]]
        lines[0] = block[0].replace("*/", "")[2:]
        return [line[1:] if line.startswith(" ") else line for line in lines], block[end:]
    return [], block


def prose(lines: list[str]) -> str:
    """A comment as Markdown: what it indents stays as it is."""
    texts = [re.sub(r"-{5,}\s*", "", line) for line in lines]
    return re.sub(r"(?m)^(?!    )(.*)<", r"\1&lt;", "\n".join(texts).strip("\n"))


def name_of(code: list[str]) -> str | None:
    """What a block declares first."""
    text = "\n".join(re.sub(r"//.*|/\*.*?\*/", "", line) for line in code)
    if typed := TYPE.search(text):
        before = text[: typed.start()]
        if "(" not in before:
            return typed[1]
    if pointer := POINTER.search(text):
        return pointer[1]
    for found in FUNCTION.finditer(text):
        if found[1] not in NOT_NAMES:
            return found[1]
    if alias := re.search(r"\b(?:using|constexpr [\w:]+|#define)\s+(\w+)", text):
        return alias[1]
    return None


def page(path: Path, language: str) -> str:
    """One header: `# sven/path.hpp`, its own text, and a section for each declaration."""
    lines = [f"# `sven/{path.name}`", ""]
    for k, block in enumerate(blocks(path.read_text(encoding="utf-8"))):
        comment, code = split_comment(block)
        code = [line for line in code if not FORWARD.match(line)]
        if code and (name := name_of(code)):
            lines += [f"## `{name}`", ""]
        elif k > 0 and comment and not code and "---" in comment[0]:
            lines += [f"## {prose(comment).strip().capitalize()}", ""]
            continue
        if comment:
            lines += [prose(comment), ""]
        if code:
            lines += [f"```{language}", *code, "```", ""]
    return "\n".join(lines)


def summary(path: Path) -> str:
    """The first sentence of a header."""
    first = blocks(path.read_text(encoding="utf-8"))
    text = " ".join(split_comment(first[0])[0]) if first else ""
    return re.split(r"(?<=[.:])\s", text.strip(), maxsplit=1)[0].rstrip(":")
