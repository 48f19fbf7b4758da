"""Solvers that go wrong, each in its own way: what the harness must notice."""

import os
import time

import numpy as np
from harness.peers import ScikitLearn
from harness.solvers import Solver


class Halved(ScikitLearn):
    """Answers another question."""

    def path(self, tolerance):
        coefficients, intercepts = super().path(1e-8)
        return coefficients / 2, intercepts


class Hanging(Solver):
    def path(self, tolerance):
        if len(self.task.y) > 20:  # not in the warm-up
            time.sleep(60)
        return np.zeros((len(self.task.lambdas), self.task.X.shape[1])), np.zeros(len(self.task.lambdas))


class Crashing(Solver):
    def path(self, tolerance):
        if len(self.task.y) > 20:
            os.abort()
        raise ValueError("not in the warm-up")


class Raising(Solver):
    def path(self, tolerance):
        raise ValueError("cannot do this")


class Short(ScikitLearn):
    """Ends its path early, as glmnet does at its iteration limit."""

    def path(self, tolerance):
        coefficients, intercepts = super().path(tolerance)
        return coefficients[:-3], intercepts[:-3]


class Exact(ScikitLearn):
    """Meets the gap at any tolerance."""

    def path(self, tolerance):
        return super().path(1e-12)
