"""--memory: a limit that the system enforces, beside which mapped files do not count."""
import numpy as np
import pytest

from cli.command import succeed, sven

MEMORY_ERRORS = {
    "no unit": ("--memory 2", '--memory is "2", but it must be a size such as 500M or 2G'),
    "no number": ("--memory G", '--memory is "G", but it must be a size such as 500M or 2G'),
    "nothing": ("--memory 0G", '--memory is "0G", but it must be a size such as 500M or 2G'),
    "hardly any": ("--memory 10M", "--memory is 10M, but nothing can be done with less than 64M"),
}
LACK_OF_MEMORY = {"a Gram matrix": ("this needs more memory than --memory allows",)}


@pytest.mark.parametrize("name", MEMORY_ERRORS)
@pytest.mark.parametrize("command", ["fit d.csv --lambda 1", "path d.csv", "cv d.csv"])
def test_sizes_that_make_no_sense(tmp_path, command, name):
    words, sentence = MEMORY_ERRORS[name]
    (tmp_path / "d.csv").write_text("a,b,y\n1,2,3\n4,5,7\n7,9,8\n4,2,1\n")
    outcome = sven(*command.split(), *words.split(), folder=tmp_path)
    assert outcome.code == 2 and outcome.err.startswith(f"sven: {sentence}"), outcome.err


def write_data(folder, rows, cols):
    rng = np.random.default_rng(3)
    X = np.asfortranarray(rng.standard_normal((rows, cols)))
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", X[:, :5].sum(axis=1) + rng.standard_normal(rows))


def test_a_mapped_file_may_be_larger(tmp_path):
    write_data(tmp_path, 500, 20000)  # 80 MB
    words = ["path", "X.npy", "--y", "y.npy", "--n-lambda", 20, "--lambda-min-ratio", 0.2, "--threads", 2, "--json"]
    limited = succeed(*words, "--memory", "64M", folder=tmp_path).json
    free = succeed(*words, folder=tmp_path).json
    assert limited["settings"] == free["settings"]
    assert limited["reads"]["passes"] <= 10


def test_what_needs_more_says_so(tmp_path):
    write_data(tmp_path, 3000, 3000)
    outcome = sven("path", "X.npy", "--y", "y.npy", "--method", "dual", "--threads", 2, "--memory", "64M",
                   "-o", "p.json", folder=tmp_path)
    assert (outcome.code, outcome.err) == (1, f"sven: {LACK_OF_MEMORY['a Gram matrix'][0]}\n")
    assert not (tmp_path / "p.json").exists()
