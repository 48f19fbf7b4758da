"""`sven assess` and `sven cv --oof`: figures and predictions of rows that were not fitted, recomputed by NumPy."""
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix, roc_auc_score

from cli.command import PROSTATE, files, succeed, sven

TABLE = pd.read_csv(PROSTATE)


def read_json(path):
    return json.loads(path.read_text())


def deviance(family, y, mean, weights):
    if family == "binomial":
        mean = np.clip(mean, 1e-5, 1 - 1e-5)
        rows = -2 * (y * np.log(mean) + (1 - y) * np.log(1 - mean))
    elif family == "poisson":
        rows = 2 * (np.where(y > 0, y * np.log(np.maximum(y, 1e-300) / mean), 0) - y + mean)
    else:
        rows = (y - mean) ** 2
    return np.average(rows, weights=weights)


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    rng = np.random.default_rng(2)
    TABLE.assign(svi=np.where(TABLE["svi"] == 1, "yes", "no"), w=rng.integers(0, 4, 97)).to_csv(
        tmp_path / "d.csv", index=False)
    return tmp_path


def predictions(folder):
    succeed("predict", "m.json", "d.csv", "-o", "p.csv", folder=folder)
    return pd.read_csv(folder / "p.csv")["prediction"].to_numpy()


def test_classes(folder):
    succeed("fit", "d.csv", "--drop", "w", "--target", "svi", "--family", "binomial", "--lambda", 0.03, "-o", "m.json",
            folder=folder)
    answer = succeed("assess", "m.json", "d.csv", "--weights-column", "w", "--json", folder=folder).json
    mean, y, w = predictions(folder), TABLE["svi"].to_numpy(), pd.read_csv(folder / "d.csv")["w"].to_numpy()
    assert answer["family"] == "binomial" and answer["classes"] == ["no", "yes"]
    assert answer["rows"] == np.sum(w > 0) and answer["weight"] == w.sum()
    assert answer["deviance"] == pytest.approx(deviance("binomial", y, mean, w), rel=1e-12)
    null = deviance("binomial", y, np.full(97, np.average(y, weights=w)), w)
    assert answer["explained"] == pytest.approx(1 - answer["deviance"] / null, rel=1e-12)
    assert answer["auc"] == pytest.approx(roc_auc_score(y, mean, sample_weight=w), rel=1e-12)
    assert answer["error"] == pytest.approx(np.average((mean > 0.5) != y, weights=w), rel=1e-12)
    np.testing.assert_array_equal(answer["confusion"], confusion_matrix(y, mean > 0.5, sample_weight=w))
    for entry in answer["calibration"]:
        inside = (mean >= entry["from"]) & (mean < entry["to"])
        assert entry["weight"] == w[inside].sum()
        assert entry["observed"] == pytest.approx(np.average(y[inside], weights=w[inside]), abs=1e-12)
        assert entry["predicted"] == pytest.approx(np.average(mean[inside], weights=w[inside]), rel=1e-12)
    assert sum(entry["weight"] for entry in answer["calibration"]) == w.sum()
    roc = answer["roc"]
    area = np.trapezoid(roc["true_positive"], roc["false_positive"])
    assert area == pytest.approx(answer["auc"], rel=1e-12)
    out = succeed("assess", "m.json", "d.csv", folder=folder).out
    assert f"AUC        {roc_auc_score(y, mean):.6g}\n" in out
    assert "predicted yes" in out and "0.0 to 0.1" in out


@pytest.mark.parametrize("family, target", [("gaussian", "lpsa"), ("poisson", "pgg45")])
def test_numbers_and_counts(folder, family, target):
    succeed("fit", "d.csv", "--drop", "w,svi", "--target", target, "--family", family, "--lambda", 0.1, "-o", "m.json",
            folder=folder)
    answer = succeed("assess", "m.json", "d.csv", "--json", folder=folder).json
    mean, y = predictions(folder), TABLE[target].to_numpy()
    assert answer["deviance"] == pytest.approx(deviance(family, y, mean, None), rel=1e-12)
    assert answer["mse"] == pytest.approx(np.mean((y - mean) ** 2), rel=1e-12)
    assert answer["mae"] == pytest.approx(np.mean(np.abs(y - mean)), rel=1e-12)
    null = deviance(family, y, np.full(97, y.mean()), None)
    assert answer["explained"] == pytest.approx(1 - answer["deviance"] / null, rel=1e-10)
    assert ("R^2" in succeed("assess", "m.json", "d.csv", folder=folder).out) == (family == "gaussian")


def test_counts_in_two_columns_weigh_by_their_trials(tmp_path):
    rng = np.random.default_rng(5)
    trials = rng.integers(1, 9, 97)
    cured = rng.binomial(trials, np.where(TABLE["svi"] == 1, 0.8, 0.2))
    TABLE.assign(cured=cured, rest=trials - cured).to_csv(tmp_path / "d.csv", index=False)
    succeed("fit", "d.csv", "--target", "cured,rest", "--family", "binomial", "--lambda", 0.02, "-o", "m.json",
            folder=tmp_path)
    answer = succeed("assess", "m.json", "d.csv", "--json", folder=tmp_path).json
    mean = predictions(tmp_path)
    y, many, weights = np.repeat([1, 0], 97), np.tile(mean, 2), np.concatenate([cured, trials - cured])
    assert answer["auc"] == pytest.approx(roc_auc_score(y, many, sample_weight=weights), rel=1e-12)
    np.testing.assert_allclose(answer["confusion"], confusion_matrix(y, many > 0.5, sample_weight=weights), rtol=1e-12)


