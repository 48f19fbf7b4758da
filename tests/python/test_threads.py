"""Threads and processes: no hang after a fork, no more threads than cores, two fits at once, Ctrl-C."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import joblib
import numpy as np
import pytest
import svenet
from numpy.testing import assert_allclose
from sklearn.model_selection import GridSearchCV
from svenet import _core
from threadpoolctl import threadpool_info, threadpool_limits

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*")


@pytest.fixture(scope="module")
def large():
    """Big enough that the library uses its threads."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 1500))
    return X, X[:, :10].sum(axis=1) + rng.standard_normal(400)


def fit_in_child(X, y):
    return svenet.Lasso(0.05).fit(X, y).coef_, _core.available_threads()


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_grid_search_in_parallel(large, backend):
    X, y = large
    svenet.Lasso(0.05).fit(X, y)  # the parent's threads have been at work before the fork
    with joblib.parallel_backend(backend):
        search = GridSearchCV(svenet.Lasso(), {"alpha": [0.05, 0.1, 0.2]}, cv=3, n_jobs=4).fit(X, y)
    alone = GridSearchCV(svenet.Lasso(), {"alpha": [0.05, 0.1, 0.2]}, cv=3).fit(X, y)
    assert_allclose(search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"], rtol=1e-9)


def test_a_forked_child_fits_on_one_thread(large):
    X, y = large
    coefs = svenet.Lasso(0.05).fit(X, y).coef_
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for child_coefs, threads in pool.starmap_async(fit_in_child, [(X, y)] * 4).get(timeout=120):
            assert threads == 1
            assert_allclose(child_coefs, coefs, atol=1e-12)


def test_fork_out_of_a_thread(large):
    """The forked process goes on as a thread that has fitted before."""
    X, y = large
    statuses = []

    def work():
        svenet.Lasso(0.05).fit(X, y)
        child = os.fork()
        if child == 0:
            svenet.Lasso(0.05).fit(X, y)
            os._exit(0)
        for _ in range(600):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                statuses.append(status)
                return
            time.sleep(0.1)
        os.kill(child, signal.SIGKILL)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert statuses == [0]


def test_threadpoolctl_is_obeyed():
    allowed = _core.available_threads()
    with threadpool_limits(1):
        assert _core.available_threads() == 1
    assert _core.available_threads() == allowed <= os.cpu_count()


def threads_during(work):
    """How many threads this process had while `work` ran, beyond those it had before: what nine tenths
    of the looks do not exceed, since a thread that has ended is still seen for a moment."""
    before = len(os.listdir("/proc/self/task"))
    seen, done = [], threading.Event()

    def watch():
        while not done.is_set():
            seen.append(len(os.listdir("/proc/self/task")))
            time.sleep(0.001)

    watcher = threading.Thread(target=watch)
    watcher.start()
    work()
    done.set()
    watcher.join()
    return np.quantile(seen, 0.9) - before - 1  # the watcher


def test_threads_stay_within_the_limit(large):
    X, y = large
    svenet.LassoCV().fit(X, y)
    with threadpool_limits(1):
        assert threads_during(lambda: svenet.LassoCV(alphas=30).fit(X, y)) <= 1  # the one that solves
    # The one that solves is a member of its team; this one sleeps meanwhile.
    assert threads_during(lambda: svenet.LassoCV(alphas=30, n_jobs=64).fit(X, y)) <= os.cpu_count()


def test_threadpoolctl_sees_us():
    svenet.Lasso(0.1).fit(np.eye(4), np.arange(4.0))
    ours = [info for info in threadpool_info() if "svenet" in info["filepath"]]
    assert "svenet" in {info["internal_api"] for info in ours}
    with threadpool_limits(1, user_api="openmp"):
        assert _core.available_threads() == 1
    with threadpool_limits(1, user_api="blas"):
        assert _core.available_threads() == _core.allowed_threads()


LIMITED = "import svenet; print(svenet._core.available_threads())"


@pytest.mark.parametrize(
    ("variables", "threads"),
    [
        ({"SVEN_NUM_THREADS": "1"}, 1),
        ({"OMP_NUM_THREADS": "1"}, 1),
        ({"OMP_NUM_THREADS": "1,2"}, 1),
        ({"SVEN_NUM_THREADS": "1", "OMP_NUM_THREADS": "64"}, 1),
        ({"SVEN_NUM_THREADS": "64"}, len(os.sched_getaffinity(0))),
        ({"OMP_NUM_THREADS": "none"}, len(os.sched_getaffinity(0))),
    ],
)
def test_variables_are_obeyed(variables, threads):
    names = ("SVEN_NUM_THREADS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT")
    environment = {name: value for name, value in os.environ.items() if name not in names} | variables
    run = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, env=environment, check=True)
    assert int(run.stdout) <= threads  # a quota may leave less
    assert int(run.stdout) >= 1


