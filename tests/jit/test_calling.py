"""Calls of stored machine code: arguments and results are those of plain Python."""

import signal
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

from dlx_numba.jit.calling import UnsupportedError, argument_types, pack
from dlx_numba.jit.compile import Kernel, prepare_call, uses_libraries
from dlx_numba.jit.simd import compiler_barrier
from tests.helpers.kernels import length, stored_kernel
from tests.helpers.seeds import instances

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not uses_libraries(), reason="not this processor, or a variable is set"),
]


class Pair(NamedTuple):
    """Two arrays."""

    first: np.ndarray
    second: np.ndarray


def weighted_sum(pair, rows, weight, is_negative, extra=None):
    """Return a number that depends on every argument, and change an array."""
    total = 0
    for k in range(len(pair.first)):
        total += int(pair.first[k]) * int(pair.second[k])
        total += int(rows[k, 0]) * (k + 1) + int(rows[k, 1]) * (k + 7)
    total *= int(weight)
    if extra is not None:
        total += int(extra[0])
    pair.second[0] = 7
    return -total if is_negative else total


def random_arguments(rng):
    dtypes = [np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.bool_, np.float64]
    shapes = 4, 4, (4, 2)
    first, second, rows = (rng.integers(0, 9, s).astype(rng.choice(dtypes)) for s in shapes)
    rows.flags.writeable = bool(rng.integers(2))
    weight = rng.choice([int, np.int8, np.uint16, np.int64, np.uint64])(rng.integers(1, 9))
    is_negative = rng.choice([bool, np.bool_])(rng.integers(2))
    arguments = [Pair(first, second), rows, weight, is_negative]
    extras = [[], [None], [np.array([rng.integers(99)])]]
    return arguments + extras[rng.integers(3)]


def test_results_are_those_of_plain_python(directory, compiled):
    rng = np.random.default_rng(1)
    for _ in range(instances(50)):
        arguments = random_arguments(rng)
        Kernel(weighted_sum)(*arguments)
        n_compiled = len(compiled)
        arguments[0].second[0] = 5
        expected = weighted_sum(*deepcopy(arguments))
        result = Kernel(weighted_sum)(*arguments)
        assert len(compiled) == n_compiled
        assert (result, type(result)) == (expected, int)
        assert arguments[0].second[0] == np.array(7, arguments[0].second.dtype)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda number: np.uint64(number) + np.uint64(2**63), 2**63 + 5),
        (lambda number: number / 4, 1.25),
        (lambda number: number > 3, True),
        (lambda number: None, None),
        (lambda number: np.int8(number) - np.int8(100), -95),
        (lambda number: (np.uint32(number), number > 3, number / 4), (5, True, 1.25)),
    ],
)
def test_results_have_types_of_python(directory, compiled, function, expected):
    result = stored_kernel(function, 5)(5)
    assert (repr(result), type(result)) == (repr(expected), type(expected))
    assert len(compiled) == 1


ARGUMENTS = [
    *(None, 0, -1, True, 1.5, np.True_, np.float64(1), np.uint64(2**64 - 1), (), (1, 2)),
    *(dtype(1) for dtype in (np.int64, np.int32, np.uint8)),
    *(np.zeros(3, dtype) for dtype in (np.uint8, np.int8, np.bool_, np.int64, np.uint64, float)),
    *(np.zeros((2, 3), np.uint8), np.frombuffer(b"abc", np.uint8), (np.zeros(2), np.zeros(2))),
    *(Pair(np.zeros(2), np.zeros(2, dtype)) for dtype in (np.uint8, float)),
]


