"""Relaxed fits of the program: R's glmnet on the same data and folds, and what is said where there is no refit."""
import csv
import io
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from cli.command import PROSTATE, succeed, sven

SCRIPT = Path(__file__).with_name("relaxed.R")
GAMMAS = "1e-5,0.25,0.5,0.75,1"


def write_data(folder, family, rows=150, columns=9):
    rng = np.random.default_rng(5)
    X = rng.standard_normal((rows, columns))
    X[:, 1] += 0.5 * X[:, 0]
    offset = 0.3 * rng.standard_normal(rows)
    eta = X[:, :4] @ [1.0, -0.7, 0.5, 0.3] + 0.2 + offset
    y = {"gaussian": lambda: eta + rng.standard_normal(rows),
         "binomial": lambda: (rng.random(rows) < 1 / (1 + np.exp(-eta))).astype(float),
         "poisson": lambda: rng.poisson(np.exp(eta / 2)).astype(float)}[family]()
    weights = rng.uniform(0.5, 2, rows)
    table = np.c_[X, y, weights, offset, np.arange(rows) % 5 + 1]
    names = [f"x{j}" for j in range(columns)] + ["y", "w", "o", "fold"]
    np.savetxt(folder / "data.csv", table, fmt="%.17g", delimiter=",", header=",".join(names), comments="")
    np.savetxt(folder / "lambdas", 0.3 * np.logspace(0, -2, 12), fmt="%.17g")
    return columns


def dense(settings, columns):
    table = np.zeros((len(settings), columns + 1))
    for k, setting in enumerate(settings):
        table[k, 0] = setting["intercept"]
        for entry in setting["coefficients"]:
            table[k, entry["index"] + 1] = entry["value"]
    return table


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
@pytest.mark.parametrize(("family", "upper"), [("gaussian", 0.8), ("binomial", 0.7), ("poisson", 0.3)])
def test_glmnet_on_the_same_folds(tmp_path, family, upper):
    columns = write_data(tmp_path, family)
    result = subprocess.run(["Rscript", SCRIPT, family, str(upper)], cwd=tmp_path, capture_output=True, text=True, check=False)
    if "there is no package" in result.stderr:
        pytest.skip("glmnet is not installed")
    assert result.returncode == 0, result.stderr
    theirs = [np.array(line.split(), dtype=float) for line in result.stdout.splitlines()]
    given = ["data.csv", "--target", "y", "--weights-column", "w", "--offset", "o", "--family", family, "--glmnet",
             "--alpha", 0.8, "--lambdas", "lambdas", "--json", "-q", "--relax", "--upper", upper]
    for gamma, expected in [(0, theirs[0]), (0.25, theirs[1])]:
        settings = succeed("path", *given, "--drop", "fold", "--gamma", gamma, folder=tmp_path).json["settings"]
        expected = expected.reshape(-1, columns + 1)
        assert {s["relaxed"]["refit"] for s in settings} == {"done"}
        assert max(s["gap"] for s in settings) <= 1e-10
        assert gamma > 0 or any(b["value"] == upper for s in settings for b in s["coefficients"])
        np.testing.assert_allclose(dense(settings, columns), expected, rtol=0, atol=1e-6 * np.abs(expected).max())
    ours = succeed("cv", *given, "--fold-column", "fold", "--gamma", GAMMAS, folder=tmp_path).json["curves"][0]
    table = ours["relaxed"]
    for k, one in enumerate(table["gammas"]):
        np.testing.assert_allclose(one["mean"], theirs[2 + 2 * k], rtol=1e-6)
        np.testing.assert_allclose(one["standard_error"], theirs[3 + 2 * k], rtol=1e-5)
    numbers = [float(gamma) for gamma in GAMMAS.split(",")]
    places = [[table[key]["setting"], numbers.index(table[key]["gamma"])] for key in ("min", "1se")]
    np.testing.assert_array_equal(places, theirs[-1].reshape(2, 2))


