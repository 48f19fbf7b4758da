"""Builds the shared libraries that bench/ calls, from the release preset."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from harness.launch import ROOT

FOLDER = ROOT / "build/release/bench"


def build_library(verbose: bool = False, target: str = "sven_compare", folder: str = "") -> Path:
    """Up to date when this returns. SVEN_COMPARE_LIBRARY, or the like for another target, names one that is built
    already."""
    variable = f"{target.upper()}_LIBRARY"
    if variable in os.environ:
        return Path(os.environ[variable])
    commands = [
        ["cmake", "--preset", "release", "-DSVEN_BENCH=ON", "--log-level=WARNING"],
        ["cmake", "--build", "--preset", "release", "--target", target],
    ]
    for command in commands:
        result = subprocess.run(
            command,
            cwd=ROOT,
            text=True,
            check=False,
            stdout=None if verbose else subprocess.PIPE,
            stderr=None if verbose else subprocess.STDOUT,
        )
        if result.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{result.stdout or ''}")
    return FOLDER / folder / f"{target}.so"
