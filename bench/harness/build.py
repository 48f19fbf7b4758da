"""Builds the shared library that bench/compare calls, from the release preset."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from harness.launch import ROOT

LIBRARY = ROOT / "build/release/bench/sven_compare.so"


def build_library(verbose: bool = False) -> Path:
    """Up to date when this returns. SVEN_COMPARE_LIBRARY names one that is built already."""
    if "SVEN_COMPARE_LIBRARY" in os.environ:
        return Path(os.environ["SVEN_COMPARE_LIBRARY"])
    commands = [
        ["cmake", "--preset", "release", "-DSVEN_BENCH=ON", "--log-level=WARNING"],
        ["cmake", "--build", "--preset", "release", "--target", "sven_compare"],
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
    return LIBRARY
