"""Every error of a file's content beyond those of test_errors.py and test_plink_errors.py; and that no error text is left out of the
tables."""
import gzip
import io
import json
import re
import zipfile

import numpy as np
import pytest
import scipy.sparse

from cli import test_errors
from cli.command import PROSTATE, succeed
from cli.hdf5_errors import HDF5_ERRORS  # noqa: F401
from cli.rank_errors import COLUMN_ERRORS  # noqa: F401
from cli.test_checkpoint import CHECKPOINT_ERRORS, CHECKPOINT_MISMATCH  # noqa: F401
from cli.test_errors import CSV, MATRIX, SVM, fail, npy, write
from cli.test_distributed import DISTRIBUTED  # noqa: F401
from cli.test_memory import LACK_OF_MEMORY, MEMORY_ERRORS  # noqa: F401
from cli.test_plink_errors import PLINK, PLINK_MODELS, PLINK_USAGE  # noqa: F401
from cli.test_statistics import DAMAGES, OTHERS_OF_STATISTICS, REFUSALS  # noqa: F401
from world.paths import ROOT

BANNER = "%%MatrixMarket matrix "
SPARSE = scipy.sparse.csc_matrix(np.array([[1.0, 0], [0, 2], [3, 0]]))


def npz(matrix=SPARSE, **members):
    """The archive of a sparse matrix, with members replaced, or taken out by None."""
    buffer = io.BytesIO()
    scipy.sparse.save_npz(buffer, matrix, compressed=False)
    with zipfile.ZipFile(buffer) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    for name, value in members.items():
        content[f"{name}.npy"] = None if value is None else npy(np.array(value))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, value in content.items():
            if value is not None:
                archive.writestr(name, value)
    return buffer.getvalue()


def packed_as(method):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in ("format.npy", "shape.npy"):
            archive.writestr(name, npy(np.array(b"csc")) * 9)
    return buffer.getvalue()


