"""What a fit has to say beside its answer."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from ._engine import Controls, Solutions


def warn_if_short(solutions: Solutions, controls: Controls, stacklevel: int = 3) -> None:
    """Warns with the gap and the tolerance that were compared."""
    short = [k for k, status in enumerate(solutions.status) if status == "iteration_limit"]
    if not short:
        return
    worst = max(short, key=lambda k: float(solutions.gaps[k]))
    many = f" in {len(short)} of {len(solutions.status)} settings" if len(solutions.status) > 1 else ""
    warnings.warn(
        f"Stopped{many} after max_iter={controls.max_iter} Newton steps: the relative duality gap is "
        f"{solutions.gaps[worst]:.3e}, the tolerance {controls.tol:.3e}.",
        convergence_warning(),
        stacklevel=stacklevel,
    )


REFUSED_REFITS = {
    "dependent": "more features are selected than the rows can tell apart, or their columns depend on each other",
    "separated": "the selected features separate the classes, or the counts of zero, which has no best fit without a "
    "penalty",
}


def warn_if_not_relaxed(refits: Sequence[str], what: str = "settings", stacklevel: int = 3) -> None:
    """Warns of supports that have no refit: their penalised solutions stand."""
    for refit, reason in REFUSED_REFITS.items():
        count = sum(one == refit for one in refits)
        if count:
            verb = "is" if count == 1 else "are"
            warnings.warn(
                f"{count} of {len(refits)} {what} {verb} not relaxed, since {reason}", UserWarning, stacklevel=stacklevel
            )


# The number of columns that a warning names before it only counts them.
MOST_NAMES = 10


def warn_if_left_out(solutions: Solutions, names: Any = None, stacklevel: int = 3) -> None:
    """Warns of the columns that are constant up to rounding: by `names`, or by scikit-learn's numbers."""
    columns = solutions.left_out
    if not len(columns):
        return
    shown = ", ".join(f"'x{j}'" if names is None else f"'{names[j]}'" for j in columns[:MOST_NAMES])
    if len(columns) == 1:
        text = f"column {shown} is constant but for rounding and was left out"
    else:
        more = f" and {len(columns) - MOST_NAMES} more" if len(columns) > MOST_NAMES else ""
        text = f"columns {shown}{more} are constant but for rounding and were left out"
    warnings.warn(text, UserWarning, stacklevel=stacklevel)


def warn_if_folds_short(missed: int, fits: int, gap: float, tol: float, stacklevel: int = 3) -> None:
    """Warns of fold fits that missed the tolerance: their errors are not those of the optimum."""
    if missed:
        warnings.warn(
            f"{missed} of {fits} fold fits missed the tolerance {tol:.3e} (largest relative duality gap "
            f"{gap:.3e}); their errors may be wrong.",
            convergence_warning(),
            stacklevel=stacklevel,
        )


def convergence_warning() -> type[Warning]:
    """scikit-learn's class if it is installed."""
    try:
        from sklearn.exceptions import ConvergenceWarning
    except ImportError:
        return RuntimeWarning
    return ConvergenceWarning  # type: ignore[no-any-return]
