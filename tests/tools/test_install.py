"""./install: what it puts where, and what it says about the PATH."""
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def install(*arguments, path=os.environ["PATH"]):
    return subprocess.run([str(ROOT / "install"), *map(str, arguments)], capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": path})


@pytest.mark.skipif(not (ROOT / "build/release/sven").exists(), reason="the program is not built")
def test_the_program_is_installed_and_the_path_is_told(tmp_path):
    result = install(tmp_path)
    assert result.returncode == 0, result.stderr
    line = f'export PATH="{tmp_path}/bin:$PATH"'
    assert line in result.stdout
    shown = subprocess.run(["bash", "-c", f"{line}; command -v sven; sven --version"], capture_output=True, text=True,
                           check=True).stdout
    assert shown.startswith(f"{tmp_path}/bin/sven\nsven ")
    assert (tmp_path / "share/man/man1/sven.1").read_text().startswith(".TH SVEN 1")
    again = install(tmp_path, path=f"{tmp_path}/bin:{os.environ['PATH']}").stdout
    assert "sven is on the PATH" in again and "export" not in again


def test_what_it_does_not_understand():
    for arguments in (["--prefix", "/x"], ["a", "b"], ["--help"]):
        result = install(*arguments)
        assert result.returncode == 2 and result.stderr.startswith("usage: ./install [PREFIX]")
