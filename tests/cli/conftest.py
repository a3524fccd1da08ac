"""Files that tests of several commands read."""

import pytest

from dlx_numba.bench import measure


@pytest.fixture(autouse=True)
def short_measurements(monkeypatch):
    """Let `bench` repeat short runs a few times only: no test is about their times."""
    monkeypatch.setattr(measure, "MIN_RUN_SECONDS", 0.001)


@pytest.fixture
def problem_file(tmp_path):
    """A function that writes a problem to a file, and returns its path."""

    def write(cover):
        path = tmp_path / "problem.json"
        path.write_text(cover.write(kind="json"))
        return path

    return write
