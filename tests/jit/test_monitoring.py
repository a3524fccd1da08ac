"""Monitoring of compilation."""

import io
import os
import sys
import threading

import numpy as np
import pytest

from dlx_numba.jit.compile import Kernel, uses_libraries
from dlx_numba.runtime.display import ProgressDisplay
from dlx_numba.runtime.monitoring import compilation, compile_clock, loading_clock
from tests.helpers.hosts import running, succeeds_in_fork
from tests.helpers.kernels import length
from tests.helpers.processes import run_python

pytestmark = pytest.mark.compiled


# Numba's own dispatchers do not report what they compile.
@pytest.mark.skipif(not uses_libraries(), reason="a variable is set")
def test_times_of_compilation(directory):
    loading, compiling = loading_clock.seconds, compile_clock.seconds
    kernel = Kernel(length)
    kernel(np.ones(3))
    total = loading_clock.seconds, compile_clock.seconds
    assert 0 < total[1] - compiling <= total[0] - loading
    kernel(np.ones(3))
    assert total == (loading_clock.seconds, compile_clock.seconds)


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_compiles_while_the_display_was_locked():
    has_begun, is_over = threading.Event(), threading.Event()

    def refresh():
        with ProgressDisplay.lock:
            has_begun.set()
            is_over.wait()

    def compiles():
        with compilation("kernel", is_stored=True):
            return True

    with running(refresh):
        has_begun.wait()
        succeeds = succeeds_in_fork(compiles)
        is_over.set()
    assert succeeds


CLOSED = io.StringIO()
CLOSED.close()


@pytest.mark.parametrize("stream", [None, object(), CLOSED], ids=["none", "own", "closed"])
def test_programs_may_close_or_replace_their_streams(stream, directory, monkeypatch):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, stream)
    assert Kernel(length)(np.ones(2)) == 2


@pytest.mark.processes
def test_a_cache_that_cannot_be_written_is_a_warning_with_what_to_set(tmp_path):
    (tmp_path / "file").touch()
    code = (
        "import logging\n"
        "from dlx_numba import dancing_links\n"
        "logging.basicConfig(level=logging.INFO)\n"
        "links = dancing_links.link([[0], [0]], 1)\n"
        "dancing_links.cover(*links, 1)\n"
        "dancing_links.uncover(*links, 1)\n"
    )
    done = run_python("-c", code, DLX_NUMBA_CACHE_DIR=str(tmp_path / "file" / "x"))
    assert done.stderr.count("RuntimeWarning: the machine code of kernels cannot be stored") == 1
    assert "set DLX_NUMBA_CACHE_DIR to a directory of your own" in done.stderr
    assert "on first use only" not in done.stderr
