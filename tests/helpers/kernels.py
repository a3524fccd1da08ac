"""Kernels in the state of a new process, with or without stored machine code."""

from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit.deferred import DeferredKernel


def deferred_kernel(function):
    return DeferredKernel(function, is_inlined=False)


def stored_kernel(function, *arguments):
    """Return a kernel in the state of a new process, with an entry point for some arguments."""
    deferred_kernel(function)(*arguments)
    return deferred_kernel(function)


def runs_without_numba(kernel):
    """Return whether all calls of a kernel so far have used entry points."""
    return kernel._dispatcher is None and jit_compile.is_loaded(kernel)


def uncached(function):
    """Return a new dispatcher, without a cache, for the function of a kernel."""
    compiled = jit_compile.kernel(function.py_func)
    vars(compiled._cache)["_cache"] = compiled._cache._no_cache
    return compiled


def length(array):
    """Return the length of an array."""
    return len(array)
