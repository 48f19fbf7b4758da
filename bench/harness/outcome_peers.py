"""Solvers of paths of classes and counts. Each gives coefficients and intercepts of

    1/n sum_i loss_i + lambda (alpha ||b||_1 + (1 - alpha)/2 ||b||^2),   the intercept not penalised,

and is called the way its documentation recommends; where it solves something else the comment says so."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from harness.glmnet import Glmnet
from harness.library import Library
from harness.solvers import Answer, Refused, Solver, Task

PLENTY = 10**6  # iterations, where the tolerance alone is to decide
FAMILIES = {"binomial": 1, "poisson": 2}


class OutcomeSolver(Solver):
    family = "binomial"


class Sven(OutcomeSolver):
    """At its default tolerance, 1e-10, or at the gap that is asked for."""

    default_tolerance = 1e-10
    library: Library

    def path(self, tolerance):
        task = self.task
        settings = np.column_stack([task.lambdas, np.full(len(task.lambdas), task.alpha)])
        answer = self.library.solve_path(
            task.X,
            task.y,
            settings,
            intercept=True,
            standardize=False,
            tolerance=tolerance or self.default_tolerance,
            threads=task.threads,
            family=FAMILIES[self.family],
        )
        return answer.coefficients, answer.intercepts


class OutcomeGlmnet(Glmnet):
    """Its ridge is not divided by a deviation here."""

    def at(self, task: Task) -> OutcomeGlmnet:
        self.task, self.alpha = task, task.alpha
        np.save(self.lambdas_file, task.lambdas)
        return self

    def solve(self, tolerance):
        seconds, count, stored, _ = self.ask(tolerance, intercept=True)
        coefficients, intercepts = self._read(int(count), int(stored))
        if len(coefficients) < len(self.task.lambdas):
            raise Refused(f"ended after {len(coefficients)} of {len(self.task.lambdas)} lambdas")
        return Answer(seconds, coefficients, intercepts)


class OneByOne(OutcomeSolver):
    """Estimators of scikit-learn's kind, warm-started from lambda to lambda where they can be."""

    def path(self, tolerance):
        task, coefficients, intercepts, model = self.task, [], [], None
        for strength in task.lambdas:
            model = self.model(strength, tolerance, model).fit(task.X, task.y)
            coefficients.append(np.ravel(model.coef_).copy())
            intercepts.append(float(np.ravel(model.intercept_)[0]))
        return np.array(coefficients), np.array(intercepts)

    def model(self, strength, tolerance, last):
        raise NotImplementedError


class ScikitLearn(OneByOne):
    """saga for classes; counts have no L1 penalty."""

    solver = "saga"

    def model(self, strength, tolerance, last):
        from sklearn.linear_model import LogisticRegression

        if self.family != "binomial":
            raise Refused("has no L1 penalty for counts")
        if last is None:
            last = LogisticRegression(solver=self.solver, l1_ratio=self.task.alpha, warm_start=True)
        limits = {"tol": tolerance, "max_iter": PLENTY} if tolerance else {}
        return last.set_params(C=1 / (strength * self.task.X.shape[0]), **limits)


class Liblinear(ScikitLearn):
    """Penalises the intercept, which intercept_scaling makes cheap: its optimum is a little off."""

    solver = "liblinear"

    def model(self, strength, tolerance, last):
        if self.task.alpha != 1:
            raise Refused("has the L1 or the L2 penalty alone")
        return super().model(strength, tolerance, last).set_params(intercept_scaling=1e3)


class Celer(OneByOne):
    def model(self, strength, tolerance, last):
        from celer import LogisticRegression

        if self.family != "binomial" or self.task.alpha != 1:
            raise Refused("has the L1 penalty for classes alone")
        raise Refused(f"{LogisticRegression.__name__} has no intercept")


class Skglm(OutcomeSolver):
    default_tolerance = 1e-4

    def path(self, tolerance):
        from skglm.datafits import Logistic, Poisson
        from skglm.penalties import L1, L1_plus_L2
        from skglm.solvers import ProxNewton

        task = self.task
        limits = {"max_iter": 10_000} if tolerance else {}
        solver = ProxNewton(tol=tolerance or self.default_tolerance, fit_intercept=True, warm_start=True, **limits)
        y = np.where(task.y > 0, 1.0, -1.0) if self.family == "binomial" else task.y
        datafit = (Logistic if self.family == "binomial" else Poisson)()
        start, coefficients, intercepts = None, [], []
        for strength in task.lambdas:
            penalty = L1(strength) if task.alpha == 1 else L1_plus_L2(strength, task.alpha)
            start, _, _ = solver.solve(task.X, y, datafit, penalty, start)
            coefficients.append(start[:-1].copy())
            intercepts.append(float(start[-1]))
        return np.array(coefficients), np.array(intercepts)


class Adelie(OutcomeSolver):
    default_tolerance = 1e-7

    def path(self, tolerance):
        import adelie

        task = self.task
        X = task.X
        if scipy.sparse.issparse(X):
            X = adelie.matrix.sparse(X, method="naive")
        glm = (adelie.glm.binomial if self.family == "binomial" else adelie.glm.poisson)(task.y, dtype=np.float64)
        state = adelie.grpnet(
            X,
            glm,
            alpha=task.alpha,
            lmda_path=task.lambdas,
            intercept=True,
            early_exit=False,
            n_threads=task.threads,
            progress_bar=False,
            tol=tolerance or self.default_tolerance,
            irls_tol=tolerance or self.default_tolerance,
        )
        coefficients = state.betas.toarray()
        if len(coefficients) < len(task.lambdas):
            raise Refused(f"ended after {len(coefficients)} of {len(task.lambdas)} lambdas")
        return coefficients, np.ravel(state.intercepts)


class Glum(OneByOne):
    default_tolerance = 1e-4

    def model(self, strength, tolerance, last):
        from glum import GeneralizedLinearRegressor

        if last is None:
            last = GeneralizedLinearRegressor(
                family=self.family, l1_ratio=self.task.alpha, scale_predictors=False, warm_start=True
            )
        limits = {"gradient_tol": tolerance, "max_iter": 1000} if tolerance else {}
        return last.set_params(alpha=strength, **limits)


PEERS = {
    "glmnet": OutcomeGlmnet,
    "scikit-learn saga": ScikitLearn,
    "LIBLINEAR": Liblinear,
    "celer": Celer,
    "skglm": Skglm,
    "adelie": Adelie,
    "glum": Glum,
}
