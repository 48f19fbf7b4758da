"""Sufficient statistics of Spark dataframes: the sums of every partition, merged on the cluster.

    total = svenet.spark.statistics(df, ["age", "height"], "weight", folds="fold")
    svenet.Session(total).cv()

solves on the driver what executors have summed up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

try:
    import pyarrow as pa
    from pyspark import TaskContext
    from pyspark.sql import functions
except ImportError as error:
    raise ImportError("svenet.spark needs pyspark and pyarrow: pip install pyspark pyarrow") from error

from . import _core
from ._statistics import Statistics
from ._statistics import statistics as of_rows

__all__ = ["statistics"]

# How many statistics a task of a round merges. A power of two: in whichever round neighbours meet, they are the same pairs.
FAN_IN = 8

SUMS = "part long, sums binary"


def _numbers(column: Any, name: str) -> Any:
    if column.null_count:
        raise ValueError(f"column '{name}' has nulls")
    return column.to_numpy(zero_copy_only=False)


def _matrix(batch: Any, count: int) -> Any:
    """The features: so many columns, or one of arrays."""
    if not pa.types.is_list(batch.column(0).type):
        return np.column_stack([_numbers(batch.column(k), batch.schema.names[k]) for k in range(count)])
    name = batch.schema.names[0]
    lists = _numbers(batch.column(0), name)
    if len({len(one) for one in lists}) > 1:
        raise ValueError(f"the arrays of column '{name}' have different lengths")
    return np.stack(lists)


def _batch_statistics(batch: Any, features: Sequence[str], extras: Sequence[str]) -> Statistics:
    """Of the rows of a record batch: the features, the label, then those of `extras` in this order."""
    names = batch.schema.names
    rest = {extra: _numbers(batch.column(len(features) + k), names[len(features) + k]) for k, extra in enumerate(extras)}
    X = _matrix(batch, len(features))
    return of_rows(X, rest.pop("label"), n_jobs=1, **rest)


def _sum_partition(
    batches: Iterator[Any], features: Sequence[str], label: str, extras: Sequence[str]
) -> Iterator[Any]:
    """On an executor: one row of the partition's number and its statistics; none if it has no rows."""
    total: Any = 0
    for batch in batches:
        if batch.num_rows:
            total = total + _batch_statistics(batch, features, extras)
    if isinstance(total, Statistics):
        if total.n_features == len(features):
            total._core.set_names(list(features), label)
        yield _as_batch({TaskContext.get().partitionId(): total})


def _as_batch(sums: dict[int, Statistics]) -> Any:
    data = [pa.array(list(sums), pa.int64()), pa.array([one._core.encode() for one in sums.values()], pa.binary())]
    return pa.RecordBatch.from_arrays(data, names=["part", "sums"])


def _merged(rows: list[tuple[int, bytes]], fan_in: int) -> dict[int, Statistics]:
    """Neighbours: places of one group of `fan_in` become one place. A place that is missing, of a partition without
    rows, leaves its partner as it is."""
    decoded = {part: Statistics(_core.Statistics.decode("spark", sums)) for part, sums in rows}
    width = fan_in
    while width > 1:
        halves: dict[int, Statistics] = {}
        for part in sorted(decoded):
            halves[part // 2] = halves[part // 2] + decoded[part] if part // 2 in halves else decoded[part]
        decoded, width = halves, width // 2
    return decoded


def _merge_groups(batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: a round of the reduction."""
    rows = [row for batch in batches for row in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist())]
    if rows:
        yield _as_batch(_merged(rows, FAN_IN))


def _selected(df: Any, features: str | Sequence[str], others: Sequence[str]) -> tuple[Any, list[str]]:
    """The columns as they are summed up; the names of the features, one if it is a column of arrays or vectors."""
    if not isinstance(features, str):
        return df.select(*features, *others), list(features)
    column = functions.col(features)
    if df.schema[features].dataType.typeName() in ("vector", "vectorudt"):
        from pyspark.ml.functions import vector_to_array  # late: executors need it not

        column = vector_to_array(column).alias(features)
    return df.select(column, *others), [features]


def statistics(
    df: Any, features: str | Sequence[str], label: str, weight: str | None = None, folds: str | None = None
) -> Statistics:
    """The sufficient statistics of a Spark dataframe, for a gaussian response; `svenet.Session` takes them.

    Every partition is summed up where it lies (``mapInArrow``), and the sums are merged in rounds in the order of
    the partitions, so that the answer depends on how the rows are parted alone. svenet must be installed
    on the executors.

    Parameters
    ----------
    df : dataframe of Spark
    features : the names of the columns; or that of one column, of arrays or of Spark ML's vectors
    label : the column of the response
    weight : the column of the weights of the rows; None: all one
    folds : a column of whole numbers, which name the fold of each row in cross-validations; None: no folds

    Returns
    -------
    Statistics
    """
    given = {"label": label, "sample_weight": weight, "folds": folds}
    extras = {extra: name for extra, name in given.items() if name is not None}
    table, names = _selected(df, features, list(extras.values()))
    sums = table.mapInArrow(partial(_sum_partition, features=names, label=label, extras=list(extras)), SUMS)
    parts = int(table.rdd.getNumPartitions())
    while parts > FAN_IN:
        parts = -(-parts // FAN_IN)
        group = (functions.col("part") / FAN_IN).cast("long")
        sums = sums.repartition(parts, group).mapInArrow(_merge_groups, SUMS)
    rows = [(int(row.part), bytes(row.sums)) for row in sums.collect()]
    if not rows:
        raise ValueError("the dataframe has no rows")
    whole = 1 << max(part for part, _ in rows).bit_length()
    return _merged(rows, whole)[0]
