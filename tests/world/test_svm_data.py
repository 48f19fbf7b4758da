"""The support vector machine by itself on the two-class sets beside the project, against LIBLINEAR:
the C++ tests do the work, here they get the data."""
import os
import subprocess

import pytest

from support.export_data import TWO_CLASS, main
from world.paths import ROOT, SHARED_DATA

TESTS = ROOT / "build/release/tests/test_svm"


@pytest.mark.parametrize("name", [name for name in TWO_CLASS if name not in {"dorothea", "hockey"}])
def test_equals_liblinear(name, tmp_path):
    if not (SHARED_DATA / f"{name}.npz").exists():
        pytest.skip(f"{name}: no ../shared/data/{name}.npz")
    main(str(SHARED_DATA), str(tmp_path), name)
    run = subprocess.run([TESTS, f"--gtest_filter=*SharedData*/{name}"], env=os.environ | {"SVEN_DATA": str(tmp_path)},
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "[  PASSED  ] 1 test." in run.stdout and "SKIPPED" not in run.stdout, run.stdout
