"""The shared library of bench/compare_lib by ctypes: NumPy buffers in, NumPy buffers out, no copies."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

try:  # bench/threads does without
    import scipy.sparse

    Matrix = np.ndarray | scipy.sparse.csc_matrix
except ImportError:
    Matrix = np.ndarray

STATUS = ["optimal", "ridge", "not_unique", "iteration_limit", "cancelled"]


class Form(IntEnum):
    MIXING = 0  # (lambda, alpha)
    PENALTY = 1  # (l1, l2)
    BUDGET = 2  # (t, l2)


class MatrixBuffers(ctypes.Structure):
    _fields_ = [
        ("layout", ctypes.c_int32),
        ("rows", ctypes.c_int64),
        ("cols", ctypes.c_int64),
        ("values", ctypes.c_void_p),
        ("indices", ctypes.c_void_p),
        ("offsets", ctypes.c_void_p),
    ]


class PathRequest(ctypes.Structure):
    _fields_ = [
        ("form", ctypes.c_int32),
        ("intercept", ctypes.c_int32),
        ("standardize", ctypes.c_int32),
        ("threads", ctypes.c_int32),
        ("tolerance", ctypes.c_double),
        ("count", ctypes.c_int64),
        ("first", ctypes.c_void_p),
        ("second", ctypes.c_void_p),
    ]


class PathAnswer(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("coefficients", "intercepts", "gaps", "t", "status")]


class MachineChoice(ctypes.Structure):
    """The numbers of SvenMethod, SvenSvm and SvenDevice in sven/sven.h."""

    _fields_ = [("method", ctypes.c_int32), ("svm", ctypes.c_int32), ("device", ctypes.c_int32)]


class ChosenPathRequest(ctypes.Structure):
    _fields_ = [("path", PathRequest), ("choice", MachineChoice)]


class OutcomePathRequest(ctypes.Structure):
    _fields_ = [("path", PathRequest), ("family", ctypes.c_int32)]


class CvRequest(ctypes.Structure):
    _fields_ = [
        ("intercept", ctypes.c_int32),
        ("standardize", ctypes.c_int32),
        ("threads", ctypes.c_int32),
        ("folds", ctypes.c_int32),
        ("tolerance", ctypes.c_double),
        ("alpha", ctypes.c_double),
        ("count", ctypes.c_int64),
        ("lambdas", ctypes.c_void_p),
        ("fold_of_row", ctypes.c_void_p),
    ]


class CvAnswer(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_void_p)
        for name in ("mean", "standard_error", "fold_error", "coefficients", "intercept", "gap", "selection")
    ]


class ReadAnswer(ctypes.Structure):
    _fields_ = [
        ("rows", ctypes.c_int64),
        ("cols", ctypes.c_int64),
        ("response_total", ctypes.c_double),
    ]


@dataclass
class PathSolution:
    """The solutions of a path as sven reports them."""

    coefficients: np.ndarray  # settings x features, on the scale of X
    intercepts: np.ndarray
    gaps: np.ndarray
    t: np.ndarray
    status: np.ndarray


@dataclass
class CvSolution:
    """Errors along the lambdas, and the model of least error."""

    mean: np.ndarray
    standard_error: np.ndarray
    fold_error: np.ndarray  # lambdas x folds
    coefficients: np.ndarray
    intercept: np.ndarray  # one
    gap: np.ndarray  # one: largest on the path of all rows
    selection: np.ndarray  # index of the least error, and of the one-standard-error choice


def matrix_buffers(X: Matrix) -> MatrixBuffers:
    if not isinstance(X, np.ndarray):
        if X.format not in ("csc", "csr") or X.indices.dtype != np.int32 or X.indptr.dtype != np.int32:
            raise TypeError("a sparse X has to be CSC or CSR with 32-bit indices")
        return MatrixBuffers(2 if X.format == "csc" else 3, *X.shape, X.data.ctypes.data, X.indices.ctypes.data, X.indptr.ctypes.data)
    if X.dtype != np.float64 or not (X.flags.f_contiguous or X.flags.c_contiguous):
        raise TypeError("a dense X has to be contiguous and float64")
    return MatrixBuffers(0 if X.flags.f_contiguous else 1, *X.shape, X.ctypes.data, None, None)


class Library:
    def __init__(self, path: Path | str) -> None:
        self._library = ctypes.CDLL(str(path))
        self._library.sven_ceiling_pass.restype = ctypes.c_double
        self._library.sven_ceiling_read.restype = ctypes.c_double
        self._library.sven_ceiling_gemm.restype = ctypes.c_double

    def solve_path(
        self,
        X: Matrix,
        y: np.ndarray,
        settings: np.ndarray,
        *,
        form: Form = Form.MIXING,
        intercept: bool,
        standardize: bool,
        tolerance: float,
        threads: int,
        choice: MachineChoice | None = None,
        family: int = 0,
    ) -> PathSolution:
        """`settings`: one row each, two columns, as the form says. `family`: the number of SvenFamily."""
        count, p = len(settings), X.shape[1]
        first, second = (np.ascontiguousarray(column, dtype=np.float64) for column in np.transpose(settings))
        result = PathSolution(
            np.zeros((count, p)), np.empty(count), np.empty(count), np.empty(count), np.empty(count, dtype=np.int32)
        )
        request = PathRequest(
            form, intercept, standardize, threads, tolerance, count, first.ctypes.data, second.ctypes.data
        )
        answer = PathAnswer(*(getattr(result, name).ctypes.data for name, _ in PathAnswer._fields_))
        if family:
            self._call(self._library.sven_compare_outcome_path, X, y, OutcomePathRequest(request, family), answer)
        elif choice is None:
            self._call(self._library.sven_compare_path, X, y, request, answer)
        else:
            self._call(self._library.sven_compare_path_by, X, y, ChosenPathRequest(request, choice), answer)
        return result

    def read(self, file: Path, threads: int) -> tuple[int, int, float]:
        """Rows, columns without the target, and the sum of the target."""
        answer, message = ReadAnswer(), ctypes.create_string_buffer(500)
        path = ctypes.c_char_p(str(file).encode())
        if self._library.sven_compare_read(path, threads, ctypes.byref(answer), message, ctypes.c_int64(500)):
            raise RuntimeError(message.value.decode())
        return answer.rows, answer.cols, answer.response_total

    def cross_validate(
        self,
        X: Matrix,
        y: np.ndarray,
        lambdas: np.ndarray,
        fold_of_row: np.ndarray,
        *,
        alpha: float,
        standardize: bool,
        tolerance: float,
        threads: int,
    ) -> CvSolution:
        """With an intercept. `fold_of_row`: 64-bit, from 0."""
        count, folds = len(lambdas), int(fold_of_row.max()) + 1
        result = CvSolution(
            np.empty(count),
            np.empty(count),
            np.empty((count, folds)),
            np.zeros(X.shape[1]),
            np.empty(1),
            np.empty(1),
            np.empty(2, dtype=np.int64),
        )
        request = CvRequest(
            1, standardize, threads, folds, tolerance, alpha, count, lambdas.ctypes.data, fold_of_row.ctypes.data
        )
        answer = CvAnswer(*(getattr(result, name).ctypes.data for name, _ in CvAnswer._fields_))
        self._call(self._library.sven_compare_cv, X, y, request, answer)
        return result

    @staticmethod
    def _call(function: Any, X: Matrix, y: np.ndarray, request: ctypes.Structure, answer: ctypes.Structure) -> None:
        message = ctypes.create_string_buffer(500)
        if function(
            ctypes.byref(matrix_buffers(X)),
            ctypes.c_void_p(y.ctypes.data),
            ctypes.byref(request),
            ctypes.byref(answer),
            message,
            ctypes.c_int64(len(message)),
        ):
            raise RuntimeError(message.value.decode())

    def count_processor_time(self) -> None:
        """In place of the clock's, for the ceilings below."""
        self._library.sven_ceilings_by_processor()

    def pass_seconds(self, X: Matrix, threads: int, repeats: int = 7) -> float:
        """One product X'r by the fastest kernel at hand."""
        r, out = np.ones(X.shape[0]), np.empty(X.shape[1])
        return self._library.sven_ceiling_pass(
            ctypes.byref(matrix_buffers(X)),
            ctypes.c_void_p(r.ctypes.data),
            ctypes.c_void_p(out.ctypes.data),
            threads,
            repeats,
        )

    def read_bandwidth(self, threads: int, megabytes: int = 512, repeats: int = 7) -> float:
        """Bytes per second."""
        data = np.ones(megabytes * 2**17)
        return self._library.sven_ceiling_read(
            ctypes.c_void_p(data.ctypes.data), ctypes.c_int64(len(data)), threads, repeats
        )

    def gemm_rate(self, threads: int, order: int = 1536, repeats: int = 5) -> float:
        """Floating-point operations per second."""
        return self._library.sven_ceiling_gemm(ctypes.c_int64(order), threads, repeats)
