"""Tables as users have them: texts, holes, dates, other countries' numbers; and what the program says of them."""
import re

import numpy as np
import pandas as pd
import pytest

from cli.command import PROSTATE, succeed, sven

TABLE = pd.read_csv(PROSTATE, float_precision="round_trip")
SETTING = ["--lambda", 0.05, "--json"]


def features(answer):
    return {entry["feature"]: entry["value"] for entry in answer["coefficients"]}


def test_rows_without_a_target_are_dropped_and_counted(tmp_path):
    holes = TABLE.copy()
    holes.loc[[3, 50], "lpsa"] = np.nan
    holes.loc[7, "age"] = np.nan
    holes.to_csv(tmp_path / "d.csv", index=False)
    outcome = sven("fit", "d.csv", *SETTING, folder=tmp_path)
    assert outcome.err == ('sven: d.csv:5:9: the value is missing (column "lpsa"); --drop-missing would leave such rows '
                           "out\n")
    out = succeed("fit", "d.csv", "--drop-missing", "--lambda", 0.05, folder=tmp_path).out
    assert "3 rows were left out for lack of a value\n" in out and "94 rows" in out
    holes.dropna().to_csv(tmp_path / "e.csv", index=False)
    one, other = [succeed("fit", name, *SETTING, *more, folder=tmp_path).json
                  for name, more in [("d.csv", ["--drop-missing"]), ("e.csv", [])]]
    assert features(one) == features(other)
    filled = succeed("fit", "d.csv", "--drop-missing", "--impute", "mean", "--lambda", 0.05, folder=tmp_path).out
    assert "2 rows were left out" in filled and "1 missing value filled in by the mean of the column" in filled


def test_new_rows_may_lack_the_target(tmp_path):
    succeed("fit", PROSTATE, "--lambda", 0.05, "-o", "m.json", folder=tmp_path)
    holes = TABLE.copy()
    holes.loc[:9, "lpsa"] = np.nan
    holes.to_csv(tmp_path / "d.csv", index=False)
    out = succeed("predict", "m.json", "d.csv", "-o", "p.csv", folder=tmp_path).out
    assert "10 rows have no target: compared are the other 87\n" in out
    predicted = pd.read_csv(tmp_path / "p.csv")["prediction"]
    assert len(predicted) == 97
    mse = float(np.mean((predicted[10:] - TABLE["lpsa"][10:]) ** 2))
    assert f"MSE  {mse:.6g}\n" in out
    holes["lpsa"] = np.nan
    holes.to_csv(tmp_path / "d.csv", index=False)
    assert "MSE" not in succeed("predict", "m.json", "d.csv", "-o", "p.csv", folder=tmp_path).out


def test_columns_to_make_features_of(tmp_path):
    frame = TABLE[["age", "svi", "lpsa"]].assign(zip=[[101, 7, 33][k % 3] for k in range(97)])
    frame.to_csv(tmp_path / "d.csv", index=False)
    out = succeed("fit", "d.csv", "--target", "lpsa", "--one-hot", "zip", "--lambda", 0.001, folder=tmp_path).out
    assert "97 rows, 5 features" in out and "zip: 3 texts, a feature for each\n" in out and "zip=7" in out
    frame.assign(site="x").to_csv(tmp_path / "e.csv", index=False)
    outcome = sven("fit", "e.csv", "--target", "lpsa", "--one-hot", "zip", *SETTING, folder=tmp_path)
    assert outcome.err.endswith("; --one-hot has to name this column too\n")


