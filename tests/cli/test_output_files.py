"""What is written with -o: the whole new file, or what was there before."""
import json
import os
import signal
import subprocess
import time

import numpy as np
import pytest

from cli.command import PROSTATE, files, is_writing, succeed, sven
from world.paths import PROGRAM

FIT = ["fit", PROSTATE, "--lambda", 0.1, "--alpha", 0.5]


def test_model_holds_the_fit_to_the_last_bit(tmp_path):
    answer = succeed(*FIT, "--json", "-o", "model.json", folder=tmp_path).json
    model = json.loads((tmp_path / "model.json").read_text())
    assert list(model)[0] == "format" and model["format"] == "sven-model/1"
    assert model["features"] == PROSTATE.read_text().split("\n", 1)[0].split(",")[:-1]
    assert model["target"] == "lpsa"
    assert (model["n"], model["p"]) == (97, 8)
    for key in ["intercept", "coefficients", "objective", "gap", "gap_source", "status"]:
        assert model[key] == answer[key], key
    settings = model["settings"]
    for key in ["form", "t", "lambda1", "lambda2", "lambda", "alpha"]:
        assert settings[key] == answer[key], key
    assert settings["intercept"] is True and settings["standardize"] is True
    assert list(files(tmp_path)) == ["model.json"]


def test_human_output_says_where_the_model_is(tmp_path):
    assert succeed(*FIT, "-o", "m.json", folder=tmp_path).out.endswith("\nmodel in m.json\n")


def test_unnamed_features_are_not_named_in_the_model(tmp_path):
    (tmp_path / "d.svm").write_text("1 1:2 2:1\n2 1:1 2:7\n3 2:4\n9 1:3\n")
    succeed("fit", "d.svm", "--lambda", 0.01, "-o", "model.json", folder=tmp_path)
    model = json.loads((tmp_path / "model.json").read_text())
    assert model["features"] is None and model["target"] is None
    assert [entry["feature"] for entry in model["coefficients"]] == ["x1", "x2"]


def test_an_old_model_is_replaced_and_keeps_its_permissions(tmp_path):
    (tmp_path / "model.json").write_text("old")
    (tmp_path / "model.json").chmod(0o640)
    succeed(*FIT, "-o", "model.json", folder=tmp_path)
    assert json.loads((tmp_path / "model.json").read_text())["format"] == "sven-model/1"
    assert (tmp_path / "model.json").stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models/one.json").write_text("old")
    (tmp_path / "model.json").symlink_to("models/one.json")
    succeed(*FIT, "-o", "model.json", folder=tmp_path)
    assert (tmp_path / "model.json").is_symlink()
    assert json.loads((tmp_path / "models/one.json").read_text())["format"] == "sven-model/1"


def test_a_device_is_written_in_place(tmp_path):
    outcome = succeed(*FIT, "--json", "-o", "/dev/null", folder=tmp_path)
    assert outcome.json["status"] == "optimal"
    assert not os.path.isfile("/dev/null")


@pytest.mark.parametrize("arguments", [
    ["fit", "none.csv", "--lambda", 1],
    ["fit", PROSTATE, "--target", "none", "--lambda", 1],
    ["fit", PROSTATE, "--lambda", -1],
    ["path", PROSTATE, "--lambdas", "none"],
], ids=["data", "target", "usage", "path"])
def test_an_old_model_survives_a_failed_run(tmp_path, arguments):
    (tmp_path / "model.json").write_text("old")
    assert sven(*arguments, "-o", "model.json", folder=tmp_path).code in (1, 2)
    assert files(tmp_path) == {"model.json": b"old"}


