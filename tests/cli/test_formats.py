"""The same data in every format, written by R, pandas, NumPy and SciPy: the same fit."""
import bz2
import gzip
import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse

from cli.command import PROSTATE, succeed, sven
from world.paths import PROGRAM

TABLE = pd.read_csv(PROSTATE, float_precision="round_trip")
X, Y = TABLE.drop(columns="lpsa").to_numpy(), TABLE["lpsa"].to_numpy()
SETTING = ["--lambda", 0.1, "--alpha", 0.5]


@pytest.fixture(name="truth", scope="module")
def fit_the_truth():
    return values(succeed("fit", PROSTATE, *SETTING, "--json").json)


def values(answer):
    return [(-1, answer["intercept"])] + [(entry["index"], entry["value"]) for entry in answer["coefficients"]]


def same(answer, truth):
    assert [index for index, _ in answer] == [index for index, _ in truth]
    np.testing.assert_allclose([value for _, value in answer], [value for _, value in truth], rtol=1e-8)


def check(folder, truth, *arguments):
    same(values(succeed("fit", *arguments, *SETTING, "--json", folder=folder).json), truth)


def write_y(folder):
    np.save(folder / "y.npy", Y)
    return ["--y", "y.npy"]


@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize("compressed", [True, False], ids=["deflated", "stored"])
def test_npz_of_scipy(tmp_path, truth, kind, compressed):
    scipy.sparse.save_npz(tmp_path / "d.npz", scipy.sparse.csr_matrix(X).asformat(kind), compressed=compressed)
    check(tmp_path, truth, "d.npz", *write_y(tmp_path))


def test_npz_with_unsorted_lines_and_float32(tmp_path):
    A = scipy.sparse.csr_matrix(np.arange(6.0).reshape(2, 3) + 1).astype(np.float32)
    A.indices = A.indices[::-1].copy()
    A.has_sorted_indices = False
    scipy.sparse.save_npz(tmp_path / "d.npz", A)
    (tmp_path / "y").write_text("1\n2\n")
    succeed("fit", "d.npz", "--y", "y", "--lambda", 0.1, folder=tmp_path)


@pytest.mark.parametrize("matrix", [X, scipy.sparse.coo_matrix(X)], ids=["array", "coordinate"])
def test_matrix_market(tmp_path, truth, matrix):
    scipy.io.mmwrite(tmp_path / "d.mtx", matrix, comment="written by SciPy", precision=17)
    check(tmp_path, truth, "d.mtx", *write_y(tmp_path))
    check(tmp_path, truth, "d.mtx", "--y", "y.npy", "--threads", 1)


def test_symmetric_and_pattern_matrix_market(tmp_path):
    S = scipy.sparse.coo_matrix(np.array([[2.0, 1, 0], [1, 3, 4], [0, 4, 5]]))
    scipy.io.mmwrite(tmp_path / "s.mtx", S, symmetry="symmetric")
    scipy.io.mmwrite(tmp_path / "g.mtx", S, symmetry="general")
    (tmp_path / "p.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n3 2 3\n1 1\n2 2\n3 1\n")
    (tmp_path / "p.csv").write_text("a,b\n1,0\n0,1\n1,0\n")
    (tmp_path / "y").write_text("1\n2\n4\n")
    for one, other in [("s.mtx", "g.mtx"), ("p.mtx", "p.csv")]:
        answers = [succeed("fit", name, "--y", "y", "--lambda", 0.05, "--json", folder=tmp_path).json
                   for name in (one, other)]
        same(values(answers[0]), values(answers[1]))


@pytest.mark.parametrize("name", ["d.csv.gz", "d.tsv.gz", "d.svm.gz", "d.mtx.gz", "d.gz"])
def test_gzip(tmp_path, truth, name):
    arguments = []
    if ".svm" in name:
        text = "\n".join(" ".join([repr(y), *(f"{j + 1}:{v!r}" for j, v in enumerate(x))])
                         for x, y in zip(X.tolist(), Y.tolist()))
    elif ".mtx" in name:
        scipy.io.mmwrite(tmp_path / "d.mtx", X, precision=17)
        text, arguments = (tmp_path / "d.mtx").read_text(), write_y(tmp_path)
    else:
        text = PROSTATE.read_text().replace(",", "\t" if "tsv" in name else ",")
    half = len(text) // 2  # two members, as `cat a.gz b.gz` makes them
    (tmp_path / name).write_bytes(gzip.compress(text[:half].encode()) + gzip.compress(text[half:].encode()))
    check(tmp_path, truth, name, *arguments)


