"""Starts a module of the harness in an interpreter that has what it needs. Standard library only: this
runs before anything is installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
ROOT = BENCH.parent
VENV = ROOT / "build/bench-venv"


def light_python() -> Path | None:
    """An interpreter with NumPy, SciPy and scikit-learn: this one, or that of the tests."""
    if all(importlib.util.find_spec(name) for name in ("numpy", "scipy", "sklearn")):
        return Path(sys.executable)
    tests = ROOT / ".venv/bin/python"
    return tests if tests.exists() else None


def venv_python() -> Path:
    """The interpreter of build/bench-venv, which is made anew when requirements.txt changes."""
    wanted = BENCH / "requirements.txt"
    installed = VENV / "requirements.txt"
    python = VENV / "bin/python"
    if not (installed.exists() and installed.read_bytes() == wanted.read_bytes()):
        print(f"installing bench/requirements.txt into {VENV.relative_to(ROOT)}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", wanted], check=True)
        installed.write_bytes(wanted.read_bytes())
    return python


def run(module: str, arguments: list[str], is_light: bool = False) -> None:
    """Becomes `python -m module arguments`. The smoke run is content with NumPy, SciPy and scikit-learn, as is
    whatever has no peers; so is a run on a machine that cannot install any (--installed)."""
    is_light |= any(argument in ("-h", "--help", "--smoke", "--installed") for argument in arguments)
    try:
        python = (light_python() if is_light else None) or venv_python()
    except subprocess.CalledProcessError as error:
        sys.exit(f"cannot make {VENV}: {error}")
    path = os.pathsep.join(filter(None, [str(BENCH), os.environ.get("PYTHONPATH")]))
    os.execve(python, [str(python), "-m", module, *arguments], {**os.environ, "PYTHONPATH": path})
