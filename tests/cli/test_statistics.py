"""`sven gram`, and fit, path and cv of what it wrote, beside the same of the rows."""
import io
import json
import subprocess
import zipfile

import jsonschema
import numpy as np
import pytest

from cli.command import PROSTATE, succeed
from cli.test_errors import fail, npy, write
from world.paths import PROGRAM, ROOT

HEADER, *LINES = PROSTATE.read_text().splitlines()
# sizes of the pieces that the 97 rows are cut into
PIECES = {"one": [97], "two": [40, 57], "three": [3, 90, 4], "five": [20, 20, 1, 36, 20]}


def coefficients(document):
    return {entry["feature"]: entry["value"] for entry in document["coefficients"]}


def assert_same(found, expected, tolerance=1e-9):
    mine, theirs = coefficients(found), coefficients(expected)
    assert mine.keys() == theirs.keys()
    for name, value in theirs.items():
        assert mine[name] == pytest.approx(value, rel=tolerance, abs=tolerance * max(map(abs, theirs.values())))
    assert found["intercept"] == pytest.approx(expected["intercept"], rel=tolerance, abs=1e-9)
    assert found["gap"] <= 1e-10


def gram(folder, *arguments):
    return succeed("gram", *arguments, "-o", "s.npz", folder=folder).out


@pytest.mark.parametrize("setting", [["--t", 0.9, "--lambda2", 3], ["--lambda1", 2, "--lambda2", 0],
                                     ["--lambda", 0.05, "--alpha", 0.3], ["--lambda", 0.05, "--glmnet"]])
@pytest.mark.parametrize("model", [[], ["--no-intercept"], ["--no-standardize"], ["--nonnegative"],
                                   ["--unpenalized", "age", "--upper", 0.2]])
def test_fits_are_those_of_the_rows(tmp_path, setting, model):
    gram(tmp_path, PROSTATE)
    found = succeed("fit", "s.npz", *setting, *model, "--json", folder=tmp_path).json
    assert_same(found, succeed("fit", PROSTATE, *setting, *model, "--json").json)
    assert found["n"] == 97 and found["target"] == "lpsa" and found["gap_source"] == "gram"


def test_fits_with_weights(tmp_path):
    weights = np.random.default_rng(1).uniform(0, 2, 97)
    rows = [HEADER + ",w"] + [f"{line},{w}" for line, w in zip(LINES, weights, strict=True)]
    write(tmp_path, {"d.csv": "\n".join(rows) + "\n"})
    columns = ["--target", "lpsa", "--weights-column", "w"]
    gram(tmp_path, "d.csv", *columns)
    expected = succeed("fit", "d.csv", *columns, "--lambda", 0.05, "--json", folder=tmp_path).json
    assert_same(succeed("fit", "s.npz", "--lambda", 0.05, "--json", folder=tmp_path).json, expected)
    assert "weights = w" in succeed("fit", "s.npz", "--lambda", 0.05, folder=tmp_path).out


@pytest.mark.parametrize("pieces", PIECES)
def test_pieces_do_not_matter(tmp_path, pieces):
    """By several files, by a merge, and by parts of one file."""
    begin = 0
    names = []
    for k, size in enumerate(PIECES[pieces]):
        names.append(f"{k}.csv")
        write(tmp_path, {names[-1]: "\n".join([HEADER, *LINES[begin : begin + size]]) + "\n"})
        begin += size
        succeed("gram", names[-1], "-o", f"{k}.npz", folder=tmp_path)
    out = gram(tmp_path, *names)
    count = len(names)
    assert out.startswith(f"s.npz: 97 rows of {count} {'file' if count == 1 else 'files'}, 8 features, target lpsa; ")
    succeed("gram", "--merge", *[f"{k}.npz" for k in range(count)], "-o", "m.npz", folder=tmp_path)
    succeed("gram", PROSTATE, "--parts", count, "-o", "p.npz", folder=tmp_path)
    expected = succeed("path", PROSTATE, "--n-lambda", 20, "--json", folder=tmp_path).json["settings"]
    whole = None
    for name in ("s.npz", "m.npz", "p.npz"):
        found = succeed("path", name, "--n-lambda", 20, "--json", folder=tmp_path).json["settings"]
        whole = whole or found
        for one, other, rows in zip(found, whole, expected, strict=True):
            assert_same(one, other, 1e-12)
            assert_same(one, rows)


