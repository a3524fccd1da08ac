"""The directory in which the tests of stored machine code store it."""

import pytest

from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit.library import Store


@pytest.fixture
def directory(monkeypatch, tmp_path):
    """An empty directory for machine code."""
    monkeypatch.setattr(jit_compile, "store", Store(tmp_path))
    return tmp_path


@pytest.fixture
def compiled(monkeypatch):
    """The names of the kernels that have been compiled since the beginning of the test."""
    from dlx_numba.runtime.monitoring import watch_compilation

    names = []
    with watch_compilation(names.append):
        yield names
