"""Fixtures that several test modules use."""

import signal

import pytest

from dlx_numba.search import executor_runner, thread_runner


@pytest.fixture(scope="session", autouse=True)
def default_sigint_handler():
    """Let SIGINT raise KeyboardInterrupt, also if the tests run in a background job.

    A shell script starts background jobs with SIGINT ignored, and Python leaves it ignored.
    """
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous or signal.SIG_DFL)


@pytest.fixture
def small_slices(monkeypatch):
    """Slices of a few updates, so that small problems are split, too."""
    for name in ("MIN_UPDATES_PER_SLICE", "UPDATES_PER_SLICE"):
        monkeypatch.setattr(thread_runner, name, 8)
    monkeypatch.setattr(executor_runner, "LOCAL_SECONDS", 0)
