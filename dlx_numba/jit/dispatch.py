"""The dispatchers of kernels: all options of Numba. This module and its imports need Numba."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
from numba.core import event
from numba.core.dispatcher import Dispatcher

from ..runtime.workers import call_in_thread
from . import lowering, simd_lowering  # noqa: F401  (they register the lowering)
from .cache import LazyCache
from .monitoring import compilation_ended, compilation_started, loading_clock


def make_dispatcher(function: Callable[..., Any], *, is_inlined: bool) -> Any:
    """Return Numba's dispatcher for a kernel, or the function itself under NUMBA_DISABLE_JIT.

    In the main thread, another thread compiles: after the exception of a signal handler, Numba
    could not compile the kernel any more.

    Kernels allocate nothing, so they need no reference counts (`_nrt=False`). With reference
    counts, every call from one kernel to another would update one atomic counter per array, which
    made the search three times slower.
    """
    options = {"forceinline": True} if is_inlined else {}
    dispatcher = numba.njit(nogil=True, _nrt=False, **options)(function)
    if isinstance(dispatcher, Dispatcher) and not is_inlined:
        dispatcher._cache = LazyCache(function)  # type: ignore[attr-defined]
        compile_for_args = dispatcher._compile_for_args  # type: ignore[attr-defined]

        def compile_in_thread(*arguments: Any, **named: Any) -> Any:
            call = partial(compile_for_args, *arguments, **named)
            # The other thread may wait for the end of an import that this thread has begun.
            return call() if _is_being_imported(function.__module__) else call_in_thread(call)

        dispatcher._compile_for_args = compile_in_thread  # type: ignore[attr-defined]
    return dispatcher


def _is_being_imported(module: str) -> bool:
    specification = getattr(sys.modules.get(module), "__spec__", None)
    return getattr(specification, "_initializing", False)


class _LoadingListener(event.Listener):
    def on_start(self, event: Any) -> None:
        loading_clock.start()

    def on_end(self, event: Any) -> None:
        loading_clock.stop()


class _CompileListener(event.Listener):
    def on_start(self, event: Any) -> None:
        compilation_started(event.data["dispatcher"].__name__)

    def on_end(self, event: Any) -> None:
        compilation_ended(event.data["dispatcher"].__name__)


# Numba holds the compiler lock while it loads or compiles a kernel.
event.register("numba:compiler_lock", _LoadingListener())
event.register("numba:compile", _CompileListener())
