"""Real sets solved in every mode that is not in memory: files larger than the memory that is given, chunks of HDF5,
statistics of rows in pieces, columns of two ranks. The same coefficients to 1e-9, every gap at most 1e-10."""
import json
import os
import shutil
import subprocess

import numpy as np
import pytest
import scipy.sparse

from world.paths import PROGRAM
from world.test_shared_data import PROMISE, load

RANKS = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
         "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none", "SVEN_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("modes")


def files(folder, name):
    """X as it is in memory, once for each set."""
    if not (folder / f"{name}.y.npy").exists():
        X, y = load(name)
        if scipy.sparse.issparse(X) and name == "news20":
            scipy.sparse.save_npz(folder / f"{name}.npz", X)
        else:
            np.save(folder / f"{name}.npy", np.asfortranarray(X.toarray() if scipy.sparse.issparse(X) else X, dtype=float))
        np.save(folder / f"{name}.y.npy", np.asarray(y, dtype=float))
    return f"{name}.npz" if (folder / f"{name}.npz").exists() else f"{name}.npy"


def run(folder, *call):
    done = subprocess.run([*map(str, call)], cwd=folder, env=RANKS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def path(folder, *data, before=()):
    """Coefficients by setting, and how often X was read."""
    answer = json.loads(run(folder, *before, PROGRAM, "path", *data, "--alpha", 0.5, "--n-lambda", 15, "--lambda-min-ratio", 0.1,
                            "--json", "-q"))
    assert max(setting["gap"] for setting in answer["settings"]) <= PROMISE
    values = np.zeros((len(answer["settings"]), answer["p"]))
    for row, setting in zip(values, answer["settings"]):
        for entry in setting["coefficients"]:
            row[entry["index"]] = entry["value"]
    return values, answer["reads"]


def compare(found, expected):
    largest = np.maximum(np.abs(expected).max(axis=1), 1e-300)
    assert np.all(np.abs(found - expected).max(axis=1) <= 1e-9 * largest)
    assert np.count_nonzero(expected[-1]) > 5


@pytest.mark.parametrize("name, memory", [("mice_bmi", "100M"), ("arcene", "64M")])
@pytest.mark.parametrize("kind", ["npy", "h5"])
def test_by_blocks_of_columns(folder, name, memory, kind):
    """mice_bmi has 150 MB."""
    file = files(folder, name)
    y = ("--y", f"{name}.y.npy")
    expected, _ = path(folder, file, *y)
    if kind == "h5":
        h5py = pytest.importorskip("h5py")
        X = np.load(folder / file)
        with h5py.File(folder / f"{name}.h5", "w") as chunks:
            chunks.create_dataset("X", data=X, chunks=(len(X), 16))
    found, reads = path(folder, f"{name}.{kind}", *y, "--memory", memory)
    compare(found, expected)
    assert 1 < reads["passes"] <= 10


def test_statistics_of_pieces(folder):
    file = files(folder, "blogfeedback")
    expected, _ = path(folder, file, "--y", "blogfeedback.y.npy")
    X, y = np.load(folder / file), np.load(folder / "blogfeedback.y.npy")
    pieces = []
    for k, rows in enumerate(np.array_split(np.arange(len(y)), 3)):
        np.save(folder / f"piece{k}.npy", X[rows])
        np.save(folder / f"piece{k}.y.npy", y[rows])
        run(folder, PROGRAM, "gram", f"piece{k}.npy", "--y", f"piece{k}.y.npy", "-o", f"piece{k}.npz")
        pieces.append(f"piece{k}.npz")
    run(folder, PROGRAM, "gram", "--merge", *pieces, "-o", "all.npz")
    compare(path(folder, "all.npz")[0], expected)


@pytest.mark.parametrize("name", ["arcene", "mice_bmi", "news20"])
def test_columns_of_ranks(folder, name):
    if shutil.which("mpirun") is None:
        pytest.skip("no mpirun")
    data = (files(folder, name), "--y", f"{name}.y.npy")
    expected, _ = path(folder, *data)
    compare(path(folder, *data, "--distributed", "columns", before=("mpirun", "-n", 2))[0], expected)
