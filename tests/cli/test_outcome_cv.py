"""`sven cv --family`: cv.glmnet's measures of classes and counts, recomputed from fits of the training rows alone."""
import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from cli.command import PROSTATE, files, succeed, sven

TABLE = pd.read_csv(PROSTATE)
FOLDS = np.arange(len(TABLE)) % 4
CASES = [("binomial", "svi", measure) for measure in ("deviance", "mse", "mae", "class", "auc")] + [
    ("poisson", "pgg45", measure) for measure in ("deviance", "mse", "mae")] + [
    ("gaussian", "lpsa", measure) for measure in ("mse", "mae")]
TITLES = {"mse": "mean squared error", "mae": "mean absolute error", "class": "misclassification error",
          "auc": "area under the ROC curve"}


def area(y, mean):
    above = mean[y == 1][:, None] - mean[y == 0][None, :]
    return np.mean((above > 0) + (above == 0) / 2)


def judged(family, measure, y, mean):
    """As in cv.glmnet, whose sums count both classes."""
    both = 2 if family == "binomial" else 1
    if measure == "auc":
        return area(y, mean)
    if measure == "class":
        return np.mean((mean > 0.5) != (y == 1))
    if measure == "mse":
        return both * np.mean((y - mean) ** 2)
    if measure == "mae":
        return both * np.mean(np.abs(y - mean))
    if family == "binomial":
        mean = np.clip(mean, 1e-5, 1 - 1e-5)
        return -2 * np.mean(y * np.log(mean) + (1 - y) * np.log(1 - mean))
    return 2 * np.mean(np.where(y > 0, y * np.log(np.maximum(y, 1e-300) / mean), 0) - y + mean)


@pytest.fixture(scope="module", name="folder")
def make_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cv")
    TABLE.assign(fold=FOLDS).to_csv(folder / "d.csv", index=False)
    return folder


def fold_means(folder, family, target, setting):
    """Predictions of the rows of each fold by a fit in which they have no weight."""
    means = np.zeros(len(TABLE))
    for fold in range(4):
        (folder / "w").write_text("".join(f"{int(k != fold)}\n" for k in FOLDS))
        succeed("fit", "d.csv", "--drop", "fold", "--target", target, "--family", family, "--weights", "w", "--lambda",
                repr(setting["lambda"]), "-o", "fold.json", folder=folder)
        succeed("predict", "fold.json", "d.csv", "-o", "fold.csv", folder=folder)
        predicted = pd.read_csv(folder / "fold.csv", float_precision="round_trip")["prediction"]
        means[FOLDS == fold] = predicted[FOLDS == fold]
    return means


@pytest.mark.parametrize("family, target, measure", CASES)
def test_measures_are_those_of_the_training_rows(folder, family, target, measure):
    outcome = succeed("cv", "d.csv", "--fold-column", "fold", "--target", target, "--family", family, "--measure",
                      measure, "--n-lambda", 12, "--choose", "min", "-q", "--save", "cv.json", "-o", "model.json",
                      folder=folder)
    answer = json.loads((folder / "cv.json").read_text())
    assert answer["cross_validation"]["measure"] == measure
    curve = answer["curves"][0]
    setting = curve["settings"][5]
    means = fold_means(folder, family, target, setting)
    y = TABLE[target].to_numpy()
    expected = [judged(family, measure, y[FOLDS == k], means[FOLDS == k]) for k in range(4)]
    np.testing.assert_allclose(setting["fold_errors"], expected, rtol=1e-5)
    sizes = np.bincount(FOLDS)
    assert setting["mean"] == pytest.approx(np.dot(expected, sizes) / sizes.sum(), rel=1e-5)
    sign = -1 if measure == "auc" else 1
    assert curve["min"] == np.argmin([sign * each["mean"] for each in curve["settings"]])
    assert TITLES.get(measure, f"{family} deviance") in outcome.out
    model = json.loads((folder / "model.json").read_text())
    assert model["settings"].get("family", "gaussian") == family and model["cross_validation"]["measure"] == measure
    chosen = curve["settings"][curve["min"]]
    assert model["coefficients"] == chosen["coefficients"]
    assert 0 <= chosen["deviance"] < chosen["null_deviance"] and chosen["gap"] <= 1e-10


def test_the_measure_is_the_deviance_where_none_is_given(folder):
    answer = succeed("cv", "d.csv", "--fold-column", "fold", "--target", "svi", "--family", "binomial", "-q", "--json",
                     folder=folder).json
    assert answer["cross_validation"]["measure"] == "deviance" and answer["options"]["family"] == "binomial"


