"""Calls of the library: a problem in, solutions as arrays out. Without the semantics of any package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _core
from ._deviance import deviance
from ._inputs import FloatArray, as_matrix, times

Progress = Callable[[int, int, float], None]


# In the order of sven::Proof.
PROOFS = np.array(["undecided", "selected", "zero", "left out"])


def proof_names(proofs: Any) -> NDArray[np.str_]:
    names: NDArray[np.str_] = PROOFS[np.asarray(proofs)]
    return names


# Long enough for every sven::name(Status), so that arrays of them compare and concatenate.
STATUS_TYPE = "<U15"


class SupportCertificate(NamedTuple):
    """How many features the gap proves to be non-zero, with their sign, or zero, in every solution. Nothing is
    said about columns that were left out."""

    proven_selected: int
    proven_zero: int
    undecided: int
    left_out: int = 0


@dataclass(frozen=True)
class Controls:
    """How to solve: the relative gap to reach, Newton steps for one setting, threads, device."""

    tol: float = 1e-10
    max_iter: int = 1000
    n_jobs: int | None = None
    progress: Progress | None = None
    device: str | None = "cpu"
    proofs: bool = False  # of each feature

    def options(self) -> _core.Options:
        threads = 0 if self.n_jobs is None or self.n_jobs < 0 else max(1, int(self.n_jobs))
        return _core.Options(
            # The library wants a positive tolerance; scikit-learn's tol may be zero.
            tolerance=max(float(self.tol), 1e-300),
            max_iterations=int(min(self.max_iter, 2**31 - 1)),
            threads=threads,
            device=self.device or "cpu",
            progress=self.progress,
            proofs=self.proofs,
        )


@dataclass(frozen=True)
class Design:
    """X with all inputs of a fit except y and the penalties."""

    X: Any
    weights: FloatArray | None = None
    factors: FloatArray | None = None
    positive: bool = False
    lower: FloatArray | None = None
    upper: FloatArray | None = None
    offset: FloatArray | None = None
    intercept: bool = True
    standardize: bool = False
    family: str = "gaussian"
    matrix: _core.Matrix | _core.Statistics = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "matrix", self.X if isinstance(self.X, _core.Statistics) else as_matrix(self.X))

    @property
    def n_features(self) -> int:
        return self.X.cols if isinstance(self.X, _core.Statistics) else int(self.X.shape[1])

    def problem(self, y: FloatArray) -> _core.Problem:
        return _core.Problem(
            matrix=self.matrix,
            y=y,
            weights=self.weights,
            factors=self.factors,
            lower=self.lower,
            upper=self.upper,
            offset=self.offset,
            nonnegative=bool(self.positive),
            intercept=bool(self.intercept),
            standardize=bool(self.standardize),
            family=self.family,
        )

    @property
    def total_weight(self) -> float:
        if isinstance(self.X, _core.Statistics):
            return self.X.total_weight
        return float(self.X.shape[0]) if self.weights is None else float(self.weights.sum())


PATH_LEFT_BEHIND = (
    "the coefficients of the path were left behind when the model was pickled or copied, which keeps those of its two "
    "choices; pickle cross_validation_ itself to have them all"
)


@dataclass(frozen=True)
class Solutions:
    """The solutions of a list of settings, in their order."""

    coefs: sparse.csr_array  # settings x features
    intercepts: FloatArray
    gaps: FloatArray  # relative
    dual_gaps: FloatArray  # in the objective 1/(2W) deviance + ...; of a gaussian response sum w (y - Xb)^2
    deviances: FloatArray
    null_deviance: float  # without any feature
    t: FloatArray
    lambda1: FloatArray
    lambda2: FloatArray
    n_iters: NDArray[np.int64]
    status: list[str]  # optimal, ridge, not_unique, iteration_limit
    certificates: list[SupportCertificate]
    left_out: NDArray[np.int64]  # columns that are constant up to rounding
    proofs: NDArray[np.uint8] | None = None  # settings x features, places in PROOFS; None: not asked for
    relaxed: Solutions | None = None  # the refits without penalties, where they were asked for
    refits: tuple[str, ...] = ()  # how each came out: done, dependent or separated
    kept: tuple[int, ...] | None = None  # the settings whose coefficients are still there; None: all of them

    def only(self, settings: Sequence[int]) -> Solutions:
        """The same with the coefficients of these settings alone."""
        rows = sorted(set(settings))
        counts = np.zeros(self.coefs.shape[0], dtype=self.coefs.indptr.dtype)
        counts[rows] = np.diff(self.coefs.indptr)[rows]
        there = np.repeat(np.isin(np.arange(len(counts)), rows), np.diff(self.coefs.indptr))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(self.coefs.indptr.dtype)
        coefs = sparse.csr_array((self.coefs.data[there], self.coefs.indices[there], offsets), shape=self.coefs.shape)
        return replace(self, coefs=coefs, relaxed=None, kept=tuple(rows), proofs=None)

    def coef(self, index: int) -> FloatArray:
        """The coefficients of one setting, dense."""
        if self.kept is not None and index not in self.kept:
            raise ValueError(PATH_LEFT_BEHIND)
        row = np.zeros(self.coefs.shape[1])
        begin, end = self.coefs.indptr[index : index + 2]
        row[self.coefs.indices[begin:end]] = self.coefs.data[begin:end]
        return row


def _solutions(answer: dict[str, Any], design: Design) -> Solutions:
    shape = (len(answer["gap"]), design.n_features)
    coefs = sparse.csr_array((answer["data"], answer["indices"], answer["indptr"]), shape=shape)
    return Solutions(
        coefs=coefs,
        intercepts=answer["intercept"],
        gaps=answer["gap"],
        dual_gaps=answer["gap"] * answer["null_deviance"] / (2 * design.total_weight),
        deviances=answer["deviance"],
        null_deviance=float(answer["null_deviance"].max(initial=0.0)),
        t=answer["t"],
        lambda1=answer["lambda1"],
        lambda2=answer["lambda2"],
        n_iters=answer["iterations"],
        status=answer["status"],
        certificates=[SupportCertificate(*map(int, row)) for row in answer["certificate"]],
        left_out=answer["left_out"],
        proofs=answer.get("proofs"),
        relaxed=_solutions(answer["relaxed"], design) if "relaxed" in answer else None,
        refits=tuple(answer.get("refit", ())),
    )


def blend(penalised: Solutions, relaxed: Solutions, gamma: float, deviances: FloatArray) -> Solutions:
    """The share gamma of the penalised and 1 - gamma of the relaxed solutions, with the deviances of that. What a
    blend cannot have, such as a proof of the support, is the penalised solution's."""
    short = [other if other == "iteration_limit" else own for own, other in zip(penalised.status, relaxed.status)]
    return replace(
        penalised,
        coefs=sparse.csr_array(gamma * penalised.coefs + (1 - gamma) * relaxed.coefs),
        intercepts=gamma * penalised.intercepts + (1 - gamma) * relaxed.intercepts,
        gaps=np.maximum(penalised.gaps, relaxed.gaps),
        dual_gaps=np.maximum(penalised.dual_gaps, relaxed.dual_gaps),
        deviances=deviances,
        status=short,
    )


