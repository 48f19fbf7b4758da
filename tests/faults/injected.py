"""The program with a fault in it: a call of the system that fails, or that kills it (shim.cpp)."""
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.command import files
from world.paths import PROGRAM

SHIM = PROGRAM.parent / "tests/libfault_shim.so"
needs_shim = pytest.mark.skipif(not SHIM.exists(), reason="the shim is not built, or the program has a sanitizer")

TABLE = "a,b,c,y\n" + "".join(f"{k % 5},{k * k % 7},{k % 3},{(3 * k) % 11}\n" for k in range(12))
OLD = b"old"


@dataclass
class Command:
    """Words, the files that it reads, and the names of those that it writes."""

    words: list
    outputs: list
    inputs: dict
    standard_input: bytes = b""


@dataclass
class Run:
    code: int
    out: str
    err: str
    has_happened: bool  # the fault


def reset(folder, command):
    """The inputs, and something old under the name of each output."""
    for path in folder.iterdir():
        path.unlink()
    for name, content in command.inputs.items():
        (folder / name).write_bytes(content)
    for name in command.outputs:
        (folder / name).write_bytes(OLD)


def run(folder, command, fault=None, timeout=60, **environment):
    mark = Path(f"{folder}.mark")
    mark.unlink(missing_ok=True)
    variables = {**os.environ, "LD_PRELOAD": str(SHIM), "SVEN_FAULT_MARK": str(mark), **environment}
    if fault:
        variables["SVEN_FAULT"] = fault
    result = subprocess.run([PROGRAM, *command.words], cwd=folder, capture_output=True, check=False, timeout=timeout,
                            env=variables, input=command.standard_input)
    return Run(result.returncode, result.stdout.decode(), result.stderr.decode(), mark.exists())


def written(folder, command):
    """The outputs; all else in the folder must be as it was. A child of a killed program may still be at work."""
    deadline = time.monotonic() + 5
    while True:
        found = files(folder)
        if set(found) == {*command.inputs, *command.outputs} or time.monotonic() > deadline:
            break
        time.sleep(0.001)
    assert set(found) == {*command.inputs, *command.outputs}, "a temporary file was left"
    assert all(found[name] == content for name, content in command.inputs.items())
    return {name: found[name] for name in command.outputs}


def without_times(content):
    return re.sub(rb'"seconds": ?[-+.0-9e]+', b'"seconds":0', content)


def reference(folder, command):
    """What the outputs are where nothing fails."""
    reset(folder, command)
    outcome = run(folder, command)
    assert (outcome.code, outcome.err) == (0, "")
    new = written(folder, command)
    assert all(content != OLD for content in new.values())
    return {name: without_times(content) for name, content in new.items()}


def expect_all_or_nothing(folder, command, new, is_new):
    """Every output is the old one, or every one is the whole new one."""
    found = {name: without_times(content) for name, content in written(folder, command).items()}
    old = dict.fromkeys(command.outputs, OLD)
    assert found == (new if is_new else old)


def model_and_path():
    """Files for the commands that read what others wrote."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "d.csv").write_text(TABLE)
        for words in (["fit", "d.csv", "--lambda", "0.1", "-o", "m.json"], ["path", "d.csv", "--n-lambda", "3", "-o", "p.json"],
                      ["convert", "d.csv", "d.svm"], ["convert", "d.csv", "d.csv.gz"], ["convert", "d.csv", "d.mtx"],
                      ["convert", "d.csv", "X.npz", "--target", "y", "--y-out", "y.npy"]):
            subprocess.run([PROGRAM, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return files(folder)


def commands():
    """Every command, and every reader and writer."""
    have = model_and_path()

    def command(line, *outputs):
        words = line.split()
        return Command(words, list(outputs), {word: have[word] for word in words if word in have and word not in outputs})

    return {
        "fit": command("fit d.csv --lambda 0.1 -o m.json", "m.json"),
        "path": command("path d.csv --n-lambda 3 -q -o p.json --csv c.csv --report r.html", "p.json", "c.csv", "r.html"),
        "cv": command("cv d.csv --folds 2 --n-lambda 3 -q -o m.json --save cv.json --report r.html", "m.json", "cv.json", "r.html"),
        "predict": command("predict m.json d.csv -o q.csv", "q.csv"),
        "report": command("report p.json -o r.html", "r.html"),
        "convert": command("convert d.csv e.csv.gz --target y --y-out z.txt", "e.csv.gz", "z.txt"),
        "svm": command("convert d.svm X.npz --y-out y.npy", "X.npz", "y.npy"),
        "mtx": command("convert d.mtx e.npy", "e.npy"),
        "npz": command("fit X.npz --y y.npy --lambda 0.1 -o m.json", "m.json"),
        "gz": command("fit d.csv.gz --lambda 0.1 -o m.json", "m.json"),
        "pipe": Command("fit - --lambda 0.1 -o m.json".split(), ["m.json"], {}, have["d.csv"]),
        "simulate": command("simulate e.csv --rows 5 --features 3 --truth t.csv", "e.csv", "t.csv"),
    }
