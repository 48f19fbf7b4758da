"""One elastic net with thousands of selected features, and its cross-validation, on sparse data: svenet and scikit-learn.

    python bench/python/sparse.py [--selected 2968] [--repeats 4] [--limit 900] [--quick]

X is 5000 x 20000, 0.5 % full, in compressed columns, and `alpha` such that about as many features as asked for are
selected. Processor time of fit(X, y) on one thread, the least of some runs, at several tolerances, and the gap that the
answer has, recomputed. Then one run each of `ElasticNetCV` (5 folds of neighbouring rows, 100 alphas).
"""

import argparse
import sys
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import sklearn.linear_model as peers
import svenet
from speed import compressed, seconds, show
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness.gap import Design, relative_gaps  # noqa: E402

L1_RATIO = 0.5
FITS = [(svenet, None), (svenet, 1e-6), (svenet, 1e-4), (svenet, 1e-3), (svenet, 1e-2), (peers, None), (peers, 1e-2)]
CURVES = [(svenet, None), (svenet, 1e-4), (peers, None)]


def alpha_of_support(X, y, wanted):
    """By halving intervals of log alpha; supports grow along the path, nearly always."""
    high = np.log(svenet.enet_path(X, y, l1_ratio=L1_RATIO, alphas=1)[0][0])
    low = high - np.log(1e3)
    for _ in range(30):
        middle = (low + high) / 2
        found = np.count_nonzero(svenet.ElasticNet(np.exp(middle), l1_ratio=L1_RATIO).fit(X, y).coef_)
        if found == wanted:
            break
        low, high = (middle, high) if found > wanted else (low, middle)
    return np.exp(middle)


def gap(design, model):
    lambdas, intercepts = np.array([model.alpha]), np.array([model.intercept_])
    return relative_gaps(design, model.coef_[None], intercepts, lambdas, L1_RATIO)[0]


def make(package, name, tolerance, *arguments, **more):
    how = {} if tolerance is None else {"tol": tolerance}
    return getattr(package, name)(*arguments, l1_ratio=L1_RATIO, **how, **more)


def label(package, tolerance):
    name = "svenet" if package is svenet else "scikit-learn"
    return f"{name}, default" if tolerance is None else f"{name}, tol {tolerance:g}"


def fits(X, y, wanted, repeats):
    alpha = alpha_of_support(X, y, wanted)
    design = Design(X, y, raw=True)
    design.scale[:] = 1  # centred, not scaled: what the estimators solve
    print(f"alpha {alpha:.4g}\n\n| `ElasticNet` | processor time | gap | selected |\n|---|---|---|---|")
    for package, tolerance in FITS:
        model, times = make(package, "ElasticNet", tolerance, alpha), []
        for _ in range(repeats):
            start = time.process_time()
            model.fit(X, y)
            times.append(time.process_time() - start)
        found = f"{gap(design, model):.0e} | {np.count_nonzero(model.coef_)}"
        print(f"| {label(package, tolerance)} | {show(min(times), np.inf)} | {found} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--selected", type=int, default=2968)
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--limit", type=float, default=900, help="seconds for one ElasticNetCV")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    scale = 10 if arguments.quick else 1
    X, y = compressed(5000 // scale, 20000 // scale, 0.005)
    X = X.tocsc()
    with threadpool_limits(1):
        fits(X, y, arguments.selected // scale, arguments.repeats)
    print("\n| `ElasticNetCV` | processor time |\n|---|---|")
    for package, tolerance in CURVES:
        found = seconds(partial(make, package, "ElasticNetCV", tolerance, cv=5), X, y, 1, arguments.limit)
        print(f"| {label(package, tolerance)} | {show(found, arguments.limit)} |", flush=True)


if __name__ == "__main__":
    main()
