"""Binomial targets by name and by count: classes of texts, booleans and numbers, `--positive`, shares, two columns."""
import json

import numpy as np
import pandas as pd
import pytest

from cli.command import PROSTATE, files, succeed, sven

TABLE = pd.read_csv(PROSTATE)
FIT = ["--target", "svi", "--family", "binomial", "--lambda", 0.02, "-o", "model.json"]
NAMES = {"texts": ("no", "yes"), "booleans": ("FALSE", "TRUE"), "signs": (-1, 1), "codes": (1, 2), "quoted": ("a,b", "c")}


def fit(folder, table, *arguments):
    table.to_csv(folder / "d.csv", index=False)
    out = succeed("fit", "d.csv", *FIT, *arguments, folder=folder).out
    return json.loads((folder / "model.json").read_text()), out


def predict(folder, *arguments):
    succeed("predict", "model.json", "d.csv", "-o", "p.csv", *arguments, folder=folder)
    return pd.read_csv(folder / "p.csv", dtype=str)["prediction"].tolist()


def named(names):
    return TABLE.assign(svi=np.where(TABLE["svi"] == 1, names[1], names[0]))


@pytest.mark.parametrize("case", NAMES)
def test_classes_are_fitted_as_0_and_1(tmp_path, case):
    plain, _ = fit(tmp_path, TABLE)
    labels = predict(tmp_path, "--type", "class")
    model, out = fit(tmp_path, named(NAMES[case]))
    words = [str(name) for name in NAMES[case]]
    assert f"classes {words[0]} and {words[1]}: probabilities are of {words[1]}; --positive names the other" in out
    assert model["coefficients"] == plain["coefficients"] and model["intercept"] == plain["intercept"]
    assert model["settings"]["classes"] == words and "classes" not in plain["settings"]
    assert predict(tmp_path, "--type", "class") == [words[int(float(label))] for label in labels]
    text = succeed("predict", "model.json", "d.csv", "-o", "p.csv", folder=tmp_path).out
    mean = np.array(predict(tmp_path), dtype=float)
    assert f"MSE  {np.mean((TABLE['svi'] - mean) ** 2):.6g}" in text


def test_positive_names_the_class_that_is_fitted(tmp_path):
    plain, _ = fit(tmp_path, TABLE)
    model, _ = fit(tmp_path, named(("no", "yes")), "--positive", "no")
    assert model["settings"]["classes"] == ["yes", "no"]
    np.testing.assert_allclose([c["value"] for c in model["coefficients"]],
                               [-c["value"] for c in plain["coefficients"]], rtol=1e-7)
    assert set(predict(tmp_path, "--type", "class")) == {"no", "yes"}
    model, _ = fit(tmp_path, TABLE, "--positive", 0)
    assert model["settings"]["classes"] == ["1", "0"]


def test_svmlight_with_signs(tmp_path):
    x = TABLE.drop(columns="svi").to_numpy()
    lines = [" ".join([str(2 * y - 1), *(f"{j + 1}:{v!r}" for j, v in enumerate(row.tolist()))])
             for y, row in zip(TABLE["svi"], x)]
    (tmp_path / "d.svm").write_text("\n".join(lines) + "\n")
    succeed("fit", "d.svm", "--family", "binomial", "--lambda", 0.02, "-o", "model.json", folder=tmp_path)
    out = succeed("predict", "model.json", "d.svm", "--type", "class", "-o", "p.csv", folder=tmp_path).out
    assert "passed over" not in out
    assert set((tmp_path / "p.csv").read_text().split()[1:]) == {"-1", "1"}


def test_counts_in_two_columns(tmp_path):
    """The same as shares whose weights are the numbers of trials."""
    rng = np.random.default_rng(5)
    trials = rng.integers(0, 9, len(TABLE))
    cured = rng.binomial(trials, np.where(TABLE["svi"] == 1, 0.7, 0.3))
    counts = TABLE.drop(columns="svi").assign(cured=cured, rest=trials - cured)
    counts.to_csv(tmp_path / "d.csv", index=False)
    shares = TABLE.drop(columns="svi").assign(share=cured / np.maximum(trials, 1), trials=trials)
    shares.to_csv(tmp_path / "s.csv", index=False)
    arguments = ["--family", "binomial", "--lambda", 0.02, "-o"]
    out = succeed("fit", "d.csv", "--target", "cured,rest", *arguments, "model.json", folder=tmp_path).out
    assert "target cured of cured and rest" in out
    succeed("fit", "s.csv", "--target", "share", "--weights-column", "trials", *arguments, "s.json", folder=tmp_path)
    ours, theirs = (json.loads((tmp_path / name).read_text()) for name in ("model.json", "s.json"))
    assert ours["coefficients"] == theirs["coefficients"] and ours["settings"]["failures"] == "rest"
    out = succeed("predict", "model.json", "d.csv", "-o", "p.csv", folder=tmp_path).out
    assert "passed over" not in out
    counts.drop(columns=["cured", "rest"]).to_csv(tmp_path / "d.csv", index=False)
    succeed("predict", "model.json", "d.csv", "-o", "q.csv", folder=tmp_path)
    assert (tmp_path / "p.csv").read_bytes() == (tmp_path / "q.csv").read_bytes()


def test_new_rows_may_lack_the_class(tmp_path):
    fit(tmp_path, named(("no", "yes")))
    full = predict(tmp_path)
    table = named(("no", "yes"))
    table.loc[3, "svi"] = ""
    table.to_csv(tmp_path / "d.csv", index=False)
    out = succeed("predict", "model.json", "d.csv", "-o", "p.csv", folder=tmp_path).out
    assert "1 row has no target: compared are the other 96" in out
    assert predict(tmp_path) == full
    table.loc[3, "svi"] = "maybe"
    table.to_csv(tmp_path / "d.csv", index=False)
    outcome = sven("predict", "model.json", "d.csv", folder=tmp_path)
    assert outcome.err == 'sven: d.csv: the target holds "maybe", which is no class of the model\n'


def test_a_test_file_is_read_by_the_classes(tmp_path):
    named(("no", "yes")).to_csv(tmp_path / "t.csv", index=False)
    _, with_names = fit(tmp_path, named(("no", "yes")), "--test", "t.csv")
    _, plain = fit(tmp_path, TABLE, "--test", PROSTATE)
    figures = [out[out.index(": deviance"):].splitlines()[0] for out in (with_names, plain)]
    assert figures[0] == figures[1]


def test_unpenalised_columns_that_separate_the_classes(tmp_path):
    TABLE.assign(side=np.where(TABLE["svi"] == 1, 3.0, -3.0)).to_csv(tmp_path / "d.csv", index=False)
    before = files(tmp_path)
    outcome = sven("fit", "d.csv", *FIT, "--unpenalized", "side", folder=tmp_path)
    assert outcome.code == 1 and outcome.out == "" and outcome.err.count("\n") == 1
    assert "separate" in outcome.err
    assert files(tmp_path) == before
