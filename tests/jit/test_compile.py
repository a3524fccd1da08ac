"""The policy of compilation: plain Python, and kernels that are ready."""

import numpy as np
import pytest

from dlx_numba.jit import compile as jit_compile
from tests.helpers.kernels import uncached

pytestmark = pytest.mark.compiled


@jit_compile.kernel
def double(numbers):
    """Double the numbers in place and return how many there are."""
    for k in range(len(numbers)):
        numbers[k] *= 2
    return len(numbers)


@jit_compile.kernel
def double_twice(numbers):
    """Double the numbers twice; calls another kernel."""
    return double(numbers) + double(numbers)


def test_plain_python_calls_no_compiled_kernel(monkeypatch):
    plain = jit_compile.plain_python(double_twice)
    assert plain is jit_compile.plain_python(double_twice)
    monkeypatch.setattr(type(double), "__call__", None)
    numbers = [1, "a"]  # the compiled kernel would reject a list of different types
    assert plain(numbers) == 4
    assert numbers == [4, "aaaa"]


def test_calls_of_a_kernel_are_observed():
    calls = []

    def observed(numbers):
        calls.append(list(numbers))
        return jit_compile.plain_python(double)(numbers)

    plain = jit_compile.plain_python_with(double_twice, double=observed)
    assert plain([1, 2]) == 4
    assert calls == [[1, 2], [2, 4]]
    assert jit_compile.plain_python(double_twice)([1]) == 2
    assert len(calls) == 2


def test_plain_python_has_the_default_arguments():
    @jit_compile.kernel
    def scaled(number, factor=2):
        return factor * number

    plain = jit_compile.plain_python(scaled)
    assert (plain(3), plain(3, 4)) == (6, 12)
    assert plain.__name__ == "scaled"


def test_kernels_that_must_be_compiled_run_as_plain_python_at_first():
    kernel = uncached(double)
    versions = [jit_compile.without_delay(kernel) for _ in range(jit_compile.MAX_PYTHON_CALLS + 1)]
    assert versions == [jit_compile.plain_python(kernel)] * jit_compile.MAX_PYTHON_CALLS + [kernel]
    compiled = uncached(double)
    with jit_compile.always_compiled():
        assert jit_compile.without_delay(compiled) is compiled
    compiled(np.ones(2))
    assert jit_compile.without_delay(compiled) is compiled


def test_cached_kernels_are_not_replaced():
    double(np.ones(2))  # caches it
    again = jit_compile.kernel(double.py_func)
    assert not again.signatures
    assert jit_compile.without_delay(again) is again
