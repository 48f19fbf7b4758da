"""Shared by the linear models: validation as in scikit-learn, prediction, display."""

from __future__ import annotations

from html import escape
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import check_is_fitted

from ._checks import (
    check_bool,
    check_choice,
    check_count,
    check_device,
    check_factors,
    check_limits,
    check_n_jobs,
    check_offset,
    check_real,
)
from ._engine import Controls, Design, Solutions, SupportCertificate, proof_names
from ._gpu import GpuFeatures
from ._inputs import FloatArray, as_features, as_vector, is_in_place, on_host, times, types_of, warn_of_loss
from ._namespaces import FollowsX, is_dispatched
from ._statistics import library_source
from ._warnings import warn_if_left_out


def validate_data(estimator: BaseEstimator, *data: Any, **how: Any) -> Any:
    """scikit-learn's function, or before 1.6 the corresponding method, for what is on the host: older versions would
    dispatch tables and sparse matrices too, and refuse them."""
    with config_context(array_api_dispatch=False):
        try:
            from sklearn.utils.validation import validate_data as validate
        except ImportError:
            return estimator._validate_data(*data, **how)
        return validate(estimator, *data, **how)


def check_weights(sample_weight: Any, samples: int) -> FloatArray | None:
    """One weight for each sample; a single number for all of them has no effect, and becomes None."""
    if sample_weight is None or isinstance(sample_weight, Number):
        return None
    array = np.asarray(on_host(sample_weight))
    if array.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if array.shape != (samples,):
        raise ValueError(f"sample_weight.shape == {array.shape}, expected {(samples,)}!")
    weights = as_vector(array, "sample_weight")
    if not np.isfinite(weights).all():
        raise ValueError("Input sample_weight contains NaN or infinity.")
    if weights.min(initial=0) < 0:
        raise ValueError("Negative values in data passed to sample_weight.")
    if not weights.any():
        raise ValueError("Every sample_weight is zero: sample_weight.sum() must be positive.")
    return weights


