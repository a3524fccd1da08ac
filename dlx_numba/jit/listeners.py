"""Listeners that report to `monitoring` when Numba loads or compiles kernels."""

from typing import Any

from numba.core import event

from .internals import numba_internals
from .monitoring import compilation_ended, compilation_started, loading_clock


class _LoadingListener(event.Listener):
    def on_start(self, event: Any) -> None:
        loading_clock.start()

    def on_end(self, event: Any) -> None:
        loading_clock.stop()


class _CompileListener(event.Listener):
    def on_start(self, event: Any) -> None:
        compilation_started(_kernel_name(event))

    def on_end(self, event: Any) -> None:
        compilation_ended(_kernel_name(event))


def _kernel_name(event: Any) -> str:
    with numba_internals():
        return str(event.data["dispatcher"].__name__)
    return "a kernel"


# Numba holds the compiler lock while it loads or compiles a kernel.
event.register("numba:compiler_lock", _LoadingListener())
event.register("numba:compile", _CompileListener())