def test_dates_are_days(tmp_path):
    days = pd.date_range("2020-02-25", periods=97, freq="3D")
    frame = TABLE[["age", "lpsa"]].assign(day=days.strftime("%Y-%m-%d"))
    frame.to_csv(tmp_path / "d.csv", index=False)
    frame.assign(day=(days - pd.Timestamp("1970-01-01")).days).to_csv(tmp_path / "e.csv", index=False)
    one, other = [succeed("fit", name, "--target", "lpsa", *SETTING, *more, "-o", "m.json", folder=tmp_path).json
                  for name, more in [("e.csv", []), ("d.csv", ["--date", "day"])]]
    assert features(one) == features(other) and "day" in features(one)
    succeed("predict", "m.json", "d.csv", "-o", "p.csv", folder=tmp_path)
    outcome = sven("fit", "d.csv", "--target", "lpsa", *SETTING, folder=tmp_path)
    assert outcome.err.endswith("; --one-hot, --drop, --date or --id would deal with text\n")


@pytest.mark.parametrize("number, given, advice", [
    ("4.689,60", ["--decimal", ","], "--thousands . tells"),
    ("4.689,60", [], "--decimal , --thousands . tell"),
    ("4,689.60", [], "--thousands , tells"),
    ("4,689.60", ["--decimal", ","], "--decimal . --thousands , tell"),
    ("4,689", [], "--decimal , or --thousands , tells"),
    ("4,6", [], "--decimal , tells"),
    ("4,6", ["--thousands", "'"], "--decimal , tells"),
    ("4,689,600", [], "--thousands , tells"),
    ("4.689.600", [], "--decimal , --thousands . tell"),
    ("4.689", ["--decimal", ","], "--thousands . tells"),
    ("4 689,6", ["--decimal", ","], '--thousands " " tells'),
    ("4\u00a0689", [], '--thousands " " tells'),
    ("4'689.60", [], '--thousands "\'" tells'),
])
def test_marks_of_numbers_that_are_needed(tmp_path, number, given, advice):
    (tmp_path / "d.csv").write_text(f"a;y\n{number};1\n2;3\n")
    outcome = sven("fit", "d.csv", *given, "--lambda", 1, folder=tmp_path)
    assert outcome.err == f'sven: d.csv:2:1: "{number}" is not a number (column "a"); {advice} how numbers are written\n'


def test_numbers_of_other_countries(tmp_path):
    TABLE.to_csv(tmp_path / "d.csv", index=False, sep=";", decimal=",")
    outcome = sven("fit", "d.csv", *SETTING, folder=tmp_path)
    assert outcome.err.endswith('is not a number (column "lcavol"); --decimal , tells how numbers are written\n')
    one = succeed("fit", "d.csv", "--decimal", ",", *SETTING, folder=tmp_path).json
    assert features(one) == features(succeed("fit", PROSTATE, *SETTING).json)
    outcome = sven("fit", "d.csv", "--decimal", "x", *SETTING, folder=tmp_path)
    assert (outcome.code, outcome.err) == (2, 'sven: --decimal: "x" is none of ., , (see sven fit --help)\n')
    outcome = sven("fit", "d.csv", "--decimal", ",", "--thousands", ",", *SETTING, folder=tmp_path)
    assert "cannot be the same character" in outcome.err


@pytest.mark.parametrize("separator", ["|", " ", "   "])
def test_separators(tmp_path, separator):
    rows = PROSTATE.read_text().replace(",", separator)
    (tmp_path / "d.txt").write_text(rows)
    assert features(succeed("fit", "d.txt", *SETTING, folder=tmp_path).json) == features(
        succeed("fit", PROSTATE, *SETTING).json)


def test_texts_over_several_lines(tmp_path):
    TABLE.assign(note='said "no",\nthen yes').to_csv(tmp_path / "d.csv", index=False)
    one = succeed("fit", "d.csv", "--target", "lpsa", "--drop", "note", *SETTING, folder=tmp_path).json
    assert features(one) == features(succeed("fit", PROSTATE, *SETTING).json)


def test_a_target_of_texts_is_told_what_to_do(tmp_path):
    (tmp_path / "d.csv").write_text("a,y\n1,yes\n2,no\n")
    assert sven("fit", "d.csv", "--one-hot", *SETTING, folder=tmp_path).err == (
        'sven: d.csv:2:2: "yes" is not a number (column "y"); what is to be predicted must be numbers, or classes of --family binomial: --target names '
        "another column\n")


