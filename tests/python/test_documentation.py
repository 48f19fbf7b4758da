"""The examples of docs/python.md and docs/tutorial.md, and the gallery, run as they stand."""

import doctest
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name, least", [("python", 15), ("tutorial", 8)])
def test_examples_of_the_guides(monkeypatch, name, least):
    monkeypatch.chdir(ROOT)
    results = doctest.testfile(str(ROOT / f"docs/{name}.md"), module_relative=False, encoding="utf-8")
    assert results.attempted > least and results.failed == 0


@pytest.mark.parametrize("example", sorted((ROOT / "docs/gallery").glob("*.py")), ids=lambda path: path.stem)
def test_gallery(monkeypatch, example):
    """Each draws one figure with something on every axis, without a warning."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    runpy.run_path(str(example))
    assert len(plt.get_fignums()) == 1
    assert all(ax.has_data() and ax.get_xlabel() for ax in plt.gcf().axes)
    plt.close("all")
