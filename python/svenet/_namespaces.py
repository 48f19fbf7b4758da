"""scikit-learn's array API dispatch: where it is enabled, what comes back is of X's kind and lies where X does."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config

from ._inputs import on_host

if TYPE_CHECKING:
    from typing_extensions import Self

NUMBERS = "biuf"  # kinds of types


@dataclass(frozen=True)
class Kind:
    """Arrays of a package, by its namespace, on one of its devices."""

    namespace: Any
    device: Any

    def of(self, values: Any) -> Any:
        """A copy of an array of NumPy: packages differ in which strides they take, and in whether they share memory."""
        values = np.array(values, order="C")
        if self.namespace.__name__ == "cupy":  # whose asarray has no device
            with self.device:
                return self.namespace.asarray(values)
        return self.namespace.asarray(values, device=self.device)

    def __str__(self) -> str:
        return f"{self.namespace.__name__} on {self.device}"


def kind_of(value: Any) -> Kind | None:
    """Of arrays of the array API standard, of PyTorch and of CuPy; None of NumPy and all else: tables, lists, sparse
    matrices."""
    if isinstance(value, (np.ndarray, np.generic)) or not hasattr(value, "__dlpack__"):
        return None
    if hasattr(value, "__array_namespace__"):
        return Kind(value.__array_namespace__(), value.device)
    for base in type(value).__mro__:  # a user's class may be derived from theirs
        package = base.__module__.partition(".")[0]
        if package in ("torch", "cupy"):
            return Kind(sys.modules[package], value.device)
    return None


def is_dispatched() -> bool:
    return bool(get_config().get("array_api_dispatch", False))


class FollowsX:
    """For estimators: what a fit keeps and what predictions return are of X's kind, as those of scikit-learn's own
    estimators are. All work is done on arrays of NumPy; without the dispatch they are what comes back."""

    coef_: Any

    def _keep_kinds(self, X: Any, y: Any) -> Self:
        """At the end of a fit: arrays of numbers become X's kind, the classes y's; names and statuses stay."""
        if not is_dispatched():
            return self
        kinds = {"classes_": kind_of(y)}
        for name, value in list(vars(self).items()):
            kind = kinds.get(name, kind_of(X))
            is_fitted = name.endswith("_") and not name.startswith("_")
            if kind and is_fitted and isinstance(value, (np.ndarray, np.floating)) and value.dtype.kind in NUMBERS:
                setattr(self, name, kind.of(value))
        return self

    def _kind_of(self, X: Any, method: str) -> Kind | None:
        """What an answer on X becomes; X must be of the fit's kind."""
        if not is_dispatched():
            return None
        kind, fitted = kind_of(X), kind_of(self.coef_)
        if kind != fitted:
            raise ValueError(  # in scikit-learn's words
                f"Inputs passed to {type(self).__name__}.{method}() must use the same namespace and the same device as those "
                f"passed to fit(), which were {fitted or 'numpy'}; these are {kind or 'numpy'}."
            )
        return kind

    def _answer(self, X: Any, method: str, values: NDArray[Any]) -> NDArray[Any]:
        """What a method says of X, an array of NumPy, as X's kind; texts stay."""
        kind = self._kind_of(X, method)
        answer: NDArray[Any] = kind.of(values) if kind and values.dtype.kind in NUMBERS else values
        return answer

    def _on_host(self) -> Self:
        """The same model with arrays of NumPy."""
        twin = object.__new__(type(self))
        vars(twin).update({name: on_host(value) for name, value in vars(self).items()})
        return twin

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.array_api_support = True
        return tags

    def _more_tags(self) -> dict[str, bool]:
        """The same, for scikit-learn before 1.6."""
        return {"array_api_support": True}
