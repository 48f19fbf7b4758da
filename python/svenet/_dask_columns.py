"""Columns of wide dask arrays: each block of columns is multiplied by the worker that has it, and the client solves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from . import _core
from ._dask_rows import dask, is_lazy
from ._features import Features
from ._inputs import as_features, as_matrix

# Seconds between two looks at whether a fit was interrupted.
POLL = 0.1


def is_by_columns(X: Any) -> bool:
    """Whether X is an array of several blocks of columns with more columns than rows. Others are summed up by rows."""
    if getattr(X, "ndim", 0) != 2 or not hasattr(X, "numblocks"):
        return False
    return bool(X.numblocks[1] > 1 and X.shape[1] > X.shape[0])  # not where the number of rows is unknown


def in_memory(values: Any) -> Any:
    """A vector of the rows for the client."""
    return values.compute() if is_lazy(values) else values


def columns_of(X: Any) -> Features:
    """X as the estimators take it, with its blocks where they are."""
    whole = X if X.numblocks[0] == 1 else X.rechunk({0: -1})
    shape = (int(X.shape[0]), int(X.shape[1]))
    if 0 in shape:
        raise ValueError(f"X has shape {shape}: at least one sample and one feature are required.")
    filled = [k for k, count in enumerate(whole.chunks[1]) if count > 0]
    blocks = whole.to_delayed().ravel()
    tasks = _Blocks([blocks[k] for k in filled])
    matrix = _core.Matrix.of_tasks(shape[0], [int(whole.chunks[1][k]) for k in filled], tasks)
    return Features(matrix, shape, np.dtype(np.float64))


def _answer(block: Any, message: bytes, common: bytes) -> bytes:
    """On a worker."""
    return _core.answer_for_columns(as_matrix(as_features(block)), message, common)


class _Blocks:
    """Questions about blocks of columns as tasks of dask's scheduler, that of the thread which makes this."""

    def __init__(self, blocks: Sequence[Any]) -> None:
        self.blocks = blocks
        self.scheduler = dask.base.get_scheduler()

    def __call__(
        self, parts: list[int], messages: list[bytes], common: bytes, is_cancelled: Callable[[], bool]
    ) -> Sequence[bytes]:
        task = dask.delayed(_answer, pure=False)
        shared = dask.delayed(common, traverse=False)  # in the graph, so that it outlives a worker
        tasks = [task(self.blocks[part], message, shared) for part, message in zip(parts, messages)]
        client: Any = getattr(self.scheduler, "__self__", None)
        if not hasattr(client, "gather"):  # threads or processes of dask's own
            found: Sequence[bytes] = dask.compute(*tasks, scheduler=self.scheduler)
            return found
        wait = import_module("distributed").wait
        futures = client.compute(tasks)
        while not is_cancelled():
            try:
                wait(futures, timeout=POLL)
            except TimeoutError:
                continue
            gathered: Sequence[bytes] = client.gather(futures)
            return gathered
        client.cancel(futures)
        return []
