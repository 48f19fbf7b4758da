"""The folds of `sven cv`: groups, strata, repeats, the order of time."""
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import TimeSeriesSplit

from cli.command import PROSTATE, succeed, sven

TABLE = pd.read_csv(PROSTATE)
GRID = ["--n-lambda", 8, "-q", "--json"]
SITES = np.array(["north", "east", "west", "south", "centre"])


def cv(*arguments, folder=None):
    return succeed("cv", *arguments, *GRID, folder=folder).json


def fold_errors(answer):
    return np.array([setting["fold_errors"] for setting in answer["curves"][0]["settings"]])


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    TABLE.assign(site=SITES[np.arange(97) * 7 % 97 % 5], lpsa=TABLE["lpsa"]).to_csv(tmp_path / "d.csv", index=False)
    return tmp_path


def test_groups_stay_in_one_fold(folder):
    """As many folds as groups: those of --fold-column, in another order."""
    arguments = ["d.csv", "--target", "lpsa"]
    whole = cv(*arguments, "--folds-by", "site", folder=folder)
    given = cv(*arguments, "--fold-column", "site", folder=folder)
    assert whole["cross_validation"]["folds"] == 5 and whole["cross_validation"]["groups"] == "site"
    np.testing.assert_allclose(np.sort(fold_errors(whole), axis=1), np.sort(fold_errors(given), axis=1), rtol=1e-7)
    some = cv(*arguments, "--folds-by", "site", "--folds", 2, "--seed", 4, folder=folder)
    assert fold_errors(some).shape == (8, 2) and some["cross_validation"]["seed"] == 4
    out = succeed("cv", *arguments, "--folds-by", "site", "-q", folder=folder).out
    assert "5 folds of whole groups of site, from seed 1, 100 lambdas" in out


def test_strata_have_both_classes_in_every_fold():
    arguments = [PROSTATE, "--target", "svi", "--family", "binomial", "--measure", "auc", "--folds", 20]
    assert "one class alone" in sven("cv", *arguments, "-q").err
    answer = cv(*arguments, "--stratified")
    assert answer["cross_validation"]["stratified"] is True and fold_errors(answer).shape == (8, 20)
    assert "20 folds, stratified, from seed 1" in succeed("cv", *arguments, "--stratified", "-q").out


def test_repeats_begin_with_the_folds_of_one():
    once = cv(PROSTATE, "--folds", 5, "--seed", 3)
    thrice = cv(PROSTATE, "--folds", 5, "--seed", 3, "--repeats", 3)
    assert thrice["cross_validation"]["folds"] == 15 and thrice["cross_validation"]["repeats"] == 3
    np.testing.assert_allclose(fold_errors(thrice)[:, :5], fold_errors(once), rtol=1e-5)
    assert not np.allclose(fold_errors(thrice)[:, 5:10], fold_errors(once))
    weights = np.tile([20, 20, 19, 19, 19], 3)
    means = [setting["mean"] for setting in thrice["curves"][0]["settings"]]
    np.testing.assert_allclose(means, fold_errors(thrice) @ weights / weights.sum(), rtol=1e-12)
    assert "3 times 5 folds from seed 3" in succeed("cv", PROSTATE, "--folds", 5, "--seed", 3, "--repeats", 3, "-q").out


def test_ungrouped_errors_are_those_of_the_rows(tmp_path):
    arguments = [PROSTATE, "--folds", 6, "--choose", "min"]
    answer = cv(*arguments, "--ungrouped", "--oof", "oof.csv", folder=tmp_path)
    grouped = cv(*arguments)
    choice = answer["cross_validation"]
    assert choice["ungrouped"] is True and "ungrouped" not in grouped["cross_validation"]
    errors = (TABLE["lpsa"] - pd.read_csv(tmp_path / "oof.csv")["prediction"]) ** 2
    np.testing.assert_allclose(choice["mean"], errors.mean(), rtol=1e-7)
    np.testing.assert_allclose(choice["standard_error"], errors.std(ddof=0) / np.sqrt(96), rtol=1e-6)
    means = [[setting["mean"] for setting in each["curves"][0]["settings"]] for each in (answer, grouped)]
    np.testing.assert_allclose(*means, rtol=1e-7)


def test_time_runs_forwards(tmp_path):
    """Each fold is scikit-learn's: the rows before it are fitted, those after it have no part."""
    answer = cv(PROSTATE, "--folds", 4, "--time-ordered")
    assert answer["cross_validation"]["time_ordered"] is True and answer["cross_validation"]["seed"] is None
    setting = answer["curves"][0]["settings"][4]
    for k, (train, test) in enumerate(TimeSeriesSplit(4).split(TABLE)):
        TABLE.iloc[train].to_csv(tmp_path / "train.csv", index=False)
        TABLE.iloc[test].to_csv(tmp_path / "test.csv", index=False)
        succeed("fit", "train.csv", "--lambda", repr(setting["lambda"]), "-o", "m.json", "-q", folder=tmp_path)
        model = json.loads((tmp_path / "m.json").read_text())
        fitted = np.full(len(test), model["intercept"])
        for entry in model["coefficients"]:
            fitted += entry["value"] * TABLE[entry["feature"]].to_numpy()[test]
        error = np.mean((TABLE["lpsa"].to_numpy()[test] - fitted) ** 2)
        assert setting["fold_errors"][k] == pytest.approx(error, rel=1e-5)
    out = succeed("cv", PROSTATE, "--folds", 4, "--time-ordered", "-q").out
    assert "4 folds, each of the rows that follow its training rows" in out
