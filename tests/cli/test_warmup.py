"""The notice that kernels are compiled, and single puzzles in a new environment."""

import re
import subprocess
import sys

import pytest

from dlx_numba.cli import terminal
from dlx_numba.jit.compile import uses_libraries
from tests.helpers import ROOT
from tests.helpers.processes import PROGRAM, SOLVED, UNIQUE

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.processes,
    pytest.mark.skipif(not uses_libraries(), reason="not this processor, or a variable is set"),
]


def test_compilation_is_reported_once(capsys):
    terminal.set_quiet(False)
    terminal.report_compilation.cache_clear()
    for _ in range(2):
        terminal.report_compilation()
    assert capsys.readouterr().err.count("Compiling the kernels") == 1


@pytest.mark.thorough
def test_first_run_reports_that_it_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("DLX_NUMBA_CACHE_DIR", str(tmp_path))
    solve = ("solve", "--engine", "dlx", "-")
    streams = {"input": UNIQUE, "capture_output": True, "text": True}
    # Processes of their own, without the kernels of this one.
    first, second = (subprocess.run([*PROGRAM, *solve], cwd=ROOT, **streams) for _ in range(2))
    assert first.stdout == second.stdout == f"{SOLVED}\n"
    assert first.stderr.count("Compiling the kernels") == 1
    assert re.search(r" s, and \d+\.\d s to compile\)\n$", first.stderr)
    assert "ompil" not in second.stderr


SINGLE_PUZZLES = """
from tests.helpers.processes import UNIQUE, invoke

for arguments in (
    [UNIQUE],
    ["-f", "csv", UNIQUE],
    ["--check", "1" + "." * 15],
    ["--all", "--limit", 3, "1" + "." * 80],
):
    out, err = invoke("solve", *arguments, status=None)
    print(bool(out), err.strip())
"""


def test_one_puzzle_needs_no_compilation(tmp_path, monkeypatch):
    monkeypatch.setenv("DLX_NUMBA_CACHE_DIR", str(tmp_path))
    command = [sys.executable, "-c", SINGLE_PUZZLES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.count("True ") == 4
    assert len(re.findall("(?:^|True )1 Sudoku[:,] ", done.stdout, re.MULTILINE)) == 4
    assert "ompil" not in done.stdout
    assert done.stderr == ""
    assert not [*tmp_path.iterdir()]
