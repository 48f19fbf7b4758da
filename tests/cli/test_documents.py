"""Options that the documents show exist, and fragments of C and C++ compile. What commands print is compared in test_readme.py."""
import re
import shutil
import subprocess

import pytest

from cli.command import succeed
from world.paths import PROGRAM, ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "bench/README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = re.compile(r"\bsven (fit|path|cv|predict|assess|report|convert|gram|simulate|info|completion)\b([^`|\n]*)")
VERSION = PROGRAM.parent / "include"


def shown():
    """Every command in code, with its document and its options."""
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        code = re.findall(r"^    (.*)$", text, re.M) + re.findall(r"`([^`\n]+)`", text)
        for piece in code:
            for command, rest in COMMAND.findall(piece):
                for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", rest.split("  #")[0]):
                    yield document.name, command, option


def test_options_exist():
    known = {}
    found = sorted(set(shown()))
    assert len(found) > 60 and len({command for _, command, _ in found}) > 6
    for document, command, option in found:
        if command not in known:
            known[command] = set(re.findall(r"--[a-z][\w-]*", succeed(command, "--help").out))
        assert option in known[command], f"{document}: sven {command} {option}"


def fragment(name, language):
    return re.search(rf"^```{language}\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.M | re.S).group(1)


def compiles(compiler, standard, path, text):
    if shutil.which(compiler) is None or not VERSION.exists():
        pytest.skip(f"no {compiler}, or no build to take version.h from")
    path.write_text(text)
    words = [compiler, standard, "-Wall", "-fsyntax-only", f"-I{ROOT}/include", f"-I{VERSION}", str(path)]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_the_fragment_of_c(tmp_path):
    include, body = fragment("docs/c.md", "c").split("\n", 1)
    body = body.replace(" ...", " return 1;")
    compiles("gcc", "-std=c99", tmp_path / "fragment.c",
             f"{include}\nint run(int64_t n, int64_t p, const double* values, const double* y) {{\n{body}\nreturn 0;\n}}\n")


def test_the_fragment_of_the_gpu(tmp_path):
    compiles("g++", "-std=c++20", tmp_path / "fragment.cpp",
             "#include <sven/sven.hpp>\nauto run(sven::Problem problem, sven::Options options, "
             f"std::vector<sven::Setting> settings) {{\n{fragment('docs/gpu.md', 'cpp')}return path;\n}}\n")
