"""Who is measured. A rival is a solver of the harness on a task of one setting."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import time
from dataclasses import dataclass

import numpy as np

from harness.library import Form, MachineChoice, matrix_buffers
from harness.solvers import Refused, Solver, Sven, Task, available_memory, refuse_large_gram

PRIMAL, DUAL = 1, 2  # SvenMethod
LIBLINEAR = 1  # SvenSvm
CUDA = 1  # SvenDevice


@dataclass(frozen=True)
class SingleTask(Task):
    """One lambda, and the budget that belongs to it."""

    t: float = 0.0

    @property
    def l1(self) -> float:
        return 2 * len(self.y) * float(self.lambdas[0]) * self.alpha

    @property
    def l2(self) -> float:
        return len(self.y) * float(self.lambdas[0]) * (1 - self.alpha)


@dataclass(frozen=True)
class Rival:
    label: str
    solver: str  # module:Class
    what: str
    is_ours: bool = False


RIVALS = [
    Rival("SVEN", "paper.rivals:SvenSingle", "this project, method chosen by itself, budget form", True),
    Rival("SVEN primal", "paper.rivals:SvenPrimal", "over the columns of X", True),
    Rival("SVEN dual", "paper.rivals:SvenDual", "over the kernel, the p x p Gram matrix", True),
    Rival("SVEN GPU", "paper.rivals:SvenGpu", "the same on the GPU, transfer of X counted", True),
    Rival(
        "SVEN explicit",
        "paper.rivals:ExplicitMachine",
        "2p samples formed as the paper has them, then sven::svm::train",
        True,
    ),
    Rival("LIBLINEAR", "paper.rivals:Liblinear", "LIBLINEAR's squared hinge on the 2p samples"),
    Rival(
        "libsvm",
        "paper.rivals:Libsvm",
        "scikit-learn's libsvm: one-class machine on the precomputed kernel plus I/(2C), which is the squared-hinge "
        "dual up to scale, box never active",
    ),
    Rival("glmnet", "harness.glmnet:Glmnet", "R's glmnet at one lambda"),
    Rival("Shotgun", "paper.rivals:Shotgun", "parallel coordinate descent, written here from its paper (2011)"),
    Rival("L1_LS", "paper.rivals:L1Ls", "interior point with conjugate gradients, written here from its paper (2007)"),
    Rival("scikit-learn", "harness.peers:ScikitLearn", "enet_path at one alpha"),
    Rival("scikit-learn Gram", "harness.peers:ScikitLearnGram", "the same with precompute=True"),
    Rival("celer", "harness.peers:Celer", "working sets, dual extrapolation"),
    Rival("skglm", "harness.peers:Skglm", "working sets, Anderson acceleration"),
    Rival("adelie", "harness.peers:Adelie", "coordinate descent with the pivot rule"),
]
PACKAGES = {"scikit-learn": "sklearn", "scikit-learn Gram": "sklearn", "libsvm": "sklearn", "adelie cov": "adelie"}


def why_missing(label: str) -> str | None:
    """Why a rival cannot be measured on this machine, as far as that is known without trying."""
    if label == "SVEN GPU" and not shutil.which("nvidia-smi"):
        return "there is no GPU"
    if label == "glmnet" and not shutil.which("Rscript"):
        return "R is not installed"
    package = PACKAGES.get(label, label)
    if package in ("sklearn", "celer", "skglm", "adelie") and not importlib.util.find_spec(package):
        return "the package is not installed"
    return None


BY_LABEL = {rival.label: rival for rival in RIVALS}


class SvenSingle(Sven):
    """The paper's form: (t, l2)."""

    form = Form.BUDGET
    choice = MachineChoice(0, 0, 0)
    is_budget = True

    def __init__(self, task: SingleTask) -> None:
        super().__init__(task)
        self.settings = np.array([[task.t, task.l2]])

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        task = self.task
        found = self.library.solve_path(
            task.X,
            task.y,
            self.settings,
            form=self.form,
            intercept=False,
            standardize=False,
            tolerance=tolerance or self.default_tolerance,
            threads=task.threads,
            choice=self.choice,
        )
        return found.coefficients, found.intercepts


class SvenPrimal(SvenSingle):
    choice = MachineChoice(PRIMAL, 0, 0)


class SvenDual(SvenSingle):
    choice = MachineChoice(DUAL, 0, 0)

    def __init__(self, task: SingleTask) -> None:
        refuse_large_gram(task)
        super().__init__(task)


class SvenGpu(SvenSingle):
    choice = MachineChoice(0, 0, CUDA)


def refuse_samples(task: SingleTask) -> None:
    """For those that form the 2p samples."""
    if task.alpha == 1:
        raise Refused("l2 = 0 is a hard margin: C would be infinite")
    if task.is_sparse:
        raise Refused("the samples of a sparse X are dense")
    size = 2 * 2 * 8 * task.X.size  # the samples, and what the machine makes of them
    if size > 0.6 * available_memory():
        raise Refused(f"would need {size / 1e9:.0f} GB for the samples")


