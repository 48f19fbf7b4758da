"""svenet on Dask and Spark beside dask-ml's LinearRegression and Spark's own, on the same rows.

    pip install '.[dask,spark]' dask-ml
    python bench/python/clusters.py [--rows 100000] [--cols 50] [--workers 2]

One Lasso without an intercept: dask-ml would penalise it, its elastic net does not shrink (dask-glm 0.4), and Spark divides
the ridge by the deviation of y. Columns share a factor. The rows lie in the memory of the cluster before the clock
starts; what starts the cluster, and a first small fit of each, is not counted. The excess is that of the objective over
the least one of all, relative to it; a package that is not installed, or fails, is left out with its reason.
"""

import argparse
import os
import sys
import tempfile
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")


def simulate(rows, cols):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, cols)) + rng.standard_normal((rows, 1))
    X -= X.mean(axis=0)
    y = X[:, :5] @ np.array([2.0, -1.0, 1.0, 0.5, -0.5]) + 3 * rng.standard_normal(rows)
    return X, y - y.mean()


def objective(X, y, coef, alpha):
    """scikit-learn's."""
    return ((y - X @ coef) ** 2).mean() / 2 + alpha * np.abs(coef).sum()


def timed(fit, small, whole):
    fit(*small)
    start = time.perf_counter()
    coef = np.asarray(fit(*whole))
    return time.perf_counter() - start, coef


def on_dask(X, y, alpha, workers):
    import dask.array as da
    from distributed import Client, LocalCluster, wait

    import svenet.dask

    def lazy(rows):
        chunks = -(-rows // (4 * workers))
        made = [da.from_array(each, chunks=(chunks, *each.shape[1:])).persist() for each in (X[:rows], y[:rows])]
        wait(made)
        return made

    def peer(solver, **more):
        from dask_ml.linear_model import LinearRegression

        def fit(X, y):
            # dask-glm minimises the sum of squares plus |b|_1 / C.
            return LinearRegression(
                penalty="l1", C=1 / (2 * X.shape[0] * alpha), solver=solver, fit_intercept=False, **more
            ).fit(X, y).coef_

        return fit

    fits = {
        "svenet.dask.Lasso": lambda X, y: svenet.dask.Lasso(alpha, fit_intercept=False).fit(X, y).coef_,
        "svenet.dask.LassoCV, 5 folds x 100 alphas": lambda X, y: (
            svenet.dask.LassoCV(fit_intercept=False, cv=5).fit(X, y).coef_
        ),
        "dask-ml LinearRegression, admm": peer("admm"),
        "dask-ml LinearRegression, proximal_grad, 1e-10": peer("proximal_grad", tol=1e-10, max_iter=1000),
    }
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)
    with cluster, Client(cluster):
        small, whole = lazy(2000), lazy(len(y))
        yield from run(fits, small, whole)


def on_spark(X, y, alpha, workers):
    import pyarrow as pa
    from pyarrow.parquet import write_table
    from pyspark.ml.feature import VectorAssembler
    from pyspark.ml.regression import LinearRegression
    from pyspark.sql import SparkSession

    import svenet
    import svenet.spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.memory", "4g").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    names = [f"x{j}" for j in range(X.shape[1])]

    def table(rows):
        columns = {**{name: X[:rows, j] for j, name in enumerate(names)}, "y": y[:rows]}
        path = os.path.join(tempfile.gettempdir(), f"clusters-{os.getpid()}-{rows}.parquet")
        write_table(pa.table(columns), path)
        frame = spark.read.parquet(path).repartition(4 * workers)
        frame = VectorAssembler(inputCols=names, outputCol="features").transform(frame).cache()
        frame.count()
        os.remove(path)
        return [frame]

    def own(tol):
        return lambda frame: LinearRegression(
            labelCol="y", regParam=alpha, elasticNetParam=1.0, fitIntercept=False, standardization=False, tol=tol, maxIter=1000
        ).fit(frame).coefficients.toArray()

    def ours(frame):
        return svenet.Session(svenet.spark.statistics(frame, names, "y"), fit_intercept=False).fit(alpha, l1_ratio=1.0).coef

    fits = {"svenet.spark.statistics, Session.fit": ours, "pyspark LinearRegression": own(1e-6),
            "pyspark LinearRegression, 1e-12": own(1e-12)}
    small, whole = table(2000), table(len(y))
    yield from run(fits, small, whole)
    spark.stop()


def run(fits, small, whole):
    for name, fit in fits.items():
        try:
            yield name, timed(fit, small, whole)
        except Exception as error:  # of a peer: the table goes on without it
            yield name, f"{type(error).__name__}: {str(error).splitlines()[0][:80] if str(error) else ''}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--cols", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--alpha", type=float, default=0.1)
    given = parser.parse_args()
    X, y = simulate(given.rows, given.cols)
    results = []
    for cluster in (on_dask, on_spark):
        try:
            results.extend(cluster(X, y, given.alpha, given.workers))
        except ImportError as error:
            results.append((cluster.__name__.replace("_", " "), str(error)))
    values = {name: objective(X, y, one[1], given.alpha) for name, one in results if not isinstance(one, str)}
    least = min(value for name, value in values.items() if "CV" not in name)
    print(f"{given.rows} rows, {given.cols} columns, {given.workers} workers\n")
    print("| | s | excess of the objective |\n|---|---|---|")
    for name, one in results:
        if isinstance(one, str):
            print(f"| {name} | - | {one} |")
        else:
            excess = "another alpha" if "CV" in name else f"{values[name] / least - 1:.1e}"
            print(f"| {name} | {one[0]:.2f} | {excess} |")


if __name__ == "__main__":
    main()
