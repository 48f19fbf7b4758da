"""`--family`: models of classes and counts, their files, and what `sven predict --type` makes of them."""
import json

import numpy as np
import pandas as pd

from cli.command import PROSTATE, succeed, sven

TABLE = pd.read_csv(PROSTATE)


def predictions(folder, *arguments):
    succeed("predict", "model.json", PROSTATE, "-o", "p.csv", *arguments, folder=folder)
    return pd.read_csv(folder / "p.csv", float_precision="round_trip")["prediction"].to_numpy()


def linear_predictor(folder):
    model = json.loads((folder / "model.json").read_text())
    result = np.full(len(TABLE), model["intercept"])
    for entry in model["coefficients"]:
        result += entry["value"] * TABLE[entry["feature"]].to_numpy()
    return model, result


def test_classes(tmp_path):
    answer = succeed("fit", PROSTATE, "--target", "svi", "--family", "binomial", "--lambda", "0.02", "-o",
                     "model.json", "--json", folder=tmp_path).json
    assert answer["family"] == "binomial"
    assert answer["gap"] <= 1e-10
    model, eta = linear_predictor(tmp_path)
    assert model["settings"]["family"] == "binomial"
    mean = 1 / (1 + np.exp(-eta))
    y = TABLE["svi"].to_numpy()
    deviance = -2 * np.sum(y * np.log(mean) + (1 - y) * np.log(1 - mean))
    assert abs(answer["deviance"] / deviance - 1) <= 1e-10
    share = np.mean(y)
    assert abs(answer["null_deviance"] / (-2 * len(y) * (share * np.log(share) + (1 - share) * np.log(1 - share)))
               - 1) <= 1e-12
    np.testing.assert_allclose(predictions(tmp_path), mean, rtol=1e-12)
    np.testing.assert_allclose(predictions(tmp_path, "--type", "link"), eta, rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(predictions(tmp_path, "--type", "class"), mean > 0.5)


def test_counts_and_the_table(tmp_path):
    text = succeed("fit", PROSTATE, "--target", "age", "--family", "poisson", "--lambda", "0.5", "-o", "model.json",
                   folder=tmp_path).out
    assert "poisson response" in text
    assert 'family = "poisson"' in text
    _, eta = linear_predictor(tmp_path)
    np.testing.assert_allclose(predictions(tmp_path), np.exp(eta), rtol=1e-12)


def test_budgets(tmp_path):
    """Within the budget that a penalty uses, its solution; and a budget for each line of a file."""
    for target, family in [("svi", "binomial"), ("age", "poisson")]:
        words = ["fit", PROSTATE, "--target", target, "--family", family, "--json"]
        penalty = succeed(*words, "--lambda1", "8", "--lambda2", "1", folder=tmp_path).json
        budget = succeed(*words, "--t", repr(penalty["t"]), "--lambda2", "1", folder=tmp_path).json
        assert budget["form"] == "budget" and budget["gap"] <= 1e-10
        assert abs(budget["lambda1"] / 8 - 1) <= 1e-5
        assert abs(budget["deviance"] / penalty["deviance"] - 1) <= 1e-8
        (tmp_path / "budgets.csv").write_text("t,lambda2\n0.05,0\n0.1,2\n")
        succeed("path", PROSTATE, "--target", target, "--family", family, "--settings", "budgets.csv", "-o",
                "path.json", folder=tmp_path)
        settings = json.loads((tmp_path / "path.json").read_text())["settings"]
        assert [setting["t"] for setting in settings] == [0.05, 0.1]
        assert all(setting["status"] == "optimal" and setting["gap"] <= 1e-10 for setting in settings)
        (tmp_path / "path.json").unlink()


def test_path_of_classes(tmp_path):
    succeed("path", PROSTATE, "--target", "svi", "--family", "binomial", "--n-lambda", "10", "-o", "path.json",
            folder=tmp_path)
    document = json.loads((tmp_path / "path.json").read_text())
    assert document["options"]["family"] == "binomial"
    assert all(setting["status"] == "optimal" for setting in document["settings"])
    assert all(0 < value < 1 for value in document["fitted"]["predicted"])


def test_refused_in_one_sentence(tmp_path):
    for words, sentence in [
        (["fit", "--target", "age", "--family", "binomial", "--lambda", "1"], "a binomial response is 0 or 1"),
        (["fit", "--target", "lpsa", "--family", "poisson", "--lambda", "1"], "must not be negative"),
        (["fit", "--target", "svi", "--family", "binomial", "--t", "-1", "--lambda2", "1"], "--t"),
        (["cv", "--target", "svi", "--family", "poisson", "--measure", "auc"], "--measure auc is for --family binomial"),
        (["cv", "--target", "svi", "--family", "binomial", "--measure", "gini"], '"gini" is none of auc, class, '),
    ]:
        outcome = sven(words[0], PROSTATE, *words[1:], folder=tmp_path)
        assert outcome.code != 0
        assert sentence in outcome.err
        assert outcome.out == ""
