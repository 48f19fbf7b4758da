from collections.abc import Callable, Sequence
from typing import Any

from numpy import float64, int64
from numpy.typing import NDArray

__version__: str

class Matrix:
    @staticmethod
    def dense(array: NDArray[Any]) -> Matrix: ...
    @staticmethod
    def sparse(
        data: NDArray[Any],
        indices: NDArray[Any],
        indptr: NDArray[Any],
        shape: tuple[int, int],
        by_columns: bool,
    ) -> Matrix: ...
    @staticmethod
    def dense_on_gpu(
        entries: tuple[int, str], shape: tuple[int, int], strides: tuple[int, int], owner: object
    ) -> Matrix: ...
    @staticmethod
    def sparse_on_gpu(
        data: tuple[int, str],
        indices: tuple[int, str],
        indptr: tuple[int, str],
        shape: tuple[int, int],
        owner: object,
    ) -> Matrix: ...

    @staticmethod
    def of_tasks(
        rows: int,
        cols: Sequence[int],
        ask: Callable[[list[int], list[bytes], bytes, Callable[[], bool]], Sequence[bytes]],
    ) -> Matrix: ...

class Options:
    def __init__(
        self,
        *,
        tolerance: float,
        max_iterations: int,
        threads: int = ...,
        method: str = ...,
        device: str = ...,
        progress: Callable[[int, int, float], None] | None = ...,
        proofs: bool = ...,
    ) -> None: ...

class Problem:
    def __init__(
        self,
        *,
        matrix: Matrix | Statistics,
        y: NDArray[float64],
        weights: NDArray[float64] | None,
        factors: NDArray[float64] | None,
        lower: NDArray[float64] | None,
        upper: NDArray[float64] | None,
        offset: NDArray[float64] | None,
        nonnegative: bool,
        intercept: bool,
        standardize: bool,
        family: str,
    ) -> None: ...

class Plan:
    def __init__(
        self,
        *,
        folds: Sequence[tuple[NDArray[int64], NDArray[int64]]],
        alpha: float,
        lambdas: NDArray[float64],
        measure: str,
        held: str,
        gammas: NDArray[float64],
        keep: bool,
        grouped: bool,
    ) -> None: ...

class Statistics:
    @staticmethod
    def of(problem: Problem, folds: NDArray[int64] | None, options: Options) -> Statistics: ...
    @staticmethod
    def decode(name: str, data: bytes) -> Statistics: ...
    def encode(self) -> bytes: ...
    def plus(self, other: Statistics) -> Statistics: ...
    def set_names(self, features: Sequence[str], target: str) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    @property
    def total_weight(self) -> float: ...
    @property
    def rounding(self) -> float: ...
    @property
    def folds(self) -> list[int]: ...
    @property
    def feature_names(self) -> list[str]: ...
    @property
    def target_name(self) -> str: ...

class Session:
    def __init__(self, problem: Problem, options: Options) -> None: ...
    def set_response(self, y: NDArray[float64]) -> None: ...
    def set_weights(self, weights: NDArray[float64] | None) -> None: ...
    def set_offset(self, offset: NDArray[float64] | None) -> None: ...
    def set_options(self, options: Options) -> None: ...
    def solve(self, form: str, first: NDArray[float64], second: NDArray[float64]) -> dict[str, Any]: ...
    def lambda_grid(self, count: int, min_ratio: float, glmnet: bool) -> NDArray[float64]: ...
    def cross_validate(self, plan: Plan) -> dict[str, Any]: ...

def solve_path(
    problem: Problem,
    form: str,
    first: NDArray[float64],
    second: NDArray[float64],
    options: Options,
    relax: bool = False,
    least_gain: float | None = None,
) -> dict[str, Any]: ...
def solve_paths(
    problem: Problem,
    responses: NDArray[float64],
    form: str,
    first: NDArray[float64],
    second: NDArray[float64],
    options: Options,
) -> list[dict[str, Any]]: ...
def lambda_grid(
    problem: Problem, count: int, min_ratio: float, glmnet: bool, options: Options
) -> NDArray[float64]: ...
def make_folds(
    kind: str, values: NDArray[float64], count: int, seed: int, repeats: int
) -> list[tuple[NDArray[int64], NDArray[int64]]]: ...
def cross_validate(problem: Problem, plan: Plan, options: Options) -> dict[str, Any]: ...
def read_plink(
    path: str,
    phenotypes: str | None,
    phenotype_name: str | None,
    covariates: str | None,
    counts_second: bool,
    has_target: bool,
) -> dict[str, Any]: ...
def train(
    matrix: Matrix, labels: NDArray[float64], costs: NDArray[float64], options: Options
) -> dict[str, Any]: ...
def transform(family: str, type: str, eta: NDArray[float64]) -> NDArray[float64]: ...
def answer_for_columns(part: Matrix, message: bytes, common: bytes) -> bytes: ...
def multiply(matrix: Matrix, coefficients: NDArray[float64]) -> NDArray[float64]: ...
def describe_dlpack(array: object) -> dict[str, Any]: ...
def why_no_device() -> str: ...
def allowed_threads() -> int: ...
def available_threads() -> int: ...
def limit_threads(threads: int) -> None: ...
