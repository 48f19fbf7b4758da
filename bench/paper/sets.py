"""The sets of the paper: its own where they are at hand, else others of the same kind, called by their own names."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse

from harness import datasets
from harness.launch import ROOT
from harness.library import Matrix
from paper import originals

WIDE, TALL = "p >> n", "n >> p"
SIMULATED = re.compile(r"\d+x\d+(/sparse)?")


@dataclass(frozen=True)
class PaperSet:
    name: str  # in the paper
    regime: str
    n: int  # of the public files
    p: int
    stems: tuple[str, ...]  # of the public files
    stand_in: str  # a set of a folder with a load.py, or a shape to simulate
    target: str = "first"  # where a CSV file has it
    is_same: bool = False  # the stand-in is the paper's own set, or the public part of it


PAPER = [
    PaperSet("prostate", TALL, 97, 8, ("prostate",), "prostate", "last", True),
    PaperSet("GLI-85", WIDE, 85, 22283, ("GLI-85",), "chowdary"),
    PaperSet("SMK-CAN-187", WIDE, 187, 19993, ("SMK-CAN-187",), "singh"),
    PaperSet("GLA-BRA-180", WIDE, 180, 49151, ("GLA-BRA-180",), "180x49151"),
    PaperSet("Arcene", WIDE, 200, 10000, ("arcene",), "arcene", "last", True),
    PaperSet("Dorothea", WIDE, 800, 100000, ("dorothea",), "dorothea", "last", True),
    PaperSet("E2006-tfidf", WIDE, 3308, 150360, ("E2006-tfidf", "E2006.tfidf.test", "E2006.test"), "news20"),
    PaperSet("Scene15", WIDE, 544, 71963, ("Scene15",), "544x71963"),
    PaperSet("PEMS", WIDE, 440, 138672, ("PEMS", "PEMS-SF", "PEMS_train"), "440x138672"),
    PaperSet("MITFaces", TALL, 6977, 361, ("mitfaces",), "mitfaces", "last", True),
    PaperSet("YearPredictionMSD", TALL, 463715, 90, ("YearPredictionMSD",), "463715x90"),
    PaperSet("a further set, n >> p", TALL, 52397, 280, (), "blogfeedback"),
    PaperSet("a further set, n >> p", TALL, 45730, 9, (), "protein"),
]
SMOKE = [
    PAPER[0],
    PaperSet("a small set, p >> n", WIDE, 60, 200, (), "60x200"),
]
TRAINING_ROWS = {"YearPredictionMSD": 463715}  # the file has the test rows after them


@dataclass(frozen=True)
class Chosen:
    """Where a set of the paper comes from in this run."""

    paper: PaperSet
    name: str  # as it is called in tables and figures
    folder: Path | None  # of the stand-in
    original: Path | None = None

    @property
    def origin(self) -> str:
        if self.original:
            return f"the paper's, from {self.original.name}"
        if self.paper.is_same:
            return "the paper's"
        kind = "simulated" if SIMULATED.fullmatch(self.name) else "another set"
        return (
            kind
            if self.paper.name.startswith("a ")
            else f"{kind}, for {self.paper.name} ({self.paper.n} x {self.paper.p})"
        )

    def load(self) -> tuple[Matrix, np.ndarray]:
        if self.original is None:
            return datasets.load(self.name, self.folder)
        X, y = originals.read(self.original, self.paper.target)
        rows = TRAINING_ROWS.get(self.paper.name, len(y))
        return X[:rows], y[:rows]


def choose(paper: PaperSet, folders: list[Path]) -> Chosen | None:
    """The public file if there is one, else the stand-in; None where that is not at hand either."""
    for folder in folders:
        if paper.stems and (found := originals.find(folder, paper.stems)) and found.suffix != ".npz":
            return Chosen(paper, paper.name, None, found)
    if SIMULATED.fullmatch(paper.stand_in):
        return Chosen(paper, paper.stand_in, None)
    for folder in folders:
        if (folder / "load.py").exists() and paper.stand_in in datasets.load_folder(folder).names():
            return Chosen(paper, paper.stand_in, folder)
    if paper.stand_in == "prostate":
        return Chosen(paper, "prostate", None, ROOT / "data/prostate.csv")
    return None


LOADER = '''"""Sets of bench/paper/run, exported: load("arcene") -> X, y."""
from pathlib import Path

import numpy as np
import scipy.sparse

HERE = Path(__file__).resolve().parent


def names():
    return sorted(path.stem for path in HERE.glob("*.npz"))


def load(name):
    with np.load(HERE / f"{name}.npz", allow_pickle=False) as stored:
        y = stored["y"]
        if "indptr" not in stored:
            return stored["X"].astype(np.float64), y
        parts = stored["data"].astype(np.float64), stored["indices"], stored["indptr"]
        return scipy.sparse.csc_matrix(parts, shape=tuple(stored["shape"])), y
'''


def smallest(values: np.ndarray) -> np.ndarray:
    """The same numbers in the smallest type that has them."""
    for kind in (np.int8, np.int16, np.float32):
        with np.errstate(all="ignore"):
            if np.array_equal(values.astype(kind).astype(np.float64), values):
                return values.astype(kind)
    return values


def export(chosen: list[Chosen], folder: Path) -> list[Path]:
    """What is neither simulated nor in the repository, as a folder for --data on a machine that has none of it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "load.py").write_text(LOADER, encoding="utf-8")
    written = []
    for one in chosen:
        if one.original:  # as it is, with its labels
            stem = originals.plain(one.original.stem)
            files = [] if one.original.is_relative_to(ROOT) else one.original.parent.iterdir()
            same = (file for file in files if originals.plain(file.name).startswith(stem))
            written += [Path(shutil.copy(file, folder)) for file in same]
        if one.original or SIMULATED.fullmatch(one.name):
            continue
        X, y = one.load()
        if scipy.sparse.issparse(X):
            X = scipy.sparse.csc_matrix(X)
            parts = {"data": smallest(X.data), "indices": X.indices, "indptr": X.indptr, "shape": X.shape}
        else:
            parts = {"X": smallest(np.asarray(X))}
        written.append(folder / f"{one.name}.npz")
        np.savez_compressed(written[-1], y=np.asarray(y, dtype=np.float64), **parts)
    return written


def resolve(papers: list[PaperSet], names: list[str], folders: list[Path]) -> tuple[list[Chosen], list[str]]:
    """The sets of this run, and a sentence for each that is not at hand. `names`: those of the paper or of the
    stand-ins; shapes are simulated; all where empty."""
    known = {name.lower(): paper for paper in papers for name in (paper.stand_in, paper.name)}
    wanted = []
    for name in names:
        if name.lower() in known:
            wanted.append(known[name.lower()])
        elif SIMULATED.fullmatch(name):
            n, p = map(int, name.removesuffix("/sparse").split("x"))
            wanted.append(PaperSet("a simulated set", WIDE if p > n else TALL, n, p, (), name))
        else:
            raise ValueError(f"no set is called {name}")
    chosen, missing = [], []
    for paper in wanted or papers:
        found = choose(paper, folders)
        if found:
            chosen.append(found)
        else:
            missing.append(f"{paper.name}: neither its files nor {paper.stand_in} are at hand")
    return chosen, missing
