"""scikit-learn's own tests of these estimators, with ours in their place: nothing else changes."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import sklearn

SUITE = Path(sklearn.__file__).parent / "linear_model/tests/test_coordinate_descent.py"
OURS = "from svenet import ElasticNet, ElasticNetCV, Lasso, LassoCV, enet_path, lasso_path\n\n\n"
NEWEST = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 9)

# What they test of the method rather than of the answer.
OF_THE_METHOD = {
    "convergence": "stops coordinate descent early to see it warn",
    "gap_safe": "the screening of coordinate descent",
    "nonfinite_params": "names coordinate descent in the message",
    "lasso_dual_gap": "the gap of a fit that is not finished",
    "lasso_alpha_warning": "alpha=0 is no trouble here",
    "1d_multioutput": "compares with MultiTask estimators at their loose tolerance",
    "incorrect_gram": "a Gram matrix that is passed in is not used here",
    "overridden_gram": "likewise",
    "does_not_set_precompute": "likewise",
    "sparse_dense_descent_paths": "multi-task paths, which are not offered",
    "check_input_false": "asks for an error about the order of the data",
    "copy_X_False_check_input_False": "asks that X be overwritten",
    "float_precision": "asks for coefficients of float32, whose gap is not the one reported",
    "deprecated_n_alphas": "a warning of their own deprecation",
}
CONFTEST = """
import pytest

@pytest.fixture
def global_random_seed():
    return 42
"""


@pytest.mark.long
@pytest.mark.skipif(not NEWEST or not SUITE.exists(), reason="the suite as it is in scikit-learn 1.9 and later")
def test_their_suite(tmp_path):
    assert find_spec("svenet") is not None
    text = SUITE.read_text()
    first = re.search(r"^(def |@|class )", text, re.M).start()
    (tmp_path / "test_theirs.py").write_text(text[:first] + OURS + text[first:])
    (tmp_path / "conftest.py").write_text(CONFTEST)
    wanted = " and ".join(f"not {name}" for name in OF_THE_METHOD)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", "-k", wanted, "test_theirs.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )
    assert run.returncode == 0, run.stdout[-5000:]
    assert int(re.search(r"(\d+) passed", run.stdout)[1]) > 200
