"""`sven predict`: names, not order; what is missing or extra; the measures."""
import json
import re

import numpy as np
import pandas as pd
import pytest

from cli.command import PROSTATE, succeed, sven

TABLE = pd.read_csv(PROSTATE)


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    succeed("cv", PROSTATE, "--target", "lpsa", "-o", "model.json", folder=tmp_path)
    return tmp_path


def expected(folder, table=TABLE):
    model = json.loads((folder / "model.json").read_text())
    result = np.zeros(len(table))
    for entry in model["coefficients"]:
        result += entry["value"] * table[entry["feature"]].to_numpy()
    return result + model["intercept"]


def predictions(folder):
    return pd.read_csv(folder / "p.csv", float_precision="round_trip")


def test_the_order_of_columns_does_not_matter(folder):
    shuffled = TABLE[TABLE.columns[::-1]].assign(note="text", other=7)
    shuffled.to_csv(folder / "new.csv", index=False)
    out = succeed("predict", "model.json", "new.csv", "-o", "p.csv", folder=folder).out
    np.testing.assert_array_equal(predictions(folder)["prediction"], expected(folder))
    assert "new.csv: 97 rows, 3 of 8 features in use\n" in out
    assert "2 columns are not in the model, passed over: note, other\n" in out
    residual = TABLE["lpsa"] - expected(folder)
    measures = {"MSE": np.mean(residual**2), "MAE": np.mean(np.abs(residual)),
                "R^2": 1 - np.sum(residual**2) / np.sum((TABLE["lpsa"] - TABLE["lpsa"].mean()) ** 2)}
    for name, value in measures.items():
        shown = float(re.search(rf"^{re.escape(name)} +(\S+)$", out, re.MULTILINE)[1])
        assert shown == pytest.approx(value, rel=1e-5)


def test_without_the_target_there_is_nothing_to_measure(folder):
    TABLE.drop(columns=["lpsa", "gleason"]).to_csv(folder / "new.csv", index=False)  # gleason has no coefficient
    out = succeed("predict", "model.json", "new.csv", "-o", "p.csv", folder=folder).out
    assert "MSE" not in out
    np.testing.assert_array_equal(predictions(folder)["prediction"], expected(folder))


def test_a_column_that_is_needed_must_be_there(folder):
    TABLE.drop(columns=["svi", "lcavol"]).to_csv(folder / "new.csv", index=False)
    outcome = sven("predict", "model.json", "new.csv", "-o", "p.csv", folder=folder)
    assert outcome.code == 1 and not (folder / "p.csv").exists()
    assert outcome.err == "sven: new.csv: the model needs 2 columns that are not there: lcavol, svi\n"


def test_rows_keep_their_names_and_pandas_index(folder):
    named = TABLE.copy()
    named.index = [f"patient {k}, ward" for k in range(len(named))]
    named.to_csv(folder / "new.csv")  # an unnamed first column
    succeed("predict", "model.json", "new.csv", "-o", "p.csv", folder=folder)
    assert list(predictions(folder)["id"]) == list(named.index)
    named.to_csv(folder / "new.csv", index_label="who")
    succeed("predict", "model.json", "new.csv", "--id", "who", "-o", "p.csv", folder=folder)
    assert list(predictions(folder)["id"]) == list(named.index)


def test_predictions_go_to_standard_output(folder):
    outcome = sven("predict", "model.json", PROSTATE, folder=folder)
    assert outcome.code == 0 and outcome.out.startswith("prediction\n") and "R^2" in outcome.err
    assert np.array_equal(np.array(outcome.out.split()[1:], dtype=float), expected(folder))


def test_matrices_without_names(tmp_path):
    X = TABLE.drop(columns="lpsa").to_numpy()
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", TABLE["lpsa"].to_numpy())
    succeed("fit", "X.npy", "--y", "y.npy", "--lambda", 0.1, "-o", "model.json", folder=tmp_path)
    out = succeed("predict", "model.json", "X.npy", "--y", "y.npy", "-o", "p.csv", folder=tmp_path).out
    assert "R^2" in out
    np.save(tmp_path / "narrow.npy", X[:, :5])
    outcome = sven("predict", "model.json", "narrow.npy", folder=tmp_path)
    assert (outcome.code, outcome.err) == (1, "sven: narrow.npy has 5 features, but the model has 8\n")
    out = succeed("predict", "model.json", PROSTATE, "--target", "lpsa", "-o", "p2.csv", folder=tmp_path).out
    assert "the features of the model have no names: columns are taken in their order" in out
    assert (tmp_path / "p.csv").read_text() == (tmp_path / "p2.csv").read_text()


def test_texts_and_missing_values_are_treated_as_in_the_fit(tmp_path):
    (tmp_path / "d.csv").write_text("color,age,y\nred,1,2\nblue,,3\nred,4,7\ngreen,2,1\nblue,9,8\n")
    succeed("fit", "d.csv", "--lambda", 0.01, "--one-hot", "--impute", "mean", "-o", "model.json", folder=tmp_path)
    model = json.loads((tmp_path / "model.json").read_text())
    assert model["features"] == ["color=blue", "color=green", "color=red", "age"]
    assert model["encoding"]["means"]["age"] == 4
    (tmp_path / "new.csv").write_text("age,color\n,red\n3,blue\n")
    succeed("predict", "model.json", "new.csv", "-o", "p.csv", folder=tmp_path)
    value = {entry["feature"]: entry["value"] for entry in model["coefficients"]}
    value.setdefault("color=blue", 0)
    by_hand = [model["intercept"] + value["color=red"] + 4 * value["age"],
               model["intercept"] + value["color=blue"] + 3 * value["age"]]
    np.testing.assert_allclose(predictions(tmp_path)["prediction"], by_hand, rtol=1e-14)
    (tmp_path / "new.csv").write_text("age,color\n3,purple\n")
    outcome = sven("predict", "model.json", "new.csv", folder=tmp_path)
    assert outcome.err == 'sven: new.csv: "purple" in the column "color" is a level that the model does not know (row 1)\n'


def test_a_model_of_an_older_file_predicts_as_before(tmp_path):
    """Its first level has no feature, which such files do not say."""
    (tmp_path / "d.csv").write_text("color,age,y\nred,1,2\nblue,5,3\nred,4,7\ngreen,2,1\nblue,9,8\n")
    succeed("fit", "d.csv", "--lambda", 0.01, "--one-hot", "--one-hot-drop-first", "-o", "new.json", folder=tmp_path)
    model = json.loads((tmp_path / "new.json").read_text())
    assert model["features"] == ["color=green", "color=red", "age"]
    assert model["encoding"]["one_hot"][0].pop("has_reference") is True
    (tmp_path / "old.json").write_text(json.dumps(model))
    new, old = [succeed("predict", name, "d.csv", "-o", "p.csv", folder=tmp_path) and predictions(tmp_path)
                for name in ("new.json", "old.json")]
    np.testing.assert_array_equal(new["prediction"], old["prediction"])
