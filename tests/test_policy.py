"""Where kernels are kept, and what happens where they cannot be."""

import errno
import os

import numpy as np
import pytest
from numba.core.caching import NullCache

from dlx_numba import policy

pytestmark = pytest.mark.compiled


@policy.kernel
def double(numbers):
    """Enough of a kernel."""
    for k in range(len(numbers)):
        numbers[k] *= 2
    return len(numbers)


def compiled_anew(function):
    return policy.kernel(function.py_func)


def test_no_place_to_keep_kernels(monkeypatch):
    def no_locator(function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(policy, "_PackageCache", no_locator)
    kernel = compiled_anew(double)
    numbers = np.ones(3)
    assert kernel(numbers) == 3
    assert numbers.tolist() == [2, 2, 2]
    assert isinstance(kernel._cache._cache, NullCache)


def test_a_full_disk(monkeypatch, tmp_path):
    class Full(NullCache):
        def __init__(self, function):
            pass

        def save_overload(self, sig, cres):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(policy, "_PackageCache", Full)
    assert compiled_anew(double)(np.ones(3)) == 3


def test_an_edit_in_another_file_is_noticed(monkeypatch):
    cache = policy._PackageCache(double.py_func)
    codegen = double.targetctx.codegen()
    before = cache._index_key((), codegen)
    monkeypatch.setattr(policy, "_fingerprint", lambda: "other")
    assert cache._index_key((), codegen) != before


def test_compilations_are_told_of_once():
    told = []
    with policy.watch_compilation(
        lambda name: told.append(name), lambda name, seconds: told.append(seconds)
    ):
        kernel = policy.kernel(double.py_func)
        kernel._cache.__dict__["_cache"] = NullCache()
        kernel(np.ones(2, np.float32))
        kernel(np.ones(2, np.float32))
    name, seconds = told
    assert name == "double"
    assert seconds > 0


def test_threads_that_a_process_may_use():
    assert 1 <= policy.default_threads() <= (os.cpu_count() or 1)
