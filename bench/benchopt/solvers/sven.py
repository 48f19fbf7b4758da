import numpy as np
from benchmark_utils import THREADS, open_library
from benchopt import BaseSolver


class Solver(BaseSolver):
    """sven through its shared library. The gap it proves is part of the time."""

    name = "sven"

    def set_objective(self, X, y, lambda_, l1_ratio):
        self.X, self.y = X, y
        self.settings = np.array([[lambda_, l1_ratio]])
        self.library = open_library()

    def run(self, tolerance):
        path = self.library.solve_path(
            self.X,
            self.y,
            self.settings,
            intercept=False,
            standardize=False,
            tolerance=max(tolerance, 1e-14),
            threads=THREADS,
        )
        self.beta = path.coefficients[0]

    def get_result(self):
        return {"beta": self.beta}
