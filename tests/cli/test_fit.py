"""`sven fit` as a user meets it."""
import json
import re
import subprocess

import numpy as np
import pytest

from cli.command import PROSTATE, succeed, sven, under_a_limit
from world.paths import PROGRAM

KEYS = ["status", "form", "target", "n", "p", "t", "lambda1", "lambda2", "lambda", "alpha", "objective", "gap",
        "gap_source", "proven_selected", "proven_zero", "undecided", "undecided_zeros", "intercept", "nonzero", "method", "svm", "device",
        "iterations", "seconds", "coefficients"]
PROSTATE_DATA = np.loadtxt(PROSTATE, delimiter=",", skiprows=1)


def fit(*arguments, **options):
    return succeed("fit", *arguments, "--json", **options).json


def dense(answer):
    values = np.zeros(answer["p"])
    for entry in answer["coefficients"]:
        values[entry["index"]] = entry["value"]
    return values


def close(a, b):
    np.testing.assert_allclose(dense(a), dense(b), rtol=0, atol=1e-9 * np.max(np.abs(dense(a))))
    assert a["intercept"] == pytest.approx(b["intercept"], abs=1e-8)


def test_proofs_are_told_for_each_feature(tmp_path):
    """At a loose gap some features are open, with a coefficient or without; the counts and the sentence are theirs."""
    arguments = (PROSTATE, "--family", "binomial", "--target", "svi", "--lambda", 0.12)
    answer = fit(*arguments)
    own = [entry["feature"] for entry in answer["coefficients"] if entry["proof"] == "undecided"]
    others = [entry["feature"] for entry in answer["undecided_zeros"]]
    assert len(own) + len(others) == answer["undecided"] > 0 and answer["proven_zero"] > 0
    names = PROSTATE.read_text().split("\n", 1)[0].split(",")
    listed = ", ".join(f'"{name}"' for name in sorted(own + others, key=names.index))
    assert f"\nundecided    {listed}\n" in succeed("fit", *arguments).out
    assert "\nundecided" not in succeed("fit", PROSTATE, "--lambda", 0.1).out


@under_a_limit
def test_runs_of_limited_memory_keep_no_proofs_of_zeros():
    """A byte for each feature and setting is not for them."""
    assert "undecided_zeros" not in fit(PROSTATE, "--lambda", 0.1, "--memory", "1G")


def test_json_has_exactly_these_keys():
    text = succeed("fit", PROSTATE, "--t", 0.9, "--lambda2", 3, "--json").out
    answer = json.loads(text)
    assert list(answer) == KEYS
    assert answer["form"] == "budget" and answer["target"] == "lpsa"
    assert (answer["n"], answer["p"], answer["svm"]) == (97, 8, "newton")
    assert answer["status"] == "optimal" and 0 <= answer["gap"] <= 1e-10
    assert answer["gap_source"] in ("data", "gram") and answer["method"] in ("primal", "dual")
    assert answer["t"] == 0.9 and answer["lambda2"] == 3
    assert answer["proven_selected"] + answer["proven_zero"] + answer["undecided"] == 8
    assert answer["nonzero"] == len(answer["coefficients"]) > 0
    names = PROSTATE.read_text().split("\n", 1)[0].split(",")
    for entry in answer["coefficients"]:
        assert list(entry) == ["feature", "index", "value", "standardized", "proof"] and entry["proof"] == "selected"
        assert names[entry["index"]] == entry["feature"]
        assert entry["value"] != 0
        spread = PROSTATE_DATA[:, entry["index"]].std()
        assert entry["standardized"] == pytest.approx(entry["value"] * spread)
    assert sum(abs(entry["standardized"]) for entry in answer["coefficients"]) == pytest.approx(0.9)


