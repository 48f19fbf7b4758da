"""`sven cv`: cv.glmnet's numbers on the same folds, the table, the model at the choice."""
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

from cli.command import PROSTATE, files, succeed, sven

ROW = r"^ *([\d.]*) *(min|1se) +(\S+) +(\d+) +(\S+) +(\S+) +(\d+)(  \*)?$"


def cv(*arguments, folder):
    out = succeed("cv", PROSTATE, *arguments, "--save", "cv.json", "-o", "model.json", folder=folder).out
    return json.loads((folder / "cv.json").read_text()), json.loads((folder / "model.json").read_text()), out


def with_folds(folder):
    lines = PROSTATE.read_text().splitlines()
    numbers = np.random.default_rng(3).permutation(np.arange(97) % 7) + 1
    rows = [f"{fold},{line}" for fold, line in zip(numbers, lines[1:])]
    (folder / "folds.csv").write_text("\n".join(["fold," + lines[0], *rows]) + "\n")
    return numbers


def test_the_table_and_the_files_agree(tmp_path):
    answer, model, out = cv("--alpha", "0.5,1", folder=tmp_path)
    assert answer["format"] == "sven-cv/1" and answer["device"] == "cpu"
    assert answer["cross_validation"]["folds"] == 10
    rows = re.findall(ROW, out, re.MULTILINE)
    assert [row[1] for row in rows] == ["min", "1se"] * 2
    assert [row[0] for row in rows] == ["0.5", "", "1", ""]
    for row, (curve, key) in zip(rows, [(c, k) for c in answer["curves"] for k in ("min", "1se")]):
        setting = curve["settings"][curve[key]]
        assert int(row[3]) == curve[key] + 1 and int(row[6]) == setting["nonzero"]
        assert float(row[2]) == pytest.approx(setting["lambda"], rel=1e-5)
        assert float(row[4]) == pytest.approx(setting["mean"], rel=1e-4)
        assert float(row[5]) == pytest.approx(setting["standard_error"], rel=1e-3)
    best = answer["curves"][answer["best_curve"]]
    assert [row[7] != "" for row in rows].index(True) == 2 * answer["best_curve"] + 1
    assert "at lambda.1se (the default)" in out
    chosen = best["settings"][best["1se"]]
    assert model["settings"]["lambda"] == chosen["lambda"]
    assert model["cross_validation"]["mean"] == chosen["mean"]
    assert [c["feature"] for c in model["coefficients"]] == [c["feature"] for c in chosen["coefficients"]]


def test_the_means_are_those_of_the_folds(tmp_path):
    answer, _, _ = cv("--seed", 5, "--nfolds", 6, "--choose", "min", folder=tmp_path)
    curve = answer["curves"][0]
    errors = np.array([setting["fold_errors"] for setting in curve["settings"]])
    sizes = np.array([17] + [16] * 5)
    means = errors @ sizes / 97
    np.testing.assert_allclose([setting["mean"] for setting in curve["settings"]], means, rtol=1e-12)
    assert curve["min"] == np.argmin(means)
    within = means <= means.min() + curve["settings"][curve["min"]]["standard_error"]
    assert curve["1se"] == np.argmax(within)
    assert answer["cross_validation"]["setting"] == curve["min"]


def test_the_model_is_the_fit_at_that_lambda(tmp_path):
    _, model, _ = cv("--alpha", 0.5, folder=tmp_path)
    single = succeed("fit", PROSTATE, "--lambda", repr(model["settings"]["lambda"]), "--alpha", 0.5, "--json").json
    assert model["gap_source"] == "data"
    assert [each["feature"] for each in model["coefficients"]] == [each["feature"] for each in single["coefficients"]]
    for name in ("value", "standardized"):
        ours, theirs = ([each[name] for each in answer["coefficients"]] for answer in (model, single))
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_the_model_is_the_solution_of_the_path(tmp_path):
    """It is not solved for a second time, and its gap is from the data."""
    for choice in ("min", "1se"):
        answer, model, _ = cv("--alpha", "0.5,1", "--choose", choice, folder=tmp_path)
        curve = answer["curves"][answer["best_curve"]]
        chosen = curve["settings"][curve[choice]]
        assert model["coefficients"] == chosen["coefficients"] and model["intercept"] == chosen["intercept"]
        assert (model["gap"], model["gap_source"]) == (chosen["gap"], "data")


def test_one_seed_one_answer(tmp_path):
    first, _, _ = cv("--seed", 1, folder=tmp_path)
    again, _, _ = cv(folder=tmp_path)
    other, _, _ = cv("--seed", 2, folder=tmp_path)
    assert first["curves"] == again["curves"] and first["curves"] != other["curves"]