def test_folds_by_any_text(tmp_path):
    frame = TABLE.assign(site=[["north", "east", "west"][k % 3] for k in range(97)])
    frame.to_csv(tmp_path / "d.csv", index=False)
    frame.assign(site=[[1, 0, 2][k % 3] for k in range(97)]).to_csv(tmp_path / "e.csv", index=False)
    one, other = [succeed("cv", name, "--target", "lpsa", "--fold-column", "site", "--json", folder=tmp_path).json
                  for name in ("d.csv", "e.csv")]
    assert one["cross_validation"]["folds"] == 3
    assert one["curves"][0]["settings"][40]["fold_errors"] == other["curves"][0]["settings"][40]["fold_errors"]


@pytest.mark.parametrize("name, write", [
    ("d.parquet", lambda frame, path: frame.to_parquet(path)),
    ("d.feather", lambda frame, path: frame.to_feather(path)),
    ("d.csv", lambda frame, path: frame.to_csv(path, encoding="utf-16")),
])
def test_files_of_other_kinds_are_named(tmp_path, name, write):
    if name != "d.csv":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    write(TABLE, tmp_path / name)
    outcome = sven("fit", name, *SETTING, folder=tmp_path)
    assert outcome.code == 1 and f"sven: {name}: this is " in outcome.err and "; convert it first: " in outcome.err
    assert name in outcome.err.split("convert it first: ")[1]


# name: (frame, what the warning says)
SUSPECTS = {
    "identifier": (lambda t: t.assign(number=np.arange(97) + 1000), "the column number is a feature but numbers the rows"),
    "shuffled": (lambda t: t.assign(patient_id=np.random.default_rng(1).permutation(97)),
                 "the column patient_id is a feature but numbers the rows"),
    "several": (lambda t: t.assign(a=np.arange(97), rowID=np.arange(97)[::-1]),
                "the columns a, rowID are features but number the rows; --id or --drop would set them aside"),
    "date": (lambda t: t.assign(day=pd.date_range("2021-01-01", periods=97).strftime("%Y%m%d")),
             "the column day is taken as plain numbers but looks like dates"),
    "texts": (lambda t: t.assign(day=pd.date_range("2021-01-01", periods=97).strftime("%Y-%m-%d")),
              "the column day is text that hardly repeats"),
    "constant": (lambda t: t.assign(one=1), "the column one is constant and cannot be selected"),
    "near": (lambda t: t.assign(near=np.where(t.index == 0, 3.5, 2)), "the column near is constant but for 1 row\n"),
    "nearer": (lambda t: t.assign(near=np.where(t.index > 94, 1, 0)), "the column near is constant but for 2 rows\n"),
    "one in a hundred": (lambda t: pd.concat([t] * 6, ignore_index=True).assign(near=lambda s: (s.index < 5).astype(int)),
                         "the column near is constant but for 5 rows\n"),
    "two of them": (lambda t: t.assign(near=(t.index == 0).astype(int), far=(t.index > 94).astype(int)),
                    "the columns near, far are constant but for a few rows\n"),
    "classes": (lambda t: t.assign(lpsa=(t["lpsa"] > 2).astype(int)), "the target has two values only"),
}


@pytest.mark.parametrize("name", SUSPECTS)
@pytest.mark.parametrize("command", [["fit", "--lambda", 0.1], ["path"], ["cv"]], ids=lambda words: words[0])
def test_probable_mistakes(tmp_path, name, command):
    change, sentence = SUSPECTS[name]
    change(TABLE).to_csv(tmp_path / "d.csv", index=False)
    arguments = [command[0], "d.csv", "--target", "lpsa", "--one-hot", *command[1:]]
    outcome = sven(*arguments, folder=tmp_path)
    assert outcome.code == 0 and f"sven: warning: {sentence}" in outcome.err
    assert sven(*arguments, "--quiet", folder=tmp_path).err == ""
    TABLE.to_csv(tmp_path / "d.csv", index=False)
    assert sven(*arguments, folder=tmp_path).err == ""


