"""The harness of bench/ for this benchmark: its gaps, its data, its library."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from harness.build import LIBRARY  # noqa: E402
from harness.datasets import simulate, standardize  # noqa: E402
from harness.gap import Design, relative_gaps  # noqa: E402
from harness.library import Library  # noqa: E402

THREADS = int(os.environ.get("OMP_NUM_THREADS", os.cpu_count()))

__all__ = ["Design", "relative_gaps", "simulate", "standardize", "open_library", "THREADS"]


def open_library() -> Library:
    return Library(os.environ.get("SVEN_COMPARE_LIBRARY", LIBRARY))