def blended(design: Design, y: FloatArray, solutions: Solutions, gammas: Sequence[float]) -> list[Solutions]:
    """The solutions at each gamma, with true deviances."""
    relaxed = solutions.relaxed
    assert relaxed is not None
    known = 0.0 if design.offset is None else design.offset
    deviances = np.empty((len(gammas), len(solutions.gaps)))
    for k in range(len(solutions.gaps)):
        ends = [times(design.X, one.coef(k)) + one.intercepts[k] + known for one in (solutions, relaxed)]
        for place, gamma in enumerate(gammas):
            eta = gamma * ends[0] + (1 - gamma) * ends[1]
            deviances[place, k] = deviance(y, eta, design.weights, design.family)
    return [
        solutions if gamma == 1 else blend(solutions, relaxed, gamma, deviances[place])
        for place, gamma in enumerate(gammas)
    ]


def _parameters(first: Any, second: Any) -> tuple[FloatArray, FloatArray]:
    """Both parameters of each setting."""
    one, two = np.broadcast_arrays(
        np.atleast_1d(np.asarray(first, dtype=np.float64)), np.asarray(second, dtype=np.float64)
    )
    return np.ascontiguousarray(one), np.ascontiguousarray(two)


def solve(
    design: Design,
    y: FloatArray,
    form: str,
    first: Any,
    second: Any,
    controls: Controls,
    relax: bool = False,
    least_gain: float | None = None,
) -> Solutions:
    """`form`: budget (t, lambda2), penalty (lambda1, lambda2), mixing or glmnet (lambda, alpha). With `least_gain`,
    glmnet's fdev, the path ends by glmnet's rules."""
    one, two = _parameters(first, second)
    options = controls.options()
    return _solutions(_core.solve_path(design.problem(y), form, one, two, options, relax, least_gain), design)


