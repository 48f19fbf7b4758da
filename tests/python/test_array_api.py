"""scikit-learn's array API dispatch: its own checks, and ours in array_api_cases.py.

SciPy reads SCIPY_ARRAY_API when it is imported, and scikit-learn refuses to dispatch without it. It changes what SciPy does with
all arrays, so it is set in a process of its own.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("file", "wanted", "least"),
    # the GPU is for test_gpu_arrays.py; at least one check of each estimator is of array_api_strict
    [("array_api_cases.py", "", 200), ("test_estimator_checks.py", "array_api and not cuda", 22)],
)
def test_with_dispatch(file, wanted, least):
    pytest.importorskip("array_api_strict")
    if find_spec("sklearn.externals.array_api_compat") is None:  # older scikit-learn does not bring it
        pytest.importorskip("array_api_compat")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider",
         "-c", str(HERE.parent / "pytest.ini"), "-k", wanted, str(HERE / file)],
        env={**os.environ, "SCIPY_ARRAY_API": "1"}, capture_output=True, text=True, check=False,
    )
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", run.stdout)[1]) >= least, run.stdout[-2000:]
