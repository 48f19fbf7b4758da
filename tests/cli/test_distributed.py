"""Rows and columns with several ranks of a real mpirun: the same answers as of one process."""
import json
import os
import shutil
import subprocess

import numpy as np
import pytest

from cli.command import PROSTATE, succeed, sven
from cli.rank_errors import COLUMN_ERRORS
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
    "held out": ("d.csv --lambda 1 --distributed rows --test-share 0.3", "--distributed rows and --test-share exclude each other"),
    "held out of columns": ("d.csv --lambda 1 --distributed columns --test-share 0.3", "--distributed and --test-share exclude each other"),
    "unknown": ("d.csv --lambda 1 --distributed blocks", '--distributed: "blocks" is none of auto, columns, rows'),
    "a list": ("d-{rank}.csv --lambda 1 --distributed auto",
               "--distributed auto cannot tell whether files of {rank} hold rows or columns: say which"),
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


def saved_wide(folder, rows=40, cols=333, seed=1):
    """A matrix by columns, a response of a few of them."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((rows, cols)) + random.standard_normal((rows, 1))
    X[:, 7] += 1e4
    np.save(folder / "X.npy", np.asfortranarray(X))
    np.save(folder / "y.npy", X[:, :5] @ np.arange(1, 6) + random.standard_normal(rows))
    return X


def columns_note(document, ranks):
    start = f"columns of {ranks} {'rank' if ranks == 1 else 'ranks'}, which sent "
    notes = [text for text in document["data"]["notes"] if text.startswith(start)]
    assert len(notes) == 1, document["data"]["notes"]
    messages, size = (int(word) for word in notes[0].removeprefix(start).split() if word.isdigit())
    assert (messages > 10 and size > 1000) if ranks > 1 else messages == size == 0


@needs_mpi
def test_columns_of_ranks(tmp_path):
    saved_wide(tmp_path)
    call = ["path", "X.npy", "--y", "y.npy", "--alpha", 0.8, "--n-lambda", 12, "--json"]
    expected = succeed(*call, folder=tmp_path).json["settings"]
    first = None
    for ranks in (1, 2, 3, 4):
        done = mpirun(ranks, *call, "--distributed", "columns", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert (document["n"], document["p"]) == (40, 333)
        columns_note(document, ranks)
        first = first or document["settings"]
        for one, other, memory in zip(document["settings"], first, expected, strict=True):
            assert_same(one, other, 1e-12)
            assert_same(one, memory)


@needs_mpi
def test_folds_over_columns(tmp_path):
    saved_wide(tmp_path)
    call = ["cv", "X.npy", "--y", "y.npy", "--folds", 4, "--n-lambda", 10, "--seed", 3, "-q"]
    succeed(*call, "-o", "memory.json", folder=tmp_path)
    done = mpirun(3, *call, "--distributed", "columns", "-o", "ranks.json", "--oof", "oof.csv", "--report", "r.html", folder=tmp_path)
    assert done.returncode == 0 and done.stdout.count("model in ranks.json") == 1, done.stderr
    memory, ranks = (json.loads((tmp_path / name).read_text()) for name in ("memory.json", "ranks.json"))
    assert_same(ranks, memory)
    assert ranks["cross_validation"]["mean"] == pytest.approx(memory["cross_validation"]["mean"], rel=1e-9)


@needs_mpi
def test_columns_of_every_kind_of_file(tmp_path):
    X = saved_wide(tmp_path, cols=30)
    y = np.load(tmp_path / "y.npy")
    X[:, 7] -= 1e4
    X[np.abs(X) < 1] = 0
    names = [f"c{j}" for j in range(30)]
    np.savetxt(tmp_path / "d.csv", np.c_[X, y], delimiter=",", header=",".join([*names, "y"]), comments="", fmt="%.17g")
    np.save(tmp_path / "rows.npy", X)
    lines = [" ".join([repr(float(y[i])), *(f"{j + 1}:{float(X[i, j])!r}" for j in range(30) if X[i, j])]) for i in range(40)]
    write(tmp_path, {"d.svm": "\n".join(lines) + "\n"})
    for data in (["d.csv", "--unpenalized", "c20", "--upper", 2], ["rows.npy", "--y", "y.npy"], ["d.svm"]):
        call = ["fit", *data, "--lambda", 0.3, "--alpha", 0.9, "--json"]
        done = mpirun(3, *call, "--distributed", "columns", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        assert_same(json.loads(done.stdout), succeed(*call, folder=tmp_path).json)


@needs_mpi
def test_variants_of_ranks(tmp_path):
    succeed("simulate", "--plink", "g", "--rows", 60, "--features", 200, "--seed", 4, folder=tmp_path)
    call = ["fit", "g.bed", "--lambda", 0.1, "-o"]
    succeed(*call, "memory.json", folder=tmp_path)
    done = mpirun(3, *call, "ranks.json", "--distributed", "auto", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    memory, ranks = (json.loads((tmp_path / name).read_text()) for name in ("memory.json", "ranks.json"))
    assert_same(ranks, memory)
    assert ranks["variants"] == memory["variants"]


@needs_mpi
def test_a_file_of_columns_for_each_rank(tmp_path):
    table = np.loadtxt(PROSTATE, delimiter=",", skiprows=1)
    names = HEADER.split(",")

    def part(columns):
        rows = [",".join(repr(float(value)) for value in row) for row in table[:, columns]]
        return "\n".join([",".join(names[j] for j in columns), *rows]) + "\n"

    write(tmp_path, {"part-0.csv": part([0, 1, 8]), "part-1.csv": part([2, 3, 4, 5]), "part-2.csv": part([6, 7])})
    call = ["--lambda", 0.1, "--unpenalized", names[3], "--json"]
    done = mpirun(3, "fit", "part-{rank}.csv", *call, "--distributed", "columns", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert_same(json.loads(done.stdout), succeed("fit", PROSTATE, *call).json)
    write(tmp_path, {"part-2.csv": part([6, 0])})
    done = mpirun(3, "fit", "part-{rank}.csv", *call, "--distributed", "columns", folder=tmp_path)
    told = [line for line in done.stderr.splitlines() if line.startswith("sven: ")]
    assert done.returncode != 0 and told == [f'sven: part-{{rank}}.csv: the feature "{names[0]}" is there twice']


@needs_mpi
def test_auto_chooses_by_the_shape(tmp_path):
    saved_wide(tmp_path, cols=90)
    for data, wanted in ([PROSTATE], "rows of 2 ranks"), (["X.npy", "--y", "y.npy"], "columns of 2 ranks"):
        done = mpirun(2, "path", *data, "--n-lambda", 3, "--json", "--distributed", "auto", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        assert any(note.startswith(wanted) for note in json.loads(done.stdout)["data"]["notes"])


@needs_mpi
def test_one_bad_column_is_one_error(tmp_path):
    write(tmp_path, {"part-0.csv": "a,y\n1,2\n2,4\n", "part-1.csv": "b\n1\nx\n"})
    for second, sentence in [("b\n1\nx\n", 'rank 1: part-1.csv:3:1: "x" is not a number (column "b")'),
                             ("b\n1\n", "rank 1 has columns of 1 rows, rank 0 of 2")]:
        write(tmp_path, {"part-1.csv": second})
        done = mpirun(2, "fit", "part-{rank}.csv", "--lambda", 1, "--distributed", "columns", "-o", "m.json", folder=tmp_path)
        told = [line for line in done.stderr.splitlines() if line.startswith("sven: ")]
        assert done.returncode != 0 and len(told) == 1 and told[0].startswith(f"sven: {sentence}"), done.stderr
        assert not (tmp_path / "m.json").exists()


@needs_mpi
@pytest.mark.parametrize("case", COLUMN_ERRORS)
def test_columns_refuse(tmp_path, case):
    files, arguments, expected = COLUMN_ERRORS[case]
    write(tmp_path, files)
    if case == "statistics":
        succeed("gram", PROSTATE, "-o", "s.npz", folder=tmp_path)
    done = mpirun(2, "fit", *arguments.split(), "--distributed", "columns", "-o", "m.json", folder=tmp_path)
    told = [line for line in done.stderr.splitlines() if line.startswith("sven: ")]
    assert done.returncode != 0 and told and all(line.removeprefix("sven: ").endswith(expected) for line in told), done.stderr
    assert not (tmp_path / "m.json").exists()


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
