"""bench/reading: text files to matrices in memory, sven beside pandas, pyarrow and scikit-learn's loader.

Each file is written once and lies in the page cache. MB/s are of the file's size; every reader must find the same
shape and the same sum of the target. Writes reading.md and reading.json."""

from __future__ import annotations

import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from harness.build import build_library
from harness.compare import machine
from harness.library import Library
from harness.options import make_parser
from harness.report import machine_line, number, table

Found = tuple[int, int, float]  # rows, columns without the target, sum of the target


def write_csv(file: Path, values: np.ndarray, form: str) -> None:
    head = ",".join([*(f"x{j}" for j in range(values.shape[1] - 1)), "y"])
    np.savetxt(file, values, fmt=form, delimiter=",", header=head, comments="")


def write_svmlight(file: Path, random: np.random.Generator, n: int, p: int, share: float) -> None:
    with open(file, "w", encoding="ascii") as lines:
        for _ in range(n):
            indices = np.flatnonzero(random.random(p) < share) + 1
            pairs = zip(indices, random.standard_normal(len(indices)))
            lines.write(f"{random.standard_normal():.6g} " + " ".join(f"{j}:{v:.6g}" for j, v in pairs) + "\n")


def make_files(folder: Path, size: float) -> dict[str, Path]:
    """`size`: megabytes, roughly."""
    random = np.random.default_rng(1)
    rows = max(10, int(size * 1e6 / (50 * 9.5)))
    files = {}
    files["CSV, %.6g, 50 columns"] = folder / "short.csv"
    write_csv(folder / "short.csv", random.standard_normal((rows, 50)), "%.6g")
    files["CSV, %.17g, 50 columns"] = folder / "long.csv"
    write_csv(folder / "long.csv", random.standard_normal((rows // 2, 50)), "%.17g")
    files["CSV, 0 to 99, 50 columns"] = folder / "integers.csv"
    write_csv(folder / "integers.csv", random.integers(0, 100, (3 * rows, 50)), "%d")
    files["CSV, %.6g, 20000 columns"] = folder / "wide.csv"
    write_csv(folder / "wide.csv", random.standard_normal((max(4, rows // 400), 20000)), "%.6g")
    files["svmlight, 5 % of 2000"] = folder / "data.svm"
    write_svmlight(folder / "data.svm", random, max(10, int(size * 1e6 / (100 * 13.5))), 2000, 0.05)
    return files


def pandas_reader(engine: str) -> Callable[[Path], Found]:
    import pandas

    def read(file: Path) -> Found:
        frame = pandas.read_csv(file, engine=engine)
        return frame.shape[0], frame.shape[1] - 1, float(frame["y"].sum())

    return read


def pyarrow_reader(threads: int) -> Callable[[Path], Found]:
    import pyarrow
    import pyarrow.compute
    from pyarrow import csv

    pyarrow.set_cpu_count(threads)

    def read(file: Path) -> Found:
        blocks = csv.ReadOptions(use_threads=threads > 1, block_size=max(1 << 20, file.stat().st_size // 64))
        found = csv.read_csv(file, read_options=blocks)
        return found.num_rows, found.num_columns - 1, float(pyarrow.compute.sum(found["y"]).as_py())

    return read


def svmlight_reader(file: Path) -> Found:
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(str(file))
    return X.shape[0], X.shape[1], float(y.sum())


def readers(library: Library, file: Path, threads: int) -> dict[str, Callable[[Path], Found]]:
    """Those that take this file, with so many threads."""

    def ours(path: Path) -> Found:
        return library.read(path, threads)

    if file.suffix == ".svm":
        peers = {"scikit-learn": svmlight_reader} if threads == 1 else {}
    elif threads == 1:
        peers = {"pandas": pandas_reader("c"), "pyarrow": pyarrow_reader(1)}
    else:
        peers = {"pandas, pyarrow engine": pandas_reader("pyarrow"), "pyarrow": pyarrow_reader(threads)}
    return {"sven": ours, **peers}


def measure(read: Callable[[Path], Found], file: Path, repeats: int) -> tuple[float, Found]:
    found = read(file)
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        read(file)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), found


def run(library: Library, size: float, threads: list[int], repeats: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="sven-reading-") as place:
        for title, file in make_files(Path(place), size).items():
            expected: Found | None = None
            for count in threads:
                for name, read in readers(library, file, count).items():
                    row = {"file": title, "bytes": file.stat().st_size, "threads": count, "reader": name}
                    try:
                        row["seconds"], found = measure(read, file, repeats)
                    except (ValueError, RuntimeError, OSError) as error:
                        rows.append(row | {"seconds": math.inf, "reason": str(error).splitlines()[0]})
                        continue
                    expected = expected or found
                    if found[:2] != expected[:2] or not math.isclose(found[2], expected[2], rel_tol=1e-9):
                        sys.exit(f"{name} finds {found} in {title}, sven {expected}")
                    rows.append(row)
                    print(f"{title}: {name}, {count} threads: {rate(row)} MB/s", file=sys.stderr, flush=True)
    return rows


def rate(row: dict[str, Any]) -> str:
    return f"{row['bytes'] / row['seconds'] / 1e6:.0f}" if row["seconds"] < math.inf else "-"


def report(rows: list[dict[str, Any]], command: str, facts: dict[str, Any]) -> str:
    lines = ["# Reading text files", "", f"    {command}", "", machine_line(facts), ""]
    body = []
    for row in rows:
        megabytes = f"{row['bytes'] / 1e6:.0f}"
        body.append([row["file"], megabytes, str(row["threads"]), row["reader"], number(row["seconds"]), rate(row)])
    return "\n".join([*lines, *table(["file", "MB", "threads", "reader", "seconds", "MB/s"], body)])


def main() -> int:
    parser = make_parser("reading", __doc__)
    parser.add_argument("--size", type=float, default=100, help="megabytes of each file, roughly (100)")
    options = parser.parse_args()
    threads = sorted({1, options.threads})
    rows = run(Library(build_library()), options.size, threads, options.repeats)
    facts = machine(max(threads))
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "reading.json").write_text(json.dumps({"machine": facts, "rows": rows}, indent=1))
    text = report(rows, " ".join(["bench/reading", *sys.argv[1:]]), facts)
    (options.output / "reading.md").write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