def test_a_refit_is_least_squares(tmp_path):
    model = succeed("fit", PROSTATE, "--lambda", 0.1, "--relax", "--json", "-o", "m.json", folder=tmp_path).json
    with open(PROSTATE, encoding="utf-8") as file:
        table = np.array([[float(value) for value in row.values()] for row in csv.DictReader(file)])
    features = [entry["index"] for entry in model["coefficients"]]
    solved = np.linalg.lstsq(np.c_[table[:, features], np.ones(len(table))], table[:, -1], rcond=None)[0]
    values = [entry["value"] for entry in model["coefficients"]]
    np.testing.assert_allclose([*values, model["intercept"]], solved, rtol=1e-10)
    assert model["relaxed"] == {"gamma": 0, "refit": "done"}
    succeed("predict", "m.json", PROSTATE, "-o", "p.csv", folder=tmp_path)
    predicted = np.loadtxt(tmp_path / "p.csv", skiprows=1)
    np.testing.assert_allclose(predicted, np.c_[table[:, features], np.ones(len(table))] @ solved, rtol=1e-9)


def test_the_model_of_a_cross_validation_is_the_blend(tmp_path):
    result = succeed("cv", PROSTATE, "--relax", "-o", "m.json", "--save", "cv.json", "--oof", "o.csv", folder=tmp_path)
    assert "Gamma" in result.out and "\nrelaxed      gamma " in result.out
    model = json.loads((tmp_path / "m.json").read_text())
    curve = json.loads((tmp_path / "cv.json").read_text())["curves"][0]
    choice = model["cross_validation"]
    assert [choice["gamma"], choice["setting"]] == [curve["relaxed"]["1se"][key] for key in ("gamma", "setting")]
    one = next(one for one in curve["relaxed"]["gammas"] if one["gamma"] == choice["gamma"])
    assert choice["mean"] == one["mean"][choice["setting"]] == curve["settings"][choice["setting"]]["mean"]
    lam = curve["settings"][choice["setting"]]["lambda"]
    alone = succeed("fit", PROSTATE, "--lambda", lam, "--relax", "--gamma", choice["gamma"], "--json",
                    folder=tmp_path).json
    for ours, theirs in zip(model["coefficients"], alone["coefficients"], strict=True):
        np.testing.assert_allclose(ours["value"], theirs["value"], rtol=1e-8)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "o.csv").read_text())))
    error = np.mean([(float(row["actual"]) - float(row["prediction"])) ** 2 for row in rows])
    np.testing.assert_allclose(error, choice["mean"], rtol=1e-8)


def test_separation_is_said(tmp_path):
    rng = np.random.default_rng(3)
    y = np.arange(40) % 2
    table = np.c_[rng.standard_normal((40, 3)), y * (1 + rng.random(40)), y]
    np.savetxt(tmp_path / "d.csv", table, delimiter=",", header="a,b,c,tells,y", comments="")
    given = ["d.csv", "--target", "y", "--family", "binomial", "--relax"]
    one = sven("fit", *given, "--lambda", 0.1, folder=tmp_path)
    assert one.code == 0
    sentence = "not relaxed, since the selected features separate the classes, which has no best fit without a penalty"
    assert f"1 of 1 setting is {sentence}" in one.err
    assert "relaxed      not, since the selected features separate the classes" in one.out
    path = sven("path", *given, "--n-lambda", 10, "-o", "p.json", folder=tmp_path)
    settings = json.loads((tmp_path / "p.json").read_text())["settings"]
    refits = [setting["relaxed"]["refit"] for setting in settings]
    assert refits == ["done"] + ["separated"] * 9  # the first selects nothing
    assert f"9 of 10 settings are {sentence}" in path.err and path.out.count("not relaxed\n") == 9
    folds = sven("cv", *given, "--n-lambda", 10, "--folds", 4, "-o", "m.json", folder=tmp_path)
    assert folds.code == 0 and "of 40 fold fits are not relaxed" in folds.err
    assert sven("predict", "m.json", "d.csv", folder=tmp_path).code == 0


def test_more_features_than_rows_is_said(tmp_path):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((12, 40))
    np.savetxt(tmp_path / "d.csv", np.c_[X, X[:, :8].sum(1)], delimiter=",",
               header=",".join([f"x{j}" for j in range(40)] + ["y"]), comments="")
    path = sven("path", "d.csv", "--alpha", 0.05, "--n-lambda", 10, "--relax", "--json", folder=tmp_path)
    assert "settings are not relaxed, since more features are selected than the rows can tell apart" in path.err
    for setting in path.json["settings"]:
        assert (setting["relaxed"]["refit"] == "dependent") == (setting["nonzero"] > 11)