def solve_targets(
    design: Design, targets: FloatArray, form: str, first: Any, second: Any, controls: Controls
) -> list[Solutions]:
    """The same for each column of `targets` (n x q), gaussian responses, with the products over X shared."""
    one, two = _parameters(first, second)
    laid_out = np.asfortranarray(targets)
    answers = _core.solve_paths(
        design.problem(laid_out[:, 0]), laid_out.ravel(order="F"), form, one, two, controls.options()
    )
    return [_solutions(answer, design) for answer in answers]


class Solver:
    """A problem that is kept, for solves that each start where the last one ended."""

    def __init__(self, design: Design, y: FloatArray, controls: Controls) -> None:
        self.design = design
        self.y = np.array(y)
        self.controls = controls
        self.session = _core.Session(design.problem(self.y), controls.options())

    def set_response(self, y: FloatArray) -> None:
        self.session.set_response(y)
        self.y = np.array(y)

    def set_weights(self, weights: FloatArray | None) -> None:
        self.session.set_weights(weights)
        self.design = replace(self.design, weights=None if weights is None else np.array(weights))

    def set_offset(self, offset: FloatArray | None) -> None:
        self.session.set_offset(offset)
        self.design = replace(self.design, offset=None if offset is None else np.array(offset))

    def set_controls(self, controls: Controls) -> None:
        self.session.set_options(controls.options())
        self.controls = controls

    def solve(self, form: str, first: Any, second: Any) -> Solutions:
        one, two = _parameters(first, second)
        return _solutions(self.session.solve(form, one, two), self.design)


# By the folds that test a row, at the best alpha and at that of one standard error; NaN where none does.
Predictions = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class GammaTable:
    """The errors of relaxed fits, by gamma, alpha and fold; choices are pairs of the positions of gamma and alpha."""

    gammas: FloatArray
    fold_errors: FloatArray  # gammas x alphas x folds
    mean: FloatArray  # gammas x alphas
    standard_error: FloatArray
    best: tuple[int, int]
    one_standard_error: tuple[int, int]
    fold_refits: NDArray[np.str_]  # alphas x folds
    refit_gaps: FloatArray  # the same
    refit_statuses: NDArray[np.str_]  # the same
    out_of_fold: Predictions | None  # at both choices, where they were kept


@dataclass(frozen=True)
class Validated:
    """One curve of a cross-validation: errors of each alpha on each fold, the library's summary of them, and
    the path on all rows."""

    fold_errors: FloatArray  # alphas x folds
    fold_gaps: FloatArray  # the same: relative, of the fold's solution
    fold_statuses: NDArray[np.str_]  # the same
    mean: FloatArray  # over folds, weighted by their test rows
    standard_error: FloatArray  # of that mean
    best: int  # the position of the best mean: the least, or the largest area under the curve
    one_standard_error: int  # of the largest alpha within one standard error of it
    solutions: Solutions
    gammas: GammaTable | None  # of relaxed fits
    out_of_fold: Predictions | None  # where they were kept


