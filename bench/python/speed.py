"""svenet beside scikit-learn through the same calls, conversion of the data counted.

    python bench/python/speed.py [--repeats 3] [--quick] [--limit 60]

Each number is the least processor time of some runs of fit(X, y) on one thread, with X as users have it: C
order, or compressed rows. scikit-learn runs at its default tolerance and at svenet's default gap, 1e-10.
A run that takes longer than the limit is stopped, and its place says so.
"""

import argparse
import multiprocessing
import time
import warnings
from functools import partial

import numpy as np
import sklearn.linear_model as peers
import svenet
from scipy import sparse
from threadpoolctl import threadpool_limits


def dense(rows, cols, seed=0, correlation=0.5):
    """Columns that share a factor, a tenth of which matter, at most 50."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols))
    X += np.sqrt(correlation / (1 - correlation)) * rng.standard_normal((rows, 1))
    return X, response(X, rng)


def compressed(rows, cols, density, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((rows, cols), density=density, format="csr", rng=rng)
    return X, response(X, rng)


def response(X, rng):
    truth = np.zeros(X.shape[1])
    truth[: min(50, X.shape[1] // 10)] = rng.standard_normal(min(50, X.shape[1] // 10))
    signal = X @ truth
    return signal + signal.std() * rng.standard_normal(X.shape[0])


def data_sets(quick):
    scale = 10 if quick else 1
    yield "200 x 5000", *dense(200, 5000 // scale)
    yield "1000 x 1000", *dense(1000, 1000 // scale)
    yield "20000 x 200", *dense(20000 // scale, 200)
    yield "5000 x 20000, 0.5 %", *compressed(5000 // scale, 20000 // scale, 0.005)


def measure(answer, make, X, y, repeats):
    """Sends the processor time of each run."""
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        for _ in range(repeats):
            start = time.process_time()
            make().fit(X, y)
            answer.send(time.process_time() - start)


def seconds(make, X, y, repeats, limit):
    """The least of some runs in a process of their own, infinite where not one of them ends in time."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=measure, args=(sender, make, X, y, repeats))
    process.start()
    best, end = np.inf, time.monotonic() + limit
    for _ in range(repeats):
        if not receiver.poll(max(0, end - time.monotonic())):
            break
        best = min(best, receiver.recv())
    process.kill()
    process.join()
    return best


def compare(X, y, repeats, limit):
    """Rows of the table for one data set: what, and the three times."""
    alpha = 0.1 * svenet.enet_path(X, y, l1_ratio=0.5, alphas=1)[0][0]
    tight = {"tol": 1e-10, "max_iter": 100_000}
    cases = {
        "ElasticNet": lambda package, how: package.ElasticNet(alpha, **how),
        "Lasso": lambda package, how: package.Lasso(alpha / 2, **how),
        "ElasticNetCV": lambda package, how: package.ElasticNetCV(cv=5, **how),
    }
    for name, make in cases.items():
        runs = [partial(make, svenet, {}), partial(make, peers, {}), partial(make, peers, tight)]
        yield name, *(seconds(run, X, y, repeats, limit) for run in runs)
    classes = y > np.median(y)
    largest = svenet.Session(X, classes, family="binomial").path(1, l1_ratio=0.5)[0][0]
    both = {"C": 10 / (largest * X.shape[0]), "l1_ratio": 0.5, "solver": "saga"}  # their one solver for both penalties
    runs = [
        partial(svenet.LogisticRegression, **both),
        partial(peers.LogisticRegression, **both),
        partial(peers.LogisticRegression, **both, **tight),
    ]
    yield "LogisticRegression", *(seconds(run, X, classes, repeats, limit) for run in runs)


def show(value, limit):
    if np.isinf(value):
        return f"> {limit:g} s"
    return f"{1000 * value:.1f} ms" if value < 1 else f"{value:.2f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60, help="seconds for the runs of one number")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    arguments = parser.parse_args()
    print("| X | estimator | svenet, gap 1e-10 | scikit-learn, default | scikit-learn, tol 1e-10 |")
    print("|---|---|---|---|---|")
    for name, X, y in data_sets(arguments.quick):
        for what, *times in compare(X, y, arguments.repeats, arguments.limit):
            shown = " | ".join(show(value, arguments.limit) for value in times)
            print(f"| {name} | {what} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
