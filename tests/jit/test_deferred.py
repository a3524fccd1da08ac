"""Kernels that run stored machine code, and import Numba only to compile."""

import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit import deferred
from dlx_numba.jit.entry_cache import is_supported
from dlx_numba.jit.simd import compiler_barrier
from tests.helpers import ROOT
from tests.helpers.kernels import deferred_kernel, length, runs_without_numba, stored_kernel

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.usefixtures("directory"),
    pytest.mark.skipif(not is_supported(), reason="not this processor, or a variable is set"),
]


def test_numba_accepts_what_entry_points_do_not():
    kernel = stored_kernel(length, np.zeros(3))
    assert kernel(np.zeros(6)[::2]) == 3
    assert kernel(array=np.zeros(6)) == 6
    assert kernel._dispatcher is not None


def test_each_combination_of_types_is_stored_separately(directory):
    kernel = stored_kernel(length, np.zeros(3))
    assert kernel(np.zeros(3)) == 3
    assert runs_without_numba(kernel)
    assert kernel(np.zeros(3, np.uint8)) == 3
    assert not runs_without_numba(kernel)
    assert len([*directory.rglob("*.entry")]) == 2


def count_to(numbers):
    """Return the length of an array; calls another kernel."""
    return KERNEL_LENGTH(numbers) + 1


KERNEL_LENGTH = deferred_kernel(length)


def test_deferred_kernels_call_each_other():
    assert deferred_kernel(count_to)(np.zeros(3)) == 4
    kernel = deferred_kernel(count_to)
    assert kernel(np.zeros(3)) == 4
    assert runs_without_numba(kernel)
    assert jit_compile.plain_python(kernel)("abc") == 4


@deferred_kernel
def replaced(numbers):
    """Return the length of an array; the name refers to the kernel."""
    return len(numbers)


def test_deferred_kernels_can_be_pickled():
    assert pickle.loads(pickle.dumps(replaced)) is replaced


def test_functions_without_a_file_are_left_to_numba():
    namespace = {}
    exec("def length(array): return len(array)", namespace)
    kernel = deferred_kernel(namespace["length"])
    assert not jit_compile.is_ready(kernel)
    assert kernel(np.zeros(3)) == 3
    assert not runs_without_numba(kernel)


def test_ready_kernels_need_no_compiler(monkeypatch):
    kernel = deferred_kernel(length)
    assert not jit_compile.is_ready(kernel)
    assert jit_compile.without_delay(kernel) is jit_compile.plain_python(kernel)
    kernel = stored_kernel(length, np.zeros(3))
    assert jit_compile.is_ready(kernel)
    assert not jit_compile.is_loaded(kernel)
    assert jit_compile.without_delay(kernel) is kernel
    assert kernel._dispatcher is None


def meet(flags, own, limit):
    """Set a flag, and wait until the other thread has set the other one; return whether it has."""
    flags[own] = 1
    for _ in range(limit):
        compiler_barrier()
        if flags[1 - own] != 0:
            return True
    return False


def test_threads_run_at_the_same_time():
    flags = np.zeros(2, np.uint8)
    kernel = stored_kernel(meet, flags, 0, 1)
    kernel(flags, 0, 1)
    flags[:] = 0
    met = []
    threads = [
        threading.Thread(target=lambda own=own: met.append(kernel(flags, own, 10**10)))
        for own in (0, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert met == [True, True]
    assert runs_without_numba(kernel)


def test_threads_may_call_a_new_kernel_at_the_same_time(directory):
    kernel = deferred_kernel(length)
    lengths = []
    threads = [
        threading.Thread(target=lambda n=n: lengths.append(kernel(np.zeros(n)))) for n in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(lengths) == [0, 1, 2, 3, 4]
    assert len([*directory.rglob("*.entry")]) == 1


def test_caches_are_filled_by_numba(directory):
    stored_kernel(length, np.zeros(3))
    for path in directory.rglob("*.entry"):
        path.unlink()
    kernel = stored_kernel(length, np.zeros(3))
    with jit_compile.filling_caches():
        assert kernel(np.zeros(3)) == 3
    assert kernel._dispatcher is not None
    assert not deferred._uses_numba_only
    assert len([*directory.rglob("*.entry")]) == 1


# Prints results of all parts of the package, and whether Numba was imported.
SOLVE_EVERYTHING = """
import hashlib, io, sys
import numpy as np
from dlx_numba.jit.compile import always_compiled, defer_numba
if sys.argv[1] == "stored":
    defer_numba()
import dlx_numba as dlx
from dlx_numba.sudoku.io.read import read_boards
from tests.helpers import DATA
from tests.helpers.problems import problem

def show(name, value):
    if isinstance(value, np.ndarray):
        value = value.shape, hashlib.sha256(value.tobytes()).hexdigest()
    print(name, value)

def show_all():
    rng = np.random.default_rng(5)
    boards = np.concatenate([
        np.concatenate([chunk.boards for chunk in read_boards(open(path, "rb"))])[:40]
        for path in sorted(DATA.glob("*.txt"))
    ])
    for blank in (0, 1, 3):
        fewer = boards.copy()
        fewer[:, rng.permutation(81)[:blank]] = 0
        for engine in ("lanes", "dlx"):
            for threads in (1, 2):
                result = dlx.solve_batch(fewer, limit=3, engine=engine, threads=threads)
                show(f"solve {engine}", result.counts)
                show(f"solve {engine}", result.solutions)
        show("rate", dlx.rate(fewer).codes)
        show("canonical", dlx.canonical(fewer, threads=2))
    show("minimize", dlx.minimize(boards[:9], threads=1))
    for difficulty in (None, "expert"):
        show("generate", dlx.generate(5, difficulty=difficulty, seed=2).puzzles)
    show("generate", dlx.generate(3, box=(2, 2), seed=2).puzzles)
    for seed in range(12):
        for algorithm in ("links", "bitset", "dense"):
            cover = problem(seed, algorithm)[0]
            show(algorithm, cover.solve())
            show(algorithm, cover.count())
        show("memo", problem(seed, "bitset")[0].count(method="memo"))

with always_compiled():
    show_all()
print("numba" in sys.modules)
"""


@pytest.mark.processes
def test_all_parts_of_the_package_find_the_same_results(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")  # the kernels are cached
    outputs = {}
    for mode in ("stored", "stored", "numba"):
        done = subprocess.run(
            [sys.executable, "-c", SOLVE_EVERYTHING, mode],
            cwd=ROOT,
            capture_output=True,
            text=True,
            env=os.environ,
        )
        assert done.returncode == 0, done.stderr
        *outputs[mode], imports_numba = done.stdout.splitlines()
    assert imports_numba == "True"
    assert done.stdout
    assert outputs["stored"] == outputs["numba"]
