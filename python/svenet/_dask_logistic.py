"""Newton's method for logistic regression whose sums over the rows are taken on a cluster.

Each step is an elastic net of weighted rows, solved by the library from their statistics; the certificate is made of
sums over the rows too (maths.md, section "Other outcomes", from which the equations are).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.utils import compute_class_weight

from ._engine import Controls, Design, Solutions, SupportCertificate, solve
from ._inputs import FloatArray, as_features, as_vector, times
from ._statistics import Statistics, statistics

# A row's curvature counts in a step as at least this part of its error: a row that is all but certain of the other class
# has none, and its working response would be divided by nothing. A larger curvature makes a step shorter, not wrong.
LEAST_CURVATURE = 1e-6

# Newton's method takes 5 to 15 steps; a way without end, as where unpenalised columns separate the classes, is left.
MOST_STEPS = 100

# Halvings of a step before it counts as lost in the rounding of the objective.
MOST_HALVINGS = 30

# The part of the tolerance that a step may leave: its gap is one of the outer gap's parts.
STEP_TOLERANCE = 1e-2


def encode_classes(y: Any, positive: Any, by_class: tuple[float, float], weights: Any) -> tuple[FloatArray, FloatArray]:
    """0 and 1 for each row, and its weight times that of its class."""
    is_positive = np.asarray(y) == positive
    given = np.ones(len(is_positive)) if weights is None else as_vector(weights, "sample_weight")
    if not np.isfinite(given).all():
        raise ValueError("Input sample_weight contains NaN or infinity.")
    if given.min(initial=0) < 0:
        raise ValueError("Negative values in data passed to sample_weight.")
    return is_positive.astype(np.float64), given * np.where(is_positive, by_class[1], by_class[0])


def dense_block(X: Any) -> FloatArray:
    features = as_features(X)
    return np.asarray(features.toarray() if sparse.issparse(features) else features, dtype=np.float64)


@dataclass(frozen=True)
class Classes:
    """Of rows: their classes with the weights of each, and the weighted sums of the columns."""

    labels: NDArray[Any]
    weights: FloatArray
    columns: FloatArray

    def __add__(self, other: Classes) -> Classes:
        labels, place = np.unique(np.concatenate([self.labels, other.labels]), return_inverse=True)
        weights: Any = np.bincount(place, weights=np.concatenate([self.weights, other.weights]))
        return Classes(labels, weights, self.columns + other.columns)

    def checked(self) -> Classes:
        if len(self.labels) == 2:
            return self
        if len(self.labels) < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data contains "
                f"only one class: {self.labels[0]!r}"
            )
        raise ValueError(f"y has {len(self.labels)} classes; on dask arrays two are fitted")

    def factors(self, class_weight: Any) -> tuple[float, float]:
        """scikit-learn's class_weight: what multiplies the weights of both classes."""
        if class_weight is None:
            return 1.0, 1.0
        if isinstance(class_weight, str) and class_weight == "balanced":
            first, second = self.weights.sum() / (2 * self.weights)
        else:
            first, second = compute_class_weight(class_weight, classes=self.labels, y=self.labels)
        return float(first), float(second)


def classes_of(X: Any, y: Any, weights: Any) -> Classes | None:
    """Of a block, on a worker."""
    if X.shape[0] == 0:
        return None
    labels, codes = np.unique(np.asarray(y), return_inverse=True)
    _, given = encode_classes(y, labels[0], (1.0, 1.0), weights)
    by_label: Any = np.bincount(codes, weights=given)
    return Classes(labels, by_label, given @ dense_block(X))