class Liblinear(SvenSingle):
    """Its tolerance is on the scale of a gradient, not of a gap."""

    choice = MachineChoice(0, LIBLINEAR, 0)
    default_tolerance = 1e-3
    tightest = 1e-13

    def __init__(self, task: SingleTask) -> None:
        refuse_samples(task)
        super().__init__(task)


class Libsvm(Solver):
    """The dual of the squared hinge, min 1/2 a'Qa - 1'a over a >= 0 with Q = Z'Z + I/(2C), has the direction of
    min a'Qa over a >= 0 with sum(a) = 1, and b needs the direction only. That is libsvm's one-class machine: no bias,
    which its classifier would add. A constant added to Q changes nothing there: ||y||^2/t^2 is left out, so that
    libsvm's float32 cache keeps its digits for the rest."""

    is_budget = True
    default_tolerance = 1e-3
    tightest = 1e-12

    def __init__(self, task: SingleTask) -> None:
        super().__init__(task)
        if task.alpha == 1:
            raise Refused("l2 = 0 is a hard margin: C would be infinite")
        refuse_large_gram(task, copies=12)  # four blocks, and two copies on the way into libsvm

    def kernel(self) -> np.ndarray:
        task = self.task
        X = task.X
        gram = X.T @ X
        gram = gram.toarray() if task.is_sparse else gram
        shift = (X.T @ task.y) / task.t
        rows, columns = shift[:, None], shift[None, :]
        kernel = np.block(
            [[gram - rows - columns, -gram - rows + columns], [-gram + rows - columns, gram + rows + columns]]
        )
        kernel[np.diag_indices_from(kernel)] += task.l2
        return kernel / np.abs(np.diagonal(kernel)).mean()  # libsvm's tolerance is absolute

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        from sklearn.svm import OneClassSVM

        kernel, p = self.kernel(), self.task.X.shape[1]
        machine = OneClassSVM(
            kernel="precomputed", nu=1 / (2 * p), tol=tolerance or self.default_tolerance, cache_size=2000
        )
        machine.fit(kernel)
        alpha = np.zeros(2 * p)
        alpha[machine.support_] = machine.dual_coef_[0]
        beta = self.task.t * (alpha[:p] - alpha[p:]) / alpha.sum()
        return beta[None, :], np.zeros(1)


class RivalRequest(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_int32),
        ("threads", ctypes.c_int32),
        ("first", ctypes.c_double),
        ("second", ctypes.c_double),
        ("tolerance", ctypes.c_double),
    ]


class RivalAnswer(ctypes.Structure):
    _fields_ = [("beta", ctypes.c_void_p), ("forming", ctypes.c_double), ("training", ctypes.c_double)]


class Compiled(Solver):
    """One of bench/paper/rivals."""

    name = 0

    def __init__(self, task: SingleTask) -> None:
        super().__init__(task)
        self.library = ctypes.CDLL(os.environ["PAPER_RIVALS_LIBRARY"])
        self.threads = task.threads
        self.parts: dict[str, float] = {}

    def first(self) -> float:
        return self.task.l1

    def call(self, tolerance: float, threads: int) -> np.ndarray:
        task = self.task
        beta = np.zeros(task.X.shape[1])
        request = RivalRequest(self.name, threads, self.first(), task.l2, tolerance)
        answer = RivalAnswer(beta.ctypes.data, 0, 0)
        message = ctypes.create_string_buffer(500)
        if self.library.paper_rival(
            ctypes.byref(matrix_buffers(task.X)),
            ctypes.c_void_p(task.y.ctypes.data),
            ctypes.byref(request),
            ctypes.byref(answer),
            message,
            ctypes.c_int64(len(message)),
        ):
            raise RuntimeError(message.value.decode())
        self.parts = {"forming": answer.forming, "training": answer.training}
        return beta

    def path(self, tolerance: float | None) -> tuple[np.ndarray, np.ndarray]:
        return self.call(tolerance or self.default_tolerance, self.threads)[None, :], np.zeros(1)


class Shotgun(Compiled):
    """As many coordinates at once as threads, or one at a time without atomic updates, whichever is faster at the
    first setting; that is found out before the clock starts."""

    name = 0
    default_tolerance = 1e-4
    tightest = 1e-13

    def __init__(self, task: SingleTask, threads: int | None = None) -> None:
        super().__init__(task)
        self.threads = threads or min((1, task.threads), key=self._rough_seconds)

    def _rough_seconds(self, threads: int) -> float:
        start = time.perf_counter()
        self.call(1e-2, threads)
        return time.perf_counter() - start

    def at(self, task: SingleTask) -> Shotgun:
        return Shotgun(task, self.threads)


class L1Ls(Compiled):
    """Its tolerance is that of its own relative duality gap."""

    name = 1
    default_tolerance = 1e-3
    tightest = 1e-12


class ExplicitMachine(Compiled):
    name = 2
    is_budget = True
    default_tolerance = 1e-10
    tightest = 1e-15

    def __init__(self, task: SingleTask) -> None:
        refuse_samples(task)
        super().__init__(task)

    def first(self) -> float:
        return self.task.t
