"""The peers that come as Python packages. Each is called the way its documentation recommends for a path; the
objectives differ only as far as the comments say."""

from __future__ import annotations

import logging

import numpy as np

from harness.solvers import Refused, Solver, Task, refuse_large_gram

PLENTY = 10**7  # iterations, where the tolerance alone is to decide


class Pipeline:
    """What a user of a tool without standardisation writes around it: StandardScaler before, coefficients scaled
    back after. A sparse X is scaled only; its centring is left to the tool (`offset`, the means of the scaled
    columns)."""

    def __init__(self, task: Task) -> None:
        self.raw = task.raw
        self.X, self.y = task.X, task.y
        self.offset = np.zeros(task.X.shape[1])
        if not task.raw:
            return
        from sklearn.preprocessing import StandardScaler

        scaler = StandardScaler(with_mean=not task.is_sparse)
        self.X = scaler.fit_transform(task.X)
        self.scale = scaler.scale_
        if task.is_sparse:
            self.mean = np.asarray(task.X.mean(axis=0)).ravel()
            self.offset = self.mean / self.scale
        else:
            self.mean = scaler.mean_
        self.y_mean = task.y.mean()
        self.y = task.y - self.y_mean

    def back(self, coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """On the scale of the user's X, with intercepts."""
        if not self.raw:
            return coefficients, np.zeros(len(coefficients))
        coefficients = coefficients / self.scale
        return coefficients, self.y_mean - coefficients @ self.mean


class ScikitLearn(Solver):
    precompute = False

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        from sklearn.linear_model import enet_path

        task, pipeline = self.task, Pipeline(self.task)
        options = {} if tolerance is None else {"tol": tolerance, "max_iter": PLENTY}
        if task.is_sparse and task.raw:
            options |= {"X_offset": pipeline.offset, "X_scale": np.ones_like(pipeline.offset)}
        _, coefficients, _ = enet_path(
            pipeline.X, pipeline.y, l1_ratio=task.alpha, alphas=task.lambdas, precompute=self.precompute, **options
        )
        return pipeline.back(coefficients.T)


class ScikitLearnGram(ScikitLearn):
    precompute = True

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        if task.is_sparse:
            raise Refused("takes no Gram matrix with a sparse X")
        refuse_large_gram(task)


class Celer(Solver):
    """Its estimators' defaults (tol 1e-4, pruning), which are not those of celer_path."""

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        from celer import ElasticNet

        task, pipeline = self.task, Pipeline(self.task)
        options = {} if tolerance is None else {"tol": tolerance, "max_iter": 10**4, "max_epochs": 10**6}
        model = ElasticNet(l1_ratio=task.alpha, fit_intercept=False, **options)
        centring = {}
        if task.is_sparse and task.raw:
            centring = {"X_offset": pipeline.offset, "X_scale": np.ones_like(pipeline.offset)}
        coefficients = model.path(pipeline.X, pipeline.y, task.lambdas, **centring)[1]
        return pipeline.back(coefficients.T)


class Skglm(Solver):
    """Its compiled objects are made before the clock starts, as on a second use."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        from skglm.datafits import Quadratic
        from skglm.penalties import L1_plus_L2
        from skglm.utils.jit_compilation import compiled_clone

        self.datafit = compiled_clone(Quadratic())
        self.penalty = compiled_clone(L1_plus_L2(1.0, task.alpha))

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        from skglm.solvers import AndersonCD

        task, pipeline = self.task, Pipeline(self.task)
        own_centring = task.is_sparse and task.raw
        options = {} if tolerance is None else {"tol": tolerance, "max_iter": 10**4, "max_epochs": 10**6}
        solver = AndersonCD(fit_intercept=own_centring, **options)
        solution = solver.path(pipeline.X, pipeline.y, self.datafit, self.penalty, task.lambdas)[1].T
        p = task.X.shape[1]
        coefficients, intercepts = pipeline.back(solution[:, :p])
        if own_centring:
            # Its intercept belongs to the scaled columns, which are not centred: it is the one of the raw ones too.
            intercepts = pipeline.y_mean + solution[:, p]
        return coefficients, intercepts


class Adelie(Solver):
    """Screening rule "pivot" and no early exit, the naive method. Standardises by a wrapper of the matrix."""

    default_tolerance = 1e-7
    tightest = 1e-20

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        import adelie

        task = self.task
        options = {} if tolerance is None else {"tol": tolerance, "max_iters": 10**9}
        wrap = adelie.matrix.sparse if task.is_sparse else adelie.matrix.dense
        X = wrap(task.X, method="naive", n_threads=task.threads)
        if task.raw:
            X = adelie.matrix.standardize(X, n_threads=task.threads)
        state = adelie.grpnet(
            X=X,
            glm=adelie.glm.gaussian(y=task.y),
            alpha=task.alpha,
            lmda_path=task.lambdas,
            early_exit=False,
            intercept=task.raw,
            screen_rule="pivot",
            n_threads=task.threads,
            progress_bar=False,
            **options,
        )
        coefficients = state.betas.toarray()
        if not task.raw:
            return coefficients, np.zeros(len(coefficients))
        coefficients = coefficients / X._scales
        return coefficients, np.asarray(state.intercepts) - coefficients @ X._centers


class AdelieCov(Solver):
    """The covariance method: A = X'X / n where it is no larger than X, else its lazy form, whose A = X'X is
    not divided by n; then v and lambda are not either."""

    default_tolerance = 1e-7
    tightest = 1e-20

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        if task.is_sparse:
            refuse_large_gram(task)

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        import adelie

        task, pipeline = self.task, Pipeline(self.task)
        n, p = task.X.shape
        options = {} if tolerance is None else {"tol": tolerance, "max_iters": 10**9}
        X, y = pipeline.X, pipeline.y
        factor = 1 / n
        if task.is_sparse:
            gram = (X.T @ X).toarray() / n - np.outer(pipeline.offset, pipeline.offset)
        elif p <= n:
            gram = X.T @ X / n
        else:
            gram, factor = adelie.matrix.lazy_cov(X, n_threads=task.threads), 1.0
        if isinstance(gram, np.ndarray):
            gram = adelie.matrix.dense(np.asfortranarray(gram), method="cov", n_threads=task.threads)
        lambdas = task.lambdas * (factor * n)
        state = adelie.gaussian_cov(
            A=gram,
            v=X.T @ y * factor,
            alpha=task.alpha,
            lmda_path=lambdas,
            early_exit=False,
            screen_rule="pivot",
            n_threads=task.threads,
            progress_bar=False,
            **options,
        )
        return pipeline.back(state.betas.toarray())


class Glum(Solver):
    """Standardises by itself (scale_predictors)."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        refuse_large_gram(task, copies=2)

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        from glum import GeneralizedLinearRegressor

        task = self.task
        options = {} if tolerance is None else {"gradient_tol": tolerance, "max_iter": 10**4, "max_inner_iter": 10**9}
        model = GeneralizedLinearRegressor(
            alpha=list(task.lambdas),
            l1_ratio=task.alpha,
            alpha_search=True,
            family="normal",
            fit_intercept=task.raw,
            scale_predictors=task.raw,
            **options,
        )
        model.fit(task.X, task.y)
        return np.asarray(model.coef_path_), np.broadcast_to(model.intercept_path_, len(task.lambdas))


class Intelex(Solver):
    """oneDAL under scikit-learn's interface: one fit a setting, without warm starts, with which it stops after one
    iteration at the previous solution. Where it hands over to scikit-learn there is nothing of its own to measure."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        if task.is_sparse:
            raise Refused("hands a sparse X over to scikit-learn")
        if task.X.shape[1] > task.X.shape[0]:
            raise Refused("hands p > n over to scikit-learn")
        import daal4py

        daal4py.daalinit(task.threads)
        logging.getLogger().setLevel(logging.INFO)
        logging.getLogger().addHandler(_FallbackAlarm())

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        from daal4py.sklearn.linear_model import ElasticNet, Lasso

        task, pipeline = self.task, Pipeline(self.task)
        options = {} if tolerance is None else {"tol": tolerance, "max_iter": PLENTY}
        if task.alpha < 1:
            options["l1_ratio"] = task.alpha
        model = (ElasticNet if task.alpha < 1 else Lasso)(fit_intercept=False, **options)
        coefficients = np.empty((len(task.lambdas), task.X.shape[1]))
        for k, lambda_ in enumerate(task.lambdas):
            coefficients[k] = model.set_params(alpha=lambda_).fit(pipeline.X, pipeline.y).coef_
        return pipeline.back(coefficients)


class _FallbackAlarm(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        if "fallback to original" in record.getMessage():
            raise Refused("hands over to scikit-learn")
