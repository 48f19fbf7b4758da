"""The same problems solved by the real glmnet: one run of R for a whole list of cases."""
import shutil
import subprocess
from pathlib import Path

import numpy as np

SCRIPT = Path(__file__).with_name("glmnet.R")


def is_available():
    return shutil.which("Rscript") is not None and not subprocess.run(
        ["Rscript", "-e", "library(glmnet)"], capture_output=True, check=False).returncode


def spread_of_response(case):
    """The sd(y) by which glmnet divides its ridge term (root mean square without an intercept)."""
    y = case.data.y - (np.average(case.data.y, weights=case.w) if case.intercept else 0)
    return np.sqrt(np.average(y**2, weights=case.w))


def factor_rescaling(case):
    """glmnet's factors are ours times this: they sum to p, an excluded feature counting as one."""
    return len(case.f) / np.where(np.isinf(case.f), 1, case.f).sum()


def translate(case):
    """glmnet's lambda and alpha for the problem that `case` states in the documented convention."""
    l1 = case.lambda_ * case.alpha / factor_rescaling(case)
    l2 = case.lambda_ * (1 - case.alpha) * spread_of_response(case) / factor_rescaling(case)
    return l1 + l2, l1 / (l1 + l2)


def solve(requests, folder):
    """`requests`: (case, glmnet's lambda, its alpha). Intercepts and coefficients on the user's scale."""
    written = {}

    def write(key, values):
        if key not in written:
            np.asarray(values, dtype=np.float64).ravel(order="F").tofile(folder / f"{len(written)}.bin")
            written[key] = str(folder / f"{len(written)}.bin")
        return written[key]

    lines = []
    for number, (case, lambda_, alpha) in enumerate(requests):
        data = case.data
        lines.append("\t".join(map(str, [
            write(("X", data.name), data.dense), write(("y", data.name), data.y),
            write(("w", data.name, case.weights is None), case.w), write(("f", number), case.f),
            *data.X.shape, int(data.is_sparse), int(case.intercept), int(case.standardize),
            int(case.nonnegative), repr(float(lambda_)), repr(float(alpha))])))
    (folder / "cases.tsv").write_text("\n".join(lines) + "\n")
    subprocess.run(["Rscript", SCRIPT, folder / "cases.tsv", folder / "answers.bin"], check=True)

    answers = np.fromfile(folder / "answers.bin")
    results, start = [], 0
    for case, *_ in requests:
        p = case.data.X.shape[1]
        results.append((answers[start], answers[start + 1 : start + 1 + p]))
        start += 1 + p
    assert start == len(answers)
    return results
