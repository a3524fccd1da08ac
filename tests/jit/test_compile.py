"""The disk cache of kernels, its failure modes, and the observation of compilations."""

import errno
import os
import subprocess
import sys

import numpy as np
import pytest
from numba.core.caching import NullCache

from dlx_numba.jit import compile as jit_compile
from tests.helpers import ROOT

pytestmark = pytest.mark.compiled

MODULE = """
from typing import NamedTuple
import numpy as np
from dlx_numba.jit.compile import kernel

class {name}(NamedTuple):
    values: np.ndarray

@kernel
def total(pair):
    return pair.values.sum()

print(total({name}(np.arange(4.0))))
"""


@jit_compile.kernel
def double(numbers):
    """Double the numbers in place and return how many there are."""
    for k in range(len(numbers)):
        numbers[k] *= 2
    return len(numbers)


def recompiled(function):
    """Return a new dispatcher for the function of a kernel."""
    return jit_compile.kernel(function.py_func)


def test_kernels_compile_without_a_writable_cache(monkeypatch):
    def no_locator(function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(jit_compile, "_PackageCache", no_locator)
    kernel = recompiled(double)
    numbers = np.ones(3)
    assert kernel(numbers) == 3
    assert numbers.tolist() == [2, 2, 2]
    assert isinstance(kernel._cache._cache, NullCache)


def test_full_disk_is_ignored_when_a_kernel_is_saved(monkeypatch, tmp_path):
    class Full(NullCache):
        def __init__(self, function):
            pass

        def save_overload(self, sig, cres):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(jit_compile, "_PackageCache", Full)
    assert recompiled(double)(np.ones(3)) == 3


def test_cache_key_depends_on_imported_sources(monkeypatch):
    cache = jit_compile._PackageCache(double.py_func)
    codegen = double.targetctx.codegen()
    before = cache._index_key((), codegen)
    monkeypatch.setattr(jit_compile, "source_digest", lambda path: "other")
    assert cache._index_key((), codegen) != before


@pytest.mark.processes
def test_stale_cache_is_ignored(tmp_path):
    path = tmp_path / "module.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    for name in ("Pair", "Couple"):  # the second version lacks the type of the first
        path.write_text(MODULE.format(name=name))
        done = subprocess.run(
            [sys.executable, "-c", "import module"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stdout == "6.0\n", done.stderr


def test_compilation_is_reported_once():
    reported = []
    with jit_compile.watch_compilation(
        lambda name: reported.append(name), lambda name, seconds: reported.append(seconds)
    ):
        kernel = jit_compile.kernel(double.py_func)
        kernel._cache.__dict__["_cache"] = NullCache()
        kernel(np.ones(2, np.float32))
        kernel(np.ones(2, np.float32))
    name, seconds = reported
    assert name == "double"
    assert seconds > 0


def test_default_threads_is_at_most_the_number_of_processors():
    assert 1 <= jit_compile.default_threads() <= (os.cpu_count() or 1)


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