class LinearModel(FollowsX, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators: coef_ and intercept_ make a linear predictor."""

    coef_: FloatArray
    intercept_: Any
    left_out_: Any

    def _check_common(self) -> None:
        owner = type(self).__name__
        for name in ("fit_intercept", "copy_X", "warm_start", "positive", "standardize"):
            if hasattr(self, name):
                check_bool(getattr(self, name), name, owner)
        check_count(self.max_iter, "max_iter", owner)
        check_real(self.tol, "tol", owner)
        check_n_jobs(self.n_jobs, owner)
        check_device(self.device, owner)
        if hasattr(self, "selection"):
            check_choice(self.selection, "selection", owner, ("cyclic", "random"))
        if hasattr(self, "precompute") and isinstance(self.precompute, str):
            check_choice(self.precompute, "precompute", owner, ("auto",))

    def _check_X_y(self, X: Any, y: Any, **how: Any) -> tuple[Any, Any]:
        """X as float64, float32 or int8, dense in any order or compressed; copied only if necessary. y a column of
        numbers, unless `how` says otherwise in scikit-learn's words."""
        how = {"multi_output": False, "y_numeric": True, **how}
        if is_in_place(X):
            return self._check_X_y_in_place(X, y, how)
        X, y = on_host(X), on_host(y)
        warn_of_loss(X)
        return validate_data(  # type: ignore[no-any-return]
            self, X, y, accept_sparse=["csc", "csr"], dtype=types_of(X), **how
        )

    def _check_X_y_in_place(self, X: Any, y: Any, how: dict[str, Any]) -> tuple[Any, Any]:
        """X on the GPU or packed in a file, which scikit-learn cannot validate; y, on the host, validated by it."""
        features = as_features(X)
        if 0 in features.shape:
            raise ValueError(f"X has shape {features.shape}: at least one sample and one feature are required.")
        # One host column replaces X in the validation.
        _, y = validate_data(self, np.zeros((features.shape[0], 1)), on_host(y), **how)
        self.n_features_in_ = features.shape[1]
        if hasattr(features, "feature_names"):
            self.feature_names_in_ = np.asarray(features.feature_names, dtype=object)
        return features, y

    def _check_X_in_place(self, X: Any) -> Any:
        features = as_features(X)
        if features.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {features.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )
        names = getattr(features, "feature_names", None)
        if names is not None and list(getattr(self, "feature_names_in_", names)) != names:
            raise ValueError("The feature names should match those that were passed during fit.")
        return features

    def _design(
        self,
        X: Any,
        weights: FloatArray | None,
        offset: Any = None,
        family: str = "gaussian",
        is_penalised: bool = True,
    ) -> Design:
        """X, or Statistics of it, with the parameters of this estimator."""
        owner = type(self).__name__
        lower, upper = check_limits(self.lower, self.upper, X.shape[1], owner)
        factors = check_factors(self.penalty_factor, X.shape[1], owner)
        if not is_penalised:  # the library certifies factors of zero, not penalties of zero
            factors = np.zeros(X.shape[1]) if factors is None else np.where(factors == np.inf, np.inf, 0.0)
        return Design(
            library_source(X),
            weights=weights,
            factors=factors,
            positive=self.positive,
            lower=lower,
            upper=upper,
            offset=None if offset is None else check_offset(offset, X.shape[0]),
            intercept=self.fit_intercept,
            standardize=self.standardize,
            family=family,
        )

    def _keep_certificates(self, answers: list[Solutions], at: int = 0, unit: float = 1.0) -> None:
        """What setting `at` of the answers, one a target, says beside its coefficients; a single target has no axis
        of targets. `unit` is what the objective is multiplied by that the dual gaps are of."""
        columns: dict[str, list[Any]] = {
            "dual_gap_": [unit * float(answer.dual_gaps[at]) for answer in answers],
            "relative_gap_": [float(answer.gaps[at]) for answer in answers],
            "lambda1_": [float(answer.lambda1[at]) for answer in answers],
            "lambda2_": [float(answer.lambda2[at]) for answer in answers],
            "t_": [float(answer.t[at]) for answer in answers],
        }
        single = len(answers) == 1
        for name, values in columns.items():
            setattr(self, name, values[0] if single else np.array(values))
        certificates = [answer.certificates[at] for answer in answers]
        statuses = [answer.status[at] for answer in answers]
        self.support_certificate_ = certificates[0] if single else certificates
        self._proofs = [None if answer.proofs is None else answer.proofs[at] for answer in answers]
        self.status_ = statuses[0] if single else statuses

    def _keep_deviances(self, answers: list[Solutions], at: int = 0) -> None:
        deviances = np.array([answer.deviances[at] for answer in answers])
        nulls = np.array([answer.null_deviance for answer in answers])
        single = len(answers) == 1
        self.deviance_ = float(deviances[0]) if single else deviances
        self.null_deviance_ = float(nulls[0]) if single else nulls

    def _keep_left_out(self, solutions: Solutions) -> None:
        self.left_out_ = solutions.left_out
        warn_if_left_out(solutions, getattr(self, "feature_names_in_", None), stacklevel=4)

    def _controls(self, X: Any = None, progress: Any = None) -> Controls:
        # Where arrays are dispatched, X says where: scikit-learn's estimators have no device.
        device = "cuda" if isinstance(X, GpuFeatures) and is_dispatched() else self.device
        return Controls(self.tol, self.max_iter, self.n_jobs, progress, device, proofs=True)

    def _linear(self, X: Any, offset: Any) -> FloatArray:
        """The linear predictor, with the offset of the rows."""
        check_is_fitted(self)
        fitted: FloatArray = self._apply(X)
        if offset is None:
            return fitted
        known = check_offset(offset, len(fitted))
        shifted: FloatArray = fitted + (known if fitted.ndim == 1 else known[:, np.newaxis])
        return shifted

    def _apply(self, X: Any) -> Any:
        if is_in_place(X):
            X = self._check_X_in_place(X)
        else:
            X = on_host(X)
            X = validate_data(self, X, accept_sparse=["csr", "csc", "coo"], dtype=types_of(X), reset=False)
        return times(X, on_host(self.coef_).T) + on_host(self.intercept_)

    @property
    def support_proof_(self) -> NDArray[np.str_]:
        """What the gap proves of each feature: 'selected', 'zero', 'undecided' or 'left out'; a row for each of
        several targets."""
        check_is_fitted(self)
        if self._proofs[0] is None:
            raise AttributeError("this fit was made of sums over a cluster, which prove no feature by itself")
        names = proof_names(self._proofs)
        return names[0] if len(names) == 1 else names

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients as a compressed matrix, one row for each target."""
        check_is_fitted(self)
        return sparse.csr_matrix(np.atleast_2d(on_host(self.coef_)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """scikit-learn's diagram, followed by the results of the fit."""
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle and hasattr(self, "coef_"):
            bundle["text/html"] += fit_table(self)
        return bundle


class LinearRegressor(RegressorMixin, LinearModel):  # type: ignore[misc]
    """Base of the regressors of a gaussian response: the linear predictor predicts."""

    def predict(self, X: Any, offset: Any = None) -> FloatArray:
        """Predict the target: X coef_ + intercept_, plus the offset.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features); an X on a GPU is multiplied there
        offset : array of shape (n_samples,), the known part of these rows; None: nothing

        Returns
        -------
        array of shape (n_samples,) or (n_samples, n_targets), of NumPy, or with array API dispatch of X's kind
        """
        return self._answer(X, "predict", self._linear(X, offset))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The coefficient of determination of the predictions, as in scikit-learn.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array of shape (n_samples,); None: all one
        """
        predicted = on_host(self.predict(X))
        with config_context(array_api_dispatch=False):
            return float(r2_score(on_host(y), predicted, sample_weight=on_host(sample_weight)))


class Classifier(ClassifierMixin):  # type: ignore[misc]
    """scikit-learn's mixin, whose score asks that y and the predictions be of one kind."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of the samples whose class is predicted, as in scikit-learn.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,), the classes
        sample_weight : array of shape (n_samples,); None: all one
        """
        predicted = on_host(self.predict(X))  # type: ignore[attr-defined]
        with config_context(array_api_dispatch=False):
            return float(accuracy_score(on_host(y), predicted, sample_weight=on_host(sample_weight)))


def _number(value: Any) -> str:
    values = np.atleast_1d(np.asarray(on_host(value), dtype=np.float64))
    return ", ".join(f"{entry:.6g}" for entry in values[:4]) + (", ..." if len(values) > 4 else "")


def fit_table(model: Any) -> str:
    """The results of a fit as an HTML table: penalties, gap, proven support, the largest coefficients."""
    rows: list[tuple[str, str]] = []
    for label, name in (
        ("alpha", "alpha_"),
        ("C", "C_"),
        ("alpha, one standard error", "alpha_1se_"),
        ("l1_ratio", "l1_ratio_"),
        ("t", "t_"),
        ("lambda1", "lambda1_"),
        ("intercept", "intercept_"),
        ("duality gap", "dual_gap_"),
        ("deviance", "deviance_"),
        ("null deviance", "null_deviance_"),
    ):
        if hasattr(model, name):
            rows.append((label, _number(getattr(model, name))))
    if hasattr(model, "status_"):
        rows.append(("status", ", ".join(sorted(set(np.atleast_1d(model.status_))))))
    validations = getattr(model, "cross_validation_", [])
    missed = sum(each.missed for each in (validations if isinstance(validations, list) else [validations]))
    if missed:
        rows.append(("fold fits above the tolerance", str(missed)))
    certificate = getattr(model, "support_certificate_", None)
    if isinstance(certificate, SupportCertificate):
        selected, zero, undecided, left_out = certificate
        text = f"{selected} proven selected, {zero} proven zero, {undecided} undecided"
        rows.append(("support", text + (f", {left_out} left out" if left_out else "")))
    coefs = on_host(model.coef_)
    if np.ndim(coefs) == 1 or len(coefs) == 1:
        coef = np.ravel(coefs)
        names = getattr(model, "feature_names_in_", None)
        order = np.argsort(-np.abs(coef), kind="stable")[:10]
        for j in order[coef[order] != 0]:
            rows.append((str(names[j]) if names is not None else f"x{j}", f"{coef[j]:.6g}"))
    cells = "".join(f"<tr><th>{escape(label)}</th><td>{escape(text)}</td></tr>" for label, text in rows)
    return f'<table class="svenet-fit">{cells}</table>'
