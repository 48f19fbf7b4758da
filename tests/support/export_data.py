"""Writes the two-class sets of a data folder as plain binary files that the C++ tests read.

    export_data.py DATA_FOLDER OUT_FOLDER [NAME...]

DATA_FOLDER holds load.py (load(name) -> X, y) and its sets. The tests take OUT_FOLDER from the
environment variable SVEN_DATA and skip, by name, a set that is not there. A file is, in native
order: int64 rows, int64 columns, int64 stored entries (-1: dense); the labels -1/+1 as float64;
then X dense, float64 by rows, or its compressed rows: int64 offsets, int32 indices, float64 values.
"""
import sys
from pathlib import Path

import numpy as np

TWO_CLASS = ["arcene", "chowdary", "colon", "dorothea", "hockey", "leukemia", "mitfaces", "singh", "spam", "w8a"]


def write(path, X, y):
    dense = isinstance(X, np.ndarray)
    if not dense:
        X = X.tocsr()
        X.sort_indices()
    with open(path, "wb") as out:
        np.array([*X.shape, -1 if dense else X.nnz], np.int64).tofile(out)
        np.where(y > 0, 1.0, -1.0).tofile(out)
        if dense:
            np.ascontiguousarray(X, np.float64).tofile(out)
        else:
            X.indptr.astype(np.int64).tofile(out)
            X.indices.astype(np.int32).tofile(out)
            X.data.astype(np.float64).tofile(out)


def main(data, out, *names):
    sys.path.insert(0, data)
    from load import load

    Path(out).mkdir(parents=True, exist_ok=True)
    for name in names or TWO_CLASS:
        X, y = load(name)
        if set(np.unique(y)) != {-1.0, 1.0}:
            sys.exit(f"{name}: the response is not -1 and +1")
        write(Path(out) / f"{name}.bin", X, y)
        print(f"{name}: {X.shape[0]} x {X.shape[1]}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
