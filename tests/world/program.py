"""Runs `sven fit` as a user does, on files."""
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import scipy.sparse

from world.paths import PROGRAM


@dataclass
class Files:
    """A data set on disk: the arguments that name it, and its number of features."""

    arguments: list
    features: int


def write_vector(path, values):
    Path(path).write_text("".join(f"{value!r}\n" for value in np.asarray(values, dtype=float).tolist()))
    return str(path)


def write_npy(folder, X, y, order="F", dtype=np.float64):
    np.save(folder / "X.npy", np.asarray(X, dtype=dtype, order=order))
    np.save(folder / "y.npy", np.asarray(y, dtype=np.float64))
    return Files([str(folder / "X.npy"), "--y", str(folder / "y.npy")], X.shape[1])


def write_csv(folder, X, y):
    names = [f"x{j}" for j in range(X.shape[1])]
    rows = [",".join(map(repr, [*row, target])) for row, target in zip(X.tolist(), np.asarray(y).tolist())]
    (folder / "data.csv").write_text("\n".join([",".join([*names, "y"]), *rows]) + "\n")
    return Files([str(folder / "data.csv"), "--target", "y"], X.shape[1])


def write_svmlight(folder, X, y):
    rows = scipy.sparse.csr_matrix(X)
    rows.sort_indices()
    with open(folder / "data.svm", "w", encoding="ascii") as file:
        for i, target in enumerate(np.asarray(y).tolist()):
            entries = slice(rows.indptr[i], rows.indptr[i + 1])
            pairs = zip((rows.indices[entries] + 1).tolist(), rows.data[entries].tolist())
            file.write(" ".join([repr(target), *(f"{j}:{value!r}" for j, value in pairs)]) + "\n")
    # The format does not state the width: columns empty at the end are not in the file.
    return Files([str(folder / "data.svm")], X.shape[1])


@dataclass
class Fit:
    """One answer of the program."""

    report: dict
    coefficients: np.ndarray = field(repr=False)
    standardized: np.ndarray = field(repr=False)

    def __getattr__(self, name):
        return self.report[name]


def fit(files, *arguments):
    command = [PROGRAM, "fit", *files.arguments, "--json", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{' '.join(map(str, command))}\n{result.stderr}"
    report = json.loads(result.stdout)
    coefficients = np.zeros(files.features)
    standardized = np.zeros(files.features)
    for entry in report["coefficients"]:
        coefficients[entry["index"]] = entry["value"]
        standardized[entry["index"]] = entry["standardized"]
    return Fit(report, coefficients, standardized)


def number(value):
    """A number as an argument that reads back as the same double."""
    return repr(float(value))
