"""The paper's own sets from their public files: MATLAB (.mat), svmlight, CSV, and the text matrices of PEMS. A file is
found by its name, whatever its case, punctuation and ending; .gz and .bz2 are unpacked on the way."""

from __future__ import annotations

import bz2
import gzip
import re
from pathlib import Path
from typing import IO

import numpy as np
import scipy.io
import scipy.sparse

from harness.library import Matrix

MAT_DATA = ("x", "data", "fea", "features", "instances", "a")
MAT_LABELS = ("y", "labels", "label", "gnd", "target", "targets", "b")
PACKED = {".gz": gzip.open, ".bz2": bz2.open}


def plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def find(folder: Path, stems: tuple[str, ...]) -> Path | None:
    """The first file of the folder that has one of the names, with any ending."""
    wanted = [plain(stem) for stem in stems]
    for path in sorted(folder.iterdir()):
        inner = path.with_suffix("") if path.suffix in PACKED else path
        if path.is_file() and any(plain(name) in wanted for name in (inner.name, inner.stem)):
            return path
    return None


def read(path: Path, target: str = "first") -> tuple[Matrix, np.ndarray]:
    """X and y. `target`: where a CSV file has it, first or last."""
    if path.suffix == ".mat":
        return read_mat(path)
    with open_text(path) as lines:
        start = next((line.strip() for line in lines if line.strip() and not line.startswith("#")), "")
    if start.startswith("["):
        return read_pems(path)
    if re.match(r"\S+\s+\d+:", start):
        return read_svmlight(path)
    return read_csv(path, target)


def open_text(path: Path) -> IO[str]:
    return PACKED.get(path.suffix, open)(path, "rt", encoding="utf-8")


def read_mat(path: Path) -> tuple[Matrix, np.ndarray]:
    try:
        stored = {name.lower(): value for name, value in scipy.io.loadmat(path).items() if not name.startswith("__")}
    except NotImplementedError:
        stored = read_hdf5(path)
    X = next((stored[name] for name in MAT_DATA if name in stored), None)
    y = next((stored[name] for name in MAT_LABELS if name in stored), None)
    if X is None or y is None:
        raise ValueError(f"{path.name} has {', '.join(sorted(stored))}, and none of them is called X or Y")
    y = np.asarray(y, dtype=np.float64).ravel()
    X = scipy.sparse.csc_matrix(X, dtype=np.float64) if scipy.sparse.issparse(X) else np.asarray(X, dtype=np.float64)
    return agree(X if X.shape[0] == len(y) else X.T, y, path)


def read_hdf5(path: Path) -> dict[str, np.ndarray]:
    """MATLAB's version 7.3, whose arrays are stored transposed."""
    try:
        import h5py
    except ImportError:
        raise ValueError(f"{path.name} is a MATLAB 7.3 file: reading it needs the package h5py") from None
    with h5py.File(path) as file:
        return {name.lower(): np.asarray(value).T for name, value in file.items() if isinstance(value, h5py.Dataset)}


def read_svmlight(path: Path) -> tuple[Matrix, np.ndarray]:
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(str(path))
    return agree(scipy.sparse.csc_matrix(X), y, path)


def read_csv(path: Path, target: str) -> tuple[Matrix, np.ndarray]:
    with open_text(path) as lines:
        head = lines.readline()
    separator = "," if "," in head else None
    words = head.split(separator)
    skip = 0 if all(re.fullmatch(r"[-+.\d][-+.\deE]*", word.strip()) for word in words) else 1
    table = np.loadtxt(path, delimiter=separator, skiprows=skip, ndmin=2)
    y, X = (table[:, 0], table[:, 1:]) if target == "first" else (table[:, -1], table[:, :-1])
    return agree(X, y, path)


def read_pems(path: Path) -> tuple[Matrix, np.ndarray]:
    """Each row a matrix as MATLAB writes it, [1 2; 3 4], and the labels beside it: PEMS_train, PEMS_trainlabels."""
    with open_text(path) as lines:
        rows = [
            np.array(line.strip(" []\n").replace(";", " ").split(), dtype=np.float64) for line in lines if line.strip()
        ]
    labels = find(path.parent, (f"{path.name}labels", f"{path.stem}labels"))
    if labels is None:
        raise ValueError(f"{path.name} has no labels beside it")
    with open_text(labels) as lines:
        y = np.array(lines.read().strip(" []\n").split(), dtype=np.float64)
    return agree(np.array(rows), y, path)


def agree(X: Matrix, y: np.ndarray, path: Path) -> tuple[Matrix, np.ndarray]:
    if X.shape[0] != len(y):
        raise ValueError(f"{path.name}: X is {X.shape[0]} x {X.shape[1]}, and there are {len(y)} labels")
    return X, y