def test_cross_validation_is_that_of_the_rows(tmp_path):
    gram(tmp_path, PROSTATE, "--folds", 5, "--seed", 3)
    found = succeed("cv", "s.npz", "--alpha", "0.5,1", "-o", "m.json", "--save", "cv.json", folder=tmp_path).out
    succeed("cv", PROSTATE, "--alpha", "0.5,1", "--folds", 5, "--seed", 3, "-o", "n.json", "--save", "rows.json",
            folder=tmp_path)
    assert "5 folds of the statistics" in found
    mine, rows = (json.loads((tmp_path / name).read_text()) for name in ("cv.json", "rows.json"))
    for curve, other in zip(mine["curves"], rows["curves"], strict=True):
        assert (curve["min"], curve["1se"]) == (other["min"], other["1se"])
        for setting, expected in zip(curve["settings"], other["settings"], strict=True):
            assert setting["mean"] == pytest.approx(expected["mean"], rel=1e-9)
            assert max(setting["fold_gaps"]) <= 1e-10
    model, other = (json.loads((tmp_path / name).read_text()) for name in ("m.json", "n.json"))
    assert_same(model, other)
    for name, kind in {"cv.json": "cv", "m.json": "model"}.items():
        schema = json.loads((ROOT / f"docs/schemas/sven-{kind}-1.schema.json").read_text())
        jsonschema.validate(json.loads((tmp_path / name).read_text()), schema)
    # the model is one like any other
    assert "97 rows" in succeed("predict", "m.json", PROSTATE, "-o", "p.csv", folder=tmp_path).out
    assert "of prostate.csv" in succeed("cv", "s.npz", "--test", PROSTATE, folder=tmp_path).out.replace(
        str(PROSTATE), "prostate.csv")


def test_folds_of_a_column_add_up(tmp_path):
    """Files that have some of the folds each."""
    folds = [k % 3 if k < 50 else 2 + k % 2 for k in range(97)]
    rows = [f"{line},{fold}" for line, fold in zip(LINES, folds, strict=True)]
    head = HEADER + ",f\n"
    write(tmp_path, {"d.csv": head + "\n".join(rows) + "\n", "a.csv": head + "\n".join(rows[:50]) + "\n",
                     "b.csv": head + "\n".join(rows[50:]) + "\n"})
    columns = ["--target", "lpsa", "--fold-column", "f"]
    assert "4 folds" in gram(tmp_path, "a.csv", "b.csv", *columns)
    succeed("cv", "s.npz", "-o", "m.json", folder=tmp_path)
    succeed("cv", "d.csv", *columns, "-o", "n.json", folder=tmp_path)
    mine, rows = (json.loads((tmp_path / name).read_text()) for name in ("m.json", "n.json"))
    assert_same(mine, rows)
    assert mine["cross_validation"]["mean"] == pytest.approx(rows["cross_validation"]["mean"], rel=1e-9)


def test_matrices_and_their_parts(tmp_path):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((203, 7)) + [0, 1e5, 0, 0, 0, 0, 0]
    np.save(tmp_path / "y.npy", X @ rng.standard_normal(7) + rng.standard_normal(203))
    np.save(tmp_path / "w.npy", rng.uniform(0, 1, 203))
    for name, matrix in {"c.npy": X, "f.npy": np.asfortranarray(X)}.items():
        np.save(tmp_path / name, matrix)
        for parts in (1, 4):
            beside = ["--y", "y.npy", "--weights", "w.npy"]
            gram(tmp_path, name, *beside, "--parts", parts)
            found = succeed("fit", "s.npz", "--lambda", 0.1, "--json", folder=tmp_path).json
            assert_same(found, succeed("fit", name, *beside, "--lambda", 0.1, "--json", folder=tmp_path).json)


