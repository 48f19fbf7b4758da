"""A column that is constant but for rounding is left out, and the program says so wherever it speaks of the fit."""
import json

import jsonschema
import numpy as np
import pytest

from cli.command import succeed, sven
from world.paths import ROOT

NOTE = 'sven: d.csv: column "flat" is constant but for rounding and was left out\n'
COLUMNS = [{"feature": "flat", "index": 1}]


def write(path, names, columns):
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=",".join(names), comments="", fmt="%.17g")


@pytest.fixture(scope="module", name="folder")
def make_data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("flat")
    rng = np.random.default_rng(2)
    a, b, noise = rng.standard_normal((3, 40))
    flat = 1e15 + rng.integers(0, 4, 40) / 4
    write(folder / "d.csv", ["a", "flat", "b", "y"], [a, flat, b, a + b + 0.1 * noise])
    write(folder / "without.csv", ["a", "b", "y"], [a, b, a + b + 0.1 * noise])
    names = [f"flat {k}" for k in range(12)]
    write(folder / "many.csv", [*names, "a", "y"], [*[flat] * 12, a, a + noise])
    return folder


def run(folder, *arguments):
    outcome = sven(*arguments, folder=folder)
    assert (outcome.code, outcome.err) == (0, NOTE)
    return outcome


def values(entry):
    return {each["feature"]: each["value"] for each in entry["coefficients"]}


def test_fit(folder):
    fit = run(folder, "fit", "d.csv", "--lambda", 0.1, "--json", "-o", "m.json").json
    alone = succeed("fit", "without.csv", "--lambda", 0.1, "--json", folder=folder).json
    assert values(fit) == pytest.approx(values(alone), rel=1e-12)
    assert fit["left_out"] == COLUMNS and "left_out" not in alone
    assert fit["proven_selected"] + fit["proven_zero"] + fit["undecided"] == 2
    assert json.loads((folder / "m.json").read_text())["left_out"] == COLUMNS
    succeed("predict", "m.json", "d.csv", "-o", "p.csv", folder=folder)
    text = run(folder, "fit", "d.csv", "--lambda", 0.1).out
    assert "\nsupport      2 proven selected, 0 proven zero, 0 undecided, 1 left out\n" in text
    assert text.endswith("\n             X, x: without what was left out\n")
    assert "left out" not in succeed("fit", "without.csv", "--lambda", 0.1, folder=folder).out


def test_a_list_of_names_has_an_end(folder):
    outcome = sven("fit", "many.csv", "--lambda", 0.1, folder=folder)
    assert outcome.code == 0
    names = ", ".join(f'"flat {k}"' for k in range(10))
    assert outcome.err == (f"sven: many.csv: columns {names} and 2 more are constant but for rounding and were left out\n")


@pytest.mark.parametrize("kind", ["path", "cv", "model"])
def test_files_and_their_schemas(folder, kind):
    if kind == "path":
        run(folder, "path", "d.csv", "-o", "path.json")
    else:
        run(folder, "cv", "d.csv", "-o", "model.json", "--save", "cv.json")
    document = json.loads((folder / f"{kind}.json").read_text())
    schema = json.loads((ROOT / f"docs/schemas/sven-{kind}-1.schema.json").read_text())
    jsonschema.validate(document, schema)
    assert document["left_out"] == COLUMNS
    if kind == "model":
        return
    report = succeed("report", f"{kind}.json", "-o", "with.html", folder=folder)
    assert report.err == "" and '"left_out":["flat"]' in (folder / "with.html").read_text()
    del document["left_out"]  # as files were written before
    jsonschema.validate(document, schema)
    (folder / "old.json").write_text(json.dumps(document))
    succeed("report", "old.json", "-o", "old.html", folder=folder)
    assert '"left_out":[]' in (folder / "old.html").read_text()


def test_a_column_that_one_fold_leaves_out(folder):
    rng = np.random.default_rng(3)
    a, noise = rng.standard_normal((2, 40))
    flat = 1e12 + rng.integers(0, 4, 40) / 4
    flat[:4] = 0
    folds = np.r_[[2] * 4, np.arange(36) % 3]
    write(folder / "fold.csv", ["a", "flat", "fold", "y"], [a, flat, folds, a + 0.1 * noise])
    outcome = sven("cv", "fold.csv", "--fold-column", "fold", "--save", "fold.json", folder=folder)
    assert (outcome.code, outcome.err) == (
        0, 'sven: fold.csv: column "flat" is constant but for rounding over the training rows of some folds and '
        "was left out there\n")
    document = json.loads((folder / "fold.json").read_text())
    jsonschema.validate(document, json.loads((ROOT / "docs/schemas/sven-cv-1.schema.json").read_text()))
    assert document["left_out_in_folds"] == [{"feature": "flat", "index": 1, "folds": [2]}]
    assert "left_out" not in document
    succeed("report", "fold.json", "-o", "fold.html", folder=folder)


def test_a_damaged_list_is_refused(folder):
    run(folder, "path", "d.csv", "-o", "path.json")
    document = json.loads((folder / "path.json").read_text())
    document["left_out"] = [{"feature": "flat", "index": -1}]
    (folder / "bad.json").write_text(json.dumps(document))
    outcome = sven("report", "bad.json", "-o", "bad.html", folder=folder)
    assert outcome.code == 1 and "left_out" in outcome.err and not (folder / "bad.html").exists()
