"""Rows and columns with 1 to 4 ranks of mpirun on one machine: the same answers as in memory, what was sent, seconds.

    bench/ranks [--sets arcene,mice_bmi,blogfeedback,news20] [--data FOLDER] [--settings 20] [--min-ratio 0.1]
                [--ranks 1,2,4] [--program build/release/sven]
    bench/ranks --weak [--rows 2000] [--columns 20000]    simulated, as many columns for each rank
    bench/ranks --size 10G --folder FOLDER                simulated files of that size, rows of 1000 columns and columns of
                                                          2000 rows: made, measured, removed

Coefficients are compared with those of one process, by their largest difference over the largest coefficient. Each rank
has one thread. Sums of rows take 8 (p + 2)^2 bytes: sets with more than 3000 features are not solved by them. Without
--data, real sets are looked for in a folder of data sets beside the repository (../shared/data), where there is one.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from harness.launch import ROOT
from harness.outofcore import make_file, number_of_bytes

MOST_SUMMED = 3000
SUMMED = 1000  # columns of a simulated file of rows
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "SVEN_NUM_THREADS": "1"}


def parse():
    parser = argparse.ArgumentParser(prog="bench/ranks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="arcene,mice_bmi,blogfeedback,news20")
    parser.add_argument("--data", default=str(ROOT.parent / "shared/data"))
    parser.add_argument("--settings", type=int, default=20)
    parser.add_argument("--min-ratio", type=float, default=0.1, help="the smallest lambda over the largest")
    parser.add_argument("--ranks", default="1,2,3,4")
    parser.add_argument("--program", default=str(ROOT / "build/release/sven"))
    parser.add_argument("--weak", action="store_true")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--columns", type=int, default=20000)
    parser.add_argument("--size", type=number_of_bytes, help="of simulated files, as 10G")
    parser.add_argument("--folder", default=None, help="where files are made (default: the folder of temporary files)")
    return parser.parse_args()


def save(folder, X, y):
    """The files that sven reads; the name of that with X."""
    np.save(folder / "y.npy", y)
    if isinstance(X, np.ndarray):
        np.save(folder / "X.npy", np.asfortranarray(X))
        return "X.npy"
    import scipy.sparse

    scipy.sparse.save_npz(folder / "X.npz", X)
    return "X.npz"


def as_rows(folder, X):
    """The same as an array, since sparse files are not read in parts of their rows."""
    if not isinstance(X, np.ndarray):
        np.save(folder / "dense.npy", X.toarray())
        return "dense.npy"
    return "X.npy"


def solve(arguments, folder, name, ranks=None, mode=None):
    """The document of a path, and its seconds from start to end."""
    call = [arguments.program, "path", name, "--y", "y.npy", "--alpha", "0.5", "--n-lambda", str(arguments.settings),
            "--lambda-min-ratio", str(arguments.min_ratio), "--json"]
    if ranks:
        call = ["mpirun", "-n", str(ranks), *call, "--distributed", mode]
    begin = time.perf_counter()
    done = subprocess.run(call, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(call)}: {done.stderr}")
    return json.loads(done.stdout), seconds


def difference(one, other):
    """The largest of all settings, over the largest coefficient of each."""
    worst = 0.0
    for mine, theirs in zip(one["settings"], other["settings"], strict=True):
        a, b = ({entry["index"]: entry["value"] for entry in setting["coefficients"]} for setting in (mine, theirs))
        size = max(map(abs, b.values()), default=1.0)
        worst = max([worst, *(abs(a.get(key, 0) - b.get(key, 0)) / size for key in a.keys() | b.keys())])
    return worst


def sent(document):
    for note in document["data"]["notes"]:
        if ", which sent " in note:
            messages, size = (int(word) for word in note.split(", which sent ")[1].split() if word.isdigit())
            return messages, size / 1e6
    return 0, 0.0


def table(arguments, title, folder, name, modes):
    """Of the files in a folder; modes are the names of those that ranks read, by mode."""
    memory, seconds = solve(arguments, folder, name)
    print(f"| {title} | in memory | | | | {max(s['gap'] for s in memory['settings']):.1e} | | | {seconds:.1f} |", flush=True)
    for mode, file in modes.items():
        first = None
        for ranks in map(int, arguments.ranks.split(",")):
            found, seconds = solve(arguments, folder, file, ranks, mode)
            first = first or found
            gap = max(setting["gap"] for setting in found["settings"])
            messages, megabytes = sent(found)
            print(f"| {title} | {mode} | {ranks} | {difference(found, memory):.1e} | {difference(found, first):.1e} | {gap:.1e} "
                  f"| {messages} | {megabytes:.1f} | {seconds:.1f} |", flush=True)


def of_data(arguments, title, X, y, modes):
    with tempfile.TemporaryDirectory(dir=arguments.folder) as place:
        folder = Path(place)
        name = save(folder, X, y)
        table(arguments, title, folder, name, {mode: as_rows(folder, X) if mode == "rows" else name for mode in modes})


def of_files(arguments):
    for mode, shape in (("rows", {"cols": SUMMED}), ("columns", {"rows": arguments.rows})):
        with tempfile.TemporaryDirectory(dir=arguments.folder) as place:
            folder = Path(place)
            rows, cols = make_file(folder, arguments.size, **shape)
            table(arguments, f"{rows} x {cols}", folder, "X.npy", {mode: "X.npy"})


def main():
    arguments = parse()
    print("| | | ranks | from memory | from one rank | gap | messages | MB | s |\n|---|---|---|---|---|---|---|---|---|")
    if arguments.size:
        of_files(arguments)
        return
    if arguments.weak:
        random = np.random.default_rng(1)
        for ranks in arguments.ranks.split(","):
            X = random.standard_normal((arguments.rows, arguments.columns * int(ranks)))
            y = X[:, :20].sum(axis=1) + random.standard_normal(arguments.rows)
            arguments.ranks = ranks
            of_data(arguments, f"{X.shape[0]} x {X.shape[1]}", X, y, ["columns"])
        return
    sys.path.insert(0, arguments.data)
    from load import load

    for name in arguments.sets.split(","):
        X, y = load(name)
        modes = ["rows", "columns"] if X.shape[1] <= MOST_SUMMED else ["columns"]
        of_data(arguments, f"{name} {X.shape[0]} x {X.shape[1]}", X, y, modes)


if __name__ == "__main__":
    main()