def test_the_three_forms_meet():
    mixing = fit(PROSTATE, "--lambda", 0.1, "--alpha", 0.4)
    penalty = fit(PROSTATE, "--lambda1", repr(mixing["lambda1"]), "--lambda2", repr(mixing["lambda2"]))
    budget = fit(PROSTATE, "--t", repr(mixing["t"]), "--lambda2", repr(mixing["lambda2"]))
    assert [mixing["form"], penalty["form"], budget["form"]] == ["mixing", "penalty", "budget"]
    close(mixing, penalty)
    close(mixing, budget)
    assert mixing["lambda1"] == pytest.approx(2 * 97 * 0.1 * 0.4)
    assert mixing["lambda2"] == pytest.approx(97 * 0.1 * 0.6)
    assert (mixing["lambda"], mixing["alpha"]) == (0.1, 0.4)
    assert budget["lambda"] == pytest.approx(0.1) and budget["alpha"] == pytest.approx(0.4)
    # Each objective is that of its own form.
    assert penalty["objective"] == pytest.approx(2 * 97 * mixing["objective"])
    assert budget["objective"] == pytest.approx(penalty["objective"] - penalty["lambda1"] * penalty["t"])


def test_alpha_is_one_by_default_and_null_without_penalties():
    lasso = fit(PROSTATE, "--lambda", 0.1)
    assert lasso["alpha"] == 1 and lasso["lambda2"] == 0
    free = fit(PROSTATE, "--lambda1", 0, "--lambda2", 0)
    assert free["alpha"] is None and free["lambda"] == 0
    expected = np.linalg.lstsq(np.c_[np.ones(97), PROSTATE_DATA[:, :-1]], PROSTATE_DATA[:, -1], rcond=None)[0]
    np.testing.assert_allclose(dense(free), expected[1:], rtol=1e-8)


def test_every_way_to_give_the_data_is_the_same(tmp_path):
    X, y = PROSTATE_DATA[:, :-1], PROSTATE_DATA[:, -1]
    setting = ["--lambda", 0.05, "--alpha", 0.5]
    expected = fit(PROSTATE, *setting)
    np.save(tmp_path / "C.npy", X)
    np.save(tmp_path / "F.npy", np.asfortranarray(X))
    np.save(tmp_path / "y.npy", y)
    (tmp_path / "y.txt").write_text("".join(f"{value!r}\n" for value in y.tolist()))
    (tmp_path / "features.csv").write_text(
        "\n".join(line.rsplit(",", 1)[0] for line in PROSTATE.read_text().split("\n")))
    (tmp_path / "d.tsv").write_text(PROSTATE.read_text().replace(",", "\t"))
    for name, first in [("one.svm", 1), ("zero.libsvm", 0)]:
        (tmp_path / name).write_text("".join(
            " ".join([repr(target), *(f"{j}:{value!r}" for j, value in enumerate(row, first) if value != 0)]) + "\n"
            for row, target in zip(X.tolist(), y.tolist())))
    ways = [["C.npy", "--y", "y.npy"], ["F.npy", "--y", "y.txt"], ["features.csv", "--y", "y.npy"],
            ["d.tsv", "--target", "lpsa"], ["d.tsv", "--target", 8], ["one.svm"], ["zero.libsvm", "--zero-based"]]
    for way in ways:
        close(expected, fit(*way, *setting, folder=tmp_path))
    np.save(tmp_path / "C4.npy", X.astype(np.float32))
    single = fit("C4.npy", "--y", "y.npy", *setting, folder=tmp_path)
    np.testing.assert_allclose(dense(single), dense(expected), rtol=1e-4)


