"""scripts/style on a small tree: what is clean passes, and no file escapes for want of a compile command."""
import shutil
import subprocess

import pytest

from world.paths import ROOT

pytestmark = pytest.mark.skipif(shutil.which("clang-tidy-14") is None or shutil.which("clang-format-14") is None,
                                reason="needs clang-format and clang-tidy 14")

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
add_library(small one.cpp)
if(SVEN_BENCH)
    add_library(bench bench.cpp)
    target_include_directories(bench PRIVATE headers)
endif()
"""


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/style", tmp_path / "scripts")
    for name in (".clang-tidy", ".clang-format", "CMakePresets.json"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers/only_bench_sees.hpp").write_text("#pragma once\n")
    (tmp_path / "one.cpp").write_text("int one() {\n    return 1;\n}\n")
    (tmp_path / "bench.cpp").write_text('#include "only_bench_sees.hpp"\n')
    (tmp_path / ".gitignore").write_text("/build/\n")
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    return tmp_path


def style(tree):
    return subprocess.run(["scripts/style", "--all"], cwd=tree, capture_output=True, text=True, check=False)


def test_benchmarks_have_their_compile_command(tree):
    result = style(tree)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_source_that_nothing_builds_is_named(tree):
    (tree / "stray.cpp").write_text("int stray() {\n    return 2;\n}\n")
    result = style(tree)
    assert result.returncode == 1
    assert "stray.cpp: no compile command" in result.stderr


@pytest.mark.parametrize("text, finding", [
    ("int Three() {\n    return 3;\n}\n", "readability-identifier-naming"),
    ("int three() { return  3; }\n", "clang-format-violations"),
])
def test_what_is_not_clean_fails(tree, text, finding):
    (tree / "one.cpp").write_text(text)
    result = style(tree)
    assert result.returncode == 1
    assert finding in result.stdout + result.stderr
