"""Runs the built program in a folder of its own, as a user would."""
import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from world.paths import PROGRAM, ROOT

PROSTATE = ROOT / "data/prostate.csv"
under_a_limit = pytest.mark.skipif("asan" in str(PROGRAM),
                                   reason="the sanitizer takes more address space than any limit here")


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def sven(*arguments, folder=None, timeout=120, **environment):
    result = subprocess.run([str(PROGRAM), *map(str, arguments)], cwd=folder, capture_output=True, text=True,
                            check=False, timeout=timeout, env={**os.environ, **environment})
    return Outcome(result.returncode, result.stdout, result.stderr)


def succeed(*arguments, folder=None, **environment):
    outcome = sven(*arguments, folder=folder, **environment)
    assert outcome.code == 0, f"{arguments}\n{outcome.err}"
    # how far it is, which a slow machine has time to say
    assert re.sub(r"sven: \d+ of \d+ settings, .*\n", "", outcome.err) == ""
    return outcome


def is_writing(pid, folder):
    """Whether the process has a file of the folder open, with a name or without one."""
    for number in Path(f"/proc/{pid}/fd").iterdir():
        try:
            if os.readlink(number).startswith(f"{folder}/"):
                return True
        except OSError:  # closed meanwhile
            pass
    return False


def files(folder):
    """Everything in the folder, with its content."""
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}