def test_weights_from_a_file_and_from_a_column(tmp_path):
    weights = np.random.default_rng(1).integers(0, 4, 97)
    (tmp_path / "w").write_text("".join(f"{w}\n" for w in weights))
    lines = PROSTATE.read_text().strip().split("\n")
    (tmp_path / "d.csv").write_text("\n".join([f"w,{lines[0]}", *(f"{w},{row}" for w, row in zip(weights, lines[1:]))]))
    (tmp_path / "repeated.csv").write_text(
        "\n".join([lines[0], *(row for w, row in zip(weights, lines[1:]) for _ in range(w))]))
    setting = ["--lambda", 0.05, "--alpha", 0.5]
    by_file = fit(PROSTATE, "--weights", "w", *setting, folder=tmp_path)
    by_column = fit("d.csv", "--weights-column", "w", *setting, folder=tmp_path)
    repeated = fit("repeated.csv", *setting, folder=tmp_path)
    close(by_file, by_column)
    close(by_file, repeated)
    assert by_column["p"] == 8


def test_penalty_factors_and_unpenalised_features(tmp_path):
    (tmp_path / "f").write_text("1\n0\n1\n1\n0\n1\ninf\n1\n")
    (tmp_path / "g").write_text("1\n1\n1\n1\n1\n1\ninf\n1\n")
    by_file = fit(PROSTATE, "--lambda", 0.3, "--penalty-factors", "f", folder=tmp_path)
    by_name = fit(PROSTATE, "--lambda", 0.3, "--penalty-factors", "g", "--unpenalized", "lweight,svi",
                  folder=tmp_path)
    close(by_file, by_name)
    assert {entry["feature"] for entry in by_file["coefficients"]} >= {"lweight", "svi"}
    assert "gleason" not in {entry["feature"] for entry in by_file["coefficients"]}


def test_nonnegative_intercept_and_scale():
    assert dense(fit(PROSTATE, "--lambda", 0.01))[2] < 0
    assert np.all(dense(fit(PROSTATE, "--lambda", 0.01, "--nonnegative")) >= 0)
    assert fit(PROSTATE, "--lambda", 0.1, "--no-intercept")["intercept"] == 0
    raw = fit(PROSTATE, "--lambda", 0.1, "--no-standardize")
    assert all(entry["value"] == entry["standardized"] for entry in raw["coefficients"])


def test_methods_threads_and_machines_agree():
    setting = ["--t", 0.9, "--lambda2", 3]
    expected = fit(PROSTATE, *setting)
    for method in ["primal", "dual"]:
        answer = fit(PROSTATE, *setting, "--method", method)
        assert answer["method"] == method
        close(expected, answer)
    close(expected, fit(PROSTATE, *setting, "--threads", 1))
    outcome = sven("fit", PROSTATE, *setting, "--svm", "liblinear", "--json")
    if outcome.code == 2:
        pytest.skip("built without LIBLINEAR")
    assert outcome.json["svm"] == "liblinear"
    np.testing.assert_allclose(dense(outcome.json), dense(expected), atol=1e-3)


def test_aliases():
    assert fit(PROSTATE, "--lambda", 0.1, "--l1-ratio", 0.5, "--tol", 1e-8)["alpha"] == 0.5


def test_a_slack_budget_is_said_to_be_ridge():
    answer = fit(PROSTATE, "--t", 100, "--lambda2", 3)
    assert (answer["status"], answer["lambda1"]) == ("ridge", 0)
    assert "ridge: the budget does not bind" in succeed("fit", PROSTATE, "--t", "inf", "--lambda2", 3).out


def test_a_solution_that_is_not_unique_is_said_to_be_so(tmp_path):
    (tmp_path / "d.csv").write_text("a,b,y\n1,1,2\n2,2,3\n3,3,5\n4,4,4\n")
    answer = fit("d.csv", "--lambda", 0.1, folder=tmp_path)
    assert answer["status"] == "not_unique"
    assert "not_unique: " in succeed("fit", "d.csv", "--lambda", 0.1, folder=tmp_path).out