def test_the_warning_of_two_values_names_the_family(folder):
    arguments = ["fit", PROSTATE, "--target", "svi", "--lambda", 0.1]
    assert "two values only: least squares fits it as any number, --family binomial as a class" in sven(*arguments).err
    assert sven(*arguments, "--family", "binomial").err == ""
    outcome = sven("cv", PROSTATE, "--target", "svi", "--family", "binomial", "--n-lambda", 5)
    assert outcome.code == 0 and "two values" not in outcome.err


def test_held_out_rows_are_compared_on_the_scale_of_the_target(folder):
    out = succeed("cv", PROSTATE, "--target", "svi", "--family", "binomial", "--n-lambda", 20, "-q", "--test", PROSTATE,
                  "-o", "model.json", folder=folder).out
    succeed("predict", "model.json", PROSTATE, "-o", "p.csv", folder=folder)
    mean = pd.read_csv(folder / "p.csv")["prediction"]
    right = np.where(TABLE["svi"] == 1, mean, 1 - mean)
    assert f": deviance {np.mean(-2 * np.log(right)):.6g} a row," in out


def test_offsets_count_before_the_link(folder):
    """Fitted values of results: exp(offset + b0 + x'b), not exp(b0 + x'b) + offset."""
    answer = succeed("cv", PROSTATE, "--target", "pgg45", "--family", "poisson", "--offset", "lcavol", "--n-lambda", 5,
                     "-q", "--json", folder=folder).json
    setting = answer["curves"][0]["settings"][answer["fitted"]["setting"]]
    eta = TABLE["lcavol"] + setting["intercept"]
    for entry in setting["coefficients"]:
        eta += entry["value"] * TABLE[entry["feature"]]
    np.testing.assert_allclose(answer["fitted"]["predicted"], np.exp(eta), rtol=1e-12)


def test_explained_deviance_of_a_path(folder):
    out = succeed("path", PROSTATE, "--target", "svi", "--family", "binomial", "--n-lambda", 6, "-o", "path.json",
                  folder=folder).out
    settings = json.loads((folder / "path.json").read_text())["settings"]
    for line, setting in zip([line.split() for line in out.splitlines() if line.endswith("optimal")], settings):
        assert float(line[7]) == pytest.approx(100 * (1 - setting["deviance"] / setting["null_deviance"]), abs=0.006)


def test_one_class_in_a_fold(tmp_path):
    TABLE.assign(fold=TABLE["svi"]).to_csv(tmp_path / "d.csv", index=False)
    before = files(tmp_path)
    outcome = sven("cv", "d.csv", "--fold-column", "fold", "--target", "svi", "--family", "binomial", "-o", "m.json",
                   folder=tmp_path)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "sven: d.csv: fold 0 trains on rows of one class alone\n"
    assert files(tmp_path) == before


R_SCRIPT = """
suppressMessages(library(glmnet))
data <- read.csv("d.csv")
glmnet.control(fdev = 0, devmax = 1)
lambda <- scan("lambdas", quiet = TRUE)
case <- commandArgs(trailingOnly = TRUE)
x <- as.matrix(data[, setdiff(names(data), c("fold", case[2]))])
fit <- cv.glmnet(x, data[[case[2]]], family = case[1], type.measure = case[3], foldid = data$fold + 1, lambda = lambda,
                 thresh = 1e-14)
cat(sprintf("%.17g", c(fit$cvm, fit$cvsd, fit$index[, 1])))
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
@pytest.mark.parametrize("family, target, measure", CASES)
def test_cv_glmnet_on_the_same_folds(folder, family, target, measure):
    answer = succeed("cv", "d.csv", "--fold-column", "fold", "--target", target, "--family", family, "--measure",
                     measure, "--n-lambda", 25, "--lambda-min-ratio", 0.01, "-q", "--json", folder=folder).json
    curve = answer["curves"][0]
    settings = curve["settings"]
    (folder / "lambdas").write_text("".join(f"{setting['lambda']!r}\n" for setting in settings))
    result = subprocess.run(["Rscript", "-", family, target, measure], input=R_SCRIPT, cwd=folder, capture_output=True,
                            text=True, check=False)
    if "there is no package" in result.stderr:
        pytest.skip("glmnet is not installed")
    assert result.returncode == 0, result.stderr
    theirs = np.array(result.stdout.split(), dtype=float)
    count = len(settings)
    np.testing.assert_allclose([setting["mean"] for setting in settings], theirs[:count], rtol=1e-5)
    np.testing.assert_allclose([setting["standard_error"] for setting in settings], theirs[count:2 * count], rtol=1e-4)
    assert [curve["min"] + 1, curve["1se"] + 1] == theirs[-2:].tolist()
