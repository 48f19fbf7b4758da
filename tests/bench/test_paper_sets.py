"""bench/paper: readers of the paper's files, and which sets are at hand."""

import bz2
import sys

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from sklearn.datasets import dump_svmlight_file
from world.paths import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from paper import sets  # noqa: E402

pytestmark = pytest.mark.bench


@pytest.fixture(name="numbers")
def make_numbers():
    random = np.random.default_rng(5)
    return random.standard_normal((7, 4)).round(3), np.array([1.0, 2, 1, 2, 2, 1, 1])


def paper_set(name):
    return next(paper for paper in sets.PAPER if paper.name == name)


def test_mat_files_are_found_by_name_and_read(tmp_path, numbers):
    """As the feature-selection repository writes them: X and Y, integers, labels as a column; also sparse."""
    X, y = numbers
    scipy.io.savemat(tmp_path / "GLI_85.mat", {"X": (1000 * X).astype(np.int32), "Y": y[:, None].astype(np.uint8)})
    scipy.io.savemat(tmp_path / "scene15.mat", {"fea": scipy.sparse.csc_matrix(X), "gnd": y[None, :]})
    chosen = sets.choose(paper_set("GLI-85"), [tmp_path])
    assert chosen.name == "GLI-85" and "the paper's, from GLI_85.mat" == chosen.origin
    found, labels = chosen.load()
    assert (
        found.dtype == np.float64 and np.array_equal(found, (1000 * X).astype(np.int32)) and np.array_equal(labels, y)
    )
    found, labels = sets.choose(paper_set("Scene15"), [tmp_path]).load()
    assert scipy.sparse.issparse(found) and np.array_equal(found.toarray(), X) and np.array_equal(labels, y)


def test_a_mat_file_without_the_data_says_what_it_has(tmp_path):
    scipy.io.savemat(tmp_path / "GLI-85.mat", {"other": np.ones(3)})
    with pytest.raises(ValueError, match="GLI-85.mat has other, and none of them is called X or Y"):
        sets.choose(paper_set("GLI-85"), [tmp_path]).load()
    scipy.io.savemat(tmp_path / "GLI-85.mat", {"X": np.ones((3, 2)), "Y": np.ones(5)})
    with pytest.raises(ValueError, match="there are 5 labels"):
        sets.choose(paper_set("GLI-85"), [tmp_path]).load()


def test_svmlight_files_are_read_packed_or_not(tmp_path, numbers):
    X, y = numbers
    dump_svmlight_file(X, y - 0.5, str(tmp_path / "E2006.test"), zero_based=False)
    found, labels = sets.choose(paper_set("E2006-tfidf"), [tmp_path]).load()
    assert np.allclose(found.toarray(), X) and np.array_equal(labels, y - 0.5)
    packed = tmp_path / "YearPredictionMSD.bz2"
    packed.write_bytes(bz2.compress((tmp_path / "E2006.test").read_bytes()))
    found, labels = sets.choose(paper_set("YearPredictionMSD"), [tmp_path]).load()
    assert np.allclose(found.toarray(), X) and np.array_equal(labels, y - 0.5)


def test_csv_files_have_their_target_first_and_test_rows_last(tmp_path, numbers, monkeypatch):
    X, y = numbers
    np.savetxt(tmp_path / "YearPredictionMSD.txt", np.column_stack([2000 + y, X]), delimiter=",")
    monkeypatch.setitem(sets.TRAINING_ROWS, "YearPredictionMSD", 5)
    found, labels = sets.choose(paper_set("YearPredictionMSD"), [tmp_path]).load()
    assert np.allclose(found, X[:5]) and np.array_equal(labels, 2000 + y[:5])
    (tmp_path / "arcene.csv").write_text("a,b,class\n1,2,-1\n3,4,1\n")
    found, labels = sets.choose(paper_set("Arcene"), [tmp_path]).load()
    assert found.tolist() == [[1, 2], [3, 4]] and labels.tolist() == [-1, 1]


def test_matrices_of_pems_become_rows(tmp_path):
    (tmp_path / "PEMS_train").write_text("[1 2;3 4]\n[5 6;7 8]\n[1 1;0 1]\n")
    chosen = sets.choose(paper_set("PEMS"), [tmp_path])
    with pytest.raises(ValueError, match="no labels beside it"):
        chosen.load()
    (tmp_path / "PEMS_trainlabels").write_text("[1 7 2]\n")
    found, labels = chosen.load()
    assert found.tolist() == [[1, 2, 3, 4], [5, 6, 7, 8], [1, 1, 0, 1]] and labels.tolist() == [1, 7, 2]


def test_sets_that_are_not_at_hand_are_named(tmp_path):
    chosen, missing = sets.resolve(sets.PAPER, [], [tmp_path])
    assert {entry.name for entry in chosen} == {"prostate", "180x49151", "544x71963", "440x138672", "463715x90"}
    assert "GLI-85: neither its files nor chowdary are at hand" in missing
    origins = {entry.name: entry.origin for entry in chosen}
    assert origins["180x49151"] == "simulated, for GLA-BRA-180 (180 x 49151)"
    with pytest.raises(ValueError, match="no set is called nothing"):
        sets.resolve(sets.PAPER, ["nothing"], [tmp_path])
    assert sets.resolve(sets.PAPER, ["30x50"], [])[0][0].paper.regime == sets.WIDE


def test_real_sets_travel_as_a_folder(tmp_path, numbers):
    """The same numbers, dense and sparse, in the smallest type; a public file as it is."""
    X, y = numbers
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    np.savez(source / "arcene.npz", X=X, y=y)
    np.savez(source / "mitfaces.npz", X=(1000 * X).round(), y=y)
    (source / "load.py").write_text(sets.LOADER)
    (source / "PEMS_train").write_text("[1 2;3 4]\n[5 6;7 8]\n")
    (source / "PEMS_trainlabels").write_text("[1 7]\n")
    chosen = [sets.choose(paper_set(name), [source]) for name in ("Arcene", "MITFaces", "PEMS", "prostate")]
    names = {path.name for path in sets.export(chosen, target)}
    assert names == {"arcene.npz", "mitfaces.npz", "PEMS_train", "PEMS_trainlabels"}
    for name in ("Arcene", "MITFaces", "PEMS"):
        before, after = (sets.choose(paper_set(name), [folder]).load() for folder in (source, target))
        for left, right in zip(before, after):
            assert left.dtype == right.dtype and np.array_equal(left, right)
    assert sets.smallest(np.array([1.0, 2.0])).dtype == np.int8 and sets.smallest(np.array([0.1])).dtype == np.float64
