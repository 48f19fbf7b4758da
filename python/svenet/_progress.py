"""Progress bars: tqdm's if it is installed, else a line on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._engine import Progress


class _Line:
    """A replacement for tqdm, in one line without a bar."""

    def __init__(self, description: str) -> None:
        self.description = description
        self.total = 0
        self.n = 0

    def refresh(self) -> None:
        print(f"\r{self.description}: {self.n}/{self.total}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print(file=sys.stderr)


def _bar(description: str) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(description)
    return tqdm(total=0, desc=description)


@contextmanager
def reporting(verbose: bool | int, description: str) -> Iterator[Progress | None]:
    """A callback for Controls.progress, or None if `verbose` is zero."""
    if not verbose:
        yield None
        return
    bar = _bar(description)

    def report(done: int, total: int, gap: float) -> None:
        bar.total, bar.n = total, done
        if hasattr(bar, "set_postfix"):
            bar.set_postfix(gap=f"{gap:.1e}", refresh=False)
        bar.refresh()

    try:
        yield report
    finally:
        bar.close()
