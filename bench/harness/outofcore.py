"""Files larger than the memory that sven is given: reads of the file, rates beside dd, and the peak of anonymous
memory. Makes a file five times as large as --memory, measures, removes it.

    bench/outofcore --memory 512M --folder FOLDER [--rows 2000] [--min-ratio 0.1] [--program build/release/sven]
    bench/outofcore --kind hdf5|bed                  in chunks of 100 columns, which needs h5py; genotypes

The file is dropped from the page cache before each measurement. What the system keeps of it later is the system's: a
machine with more memory than the file reads it once.
"""

import argparse
import json
import mmap
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from harness.launch import ROOT

UNITS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
BLOCK = 16 * 2**20  # bytes of a read, as dd's below
TIMES_LARGER = 5
SELECTED = 20  # features that the response depends on
LINES_AT_A_TIME = 1000


def parse():
    parser = argparse.ArgumentParser(prog="bench/outofcore", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", default="512M", help="what sven is given, as 512M or 2G")
    parser.add_argument("--kind", choices=["npy", "hdf5", "bed"], default="npy", help="of the file")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--folder", default=None, help="where the file is made (default: the folder of temporary files)")
    parser.add_argument("--program", default=str(ROOT / "build/release/sven"))
    parser.add_argument("--settings", type=int, default=40)
    parser.add_argument("--min-ratio", type=float, default=0.1, help="the smallest lambda over the largest")
    return parser.parse_args()


def number_of_bytes(text):
    """Of 512M, 2G and the like."""
    return int(float(text[:-1]) * UNITS[text[-1]])


def make_file(folder, size, rows=None, cols=None):
    """A matrix of doubles in an .npy file of that size, column by column where the rows are given, row by row where the
    columns are; and a response. Its shape."""
    by_columns = rows is not None
    shape = (rows, size // (8 * rows)) if by_columns else (size // (8 * cols), cols)
    rng = np.random.default_rng(1)
    X = np.lib.format.open_memmap(folder / "X.npy", mode="w+", dtype=np.float64, shape=shape, fortran_order=by_columns)
    y = rng.standard_normal(shape[0])
    coefficients = rng.uniform(0.5, 2, SELECTED)
    lines = X.T if by_columns else X
    for begin in range(0, len(lines), LINES_AT_A_TIME):
        block = lines[begin:begin + LINES_AT_A_TIME]
        block[:] = rng.standard_normal(block.shape)
        if not by_columns:
            y[begin:begin + LINES_AT_A_TIME] += block[:, :SELECTED] @ coefficients
        elif begin == 0:
            y += coefficients @ block[:SELECTED]
    X.flush()
    np.save(folder / "y.npy", y)
    return shape


def make_chunks(folder, size, rows):
    """The same as an HDF5 file in chunks of 100 columns."""
    import h5py

    shape = make_file(folder, size, rows=rows)
    X = np.load(folder / "X.npy", mmap_mode="r")
    with h5py.File(folder / "X.h5", "w") as file:
        chunks = file.create_dataset("X", shape, dtype=np.float64, chunks=(rows, 100))
        for begin in range(0, shape[1], LINES_AT_A_TIME):
            chunks[:, begin:begin + LINES_AT_A_TIME] = X[:, begin:begin + LINES_AT_A_TIME]
    (folder / "X.npy").unlink()
    return shape


def make_genotypes(folder, size, rows, program):
    """People and variants of that many bytes, two bits each."""
    cols = size // ((rows + 3) // 4)
    subprocess.run([program, "simulate", "--plink", "X", "--rows", str(rows), "--features", str(cols), "--nonzero", str(SELECTED)],
                   cwd=folder, check=True, capture_output=True)
    return rows, cols


def forget(path):
    """Drops the file from the page cache."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def seconds_of(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def by_dd(path):
    subprocess.run(["dd", f"if={path}", "of=/dev/null", f"bs={BLOCK}", "status=none"], check=True)


def by_pread(path):
    buffer = bytearray(BLOCK)
    descriptor = os.open(path, os.O_RDONLY)
    at = 0
    while got := os.preadv(descriptor, [buffer], at):
        at += got
    os.close(descriptor)


def by_mapping(path):
    buffer = bytearray(BLOCK)
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapping:
        for begin in range(0, len(mapping), BLOCK):
            piece = mapping[begin:begin + BLOCK]
            buffer[:len(piece)] = piece


def anonymous_bytes(pid):
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


def measure(arguments, folder):
    """Runs sven; what it says of its reads, its seconds, and its largest anonymous memory, looked at every 5 ms."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as answer:
        process = subprocess.Popen(arguments, cwd=folder, stdout=answer)
        peak = 0
        while process.poll() is None:
            peak = max(peak, anonymous_bytes(process.pid))
            time.sleep(0.005)
        if process.returncode != 0:  # with a sentence on stderr
            return None
        answer.seek(0)
        found = json.load(answer)
    return found["reads"], time.monotonic() - start, peak


def main():
    given = parse()
    given.program = str(Path(given.program).resolve())
    size = TIMES_LARGER * number_of_bytes(given.memory)
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        if given.kind == "bed":
            file, what, data = folder / "X.bed", "genotypes", ["X.bed"]
            rows, cols = make_genotypes(folder, size, given.rows, given.program)
        elif given.kind == "hdf5":
            file, what, data = folder / "X.h5", "doubles in chunks", ["X.h5", "--y", "y.npy"]
            rows, cols = make_chunks(folder, size, given.rows)
        else:
            file, what, data = folder / "X.npy", "doubles", ["X.npy", "--y", "y.npy"]
            rows, cols = make_file(folder, size, rows=given.rows)
        size = file.stat().st_size
        print(f"{rows} x {cols} {what}, {size / 2**30:.2f} GiB, --memory {given.memory}\n")
        print("| | MB/s |\n|---|---|")
        for label, read in [("dd", by_dd), ("pread, blocks of 16 MiB", by_pread), ("mapping, as much", by_mapping)]:
            forget(file)
            print(f"| {label} | {size / seconds_of(lambda: read(file)) / 1e6:.0f} |")
        print("\n| | passes | columns | file read, times | seconds | MB/s | peak of anonymous memory, MiB |\n"
              "|---|---|---|---|---|---|---|")
        common = [*data, "--n-lambda", str(given.settings), "--lambda-min-ratio", str(given.min_ratio),
                  "--memory", given.memory, "--json", "-q"]
        for label, command in [("path", ["path"]), ("10-fold cv", ["cv", "--folds", "10"])]:
            forget(file)
            measured = measure([given.program, *command, *common], folder)
            if measured is None:
                print(f"| {label}, {given.settings} settings | does not fit | | | | | |", flush=True)
                continue
            reads, seconds, peak = measured
            times = reads["passes"] + reads["columns"] / cols
            print(f"| {label}, {given.settings} settings | {reads['passes']:g} | {reads['columns']} | {times:.1f} "
                  f"| {seconds:.1f} | {times * size / seconds / 1e6:.0f} | {peak / 2**20:.0f} |", flush=True)


if __name__ == "__main__":
    main()
