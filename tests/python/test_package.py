"""The package as it is installed: what it is made of, what it needs, how fast it loads."""

import importlib
import importlib.metadata
import inspect
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import svenet

ROOT = Path(__file__).parents[2]
PACKAGE = Path(svenet.__file__).parent
WHEELS = sorted((ROOT / "build/wheels").glob("*.whl"))


def python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    ).stdout


def test_it_is_the_installed_one():
    assert PACKAGE.is_relative_to(sysconfig.get_path("platlib"))
    assert svenet.__version__ == importlib.metadata.version("svenet")
    assert (PACKAGE / "py.typed").exists() and (PACKAGE / "_core.pyi").exists()


def test_one_wheel_for_every_python_below_25_megabytes():
    assert len(WHEELS) == 1, "scripts/wheel makes it"
    assert "-cp310-abi3-manylinux_2_" in WHEELS[0].name
    assert WHEELS[0].stat().st_size < 25e6


def test_every_public_name_is_there_and_documented():
    for name in svenet.__all__:
        value = getattr(svenet, name)
        assert name == "__version__" or inspect.getdoc(value), name
    assert sorted(svenet.__all__) == dir(svenet)
    with pytest.raises(AttributeError, match="no attribute 'Elastic'"):
        svenet.Elastic


def described(text):
    """The names in the sections Parameters and Attributes of a docstring: entries are 'a, b : what they are'."""
    names = set()
    for section in re.findall(r"^(?:Parameters|Attributes)\n-+\n(.*?)(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE):
        heads = "\n".join(line for line in section.splitlines() if not line.startswith(" "))
        for head in re.findall(r"^([^:]*?) :", heads, re.MULTILINE):
            names |= {name.strip(" *\n") for name in head.split(",")}
    return names


def callables(value):
    """What can be called, with the docstring that must name its parameters; scikit-learn documents its own methods."""
    if inspect.isfunction(value):
        return [(value, value)]
    ours = [kind for kind in value.__mro__ if kind.__module__.startswith("svenet")]
    methods = {
        name
        for kind in ours
        for name, member in vars(kind).items()
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, (classmethod, staticmethod)))
    }
    own = [(value, value)] if "__init__" in vars(value) else []
    return own + [(getattr(value, name), getattr(value, name)) for name in sorted(methods)]


def missing(value):
    """Parameters, and the fields of dataclasses, that docstrings lack."""
    return [
        f"{owner.__qualname__}: {parameter}"
        for function, owner in callables(value)
        for parameter in inspect.signature(function).parameters
        if parameter not in {"self", "cls"} | described(inspect.getdoc(owner) or "")
    ]


@pytest.mark.parametrize("name", [name for name in svenet.__all__ if name != "__version__"])
def test_every_parameter_is_in_the_docstring(name):
    assert missing(getattr(svenet, name)) == []


@pytest.mark.parametrize("module", ["dask", "spark"])
def test_every_parameter_of_the_clusters_is_in_the_docstring(module):
    needed = {"dask": ["dask.array"], "spark": ["pyspark", "pyarrow"]}[module]
    for name in needed:
        pytest.importorskip(name)
    public = importlib.import_module(f"svenet.{module}")
    assert [gap for name in public.__all__ for gap in missing(getattr(public, name))] == []


def test_functions_need_no_scikit_learn():
    """The estimators do, and say so."""
    code = """
import sys
for name in ("sklearn", "matplotlib", "tqdm", "pandas", "joblib"):
    sys.modules[name] = None
import numpy as np, svenet
X = np.random.default_rng(0).standard_normal((40, 6)); y = X[:, 0]
svenet.enet_path(X, y), svenet.budget_path(X, y), svenet.glmnet(X, y), svenet.cross_validate(X, y, cv=3)
try:
    svenet.ElasticNet
except ImportError as error:
    print(error.name)
"""
    assert python(code).strip().startswith("sklearn")


@pytest.mark.parametrize("absent, statement, message", [
    ("dask", "import svenet.dask", "svenet.dask needs dask: pip install 'dask[array,dataframe]' distributed"),
    ("pyspark", "import svenet.spark", "svenet.spark needs pyspark and pyarrow: pip install pyspark pyarrow"),
    ("pyarrow", "import svenet.spark", "svenet.spark needs pyspark and pyarrow: pip install pyspark pyarrow"),
    ("matplotlib", "svenet.plot_path(([2.0, 1.0], [[0.0, 1.0]]))", "plots of svenet need matplotlib: pip install matplotlib"),
])
def test_what_is_not_installed_is_named(absent, statement, message):
    """By packages that any index has, the same for all."""
    code = f"""
import sys, svenet
sys.modules[{absent!r}] = None
try:
    {statement}
except ImportError as error:
    print(error)
"""
    assert python(code).strip() == message


def test_import_time():
    """Beyond NumPy and SciPy, below 0.3 s; the least of three, for a busy machine."""
    code = """
import time, numpy, scipy.sparse
start = time.perf_counter()
import svenet
svenet.enet_path
print(time.perf_counter() - start)
"""
    assert min(float(python(code)) for _ in range(3)) < 0.3


def test_no_private_names_of_scikit_learn():
    for file in PACKAGE.glob("*.py"):
        for line in file.read_text().splitlines():
            if line.strip().startswith(("from sklearn", "import sklearn")):
                assert not re.search(r"\b_(?!_)", line), f"{file.name}: {line}"