def test_more_parts_than_rows(tmp_path):
    write(tmp_path, {"d.csv": "a,y\n1,2\n2,5\n4,3\n"})
    assert gram(tmp_path, "d.csv", "--parts", 9).startswith("s.npz: 3 rows of 1 file")


def test_numpy_reads_the_file(tmp_path):
    gram(tmp_path, PROSTATE)
    table = np.loadtxt(PROSTATE, delimiter=",", skiprows=1)
    centred = table - table.mean(axis=0)
    with np.load(tmp_path / "s.npz") as file:
        assert file["rows"].tolist() == [97]
        np.testing.assert_allclose(file["sums"][0, :9, :9], centred.T @ centred, rtol=1e-12, atol=1e-10)
        np.testing.assert_allclose(file["centre"][0], table[:, :-1].mean(axis=0), rtol=1e-14)
        assert file["sums"][0, 9, 9] == 97
        assert bytes(file["names"]).decode().split("\0")[:-1] == HEADER.split(",")[:-1]
        np.savez(tmp_path / "again.npz", **file)
    assert succeed("fit", "again.npz", "--lambda", 1, folder=tmp_path).out


def test_the_file_is_the_same_every_time(tmp_path):
    gram(tmp_path, PROSTATE, "--threads", 1)
    first = (tmp_path / "s.npz").read_bytes()
    gram(tmp_path, PROSTATE, "--threads", 2)
    assert (tmp_path / "s.npz").read_bytes() == first
    piped = subprocess.run([str(PROGRAM), "gram", str(PROSTATE), "-o", "-"], capture_output=True, check=True)
    assert piped.stdout == first and piped.stderr.startswith(b"-: 97 rows of 1 file")


FILES = {"d.csv": "a,b,y\n1,2,3\n4,5,7\n7,9,8\n", "e.csv": "a,c,y\n1,2,3\n4,5,7\n7,9,8\n", "y": "1\n2\n3\n",
         "t.csv": "a,f,y\n1,u,2\n2,v,3\n3,u,1\n", "q.csv": 'a,t,y\n1,"x\ny",2\n2,v,3\n3,u,1\n', "d.svm": "1 1:2\n2 1:1\n",
         "d.npy": npy(np.arange(6.0).reshape(3, 2))}

