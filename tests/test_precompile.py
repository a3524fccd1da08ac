"""Libraries of all kernels: that they are complete, and how they are built."""

import os
import shutil
from functools import partial

import numpy as np
import pytest

from dlx_numba import precompile
from dlx_numba.jit.library import Library, Store, instruction_sets
from dlx_numba.precompile import compile_kernels
from dlx_numba.runtime.files import user_directory
from dlx_numba.sudoku.canonical.minimal_form import multiply
from scripts.libraries import build_library, compile_entry, cpu_name
from tests.helpers.kernels import needs_libraries
from tests.helpers.processes import invoke, run_python

pytestmark = [pytest.mark.compiled, pytest.mark.processes, needs_libraries]

# Runs commands in a process in which Numba cannot be imported.
WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None

from tests.helpers import DATA, INSTANCES, SAMPLES
from tests.helpers.processes import invoke

COMMANDS = {
    DATA / "expert.txt": "solve --check, rate -f csv",
    DATA / "simple.txt": "canonical --unique --threads 2",
    DATA / "easy.txt": "minimize --solution",
    INSTANCES / "queens8.dlx": "cover, cover --algorithm bitset, cover --up-to-symmetry, show, "
    "cover --choose literal-smallest, "
    "count --presolve --choose sharp, count --method memo, count --frequencies, sample -n 2, "
    "estimate, explain --steps 10 -o -",
    INSTANCES / "queens8.cost.dlx": "cheapest",
    INSTANCES / "queendom8.mcc.dlx": "cover --limit 1 --threads 2",
    INSTANCES / "pent6x10r.dlx": "count --threads 2",
    INSTANCES / "random40.dlx": "estimate --algorithm bitset",
    INSTANCES / "langford7.dlx": "count --method memo, sample -n 2",
    INSTANCES / "sudoku17.dlx": "count --method memo, sample -n 2",
    INSTANCES / "pent3x20.dlx": "count --algorithm links",
    "words": "solve, gallery",
    "--quiet": "generate 40 --difficulty expert --symmetry random",
    "--minimal": "generate 1 --difficulty simple",
    "--no-minimal": "generate 1 --box 3x4 -f csv",
    "queens:n=6": "count",
}
for last, commands in COMMANDS.items():
    for command in commands.split(", "):
        invoke(*command.split(), last)
for path in sorted((SAMPLES / "qqwing").glob("*csv*.txt")):
    invoke("solve", path, status=None)
invoke("solve", "--all", "--limit", 3, "-", stdin="." * 81)
shapes = '<gridType type="0"/><shapes><voxel x="1" y="1" z="1">#</voxel></shapes>'
problem = '<problem><shapes><shape id="0"/></shapes><result id="0"/></problem>'
invoke("count", "-", stdin=f"<puzzle>{shapes}<problems>{problem}</problems></puzzle>\\n")
some = "".join((DATA / "simple.txt").read_text().splitlines(keepends=True)[:20])
for engine in ("dlx", "lanes"):
    invoke("solve", "--engine", engine, "-", stdin=some)
"""


def call_multiply():
    multiply(np.int64(2), np.int64(3))


@pytest.fixture(scope="module")
def warmed_up():
    invoke("warmup")


@pytest.mark.slow
@pytest.mark.usefixtures("warmed_up")
def test_no_command_needs_numba():
    done = run_python("-c", WITHOUT_NUMBA)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.thorough
def test_commands_kinds_and_rules_need_no_kernel_that_is_not_compiled_in_advance(tmp_path):
    for path in compile_kernels(user_directory()):
        shutil.copy(path, tmp_path)
    tmp_path.chmod(0o700)
    program = "import sys; sys.modules['numba'] = None\nfrom tests.helpers import everything\n"
    done = run_python("-c", f"{program}everything.main()", DLX_NUMBA_CACHE_DIR=str(tmp_path))
    assert (done.stderr, done.returncode) == ("", 0)


def test_no_kernel_is_called_before_it_can_be_stored():
    source = (
        "import gc, dlx_numba.precompile; from dlx_numba.jit.compile import Kernel\n"
        "print([k.name for k in gc.get_objects() if isinstance(k, Kernel) and k.entry_points])"
    )
    assert run_python("-c", source).stdout == "[]\n"


@pytest.mark.thorough
@pytest.mark.usefixtures("warmed_up")
def test_second_warmup_compiles_nothing():
    assert invoke("warmup")[1].startswith("all kernels are already compiled (")


@pytest.mark.thorough
def test_kernels_are_compiled_for_another_processor(tmp_path):
    key = "dlx_numba.sudoku.canonical.minimal_form.multiply(int64, int64)"
    for name in instruction_sets():
        path = tmp_path / "libraries" / f"{name}.kernels"
        build_library(path, cpu=cpu_name(name), keys=[key])
        assert [*Library(path).entries()] == [key]


@pytest.mark.thorough
def test_versions_share_the_directory_of_warmup(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    tasks = [partial(compile_entry, "two_versions.double(int64)")]
    directory = tmp_path / "cache"
    compiled = []
    for version in (1, 2, 1):
        text = (
            f"from dlx_numba.jit import njit\n{'#' * version}\n@njit\ndef double(k): return 2 * k\n"
        )
        (tmp_path / "two_versions.py").write_text(text)
        compiled += compile_kernels(directory, tasks=tasks).values()
    assert compiled == [True, True, False]
    assert Store(directory).clear() == 2


@pytest.mark.thorough
def test_warmup_stores_kernels_in_the_directory_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setattr(precompile, "TASKS", [call_multiply])
    monkeypatch.setenv("DLX_NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    assert " compiled (" in invoke("warmup")[1]
    [path] = (tmp_path / "cache").iterdir()
    assert Library(path).entries()
    assert not path.parent.stat().st_mode & 0o077 or os.name == "nt"
    assert invoke("warmup", "--clear")[1] == "1 file removed\n"
    assert not [*path.parent.iterdir()]


def test_directory_that_cannot_be_written_is_reported(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(precompile, "TASKS", [precompile.call_readers])
    monkeypatch.setenv("DLX_NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    out, err = invoke("warmup", status=2)
    assert out == ""
    assert err.startswith("error: cannot write ")


def test_process_that_ends_early_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(precompile, "TASKS", [partial(os._exit, 1)])
    monkeypatch.setenv("DLX_NUMBA_CACHE_DIR", str(tmp_path))
    assert "error: a process that compiles kernels has ended " in invoke("warmup", status=2)[1]
