import warnings

from benchopt import BaseSolver
from skglm import ElasticNet
from sklearn.exceptions import ConvergenceWarning


class Solver(BaseSolver):
    name = "skglm"
    requirements = ["pip::skglm"]

    def set_objective(self, X, y, lambda_, l1_ratio):
        self.X, self.y = X, y
        self.model = ElasticNet(alpha=lambda_, l1_ratio=l1_ratio, fit_intercept=False, max_iter=10**4)
        warnings.filterwarnings("ignore", category=ConvergenceWarning)

    def warm_up(self):
        self.run_once()  # numba compiles at the first call

    def run(self, tolerance):
        self.model.set_params(tol=max(tolerance, 1e-16)).fit(self.X, self.y)

    def get_result(self):
        return {"beta": self.model.coef_}
