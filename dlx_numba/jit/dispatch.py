"""The dispatchers of kernels: all options of Numba. This module and its imports need Numba."""

import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numba

from ..runtime.workers import call_in_thread
from . import lowering, simd_lowering  # noqa: F401  (they register the lowering)
from .internals import numba_internals

with numba_internals():
    from . import listeners  # noqa: F401  (it registers the listeners)


def make_dispatcher(function: Callable[..., Any], *, is_inlined: bool) -> Any:
    """Return Numba's dispatcher for a kernel, or the function itself under NUMBA_DISABLE_JIT.

    The method `has_entries` of a dispatcher returns whether its disk cache has machine code.
    """
    if numba.config.DISABLE_JIT:
        return function
    inlining = {"forceinline": True} if is_inlined else {}
    dispatcher = numba.njit(nogil=True, **_without_reference_counts(), **inlining)(function)
    dispatcher.has_entries = lambda: False
    if not is_inlined:
        with numba_internals():
            from .cache import LazyCache

            dispatcher._cache = LazyCache(function, dispatcher._cache)
            dispatcher.has_entries = dispatcher._cache.has_entries
        with numba_internals():
            _compile_in_thread(dispatcher, function.__module__)
    return dispatcher


def _compile_in_thread(dispatcher: Any, module: str) -> None:
    """Let a dispatcher that is called in the main thread compile in another thread.

    If an exception of a signal handler interrupts Numba, it can no longer compile the kernel.
    """
    compile_for_args = dispatcher._compile_for_args

    def compile_in_thread(*arguments: Any, **named: Any) -> Any:
        call = partial(compile_for_args, *arguments, **named)
        # The other thread may wait for the end of an import that this thread has begun.
        return call() if _is_being_imported(module) else call_in_thread(call)

    dispatcher._compile_for_args = compile_in_thread


def _is_being_imported(module: str) -> bool:
    specification = getattr(sys.modules.get(module), "__spec__", None)
    return getattr(specification, "_initializing", False)


@cache
def _without_reference_counts() -> dict[str, bool]:
    """Return the option that disables reference counting, if Numba has one.

    Kernels allocate nothing. With reference counts, every call from one kernel to another would
    update one atomic counter per array, which made the search three times slower.
    """
    options = {"_nrt": False}
    with numba_internals():
        from numba.core.compiler import Flags

        numba.njit(**options)(lambda: None).targetdescr.options.parse_as_flags(Flags(), options)
        return options
    return {}