def test_different_types_are_never_confused():
    from numba import typeof, types

    def type_of(argument):
        found = typeof(argument)
        return types.int64 if isinstance(found, types.Integer) and found.signed else found

    for one, other in combinations(ARGUMENTS, 2):
        if argument_types((one,)) == argument_types((other,)):
            assert type_of(one) == type_of(other)
        elif pack((one,))[0] == pack((other,))[0]:
            assert isinstance(one, np.ndarray)
            assert isinstance(other, np.ndarray)
            assert one.dtype == other.dtype
    for function in (argument_types, lambda arguments: pack(arguments)[0]):
        assert function((Pair(Pair(1, 2), 3),)) != function((Pair(1, Pair(2, 3)),))


UNSUPPORTED = [
    *("text", 2**63, [1], np.float32(1), signal.SIGINT, np.zeros((), np.uint8)),
    np.zeros(4, np.uint8)[::2],
    np.asfortranarray(np.zeros((2, 3))),
    np.frombuffer(bytes(9), np.uint8)[1:].view(np.int64),
    *(np.zeros(2, dtype) for dtype in (">i4", "M8[s]", object)),
    np.zeros(2, np.uint8).view(np.recarray),
]


@pytest.mark.parametrize("argument", UNSUPPORTED, ids=repr)
def test_other_arguments_are_left_to_numba(argument):
    with pytest.raises(UnsupportedError):
        pack((argument,)), argument_types((argument,))


def test_numba_accepts_what_entry_points_do_not_and_a_warning_says_so(directory, monkeypatch):
    monkeypatch.setattr("dlx_numba.jit.compile._has_warned", False)
    with pytest.warns(RuntimeWarning, match="length cannot run as stored machine code") as seen:
        assert [Kernel(length)(np.zeros(6)[::2]) for _ in range(2)] == [3, 3]
    assert len(seen) == 1
    assert not [*directory.iterdir()]


def sum_all(array):
    """Return the sum of the elements of an array."""
    total = 0
    for element in array.flat:
        total += element
    return total


def test_arrays_of_the_same_class_have_any_layout(directory):
    kernel, rows = Kernel(sum_all), np.arange(12).reshape(3, 4)
    fixed = rows.copy()
    fixed.flags.writeable = False
    layouts = [rows, rows[:, ::2], rows.T, rows[0], rows[1, ::3], fixed, fixed[1], rows[1:1]]
    layouts += [np.zeros(17, np.uint8)[1:].view(np.int64)]
    for array in layouts * 2:
        assert kernel(array) == array.sum()
    assert len(kernel.entry_points) == 4  # with one or two dimensions, and writable or not


def add_to(numbers, increment=2):
    """Add to all elements of an array, and return the first one with the length."""
    for k in range(len(numbers)):
        numbers[k] += increment
    return numbers[0], len(numbers)


def test_prepared_calls_can_be_repeated(directory):
    numbers, others = np.zeros(3, np.int64), np.full(4, 5)
    call = prepare_call(Kernel(add_to), numbers)
    assert [call(), call()] == [(2, 3), (4, 3)]
    numbers[:] = 10
    assert call() == (12, 3)
    call.replace(-1, 5)
    assert call() == (17, 3)
    call.replace(-2, others)
    assert (call(), others.tolist(), numbers[0]) == ((10, 4), [10] * 4, 17)
    assert prepare_call(add_to, numbers) is prepare_call(Kernel(add_to), others[::2]) is None


def test_prepared_calls_keep_their_arguments(directory):
    call = prepare_call(Kernel(sum_all), np.full(1000, 7))
    others = [np.full(1000, k) for k in range(100)]
    assert call() == 7000
    del others


def meet(flags, own, limit):
    """Set a flag, and wait until the other thread has set the other one; return whether it has."""
    flags[own] = 1
    for _ in range(limit):
        compiler_barrier()
        if flags[1 - own] != 0:
            return True
    return False


def test_threads_run_at_the_same_time(directory):
    flags = np.zeros(2, np.uint8)
    kernel = stored_kernel(meet, flags, 0, 1)
    flags[:] = 0
    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(lambda own: kernel(flags, own, 10**10), (0, 1))] == [True, True]