@dataclass(frozen=True)
class Point:
    """Where the sums are taken, and what makes a row of a block."""

    coef: FloatArray
    intercept: float
    means: FloatArray  # that columns are taken about; zero without an intercept
    free: NDArray[np.int64]  # features without a penalty
    fit_intercept: bool
    positive: Any  # the class that is 1
    by_class: tuple[float, float]  # weights

    @staticmethod
    def without_features(classes: Classes, class_weight: Any, factors: FloatArray, fit_intercept: bool) -> Point:
        """The best intercept alone."""
        by_class = classes.factors(class_weight)
        odds = classes.weights * by_class
        if not (odds > 0).all():
            raise ValueError(f"The rows of class {classes.labels[int(odds[0] > 0)]!r} have no weight.")
        return Point(
            coef=np.zeros(len(factors)),
            intercept=float(np.log(odds[1]) - np.log(odds[0])) if fit_intercept else 0.0,
            means=classes.columns / classes.weights.sum() if fit_intercept else np.zeros(len(factors)),
            free=np.flatnonzero(factors == 0),
            fit_intercept=fit_intercept,
            positive=classes.labels[1],
            by_class=by_class,
        )

    def halfway_to(self, other: Point) -> Point:
        return replace(self, coef=(self.coef + other.coef) / 2, intercept=(self.intercept + other.intercept) / 2)


@dataclass(frozen=True)
class Sums:
    """Over rows at a point, with v = w (y - mu), k = w mu (1 - mu) and Z, the ones and the free features. X is centred."""

    weight: float
    deviance: float
    squares: float  # of the errors, by w
    predictor: float  # of the sizes that the linear predictor is summed from, squared, by w
    pearson: float  # of the errors over their variances: of y = 1 (1 - mu)^2 / (mu (1 - mu)) = e^-eta
    products: FloatArray  # X'v
    sizes: FloatArray  # |X|'|v|
    crossed: FloatArray  # X'KZ
    gram: FloatArray  # Z'KZ
    free_products: FloatArray  # Z'v
    free_sizes: FloatArray  # |Z|'|v|
    lengths: FloatArray  # X'WX, its diagonal
    reach: FloatArray  # the largest entries of Z: not added up
    step: Statistics  # of the elastic net that is the step

    def __add__(self, other: Sums) -> Sums:
        both: dict[str, Any] = {
            each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self) if each.name != "reach"
        }
        return Sums(**both, reach=np.maximum(self.reach, other.reach))


def sums_at(X: Any, y: Any, weights: Any, point: Point) -> Sums | None:
    """Of a block, on a worker."""
    if X.shape[0] == 0:
        return None
    truth, w = encode_classes(y, point.positive, point.by_class, weights)
    eta = np.asarray(times(as_features(X), point.coef) + point.intercept)
    mean, rest = expit(eta), expit(-eta)
    error = truth * rest - (1 - truth) * mean
    curvature = mean * rest
    centred = dense_block(X) - point.means
    free = centred[:, point.free]
    Z = np.column_stack([np.ones(len(eta)), free]) if point.fit_intercept else free
    KZ = (w * curvature)[:, np.newaxis] * Z
    used = np.maximum(curvature, LEAST_CURVATURE * np.abs(error))
    response = eta + np.divide(error, used, out=np.zeros(len(eta)), where=used > 0)
    with np.errstate(over="ignore"):  # infinite where a row is beyond hope: another bound counts then
        pearson = float(w @ np.exp(np.where(truth == 1, -eta, eta)))
    return Sums(
        weight=float(w.sum()),
        deviance=float(2 * w @ np.where(truth == 1, np.logaddexp(0, -eta), np.logaddexp(0, eta))),
        squares=float(w @ error**2),
        predictor=float(w @ (np.abs(dense_block(X)) @ np.abs(point.coef) + abs(point.intercept)) ** 2),
        pearson=pearson,
        products=(w * error) @ centred,
        sizes=(w * np.abs(error)) @ np.abs(centred),
        crossed=centred.T @ KZ,
        gram=Z.T @ KZ,
        free_products=(w * error) @ Z,
        free_sizes=(w * np.abs(error)) @ np.abs(Z),
        lengths=w @ centred**2,
        reach=np.abs(Z).max(axis=0, initial=0.0),
        step=statistics(X, response, sample_weight=w * used, n_jobs=1),
    )


@dataclass(frozen=True)
class Penalties:
    """of deviance + l2 sum f b^2 + 2 h sum f |b|; the factors f may be infinite."""

    h: float
    l2: float
    factors: FloatArray

    def of(self, coef: FloatArray) -> float:
        used = coef != 0
        f, b = self.factors[used], coef[used]
        return float(self.l2 * (f * b**2).sum() + 2 * self.h * (f * np.abs(b)).sum())


