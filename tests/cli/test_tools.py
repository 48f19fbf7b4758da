"""`sven convert`, `simulate`, `info`, `completion`; progress, colours, pipes."""
import gzip
import json
import math
import os
import pty
import re
import subprocess

import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse

from cli.command import PROSTATE, files, succeed, sven
from world.paths import PROGRAM

TABLE = pd.read_csv(PROSTATE, float_precision="round_trip")
X, Y = TABLE.drop(columns="lpsa").to_numpy(float), TABLE["lpsa"].to_numpy()


def load(folder, name):
    """X and y as NumPy and SciPy read what sven wrote."""
    path = folder / name
    if ".csv" in name or ".tsv" in name:
        frame = pd.read_csv(path, sep="\t" if ".tsv" in name else ",", float_precision="round_trip")
        return frame.iloc[:, :-1].to_numpy(), frame.iloc[:, -1].to_numpy()
    if ".svm" in name:
        opener = gzip.open if name.endswith("gz") else open
        matrix, labels = np.zeros(X.shape), []
        with opener(path, "rt") as lines:
            for i, line in enumerate(lines):
                label, *pairs = line.split()
                labels.append(float(label))
                for pair in pairs:
                    index, value = pair.split(":")
                    matrix[i, int(index) - 1] = float(value)
        return matrix, np.array(labels)
    if ".mtx" in name:
        matrix = scipy.io.mmread(path)
    elif name.endswith(".npz"):
        matrix = scipy.sparse.load_npz(path)
    else:
        matrix = np.load(path)
    return matrix.toarray() if scipy.sparse.issparse(matrix) else matrix, np.load(folder / "y.npy")


FORMATS = ["d.csv", "d.tsv", "d.svm", "d.mtx", "d.npy", "d.npz", "d.csv.gz", "d.svm.gz", "d.mtx.gz"]


def has_place(name):
    return any(ending in name for ending in (".csv", ".tsv", ".svm"))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("source", ["p.csv", "p.svm", "p.npz"])
def test_every_format_to_every_other_without_losing_a_bit(tmp_path, source, name):
    (tmp_path / "p.csv").write_text(PROSTATE.read_text())
    arguments = ["--target", "lpsa"] if source == "p.csv" else []
    if source == "p.svm":
        succeed("convert", "p.csv", "p.svm", "--target", "lpsa", folder=tmp_path)
    if source == "p.npz":
        succeed("convert", "p.csv", "p.npz", "--target", "lpsa", "--y-out", "given.npy", folder=tmp_path)
        arguments = ["--y", "given.npy"]
    if not has_place(name):
        arguments += ["--y-out", "y.npy"]
    out = succeed("convert", source, name, *arguments, folder=tmp_path).out
    assert out.startswith(f"{name}: 97 rows, 8 features, target ")
    matrix, y = load(tmp_path, name)
    np.testing.assert_array_equal(matrix, X)
    np.testing.assert_array_equal(y, Y)


@pytest.mark.parametrize("name", FORMATS)
def test_the_target_may_have_a_file_of_its_own(tmp_path, name):
    succeed("convert", PROSTATE, name, "--target", "lpsa", "--y-out", "y.npy", folder=tmp_path)
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), Y)
    if ".svm" in name:  # a row begins with the target, so it is there too
        matrix, y = load(tmp_path, name)
        np.testing.assert_array_equal(y, Y)
        np.testing.assert_array_equal(matrix, X)
    else:
        out = succeed("convert", name, "e.npy", folder=tmp_path).out
        assert out == "e.npy: 97 rows, 8 features\n"
        np.testing.assert_array_equal(np.load(tmp_path / "e.npy"), X)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_simulated(tmp_path, name):
    out = succeed("simulate", name, "--y-out", "y.npy", "--features", 6, folder=tmp_path).out
    assert out.startswith(f"{name}: 100 rows, 6 features, 5 of them")
    arguments = [] if ".svm" in name else ["--y", "y.npy"]
    assert succeed("fit", name, *arguments, "--lambda", 0.1, "--json", folder=tmp_path).json["p"] == 6


def test_a_table_stays_a_table(tmp_path):
    named = TABLE.copy()
    named.index = [f"p, {k}" for k in range(97)]
    named.to_csv(tmp_path / "d.csv")
    succeed("convert", "d.csv", "e.tsv", folder=tmp_path)
    again = pd.read_csv(tmp_path / "e.tsv", sep="\t", index_col="id", float_precision="round_trip")
    assert list(again.columns) == list(TABLE.columns) and list(again.index) == list(named.index)
    np.testing.assert_array_equal(again.to_numpy(), TABLE.to_numpy())


