"""--memory: a limit that the system enforces, beside which mapped files do not count."""
import numpy as np
import pytest

from cli.command import succeed, sven, under_a_limit

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


@under_a_limit
def test_a_mapped_file_may_be_larger(tmp_path):
    write_data(tmp_path, 500, 20000)  # 80 MB
    words = ["path", "X.npy", "--y", "y.npy", "--n-lambda", 20, "--lambda-min-ratio", 0.2, "--threads", 2, "--json"]
    limited = succeed(*words, "--memory", "64M", folder=tmp_path).json
    free = succeed(*words, folder=tmp_path).json
    for setting in free["settings"]:  # the proof of each feature is not for runs whose memory is limited
        del setting["undecided_zeros"]
        for entry in setting["coefficients"]:
            del entry["proof"]
    assert limited["settings"] == free["settings"]
    assert limited["reads"]["passes"] <= 10


def coefficients(setting):
    return {entry["feature"]: entry["value"] for entry in setting["coefficients"]}


@under_a_limit
def test_a_larger_file_is_read_by_blocks(tmp_path):
    """160 MB beside 64: two blocks of columns at a time, and those of the features looked at."""
    write_data(tmp_path, 500, 40000)
    words = ["path", "X.npy", "--y", "y.npy", "--n-lambda", 40, "--lambda-min-ratio", 0.05, "--threads", 2, "--json"]
    streamed = succeed(*words, "--memory", "128M", folder=tmp_path).json
    mapped = succeed(*words, folder=tmp_path).json
    assert streamed["reads"]["passes"] + streamed["reads"]["columns"] / 40000 <= 10
    assert streamed["reads"]["columns"] <= mapped["reads"]["columns"]
    for ours, theirs in zip(streamed["settings"], mapped["settings"], strict=True):
        assert ours["gap"] <= 1e-10
        one, other = coefficients(ours), coefficients(theirs)
        assert one.keys() == other.keys()
        assert max((abs(one[name] - other[name]) for name in one), default=0) <= 1e-9


@under_a_limit
@pytest.mark.parametrize("rows, dtype", [(500, np.float32), (2000, np.int8)])  # 160 MB
def test_narrow_numbers_by_blocks(tmp_path, rows, dtype):
    rng = np.random.default_rng(4)
    X = np.asfortranarray((2 * rng.standard_normal((rows, 80000), dtype=np.float32)).astype(dtype))
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", X[:, :5].sum(axis=1) + rng.standard_normal(rows))
    words = ["fit", "X.npy", "--y", "y.npy", "--lambda", 0.2, "--threads", 2, "--json"]
    streamed, mapped = (succeed(*words, *more, folder=tmp_path).json for more in (["--memory", "128M"], []))
    one, other = coefficients(streamed), coefficients(mapped)
    assert one.keys() == other.keys() and max(abs(one[name] - other[name]) for name in one) <= 1e-9


@under_a_limit
def test_folds_that_do_not_fit_side_by_side(tmp_path):
    """Ten folds one group after the other, in ever smaller groups until they fit: more passes, the same bits."""
    write_data(tmp_path, 600, 30000)
    words = ["cv", "X.npy", "--y", "y.npy", "--folds", 10, "--n-lambda", 15, "--lambda-min-ratio", 0.1, "--threads", 2,
             "--json"]
    grouped = succeed(*words, "--memory", "80M", folder=tmp_path).json
    together = succeed(*words, folder=tmp_path).json
    assert grouped["reads"]["passes"] > together["reads"]["passes"]
    for ours, theirs in zip(grouped["curves"], together["curves"], strict=True):
        for of_one, of_other in zip(ours["settings"], theirs["settings"], strict=True):
            assert of_one["gap"] <= 1e-10
            assert of_one["fold_errors"] == of_other["fold_errors"]
            assert coefficients(of_one) == coefficients(of_other)


@under_a_limit
def test_what_needs_more_says_so(tmp_path):
    write_data(tmp_path, 3000, 3000)
    outcome = sven("path", "X.npy", "--y", "y.npy", "--method", "dual", "--threads", 2, "--memory", "64M",
                   "-o", "p.json", folder=tmp_path)
    assert (outcome.code, outcome.err) == (1, f"sven: {LACK_OF_MEMORY['a Gram matrix'][0]}\n")
    assert not (tmp_path / "p.json").exists()
