"""Rows with several ranks of a real mpirun: the same answers as of one process."""
import json
import os
import shutil
import subprocess

import numpy as np
import pytest

from cli.command import PROSTATE, succeed, sven
from cli.test_errors import fail, write
from cli.test_statistics import HEADER, LINES, assert_same
from world.paths import PROGRAM

# The ranks of a test share two cores with everything else; what MPI itself does not give back is no leak of ours.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "SVEN_NUM_THREADS": "1", "ASAN_OPTIONS": "detect_leaks=0"}
WITHOUT = "--distributed needs MPI, which is not in this build (see sven fit --help)"


def why_not():
    if shutil.which("mpirun") is None:
        return "there is no mpirun (Debian: openmpi-bin)"
    outcome = sven("fit", PROSTATE, "--lambda", 1, "--distributed", "rows", **ENVIRONMENT)
    return "sven was built without MPI" if WITHOUT in outcome.err else ""


REASON = why_not()
needs_mpi = pytest.mark.skipif(bool(REASON), reason=REASON)

# name: (arguments of fit, what follows "sven: ")
DISTRIBUTED = {
    "absent": ("", WITHOUT),
    "held out": ("d.csv --lambda 1 --distributed rows --test-share 0.3", "--distributed and --test-share exclude each other"),
    "columns": ("d.csv --lambda 1 --distributed columns", '--distributed: "columns" is none of rows'),
}


def mpirun(ranks, *arguments, folder):
    return subprocess.run(["mpirun", "-n", str(ranks), str(PROGRAM), *map(str, arguments)], cwd=folder,
                          capture_output=True, text=True, check=False, timeout=120, env=ENVIRONMENT)


@pytest.mark.parametrize("case", [case for case in DISTRIBUTED if case != "absent"])
def test_usage(tmp_path, case):
    arguments, expected = DISTRIBUTED[case]
    write(tmp_path, {"d.csv": "a,b,y\n1,2,3\n4,5,7\n7,9,8\n"})
    assert fail(tmp_path, ["fit"], arguments) == (2, expected + " (see sven fit --help)")


@needs_mpi
def test_answers_do_not_depend_on_the_ranks(tmp_path):
    expected = succeed("path", PROSTATE, "--n-lambda", 15, "--json", folder=tmp_path).json["settings"]
    first = None
    for ranks in (1, 2, 3, 4):
        done = mpirun(ranks, "path", PROSTATE, "--n-lambda", 15, "--distributed", "rows", "--json", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        first = first or document["settings"]
        assert document["n"] == 97
        messages = 4 * (ranks - 1)  # up and down, for the numbers of rows and for the sums
        note = f"rows of {ranks} {'rank' if ranks == 1 else 'ranks'}, which sent {messages} messages of "
        assert any(text.startswith(note) for text in document["data"]["notes"])
        for one, other, rows in zip(document["settings"], first, expected, strict=True):
            assert_same(one, other, 1e-12)
            assert_same(one, rows)


@needs_mpi
def test_cross_validation_has_the_folds_of_one_file(tmp_path):
    succeed("cv", PROSTATE, "--folds", 5, "--seed", 2, "-o", "rows.json", folder=tmp_path)
    done = mpirun(3, "cv", PROSTATE, "--folds", 5, "--seed", 2, "--distributed", "rows", "-o", "ranks.json", folder=tmp_path)
    assert done.returncode == 0 and done.stdout.count("model in ranks.json") == 1, done.stderr
    rows, ranks = (json.loads((tmp_path / name).read_text()) for name in ("rows.json", "ranks.json"))
    assert_same(ranks, rows)
    assert ranks["cross_validation"]["mean"] == pytest.approx(rows["cross_validation"]["mean"], rel=1e-9)


@needs_mpi
def test_a_file_for_each_rank_and_matrices(tmp_path):
    for rank, (begin, end) in enumerate([(0, 10), (10, 90), (90, 97)]):
        write(tmp_path, {f"part-{rank}.csv": "\n".join([HEADER, *LINES[begin:end]]) + "\n"})
    table = np.loadtxt(PROSTATE, delimiter=",", skiprows=1)
    np.save(tmp_path / "X.npy", table[:, :-1])
    np.save(tmp_path / "y.npy", table[:, -1])
    setting = ["--t", 0.9, "--lambda2", 3, "--json"]
    for data in (["part-{rank}.csv"], ["X.npy", "--y", "y.npy"]):
        done = mpirun(3, "fit", *data, *setting, "--distributed", "rows", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        expected = succeed("fit", PROSTATE, *setting).json
        if data[0] == "X.npy":
            expected["coefficients"] = [{**entry, "feature": f"x{entry['index']}"} for entry in expected["coefficients"]]
        assert_same(found, expected)


@needs_mpi
def test_one_bad_rank_is_one_error(tmp_path):
    write(tmp_path, {"part-0.csv": "a,y\n1,2\n2,4\n", "part-1.csv": "a,y\n1,2\nx,4\n", "part-3.csv": "a,z\n1,2\n3,4\n"})
    before = sorted(path.name for path in tmp_path.iterdir())
    for ranks, sentence in [(2, 'rank 1: part-1.csv:3:1: "x" is not a number (column "a")'),
                            (4, 'rank 1: part-1.csv:3:1: "x" is not a number (column "a")')]:
        done = mpirun(ranks, "fit", "part-{rank}.csv", "--lambda", 1, "--distributed", "rows", "-o", "m.json", folder=tmp_path)
        assert done.returncode != 0
        told = [line for line in done.stderr.splitlines() if line.startswith("sven: ")]
        assert len(told) == 1 and told[0].startswith(f"sven: {sentence}"), done.stderr
        assert sorted(path.name for path in tmp_path.iterdir()) == before
