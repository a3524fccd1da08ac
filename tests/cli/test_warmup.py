"""The notice that kernels are compiled, and single puzzles in a new environment."""

import re

import numpy as np
import pytest

from dlx_numba.cli import terminal
from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit.compile import Kernel, uses_libraries
from dlx_numba.jit.library import Store
from tests.helpers.kernels import length
from tests.helpers.processes import SOLVED, UNIQUE, run

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.processes,
    pytest.mark.skipif(not uses_libraries(), reason="not this processor, or a variable is set"),
]


def test_compilation_is_reported_once(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(jit_compile, "store", Store(tmp_path))
    terminal.set_quiet(False)
    terminal.report_compilation.cache_clear()
    kernel = Kernel(length)
    for dtype in (np.int8, np.uint8):
        with terminal.compile_notice():
            kernel(np.zeros(2, dtype))
    assert len(kernel.entry_points) == 2
    assert capsys.readouterr().err.count("Compiling the kernels") == 1


def test_first_run_reports_that_it_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("DLX_NUMBA_CACHE_DIR", str(tmp_path))
    count = ("count", "-")
    assert run(*count, stdin="a\na\n")[1].count("Compiling the kernels") == 1
    assert "Compiling" not in run(*count, stdin="a\na\n")[1]
    out, err = run("solve", "--engine", "naive", "-", stdin=UNIQUE)
    assert out == f"{SOLVED}\n"
    assert err.count("Compiling the kernels") == 1
    assert re.search(r" s, and \d+\.\d s to compile\)\n$", err)


def test_one_puzzle_needs_no_compilation(tmp_path, monkeypatch):
    monkeypatch.setenv("DLX_NUMBA_CACHE_DIR", str(tmp_path))
    for arguments in (
        [UNIQUE],
        ["-f", "csv", UNIQUE],
        ["--check", "1" + "." * 15],
        ["--all", "--limit", 3, "1" + "." * 80],
        ["1" + "." * 255],
    ):
        out, err = run("solve", *arguments, status=None)
        assert out
        assert re.search("^1 puzzle[:,] ", err, re.MULTILINE)
        assert "compil" not in err
    assert not [*tmp_path.iterdir()]
