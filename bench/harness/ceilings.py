"""What the machine can do, measured with the threads of the solvers: python -m harness.ceilings ceilings THREADS CLOCK,
or ... pass THREADS CLOCK FOLDER for one product with the X of a prepared set. CLOCK as in worker.Job. Prints JSON."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from harness import datasets
from harness.library import Library


def main() -> None:
    library = Library(os.environ["SVEN_COMPARE_LIBRARY"])
    question, threads, clock = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if clock == "processor":
        library.count_processor_time()
    if question == "pass":
        data = datasets.Data(**json.loads((Path(sys.argv[4]) / "data.json").read_text()))
        answer = {"pass_seconds": library.pass_seconds(datasets.read(data)[0], threads)}
    else:
        answer = {
            "read_bytes_per_second": library.read_bandwidth(threads),
            "gemm_flops_per_second": library.gemm_rate(threads),
        }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
