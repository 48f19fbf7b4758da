"""Gaps of single settings, from X, y and the coefficients alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.gap import Design, relative_gaps

OVER_BUDGET = 1e-9  # relative: beyond this a point is not feasible, and its gap says nothing


@dataclass(frozen=True)
class Setting:
    """One point of the paper's protocol: ||y - Xb||^2 + l2 ||b||^2, with ||b||_1 <= t or with + l1 ||b||_1."""

    lambda_: float  # of scikit-learn's objective
    alpha: float
    t: float
    l1: float
    l2: float
    selected: int


def visiting_order(count: int) -> list[list[int]]:
    """Every eighth setting, then those between, and so on, each round from strong to weak: whoever is stopped has
    been seen along the whole path, and not on its easy part alone."""
    rounds, seen = [], set()
    for stride in (8, 4, 2, 1):
        new = [k for k in range(0, count, stride) if k not in seen]
        seen.update(new)
        rounds += [new] if new else []
    return rounds


def budget_gap(design: Design, b: np.ndarray, t: float, l2: float) -> float:
    """2 t ||g||_inf - 2 g'b with g = X'r - l2 b, over ||y||^2 (docs/maths.md, the gap of the budget form)."""
    if not np.isfinite(b).all() or np.abs(b).sum() > t * (1 + OVER_BUDGET):
        return float("inf")
    residual = design.y - design.multiply(b[:, None])[:, 0]
    gradient = design.correlate(residual[:, None])[:, 0] - l2 * b
    gap = 2 * t * np.abs(gradient).max() - 2 * gradient @ b
    return float(gap / (design.y @ design.y))


def penalty_gap(design: Design, b: np.ndarray, setting: Setting) -> float:
    lambdas = np.array([setting.lambda_])
    return float(relative_gaps(design, b[None, :], np.zeros(1), lambdas, setting.alpha)[0])
