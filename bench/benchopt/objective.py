"""The elastic net in scikit-learn's objective, one lambda at a time."""

import numpy as np
from benchmark_utils import Design, relative_gaps
from benchopt import BaseObjective
from benchopt.stopping_criterion import SufficientProgressCriterion


class Objective(BaseObjective):
    name = "Elastic net"
    url = "https://en.wikipedia.org/wiki/Elastic_net_regularization"
    min_benchopt_version = "1.8"
    sampling_strategy = "tolerance"
    stopping_criterion = SufficientProgressCriterion(patience=4, strategy="tolerance", key_to_monitor="gap")

    parameters = {"l1_ratio": [1.0, 0.5], "reg": [0.1, 0.01]}  # reg: share of the smallest lambda that selects nothing

    def set_data(self, X, y):
        self.X, self.y = X, y
        self.design = Design(X, y, raw=False)
        self.lambda_ = self.reg * self.design.lambda_max(self.l1_ratio)

    def get_objective(self):
        return {"X": self.X, "y": self.y, "lambda_": self.lambda_, "l1_ratio": self.l1_ratio}

    def evaluate_result(self, beta):
        residual = self.y - self.X @ beta
        penalty = self.l1_ratio * np.abs(beta).sum() + (1 - self.l1_ratio) / 2 * beta @ beta
        gap = relative_gaps(self.design, beta[None], np.zeros(1), np.array([self.lambda_]), self.l1_ratio)[0]
        # Rounding may take the gap below zero; benchopt takes logarithms.
        return {
            "value": residual @ residual / (2 * len(self.y)) + self.lambda_ * penalty,
            "gap": max(gap, 1e-17),
            "nonzero": np.count_nonzero(beta),
        }

    def get_one_result(self):
        return {"beta": np.zeros(self.X.shape[1])}
