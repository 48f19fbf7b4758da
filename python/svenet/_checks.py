"""Checks of parameters, with scikit-learn's error messages."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

import numpy as np

from ._inputs import FloatArray, as_vector


class InvalidParameterError(ValueError, TypeError):
    """A parameter of the wrong kind or out of range."""


def _refuse(name: str, owner: str, expected: str, value: Any) -> None:
    raise InvalidParameterError(
        f"The {name!r} parameter of {owner} must be {expected}. Got {value!r} instead."
    )


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def check_real(
    value: Any,
    name: str,
    owner: str,
    low: float = 0.0,
    high: float = np.inf,
    open_low: bool = False,
    open_high: bool = False,
) -> None:
    """A number in [low, high], without the open ends; infinity is not allowed."""
    open_high = open_high or high == np.inf
    start, end = "(" if open_low else "[", f"{high})" if open_high else f"{high}]"
    number = float(value) if isinstance(value, Real) and not _is_bool(value) else np.nan
    is_above = number > low if open_low else number >= low
    is_below = number < high if open_high else number <= high
    if not (is_above and is_below):
        _refuse(name, owner, f"a float in the range {start}{low}, {end}", value)


def check_count(value: Any, name: str, owner: str, low: int = 1) -> None:
    """A whole number, positive or not below another one."""
    if not isinstance(value, Integral) or _is_bool(value) or value < low:
        _refuse(name, owner, f"an int in the range [{low}, inf)", value)


def check_bool(value: Any, name: str, owner: str) -> None:
    """True or False."""
    if not _is_bool(value):
        _refuse(name, owner, "an instance of 'bool'", value)


def check_flag(value: Any, name: str, owner: str) -> bool:
    """True or False, or 1 or 0; a text such as "no" is rejected, though it is truthy in Python."""
    if not _is_bool(value) and not (isinstance(value, Integral) and value in (0, 1)):
        _refuse(name, owner, "True or False", value)
    return bool(value)


def check_choice(value: Any, name: str, owner: str, choices: tuple[Any, ...]) -> None:
    """One of a few strings."""
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        _refuse(name, owner, f"one of {set(choices)}", value)


def refuse_unknown(given: Collection[str], known: Collection[str], owner: str) -> None:
    """Names of keyword arguments that are not known, with the known one that is nearest."""
    unknown = [name for name in given if name not in known]
    if not unknown:
        return
    near = get_close_matches(unknown[0], known, n=1)
    meant = f". Did you mean {near[0]!r}?" if near else ""
    words = " and no ".join(repr(name) for name in unknown)
    # The beginning is scikit-learn's.
    raise InvalidParameterError(f"Unexpected parameters in params of {owner}: there is no {words}{meant}")


def check_n_jobs(value: Any, owner: str) -> None:
    """None, a number of threads, or a negative number for all of them."""
    if value is not None and (not isinstance(value, Integral) or _is_bool(value) or value == 0):
        _refuse("n_jobs", owner, "None or an int other than 0", value)


def check_device(value: Any, owner: str) -> None:
    """Where the products with X are computed; 'automatic' is an alias of 'auto'. The library looks for a GPU."""
    if value not in (None, "cpu", "cuda", "auto", "automatic"):
        _refuse("device", owner, "'cpu', 'cuda' or 'auto'", value)


def check_factors(factors: Any, features: int, owner: str) -> FloatArray | None:
    """Penalty factors: one for each feature, not negative, infinite to leave a feature out."""
    if factors is None:
        return None
    vector = as_vector(factors, "penalty_factor")
    if len(vector) != features or not (vector >= 0).all():
        _refuse("penalty_factor", owner, f"{features} numbers >= 0, one for each feature", factors)
    return vector


def check_limits(
    lower: Any, upper: Any, features: int, owner: str
) -> tuple[FloatArray | None, FloatArray | None]:
    """Limits of the coefficients: a number for all or one for each, lower <= 0 <= upper; None: none."""

    def check(limits: Any, name: str, side: float) -> FloatArray | None:
        if limits is None:
            return None
        vector = np.asarray(limits, dtype=np.float64)
        if vector.ndim == 0:
            vector = np.full(features, float(vector))
        if vector.shape != (features,) or not (side * vector >= 0).all():
            order = "<= 0" if side < 0 else ">= 0"
            _refuse(name, owner, f"a number {order}, or {features} of them, one for each feature", limits)
        return None if np.isinf(vector).all() else np.ascontiguousarray(vector)

    return check(lower, "lower", -1.0), check(upper, "upper", 1.0)


def check_offset(offset: Any, rows: int) -> FloatArray:
    """A known part of y, one number for each row."""
    vector = as_vector(offset, "offset")
    if len(vector) != rows:
        raise ValueError(f"The offset has {len(vector)} numbers, X has {rows} rows.")
    return vector


def without_offset(targets: FloatArray, offset: Any) -> FloatArray:
    """Columns of y, less the offset."""
    if offset is None:
        return targets
    return np.asfortranarray(targets - check_offset(offset, len(targets))[:, np.newaxis])


def check_alphas(alphas: Any, owner: str) -> FloatArray:
    """A list of penalties, in decreasing order as scikit-learn returns them."""
    if np.ndim(alphas) != 1 or len(alphas) == 0:
        _refuse("alphas", owner, "an int or a list of numbers, at least one", alphas)
    for index, alpha in enumerate(alphas):
        if not isinstance(alpha, Real):
            kind = type(alpha).__name__
            raise InvalidParameterError(f"alphas[{index}] must be an instance of float, not {kind}.")
        if not 0 <= float(alpha) < np.inf:
            raise InvalidParameterError(f"alphas[{index}] == {alpha}, must be >= 0.0.")
    return np.ascontiguousarray(np.sort(np.asarray(alphas, dtype=np.float64))[::-1])


# cv.glmnet's.
GAMMAS = (0.0, 0.25, 0.5, 0.75, 1.0)


def check_gammas(relax: Any, gamma: Any, owner: str) -> tuple[float, ...]:
    """The shares of the penalised solution that relaxed fits are judged at, ascending; none where there are none."""
    check_bool(relax, "relax", owner)
    if not relax:
        return ()
    given = np.atleast_1d(np.asarray(GAMMAS if gamma is None else gamma, dtype=object)).tolist()
    for one in given:
        check_real(one, "gamma", owner, high=1.0)
    return tuple(sorted({float(one) for one in given}))
