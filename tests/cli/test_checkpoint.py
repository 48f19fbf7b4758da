"""--checkpoint: a run that was killed at any moment goes on, and its answer has the bits of one that ran through."""
import json
import random
import signal
import subprocess
import time

import numpy as np
import pytest

from cli.command import PROSTATE, files, succeed, sven
from world.paths import PROGRAM

# What the tables of test_file_errors.py look for: (arguments, sentence).
CHECKPOINT_ERRORS = {
    "standard output": ("path d.csv --checkpoint -", 2, "--checkpoint needs the name of a file"),
    "the file of the path": ("path d.csv --checkpoint c -o c", 2, "--checkpoint c is the file of another option"),
    "the file of the model": ("cv d.csv --folds 2 --checkpoint c -o c", 2,
                              "--checkpoint c is the file of another option"),
    "with liblinear": ("path d.csv --svm liblinear --checkpoint c", 2,
                       "--checkpoint and --svm liblinear exclude each other"),
    "a folder": ("path d.csv --checkpoint folder", 1, "folder: is no file that a checkpoint could be"),
    "no checkpoint": ("path d.csv --checkpoint d.csv", 1,
                      "d.csv: is no whole checkpoint of this version of sven"),
}
OTHER = "is the checkpoint of other data, other settings or another build of sven"
CHECKPOINT_MISMATCH = {"other settings": (OTHER,)}


@pytest.mark.parametrize("name", CHECKPOINT_ERRORS)
def test_what_is_refused(tmp_path, name):
    words, code, sentence = CHECKPOINT_ERRORS[name]
    (tmp_path / "d.csv").write_text("a,b,y\n1,2,3\n4,5,7\n7,9,8\n4,2,1\n")
    (tmp_path / "folder").mkdir()
    before = (tmp_path / "d.csv").read_bytes()
    outcome = sven(*words.split(), folder=tmp_path)
    assert outcome.code == code and outcome.err.startswith(f"sven: {sentence}"), outcome.err
    assert outcome.err.count("\n") == 1
    assert (tmp_path / "d.csv").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.csv", "folder"]


def write_data(folder, rows, cols, family):
    rng = np.random.default_rng(rows + cols)
    X = np.asfortranarray(rng.standard_normal((rows, cols)))
    eta = X[:, :12] @ rng.standard_normal(12)
    y = (eta + rng.standard_normal(rows) > 0).astype(float) if family == "binomial" else eta + rng.standard_normal(rows)
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)


def without_clocks(value):
    """The document without what another run counts anew: times, and reads of X."""
    if isinstance(value, dict):
        return {key: without_clocks(one) for key, one in value.items() if key not in ("seconds", "reads")}
    return [without_clocks(one) for one in value] if isinstance(value, list) else value


def written_at(path):
    """When the file was last written; 0 where there is none. The program may remove it at any moment."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def kill_until_done(words, folder, seed):
    """Starts the command again and again, each time killed a random while after its checkpoint has changed, or after
    it began; returns how many times it was killed with a checkpoint there. The last run, if need be, is left alone."""
    chance = random.Random(seed)
    checkpoint = folder / "run.ckpt"
    killed = 0
    for _ in range(12):
        before = written_at(checkpoint)
        process = subprocess.Popen([str(PROGRAM), *map(str, words)], cwd=folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        waits_for_save = chance.random() < 0.75
        while waits_for_save and process.poll() is None:
            if written_at(checkpoint) not in (0, before):
                break
            time.sleep(0.001)
        time.sleep(chance.random() * 0.05)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            return killed
        killed += checkpoint.exists()
    succeed(*words, "--quiet", folder=folder)
    return killed


@pytest.mark.parametrize("words, family", [
    ("path X.npy --y y.npy --n-lambda 90", "gaussian"),
    ("path X.npy --y y.npy --n-lambda 60 --family binomial --alpha 0.9", "binomial"),
    ("cv X.npy --y y.npy --folds 5 --n-lambda 40 --alpha 0.6,1", "gaussian")])
def test_killed_at_random_it_gives_the_same_bits(tmp_path, words, family):
    write_data(tmp_path, 200, 3000, family)
    words = words.split()
    save = "--save" if words[0] == "cv" else "-o"
    succeed(*words, "--checkpoint", "whole.ckpt", save, "whole.json", folder=tmp_path)
    assert not (tmp_path / "whole.ckpt").exists()
    assert kill_until_done([*words, "--checkpoint", "run.ckpt", save, "run.json"], tmp_path, 7) > 0
    whole, run = (json.loads((tmp_path / name).read_text()) for name in ("whole.json", "run.json"))
    assert without_clocks(run) == without_clocks(whole)
    assert sorted(files(tmp_path)) == ["X.npy", "run.json", "whole.json", "y.npy"]


def interrupted(folder, *words):
    """A checkpoint of the command in run.ckpt: it is killed when there is one."""
    process = subprocess.Popen([str(PROGRAM), *map(str, words), "--checkpoint", "run.ckpt"], cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (folder / "run.ckpt").exists():
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (folder / "run.ckpt").exists()


def test_other_data_and_settings_are_refused_and_leave_the_file(tmp_path):
    write_data(tmp_path, 200, 3000, "gaussian")
    words = ["path", "X.npy", "--y", "y.npy", "--n-lambda", 90]
    interrupted(tmp_path, *words)
    saved = (tmp_path / "run.ckpt").read_bytes()
    for change in (["--alpha", 0.5], ["--no-intercept"], ["--tolerance", 1e-8]):
        outcome = sven(*words, *change, "--checkpoint", "run.ckpt", folder=tmp_path)
        assert outcome.code == 1 and outcome.err == f"sven: run.ckpt: {OTHER}\n"
        assert (tmp_path / "run.ckpt").read_bytes() == saved
    (tmp_path / "half.ckpt").write_bytes(saved[:-100])
    outcome = sven(*words, "--checkpoint", "half.ckpt", folder=tmp_path)
    assert outcome.code == 1 and "is no whole checkpoint" in outcome.err
    outcome = sven(*words, "--checkpoint", "run.ckpt", "--threads", 1, folder=tmp_path)
    assert outcome.code == 0 and "went on from run.ckpt, which had " in outcome.err
    assert not (tmp_path / "run.ckpt").exists()


def test_a_short_run_is_as_without(tmp_path):
    plain = succeed("cv", PROSTATE, "--json").json
    kept = succeed("cv", PROSTATE, "--json", "--checkpoint", "c", folder=tmp_path).json
    assert not list(tmp_path.iterdir())
    assert [s["mean"] for s in kept["curves"][0]["settings"]] == pytest.approx(
        [s["mean"] for s in plain["curves"][0]["settings"]], rel=1e-9)
