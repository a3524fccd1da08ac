"""`warmup`, and the notice that kernels are compiled."""

import importlib
import re
import subprocess
import sys

import pytest

from dlx_numba.cli import terminal
from dlx_numba.jit.compile import inlined
from dlx_numba.jit.entry_cache import is_supported
from tests.helpers import ROOT
from tests.helpers.processes import PROGRAM, SOLVED, UNIQUE, invoke, run

pytestmark = [pytest.mark.compiled, pytest.mark.processes]

INVOKE_COMMANDS = """
from tests.helpers import DATA, INSTANCES, SAMPLES
from tests.helpers.processes import invoke

for path in sorted((SAMPLES / "qqwing").glob("*csv*.txt")):
    invoke("solve", path, status=None)
invoke("solve", "--check", DATA / "expert.txt")
invoke("rate", "-f", "csv", DATA / "expert.txt")
invoke("solve", "--all", "--limit", 3, "-", stdin="." * 81)
invoke("solve", "--engine", "elimination", DATA / "simple.txt")
invoke("canonical", "--unique", "--threads", 2, DATA / "simple.txt")
invoke("generate", 40, "--difficulty", "expert", "--stats", "--symmetry", "random")
invoke("generate", 1, "--difficulty", "simple", "--minimal")
invoke("generate", 1, "--box", "3x4", "--no-minimal", "-f", "csv")
invoke("minimize", "--solution", DATA / "easy.txt")
invoke("cover", INSTANCES / "queens8.dlx")
invoke("count", "--presolve", "--choose", "sharp", INSTANCES / "queens8.dlx")
invoke("cheapest", INSTANCES / "queens8.cost.dlx")
invoke("cover", "--limit", 1, "--threads", 2, INSTANCES / "queendom8.mcc.dlx")
invoke("estimate", INSTANCES / "queens8.dlx")
for algorithm in ("bitset", "dense"):
    invoke("cover", "--algorithm", algorithm, INSTANCES / "queens8.dlx")
invoke("count", "--threads", 2, INSTANCES / "pent6x10r.dlx")
invoke("estimate", "--algorithm", "bitset", INSTANCES / "random40.dlx")
for name in ("queens8", "langford7", "sudoku17"):
    invoke("count", "--method", "memo", INSTANCES / f"{name}.dlx")
    invoke("sample", "-n", 2, INSTANCES / f"{name}.dlx")
invoke("count", "--frequencies", INSTANCES / "queens8.dlx")
invoke("count", "--algorithm", "dense", "--threads", 2, INSTANCES / "pent3x20.dlx")
invoke("estimate", "--algorithm", "dense", INSTANCES / "random40.dlx")
invoke("gallery", "words")
invoke("show", INSTANCES / "queens8.dlx")
invoke("explain", "--steps", 10, "-o", "-", INSTANCES / "queens8.dlx")
"""

# Prints the kernels that commands use but `warmup` has not loaded.
FIND_MISSING_KERNELS = f"""
import sys
from dlx_numba.cli.warmup import call_all_kernels
from dlx_numba.jit.cache import LazyCache

call_all_kernels()
load_overload = LazyCache.load_overload

def report_and_load(self, sig, target_context):
    print(self._function.__qualname__, sig, file=sys.__stdout__)  # `invoke` replaces sys.stdout
    return load_overload(self, sig, target_context)

LazyCache.load_overload = report_and_load
{INVOKE_COMMANDS}"""

# Prints the kernels for which commands need Numba, although `warmup` has stored machine code.
FIND_DEFERRED_KERNELS = f"""
import sys
from dlx_numba.jit.compile import defer_numba

defer_numba()
from dlx_numba.jit.deferred import DeferredKernel

dispatcher = DeferredKernel.dispatcher.fget

def report_and_create(self):
    print(self.__qualname__, file=sys.__stdout__)
    return dispatcher(self)

DeferredKernel.dispatcher = property(report_and_create)
{INVOKE_COMMANDS}
if "numba" in sys.modules:
    print("numba is imported")
"""


def test_second_run_compiles_nothing():
    run("warmup")
    assert run("warmup")[1].startswith("all kernels are already cached (")


def output_of(program):
    """Run a program that should report nothing; return its standard output and error."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    return done.stdout, done.stderr


def test_all_kernels_of_the_commands_are_compiled():
    assert output_of(FIND_MISSING_KERNELS) == ("", "")


needs_stored_code = pytest.mark.skipif(not is_supported(), reason="an unusual processor")


@needs_stored_code
def test_no_command_imports_numba():
    run("warmup")
    assert output_of(FIND_DEFERRED_KERNELS) == ("", "")


@needs_stored_code
def test_process_does_not_import_numba():
    run("warmup")
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *PROGRAM[1:], "solve", UNIQUE],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stdout == f"{SOLVED}\n"
    assert "| dlx_numba" in done.stderr
    assert not re.search(r"\| +numba\b", done.stderr)


@pytest.fixture
def new_kernel():
    """A kernel that is neither compiled nor cached."""

    @inlined
    def increment(number):
        return number + 1

    return increment


def test_compiled_kernels_are_reported(new_kernel, monkeypatch):
    module = importlib.import_module("dlx_numba.cli.warmup")
    monkeypatch.setattr(module, "call_all_kernels", lambda: new_kernel(1))
    lines = invoke("warmup")[1].splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("1 kernel compiled (")


def test_compilation_is_reported_once(new_kernel, capsys):
    terminal._report_compilation.cache_clear()
    for argument in (1, 1.5):
        with terminal.compile_notice():
            new_kernel(argument)
    assert len(new_kernel.signatures) == 2
    assert capsys.readouterr().err.count("Compiling the kernels") == 1


def test_first_run_reports_that_it_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    count = ("count", "-")
    assert run(*count, stdin="a\na\n")[1].count("Compiling the kernels") == 1
    assert "Compiling" not in run(*count, stdin="a\na\n")[1]
    out, err = run("solve", "--engine", "naive", "-", stdin=UNIQUE)
    assert out == f"{SOLVED}\n"
    assert err.count("Compiling the kernels") == 1
    assert re.search(r" s, and \d+\.\d s to compile\)\n$", err)


def test_one_puzzle_needs_no_compilation(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for arguments, stdin in (
        (["-"], UNIQUE),
        (["-f", "csv", "-"], UNIQUE),
        (["--check", "-"], "1" + "." * 15),
        (["-"], "1" + "." * 255),
        ([UNIQUE], ""),
    ):
        out, err = run("solve", "-j", 1, *arguments, stdin=stdin, status=None)
        assert out
        assert re.search("^1 puzzle: ", err, re.MULTILINE)
        assert "compil" not in err
    assert not list(tmp_path.rglob("*.nbi"))
