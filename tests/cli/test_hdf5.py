"""HDF5 files as h5py writes them: where they lie, in chunks, packed, transposed; and what is wrong with them."""
import json

import numpy as np
import pytest

from cli.command import succeed, sven, under_a_limit
from cli.hdf5_errors import HDF5_ERRORS

h5py = pytest.importorskip("h5py", reason="h5py is not installed")
if not json.loads(sven("info", "--json").out)["hdf5"]:
    pytest.skip("built without libhdf5", allow_module_level=True)

ROWS, COLS = 60, 400


def numbers():
    rng = np.random.default_rng(5)
    X = rng.integers(-90, 90, (ROWS, COLS)).astype(float)
    return X, X[:, :5].sum(axis=1) / 50 + rng.standard_normal(ROWS)


# How the same matrix may lie in a file; transposed as R and MATLAB write it.
KINDS = {
    "in one piece": {},
    "chunks": {"chunks": (16, 25)},
    "chunks of columns": {"chunks": (ROWS, 3)},
    "chunks of rows": {"chunks": (1, COLS)},
    "gzip": {"chunks": (7, 11), "compression": "gzip"},
    "shuffled, with sums": {"chunks": (20, 20), "shuffle": True, "fletcher32": True, "compression": "gzip"},
    "float32": {"dtype": "<f4"},
    "float32 in chunks": {"dtype": "<f4", "chunks": (16, 25)},
    "big-endian": {"dtype": ">f8"},
    "int8": {"dtype": "i1"},
    "int16 in chunks": {"dtype": "i2", "chunks": (16, 25)},
}
SETTINGS = ["--n-lambda", 12, "--lambda-min-ratio", 0.05, "--threads", 2, "--json"]


def path_of(document):
    found = np.zeros((len(document["settings"]), COLS))
    for k, setting in enumerate(document["settings"]):
        for entry in setting["coefficients"]:
            found[k, int(entry["feature"][1:])] = entry["value"]
    return found


def coefficients(setting):
    return {entry["feature"]: entry["value"] for entry in setting["coefficients"]}


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("npy")
    X, y = numbers()
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)
    return path_of(succeed("path", "X.npy", "--y", "y.npy", *SETTINGS, folder=folder).json)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_same_answer_as_in_memory(tmp_path, in_memory, kind, transposed):
    X, y = numbers()
    how = dict(KINDS[kind])
    if transposed and "chunks" in how:
        how["chunks"] = how["chunks"][::-1]
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file.create_dataset("study/X", data=X.T if transposed else X, **how)
        file["study/y"] = y
    words = ["path", "d.h5:/study/X", "--target", "study/y", *(["--transpose"] if transposed else []), *SETTINGS]
    document = succeed(*words, folder=tmp_path).json
    assert np.abs(path_of(document) - in_memory).max() <= 1e-9 * np.abs(in_memory).max()
    assert max(setting["gap"] for setting in document["settings"]) <= 1e-10


@under_a_limit
@pytest.mark.parametrize("transposed", [False, True])
def test_larger_than_memory(tmp_path, transposed):
    """80 MB of packed chunks in 64 MB: by blocks of columns."""
    rng = np.random.default_rng(6)
    X = rng.standard_normal((500, 20000))
    y = X[:, :5].sum(axis=1) + rng.standard_normal(500)
    np.save(tmp_path / "X.npy", np.asfortranarray(X))
    np.save(tmp_path / "y.npy", y)
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file.create_dataset("X", data=X.T if transposed else X, chunks=(500, 100)[:: -1 if transposed else 1])
        file["y"] = y
    common = ["--n-lambda", 20, "--lambda-min-ratio", 0.2, "--threads", 2, "--json"]
    words = ["path", "d.h5", "--y", "d.h5:/y", "--memory", "64M", *(["--transpose"] if transposed else [])]
    streamed = succeed(*words, *common, folder=tmp_path).json
    mapped = succeed("path", "X.npy", "--y", "y.npy", *common, folder=tmp_path).json
    assert streamed["reads"]["passes"] <= 10
    for ours, theirs in zip(streamed["settings"], mapped["settings"], strict=True):
        assert [entry["feature"] for entry in ours["coefficients"]] == [
            entry["feature"] for entry in theirs["coefficients"]]
        for one, other in zip(ours["coefficients"], theirs["coefficients"], strict=True):
            assert abs(one["value"] - other["value"]) <= 1e-9
        assert ours["gap"] <= 1e-10


