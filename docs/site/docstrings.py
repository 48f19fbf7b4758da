"""The public names of the Python package as pages, from the sources: signatures and docstrings, without an import."""

from __future__ import annotations

import ast
import re
from pathlib import Path

SECTION = re.compile(r"^(Parameters|Returns|Attributes|Examples|Raises|Notes|Yields)$")
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (.*)$")


def homes(package: Path) -> dict[str, str]:
    """Each public name with the module that it is in."""
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES":
            return ast.literal_eval(node.value)
    raise ValueError("svenet/__init__.py has no _HOMES")


def definition(package: Path, module: str, name: str) -> ast.ClassDef | ast.FunctionDef:
    tree = ast.parse((package / f"{module}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
            return node
    raise ValueError(f"{module}.py has no {name}")


def signature(name: str, function: ast.FunctionDef) -> str:
    """As it would be called: names and defaults, a line of at most 90 characters each."""
    arguments = function.args
    texts = [one.arg for one in arguments.posonlyargs + arguments.args if one.arg != "self"]
    for k, default in enumerate(reversed(arguments.defaults)):
        texts[-1 - k] += f"={ast.unparse(default)}"
    if arguments.vararg:
        texts.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        texts.append("*")
    for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults):
        texts.append(one.arg if value is None else f"{one.arg}={ast.unparse(value)}")
    if arguments.kwarg:
        texts.append(f"**{arguments.kwarg.arg}")
    lines, line = [], f"{name}("
    for k, text in enumerate(texts):
        piece = text + (", " if k + 1 < len(texts) else "")
        if len(line + piece) > 90:
            lines.append(line.rstrip())
            line = " " * (len(name) + 1)
        line += piece
    return "\n".join([*lines, line + ")"])


def section(title: str, body: list[str]) -> list[str]:
    """A section of a docstring: lists of names become lists, examples become code."""
    text = "\n".join(without_ends(body))
    if title == "Examples":
        return ["**Examples**", "", "```pycon", text, "```", ""]
    lines = [f"**{title}**", ""]
    paragraph = False  # text after the list stands on its own
    for line in text.splitlines():
        entry = ENTRY.match(line)
        if entry:
            lines.append(f"- `{entry[1]}`: {entry[2]}")
        elif line.startswith("    ") and not paragraph:
            lines.append("  " + line.strip())
        else:
            if line and not paragraph:
                lines += [""] if lines[-1] else []
                paragraph = True
            lines.append(line)
    return [*lines, ""]


def without_ends(body: list[str]) -> list[str]:
    """Without blank lines around it, and with "::" as Markdown says it."""
    return re.sub(r"::$", ":", "\n".join(body).strip("\n"), flags=re.M).splitlines()


def described(docstring: str | None) -> list[str]:
    if not docstring:
        return []
    lines, title, body = [], "", []
    source = [*docstring.replace("``", "`").splitlines(), "Notes", "---"]
    for line, following in zip(source, [*source[1:], ""]):
        if SECTION.match(line) and following.startswith("---"):
            lines += section(title, body) if title else [*without_ends(body), ""]
            title, body = line, []
        elif not (line.startswith("---") and not body):
            body.append(line)
    return lines


def methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [one for one in node.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_") and
            ast.get_docstring(one)]


def entry(package: Path, name: str, module: str) -> list[str]:
    node = definition(package, module, name)
    lines = [f"## `{name}`", ""]
    if isinstance(node, ast.FunctionDef):
        lines += ["```python", signature(name, node), "```", ""]
        return lines + described(ast.get_docstring(node))
    made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    if made:
        lines += ["```python", signature(name, made[0]), "```", ""]
    lines += described(ast.get_docstring(node))
    for method in methods(node):
        is_property = any(getattr(one, "id", "") == "property" for one in method.decorator_list)
        head = method.name if is_property else signature(method.name, method)
        lines += [f"### `{name}.{method.name}`", ""]
        lines += [] if is_property else ["```python", head, "```", ""]
        lines += described(ast.get_docstring(method))
    return lines


def page(package: Path) -> str:
    """All public names, estimators first."""
    names = homes(package)
    lines = ["# Python reference", "", "Every public name of `svenet`, with its parameters, from the docstrings of the package. "
             "[The Python package](../python.md) tells how they belong together, and the [gallery](../gallery/index.md) "
             "shows them at work.", ""]
    for name in sorted(names, key=lambda one: (one[0].islower(), one)):
        lines += entry(package, name, names[name])
    return "\n".join(lines)
