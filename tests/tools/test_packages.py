"""What ./demo and ./check do about packages: nothing when they are there, and without root they name
the missing ones and stop."""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from world.paths import ROOT

MISSING = "sven-no-such-package"
pytestmark = pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="needs Debian or Ubuntu")


def install_missing(folder, packages):
    """Runs it as an ordinary user in a tree whose list of packages is `packages`."""
    folder.chmod(0o755)
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/common.sh", folder / "scripts")
    (folder / "scripts/packages.txt").write_text(packages)
    user = {"user": 65534} if os.getuid() == 0 else {}
    return subprocess.run(["bash", "-euo", "pipefail", "-c", ". scripts/common.sh; install_missing demo"],
                          cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **user)


@pytest.fixture
def folder():
    # Outside pytest's own folder, which only its owner may enter.
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.parametrize("packages", [
    "# a comment\n\ndpkg demo reason\n",
    f"{MISSING}|dpkg demo an alternative does as well\n",
    f"{MISSING} check not for the demo\n",
])
def test_says_nothing_when_all_is_there(folder, packages):
    result = install_missing(folder, packages)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_names_the_missing_without_root(folder):
    if os.getuid() != 0 and shutil.which("sudo"):
        pytest.skip("this user may be as good as root")
    result = install_missing(folder, f"dpkg demo reason\n{MISSING} demo reason\n{MISSING}-2|{MISSING}-3 demo reason\n")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == f"Not root, and these packages are missing: {MISSING} {MISSING}-2\n"