def test_simulated_data_has_the_answer_that_was_asked_for(tmp_path):
    succeed("simulate", "d.csv", "--rows", 5000, "--features", 30, "--nonzero", 4, "--noise", 0.1, "--correlation", 0.6,
            "--seed", 9, "--truth", "truth.csv", folder=tmp_path)
    frame, truth = pd.read_csv(tmp_path / "d.csv"), pd.read_csv(tmp_path / "truth.csv")
    assert frame.shape == (5000, 31) and len(truth) == 4
    features = frame.drop(columns="y")
    b = np.linalg.lstsq(features.to_numpy(), frame["y"].to_numpy(), rcond=None)[0]
    expected = np.zeros(30)
    for name, value in zip(truth["feature"], truth["coefficient"]):
        expected[list(features.columns).index(name)] = value
    np.testing.assert_allclose(b, expected, atol=0.02)
    assert np.std(frame["y"] - features @ expected) == pytest.approx(0.1, rel=0.05)
    correlation = np.corrcoef(features.to_numpy().T)
    assert correlation[3, 4] == pytest.approx(0.6, abs=0.05) and correlation[3, 5] == pytest.approx(0.36, abs=0.05)


def test_simulation_repeats_itself_and_can_be_sparse(tmp_path):
    for name in ("a.npz", "b.npz"):
        succeed("simulate", name, "--y-out", name + ".npy", "--rows", 400, "--features", 50, "--density", 0.05,
                folder=tmp_path)
    content = files(tmp_path)
    assert content["a.npz"] == content["b.npz"] and content["a.npz.npy"] == content["b.npz.npy"]
    matrix = scipy.sparse.load_npz(tmp_path / "a.npz")
    assert matrix.shape == (400, 50) and 800 < matrix.nnz < 1200
    succeed("simulate", "c.npz", "--y-out", "c.npy", "--rows", 400, "--features", 50, "--density", 0.05, "--seed", 2,
            folder=tmp_path)
    assert files(tmp_path)["c.npz"] != content["a.npz"]


def through_a_pipe(folder, source, *arguments):
    with open(folder / source, "rb") as pipe:
        result = subprocess.run([str(PROGRAM), *arguments], cwd=folder, stdin=pipe, capture_output=True, text=True,
                                check=False)
    return result.returncode, result.stdout, result.stderr


def test_every_file_that_is_read_may_come_through_a_pipe(tmp_path):
    (tmp_path / "d.csv").write_text(PROSTATE.read_text())
    succeed("fit", "d.csv", "--lambda", 0.1, "-o", "m.json", folder=tmp_path)
    succeed("path", "d.csv", "--n-lambda", 3, "-o", "p.json", "--report", "p.html", folder=tmp_path)
    succeed("convert", "d.csv", "X.npy", "--target", "lpsa", "--y-out", "y.npy", folder=tmp_path)
    expected = sven("predict", "m.json", "d.csv", folder=tmp_path).out
    assert through_a_pipe(tmp_path, "m.json", "predict", "-", "d.csv")[:2] == (0, expected)
    assert through_a_pipe(tmp_path, "d.csv", "predict", "m.json", "-")[:2] == (0, expected)
    assert through_a_pipe(tmp_path, "p.json", "report", "-", "-o", "q.html")[0] == 0
    assert (tmp_path / "q.html").read_text() == (tmp_path / "p.html").read_text()
    out = through_a_pipe(tmp_path, "y.npy", "fit", "X.npy", "--y", "-", "--lambda", "0.1")[1]
    assert out.startswith("X.npy: 97 rows, 8 features, target from standard input\n")
    assert through_a_pipe(tmp_path, "d.csv", "report", "-") == (
        1, "", "sven: standard input:1: the file is damaged: this is no JSON\n")


def normals(seed):
    """splitmix64 and the pairs of Box and Muller, written down once more."""
    state, mask = seed, 2**64 - 1

    def uniform():
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return (((z ^ (z >> 31)) >> 11) + 0.5) / 2**53

    while True:
        radius, angle = math.sqrt(-2 * math.log(uniform())), 2 * math.pi * uniform()
        yield from (radius * math.cos(angle), radius * math.sin(angle))


def test_a_seed_means_the_same_data_everywhere(tmp_path):
    succeed("simulate", "X.npy", "--y-out", "y.npy", "--rows", 7, "--features", 4, "--nonzero", 1, "--seed", 12,
            folder=tmp_path)
    expected = np.fromiter(normals(12), float, 28).reshape((7, 4), order="F")
    np.testing.assert_allclose(np.load(tmp_path / "X.npy"), expected, rtol=1e-13)


def test_info():
    out = succeed("info").out
    for word in ["version", "compiler", "kernels", "threads", "LIBLINEAR", "devices"]:
        assert re.search(rf"^{word} +\S", out, re.MULTILINE), word
    info = succeed("info", "--json").json
    assert f"sven {info['version']}\n" == succeed("--version").out
    assert isinstance(info["threads"], int) and info["devices"] == []