def test_the_only_matrix_needs_no_name(tmp_path):
    X, y = numbers()
    with h5py.File(tmp_path / "d.hdf5", "w") as file:
        file["a/deep/X"] = X
        file["y"] = y
        file["names"] = np.array(["a", "b"], dtype=h5py.string_dtype())
    assert succeed("fit", "d.hdf5", "--target", "y", "--lambda", 1, "--json", folder=tmp_path).json["gap"] <= 1e-10


def test_weights_folds_and_offset_are_arrays(tmp_path):
    X, y = numbers()
    rng = np.random.default_rng(7)
    weights, folds, offset = rng.uniform(0.5, 2, ROWS), np.arange(ROWS) % 4, rng.standard_normal(ROWS)
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file.update({"X": X, "y": y[:, None], "w": weights, "f": folds, "o": offset})
    header = ",".join([*(f"x{j}" for j in range(COLS)), "w", "f", "o", "y"])
    np.savetxt(tmp_path / "d.csv", np.column_stack([X, weights, folds, offset, y]), delimiter=",", header=header,
               comments="", fmt="%.17g")
    words = ["--target", "y", "--weights-column", "w", "--fold-column", "f", "--offset", "o", "--n-lambda", 10, "--json"]
    ours = succeed("cv", "d.h5:X", *words, folder=tmp_path).json
    table = succeed("cv", "d.csv", *words, folder=tmp_path).json
    for one, other in zip(ours["curves"], table["curves"], strict=True):
        for of_one, of_other in zip(one["settings"], other["settings"], strict=True):
            assert of_one["gap"] <= 1e-10
            assert np.allclose(of_one["fold_errors"], of_other["fold_errors"], rtol=1e-9, atol=0)
            known, expected = coefficients(of_one), coefficients(of_other)
            assert known.keys() == expected.keys()
            assert max((abs(known[name] - expected[name]) for name in known), default=0) <= 1e-9


def test_predictions_and_conversion(tmp_path):
    X, y = numbers()
    np.save(tmp_path / "X.npy", X)
    with h5py.File(tmp_path / "d.h5", "w") as file:
        file.create_dataset("X", data=X, chunks=(9, 9), compression="gzip")
        file["y"] = y
    succeed("fit", "d.h5:X", "--target", "y", "--lambda", 1, "-q", "-o", "m.json", folder=tmp_path)
    succeed("predict", "m.json", "d.h5:X", "-o", "a.csv", folder=tmp_path)
    succeed("predict", "m.json", "X.npy", "-o", "b.csv", folder=tmp_path)
    a, b = (np.genfromtxt(tmp_path / name, delimiter=",", names=True)["prediction"] for name in ("a.csv", "b.csv"))
    assert np.abs(a - b).max() <= 1e-9
    succeed("convert", "d.h5:X", "c.npy", "--target", "y", "--y-out", "y.npy", folder=tmp_path)
    assert (np.load(tmp_path / "c.npy") == X).all() and (np.load(tmp_path / "y.npy") == y).all()


def write_faults(folder):
    X, y = numbers()
    with h5py.File(folder / "d.h5", "w") as file:
        file.update({"X": X, "other": X, "y": y, "short": y[1:], "cube": np.zeros((2, 3, 4)), "one": 1.0})
        file["names"] = np.array(["a", "b"], dtype=h5py.string_dtype())
        file["nothing"] = np.zeros((0, 3))
        file["nan"] = np.where(np.arange(ROWS) == 7, np.nan, y)
        file.create_dataset("lzf", data=X, compression="lzf")
    (folder / "text.h5").write_text("a,b\n1,2\n")
    content = (folder / "d.h5").read_bytes()
    (folder / "cut.h5").write_bytes(content[: len(content) // 2])
    with h5py.File(folder / "empty.h5", "w"):
        pass


@pytest.mark.parametrize("name", [name for name, row in HDF5_ERRORS.items() if row[0]])
def test_one_sentence_says_what_is_wrong(tmp_path, name):
    words, sentence = HDF5_ERRORS[name]
    write_faults(tmp_path)
    setting = ["--lambda", 1] if words.startswith("fit") else []
    outcome = sven(*words.split(), *setting, folder=tmp_path)
    assert outcome.code in (1, 2) and outcome.err.startswith(f"sven: {sentence}"), outcome.err
    assert outcome.err.count("\n") == 1 or outcome.code == 2
