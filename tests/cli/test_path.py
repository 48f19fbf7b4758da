"""`sven path`: the file, the table, and agreement with single fits."""
import json
import re

import numpy as np
import pytest

from cli.command import PROSTATE, succeed

KEYS = ["t", "lambda1", "lambda2", "lambda", "alpha", "objective", "deviance", "null_deviance", "gap", "gap_source", "status", "proven_selected",
        "proven_zero", "undecided", "undecided_zeros", "nonzero", "intercept", "iterations", "coefficients"]


def path(*arguments, folder):
    out = succeed("path", *arguments, "-o", "path.json", folder=folder).out
    return json.loads((folder / "path.json").read_text()), out


def test_the_automatic_grid(tmp_path):
    answer, out = path(PROSTATE, "--alpha", 0.5, folder=tmp_path)
    assert list(answer) == ["format", "sven", "seconds", "reads", "n", "p", "data", "options", "fitted",
                            "device", "settings"]
    assert (answer["format"], answer["n"], answer["p"]) == ("sven-path/1", 97, 8)
    settings = answer["settings"]
    assert len(settings) == 100
    for setting in settings:
        assert list(setting) == KEYS
        assert setting["status"] == "optimal" and 0 <= setting["gap"] <= 1e-10
        assert setting["alpha"] == 0.5
        assert setting["nonzero"] == len(setting["coefficients"])
    assert settings[0]["nonzero"] == 0 and settings[1]["nonzero"] > 0
    lambdas = np.array([setting["lambda"] for setting in settings])
    np.testing.assert_allclose(lambdas[1:] / lambdas[:-1], 1e-4 ** (1 / 99), rtol=1e-9)
    assert len(re.findall(r"^ +\d+ .* optimal$", out, re.MULTILINE)) == 100
    assert re.search(r"^100 settings in .*, largest gap \S+\nX was read \S+ times?, and \d+ columns? one by one\n"
                     r"path in path.json\n\Z", out, re.MULTILINE)


def test_grid_options_and_aliases(tmp_path):
    answer, _ = path(PROSTATE, "--nlambda", 7, "--lambda-min-ratio", 0.1, folder=tmp_path)
    lambdas = [setting["lambda"] for setting in answer["settings"]]
    assert len(lambdas) == 7 and lambdas[-1] == pytest.approx(0.1 * lambdas[0])


@pytest.mark.parametrize("extra", [[], ["--glmnet"], ["--no-intercept", "--nonnegative"]],
                         ids=["plain", "glmnet", "options"])
def test_lambdas_from_a_file_equal_single_fits(tmp_path, extra):
    (tmp_path / "lambdas").write_text("0.5\n0.2\n0.01\n")
    answer, _ = path(PROSTATE, "--lambdas", "lambdas", "--alpha", 0.3, *extra, folder=tmp_path)
    for value, setting in zip([0.5, 0.2, 0.01], answer["settings"]):
        single = succeed("fit", PROSTATE, "--lambda", value, "--alpha", 0.3, *extra, "--json").json
        compare(setting, single)


def test_settings_with_distinct_numbers_of_features(tmp_path):
    answer, _ = path(PROSTATE, "--distinct", 5, "--alpha", 0.5, folder=tmp_path)
    numbers = [setting["nonzero"] for setting in answer["settings"]]
    assert len(numbers) == 5 and numbers == sorted(set(numbers)) and numbers[0] >= 1 and numbers[-1] == 8
    assert all(setting["gap"] <= 1e-10 for setting in answer["settings"])


def test_settings_from_a_file_equal_single_fits(tmp_path):
    (tmp_path / "settings.csv").write_text("lambda2,t\n3,0.2\n1,0.9\n0,1.1\n")
    answer, _ = path(PROSTATE, "--settings", "settings.csv", folder=tmp_path)
    for (l2, t), setting in zip([(3, 0.2), (1, 0.9), (0, 1.1)], answer["settings"]):
        single = succeed("fit", PROSTATE, "--t", t, "--lambda2", l2, "--json").json
        compare(setting, single)


def compare(setting, single):
    assert setting["status"] == single["status"]
    for key in ["t", "lambda1", "lambda2", "lambda", "alpha", "objective", "intercept"]:
        assert setting[key] == pytest.approx(single[key], rel=1e-8), key
    assert [entry["feature"] for entry in setting["coefficients"]] == [
        entry["feature"] for entry in single["coefficients"]]
    for mine, theirs in zip(setting["coefficients"], single["coefficients"]):
        assert list(mine) == ["feature", "index", "value", "standardized", "proof"]
        assert mine["value"] == pytest.approx(theirs["value"], rel=1e-7)


def test_json_on_standard_output_is_the_file(tmp_path):
    printed = succeed("path", PROSTATE, "--n-lambda", 5, "--json", "-o", "path.json", folder=tmp_path).json
    assert printed == json.loads((tmp_path / "path.json").read_text())
