"""A test that does not end fails, and the tests after it run."""

import pytest

from tests.helpers import ROOT
from tests.helpers.processes import run_python

PROGRAM = """
import threading
import dlx_numba as dlx

cover = dlx.example("queens", n=20).cover()
dlx.example("queens", n=4).cover().count(method="search")  # loads what it needs

def test_kernel():
    cover.count(method="search")

def test_lock():
    with (lock := threading.Lock()):
        lock.acquire()

def test_after_them():
    pass
"""


@pytest.mark.processes
@pytest.mark.thorough
@pytest.mark.compiled
def test_endless_tests_fail_with_their_stacks(tmp_path):
    path = tmp_path / "test_endless.py"
    path.write_text(PROGRAM)
    done = run_python("-m", "pytest", "-c", ROOT / "pyproject.toml", "--timeout=1", path)
    assert "2 failed, 1 passed" in done.stdout
    assert done.stdout.count("Timeout (>1.0s) from pytest-timeout") >= 2
    assert "lock.acquire()\n" in done.stdout
    assert "exact_cover.py" in done.stdout
