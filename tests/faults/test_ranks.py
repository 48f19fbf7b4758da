"""Ranks of a real mpirun that are killed at random moments: the run ends, and leaves no half file."""
import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from cli.test_distributed import ENVIRONMENT, needs_mpi
from world.paths import PROGRAM

RANKS = 3
# Of a run that lost a rank; a busy machine takes a part of it to start processes.
MOST_SECONDS = 10
MPIRUN_HANGS = -1000  # in the place of an exit code


def start(folder, mode):
    call = ["mpirun", "-n", str(RANKS), str(PROGRAM), "cv", "X.npy", "--y", "y.npy", "--folds", "3", "--n-lambda", "40", "--distributed", mode, "-o", "m.json"]
    return subprocess.Popen(call, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def ranks_of(run):
    """The processes that mpirun has started and that are this program by now."""
    try:
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        return [int(child) for child in children if os.path.realpath(f"/proc/{child}/exe") == os.path.realpath(PROGRAM)]
    except OSError:
        return []


def is_alive(pid):
    """Neither gone nor a zombie that its parent has not waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill_one(folder, mode, delay, chance):
    """The exit code of a run of which a rank was killed after a while, or None if it had ended before."""
    run = start(folder, mode)
    time.sleep(delay)
    victims = ranks_of(run)
    while not victims and run.poll() is None:
        victims = ranks_of(run)
    if not victims:
        run.communicate()
        return None
    os.kill(chance.choice(victims), signal.SIGKILL)
    try:
        run.communicate(timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired as late:
        # Killed while it connects to mpirun, a rank may leave mpirun in a deadlock of its own, in PMIx_server_finalize:
        # the ranks are gone by then, and it has said why.
        assert not any(map(is_alive, victims)) and b"exited on signal 9" in late.stderr, late.stderr
        return MPIRUN_HANGS
    finally:
        run.kill()
        run.wait()
    return run.returncode


def hits(folder, mode, count):
    """How many of the kills met a run; at most one in five may leave mpirun in its deadlock (on a busy machine ranks take
    long to connect, and 4 of 50 were seen)."""
    shape = (80, 1000) if mode == "columns" else (30000, 60)
    numbers = np.random.default_rng(1)
    X = numbers.standard_normal(shape)
    np.save(folder / "X.npy", np.asfortranarray(X))
    np.save(folder / "y.npy", X[:, :9].sum(axis=1) + numbers.standard_normal(shape[0]))
    begin = time.monotonic()
    undisturbed = start(folder, mode)
    assert undisturbed.wait() == 0, undisturbed.stderr.read()
    seconds = time.monotonic() - begin
    (folder / "m.json").unlink()
    chance = random.Random(f"{mode} {count}")
    found = hung = 0
    for _ in range(count):
        code = kill_one(folder, mode, chance.uniform(0, 0.8 * seconds), chance)
        assert code is None or code != 0
        found += code is not None
        hung += code == MPIRUN_HANGS
        assert {path.name for path in folder.iterdir()} <= {"X.npy", "y.npy", "m.json"}
        if (folder / "m.json").exists():  # written before the blow
            json.loads((folder / "m.json").read_text())
            (folder / "m.json").unlink()
    assert hung <= max(1, count // 5)
    return found


@needs_mpi
@pytest.mark.parametrize("mode", ["rows", "columns"])
def test_some_kills(tmp_path, mode):
    assert hits(tmp_path, mode, 3) >= 1


@pytest.mark.long
@needs_mpi
@pytest.mark.parametrize("mode", ["rows", "columns"])
def test_fifty_kills(tmp_path, mode):
    assert hits(tmp_path, mode, 50) >= 25