@dataclass(frozen=True)
class Bound:
    """How far the objective at a point may be above its optimum; the products that show it, with what they may be off."""

    gap: float
    products: FloatArray
    errors: FloatArray


def bound_at(sums: Sums, point: Point, penalties: Penalties) -> Bound:
    """Eq. 69 and 70 with the dual point of eq. 72. By (1 + d) log(1 + d) - d <= d^2 the divergence KL(q, mu) is at most
    (q - mu)^2 / (mu (1 - mu)), which the sums know. The rounding of the sums is counted as that of the statistics."""
    rounding = sums.step.rounding
    errors = rounding * sums.sizes
    products, moved = sums.products, 0.0
    if len(sums.gram):
        try:
            inverse = np.linalg.inv(sums.gram)
        except np.linalg.LinAlgError:
            return Bound(np.inf, products, errors)
        gamma = inverse @ sums.free_products
        unknown = np.abs(inverse) @ (rounding * sums.free_sizes)  # from what rounding leaves of Z'u
        if sums.reach @ (np.abs(gamma) + unknown) > 1:
            return Bound(np.inf, products, errors)
        products = products - sums.crossed @ gamma
        errors = errors + np.abs(sums.crossed) @ unknown
        moved = float(4 * gamma @ sums.gram @ gamma + 4 * unknown @ np.abs(sums.gram) @ unknown)
    used = (penalties.factors > 0) & (penalties.factors < np.inf)
    f, b, c, e = penalties.factors[used], point.coef[used], products[used], errors[used]
    kappa, shrunk = _shrunk_gap(penalties, f, b, c, e)
    gaps = [
        _whole_gap(penalties, f, b, c, e) + _divergence(sums, moved, 1.0, len(point.coef)),
        shrunk + _divergence(sums, moved, kappa, len(point.coef)),
    ]
    return Bound(min(gaps), products, errors)


def _divergence(sums: Sums, moved: float, kappa: float, terms: int) -> float:
    """2 sum w KL(q, mu) at q = y - kappa (y - mu - A'' z), whose value at kappa = 1 is at most `moved`; with the rounding
    of the linear predictor."""
    left = 1 - kappa
    known = moved
    if left > 0:  # by convexity in q, or by the squares as above
        known = min(left * sums.deviance + kappa * moved, 4 * left**2 * sums.pearson + 2 * kappa**2 * moved)
    off = (terms + 2) * np.finfo(np.float64).epsneg * np.sqrt(sums.predictor)
    return float(known + 2 * off * (left * np.sqrt(sums.squares) + np.sqrt(moved / 8)) + off**2 / 4)


def _whole_gap(penalties: Penalties, f: FloatArray, b: FloatArray, c: FloatArray, e: FloatArray) -> float:
    """The losses of eq. 43 at the dual point itself, each at the worse end of its product."""
    if penalties.l2 == 0:
        return np.inf
    l2, h = penalties.l2 * f, penalties.h * f

    def losses(products: FloatArray) -> FloatArray:
        ahead = np.where(b >= 0, products, -products) - h
        size = np.abs(b)
        down = l2 * size**2 - 2 * size * ahead + np.maximum(-ahead - 2 * h, 0) ** 2 / l2
        at_zero = np.maximum(np.abs(products) - h, 0) ** 2 / l2
        return np.where(b == 0, at_zero, np.where(ahead >= 0, (l2 * size - ahead) ** 2 / l2, down))

    return float(np.maximum(losses(c - e), losses(c + e)).sum())


def _shrunk_gap(
    penalties: Penalties, f: FloatArray, b: FloatArray, c: FloatArray, e: FloatArray
) -> tuple[float, float]:
    """Eq. 70 without its first sum: the ridge counts as data, and the dual point is shrunk, by kappa, until every product
    keeps its bound."""
    g = c - penalties.l2 * f * b
    largest = float(((np.abs(g) + e) / f).max(initial=0.0))
    kappa = 1.0 if largest <= penalties.h else penalties.h / largest
    slack = np.maximum(penalties.h * f - kappa * np.sign(b) * g, 0) + kappa * e
    return kappa, float((2 * np.abs(b) * slack + (1 - kappa) ** 2 * penalties.l2 * f * b**2).sum())


