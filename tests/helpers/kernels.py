"""Kernels in the state of a new process, with or without stored machine code."""

import pytest

from dlx_numba.jit.compile import Kernel, uses_libraries

needs_libraries = pytest.mark.skipif(not uses_libraries(), reason="needs stored machine code")


def stored_kernel(function, *arguments):
    """Return a kernel in the state of a new process, with stored code for some arguments."""
    Kernel(function)(*arguments)
    return Kernel(function)


def length(array):
    """Return the length of an array."""
    return len(array)
