"""svenet.spark on a real Spark in local mode."""

import os
import shutil
import sys

import numpy as np
import pandas as pd
import pytest

from svenet import Session, statistics

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("could not find java, which Spark runs on", allow_module_level=True)

from pyspark.sql import SparkSession  # noqa: E402

from svenet.spark import statistics as of_table  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")
FEATURES = [f"c{j}" for j in range(6)]


@pytest.fixture(scope="module")
def spark():
    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2",
                "spark.driver.memory": "1g"}
    builder = SparkSession.builder.master("local[2]").appName("svenet")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
    patch.undo()


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((600, 6)) + 10 * rng.standard_normal(6)
    columns = pd.DataFrame(X, columns=FEATURES)
    return columns.assign(
        y=X[:, 0] - 2 * X[:, 3] + rng.standard_normal(600), w=rng.uniform(0, 2, 600), fold=np.arange(600) % 4
    )


def parted(spark, table, parts):
    """Partitions of neighbouring rows; of more than 600, some without rows."""
    rows = [tuple(row) for row in table.itertuples(index=False)]
    types = ", ".join(f"{name} {'long' if name == 'fold' else 'double'}" for name in table.columns)
    rows = [tuple(int(value) if name == "fold" else float(value) for name, value in zip(table.columns, row)) for row in rows]
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, parts), types)


def in_memory(table):
    return statistics(table[FEATURES], table["y"], sample_weight=table["w"], folds=table["fold"])


def same_answers(found, expected):
    assert found.shape == expected.shape and found.folds.tolist() == expected.folds.tolist()
    np.testing.assert_allclose(found.total_weight, expected.total_weight, rtol=1e-14)
    mine, theirs = Session(found).fit(0.05), Session(expected).fit(0.05)
    np.testing.assert_allclose(mine.coef, theirs.coef, rtol=0, atol=1e-9)
    assert mine.relative_gap <= 1e-10
    return mine.coef


def test_the_statistics_of_the_rows(spark, table):
    """Of one partition, and of so many that there are rounds on the executors; the sums are the same but for roundings."""
    answers = []
    for parts in (1, 3, 19):
        found = of_table(parted(spark, table, parts), FEATURES, "y", weight="w", folds="fold")
        assert found.feature_names == FEATURES
        answers.append(same_answers(found, in_memory(table)))
        mine = Session(found).cv(alphas=20)
        theirs = Session(in_memory(table)).cv(alphas=20)
        np.testing.assert_allclose(mine.curves[0].fold_errors, theirs.curves[0].fold_errors, rtol=1e-8)
    np.testing.assert_allclose(answers, [answers[0]] * 3, rtol=0, atol=1e-12)


def test_the_order_of_the_merges_is_that_of_the_partitions(spark, table):
    """The same bits as neighbours in pairs, wherever they were merged."""
    frame = parted(spark, table.head(40), 19)
    pieces = [pd.DataFrame(rows, columns=table.columns) for rows in frame.rdd.glom().collect() if rows]
    sums = [statistics(piece[FEATURES].to_numpy(), piece["y"]) for piece in pieces]
    while len(sums) > 1:
        sums = [sums[k] + sums[k + 1] if k + 1 < len(sums) else sums[k] for k in range(0, len(sums), 2)]
    found = of_table(frame, FEATURES, "y")
    assert (Session(found).fit(0.05).coef == Session(sums[0]).fit(0.05).coef).all()
    assert found.rounding == sums[0].rounding


def test_partitions_without_rows(spark, table):
    found = of_table(parted(spark, table.head(5), 12), FEATURES, "y")
    same_answers(found, statistics(table[FEATURES].head(5), table["y"].head(5)))


def test_arrays_and_vectors(spark, table):
    from pyspark.ml.feature import VectorAssembler
    from pyspark.sql import functions

    frame = parted(spark, table, 2)
    expected = statistics(table[FEATURES].to_numpy(), table["y"])
    same_answers(of_table(frame.select(functions.array(*FEATURES).alias("x"), "y"), "x", "y"), expected)
    same_answers(of_table(VectorAssembler(inputCols=FEATURES, outputCol="x").transform(frame), "x", "y"), expected)


def test_refusals(spark, table):
    from pyspark.errors import PythonException

    holes = table.astype({"c2": object})
    holes.loc[300, "c2"] = None
    rows = spark.createDataFrame([tuple(row) for row in holes[["c1", "c2", "y"]].values.tolist()], "c1 double, c2 double, y double")
    with pytest.raises(PythonException, match="column 'c2' has nulls"):
        of_table(rows, ["c1", "c2"], "y")
    with pytest.raises(ValueError, match="the dataframe has no rows"):
        of_table(rows.filter("y > 1e9"), ["c1"], "y")