def test_the_human_report():
    out = succeed("fit", PROSTATE, "--t", 0.9, "--lambda2", 3).out
    assert f"{PROSTATE}: 97 rows, 8 features, target lpsa (the last column; --target names another)\n" in out
    assert "(the last column" not in succeed("fit", PROSTATE, "--target", "lpsa", "--t", 0.9, "--lambda2", 3).out
    answer = fit(PROSTATE, "--t", 0.9, "--lambda2", 3)
    rows = dict(re.findall(r"^(\S+) +(-?[\d.e-]+) +-?[\d.e-]+$", out, re.MULTILINE))
    assert {name: float(value) for name, value in rows.items()} == pytest.approx(
        {entry["feature"]: entry["value"] for entry in answer["coefficients"]}, rel=1e-5)
    sizes = [abs(float(size)) for size in re.findall(r"^\S+ +-?[\d.e-]+ +(-?[\d.e-]+)$", out, re.MULTILINE)]
    assert sizes == sorted(sizes, reverse=True)
    for label in ["(intercept)", "status", "t", "lambda1", "lambda2", "lambda", "alpha", "objective", "gap",
                  "support", "method", "scikit-learn", "glmnet"]:
        assert re.search(rf"^{re.escape(label)} ", out, re.MULTILINE), label


def test_nothing_selected_is_said():
    out = succeed("fit", PROSTATE, "--lambda", 100).out
    assert "\nno feature is selected\n(intercept) " in out


def test_long_tables_say_how_much_more_there_is(tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "X.npy", rng.standard_normal((100, 50)))
    np.save(tmp_path / "y.npy", rng.standard_normal(100))
    out = succeed("fit", "X.npy", "--y", "y.npy", "--lambda1", 0, "--lambda2", 1, folder=tmp_path).out
    assert len(re.findall(r"^x\d+ ", out, re.MULTILINE)) == 20
    assert "and 30 more that are not zero\n" in out


def test_row_names_are_announced(tmp_path):
    (tmp_path / "d.csv").write_text('"","a","y"\n"one",1,2\n"two",3,4\n"three",5,7\n')
    out = succeed("fit", "d.csv", "--lambda", 0.01, folder=tmp_path).out
    assert "the first column has no name: taken as row names\n" in out


def test_data_may_come_through_a_pipe(tmp_path):
    command = f"cat {PROSTATE} | {PROGRAM} fit /dev/stdin --target lpsa --lambda 0.1 --json"
    piped = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    close(json.loads(piped.stdout), fit(PROSTATE, "--lambda", 0.1))


def test_a_name_cannot_break_the_table(tmp_path):
    (tmp_path / "d.csv").write_text('"two\nlines",grün,y\n1,2,4\n2,9,3\n5,1,7\n')
    out = succeed("fit", "d.csv", "--lambda", 0.01, folder=tmp_path).out
    widths = {len(line) for line in re.findall(r"^(?:feature|two|grün).*$", out, re.MULTILINE)}
    assert "two?lines" in out and len(widths) == 1


def test_help_and_version():
    assert "Examples:\n  sven fit " in succeed("--help").out
    for command in ["fit", "path", "cv", "predict", "report", "convert", "gram", "simulate", "info", "completion"]:
        assert f"  sven {command} " in succeed(command, "--help").out.partition("Examples:\n")[2]
    assert re.fullmatch(r"sven \d+\.\d+\.\d+\n", succeed("--version").out)


def test_the_examples_of_the_help_run(tmp_path):
    lines = PROSTATE.read_text().replace("lpsa", "price")
    (tmp_path / "data.csv").write_text(lines)
    (tmp_path / "settings.csv").write_text("t,lambda2\n0.5,1\n1,1\n")
    np.save(tmp_path / "X.npy", PROSTATE_DATA[:, :-1])
    np.save(tmp_path / "y.npy", PROSTATE_DATA[:, -1])
    (tmp_path / "train.svm").write_text("1 1:2 2:1\n2 1:1\n3 2:4\n")
    examples = re.findall(r"^  (sven .*)$", succeed("fit", "--help").out + succeed("path", "--help").out, re.MULTILINE)
    assert len(examples) >= 6
    for example in examples:
        succeed(*example.split()[1:], folder=tmp_path)
