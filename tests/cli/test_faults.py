"""Disks that fill up, files that shrink, little address space: the old file or the whole new one."""
import os
import resource
import subprocess
import time

import pytest

from cli.command import PROSTATE, files, sven, under_a_limit
from world.paths import PROGRAM


def test_a_disk_that_fills_up(tmp_path):
    """A limit on the size of files stands for a full disk."""
    (tmp_path / "path.json").write_text("old")

    command = [PROGRAM, "path", PROSTATE, "-o", "path.json", "--csv", "path.csv"]
    for size in range(0, 100_000, 9_000):
        result = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                                preexec_fn=lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        assert result.returncode == 1
        assert result.stderr == "sven: path.json: cannot be written (File too large)\n"
        assert files(tmp_path) == {"path.json": b"old"}


@under_a_limit
@pytest.mark.parametrize("command, sizes", [
    (["path", PROSTATE, "-q", "-o", "path.json"], [*range(10 << 10, 20 << 10, 256), *range(20 << 10, 60 << 10, 4096)]),
    (["fit", PROSTATE, "--lambda", "1", "--alpha", "0.5", "--svm", "liblinear", "-o", "fit.json"],
     range(40 << 10, 400 << 10, 30 << 10)),
    (["cv", PROSTATE, "-q", "-o", "cv.json"], [*range(10 << 10, 20 << 10, 256), *range(20 << 10, 60 << 10, 4096)]),
], ids=["path", "liblinear", "cv"])
def test_a_limit_on_the_address_space(tmp_path, command, sizes):
    """A sentence or the answer, and no hang: LIBLINEAR brings OpenBLAS, some versions of which never stop asking.

    Between what the libraries take and what the answer takes lies about a megabyte: small steps there.
    """
    ends = set()
    for kilobytes in sizes:
        size = kilobytes << 10
        result = subprocess.run([PROGRAM, *command], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=30,
                                preexec_fn=lambda size=size: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        ends.add(result.returncode)
        if result.returncode == 1:
            assert result.stderr.startswith("sven: ") and result.stderr.count("\n") == 1
            assert files(tmp_path) == {}
        else:  # 127: not even the libraries fit
            assert result.returncode in (0, 127), result.stderr
        for path in tmp_path.iterdir():
            path.unlink()
    assert {0, 1} <= ends


def test_a_file_that_shrinks_while_it_is_read(tmp_path):
    """A reader that maps the file gets SIGBUS; it must say so and leave nothing behind."""
    rows = 400_000
    (tmp_path / "d.csv").write_text("a,b,y\n" + "1,2,3\n" * rows)
    for attempt in range(20):
        with subprocess.Popen([PROGRAM, "fit", "d.csv", "--lambda", "1", "-o", "m.json"], cwd=tmp_path,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(0.001 * attempt)
            os.truncate(tmp_path / "d.csv", 4096)
            _, err = process.communicate(timeout=60)
        assert process.returncode in (0, 1), err
        if process.returncode == 1:
            assert err.startswith("sven: ") and err.count("\n") == 1
        left = files(tmp_path)
        left.pop("d.csv")
        assert list(left) in ([], ["m.json"])
        (tmp_path / "m.json").unlink(missing_ok=True)
        (tmp_path / "d.csv").write_text("a,b,y\n" + "1,2,3\n" * rows)


def test_several_files_are_written_or_none(tmp_path):
    outcome = sven("cv", PROSTATE, "-o", "model.json", "--save", "none/cv.json", folder=tmp_path)
    assert (outcome.code, outcome.err) == (1, "sven: none/cv.json: cannot be written (No such file or directory)\n")
    assert files(tmp_path) == {}
