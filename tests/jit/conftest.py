"""The directory in which the tests of stored machine code store it."""

import pytest


@pytest.fixture
def directory(monkeypatch, tmp_path):
    """An empty directory for entry points."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path
