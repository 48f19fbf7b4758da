"""Files larger than the memory that sven is given: reads of the file, rates beside dd, and the peak of anonymous
memory. Makes a file five times as large as --memory, measures, removes it.

    bench/outofcore --memory 512M --folder FOLDER [--rows 2000] [--min-ratio 0.1] [--program build/release/sven]

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
COLUMNS_AT_A_TIME = 1000


def parse():
    parser = argparse.ArgumentParser(prog="bench/outofcore", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", default="512M", help="what sven is given, as 512M or 2G")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--folder", default=None, help="where the file is made (default: the folder of temporary files)")
    parser.add_argument("--program", default=str(ROOT / "build/release/sven"))
    parser.add_argument("--settings", type=int, default=40)
    parser.add_argument("--min-ratio", type=float, default=0.1, help="the smallest lambda over the largest")
    return parser.parse_args()


def make_file(folder, rows, size):
    """A column-major matrix of doubles in an .npy file, and a response."""
    cols = size // (8 * rows)
    rng = np.random.default_rng(1)
    X = np.lib.format.open_memmap(folder / "X.npy", mode="w+", dtype=np.float64, shape=(rows, cols), fortran_order=True)
    y = rng.standard_normal(rows)
    for begin in range(0, cols, COLUMNS_AT_A_TIME):
        end = min(cols, begin + COLUMNS_AT_A_TIME)
        block = rng.standard_normal((rows, end - begin))
        X[:, begin:end] = block
        if begin == 0:
            y += block[:, :SELECTED] @ rng.uniform(0.5, 2, SELECTED)
    X.flush()
    np.save(folder / "y.npy", y)
    return cols


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
    limit = int(float(given.memory[:-1]) * UNITS[given.memory[-1]])
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        file = folder / "X.npy"
        cols = make_file(folder, given.rows, TIMES_LARGER * limit)
        size = file.stat().st_size
        print(f"{given.rows} x {cols} doubles, {size / 2**30:.2f} GiB, --memory {given.memory}\n")
        print("| | MB/s |\n|---|---|")
        for label, read in [("dd", by_dd), ("pread, blocks of 16 MiB", by_pread), ("mapping, as much", by_mapping)]:
            forget(file)
            print(f"| {label} | {size / seconds_of(lambda: read(file)) / 1e6:.0f} |")
        print("\n| | passes | columns | file read, times | seconds | MB/s | peak of anonymous memory, MiB |\n"
              "|---|---|---|---|---|---|---|")
        common = ["X.npy", "--y", "y.npy", "--n-lambda", str(given.settings), "--lambda-min-ratio", str(given.min_ratio),
                  "--memory", given.memory, "--json", "-q"]
        for label, command in [("path", ["path"]), ("10-fold cv", ["cv", "--folds", "10"])]:
            forget(file)
            measured = measure([str(Path(given.program).resolve()), *command, *common], folder)
            if measured is None:
                print(f"| {label}, {given.settings} settings | does not fit | | | | | |", flush=True)
                continue
            reads, seconds, peak = measured
            times = reads["passes"] + reads["columns"] / cols
            print(f"| {label}, {given.settings} settings | {reads['passes']:g} | {reads['columns']} | {times:.1f} "
                  f"| {seconds:.1f} | {times * size / seconds / 1e6:.0f} | {peak / 2**20:.0f} |", flush=True)


if __name__ == "__main__":
    main()
