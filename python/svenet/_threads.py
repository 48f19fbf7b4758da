"""The thread pool of the module, made known to threadpoolctl: limits that users set hold for our solves too."""

from __future__ import annotations

from importlib.util import find_spec

from . import _core


def register() -> None:
    """Once, where threadpoolctl is installed in a version that takes controllers (3.2)."""
    if find_spec("threadpoolctl") is None:
        return
    import threadpoolctl

    if not hasattr(threadpoolctl, "register"):
        return

    class PoolController(threadpoolctl.LibController):  # type: ignore[misc]
        """Limits hold for the calling thread, as OpenMP's do, and for those who ask for "openmp" by name."""

        user_api = "openmp"
        internal_api = "svenet"
        filename_prefixes = ("_core",)
        check_symbols = ("svenet_allowed_threads",)

        def get_num_threads(self) -> int:
            return _core.allowed_threads()

        def set_num_threads(self, num_threads: int) -> None:
            _core.limit_threads(num_threads)

        def get_version(self) -> str:
            return _core.__version__

    threadpoolctl.register(PoolController)