def test_fold_fits_that_missed_the_tolerance_are_told_of(tmp_path):
    """No gap gets below 1e-17 on these data, but for settings that select nothing."""
    command = ["cv", PROSTATE, "--alpha", "0.5,1", "--tolerance", 1e-17]
    outcome = sven(*command, "--json", "-o", "model.json", "--report", "r.html", folder=tmp_path)
    assert outcome.code == 1 and files(tmp_path) == {}
    settings = [setting for curve in outcome.json["curves"] for setting in curve["settings"]]
    gaps = np.array([setting["fold_gaps"] for setting in settings])
    statuses = np.array([setting["fold_statuses"] for setting in settings])
    assert gaps.shape == (200, 10)
    np.testing.assert_array_equal(statuses == "iteration_limit", gaps > 1e-17)
    choice = outcome.json["cross_validation"]
    assert choice["fold_fits"] == 2000 and choice["missed"] == np.sum(gaps > 1e-17) > 100
    assert choice["worst_gap"] == gaps.max()
    sentence = f"{choice['missed']} of 2000 fold fits missed the tolerance 1e-17 (largest gap {gaps.max():.2g}); " \
               "their errors may be wrong"
    complaints = [line for line in outcome.err.splitlines() if " left" not in line]  # long work shows its progress
    assert len(complaints) == 1 and complaints[0].endswith(sentence + "; nothing was written")
    outcome = sven(*command)
    assert outcome.code == 1 and f"\nwarning: {sentence}\n\n" in outcome.out


def test_fold_fits_that_reached_it_are_not(tmp_path):
    answer, _, out = cv(folder=tmp_path)
    assert (answer["cross_validation"]["missed"], answer["cross_validation"]["fold_fits"]) == (0, 1000)
    assert 0 < answer["cross_validation"]["worst_gap"] <= 1e-10 and "missed" not in out


def test_fold_column(tmp_path):
    numbers = with_folds(tmp_path)
    answer = succeed("cv", "folds.csv", "--fold-column", "fold", "--json", folder=tmp_path).json
    assert (answer["cross_validation"]["folds"], answer["p"]) == (len(set(numbers)), 8)
    assert answer["cross_validation"]["seed"] is None
    out = succeed("cv", "folds.csv", "--fold-column", "fold", folder=tmp_path).out
    assert "7 folds from the column fold, 100 lambdas" in out


R_SCRIPT = """
suppressMessages(library(glmnet))
data <- read.csv("folds.csv"); x <- as.matrix(data[, 2:9]); y <- data$lpsa
glmnet.control(fdev = 0, devmax = 1)
lambda <- scan("lambdas", quiet = TRUE)
fit <- cv.glmnet(x, y, foldid = data$fold, lambda = lambda, alpha = 0.5, thresh = 1e-14)
cat(sprintf("%.17g", c(fit$cvm, fit$cvsd, fit$index[, 1])))
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_cv_glmnet_on_the_same_folds(tmp_path):
    with_folds(tmp_path)
    count = 60
    lambdas = glmnet_lambdas(tmp_path, count)
    (tmp_path / "lambdas").write_text("".join(f"{value!r}\n" for value in lambdas))
    result = subprocess.run(["Rscript", "-"], input=R_SCRIPT, cwd=tmp_path, capture_output=True, text=True, check=False)
    if "there is no package" in result.stderr:
        pytest.skip("glmnet is not installed")
    assert result.returncode == 0, result.stderr
    theirs = np.array(result.stdout.split(), dtype=float)
    ours = succeed("cv", "folds.csv", "--fold-column", "fold", "--alpha", 0.5, "--glmnet", "--lambdas", "lambdas",
                   "--json", folder=tmp_path).json["curves"][0]
    np.testing.assert_allclose([s["mean"] for s in ours["settings"]], theirs[:count], rtol=1e-5)
    np.testing.assert_allclose([s["standard_error"] for s in ours["settings"]], theirs[count:2 * count], rtol=1e-5)
    assert [ours["min"] + 1, ours["1se"] + 1] == theirs[-2:].tolist()


def glmnet_lambdas(folder, count):
    """A grid in glmnet's own lambda, from the largest at which nothing is selected."""
    data = np.loadtxt(folder / "folds.csv", delimiter=",", skiprows=1)
    x, y = data[:, 1:9], data[:, 9]
    x = (x - x.mean(0)) / x.std(0)
    largest = np.abs(x.T @ (y - y.mean())).max() / len(y) / 0.5
    return (largest * np.logspace(0, -4, count)).tolist()
