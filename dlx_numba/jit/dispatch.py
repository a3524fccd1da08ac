"""The dispatchers of kernels: all options of Numba. This module and its imports need Numba."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba

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
    return dispatcher


@cache
def _without_reference_counts() -> dict[str, bool]:
    """Return the option for kernels that need no reference counts, if there is one.

    Kernels allocate nothing. With reference counts, every call from one kernel to another would
    update one atomic counter per array, which made the search three times slower.
    """
    options = {"_nrt": False}
    with numba_internals():
        from numba.core.compiler import Flags

        numba.njit(**options)(lambda: None).targetdescr.options.parse_as_flags(Flags(), options)
        return options
    return {}
