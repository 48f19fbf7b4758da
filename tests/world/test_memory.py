"""Fitting a 1 GB Fortran-order .npy must not copy it: the peak, mapped pages included, stays below
1.15 GB."""
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from world.paths import PROGRAM

ROWS, COLUMNS = 1000, 125_000  # 1 GB of doubles
LIMIT = 1.15e9

# A process of its own starts the program: a child counts its parent's pages as its own until exec.
MEASURE = """
import json, os, resource, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
output = process.stdout.read()
_, status, usage = os.wait4(process.pid, 0)
print(json.dumps({"status": os.waitstatus_to_exitcode(status), "peak": usage.ru_maxrss * 1024,
                  "answer": json.loads(output or "null")}))
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    if shutil.disk_usage(folder).free < 2e9:
        pytest.skip("less than 2 GB of free disk")
    rng = np.random.default_rng(0)
    X = np.lib.format.open_memmap(folder / "X.npy", "w+", np.float64, (ROWS, COLUMNS), fortran_order=True)
    response = rng.standard_normal(ROWS)
    for start in range(0, COLUMNS, 5000):
        block = rng.standard_normal((5000, ROWS), dtype=np.float32)
        if start == 0:
            response += block[:20].T @ np.linspace(2, 0.5, 20)
        X[:, start : start + 5000] = block.T
    X.flush()
    del X
    np.save(folder / "y.npy", response)
    yield folder
    (folder / "X.npy").unlink()


@pytest.mark.parametrize("setting", [
    ["--lambda", "0.2", "--alpha", "0.5"],
    ["--lambda", "0.2"],
    ["--t", "15", "--lambda2", "100"],
], ids=["elastic net", "lasso", "budget"])
def test_peak_memory(data, setting):
    command = [PROGRAM, "fit", data / "X.npy", "--y", data / "y.npy", "--json", *setting]
    measured = json.loads(subprocess.run([sys.executable, "-c", MEASURE, *map(str, command)],
                                         capture_output=True, check=True).stdout)
    assert measured["status"] == 0
    answer = measured["answer"]
    assert (answer["status"], answer["n"], answer["p"]) == ("optimal", ROWS, COLUMNS)
    assert answer["gap"] <= 1e-10 and answer["nonzero"] >= 15
    assert ROWS * COLUMNS * 8 <= measured["peak"] * 1.1, "the file was not read whole: no measure of anything"
    assert measured["peak"] < LIMIT, f"{measured['peak'] / 1e9:.3f} GB"
