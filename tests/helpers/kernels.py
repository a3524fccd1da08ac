"""Kernels that run stored machine code, in the state of a new process."""

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


def length(array):
    """Return the length of an array."""
    return len(array)
