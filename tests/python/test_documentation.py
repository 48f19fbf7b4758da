"""The examples of docs/python.md, run as they stand."""

import doctest
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_examples_of_the_guide(monkeypatch):
    monkeypatch.chdir(ROOT)
    results = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False, encoding="utf-8")
    assert results.attempted > 15 and results.failed == 0
