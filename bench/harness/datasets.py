"""The data: simulated by shape, or read from a folder with a load.py; standardised outside the solvers, or raw."""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import scipy.sparse

from harness.library import Matrix

SIMULATED = ["187x20000", "1000x50000", "463715x90"]
SMOKE = ["60x200", "300x12", "120x80/sparse"]
FORMS = ["standardised", "raw"]
SHAPE = re.compile(r"(\d+)x(\d+)(/sparse|@0?\.\d+)?")
DENSE_FROM = 0.1  # a sparse set with this share of non-zeros is given to the solvers as a dense one


@dataclass(frozen=True)
class Data:
    """A problem on disk, as the processes that are measured read it."""

    name: str
    form: str
    n: int
    p: int
    nonzeros: int
    is_sparse: bool
    folder: str

    @property
    def raw(self) -> bool:
        return self.form == "raw"

    @property
    def bytes(self) -> int:
        return 12 * self.nonzeros + 4 * (self.p + 1) if self.is_sparse else 8 * self.n * self.p


def simulate(name: str) -> tuple[Matrix, np.ndarray]:
    """Seeded by its shape. Neighbouring columns are correlated 0.5, as in expression data; a few dozen of them
    carry a signal three times as strong as the noise. NxP/sparse: one entry in twenty is not zero. NxP@SHARE: that
    share of the entries is not zero, X is never dense, and the noise is as strong as the signal, so that thousands of
    features enter."""
    n, p, kind = SHAPE.fullmatch(name).groups()
    n, p = int(n), int(p)
    random = np.random.default_rng([n, p])
    is_scattered = kind is not None and kind.startswith("@")
    if is_scattered:
        X = scattered(n, p, float(kind[1:]), random)
    else:
        X = np.empty((n, p), order="F")
        for j in range(p):
            X[:, j] = random.standard_normal(n)
            if j > 0:
                X[:, j] = 0.5 * X[:, j - 1] + np.sqrt(0.75) * X[:, j]
        if kind:
            X = scipy.sparse.csc_matrix(np.where(random.random((n, p)) < 0.05, X, 0))
    chosen = random.choice(p, size=min(50, max(1, p // 4)), replace=False)
    b = np.zeros(p)
    b[chosen] = random.standard_normal(len(chosen))
    signal = X @ b
    noise = random.standard_normal(n)
    return X, signal + noise * (signal.std() / (1 if is_scattered else 3))


def scattered(n: int, p: int, share: float, random: np.random.Generator) -> scipy.sparse.csc_matrix:
    """Normal entries at places of their own in every column: where so few are not zero, neighbours hardly meet."""
    counts = random.binomial(n, share, size=p)
    rows = [np.sort(random.choice(n, size=count, replace=False)) for count in counts]
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return scipy.sparse.csc_matrix((random.standard_normal(offsets[-1]), np.concatenate(rows), offsets), shape=(n, p))


def load_folder(folder: Path):
    """The module load.py of a folder of real sets: names() and load(name)."""
    specification = importlib.util.spec_from_file_location("bench_load", folder / "load.py")
    if specification is None or not (folder / "load.py").exists():
        raise FileNotFoundError(f"{folder} has no load.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def resolve(sets: list[str], folder: Path | None) -> list[str]:
    """Names as asked for; `simulated` and `real` stand for all of a kind, an empty list for both."""
    real = sorted(load_folder(folder).names()) if folder else []
    names: list[str] = []
    for name in sets or (["simulated", "real"] if folder else ["simulated"]):
        expanded = {"simulated": SIMULATED, "real": real}.get(name, [name])
        for one in expanded:
            if one not in real and not SHAPE.fullmatch(one):
                raise ValueError(
                    f"no set is called {one}; a simulated one is written 200x5000, a real one needs --data"
                )
        names += [one for one in expanded if one not in names]
    return names


def load(name: str, folder: Path | None) -> tuple[Matrix, np.ndarray]:
    if SHAPE.fullmatch(name):
        return simulate(name)
    return load_folder(folder).load(name)


def without_constants(X: Matrix) -> Matrix:
    """They say nothing, and not every peer survives a column of standard deviation zero."""
    lowest, highest = X.min(axis=0), X.max(axis=0)
    if scipy.sparse.issparse(X):
        lowest, highest = lowest.toarray().ravel(), highest.toarray().ravel()
    varies = np.flatnonzero(highest > lowest)
    return X if len(varies) == X.shape[1] else X[:, varies]


def standardize(X: Matrix, y: np.ndarray) -> tuple[Matrix, np.ndarray]:
    """Columns and response centred, of standard deviation one; a sparse X is not centred, and its columns are
    divided by their root mean square. The objective then has no intercept, and glmnet's sd(y) is one."""
    y = (y - y.mean()) / y.std()
    if scipy.sparse.issparse(X):
        size = np.sqrt(np.asarray(X.multiply(X).mean(axis=0)).ravel())
        return scipy.sparse.csc_matrix(X @ scipy.sparse.diags(1 / size)), y
    X = X - X.mean(axis=0)
    X /= X.std(axis=0)
    X -= X.mean(axis=0)
    return X, y


def prepare(name: str, form: str, folder: Path | None, place: Path) -> Data:
    """Loads a set, gives it its form, and writes it to `place`."""
    return store(*load(name, folder), name, form, place)


def store(X: Matrix, y: np.ndarray, name: str, form: str, place: Path) -> Data:
    X, y = without_constants(X), np.asarray(y, dtype=np.float64)
    if scipy.sparse.issparse(X):
        X = X.toarray(order="F") if X.nnz >= DENSE_FROM * X.shape[0] * X.shape[1] else scipy.sparse.csc_matrix(X)
    if form == "standardised":
        X, y = standardize(X, y)
    is_sparse = scipy.sparse.issparse(X)
    data = Data(name, form, *X.shape, X.nnz if is_sparse else X.size, is_sparse, str(place))
    write(X, y, data)
    return data


def write(X: Matrix, y: np.ndarray, data: Data) -> None:
    place = Path(data.folder)
    place.mkdir(parents=True, exist_ok=True)
    if data.is_sparse:
        X.sort_indices()
        np.save(place / "values.npy", X.data.astype(np.float64))
        np.save(place / "indices.npy", X.indices.astype(np.int32))
        np.save(place / "offsets.npy", X.indptr.astype(np.int32))
    else:
        np.save(place / "X.npy", np.asfortranarray(X, dtype=np.float64))
    np.save(place / "y.npy", y)
    (place / "data.json").write_text(json.dumps(asdict(data)))


def read(data: Data) -> tuple[Matrix, np.ndarray]:
    place = Path(data.folder)
    y = np.load(place / "y.npy")
    if not data.is_sparse:
        return np.load(place / "X.npy"), y
    parts = [np.load(place / f"{part}.npy") for part in ("values", "indices", "offsets")]
    return scipy.sparse.csc_matrix(tuple(parts), shape=(data.n, data.p)), y


def grid(lambda_max: float, n: int, p: int, count: int, min_ratio: float | None) -> np.ndarray:
    """`count` values, log-equal, below the largest, down to 1 % of it (p > n) or 0.01 %."""
    ratio = min_ratio or (1e-2 if p > n else 1e-4)
    return lambda_max * np.geomspace(1, ratio, count + 1)[1:]
