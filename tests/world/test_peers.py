"""The program against scikit-learn and against the real glmnet: coefficients equal to 1e-7 of the
largest, for every data set, option and setting of cases.py, in each form and by each method."""
import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from world import cases, glmnet, scikit_learn
from world.paths import ROOT
from world.program import Files, fit, number, write_csv, write_npy, write_svmlight, write_vector

PARITY = 1e-7
DATA = {data.name: data for data in cases.data_sets()}
CASES = {}
for some_case, key in zip(cases.all_cases(),
                          itertools.product(DATA, [True, False], [True, False], cases.EXTRAS, cases.SETTINGS)):
    CASES.setdefault((key[0], key[3]), []).append(some_case)
GROUPS = pytest.mark.parametrize("group", CASES, ids=lambda key: "-".join(key).replace(" ", "_"))


def options(case, folder):
    """The arguments for everything but the setting."""
    arguments = []
    arguments += [] if case.intercept else ["--no-intercept"]
    arguments += [] if case.standardize else ["--no-standardize"]
    arguments += ["--nonnegative"] if case.nonnegative else []
    if case.weights is not None:
        arguments += ["--weights", write_vector(folder / "weights.txt", case.weights)]
    if case.factors is not None:
        arguments += ["--penalty-factors", write_vector(folder / "factors.txt", case.factors)]
    return arguments


def mixing(case):
    return ["--lambda", number(case.lambda_), "--alpha", number(case.alpha)]


def penalty(answer):
    return ["--lambda1", number(answer.lambda1), "--lambda2", number(answer.lambda2)]


def budget(answer):
    return ["--t", number(answer.t), "--lambda2", number(answer.lambda2)]


def assert_same(case, answer, intercept, standardized, peer):
    """Both scales: on the user's the largest coefficient may hide all the others."""
    for found, expected in [(answer.standardized, standardized),
                            (answer.coefficients, standardized / case.scales)]:
        difference = np.max(np.abs(found - expected))
        assert difference <= PARITY * np.max(np.abs(expected)), f"{peer}, {case.name}: {difference:g}"
    spread = np.std(case.data.y)
    assert abs(answer.intercept - intercept) <= PARITY * max(abs(intercept), spread), f"{peer}, {case.name}"


def assert_certified(case, answer):
    assert answer.status == "optimal", f"{case.name}: {answer.status}"
    assert 0 <= answer.gap <= 1e-10, f"{case.name}: {answer.gap}"


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Dense sets as Fortran-order .npy, sparse ones as svmlight."""
    def write(data):
        folder = tmp_path_factory.mktemp(data.name.replace(" ", "_"))
        return (write_svmlight if data.is_sparse else write_npy)(folder, data.X, data.y)

    return {name: write(data) for name, data in DATA.items()}


@pytest.fixture(scope="session")
def glmnet_answers(tmp_path_factory):
    """One run of R: each case in the documented convention, and with glmnet's own meaning of its numbers."""
    if not glmnet.is_available():
        pytest.fail("R with the package glmnet is needed: apt install r-cran-glmnet")
    everything = [case for group in CASES.values() for case in group]
    requests = [(case, *glmnet.translate(case)) for case in everything]
    requests += [(case, case.lambda_, case.alpha) for case in everything]
    answers = glmnet.solve(requests, tmp_path_factory.mktemp("glmnet"))
    names = [(case.name, convention) for convention in ("documented", "glmnet") for case in everything]
    assert len(set(names)) == len(answers)
    return dict(zip(names, answers))


@GROUPS
def test_equals_scikit_learn(group, files, tmp_path):
    compared = 0
    for case in CASES[group]:
        expected = scikit_learn.solve(case)
        if expected is not None:
            answer = fit(files[case.data.name], *options(case, tmp_path), *mixing(case))
            assert_certified(case, answer)
            assert_same(case, answer, *expected, "scikit-learn")
            compared += 1
    assert compared == (0 if group[1] == "special factors" else len(CASES[group]))


@GROUPS
def test_equals_glmnet(group, files, glmnet_answers, tmp_path):
    for case in CASES[group]:
        intercept, coefficients = glmnet_answers[case.name, "documented"]
        answer = fit(files[case.data.name], *options(case, tmp_path), *mixing(case))
        assert_certified(case, answer)
        assert_same(case, answer, intercept, coefficients * case.scales, "glmnet")


@GROUPS
def test_glmnet_option_gives_the_numbers_of_glmnet(group, files, glmnet_answers, tmp_path):
    for case in CASES[group]:
        intercept, coefficients = glmnet_answers[case.name, "glmnet"]
        answer = fit(files[case.data.name], *options(case, tmp_path), *mixing(case), "--glmnet")
        assert_certified(case, answer)
        assert_same(case, answer, intercept, coefficients * case.scales, "glmnet --glmnet")


@GROUPS
def test_every_form_and_method_finds_the_same(group, files, glmnet_answers, tmp_path):
    """The budget form is solved back from the t of the penalty form."""
    def check(case, arguments, setting, method):
        answer = fit(files[case.data.name], *arguments, *setting, "--method", method)
        assert_certified(case, answer)
        assert answer.method == method
        intercept, coefficients = glmnet_answers[case.name, "documented"]
        assert_same(case, answer, intercept, coefficients * case.scales, f"{setting[0]} {method}")
        return answer

    with ThreadPoolExecutor(2) as pool:
        jobs = []
        for case in CASES[group]:
            folder = tmp_path / str(len(jobs))
            folder.mkdir()
            arguments = options(case, folder)
            first = check(case, arguments, mixing(case), "primal")
            for form, method in itertools.product([mixing, penalty, budget], ["primal", "dual"]):
                setting = mixing(case) if form is mixing else form(first)
                jobs.append(pool.submit(check, case, arguments, setting, method))
        for job in jobs:
            job.result()


def rounded(data):
    """The same data with entries that float32 holds exactly."""
    return cases.Data(data.name, np.float64(np.float32(data.dense)), data.y)


FORMATS = {
    "csv": write_csv,
    "npy C order": lambda folder, X, y: write_npy(folder, X, y, order="C"),
    "npy Fortran order": lambda folder, X, y: write_npy(folder, X, y, order="F"),
    "npy float32 C order": lambda folder, X, y: write_npy(folder, X, y, order="C", dtype=np.float32),
    "npy float32 Fortran order": lambda folder, X, y: write_npy(folder, X, y, dtype=np.float32),
    "svmlight": write_svmlight,
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", DATA)
def test_every_file_format_gives_the_same(name, form, tmp_path):
    data = rounded(DATA[name])
    written = FORMATS[form](tmp_path, data.dense, data.y)
    for extra, setting, method in itertools.product(["plain", "all"], cases.SETTINGS[:2], ["primal", "dual"]):
        case = cases.make_case(data, True, True, extra, setting)
        answer = fit(written, *options(case, tmp_path), *mixing(case), "--method", method)
        assert_certified(case, answer)
        assert_same(case, answer, *scikit_learn.solve(case), f"scikit-learn, {form}")


def test_prostate_csv_by_name():
    """The file as it is shipped, its target named."""
    data = DATA["prostate"]
    case = cases.make_case(data, True, True, "plain", (0.1, 0.5))
    answer = fit(Files([str(ROOT / "data/prostate.csv"), "--target", "lpsa"], 8), *mixing(case))
    assert answer.target == "lpsa"
    assert {entry["feature"] for entry in answer.report["coefficients"]} <= {
        "lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"}
    assert_same(case, answer, *scikit_learn.solve(case), "scikit-learn")