def proven(bound: Bound, sums: Sums, point: Point, penalties: Penalties) -> SupportCertificate:
    """What the gap proves of each feature: eq. 73 and 74."""
    f, b = penalties.factors, point.coef
    root = np.sqrt(bound.gap)
    fixed = f == np.inf
    zero = fixed | (np.abs(bound.products) + bound.errors + np.sqrt(sums.lengths) * root / 2 < penalties.h * f)
    with np.errstate(divide="ignore"):
        selected = ~zero & (np.abs(b) > root / np.sqrt(penalties.l2 * np.where(fixed, 1.0, f)))
    counts = int(selected.sum()), int(zero.sum())
    return SupportCertificate(*counts, len(b) - sum(counts))


def newton(
    sums_of: Callable[[Point], Sums],
    start: Point,
    design: Callable[[Statistics], Design],
    penalties: Penalties,
    controls: Controls,
) -> Solutions:
    """The optimum, from the best intercept, as an answer of the library for one setting."""
    inner = replace(controls, tol=STEP_TOLERANCE * min(controls.tol, 1e-10))
    point, sums = start, sums_of(start)
    null_deviance = sums.deviance
    bound = bound_at(sums, point, penalties)
    steps, is_last = 0, False
    while not is_last and steps < min(controls.max_iter, MOST_STEPS):
        # A gap leaves its root in the coefficients, and a step squares it: they are worth one more.
        is_last = bound.gap <= controls.tol * null_deviance
        answer = solve(design(sums.step), np.empty(0), "penalty", 2 * penalties.h, penalties.l2, inner)
        end = replace(point, coef=answer.coef(0), intercept=float(answer.intercepts[0]))
        found = (end, sums_of(end)) if is_last else _descend(sums_of, point, sums, penalties, end)
        steps += 1
        if found is None:
            break
        there = bound_at(found[1], found[0], penalties)
        if there.gap >= bound.gap and (is_last or not _has_fallen((point, sums), found, penalties)):
            break
        (point, sums), bound = found, there
    return _answer(answer, point, sums, bound, penalties, (null_deviance, controls.tol, steps))


def _has_fallen(
    one: tuple[Point, Sums], other: tuple[Point, Sums], penalties: Penalties, least: float = 4.0
) -> bool:
    """Whether the objective at the other is lower by so many roundings; of a negative number, not higher by more."""
    before, after = (sums.deviance + penalties.of(point.coef) for point, sums in (one, other))
    return after <= before * (1 - least * one[1].step.rounding)


def _descend(
    sums_of: Callable[[Point], Sums], point: Point, sums: Sums, penalties: Penalties, end: Point
) -> tuple[Point, Sums] | None:
    """The whole step, or half of it as often as the objective does not fall; None if it never does."""
    trial = end
    for _ in range(MOST_HALVINGS):
        there = sums_of(trial)
        # Near the optimum the objective cannot tell the step from rounding, but the gap can.
        if _has_fallen((point, sums), (trial, there), penalties, -4.0):
            return trial, there
        trial = point.halfway_to(trial)
    return None


def _answer(
    step: Solutions, point: Point, sums: Sums, bound: Bound, penalties: Penalties, figures: tuple[float, float, int]
) -> Solutions:
    null_deviance, tol, steps = figures
    gap = bound.gap / null_deviance
    status = "optimal" if step.status[0] == "iteration_limit" else step.status[0]
    return replace(
        step,
        coefs=sparse.csr_array(point.coef[np.newaxis, :]),
        intercepts=np.array([point.intercept]),
        gaps=np.array([gap]),
        dual_gaps=np.array([bound.gap / (2 * sums.weight)]),
        deviances=np.array([sums.deviance]),
        null_deviance=null_deviance,
        t=np.array([np.abs(point.coef) @ np.where(point.coef == 0, 0.0, penalties.factors)]),
        n_iters=np.array([steps]),
        status=[status if gap <= tol else "iteration_limit"],
        certificates=[proven(bound, sums, point, penalties)],
    )


def chosen_classes(scores: FloatArray, classes: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(classes[(scores > 0).astype(int)])


def both_classes(scores: FloatArray, of_odds: Callable[[FloatArray], FloatArray]) -> FloatArray:
    return np.column_stack([of_odds(-scores), of_odds(scores)])