def test_without_a_target(folder):
    succeed("fit", "d.csv", "--drop", "w,svi", "--lambda", 0.1, "--target", "lpsa", "-o", "m.json", folder=folder)
    TABLE.drop(columns="lpsa").to_csv(folder / "e.csv", index=False)
    outcome = sven("assess", "m.json", "e.csv", folder=folder)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "sven: e.csv: there is no target to compare with\n"
    TABLE.assign(lpsa="").to_csv(folder / "e.csv", index=False)
    assert sven("assess", "m.json", "e.csv", folder=folder).err == "sven: e.csv: no row has a target to compare with\n"


@pytest.mark.parametrize("family, target", [("gaussian", "lpsa"), ("binomial", "svi"), ("poisson", "pgg45")])
def test_out_of_fold_predictions(folder, family, target):
    """They have the errors that the cross-validation says, at the setting that was chosen."""
    succeed("cv", "d.csv", "--drop", "w", *(["--one-hot"] if target != "svi" else []), "--target", target, "--family",
            family, "--measure", "mse", "--folds", 4, "--seed", 2, "--n-lambda", 15, "-q", "--save", "cv.json", "--oof",
            "oof.csv", folder=folder)
    answer = read_json(folder / "cv.json")
    kept = pd.read_csv(folder / "oof.csv")
    assert list(kept.columns) == ["row", "actual", "prediction"] and len(kept) == 97
    y = TABLE[target].to_numpy()
    if family == "binomial":
        assert kept["actual"].tolist() == ["yes" if value else "no" for value in y]
    else:
        np.testing.assert_array_equal(kept["actual"], y)
    mean = kept["prediction"].to_numpy()
    both = 2 if family == "binomial" else 1
    assert answer["cross_validation"]["mean"] == pytest.approx(both * np.mean((y - mean) ** 2), rel=1e-7)
    assert answer["out_of_fold"]["predicted"] == mean.tolist()
    figures = answer["out_of_fold"]["assessment"]
    null = deviance(family, y, np.full(97, y.mean()), None)
    assert figures["explained"] == pytest.approx(1 - deviance(family, y, mean, None) / null, rel=1e-9)
    assert figures["explained"] < 1 - answer["curves"][0]["settings"][answer["cross_validation"]["setting"]][
        "deviance"] / (97 * null) + 1e-9


def test_the_table_labels_both_figures(folder):
    out = succeed("cv", PROSTATE, "-q", "--oof", "oof.csv", "--id", "pgg45", "--time-ordered", "--folds", 3,
                  folder=folder).out
    assert "out-of-fold predictions in oof.csv" in out
    kept = pd.read_csv(folder / "oof.csv")
    assert list(kept.columns) == ["id", "actual", "prediction"]
    assert kept["prediction"].isna().sum() == 25  # before the first fold
    tested = kept.dropna()
    share = 1 - np.mean((tested["actual"] - tested["prediction"]) ** 2) / np.var(tested["actual"])
    line = next(line for line in out.splitlines() if line.startswith("R^2"))
    assert f"{share:.4g} cross-validated, " in line and line.endswith(" on the rows of the fit")


def test_the_figure_is_the_same_with_and_without_predictions(folder):
    """Without a file that needs them, the squared errors of the folds say it."""
    (folder / "w").write_text("".join(f"{1 + k % 3}\n" for k in range(97)))
    for arguments in (["--weights", "w"], ["--offset", "lcp"], ["--folds-by", "gleason"], ["--measure", "mae"]):
        lines = [next(line for line in succeed("cv", PROSTATE, "-q", *arguments, *more, folder=folder).out.splitlines()
                      if line.startswith("R^2")) for more in ([], ["--oof", "oof.csv"])]
        assert lines[0] == lines[1] and "none" not in lines[0]


def test_nothing_is_written_where_the_folds_cannot_be(folder):
    before = files(folder)
    outcome = sven("cv", "d.csv", "--drop", "w", "--target", "svi", "--family", "binomial", "--fold-column", "svi",
                   "--oof", "oof.csv", folder=folder)
    assert outcome.code != 0 and files(folder) == before


def test_held_out_rows_have_no_part(folder):
    succeed("cv", PROSTATE, "-q", "--id", "pgg45", "--test-share", 0.3, "--oof", "oof.csv", folder=folder)
    kept = pd.read_csv(folder / "oof.csv")
    assert len(kept) == 68
    pairs = set(zip(TABLE["pgg45"], TABLE["lpsa"]))
    assert all((row.id, row.actual) in pairs for row in kept.itertuples())
