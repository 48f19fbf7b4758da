"""PLINK files: written by sven and read by plink2, solved like the same numbers in a .npy, joined by person, and
predicted from by the names and alleles of their variants."""
import json
import shutil
import subprocess

import jsonschema
import numpy as np
import pytest

from cli.command import sven, succeed
from cli.test_errors import fail, write
from world.paths import ROOT

ENTRIES = np.array([2.0, np.nan, 1.0, 0.0])  # of A1, by the two bits


def simulate(folder, name="d", rows=101, features=40, **options):
    more = [word for key, value in options.items() for word in (f"--{key}", value)]
    succeed("simulate", "--plink", name, "--rows", rows, "--features", features, "--truth", f"{name}.csv", *more,
            folder=folder)


def genotypes(folder, name="d"):
    """The entries of A1 with NaN where they are missing, the phenotypes and the people."""
    people = [line.split() for line in (folder / f"{name}.fam").read_text().splitlines()]
    n = len(people)
    raw = np.frombuffer((folder / f"{name}.bed").read_bytes()[3:], np.uint8).reshape(-1, (n + 3) // 4)
    codes = np.stack([raw >> shift & 3 for shift in (0, 2, 4, 6)], axis=2).reshape(len(raw), -1)[:, :n]
    return ENTRIES[codes].T, np.array([float(p[5]) for p in people]), [p[1] for p in people]


def filled(X):
    return np.where(np.isnan(X), np.nanmean(X, axis=0), X)


def coefficients(answer):
    return {entry["index"]: entry["value"] for entry in answer["coefficients"]}


def test_the_answer_is_that_of_doubles(tmp_path):
    simulate(tmp_path, missing=0.05, correlation=0.5)
    X, y, _ = genotypes(tmp_path)
    assert np.isnan(X).any()
    np.save(tmp_path / "X.npy", np.asfortranarray(filled(X)))
    np.save(tmp_path / "y.npy", y)
    for form in (["--lambda", 0.1, "--alpha", 0.5], ["--t", 2, "--lambda2", 1]):
        packed = succeed("fit", "d.bed", *form, "--json", folder=tmp_path).json
        plain = succeed("fit", "X.npy", "--y", "y.npy", *form, "--json", folder=tmp_path).json
        assert packed["status"] == "optimal" and packed["gap"] <= 1e-10
        ours, theirs = coefficients(packed), coefficients(plain)
        assert ours.keys() == theirs.keys()
        np.testing.assert_allclose([*ours.values()], [*theirs.values()], rtol=1e-10, atol=1e-12)
    truth = (tmp_path / "d.csv").read_text().splitlines()[1:]
    found = succeed("cv", "d.bed", "--folds", 5, "-q", "--json", folder=tmp_path).json
    assert found["data"]["kind"] == "genotypes"
    assert "genotypes count allele A1" in found["data"]["notes"][0]
    assert len(truth) == 5


def test_simulated_files_have_a_seed(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        simulate(tmp_path, name, seed=seed)
    for ending in ("bed", "bim", "fam"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert (tmp_path / "a.bed").read_bytes() != (tmp_path / "c.bed").read_bytes()


@pytest.mark.skipif(shutil.which("plink2") is None, reason="plink2 is not installed")
def test_plink_sees_the_same_frequencies(tmp_path):
    """The ridge has a coefficient for every variant, so that the model file has all their means."""
    simulate(tmp_path, rows=203, features=60, missing=0.03)
    subprocess.run(["plink2", "--bfile", "d", "--freq", "--missing", "--out", "p"], cwd=tmp_path, check=True,
                   capture_output=True)
    succeed("fit", "d.bed", "--lambda", 0.1, "--alpha", 0, "-o", "m.json", folder=tmp_path)
    model = json.loads((tmp_path / "m.json").read_text())
    schema = json.loads((ROOT / "docs/schemas/sven-model-1.schema.json").read_text())
    jsonschema.validate(model, schema)

    def table(name):
        lines = [line.split() for line in (tmp_path / name).read_text().splitlines()]
        return [dict(zip(lines[0], line)) for line in lines[1:]]

    missing = np.isnan(genotypes(tmp_path)[0]).sum(axis=0)
    frequencies, lost = table("p.afreq"), table("p.vmiss")
    assert len(frequencies) == len(model["variants"]) == 60
    for ours, theirs, gaps, count in zip(model["variants"], frequencies, lost, missing):
        assert (ours["feature"], ours["counted"], ours["other"]) == (theirs["ID"], theirs["ALT"], theirs["REF"])
        assert ours["mean"] / 2 == pytest.approx(float(theirs["ALT_FREQS"]), abs=1e-5)
        assert int(theirs["OBS_CT"]) == 2 * (203 - count)
        assert int(gaps["MISSING_CT"]) == count


@pytest.mark.skipif(shutil.which("plink2") is None, reason="plink2 is not installed")
def test_what_plink_writes_is_read(tmp_path):
    """A file that plink2 made of fewer people, with the other allele first."""
    simulate(tmp_path, rows=60, features=30, missing=0.03)
    (tmp_path / "keep").write_text("".join(f"F{k}\tP{k}\n" for k in range(5, 52)))
    subprocess.run(["plink2", "--bfile", "d", "--keep", "keep", "--make-bed", "--out", "e"], cwd=tmp_path, check=True,
                   capture_output=True)
    X, y, people = genotypes(tmp_path, "e")
    assert people[0] == "P5" and len(people) == 47
    np.save(tmp_path / "X.npy", np.asfortranarray(filled(X)))
    np.save(tmp_path / "y.npy", y)
    packed = succeed("fit", "e.bed", "--lambda", 0.1, "--json", folder=tmp_path).json
    plain = succeed("fit", "X.npy", "--y", "y.npy", "--lambda", 0.1, "--json", folder=tmp_path).json
    np.testing.assert_allclose([*coefficients(packed).values()], [*coefficients(plain).values()], rtol=1e-9)


def test_tables_are_joined_by_person(tmp_path):
    simulate(tmp_path, rows=80, features=30, missing=0.02)
    X, y, people = genotypes(tmp_path)
    rng = np.random.default_rng(3)
    age = rng.uniform(20, 70, 80)
    order = rng.permutation(80)
    with_y = [k for k in order if k not in (3, 7)]
    lines = [f"{people[k]},{float(y[k] + 0.2 * age[k])!r},1" for k in with_y] + ["stranger,1,2"]
    with_age = [k for k in order if k != 11]
    write(tmp_path, {"y.csv": "IID,height,other\n" + "\n".join(lines) + "\n",
                     "c.txt": "FID\tIID\tage\tsex\n" + "".join(
                         f"x\t{people[k]}\t{'NA' if k == 12 else repr(float(age[k]))}\t{1 + k % 2}\n" for k in with_age)})
    answer = succeed("fit", "d.bed", "--pheno", "y.csv", "--pheno-name", "height", "--covariates", "c.txt",
                     "--unpenalized-covariates", "--lambda", 0.2, "--json", "-o", "m.json", folder=tmp_path).json
    kept = [k for k in range(80) if k not in (3, 7, 11, 12)]
    assert answer["n"] == 76 and answer["p"] == 32 and answer["target"] == "height"
    sub = filled(X[kept])
    np.save(tmp_path / "X.npy", np.asfortranarray(np.column_stack([sub, age[kept], 1 + np.array(kept) % 2])))
    np.save(tmp_path / "y.npy", (y + 0.2 * age)[kept])
    np.save(tmp_path / "f.npy", np.array([1.0] * 30 + [0, 0]))
    plain = succeed("fit", "X.npy", "--y", "y.npy", "--penalty-factors", "f.npy", "--lambda", 0.2, "--json",
                    folder=tmp_path).json
    np.testing.assert_allclose([*coefficients(answer).values()], [*coefficients(plain).values()], rtol=1e-9, atol=1e-12)
    assert {30, 31} <= coefficients(answer).keys()
    notes = succeed("path", "d.bed", "--pheno", "y.csv", "--pheno-name", "height", "--covariates", "c.txt", "-q",
                    "--n-lambda", 3, "--json", folder=tmp_path).json["data"]["notes"]
    said = "\n".join(notes)
    assert "2 people of the .fam file not in y.csv, left out: P4, P8" in said
    assert "1 person of y.csv not in the .fam file: stranger" in said
    assert "without all covariates, left out: P12, P13" in said
    predicted = sven("predict", "m.json", "d.bed", "--covariates", "c.txt", folder=tmp_path)
    assert predicted.code == 0
    assert len(predicted.out.splitlines()) == 1 + 78


def test_predictions_go_by_name_and_allele(tmp_path):
    """Another file: variants in another order, one with its alleles turned; a missing genotype has the model's mean."""
    simulate(tmp_path, rows=90, features=12, missing=0.05)
    succeed("fit", "d.bed", "--lambda", 0.02, "-o", "m.json", folder=tmp_path)
    model = json.loads((tmp_path / "m.json").read_text())
    X, _, _ = genotypes(tmp_path)
    means = {entry["feature"]: entry["mean"] for entry in model["variants"]}
    expected = np.full(90, model["intercept"])
    for entry in model["coefficients"]:
        column = X[:, entry["index"]]
        expected += entry["value"] * np.where(np.isnan(column), means[entry["feature"]], column)
    raw = (tmp_path / "d.bed").read_bytes()
    variants = (tmp_path / "d.bim").read_text().splitlines()
    stride = 23
    columns = [bytearray(raw[3 + j * stride : 3 + (j + 1) * stride]) for j in range(12)]
    turned = model["coefficients"][0]["index"]
    fields = variants[turned].split("\t")
    variants[turned] = "\t".join([*fields[:4], fields[5], fields[4]])
    swap = {0: 3, 1: 1, 2: 2, 3: 0}
    columns[turned] = bytearray(sum(swap[byte >> s & 3] << s for s in (0, 2, 4, 6)) for byte in columns[turned])
    order = [*range(11, -1, -1)]
    (tmp_path / "e.bed").write_bytes(raw[:3] + b"".join(bytes(columns[j]) for j in order))
    write(tmp_path, {"e.bim": "\n".join(variants[j] for j in order) + "\n",
                     "e.fam": (tmp_path / "d.fam").read_text()})
    outcome = sven("predict", "m.json", "e.bed", folder=tmp_path)
    assert outcome.code == 0
    assert "1 variant counts the other allele of the model's" in outcome.err
    rows = [line.split(",") for line in outcome.out.splitlines()[1:]]
    assert rows[0][0] == "P1"
    np.testing.assert_allclose([float(row[1]) for row in rows], expected, rtol=0, atol=1e-12)
    variants[turned] = "\t".join([*fields[:4], "N", "M"])
    write(tmp_path, {"e.bim": "\n".join(variants[j] for j in order) + "\n"})
    assert fail(tmp_path, ["predict"], "m.json e.bed") == (
        1, f"e.bed: the model needs 1 variant that is there with other alleles: {fields[1]}")


def test_the_other_allele_can_be_counted(tmp_path):
    simulate(tmp_path, rows=70, features=15, missing=0)
    one = succeed("fit", "d.bed", "--lambda", 0.05, "--json", folder=tmp_path).json
    other = succeed("fit", "d.bed", "--lambda", 0.05, "--count-allele", "a2", "--json", folder=tmp_path).json
    np.testing.assert_allclose([*coefficients(one).values()], [-v for v in coefficients(other).values()], rtol=1e-9)
