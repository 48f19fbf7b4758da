"""Killed and terminated at random moments: the exit code that it should be, every file old or every file new and whole."""
import collections
import os
import random
import signal
import subprocess
import time

import pytest

from cli.command import succeed
from faults.injected import Command, expect_all_or_nothing, reset, without_times, written
from world.paths import PROGRAM

INTERRUPTED = "sven: interrupted, nothing was written\n"


@pytest.fixture(scope="module", name="commands")
def make_commands(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kill")
    succeed("simulate", "d.csv", "--rows", 100, "--features", 200, folder=folder)
    have = {"d.csv": (folder / "d.csv").read_bytes()}
    return {
        "path": Command("path d.csv -q --n-lambda 40 -o p.json --csv c.csv --report r.html".split(), ["p.json", "c.csv", "r.html"], have),
        "cv": Command("cv d.csv -q --folds 3 --n-lambda 20 -o m.json --save cv.json --report r.html".split(),
                      ["m.json", "cv.json", "r.html"], have),
        "convert": Command("convert d.csv e.csv.gz --target y --y-out y.npy".split(), ["e.csv.gz", "y.npy"], have),
    }


def time_of(folder, command):
    """Seconds that it takes where nothing else runs, and what it writes."""
    seconds = []
    for _ in range(5):
        reset(folder, command)
        start = time.monotonic()
        subprocess.run([PROGRAM, *command.words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.monotonic() - start)
    return min(seconds), {name: without_times(text) for name, text in written(folder, command).items()}


def strike(folder, command, sent, delay):
    """The exit code, and what it said, of a run that is sent a signal after a time; and whether it still ran then."""
    reset(folder, command)
    with subprocess.Popen([PROGRAM, *command.words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, start_new_session=True) as process:
        time.sleep(delay)
        is_running = process.poll() is None
        if is_running:
            os.killpg(process.pid, sent)  # as a shell does, with all that the program has started
        _, err = process.communicate(timeout=60)
    return process.returncode, err, is_running


def check(folder, command, sent, new, code, err):
    """0: all new. 128 + signal: nothing written, and said so. -signal: killed, or before the handler stood."""
    if code == 0:
        assert err == ""
        expect_all_or_nothing(folder, command, new, is_new=True)
        return "done"
    if code == 128 + sent:
        assert err == INTERRUPTED
        expect_all_or_nothing(folder, command, new, is_new=False)
        return "interrupted"
    assert (code, err) == (-sent, "")
    found = {name: without_times(text) for name, text in written(folder, command).items()}
    is_new = found == new
    expect_all_or_nothing(folder, command, new, is_new)
    return "killed, new" if is_new else "killed, old"


def strike_often(folder, commands, count, seed):
    """As many times as asked for; runs that had ended before do not count."""
    generator = random.Random(seed)
    ends = collections.Counter()
    times = {name: time_of(folder, command) for name, command in commands.items()}
    for _ in range(10 * count):
        number = sum(ends.values())
        if number == count:
            break
        name = list(commands)[number % len(commands)]
        sent = (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGINT)[number // len(commands) % 4]
        whole, new = times[name]
        delay = generator.uniform(0, 1.1 * whole)
        code, err, is_running = strike(folder, commands[name], sent, delay)
        end = check(folder, commands[name], sent, new, code, err)
        if is_running:
            ends[name, sent.name, end] += 1
    for key, value in sorted(ends.items()):
        print(*key, value)
    return ends


def can_be_unnamed(folder):
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        return False
    return True


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_random_moments(tmp_path, commands, count):
    if not can_be_unnamed(tmp_path):
        pytest.skip("the file system has no unnamed files: what is killed leaves some")
    ends = strike_often(tmp_path, commands, count, seed=count)
    assert sum(ends.values()) == count
    assert {key[2] for key in ends} >= {"interrupted", "killed, old"}