def test_an_answer_short_of_the_tolerance_is_shown_but_not_written(tmp_path):
    (tmp_path / "model.json").write_text("old")
    outcome = sven(*FIT, "--tolerance", 1e-300, "--json", "-o", "model.json", folder=tmp_path)
    if outcome.code == 0:
        assert outcome.json["gap"] <= 1e-300
        pytest.skip("the gap is zero to the last bit here")
    assert outcome.code == 1
    assert outcome.json["status"] == "iteration_limit"
    assert 0 < outcome.json["gap"] < 1e-10
    assert "above the tolerance of 1e-300; nothing was written" in outcome.err
    assert files(tmp_path) == {"model.json": b"old"}


def test_a_full_disk_leaves_the_old_file(tmp_path):
    with open("/dev/full", "w", encoding="ascii") as full:
        result = subprocess.run([PROGRAM, *map(str, FIT), "-o", "model.json"], cwd=tmp_path, stdout=full,
                                stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == "sven: standard output cannot be written (No space left on device)\n"
    assert files(tmp_path) == {}
    outcome = sven(*FIT, "-o", "/dev/full", folder=tmp_path)
    assert outcome.code == 1
    assert outcome.err == "sven: /dev/full: cannot be written (No space left on device)\n"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A path that takes seconds."""
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1500, 12000))
    np.save(folder / "X.npy", np.asfortranarray(X))
    np.save(folder / "y.npy", X[:, :300] @ rng.standard_normal(300) + rng.standard_normal(1500))
    return folder


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["INT", "TERM"])
def test_a_signal_ends_the_work_and_writes_nothing(large, tmp_path, sent, code):
    (tmp_path / "path.json").write_text("old")
    command = [PROGRAM, "path", large / "X.npy", "--y", large / "y.npy", "--n-lambda", "400", "--lambda-min-ratio",
               "1e-6", "-o", "path.json"]
    with subprocess.Popen(list(map(str, command)), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        # The new file is open while the solver works.
        deadline = time.monotonic() + 30
        while not is_writing(process.pid, tmp_path) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        assert process.poll() is None, "it ended too soon to be interrupted"
        start = time.monotonic()
        process.send_signal(sent)
        out, err = process.communicate(timeout=30)
        waited = time.monotonic() - start
    assert process.returncode == code
    assert out == ""
    assert err == "sven: interrupted, nothing was written\n"
    assert files(tmp_path) == {"path.json": b"old"}
    assert waited < 2, f"{waited:.2f} s until it ended"


def test_killed_it_leaves_nothing_behind(large, tmp_path):
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        pytest.skip("the file system has no unnamed files")
    (tmp_path / "path.json").write_text("old")
    command = [PROGRAM, "path", large / "X.npy", "--y", large / "y.npy", "--n-lambda", "400", "--lambda-min-ratio",
               "1e-6", "-o", "path.json", "--csv", "path.csv"]
    with subprocess.Popen(list(map(str, command)), cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 30
        while not is_writing(process.pid, tmp_path) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert files(tmp_path) == {"path.json": b"old"}


def test_names_as_long_as_the_system_allows(tmp_path):
    name = "m" * 250 + ".json"
    for _ in range(2):  # made, then replaced
        succeed(*FIT, "-o", name, folder=tmp_path)
        assert list(files(tmp_path)) == [name]


def test_what_is_said_comes_before_the_files(tmp_path):
    """Where standard output fails the exit code is 1, and then no file may have changed."""
    with open("/dev/full", "w", encoding="ascii") as full:
        result = subprocess.run([PROGRAM, "convert", PROSTATE, "d.npy"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE,
                                text=True, check=False)
    assert (result.returncode, files(tmp_path)) == (1, {})


def test_a_signal_while_reading_ends_the_program_at_once(tmp_path):
    os.mkfifo(tmp_path / "data.csv")
    command = [str(PROGRAM), "fit", "data.csv", "--lambda", "1", "-o", "model.json"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        with open(tmp_path / "data.csv", "w", encoding="ascii") as data:  # opens once the program reads
            data.write("a,b,y\n1,2,3\n")
            data.flush()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (130, "sven: interrupted, nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
