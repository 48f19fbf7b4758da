"""The calls of scikit-learn and of glmnet that the program prints give the same coefficients."""
import re
import shutil
import subprocess
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cli.command import PROSTATE, succeed

DATA = np.loadtxt(PROSTATE, delimiter=",", skiprows=1)
X, Y = DATA[:, :-1], DATA[:, -1]
WEIGHTS = np.random.default_rng(1).uniform(0.2, 3, 97)
FACTORS = np.array([1, 0.5, 2, 1, 0, 1, np.inf, 3])

SETTINGS = {
    "budget": ["--t", 0.9, "--lambda2", 3],
    "mixing": ["--lambda", 0.1, "--alpha", 0.3],
    "lasso": ["--lambda", 0.05],
    "ridge": ["--lambda1", 0, "--lambda2", 5],
    "nothing": ["--lambda1", 0, "--lambda2", 0],
    "glmnet": ["--lambda", 0.1, "--alpha", 0.3, "--glmnet"],
}
OPTIONS = {
    "plain": [],
    "no intercept": ["--no-intercept"],
    "no standardise": ["--no-standardize"],
    "neither": ["--no-intercept", "--no-standardize"],
    "weights": ["--weights", "w"],
    "raw weights": ["--weights", "w", "--no-standardize"],
    "nonnegative": ["--nonnegative"],
    "factors": ["--penalty-factors", "f"],
}


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    (tmp_path / "w").write_text("".join(f"{w!r}\n" for w in WEIGHTS.tolist()))
    (tmp_path / "f").write_text("".join(f"{f!r}\n" for f in FACTORS.tolist()))
    return tmp_path


def report(folder, *arguments):
    out = succeed("fit", *arguments, folder=folder).out
    answer = succeed("fit", *arguments, "--json", folder=folder).json
    values = np.zeros(answer["p"])
    for entry in answer["coefficients"]:
        values[entry["index"]] = entry["value"]
    call = {name: re.search(rf"^{name} +(.*)$", out, re.MULTILINE)[1] for name in ["scikit-learn", "glmnet"]}
    return call, values, answer["intercept"]


def evaluate(call, matrix):
    names = {"ElasticNet": ElasticNet, "Lasso": Lasso, "LinearRegression": LinearRegression, "Ridge": Ridge,
             "make_pipeline": make_pipeline, "StandardScaler": StandardScaler}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at this tolerance it cannot always tell that it has arrived
        model = eval(call, names, {"X": matrix, "y": Y, "w": WEIGHTS})  # our own output
    return model.predict(matrix)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_scikit_learn(folder, setting, options):
    call, values, intercept = report(folder, PROSTATE, *SETTINGS[setting], *OPTIONS[options])
    if options == "factors":
        assert call["scikit-learn"] == "(none: it has no penalty factors)"
        return
    np.testing.assert_allclose(evaluate(call["scikit-learn"], X), intercept + X @ values, atol=1e-7)


@pytest.mark.parametrize("options", ["plain", "no intercept", "weights"])
def test_scikit_learn_on_sparse_data(folder, options):
    rows = [" ".join([repr(y), *(f"{j + 1}:{v!r}" for j, v in enumerate(x) if v != 0)])
            for x, y in zip(X.tolist(), Y.tolist())]
    (folder / "d.svm").write_text("\n".join(rows))
    call, values, intercept = report(folder, "d.svm", *SETTINGS["mixing"], *OPTIONS[options])
    predicted = evaluate(call["scikit-learn"], scipy.sparse.csr_matrix(X))
    np.testing.assert_allclose(predicted, intercept + X @ values, atol=1e-7)


R_HEAD = """
suppressMessages(library(glmnet))
data <- read.csv("{data}")
x <- as.matrix(data[, -ncol(data)]); y <- data[, ncol(data)]
w <- scan("w", quiet = TRUE); f <- c({factors})
show <- function(fit) cat(sprintf("%.17g", c(fit$a0, as.vector(fit$beta))), "\\n")
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_glmnet(folder):
    cases = [(setting, options) for setting in SETTINGS for options in OPTIONS]
    factors = ", ".join("Inf" if np.isinf(f) else repr(float(f)) for f in FACTORS)
    script = R_HEAD.format(data=PROSTATE, factors=factors)
    answers = []
    for setting, options in cases:
        call, values, intercept = report(folder, PROSTATE, *SETTINGS[setting], *OPTIONS[options])
        answers.append((setting, options, values, intercept))
        script += f"show({call['glmnet']})\n"
    result = subprocess.run(["Rscript", "-"], input=script, cwd=folder, capture_output=True, text=True, check=False)
    if "there is no package" in result.stderr:
        pytest.skip("glmnet is not installed")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.strip().split("\n")
    assert len(lines) == len(cases)
    for line, (setting, options, values, intercept) in zip(lines, answers):
        theirs = np.array(line.split(), dtype=float)
        np.testing.assert_allclose(theirs[0] + X @ theirs[1:], intercept + X @ values, atol=1e-6,
                                   err_msg=f"{setting}, {options}")


def test_what_glmnet_cannot_do(folder):
    (folder / "one.csv").write_text("a,y\n1,2\n2,3\n4,4\n")
    assert report(folder, "one.csv", "--lambda", 0.1)[0]["glmnet"] == "(none: it needs two features or more)"
    (folder / "flat.csv").write_text("a,b,y\n1,2,3\n2,1,3\n4,4,3\n")
    assert report(folder, "flat.csv", "--lambda", 0.1)[0]["glmnet"] == "(none: it refuses a constant y)"
