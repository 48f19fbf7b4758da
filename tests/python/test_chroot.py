"""The wheel where there is nothing but Python, NumPy, SciPy and scikit-learn."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

# Beside the environment, so that files can be linked instead of copied.
ROOT = Path(__file__).parents[2] / "build/chroot"
STDLIB = Path(sysconfig.get_path("stdlib"))
SITE = Path(sysconfig.get_path("platlib"))
INTERPRETER = Path(os.path.realpath(sys.executable))
PACKAGES = [
    "numpy", "numpy.libs", "scipy", "scipy.libs", "sklearn", "scikit_learn.libs", "joblib", "threadpoolctl.py", "narwhals",
    "nanobind_backend", "svenet", "svenet.libs",
]
PLATFORM = ["libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1"]
CODE = """
import glob
assert not glob.glob("/lib*/**/lib*blas*", recursive=True) and not glob.glob("/usr/**/lib*blas*", recursive=True)
assert not glob.glob("/lib*/**/libgomp*", recursive=True) and not glob.glob("/usr/**/libgomp*", recursive=True)
import numpy as np, svenet
X = np.random.default_rng(0).standard_normal((300, 500)); y = X[:, :5].sum(axis=1)
print(svenet.LassoCV(cv=3, alphas=20).fit(X, y).coef_[:5].round(2), svenet.glmnet(X, y).jerr)
"""


def place(path):
    target = ROOT / Path(path).relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def shared_libraries(binary):
    listing = subprocess.run(["ldd", binary], capture_output=True, text=True, check=False).stdout
    return {part for line in listing.splitlines() for part in line.split() if part.startswith("/")}


@pytest.fixture
def bare_root():
    """Python with the libraries it loads, and those that every manylinux platform has."""
    shutil.rmtree(ROOT, ignore_errors=True)
    unwanted = shutil.ignore_patterns("test", "site-packages", "dist-packages", "__pycache__", "config-*")
    shutil.copytree(STDLIB, place(STDLIB), symlinks=True, ignore=unwanted)
    shutil.copy(INTERPRETER, place(INTERPRETER))
    for binary in [INTERPRETER, *(STDLIB / "lib-dynload").glob("*.so")]:
        for library in shared_libraries(binary):
            shutil.copy(library, place(library))
    for library in PLATFORM:
        found = subprocess.run(["g++", f"-print-file-name={library}"], capture_output=True, text=True, check=True)
        shutil.copy(os.path.realpath(found.stdout.strip()), place(f"/usr/lib/{library}"))
    site = ROOT / "site"
    site.mkdir()
    for package in PACKAGES:
        part = SITE / package
        if part.is_dir():
            shutil.copytree(part, site / package, symlinks=True, copy_function=os.link)
        elif part.exists():
            os.link(part, site / package)
    yield ROOT
    shutil.rmtree(ROOT)


@pytest.mark.long
@pytest.mark.skipif(os.getuid() != 0, reason="chroot needs root")
def test_works_in_a_bare_chroot(bare_root):
    environment = {"PYTHONHOME": sys.base_prefix, "PYTHONPATH": "/site", "LD_LIBRARY_PATH": "/usr/lib", "HOME": "/"}
    run = subprocess.run(
        [shutil.which("chroot"), bare_root, INTERPRETER, "-c", CODE], capture_output=True, text=True, check=False, env=environment
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "[1. 1. 1. 1. 1.] 0\n"
