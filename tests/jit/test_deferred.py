"""Kernels that run cached machine code without Numba, and the validity of that code."""

import os
import pickle
import subprocess
import sys
import threading
from enum import IntEnum
from itertools import combinations
from typing import NamedTuple

import llvmlite.binding as llvm
import numpy as np
import pytest

from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit import deferred, entry_cache, entry_point
from dlx_numba.jit.deferred import DeferredKernel
from dlx_numba.jit.entry_cache import EntryPointCache, is_supported
from dlx_numba.jit.entry_point import UnsupportedError, pack
from dlx_numba.jit.simd import compiler_barrier
from tests.helpers import ROOT
from tests.helpers.caches import DAMAGES, DEFERRED_KERNEL_MODULE, import_kernel_module

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not is_supported(), reason="not this processor, or a variable is set"),
]


class Pair(NamedTuple):
    """Two arrays."""

    first: np.ndarray
    second: np.ndarray


class Couple(NamedTuple):
    """Two arrays, but another type."""

    first: np.ndarray
    second: np.ndarray


class Level(IntEnum):
    """Two numbers with names."""

    LOW = 1
    HIGH = 2


class OtherLevel(IntEnum):
    """A number with the name of another one."""

    LOW = 1


def weighted_sum(pair, rows, weight, level, is_negative, extra=None):
    """Return a number that depends on every argument, and change an array."""
    total = 0
    for k in range(len(pair.first)):
        total += int(pair.first[k]) * int(pair.second[k])
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            total += int(rows[row, column]) * (row + 1) * (column + 3)
    if level == Level.HIGH:
        total += 1
    total *= int(weight)
    if extra is not None:
        total += int(extra[0])
    pair.second[0] = 7
    return -total if is_negative else total


