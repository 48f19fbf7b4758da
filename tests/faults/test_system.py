"""Calls of the system that fail, at each of their places: a sentence and the old files, or as if nothing had been."""
import errno
import os
import signal
import subprocess

import pytest

from faults.injected import OLD, commands, expect_all_or_nothing, needs_shim, reference, reset, run, without_times, written
from world.paths import PROGRAM

COMMANDS = commands() if needs_shim.args[0] is False else {}
ERRORS = {"open": errno.EACCES, "read": errno.EIO, "write": errno.ENOSPC, "fsync": errno.EIO, "close": errno.EIO,
          "rename": errno.EIO, "linkat": errno.ENOSPC, "fcntl": errno.EMFILE, "fstat": errno.EIO}
# Whether files are written without a name, or as on systems that have no such files.
WAYS = {"unnamed": {}, "named": {"SVEN_NO_UNNAMED": "1"}}


def sweep(folder, command, fault, way, check):
    """Calls check(outcome, number) for each call that the fault happens at; returns how many there are."""
    for number in range(1, 1000):
        reset(folder, command)
        outcome = run(folder, command, fault.format(number=number), **WAYS[way])
        if not outcome.has_happened:
            return number - 1
        check(outcome, number)
    raise AssertionError("it does not end")


@needs_shim
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", COMMANDS)
def test_failing_calls(tmp_path, name, way):
    command = COMMANDS[name]
    new = reference(tmp_path, command)
    counts = {}
    for call, error in ERRORS.items():
        def check(outcome, number, call=call, error=error):
            if outcome.code == 0:
                assert outcome.err == ""
                expect_all_or_nothing(tmp_path, command, new, is_new=True)
                return
            assert outcome.code == 1
            assert outcome.err.startswith("sven: ") and outcome.err.endswith(f"({os.strerror(error)})\n"), outcome.err
            if call != "rename":
                expect_all_or_nothing(tmp_path, command, new, is_new=False)
                return
            # Those before it have their names; no system can take that back.
            found = written(tmp_path, command)
            for k, output in enumerate(command.outputs):
                assert without_times(found[output]) == (new[output] if k < number - 1 else OLD)

        counts[call] = sweep(tmp_path, command, f"{call}:{{number}}:{error}", way, check)
    outputs = len(command.outputs)
    assert counts["write"] >= outputs and counts["fsync"] == outputs and counts["rename"] == outputs
    assert counts["linkat"] == (outputs if way == "unnamed" else 0)
    print(f"{name}, {way}: {sum(counts.values())} calls failed")


@needs_shim
@pytest.mark.parametrize("fault", [f"read:{{number}}:{errno.EINTR}", f"write:{{number}}:{errno.EINTR}", "read:{number}:0",
                                   "write:{number}:0"], ids=["read again", "write again", "read less", "write less"])
def test_calls_that_do_less(tmp_path, fault):
    count = 0
    for name in ("pipe", "path", "convert"):
        command = COMMANDS[name]
        new = reference(tmp_path, command)

        def check(outcome, _, command=command, new=new):
            assert (outcome.code, outcome.err) == (0, "")
            expect_all_or_nothing(tmp_path, command, new, is_new=True)

        count += sweep(tmp_path, command, fault, "unnamed", check)
    assert count >= 2


@needs_shim
@pytest.mark.parametrize("name", COMMANDS)
def test_killed_at_a_call(tmp_path, name):
    """Before names are given every file is the old one; once that has begun every file is new. Files are closed last."""
    command = COMMANDS[name]
    new = reference(tmp_path, command)
    count = 0
    for call in ERRORS:
        def check(outcome, _, call=call):
            assert outcome.code == -signal.SIGKILL
            is_new = call in ("linkat", "rename")
            if call == "close":
                is_new = OLD not in written(tmp_path, command).values()
            expect_all_or_nothing(tmp_path, command, new, is_new)

        count += sweep(tmp_path, command, f"{call}:{{number}}:kill", "unnamed", check)
    print(f"{name}: killed at {count} calls")
    assert count > 5


def mounts():
    """Whether this user may mount a file system of memory."""
    return subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp"], check=False, capture_output=True).returncode == 0


@pytest.mark.parametrize("kilobytes", [8, 12, 16, 24, 40, 64])
def test_a_full_disk(tmp_path, kilobytes):
    """A disk of some pages, with the data and an old file on it."""
    if not mounts():
        pytest.skip("this user may not mount anything")
    (tmp_path / "d.csv").write_text("a,b,y\n1,2,3\n4,5,1\n2,2,2\n7,1,0\n")
    script = f"""mkdir disk && mount -t tmpfs -o size={kilobytes}k tmpfs disk && cp d.csv disk && cd disk && printf old > p.json &&
        {{ {PROGRAM} path d.csv -q --n-lambda 60 -o p.json --csv c.csv --report r.html > /dev/null; echo $?; ls -A; head -c 3 p.json; }}"""
    result = subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    code, *listing = result.stdout.split("\n")
    assert code == "1", result.stderr
    assert result.stderr.startswith("sven: ") and result.stderr.endswith("cannot be written (No space left on device)\n")
    assert listing == ["d.csv", "p.json", "old"]