def complete(*words):
    """What bash offers after these words."""
    script = succeed("completion", "bash").out
    line = " ".join(["COMP_WORDS=(sven", *words, ")", f"COMP_CWORD={len(words)};", "_sven;", 'printf "%s\\n"',
                     '"${COMPREPLY[@]}"'])
    result = subprocess.run(["bash", "-c", script + "\n" + line.replace("(sven", "(sven ")], capture_output=True,
                            text=True, check=True)
    return result.stdout.split()


def test_completion():
    assert {"fit", "path", "cv", "predict", "report", "convert", "simulate", "info"} <= set(complete("''"))
    assert complete("sim") == ["simulate"]
    assert {"--folds", "--nfolds", "--choose"} <= set(complete("cv", "--"))
    assert "--folds" not in complete("fit", "--")
    assert complete("cv", "--choose", "''") == ["1se", "min"]
    assert set(complete("fit", "--method", "''")) == {"auto", "dual", "primal"}


@pytest.fixture(scope="module", name="large")
def make_large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    succeed("simulate", "X.npy", "--y-out", "y.npy", "--rows", 400, "--features", 6000, "--nonzero", 60,
            folder=folder)
    return folder


def test_plain_lines_of_progress(large):
    arguments = ["path", "X.npy", "--y", "y.npy", "--n-lambda", 60]
    outcome = sven(*arguments, folder=large, SVEN_PROGRESS_SECONDS="0")
    assert outcome.code == 0
    lines = outcome.err.splitlines()
    assert len(lines) >= 2
    for line in lines:
        assert re.fullmatch(r"sven: \d+ of 60 settings, [\d.]+ m?s(, about [\d.]+ m?s left)?", line)
    assert " left" in outcome.err
    assert sven(*arguments, "--quiet", folder=large, SVEN_PROGRESS_SECONDS="0").err == ""
    outcome = sven("cv", "X.npy", "--y", "y.npy", "--folds", 3, "--n-lambda", 20, folder=large,
                   SVEN_PROGRESS_SECONDS="0")
    assert re.search(r"^sven: \d+ of 80 settings, ", outcome.err, re.MULTILINE)


def on_a_terminal(arguments, folder, **environment):
    """What the program writes to a terminal that is its stderr."""
    leader, follower = pty.openpty()
    with subprocess.Popen([str(PROGRAM), *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL, stderr=follower,
                          env={**os.environ, "TERM": "xterm", **environment}) as process:
        os.close(follower)
        seen = b""
        while True:
            try:
                block = os.read(leader, 4096)
            except OSError:
                break
            if not block:
                break
            seen += block
        process.wait()
    os.close(leader)
    return seen.decode()


def test_a_bar_on_a_terminal_and_no_colours_where_they_are_refused(large):
    arguments = ["path", "X.npy", "--y", "y.npy", "--n-lambda", 60]
    seen = on_a_terminal(arguments, large, SVEN_PROGRESS_SECONDS="0")
    assert "█" in seen and "of 60 settings" in seen and "\033[36m" in seen
    assert seen.endswith("\r\033[K"), "the bar is wiped at the end"
    plain = on_a_terminal(arguments, large, SVEN_PROGRESS_SECONDS="0", NO_COLOR="1")
    assert "█" in plain and "\033[36m" not in plain
    assert "\033[1;31msven:\033[0m none.csv: no such file" in on_a_terminal(["fit", "none.csv", "--lambda", 1], large)
    assert "\033[" not in on_a_terminal(["fit", "none.csv", "--lambda", 1], large, NO_COLOR="1")


def test_a_closed_pipe_is_no_error(tmp_path):
    command = f"set -o pipefail; {PROGRAM} path {PROSTATE} --json -o path.json | head -n 1"
    result = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "{\n", "")
    assert list(files(tmp_path)) == ["path.json"]
    assert json.loads((tmp_path / "path.json").read_text())["format"] == "sven-path/1"


def test_the_table_of_a_path(tmp_path):
    out = succeed("path", PROSTATE, "--n-lambda", 8, "-o", "path.json", "--csv", "b.csv", folder=tmp_path).out
    assert out.endswith("path in path.json\ncoefficients in b.csv\n")
    frame = pd.read_csv(tmp_path / "b.csv", float_precision="round_trip")
    settings = json.loads((tmp_path / "path.json").read_text())["settings"]
    for k, setting in enumerate(settings):
        rows = frame[frame["setting"] == k + 1].set_index("feature")
        assert rows.loc["(intercept)", "coefficient"] == setting["intercept"]
        assert (rows["lambda"] == setting["lambda"]).all() and (rows["t"] == setting["t"]).all()
        values = {c["feature"]: c["value"] for c in setting["coefficients"]}
        assert rows["coefficient"].drop("(intercept)").to_dict() == values