@pytest.fixture(autouse=True)
def directory(monkeypatch, tmp_path):
    """An empty directory for entry points."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def deferred_kernel(function):
    return DeferredKernel(function, is_inlined=False)


def stored_kernel(function, *arguments):
    """Return a kernel in the state of a new process, with an entry point for some arguments."""
    deferred_kernel(function)(*arguments)
    return deferred_kernel(function)


def runs_without_numba(kernel):
    """Return whether all calls of a kernel so far have used entry points."""
    return kernel._dispatcher is None and jit_compile.is_loaded(kernel)


def random_arguments(rng):
    dtypes = [np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.bool_, np.float64]
    first, second, rows = (
        rng.integers(0, 9, shape).astype(rng.choice(dtypes)) for shape in (4, 4, (3, 2))
    )
    rows.flags.writeable = bool(rng.integers(2))
    weight = rng.choice([int, np.int8, np.uint16, np.int64, np.uint64])(rng.integers(1, 9))
    level = [Level.LOW, Level.HIGH, 2][rng.integers(3)]
    is_negative = rng.choice([bool, np.bool_])(rng.integers(2))
    arguments = [Pair(first, second), rows, weight, level, is_negative]
    extras = [[], [None], [np.array([rng.integers(99)])]]
    return arguments + extras[rng.integers(3)]


def test_stored_code_and_numba_agree(directory):
    rng = np.random.default_rng(1)
    for _ in range(12):
        arguments = random_arguments(rng)
        copies = pickle.loads(pickle.dumps(arguments))
        for copy, original in zip(copies, arguments, strict=True):
            if isinstance(copy, np.ndarray):
                copy.flags.writeable = original.flags.writeable
        expected = weighted_sum(*pickle.loads(pickle.dumps(arguments)))
        first = deferred_kernel(weighted_sum)
        assert first(*arguments) == expected
        kernel = deferred_kernel(weighted_sum)
        result = kernel(*copies)
        assert runs_without_numba(kernel)
        assert (result, type(result)) == (expected, int)
        assert copies[0].second.tolist() == arguments[0].second.tolist()
    assert [*directory.rglob("*.entry")]


def test_results_have_the_types_of_numba():
    def as_unsigned(number):
        return np.uint64(number) + np.uint64(2**63)

    def as_float(number):
        return number / 4

    def as_bool(number):
        return number > 3

    def as_none(number):
        pass

    def as_small(number):
        return np.int8(number) - np.int8(100)

    def as_tuple(number):
        return np.uint32(number), number > 3, number / 4

    for function in (as_unsigned, as_float, as_bool, as_none, as_small, as_tuple):
        function.__qualname__ = function.__name__  # entry points need a name
        expected = deferred_kernel(function)(5)
        kernel = deferred_kernel(function)
        result = kernel(5)
        assert runs_without_numba(kernel)
        assert (result, type(result)) == (expected, type(expected))


ARGUMENTS = [
    None,
    0,
    -1,
    True,
    1.5,
    np.True_,
    np.int64(1),
    np.int32(1),
    np.uint8(1),
    np.uint64(2**64 - 1),
    np.float64(1),
    *(np.zeros(3, dtype) for dtype in (np.uint8, np.int8, np.bool_, np.int64, np.uint64, float)),
    np.zeros((2, 3), np.uint8),
    np.frombuffer(b"abc", np.uint8),
    Pair(np.zeros(2), np.zeros(2, np.uint8)),
    Pair(np.zeros(2), np.zeros(2)),
    Couple(np.zeros(2), np.zeros(2)),
    (),
    (1, 2),
    (np.zeros(2), np.zeros(2)),
    Level.LOW,
    Level.HIGH,
    OtherLevel.LOW,
]


def test_different_types_are_never_confused():
    from numba import typeof

    for one, other in combinations(ARGUMENTS, 2):
        if pack((one,))[0] == pack((other,))[0]:
            assert typeof(one) == typeof(other)
    nested = Pair(Pair(1, 2), 3), Pair(1, Pair(2, 3))
    assert pack((nested[0],))[0] != pack((nested[1],))[0]


UNSUPPORTED = [
    "text",
    2**63,
    np.zeros(4, np.uint8)[::2],
    np.asfortranarray(np.zeros((2, 3))),
    np.frombuffer(bytes(9), np.uint8)[1:].view(np.int64),
    np.zeros(2, ">i4"),
    np.zeros(2, "M8[s]"),
    np.zeros((), np.uint8),
    np.zeros(2, object),
    np.float32(1),
    [1],
    np.zeros(2, np.uint8).view(np.recarray),
]


@pytest.mark.parametrize("argument", UNSUPPORTED, ids=repr)
def test_other_arguments_are_left_to_numba(argument):
    with pytest.raises(UnsupportedError):
        pack((argument,))


def length(array):
    """Return the length of an array."""
    return len(array)


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


def test_nothing_else_is_left_in_the_directory(directory):
    stored_kernel(length, np.zeros(3))
    suffixes = {path.suffix for path in directory.rglob("*") if path.is_file()}
    assert suffixes <= {".entry", ".nbi", ".nbc"}


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


@pytest.mark.parametrize(
    "name", ["_platform_digest", "_interface", "_version_file", "source_digest"]
)
def test_entry_points_are_valid_for_one_machine_and_version(name, monkeypatch):
    stored_kernel(length, np.zeros(3))
    monkeypatch.setattr(entry_cache, name, lambda *arguments: "other")
    kernel = deferred_kernel(length)
    assert not EntryPointCache(length).has_entry_point()
    assert kernel(np.zeros(3)) == 3
    assert kernel._dispatcher is not None
    kernel = deferred_kernel(length)
    assert kernel(np.zeros(3)) == 3
    assert runs_without_numba(kernel)


@pytest.mark.parametrize(
    "name",
    ["get_host_cpu_features", "llvm_version_info", "ObjectFileRef", "create_mcjit_compiler"],
)
def test_numba_takes_over_if_llvmlite_lacks_an_interface(name, monkeypatch):
    stored_kernel(length, np.zeros(3))
    monkeypatch.setattr(entry_cache, "_platform_digest", entry_cache._platform_digest.__wrapped__)
    monkeypatch.setattr(entry_point, "_linked", [])
    kernel = deferred_kernel(length)
    monkeypatch.delattr(llvm, name)
    assert jit_compile.without_delay(kernel)(np.zeros(3)) == 3
    assert kernel(np.zeros(3)) == 3
    assert not runs_without_numba(kernel)


def test_entry_points_are_optional(monkeypatch, directory):
    def fail(*arguments, **options):
        raise OSError

    for owner, name in (
        (entry_cache.EntryPointCache, "save"),
        (entry_cache.Path, "mkdir"),
        (entry_cache.os, "access"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, fail)
            assert deferred_kernel(length)(np.zeros(3)) == 3
    assert not [*directory.rglob("*.entry")]


def divide(numbers):
    """Divide by an element, which may be zero."""
    return 1 // numbers[0]


def test_failures_are_not_results():
    kernel = stored_kernel(divide, np.ones(1, np.int64))
    assert kernel(np.ones(1, np.int64)) == 1
    assert runs_without_numba(kernel)
    with pytest.raises(RuntimeError, match="the kernel divide has failed"):
        kernel(np.zeros(1, np.int64))


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


@pytest.mark.parametrize(
    "variable", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_CPU_NAME", "NUMBA_OPT"]
)
def test_variables_of_numba_have_their_effects(variable, monkeypatch):
    monkeypatch.setenv(variable, "1")
    assert not is_supported()


def test_configuration_file_of_numba_has_its_effects(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert is_supported()
    (tmp_path / ".numba_config.yaml").write_text("boundscheck: 1\n")
    assert not is_supported()


@pytest.mark.processes
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_entry_point_is_replaced(tmp_path, damage):
    (tmp_path / "module.py").write_text(DEFERRED_KERNEL_MODULE.format(name="Pair"))
    assert import_kernel_module(tmp_path) == ("6.0 numba\n", "")
    assert import_kernel_module(tmp_path) == ("6.0 stored\n", "")
    [path] = tmp_path.rglob("*.entry")
    path.write_bytes(damage(path.read_bytes()))
    assert import_kernel_module(tmp_path) == ("6.0 numba\n", "")
    assert import_kernel_module(tmp_path) == ("6.0 stored\n", "")


@pytest.mark.processes
def test_entry_point_is_valid_for_the_same_sources_only(tmp_path):
    module = tmp_path / "module.py"
    module.write_text(DEFERRED_KERNEL_MODULE.format(name="Pair"))
    assert import_kernel_module(tmp_path) == ("6.0 numba\n", "")
    module.write_text(DEFERRED_KERNEL_MODULE.format(name="Pair").replace(".sum()", ".sum() + 1"))
    assert import_kernel_module(tmp_path) == ("7.0 numba\n", "")
    assert import_kernel_module(tmp_path) == ("7.0 stored\n", "")


@pytest.mark.processes
@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_configured_numba_takes_the_place_of_entry_points(tmp_path, variable, monkeypatch):
    (tmp_path / "module.py").write_text(DEFERRED_KERNEL_MODULE.format(name="Pair"))
    import_kernel_module(tmp_path)
    monkeypatch.setenv(variable, "1")
    assert import_kernel_module(tmp_path) == ("6.0 numba\n", "")


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