def test_damaged_archives(tmp_path):
    packed = gzip.compress(PROSTATE.read_bytes())
    scipy.sparse.save_npz(tmp_path / "d.npz", scipy.sparse.csr_matrix(X))
    archive = (tmp_path / "d.npz").read_bytes()
    np.savez(tmp_path / "dense.npz", X=X)
    scipy.sparse.save_npz(tmp_path / "coo.npz", scipy.sparse.coo_matrix(X))
    middle = len(archive) // 2
    cases = {
        "cut.csv.gz": (packed[: len(packed) // 2], "the packed file ends too soon"),
        "odd.csv.gz": (packed[:200] + b"xxxx" + packed[204:], "the packed file is damaged"),
        "cut.npz": (archive[:middle], "the zip archive is damaged"),
        "text.npz": (b"a,b\n1,2\n", "this is not a NumPy .npz file"),
        "dense.npz": (None, "this is no matrix of scipy.sparse (save_npz writes one)"),
        "coo.npz": (None, 'the matrix is in the format "coo"; csr and csc are read'),
    }
    (tmp_path / "y").write_text("1\n")
    for name, (content, message) in cases.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
        outcome = sven("fit", name, "--y", "y", "--lambda", 1, folder=tmp_path)
        assert (outcome.code, outcome.err) == (1, f"sven: {name}: {message}\n")
    (tmp_path / "b.csv.bz2").write_bytes(bz2.compress(PROSTATE.read_bytes()))
    assert sven("fit", "b.csv.bz2", "--lambda", 1, folder=tmp_path).code == 1


def test_standard_input(tmp_path, truth):
    for text in (PROSTATE.read_bytes(), gzip.compress(PROSTATE.read_bytes())):
        command = [PROGRAM, "fit", "-", *map(str, SETTING), "--json"]
        result = subprocess.run(command, input=text, capture_output=True, check=True)
        same(values(json.loads(result.stdout)), truth)
    outcome = subprocess.run([PROGRAM, "fit", "-", "--lambda", "1"], input=b"a,y\n1,x\n", capture_output=True, check=False)
    assert outcome.stderr.startswith(b'sven: standard input:2:2: "x" is not a number')


def test_comments_and_one_column(tmp_path, truth):
    lines = PROSTATE.read_text().splitlines()
    (tmp_path / "d.csv").write_text("\n".join(["# prostate", *lines[:40], "# half", *lines[40:]]))
    check(tmp_path, truth, "d.csv", "--comment", "#")
    TABLE.drop(columns="lpsa").to_csv(tmp_path / "X.csv", index=False)
    TABLE[["lpsa"]].to_csv(tmp_path / "y.csv", index=False)
    TABLE["lpsa"].to_csv(tmp_path / "indexed.csv")
    check(tmp_path, truth, "X.csv", "--y", "y.csv")
    check(tmp_path, truth, "X.csv", "--y", "indexed.csv")
    (tmp_path / "w.txt").write_text("# ones\n" + "1\n" * 97)
    (tmp_path / "f.txt").write_text("1\n" * 4 + "# half\n" + "1\n" * 4)
    check(tmp_path, truth, "d.csv", "--comment", "#", "--weights", "w.txt", "--penalty-factors", "f.txt")
    (tmp_path / "l.txt").write_text("0.5\n# half\n0.1\n")
    (tmp_path / "s.csv").write_text("# two\nt,lambda2\n1,2\n#\n3,4\n")
    for command in (["path", "d.csv", "--lambdas", "l.txt"], ["cv", "d.csv", "--lambdas", "l.txt"],
                    ["path", "d.csv", "--settings", "s.csv"], ["convert", "d.csv", "e.csv"]):
        assert sven(*command, "--comment", "#", folder=tmp_path).code == 0
        assert sven(*command, folder=tmp_path).err.startswith("sven: d.csv")
    outcome = sven("fit", "X.csv", "--y", "X.csv", "--lambda", 1, folder=tmp_path)
    assert outcome.err == "sven: X.csv: expected one column of numbers, found 8\n"


def test_ids_and_dropped_columns(tmp_path, truth):
    extra = TABLE.copy()
    extra.insert(3, "who", [f"p{k}" for k in range(97)])
    extra.insert(5, "noise", 7)
    extra.insert(6, "text", "blah")
    extra.to_csv(tmp_path / "d.csv", index=False)
    check(tmp_path, truth, "d.csv", "--id", "who", "--drop", "noise,text")
    check(tmp_path, truth, "d.csv", "--drop", "noise", "--drop", "who", "--drop", "text")


def test_features_in_rows(tmp_path, truth):
    TABLE.T.to_csv(tmp_path / "t.csv")
    TABLE.T.rename_axis("gene").to_csv(tmp_path / "named.tsv", sep="\t")
    check(tmp_path, truth, "t.csv", "--transpose", "--target", "lpsa")
    check(tmp_path, truth, "named.tsv", "--transpose")
    answer = succeed("fit", "t.csv", "--transpose", "--target", "lpsa", "--drop", "age", *SETTING, "--json",
                     folder=tmp_path).json
    assert answer["p"] == 7 and answer["n"] == 97
    np.save(tmp_path / "t.npy", X.T)
    scipy.sparse.save_npz(tmp_path / "t.npz", scipy.sparse.csr_matrix(X.T))
    for name in ("t.npy", "t.npz"):
        check(tmp_path, truth, name, "--transpose", *write_y(tmp_path))


def test_missing_values_become_means(tmp_path):
    holes = TABLE.astype(float)
    rng = np.random.default_rng(0)
    mask = rng.random(X.shape) < 0.1
    holes.iloc[:, :8] = holes.iloc[:, :8].mask(mask)
    filled = holes.fillna(holes.mean())
    filled.to_csv(tmp_path / "filled.csv", index=False)
    expected = values(succeed("fit", "filled.csv", *SETTING, "--json", folder=tmp_path).json)
    for word in ["", "NA", "?", "null", "nan"]:
        holes.to_csv(tmp_path / "d.csv", index=False, na_rep=word)
        check(tmp_path, expected, "d.csv", "--impute", "mean")
    out = succeed("fit", "d.csv", "--impute", "mean", *SETTING, folder=tmp_path).out
    assert f"{mask.sum()} missing values filled in by the mean of the column, over all rows\n" in out
    holes.T.to_csv(tmp_path / "t.csv")
    check(tmp_path, expected, "t.csv", "--transpose", "--impute", "mean")


@pytest.mark.parametrize("drops_first", [False, True])
def test_texts_become_features(tmp_path, drops_first):
    rng = np.random.default_rng(1)
    frame = TABLE.assign(site=rng.choice(["left", "right", "both, or \"all\""], 97))[["age", "site", "svi", "lpsa"]]
    frame.to_csv(tmp_path / "d.csv", index=False)
    first = 'site=both, or "all"'
    dummies = pd.get_dummies(frame, columns=["site"], prefix_sep="=", dtype=float)
    drops = ["--one-hot-drop-first"] if drops_first else []
    levels = [*([] if drops_first else [first]), "site=left", "site=right"]
    dummies[["age", *levels, "svi", "lpsa"]].to_csv(tmp_path / "e.csv", index=False)
    answers = [succeed("fit", name, "--lambda", 0.01, "--json", *extra, folder=tmp_path).json
               for name, extra in [("d.csv", ["--one-hot", *drops]), ("e.csv", [])]]
    assert values(answers[0]) == values(answers[1])
    assert [c["feature"] for c in answers[0]["coefficients"]] == [c["feature"] for c in answers[1]["coefficients"]]


def test_a_hundred_thousand_columns(tmp_path):
    rng = np.random.default_rng(2)
    A = rng.integers(0, 9, (6, 100_000))
    header = ",".join(f"g{j}" for j in range(100_000)) + ",y"
    rows = [",".join(map(str, row)) + f",{k}.5" for k, row in enumerate(A.tolist())]
    (tmp_path / "wide.csv").write_text("\n".join([header, *rows]))
    answer = succeed("fit", "wide.csv", "--lambda", 0.5, "--json", folder=tmp_path).json
    assert answer["p"] == 100_000 and answer["gap"] < 1e-10


R_SCRIPT = """
data <- read.csv("{data}")
rownames(data) <- paste("patient", seq_len(nrow(data)))
write.csv(data, "csv.csv")
write.csv(data, "plain.csv", row.names = FALSE)
write.table(data, "table.csv", sep = ",")
write.table(data, "bare.tsv", sep = "\\t", quote = FALSE)
rownames(data) <- NULL
write.table(data, "numbered.csv", sep = ",", quote = FALSE)
write.csv(data$lpsa, "y.csv")
con <- gzfile("packed.csv.gz"); write.csv(data, con)
"""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_files_that_r_wrote(tmp_path, truth):
    script = R_SCRIPT.format(data=PROSTATE)
    subprocess.run(["Rscript", "-"], input=script, cwd=tmp_path, capture_output=True, text=True, check=True)
    for name in ["csv.csv", "plain.csv", "table.csv", "bare.tsv", "numbered.csv", "packed.csv.gz"]:
        check(tmp_path, truth, name)
        out = succeed("fit", name, *SETTING, folder=tmp_path).out
        assert ("taken as row names" in out) == (name != "plain.csv")
    check(tmp_path, truth, "plain.csv", "--y", "y.csv", "--drop", "lpsa")


LIES = {
    "rows.mtx": "%%MatrixMarket matrix coordinate real general\n1000000000000 3 1\n1 1 1\n",
    "entries.mtx": "%%MatrixMarket matrix coordinate real general\n3 3 1000000000000\n1 1 1\n",
    "array.mtx": "%%MatrixMarket matrix array real general\n1000000 1000000\n1\n",
}


@pytest.mark.parametrize("name", LIES)
def test_a_header_cannot_ask_for_memory(tmp_path, name):
    (tmp_path / name).write_text(LIES[name])
    (tmp_path / "y").write_text("1\n")
    outcome = sven("fit", name, "--y", "y", "--lambda", 1, folder=tmp_path)
    assert outcome.code == 1 and f"sven: {name}:2: " in outcome.err
    assert "claim" in outcome.err
