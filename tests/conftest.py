"""Fixtures that several test modules use."""

import pytest

from dlx_numba.search import executor_runner, thread_runner


@pytest.fixture
def small_slices(monkeypatch):
    """Slices of a few updates, so that small problems are split, too."""
    for name in ("MIN_UPDATES_PER_SLICE", "UPDATES_PER_SLICE"):
        monkeypatch.setattr(thread_runner, name, 8)
    monkeypatch.setattr(executor_runner, "LOCAL_SECONDS", 0)