def test_affinity_is_obeyed():
    code = "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); " + LIMITED
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(run.stdout) == 1


MANY_FITS = textwrap.dedent("""
    import os, resource
    import numpy as np, svenet
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 40)); y = X[:, 0] + rng.standard_normal(60)
    large = rng.standard_normal((400, 1500))
    def fit(count):
        for _ in range(count):
            svenet.lasso_path(X, y, alphas=[0.1])
        svenet.lasso_path(large, large[:, 0], alphas=[0.1])  # with a team
    def now():
        pages = int(open("/proc/self/statm").read().split()[1])
        return len(os.listdir("/proc/self/task")), pages * resource.getpagesize()
    fit(500)
    threads, memory = now()
    fit(10000)
    threads_after, memory_after = now()
    print(threads_after - threads, memory_after - memory)
""")


def test_many_fits_leave_nothing_behind():
    run = subprocess.run([sys.executable, "-c", MANY_FITS], capture_output=True, text=True, check=True)
    threads, memory = map(int, run.stdout.split())
    assert threads <= 0
    assert memory < 8e6


def test_the_gil_is_released(large):
    """Python goes on while a fit runs in another thread."""
    X, y = large
    ticks, done = [0], threading.Event()

    def count():
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    started = time.perf_counter()
    svenet.LassoCV().fit(X, y)
    elapsed = time.perf_counter() - started
    done.set()
    counter.join()
    assert ticks[0] > 0.1 * elapsed / 0.001


def test_fits_at_once_agree(large):
    X, y = large
    expected = svenet.Lasso(0.05).fit(X, y).coef_
    answers = [None] * 4

    def work(k):
        answers[k] = svenet.Lasso(0.05).fit(X, y).coef_

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answer in answers:
        assert_allclose(answer, expected, atol=1e-12)


INTERRUPTED = textwrap.dedent("""
    import os, signal, threading, time
    import numpy as np, svenet
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1500, 6000)); y = rng.standard_normal(1500)
    svenet.LassoCV  # loads scikit-learn, which a signal would break off
    sent = []
    def send():
        time.sleep(float(os.environ["AFTER"]))
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()
    try:
        for _ in range(100):
            svenet.LassoCV(eps=1e-4).fit(X, y)
        print("finished")
    except KeyboardInterrupt:
        print(1000 * (time.perf_counter() - sent[0]))
    svenet.Lasso(1.0).fit(X[:50, :10], y[:50])  # and it works on
""")


@pytest.mark.parametrize("after", [0.2, 1.0, 3.0])
def test_keyboard_interrupt(after):
    environment = {**os.environ, "AFTER": str(after)}
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout.strip() != "finished"
    assert float(run.stdout) < 100


def test_an_error_in_the_callback_stops_the_fit(large):
    X, y = large

    def fail(done, total, gap):
        raise ZeroDivisionError("from the callback")

    from svenet._engine import Controls, Design, solve

    with pytest.raises(ZeroDivisionError):
        solve(Design(X), y, "mixing", np.geomspace(0.5, 1e-4, 100), 1.0, Controls(progress=fail))


LEFT_BEHIND = textwrap.dedent("""
    import os, threading, time
    import numpy as np, svenet
    from svenet._engine import Controls, Design, solve
    rng = np.random.default_rng(0)
    X = rng.standard_normal((800, 4000)); y = rng.standard_normal(800)
    single = X[:, :50].astype(np.float32)
    alphas, told = np.geomspace(0.5, 1e-3, 100), Controls(progress=lambda *_: sum(range(999)))
    works = {
        "long fits": lambda: svenet.lasso_path(X, y, eps=1e-4),
        "short fits": lambda: svenet.lasso_path(X[:50, :10], y[:50], alphas=[0.1]),
        "callbacks": lambda: solve(Design(X), y, "mixing", alphas, 1.0, told),
        "products": lambda: svenet._inputs.times(single, np.ones(50)),
    }
    begun = threading.Event()
    def work():
        begun.set()
        while True:
            works[os.environ["WORK"]]()
    threading.Thread(target=work, daemon=True).start()
    begun.wait()
    time.sleep(float(os.environ["AFTER"]))
""")


@pytest.mark.parametrize("work", ["long fits", "short fits", "callbacks", "products"])
@pytest.mark.parametrize("after", [0.0, 0.03, 0.2])
def test_a_daemon_thread_is_left_behind_at_exit(work, after):
    environment = {**os.environ, "WORK": work, "AFTER": str(after)}
    command = [sys.executable, "-c", LEFT_BEHIND]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")


def test_fits_while_python_ends():
    """What was registered with atexit before the package was loaded runs after our part of it."""
    code = textwrap.dedent("""
        import atexit
        @atexit.register
        def last():
            print(svenet.lasso_path(np.eye(3), np.arange(3.0), alphas=[0.1])[1].shape)
        import numpy as np, svenet
    """)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "(3, 1)\n", "")
