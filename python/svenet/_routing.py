"""What estimators with a cross-validation share: what of the arguments of a fit goes to the splitter, by scikit-learn's
metadata routing, and what of its results is pickled."""

from __future__ import annotations

from numbers import Number
from typing import Any

from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import metadata_routing


class RoutedFolds:
    """For estimators with a parameter ``cv``."""

    cv: Any

    def _route(self, sample_weight: Any, params: dict[str, Any]) -> dict[str, Any]:
        """The part of `params` for the splitter."""
        if not get_config().get("enable_metadata_routing", False):
            if params:
                raise ValueError(
                    f"Passing {sorted(params)} to {type(self).__name__}.fit is only supported if "
                    "enable_metadata_routing=True, which sklearn.set_config sets."
                )
            return {}
        weights = None if isinstance(sample_weight, Number) else sample_weight
        routed = metadata_routing.process_routing(self, "fit", sample_weight=weights, **params)
        return dict(routed.splitter.split)

    def __getstate__(self) -> Any:
        """With all errors of the folds, and of the paths on all rows the coefficients at both choices alone: whole paths
        are many times the model that predicts."""
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]
        results = state.get("cross_validation_")
        if results is not None:
            several = isinstance(results, list)
            short = [result.with_choices_alone() for result in (results if several else [results])]
            state["cross_validation_"] = short if several else short[0]
        return state

    def get_metadata_routing(self) -> Any:
        """Metadata routing: sample_weight to this estimator, the rest to the splitter."""
        mapping = metadata_routing.MethodMapping().add(caller="fit", callee="split")
        router = metadata_routing.MetadataRouter(owner=_owner(self)).add_self_request(self)
        return router.add(splitter=check_cv(self.cv, classifier=is_classifier(self)), method_mapping=mapping)


def _owner(estimator: Any) -> Any:
    """The owner of a router is an estimator since scikit-learn 1.6, and a class name before."""
    from sklearn import __version__

    if tuple(int(part) for part in __version__.split(".")[:2]) < (1, 6):
        return type(estimator).__name__
    return estimator