def header(text, version=1):
    text = text.encode()
    return b"\x93NUMPY" + bytes([version, 0, len(text) % 256, len(text) // 256]) + text


LONG_CSV = "a,y\n" + "".join(f"{k},{k * k}\n" for k in range(500))
PACKED = gzip.compress(LONG_CSV.encode())


def with_another_size():
    """An archive whose list of members claims one byte more than the first of them unpacks to."""
    buffer = io.BytesIO()
    scipy.sparse.save_npz(buffer, SPARSE)
    content = bytearray(buffer.getvalue())
    size = content.index(b"PK\x01\x02") + 24
    content[size] += 1
    return bytes(content)


# file, its content, what follows "sven: FILE" on stderr
CONTENT = {
    "unnamed column": ("e.csv", "a,,y\n1,2,3\n", ':1:2: the column has no name'),
    "carriage returns": ("e.csv", "a,y\r1,2\r3,4\r",
                         ":1:2: lines end in a carriage return alone; convert them to newlines"),
    "open quote in the header": ("e.csv", 'a,"y\n1,2\n', ":1:2: the quote is not closed"),
    "comment": ("e.csv", "a,y\n1,2\n# half\n3,4\n", ':3:1: "# half" is not a number (column "a"); --comment "#" would '
                "skip lines that begin with #"),
    "title": ("e.csv", "# title\na,y\n1,2\n", ': there is no column left for a feature; --comment "#" would skip lines that '
              "begin with #"),
    "gzip cut": ("e.csv.gz", PACKED[:-20], ": the packed file ends too soon"),
    "gzip damaged": ("e.csv.gz", PACKED[:200] + b"xxxx" + PACKED[204:], ": the packed file is damaged"),
    "no samples": ("e.svm", "# nothing\n", ": there are no samples in the file"),
    "no features": ("e.svm", "1\n2\n", ": there are no features in the file"),
    "empty .mtx": ("e.mtx", "", ": the file is empty"),
    "vector": ("e.mtx", "%%MatrixMarket vector array real general\n1\n2\n", ':1: only matrices are read, not "vector"'),
    "layout": ("e.mtx", BANNER + "list real general\n1 1\n2\n",
               ':1: the layout is "list", but it must be array or coordinate'),
    "pattern array": ("e.mtx", BANNER + "array pattern general\n1 1\n", ":1: an array cannot be a pattern"),
    "symmetry": ("e.mtx", BANNER + "array real hermitian\n1 1\n2\n", ':1: the symmetry "hermitian" is not read'),
    "not square": ("e.mtx", BANNER + "array real symmetric\n2 3\n2\n", ":2: a symmetric matrix must be square"),
    "no size": ("e.mtx", BANNER + "array real general\n3", ":2: the file ends where the number of columns should be"),
    "no number": ("e.mtx", BANNER + "array real general\n3 x\n", ':2: "x" is not the number of columns'),
    "no rows": ("e.mtx", BANNER + "array real general\n0 2\n", ":2: the matrix is empty"),
    "too many rows": ("e.mtx", BANNER + "coordinate real general\n1000000000000 2 1\n1 1 1\n",
                      ":2: the number of rows is 1000000000000, more than a file of this size may claim"),
    "array too large": ("e.mtx", BANNER + "array real general\n3 20000\n1\n",
                        ":2: the header claims more numbers than the file can hold"),
    "too many entries": ("e.mtx", BANNER + "coordinate real general\n3 2 1000\n1 1 1\n",
                         ":2: the header claims more entries than the file can hold"),
    "array too long": ("e.mtx", BANNER + "array real general\n3 1\n1\n2\n3\n4\n",
                       ":6: the file goes on after the last number"),
    "word in .mtx": ("e.mtx", BANNER + "array real general\n3 1\n1\nx\n3\n", ':4: "x" is not a number'),
    "big-endian": ("e.npy", npy(np.zeros((3, 2), ">f8")),
                   ': the numbers are big-endian (">f8"); save them in the machine\'s own order'),
    "complex .npy": ("e.npy", npy(np.zeros((3, 2), complex)), ': the array is of type "<c16", which is not read'),
    "too long .npy": ("e.npy", MATRIX + b"more",
                      ": the header claims a 3 x 2 array of float64, but the file goes on after it"),
    "vector as X": ("e.npy", npy(np.zeros(3)), ": expected a matrix, found a 3-element array"),
    "empty .npy matrix": ("e.npy", npy(np.zeros((0, 2))), ": the matrix is empty (0 x 2 array)"),
    "records": ("e.npy", npy(np.zeros(3, [("a", "f8")])), ": the array holds records, not numbers"),
    "version of .npy": ("e.npy", header("{}", 9), ": version 9 of the .npy format is unknown (1 to 3 are read)"),
    "cut header": ("e.npy", MATRIX[:40], ": the file ends within its .npy header"),
    "damaged header": ("e.npy", header("{'descr': 5}"), ": the .npy header is damaged"),
    "empty .npz": ("e.npz", b"", ": the file is empty"),
    "text as .npz": ("e.npz", CSV, ": this is not a NumPy .npz file"),
    "zip cut": ("e.npz", npz()[:300], ": the zip archive is damaged"),
    "zip of another kind": ("e.npz", packed_as(zipfile.ZIP_BZIP2), ": the archive is packed in a way that is not read"),
    "zip with damage": ("e.npz", with_another_size(), ": a member of the archive is damaged"),
    "no sparse matrix": ("e.npz", npz(shape=None), ": this is no matrix of scipy.sparse (save_npz writes one)"),
    "format of .npz": ("e.npz", npz(format=b"coo"), ': the matrix is in the format "coo"; csr and csc are read'),
    "format is a number": ("e.npz", npz(format=3.0), " (format.npy): expected a text"),
    "shape of .npz": ("e.npz", npz(shape=[3]), ": the shape has not two numbers"),
    "empty .npz matrix": ("e.npz", npz(shape=[0, 2]), ": the matrix is empty"),
    "large shape": ("e.npz", npz(shape=[10**12, 2]), ": the shape is more than a file of this size may claim"),
    "half an offset": ("e.npz", npz(indptr=[0, 0.5, 3]), ": indptr.npy holds numbers that are not whole"),
    "offsets": ("e.npz", npz(indptr=[0, 1]), ": data, indices and indptr do not fit together"),
    "index of .npz": ("e.npz", npz(indices=[0, 3, 1]), ": index 3 is out of range"),
    "repeated in .npz": ("e.npz", npz(indices=[0, 0, 1]), ": an entry is repeated; sum_duplicates() joins them"),
    "member of .npz": ("e.npz", npz(data=None), ': the archive has no member "data.npy"'),
}

# name: (files, command, what follows "sven: ")
OTHERS = {
    "two columns as y": ({"e.csv": "a,b\n1,2\n3,4\n5,6\n"}, "fit d.npy --y e.csv --lambda 1",
                         "e.csv: expected one column of numbers, found 2"),
    "empty y.npy": ({"y.npy": npy(np.zeros(0))}, "fit d.npy --y y.npy --lambda 1", "y.npy: the array is empty"),
    "row without a name": ({"e.csv": "g,s1,s2\n,1,2\ny,1,2\n"}, "fit e.csv --lambda 1 --transpose",
                           "e.csv: row 1 has no name"),
    "no row left": ({"e.csv": "g,s1,s2\ny,1,2\n"}, "fit e.csv --lambda 1 --transpose",
                    "e.csv: there is no row left for a feature"),
    "missing in a row": ({"e.csv": "g,s1,s2\na,1,2\ny,1,NA\n"}, "fit e.csv --lambda 1 --transpose --impute mean",
                         'e.csv: a value of the row "y" is missing'),
    "no column for the target": ({"e.csv": "a,b\n1,2\n"}, "fit e.csv --lambda 1 --drop a,b",
                                 "e.csv: there is no column for the target"),
    "nothing to assess by": ({"e.csv": "a,b\n1,2\n", "model": ["d.csv"]}, "assess m.json e.csv",
                             "e.csv: there is no target to compare with"),
    "no row to assess": ({"e.csv": "a,b,y\n1,2,\n", "model": ["d.csv"]}, "assess m.json e.csv",
                         "e.csv: no row has a target to compare with"),
    "new class": ({"e.csv": "a,t\n1,u\n2,w\n", "f.csv": "a,t\n1,u\n2,v\n3,v\n4,u\n",
                   "model": ["f.csv", "--family", "binomial"]}, "predict m.json e.csv",
                  'e.csv: the target holds "w", which is no class of the model'),
    "new text": ({"e.csv": "t,y\nu,1\nw,2\n", "model": ["t.csv", "--one-hot"]}, "predict m.json e.csv",
                 'e.csv: "w" in the column "t" is a level that the model does not know (row 2)'),
    "missing text": ({"e.csv": "t,y\nu,1\n,2\n", "model": ["t.csv", "--one-hot"]}, "predict m.json e.csv",
                     'e.csv: the value in the column "t" is missing, but never was when the model was fitted (row 2)'),
    "missing in predict": ({"e.csv": "a,b\n1,NA\n", "model": ["d.csv"]}, "predict m.json e.csv",
                           'e.csv:2:2: "NA" stands for a missing value (column "b"); the model was fitted without --impute '
                           "mean, which would fill it in"),
    "missing columns": ({"e.csv": "c,y\n1,2\n", "model": ["d.csv"]}, "predict m.json e.csv",
                        "e.csv: the model needs 2 columns that are not there: a, b"),
    "other width": ({"e.npy": npy(np.zeros((3, 5))), "model": ["d.npy", "--y", "y"]}, "predict m.json e.npy",
                    "e.npy has 5 features, but the model has 2"),
    "overflow": ({"e.csv": "a,b\n1e308,-1e308\n", "model": ["d.csv"]}, "predict m.json e.csv",
                 "e.csv: row 0 (counted from 0) has no finite prediction"),
    "model, empty": ({"m.json": ""}, "predict m.json d.csv", "m.json: the file is empty"),
    "model, no JSON": ({"m.json": "{\n1"}, "predict m.json d.csv", "m.json:2: the file is damaged: this is no JSON"),
    "model, other JSON": ({"m.json": "[]"}, "predict m.json d.csv", "m.json: this is not a sven-model file"),
    "model, infinite": ({"m.json": '{"format": "sven-model/1", "p": 1e999}'}, "predict m.json d.csv",
                        "m.json: the file is damaged: a number in it has no double"),
    "model, of a path": ({"m.json": '{"format": "sven-path/1"}'}, "predict m.json d.csv",
                         "m.json: this is not a sven-model file, but a sven-path file"),
    "model, version": ({"m.json": '{"format": "sven-model/2"}'}, "predict m.json d.csv",
                       'm.json: the format is "sven-model/2", but this sven reads sven-model/1 only'),
    "model, cut": ({"m.json": '{"format": "sven-model/1"}'}, "predict m.json d.csv",
                   'm.json: the file is damaged: it has no "target"'),
    "results, of a model": ({"m.json": '{"format": "sven-model/1"}'}, "report m.json",
                            "m.json: this is not a sven-path or sven-cv file, but a sven-model file"),
}

# What is done to a model that was right, and what follows "the file is damaged: "
MODELS = {
    "classes": (lambda m: m["settings"].update(classes=["no"]), '"settings.classes" has not two names'),
    "family": (lambda m: m["settings"].update(family="gamma"), '"settings.family" is no family that is known'),
    "count": (lambda m: m.update(p=-1), '"p" is not a whole number from 0 up'),
    "number": (lambda m: m.update(intercept="0"), '"intercept" is not a number'),
    "text": (lambda m: m.update(target=5), '"target" is not a text'),
    "list": (lambda m: m.update(coefficients=5), '"coefficients" is not a list'),
    "object": (lambda m: m["coefficients"].insert(0, 5), '"coefficients[0]" is not an object'),
    "range": (lambda m: m["coefficients"][1].update(index=8),
              '"coefficients[1].index" is not below the number of features'),
    "key": (lambda m: m["coefficients"][0].pop("value"), '"coefficients[0]" has no "value"'),
    "name": (lambda m: m["coefficients"][0].update(feature="z"),
             '"coefficients[0].feature" is not the feature of that index'),
    "names": (lambda m: m["features"].pop(), '"features" has not p names'),
    "means": (lambda m: m["encoding"].update(means=5), '"encoding.means" is not an object'),
    "reference": (lambda m: m["encoding"].update(one_hot=[{"column": "t", "levels": ["a"], "has_reference": 1}]),
                  '"encoding.one_hot[0].has_reference" is neither true nor false'),
    "levels": (lambda m: m["encoding"].update(one_hot=[{"column": "t", "levels": ["b", "a"]}]),
               '"encoding.one_hot[0].levels" is not a sorted list of texts'),
}
RESULTS = {
    "lengths": (lambda r: r["fitted"]["rows"].pop(), '"fitted" has lists of different lengths'),
    "place": (lambda r: r["fitted"].update(setting=9), '"fitted.setting" is out of range'),
    "key": (lambda r: r.pop("sven"), 'it has no "sven"'),
    "options": (lambda r: r["options"].pop("weighted"), '"options" has no "weighted"'),
    "family": (lambda r: r["options"].update(family=5), '"options.family" is not a text'),
}
RELAXED = {
    "means of a gamma": (lambda r: r["curves"][0]["relaxed"]["gammas"][1]["mean"].pop(),
                         '"curves[0].relaxed.gammas[1].mean" is of another length'),
    "choice": (lambda r: r["curves"][0]["relaxed"]["1se"].update(setting=3),
               '"curves[0].relaxed.1se.setting" is out of range'),
    "refit": (lambda r: r["curves"][0]["settings"][0]["relaxed"].update(refit=1),
              '"curves[0].settings[0].relaxed.refit" is not a text'),
}
VALIDATIONS = {
    "fold gaps": (lambda r: r["curves"][0]["settings"][1]["fold_gaps"].pop(),
                  '"curves[0].settings[1]" has lists of folds of different lengths'),
    "fold status": (lambda r: r["curves"][0]["settings"][1]["fold_statuses"].append(1),
                    '"curves[0].settings[1].fold_statuses[3]" is not a text'),
    "missed": (lambda r: r["cross_validation"].update(missed=-1),
               '"cross_validation.missed" is not a whole number from 0 up'),
    "fold actual": (lambda r: r["out_of_fold"]["actual"].pop(), '"out_of_fold.actual" is of another length'),
    "fold predicted": (lambda r: r["out_of_fold"]["predicted"].pop(), '"out_of_fold" has lists of different lengths'),
}
CLASSES = {
    "names": (lambda r: r["out_of_fold"]["assessment"]["classes"].pop(),
              '"out_of_fold.assessment.classes" has not two names'),
    "table": (lambda r: r["out_of_fold"]["assessment"]["confusion"].pop(),
              '"out_of_fold.assessment.confusion" is no table of two classes'),
    "curve": (lambda r: r["out_of_fold"]["assessment"]["roc"]["true_positive"].pop(),
              '"out_of_fold.assessment.roc.true_positive" is of another length'),
}

def common(folder):
    write(folder, {"d.csv": CSV, "d.npy": MATRIX, "d.svm": SVM, "y": "1\n2\n3\n", "t.csv": "t,y\nu,1\nv,2\nv,4\n"})


@pytest.mark.parametrize("case", CONTENT)
def test_errors_of_content(tmp_path, case):
    name, content, expected = CONTENT[case]
    common(tmp_path)
    write(tmp_path, {name: content})
    has_y = name.endswith((".mtx", ".npy", ".npz"))
    arguments = f"{name} --lambda 1 -o model.json" + (" --y y" if has_y else "")
    assert fail(tmp_path, ["fit"], arguments) == (1, name + expected)


@pytest.mark.parametrize("case", OTHERS)
def test_errors_of_other_commands(tmp_path, case):
    contents, command, expected = OTHERS[case]
    common(tmp_path)
    write(tmp_path, {name: content for name, content in contents.items() if name != "model"})
    if "model" in contents:
        succeed("fit", *contents["model"], "--lambda", 1e-3, "-o", "m.json", folder=tmp_path)
    assert fail(tmp_path, command.split()[:1], " ".join(command.split()[1:])) == (1, expected)


@pytest.mark.parametrize("case", MODELS)
def test_models_that_contradict_themselves(tmp_path, case):
    change, expected = MODELS[case]
    common(tmp_path)
    succeed("fit", "d.csv", "--lambda", 1e-3, "-o", "m.json", folder=tmp_path)
    model = json.loads((tmp_path / "m.json").read_text())
    change(model)
    write(tmp_path, {"m.json": json.dumps(model)})
    assert fail(tmp_path, ["predict"], "m.json d.csv") == (1, f"m.json: the file is damaged: {expected}")


@pytest.mark.parametrize("case", [*RESULTS, *VALIDATIONS])
def test_results_that_contradict_themselves(tmp_path, case):
    change, expected = {**RESULTS, **VALIDATIONS}[case]
    common(tmp_path)
    if case in RESULTS:
        succeed("path", "d.csv", "--n-lambda", 3, "-o", "p.json", folder=tmp_path)
    else:
        succeed("cv", PROSTATE, "--folds", 3, "--n-lambda", 3, "--save", "p.json", folder=tmp_path)
    results = json.loads((tmp_path / "p.json").read_text())
    change(results)
    write(tmp_path, {"p.json": json.dumps(results)})
    assert fail(tmp_path, ["report"], "p.json -o r.html") == (1, f"p.json: the file is damaged: {expected}")


@pytest.mark.parametrize("case", RELAXED)
def test_relaxed_results_that_contradict_themselves(tmp_path, case):
    change, expected = RELAXED[case]
    succeed("cv", PROSTATE, "--folds", 3, "--n-lambda", 3, "--relax", "-q", "--save", "p.json", folder=tmp_path)
    results = json.loads((tmp_path / "p.json").read_text())
    change(results)
    write(tmp_path, {"p.json": json.dumps(results)})
    assert fail(tmp_path, ["report"], "p.json -o r.html") == (1, f"p.json: the file is damaged: {expected}")


@pytest.mark.parametrize("case", CLASSES)
def test_judgements_that_contradict_themselves(tmp_path, case):
    change, expected = CLASSES[case]
    succeed("cv", PROSTATE, "--target", "svi", "--family", "binomial", "--folds", 3, "--n-lambda", 3, "-q", "--save",
            "p.json", folder=tmp_path)
    results = json.loads((tmp_path / "p.json").read_text())
    change(results)
    write(tmp_path, {"p.json": json.dumps(results)})
    assert fail(tmp_path, ["report"], "p.json -o r.html") == (1, f"p.json: the file is damaged: {expected}")


def test_a_model_without_the_mean_of_a_feature(tmp_path):
    write(tmp_path, {"d.csv": "a,b,y\n1,2,3\n4,NA,1\n2,9,8\n3,3,3\n0,1,2\n"})
    succeed("fit", "d.csv", "--lambda", 1e-3, "--impute", "mean", "-o", "m.json", folder=tmp_path)
    model = json.loads((tmp_path / "m.json").read_text())
    del model["encoding"]["means"]["b"]
    write(tmp_path, {"m.json": json.dumps(model), "e.csv": "g,s1,s2\na,1,2\nb,2,NA\n"})
    assert fail(tmp_path, ["predict"], "m.json d.csv") == (1, 'd.csv:3:2: "NA" stands for a missing value (column "b")')
    assert fail(tmp_path, ["predict"], "m.json e.csv --transpose") == (
        1, 'e.csv: a value of the feature "b" is missing')


# What no file can bring about in a test, or what another test does.
ELSEWHERE = ["cannot be mapped (", "cannot be read (", "cannot be opened (", "a value of the feature",
             "there are more than 2147483647 samples in the file",
             "the arrays are too large for an .npz file: more than 4 GiB", "--svm liblinear is not in this build",
             "give a command, such as fit or cv", "standard output cannot be written (",
             "iconv -f UTF-16 -t UTF-8 FILE > data.csv", "iconv -f LATIN1 -t UTF-8 FILE > data.csv", "--test-share is", "--seed is for --test-share",
             "rows leaves too few of them to fit", "there is no target to compare with"]
RAISES = re.compile(r"\b(?:throw \w+\(|raise\(|fail\(|refuse\()")
WORDS = re.compile(r'"((?:[^"\\]|\\.)*)"')


def raised_texts():
    """The sentences, in pieces, of every statement of src/io and cli that raises an error."""
    for path in sorted([*(ROOT / "src/io").glob("*.?pp"), *(ROOT / "cli").glob("*.?pp")]):
        code = re.sub(r"//.*", "", path.read_text())
        for start in RAISES.finditer(code):
            statement = re.sub(r'"\s*\n\s*"', "", code[start.start() : code.index(";", start.start())])
            for words in WORDS.findall(statement):
                for piece in re.split(r"\{[^}]*\}", words.replace('\\"', '"')):
                    if " " in piece.strip():
                        yield f"{path.relative_to(ROOT)}", piece.strip(" ;,:\"")


def test_every_text_is_in_a_table():
    tables = [table for module in (test_errors.__dict__, globals()) for name, table in module.items()
              if name.isupper() and isinstance(table, dict)]
    known = "\n".join([str(row[-1]) for table in tables for row in table.values()] + ELSEWHERE)
    missing = [f"{path}: {piece}" for path, piece in raised_texts() if piece not in known]
    assert not missing, "\n".join(missing)