def test_columns_that_vary_enough(tmp_path):
    rare = np.where(np.arange(97) == 7, "rare", "common")
    TABLE.assign(three=(np.arange(97) < 3).astype(int), kind=rare).to_csv(tmp_path / "d.csv", index=False)
    assert sven("fit", "d.csv", "--target", "lpsa", "--one-hot", *SETTING, folder=tmp_path).err == ""
    np.save(tmp_path / "d.npy", (np.arange(97)[:, None] == [5, 50]).astype(float))
    np.save(tmp_path / "y.npy", TABLE["lpsa"].to_numpy())
    assert sven("fit", "d.npy", "--y", "y.npy", *SETTING, folder=tmp_path).err == ""


def test_a_first_row_of_numbers(tmp_path):
    sentence = "the first row was taken for the names of the columns, which are numbers: "
    (tmp_path / "d.csv").write_text("12,7,3\n" + "1,2,3\n2,5,5\n4,1,9\n")
    assert sven("fit", "d.csv", *SETTING, folder=tmp_path).err == f"sven: warning: {sentence}12, 7, 3\n"
    assert sven("fit", "d.csv", "--drop", "7", *SETTING, folder=tmp_path).err == f"sven: warning: {sentence}12, 3, 7\n"
    assert sven("fit", "d.csv", "--quiet", *SETTING, folder=tmp_path).err == ""
    for names in ("0,1,2", "3,2,1", "a,1,7"):  # an array's, or words
        (tmp_path / "d.csv").write_text(names + "\n1,2,3\n2,5,5\n4,1,9\n")
        assert sven("fit", "d.csv", *SETTING, folder=tmp_path).err == ""
    (tmp_path / "t.csv").write_text("gene,s1,s2,s3\n7,1,2,4\n12,2,5,1\n3,3,5,9\n")
    assert sven("fit", "t.csv", "--transpose", *SETTING, folder=tmp_path).err == ""


def test_counts_and_codes_are_no_identifiers(tmp_path):
    rng = np.random.default_rng(2)
    TABLE.assign(bid=rng.permutation(97), visit=rng.permutation(97), site_id=np.arange(97) % 9).to_csv(tmp_path / "d.csv", index=False)
    assert sven("fit", "d.csv", "--target", "lpsa", *SETTING, folder=tmp_path).err == ""


def test_the_end_of_the_grid(tmp_path):
    (tmp_path / "lambdas").write_text("2\n1\n0.5\n")
    outcome = sven("cv", PROSTATE, "--lambdas", "lambdas", folder=tmp_path)
    assert "warning: the least error is at the smallest lambda of the grid" in outcome.err


@pytest.mark.parametrize("options", [[], ["--family", "binomial"]], ids=["numbers", "classes"])
def test_features_that_predict_nothing(tmp_path, options):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(90, 4)), columns=list("abcd")).assign(y=rng.permutation(90) % (2 if options else 17))
    frame.to_csv(tmp_path / "d.csv", index=False)
    outcome = sven("cv", "d.csv", *options, "-o", "m.json", folder=tmp_path)
    assert ("sven: warning: no feature predicts better than the mean: the least error is at the largest lambda of the grid, "
            "where none is selected\n") in outcome.err
    assert "no feature is selected" in outcome.out
    assert re.search(r"^(R\^2|explained) .*, 0 on the rows of the fit$", outcome.out, re.MULTILINE)
    assert sven("cv", "d.csv", *options, "-q", folder=tmp_path).err == ""
    without = sven("cv", "d.csv", *options, "--no-intercept", folder=tmp_path).err
    assert "better than the mean" not in without
    if not options:
        assert "R^2  0\n" in succeed("predict", "m.json", "d.csv", "-o", "p.csv", folder=tmp_path).out
        assert re.search(r"^R\^2 +0$", succeed("assess", "m.json", "d.csv", folder=tmp_path).out, re.MULTILINE)