# name: (command, exit code, what follows "sven: "); s.npz are statistics of d.csv, f.npz with folds
REFUSALS = {
    "no files": ("gram -o o.npz", 2, "give data files, and -o FILE"),
    "no output": ("gram d.csv", 2, "give data files, and -o FILE"),
    "another output": ("gram d.csv -o o.csv", 2, "statistics are written to .npz files, which o.csv is not by its name"),
    "one fold": ("gram d.csv --folds 1 -o o.npz", 2, "--folds is 1, but it must be at least 2"),
    "seed": ("gram d.csv --seed 2 -o o.npz", 2, "--seed is for --folds"),
    "no parts": ("gram d.csv --parts 0 -o o.npz", 2, "--parts is 0, but it must be at least 1"),
    "folds of parts": ("gram d.csv --parts 2 --folds 2 -o o.npz", 2,
                       "--folds deals out whole files; beside --parts give --fold-column"),
    "y of two": ("gram d.npy d.npy --y y -o o.npz", 2, "--y is for one data file, not for several"),
    "target of sums": ("gram --merge s.npz --target y -o o.npz", 2, "--merge and --target exclude each other"),
    "other columns": ("gram d.csv e.csv -o o.npz", 1,
                      'e.csv: column 1 is "b" in the one and "c" in the other: such statistics do not add up'),
    "other folds": ("gram s.npz f.npz -o o.npz", 1, "f.npz: statistics with folds and without do not add up"),
    "no statistics": ("gram --merge d.csv -o o.npz", 1, "d.csv: this is not a NumPy .npz file"),
    "texts of folds": ("gram t.csv --fold-column f -o o.npz", 1,
                       't.csv: the column "f" holds texts, but the folds of statistics are whole numbers'),
    "texts in parts": ("gram d.csv --parts 2 --one-hot -o o.npz", 1,
                       "d.csv: texts, means and transposed tables need all rows: they are not read in parts"),
    "lines in parts": ("gram q.csv --parts 2 --drop t -o o.npz", 1,
                       "q.csv: a table whose rows span lines is not read in parts"),
    "svmlight in parts": ("gram d.svm --parts 2 -o o.npz", 1,
                          "d.svm: only tables of text and .npy matrices are read in parts"),
    "y beside parts": ("gram d.csv --parts 2 --y y -o o.npz", 1,
                       "y: numbers beside a table of text are not read in parts"),
    "nothing in parts": ("gram h.csv --parts 2 -o o.npz", 1, "h.csv: there are no rows"),
    "family": ("fit s.npz --lambda 1 --family poisson", 1,
               "s.npz: the loss of a poisson response cannot be served from sums; statistics are for gaussian ones alone"),
    "primal": ("fit s.npz --lambda 1 --method primal", 1, "s.npz: the method primal needs the rows, of which statistics "
               "have the sums alone; ask for dual"),
    "no folds": ("cv s.npz", 1, "s.npz: the statistics have no folds: cross-validation needs two or more"),
    "errors of rows": ("cv f.npz --measure mae", 1,
                       "f.npz: absolute errors need the rows, of which statistics have the sums alone"),
    "target": ("fit s.npz --lambda 1 --target y", 2, "--target is for rows, and s.npz holds statistics, which were "
               "summed before"),
    "report": ("path s.npz --report r.html", 2, "--report is for rows, and s.npz holds statistics, which were summed "
               "before"),
    "ungrouped": ("cv f.npz --ungrouped", 2, "--ungrouped is for rows, and f.npz holds statistics, which were summed "
                  "before"),
    "folds": ("cv f.npz --folds 3", 2, "--folds is for rows, and f.npz holds statistics, which were summed before"),
    "held out": ("fit s.npz --lambda 1 --test-share 0.3", 2, "--test-share is for rows, and s.npz holds statistics, which "
                 "were summed before"),
    "statistics as rows": ("convert s.npz o.csv", 1,
                           "s.npz: this is no matrix of scipy.sparse (save_npz writes one)"),
    "nothing to draw": ("report p.json", 1, 'p.json: the file is damaged: "data.y" is not known: results of statistics '
                        "have no rows to draw"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(tmp_path, case):
    command, code, expected = REFUSALS[case]
    write(tmp_path, {**FILES, "h.csv": "a,b,y\n"})
    succeed("gram", "d.csv", "-o", "s.npz", folder=tmp_path)
    succeed("gram", "d.csv", "--folds", 2, "-o", "f.npz", folder=tmp_path)
    if case == "nothing to draw":
        succeed("path", "s.npz", "--n-lambda", 3, "-o", "p.json", folder=tmp_path)
    name, _, rest = command.partition(" ")
    see = f" (see sven {name} --help)" if code == 2 else ""
    assert fail(tmp_path, [name], rest) == (code, expected + see)


def changed(content, **arrays):
    """The file with other arrays, or without those that are None."""
    with np.load(io.BytesIO(content)) as file:
        arrays = {**file, **arrays}
    buffer = io.BytesIO()
    np.savez(buffer, **{name: array for name, array in arrays.items() if array is not None})
    return buffer.getvalue()


def checked(content, **arrays):
    """The same, with the checksum that belongs to it."""
    with np.load(io.BytesIO(content)) as file:
        arrays = {**file, **arrays}
    value = 0xCBF29CE484222325
    names = ["rows", "folds", "centre", "y_centre", "constant", "rounding", "sums", "names", "target"]
    for byte in b"".join(np.ascontiguousarray(arrays[name]).tobytes() for name in names):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return changed(content, **{**arrays, "checksum": np.array([value], np.uint64)})


def array_of(content, name):
    with np.load(io.BytesIO(content)) as file:
        return file[name]


def tampered(content):
    sums = array_of(content, "sums")
    sums[0, 1, 0] = sums[0, 0, 1] = sums[0, 1, 0] * 1.001
    return sums


UNFIT = "s.npz: the arrays of the statistics do not fit together"
# what is done to a file that was right; what follows "sven: "
DAMAGES = {
    "cut": (lambda c: c[:-30], "s.npz: the zip archive is damaged"),
    "half": (lambda c: c[: len(c) // 2], "s.npz: the zip archive is damaged"),
    "empty": (lambda c: b"", "s.npz: the file is empty"),
    "a byte": (lambda c: c.replace(b"lpsa", b"lpsb"), "s.npz: the zip archive is damaged"),
    "another sum": (lambda c: changed(c, sums=tampered(c)),
                    "s.npz: the checksum of the statistics is wrong: the file was changed"),
    "another version": (lambda c: changed(c, format=np.array(b"sven-statistics-9")),
                        's.npz: the statistics are of the format "sven-statistics-9", which is not read'),
    "another type": (lambda c: changed(c, rows=np.array([97.0])),
                     "s.npz: the array rows has not the type or the size of statistics"),
    "no sums": (lambda c: changed(c, sums=None), 's.npz: the archive has no member "sums.npy"'),
    "fewer sums": (lambda c: checked(c, sums=array_of(c, "sums")[:, :-1, :-1]), UNFIT),
    "no groups": (lambda c: checked(c, rows=np.zeros(0, np.int64)), UNFIT),
    "negative rows": (lambda c: checked(c, rows=np.array([-1])), UNFIT),
    "negative squares": (lambda c: checked(c, sums=-array_of(c, "sums")), UNFIT),
    "no numbers": (lambda c: checked(c, sums=np.nan * array_of(c, "sums")), UNFIT),
    "no bound": (lambda c: checked(c, rounding=np.array([np.nan])), UNFIT),
    "one name": (lambda c: checked(c, names=np.frombuffer(b"a\0", np.uint8)), UNFIT),
    "half a name": (lambda c: checked(c, names=np.frombuffer(b"a", np.uint8)), UNFIT),
}


@pytest.mark.parametrize("case", DAMAGES)
def test_damaged_files(tmp_path, case):
    damage, expected = DAMAGES[case]
    gram(tmp_path, PROSTATE)
    content = (tmp_path / "s.npz").read_bytes()
    write(tmp_path, {"s.npz": damage(content)})
    command = ["gram", "--merge"] if case in ("cut", "half", "empty", "a byte") else ["gram"]
    assert fail(tmp_path, command, "s.npz -o o.npz") == (1, expected)
    if command == ["gram"]:
        assert fail(tmp_path, ["fit"], "s.npz --lambda 1") == (1, expected)


def test_another_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "s.npz", "w") as archive:
        archive.writestr("a.npy", npy(np.zeros(3)))
    assert fail(tmp_path, ["gram", "--merge"], "s.npz -o o.npz") == (
        1, "s.npz: this is no file of statistics (sven gram writes one)")


OTHERS_OF_STATISTICS = {"kind": ("s.npz: this is no file of statistics (sven gram writes one)",)}


def test_the_part_of_an_error_is_told_by_its_line(tmp_path):
    write(tmp_path, {"d.csv": "a,y\n" + "1,2\n" * 50 + "x,2\n" + "3,1\n" * 50})
    assert fail(tmp_path, ["gram"], "d.csv --parts 7 -o o.npz") == (
        1, 'd.csv:52:1: "x" is not a number (column "a"); --one-hot, --drop, --date or --id would deal with text')
