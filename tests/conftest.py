"""Helpers stand beside the tests."""

import sys
from pathlib import Path

import pytest

from dlx_numba.search import executor_runner as spread
from dlx_numba.search import thread_runner as crew

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def small_slices(monkeypatch):
    """Slices of a few updates, so that small problems are split, too."""
    for name in ("FIRST_SLICE", "SLICE"):
        monkeypatch.setattr(crew, name, 8)
    monkeypatch.setattr(spread, "AT_ONCE", 0)