Fold = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True)
class Folds:
    """What is cross-validated: folds, pairs of training and test rows; what they are judged by, in the library's
    words; and what their fits have in common with that of all rows, lambda or the penalty on the sum of losses."""

    rows: Sequence[Fold]
    measure: str = "auto"
    held: str = "lambda"
    gammas: tuple[float, ...] = ()  # of relaxed fits
    keep: bool = False  # out-of-fold predictions
    summed: int = 0  # folds of statistics, which have no rows
    grouped: bool = True  # standard errors are those of the folds' means, or else of the rows

    def __len__(self) -> int:
        return len(self.rows) or self.summed

    def plan(self, l1_ratio: float, alphas: FloatArray) -> _core.Plan:
        # The library requires at least two folds, for a standard error. For one fold given twice the mean is
        # that of the fold, and the standard error zero.
        padded = list(self.rows) * (2 if len(self.rows) == 1 else 1)
        return _core.Plan(
            folds=padded,
            alpha=float(l1_ratio),
            lambdas=np.ascontiguousarray(alphas),
            measure=self.measure,
            held=self.held,
            gammas=np.array(self.gammas, dtype=np.float64),
            keep=self.keep,
            grouped=self.grouped,
        )


def cross_validate(
    design: Design,
    y: FloatArray,
    folds: Folds,
    l1_ratio: float,
    alphas: FloatArray,
    controls: Controls,
    solver: Solver | None = None,
) -> Validated:
    """`alphas` descending. Uses the solver, if given."""
    plan = folds.plan(l1_ratio, alphas)
    if solver is not None:
        answer = solver.session.cross_validate(plan)
    else:
        answer = _core.cross_validate(design.problem(y), plan, controls.options())
    statuses = np.array(answer["fold_status"], dtype=STATUS_TYPE).reshape(len(alphas), -1)
    errors, gaps, statuses = (
        table[:, : len(folds)] for table in (answer["fold_error"], answer["fold_gap"], statuses)
    )
    return Validated(
        fold_errors=errors,
        fold_gaps=gaps,
        fold_statuses=statuses,
        mean=answer["mean"],
        standard_error=answer["standard_error"],
        best=answer["best"],
        one_standard_error=answer["one_standard_error"],
        solutions=_solutions(answer, design),
        gammas=_gamma_table(answer, len(folds.rows)) if folds.gammas else None,
        out_of_fold=answer.get("out_of_fold"),
    )


def _gamma_table(answer: dict[str, Any], folds: int) -> GammaTable:
    refits, statuses = (
        np.array(answer[name], dtype=STATUS_TYPE).reshape(answer["gamma_mean"].shape[1], -1)
        for name in ("fold_refit", "refit_status")
    )
    return GammaTable(
        gammas=answer["gammas"],
        fold_errors=answer["gamma_fold_error"][:, :, :folds],
        mean=answer["gamma_mean"],
        standard_error=answer["gamma_standard_error"],
        best=answer["gamma_best"],
        one_standard_error=answer["gamma_one_standard_error"],
        fold_refits=refits[:, :folds],
        refit_gaps=answer["refit_gap"][:, :folds],
        refit_statuses=statuses[:, :folds],
        out_of_fold=answer.get("relaxed_out_of_fold"),
    )


def lasso_grid(
    design: Design,
    y: FloatArray,
    count: int,
    min_ratio: float,
    controls: Controls,
    glmnet: bool = False,
    solver: Solver | None = None,
) -> FloatArray:
    """The Lasso's penalties, log-equal: from the smallest at which every penalised coefficient is zero down to
    min_ratio of it, which is above 0 and, but for a single one, below 1. Uses the solver, if given."""
    if count == 1:
        min_ratio = min(min_ratio, 0.5)  # says nothing
    if solver is not None:
        return np.asarray(solver.session.lambda_grid(count, min_ratio, glmnet))
    return np.asarray(_core.lambda_grid(design.problem(y), count, min_ratio, glmnet, controls.options()))
