"""Rows that are not fitted: --test FILE and --test-share."""
import json
import re

import numpy as np
import pandas as pd
import pytest

from cli.command import PROSTATE, succeed, sven

TABLE = pd.read_csv(PROSTATE)


def numbers(out, which):
    line = re.search(rf"^on (\d+) rows {which}: MSE (\S+), MAE (\S+), R\^2 (\S+)$", out, re.MULTILINE)
    return [float(value) for value in line.groups()]


def metrics(folder, name):
    """By `sven predict`, rows by hand."""
    out = succeed("predict", "m.json", name, "-o", "p.csv", folder=folder).out
    return [float(re.search(rf"^{label} +(\S+)$", out, re.MULTILINE).group(1)) for label in ("MSE", "MAE", r"R\^2")]


@pytest.mark.parametrize("command", [["fit", "--lambda", 0.1], ["cv"]], ids=lambda words: words[0])
def test_a_file(tmp_path, command):
    order = np.random.default_rng(0).permutation(97)
    texts = TABLE.assign(site=[["a", "b", ""][k % 3] for k in range(97)])
    texts.iloc[order[:70]].to_csv(tmp_path / "train.csv", index=False)
    texts.iloc[order[70:]][texts.columns[::-1]].to_csv(tmp_path / "test.csv", index=False)
    out = succeed(command[0], "train.csv", "--target", "lpsa", "--one-hot", *command[1:], "--test", "test.csv", "-o",
                  "m.json", "--report", "r.html", folder=tmp_path).out
    count, *values = numbers(out, "of test.csv")
    assert count == 27 and values == metrics(tmp_path, "test.csv")
    assert "of test.csv: MSE" in (tmp_path / "r.html").read_text()


def test_classes_are_judged_as_by_assess(tmp_path):
    """Deviance, error and AUC instead of squares, weighted; in the results and in the page, too."""
    order = np.random.default_rng(1).permutation(97)
    TABLE.assign(w=1 + TABLE.index % 3).iloc[order[:70]].to_csv(tmp_path / "train.csv", index=False)
    TABLE.assign(w=1 + TABLE.index % 3).iloc[order[70:]].to_csv(tmp_path / "test.csv", index=False)
    given = ("--target", "svi", "--family", "binomial", "--weights-column", "w")
    out = succeed("cv", "train.csv", *given, "--test", "test.csv", "-o", "m.json", "--save", "cv.json", "--report", "r.html",
                  folder=tmp_path).out
    judged = succeed("assess", "m.json", "test.csv", "--weights-column", "w", "--json", folder=tmp_path).json
    held = json.loads((tmp_path / "cv.json").read_text())["held_out"]
    assert held.pop("which") == "of test.csv"
    assert held == {key: judged[key] for key in held} and judged["rows"] == 27
    assert (f"\non 27 rows of test.csv: deviance {judged['deviance']:.6g} a row, explained {judged['explained']:.6g}, "
            f"error {judged['error']:.6g}, AUC {judged['auc']:.6g}\n") in out
    assert '"held_out":{' in (tmp_path / "r.html").read_text()


@pytest.mark.parametrize("command", [["fit", "--lambda", 0.1], ["cv"]], ids=lambda words: words[0])
def test_a_share(tmp_path, command):
    """The rows are told by the model: it is the one that a table of the others has."""
    (tmp_path / "w").write_text("1\n" * 97)
    runs = {}
    for seed in (1, 2, 1):
        arguments = [command[0], PROSTATE, "--target", "lpsa", *command[1:], "--test-share", 0.2, "--seed", seed]
        out = succeed(*arguments, "-o", "m.json", "--weights", "w", folder=tmp_path).out
        assert "78 rows, 8 features" in out
        found = numbers(out, "held out")
        assert found[0] == 19
        assert runs.setdefault(seed, found) == found
    assert runs[1] != runs[2]
    model = json.loads((tmp_path / "m.json").read_text())
    assert model["n"] == 78
    predicted = model["intercept"] + sum(TABLE[c["feature"]] * c["value"] for c in model["coefficients"])
    squares = (predicted - TABLE["lpsa"]) ** 2
    held = runs[1][1] * 19
    assert held < squares.sum() and squares.sum() - held > 0


def test_the_rows_that_are_left_are_those_of_the_fit(tmp_path):
    """Of 20 rows that tell themselves apart by y alone, the mean of those that are left is the intercept."""
    (tmp_path / "d.csv").write_text("a,y\n" + "".join(f"{k % 3},{2**k}\n" for k in range(20)))
    out = succeed("fit", "d.csv", "--lambda", 1e9, "--test-share", 0.25, "-o", "m.json", folder=tmp_path).out
    mean = json.loads((tmp_path / "m.json").read_text())["intercept"]
    left = {k for k in range(20) if int(round(mean * 15)) >> k & 1}
    assert len(left) == 15
    held = np.array([2.0**k for k in range(20) if k not in left])
    count, mse, mae, _ = numbers(out, "held out")
    assert count == 5 and mse == pytest.approx(np.mean((held - mean) ** 2), rel=1e-5)
    assert mae == pytest.approx(np.mean(abs(held - mean)), rel=1e-5)


@pytest.mark.parametrize("words, code, sentence", [
    ("--test-share 1.5", 2, "--test-share is 1.5, but it must lie between 0 and 1"),
    ("--test-share 0.2 --test e.csv", 2, "--test and --test-share exclude each other"),
    ("--test-share 0.2 --json", 2, "--json and --test-share exclude each other"),
    ("--seed 3", 2, "--seed is for --test-share"),
    ("--test-share 0.99", 1, "--test-share 0.99 of 3 rows leaves too few of them to fit"),
    ("--test none.csv", 1, "none.csv: no such file"),
    ("--test e.csv", 1, "e.csv: there is no target to compare with"),
])
def test_mistakes(tmp_path, words, code, sentence):
    (tmp_path / "d.csv").write_text("a,b,y\n1,2,3\n4,5,7\n7,9,8\n")
    (tmp_path / "e.csv").write_text("a,b\n1,2\n")
    outcome = sven("fit", "d.csv", "--lambda", 0.1, *words.split(), folder=tmp_path)
    assert outcome.code == code and outcome.err.startswith(f"sven: {sentence}")


def test_a_matrix_has_no_share(tmp_path):
    np.save(tmp_path / "X.npy", np.ascontiguousarray(TABLE.iloc[:, :8]))
    np.save(tmp_path / "y.npy", TABLE["lpsa"].to_numpy())
    outcome = sven("fit", "X.npy", "--y", "y.npy", "--lambda", 0.1, "--test-share", 0.2, folder=tmp_path)
    assert outcome.code == 2 and "--test-share needs a table of text, which X.npy is not" in outcome.err
