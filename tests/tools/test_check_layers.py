"""cmake/check_layers finds each kind of include that goes the wrong way, and nothing else."""
import subprocess
import sys

import pytest

from world.paths import ROOT

FINE = {
    "src/api/fit.cpp": '#include "path/engine.hpp"\n#include "linalg/matrix.hpp"\n#include "sven/matrix.hpp"\n',
    "src/svm/newton.cpp": '#include "svm/newton.hpp"\n#include "linalg/matrix.hpp"\n#include <linear.h>\n',
    "src/io/csv.cpp": '#include "io/file.hpp"\n#include "linalg/threads.hpp"\n#include "sven/io.hpp"\n',
    "src/cuda/blas.cpp": "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#include \"cuda/runtime.hpp\"\n#include \"linalg/a.hpp\"\n",
    "src/capi/session.cpp": '#include "capi/errors.hpp"\n#include "sven/session.hpp"\n#include "sven/sven.h"\n',
    "include/sven/sven.hpp": '#include <vector>\n#include "sven/matrix.hpp"\n',
    "bench/micro/gram.cpp": '#include "linalg/matrix.hpp"\n#include "reduction/samples.hpp"\n#include <cblas.h>\n',
    "cli/main.cpp": '#include "arguments.hpp"\n#include "sven/sven.hpp"\n#include <CLI/CLI.hpp>\n',
}

WRONG = [
    ("src/linalg/matrix.cpp", '#include "svm/newton.hpp"'),
    ("src/svm/newton.cpp", '#include "reduction/samples.hpp"'),
    ("src/svm/newton.cpp", '#include "problem/gap.hpp"'),
    ("src/reduction/samples.cpp", '#  include "path/engine.hpp"'),
    ("src/problem/gap.cpp", '#include "api/validate.hpp"'),
    ("src/problem/gap.cpp", '#include "svm/newton.hpp"'),
    ("src/problem/gap.cpp", '#include "reduction/kernel.hpp"'),
    ("src/path/engine.cpp", '#include "io/csv.hpp"'),
    ("src/io/csv.cpp", '#include "problem/gap.hpp"'),
    ("src/linalg/host.cpp", "#include <cusparse.h>"),
    ("src/path/engine.cpp", "#include <nlohmann/json.hpp>"),
    ("src/reduction/samples.cpp", "#include <linear.h>"),
    ("src/helpers/odd.cpp", "#include <vector>"),
    ("src/api/fit.cpp", '#include "../path/engine.hpp"'),
    ("include/sven/matrix.hpp", '#include "linalg/matrix.hpp"'),
    ("include/sven/matrix.hpp", "#include <cblas.h>"),
    ("include/sven/sven.h", '#include "capi/errors.hpp"'),
    ("src/capi/session.cpp", '#include "api/validate.hpp"'),
    ("src/api/fit.cpp", '#include "capi/errors.hpp"'),
    ("cli/main.cpp", '#include "path/engine.hpp"'),
    ("bench/compare_lib/path.cpp", '#include "linalg/matrix.hpp"'),
    ("bench/micro/gram.cpp", '#include "path/engine.hpp"'),
]


def run(root):
    return subprocess.run([sys.executable, ROOT / "cmake/check_layers", root], capture_output=True, text=True)


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_passes_what_goes_down(tmp_path):
    write(tmp_path, FINE)
    result = run(tmp_path)
    assert (result.returncode, result.stdout) == (0, "includes go one way\n")


@pytest.mark.parametrize("name, line", WRONG)
def test_names_file_and_line_of_a_wrong_include(tmp_path, name, line):
    write(tmp_path, {**FINE, name: "// head\n" + line + "\n"})
    result = run(tmp_path)
    assert result.returncode == 1
    assert result.stdout.startswith(name) and result.stdout.count("\n") == 1


def test_the_tree_itself_passes():
    assert run(ROOT).returncode == 0
