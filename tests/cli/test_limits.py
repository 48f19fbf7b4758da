"""Limits of the coefficients, and offsets, as a user of the program meets them."""
import json
import shutil
import subprocess

import numpy as np
import pytest

from cli.command import PROSTATE, succeed, sven

NAMES = PROSTATE.read_text().split("\n", 1)[0].split(",")
DATA = np.loadtxt(PROSTATE, delimiter=",", skiprows=1)


def values(answer):
    return {entry["feature"]: entry["value"] for entry in answer["coefficients"]}


def fit(*arguments, **options):
    return succeed("fit", *arguments, "--json", **options).json


def test_limits_for_all():
    free = values(fit(PROSTATE, "--lambda", 0.01))
    answer = fit(PROSTATE, "--lambda", 0.01, "--lower", -0.005, "--upper", 0.4)
    assert answer["status"] == "optimal" and answer["gap"] < 1e-10
    limited = values(answer)
    assert min(free.values()) < -0.005 and max(free.values()) > 0.4
    assert min(limited.values()) == -0.005 and max(limited.values()) == 0.4
    assert answer["undecided"] == 0


def test_lower_zero_is_nonnegative():
    by_limit = fit(PROSTATE, "--lambda", 0.01, "--lower", 0)
    assert values(by_limit) == values(fit(PROSTATE, "--lambda", 0.01, "--nonnegative"))


def test_limits_of_single_features(tmp_path):
    (tmp_path / "limits.csv").write_text("lower,feature,upper\n,lcavol,0.3\n0,\"age\",0\n\n-inf,svi,0.25\n")
    limited = values(fit(PROSTATE, "--lambda", 0.01, "--limits", "limits.csv", folder=tmp_path))
    assert limited["lcavol"] == 0.3 and limited["svi"] == 0.25 and "age" not in limited
    assert limited["lweight"] > 0.4
    succeed("cv", PROSTATE, "--limits", "limits.csv", "-o", "model.json", folder=tmp_path)
    model = json.loads((tmp_path / "model.json").read_text())
    assert model["settings"]["limits"] == [{"feature": "lcavol", "lower": None, "upper": 0.3},
                                           {"feature": "age", "lower": 0.0, "upper": 0.0},
                                           {"feature": "svi", "lower": None, "upper": 0.25}]


def refused(*arguments, folder):
    outcome = sven(*arguments, folder=folder)
    assert outcome.code in (1, 2)
    assert outcome.err.count("\n") == 1
    return outcome.err


def test_limits_that_make_no_sense(tmp_path):
    def with_file(text):
        (tmp_path / "l.csv").write_text(text)
        return refused("fit", PROSTATE, "--lambda", 0.1, "--limits", "l.csv", folder=tmp_path)

    error = with_file("feature,lower,upper\nage,1,2\n")
    assert "l.csv:2: the limits of age are 1 and 2, but zero must lie between them" in error
    assert "l.csv:2: \"x\" is not a number" in with_file("feature,lower,upper\nage,x,2\n")
    assert "l.csv:2: there is no feature \"agee\"" in with_file("feature,lower,upper\nagee,-1,2\n")
    assert "l.csv: there is no column \"upper\"" in with_file("feature,lower\nage,-1\n")
    assert "there are 2 fields, at least 3 are needed" in with_file("feature,lower,upper\nage,-1\n")
    error = refused("fit", PROSTATE, "--lambda", 0.1, "--lower", 1, folder=tmp_path)
    assert "the lower limit of feature 0 is 1; it must not be above zero" in error


def test_offset_is_fitted_around_and_added_to_predictions(tmp_path):
    offset = np.random.default_rng(2).normal(size=97)
    names = ["o", *NAMES]
    table = np.column_stack([offset, DATA])
    shifted = table.copy()
    shifted[:, -1] += offset
    for name, numbers in (("d.csv", shifted), ("plain.csv", DATA)):
        head = names if numbers.shape[1] == len(names) else NAMES
        lines = [",".join(head), *(",".join(map(repr, row)) for row in numbers.tolist())]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    with_offset = fit("d.csv", "--offset", "o", "--lambda", 0.05, "-o", "model.json", folder=tmp_path)
    plain = fit("plain.csv", "--lambda", 0.05, folder=tmp_path)
    assert with_offset["p"] == plain["p"]
    for name, value in values(plain).items():
        assert abs(values(with_offset)[name] - value) < 1e-12
    succeed("fit", "plain.csv", "--lambda", 0.05, "-o", "plain.json", folder=tmp_path)
    ours = sven("predict", "model.json", "d.csv", folder=tmp_path).out.split()[1:]
    theirs = sven("predict", "plain.json", "plain.csv", folder=tmp_path).out.split()[1:]
    assert len(ours) == len(theirs) == 97
    np.testing.assert_allclose(np.array(ours, float), np.array(theirs, float) + offset, rtol=0, atol=1e-12)
    error = refused("predict", "model.json", "plain.csv", folder=tmp_path)
    assert 'there is no column "o"' in error


R_SCRIPT = """
suppressMessages(library(glmnet))
data <- read.csv("%s"); x <- as.matrix(data[, 1:8]); y <- data$lpsa
limits <- read.csv("limits.csv")
fit <- glmnet(x, y, lambda = %r, alpha = %r, lower.limits = limits$lower, upper.limits = limits$upper, thresh = 1e-22)
cat(sprintf("%%.17g", c(fit$a0, as.numeric(fit$beta))))
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_glmnet_between_the_same_limits(tmp_path, alpha):
    rng = np.random.default_rng(5)
    names = NAMES[:8]
    lower, upper = -rng.uniform(0.001, 0.2, 8), rng.uniform(0.001, 0.4, 8)
    (tmp_path / "limits.csv").write_text("feature,lower,upper\n" + "".join(
        f"{name},{low!r},{high!r}\n" for name, low, high in zip(names, lower.tolist(), upper.tolist())))
    held = 0
    for lambda_ in (0.3, 0.05, 0.003):
        result = subprocess.run(["Rscript", "-"], input=R_SCRIPT % (PROSTATE, lambda_, alpha), cwd=tmp_path,
                                capture_output=True, text=True, check=False)
        if "there is no package" in result.stderr:
            pytest.skip("glmnet is not installed")
        assert result.returncode == 0, result.stderr
        theirs = np.array(result.stdout.split(), dtype=float)
        answer = fit(PROSTATE, "--glmnet", "--lambda", lambda_, "--alpha", alpha, "--limits", "limits.csv",
                     folder=tmp_path)
        ours = np.array([values(answer).get(name, 0.0) for name in names])
        np.testing.assert_allclose(ours, theirs[1:], atol=1e-7)
        np.testing.assert_allclose(answer["intercept"], theirs[0], atol=1e-6)
        held += int(((ours == lower) | (ours == upper)).sum())
    assert held > 3
