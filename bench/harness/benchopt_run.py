"""bench/benchopt/run: `benchopt run` on bench/benchopt, with the library built and equal threads, and then a table:
the seconds that each solver took to the gap asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from harness.build import build_library
from harness.launch import BENCH
from harness.report import number, table
from harness.run import environment

GAP = 1e-8
FOLDER = BENCH / "benchopt"


def times_to_gap(file: Path) -> list[str]:
    import pandas

    runs = pandas.read_parquet(file)
    runs = runs.groupby(["dataset_name", "objective_name", "solver_name", "stop_val"], as_index=False)[
        ["time", "objective_gap"]
    ].median()
    good = runs[runs["objective_gap"] <= GAP].groupby(["dataset_name", "objective_name", "solver_name"])["time"].min()
    solvers = sorted(runs["solver_name"].unique(), key=lambda name: (name != "sven", name))
    body = []
    for data, objective in runs[["dataset_name", "objective_name"]].drop_duplicates().itertuples(index=False):
        times = [good.get((data, objective, solver)) for solver in solvers]
        body.append([data, objective, *("-" if time is None else number(time) for time in times)])
    return [
        f"Seconds to a relative gap of {GAP:.0e} (median over repetitions; -: not reached)",
        "",
        *table(["data", "objective", *solvers], body),
    ]


def main() -> int:
    threads = int(os.environ.get("OMP_NUM_THREADS", os.cpu_count() or 1))
    variables = environment(threads, build_library())
    folder = Path(sys.executable).parent
    variables["PATH"] = f"{folder}{os.pathsep}{variables['PATH']}"  # benchopt calls itself by name
    before = set(FOLDER.glob("outputs/*.parquet"))
    command = [str(folder / "benchopt"), "run", str(FOLDER), "--no-cache", "--no-display", *sys.argv[1:]]
    code = subprocess.run(command, env=variables, check=False).returncode
    for file in set(FOLDER.glob("outputs/*.parquet")) - before:
        print("\n".join(times_to_gap(file)))
    return code


if __name__ == "__main__":
    sys.exit(main())
