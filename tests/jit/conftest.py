"""The directory in which the tests of stored machine code store it."""

import pytest

from dlx_numba.jit import library


@pytest.fixture
def directory(monkeypatch, tmp_path):
    """An empty directory for machine code."""
    monkeypatch.setattr(library, "_only_directory", tmp_path)
    library._user_library.cache_clear()
    yield tmp_path
    library._user_library.cache_clear()


@pytest.fixture
def compiled(monkeypatch):
    """The names of the kernels that have been compiled since the beginning of the test."""
    from dlx_numba.jit.monitoring import watch_compilation

    names = []
    with watch_compilation(names.append):
        yield names
