"""Where kernels are kept, and what happens where they cannot be."""

import errno
import os
import subprocess
import sys

import numpy as np
import pytest
from numba.core.caching import NullCache

from dlx_numba.jit import compile as policy
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
    monkeypatch.setattr(policy, "source_digest", lambda path: "other")
    assert cache._index_key((), codegen) != before


@pytest.mark.processes
def test_what_another_version_has_cached_is_no_hindrance(tmp_path):
    path = tmp_path / "module.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    for name in ("Pair", "Couple"):  # the types of the first version are gone in the second
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
