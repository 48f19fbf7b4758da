"""What the program writes keeps to the schemas in docs/schemas, and goes there and back without losing a bit."""
import json

import jsonschema
import numpy as np
import pytest

from cli.command import PROSTATE, succeed
from world.paths import ROOT

COMMANDS = {
    "fit": ("model", ["fit", PROSTATE, "--t", 0.9, "--lambda2", 3, "-o", "f.json"]),
    "cv model": ("model", ["cv", PROSTATE, "--alpha", "0.2,1", "-o", "f.json"]),
    "cv": ("cv", ["cv", PROSTATE, "--alpha", "0.2,1", "--save", "f.json"]),
    "cv of classes": ("cv", ["cv", PROSTATE, "--target", "svi", "--family", "binomial", "--measure", "auc", "-q",
                             "--folds", 4, "--save", "f.json"]),
    "relaxed": ("model", ["fit", PROSTATE, "--lambda", 0.1, "--relax", "-o", "f.json"]),
    "relaxed cv": ("cv", ["cv", PROSTATE, "--relax", "--save", "f.json"]),
    "relaxed cv model": ("model", ["cv", PROSTATE, "--relax", "--gamma", "0,0.5", "-o", "f.json"]),
    "relaxed path": ("path", ["path", PROSTATE, "--relax", "--gamma", 0.3, "-o", "f.json"]),
    "path": ("path", ["path", PROSTATE, "--glmnet", "-o", "f.json"]),
    "nothing penalised": ("path", ["path", PROSTATE, "--lambdas", "zero", "-o", "f.json"]),
    "texts": ("model", ["fit", "texts.csv", "--one-hot", "--impute", "mean", "--lambda", 0.01, "-o", "f.json"]),
    "unnamed": ("model", ["fit", "d.svm", "--lambda", 0.01, "-o", "f.json"]),
}


@pytest.mark.parametrize("case", COMMANDS)
def test_files_keep_to_their_schema(tmp_path, case):
    kind, command = COMMANDS[case]
    (tmp_path / "zero").write_text("0.5\n0\n")
    (tmp_path / "texts.csv").write_text("color,age,y\nred,1,2\nblue,,3\nred,4,7\ngreen,2,1\nblue,9,8\n")
    (tmp_path / "d.svm").write_text("1 1:2 2:1\n2 1:1 2:7\n3 2:4\n9 1:3\n")
    succeed(*command, folder=tmp_path)
    schema = json.loads((ROOT / f"docs/schemas/sven-{kind}-1.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads((tmp_path / "f.json").read_text()), schema)


def test_no_bit_is_lost(tmp_path):
    """Awkward numbers in, the same predictions as NumPy's from the model's own digits."""
    rng = np.random.default_rng(4)
    X = rng.standard_normal((60, 3)) * [1e-74, 1, 1e74] + [0, 1 / 3, 0]
    y = X @ [1e74, 2 / 3, 1e-74] + rng.standard_normal(60)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    fit = succeed("fit", "X.npy", "--y", "y.npy", "--lambda", 0.01, "--json", "-o", "m.json", folder=tmp_path).json
    model = json.loads((tmp_path / "m.json").read_text())
    assert model["coefficients"] == fit["coefficients"] and model["intercept"] == fit["intercept"]
    succeed("predict", "m.json", "X.npy", "-o", "p.csv", folder=tmp_path)
    predicted = np.zeros(60)
    for entry in model["coefficients"]:
        predicted += entry["value"] * X[:, entry["index"]]
    np.testing.assert_array_equal(np.loadtxt(tmp_path / "p.csv", skiprows=1), predicted + model["intercept"])
