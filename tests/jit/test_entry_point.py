"""Calls of stored machine code: arguments and results are those of Numba."""

import pickle
from enum import IntEnum
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

from dlx_numba.jit.entry_cache import is_supported
from dlx_numba.jit.entry_point import UnsupportedError, pack
from tests.helpers.kernels import deferred_kernel, runs_without_numba, stored_kernel

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.usefixtures("directory"),
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
    """A number with a name."""

    LOW = 1


def weighted_sum(pair, rows, weight, is_negative, extra=None):
    """Return a number that depends on every argument, and change an array."""
    total = 0
    for k in range(len(pair.first)):
        total += int(pair.first[k]) * int(pair.second[k])
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            total += int(rows[row, column]) * (row + 1) * (column + 3)
    total *= int(weight)
    if extra is not None:
        total += int(extra[0])
    pair.second[0] = 7
    return -total if is_negative else total


def random_arguments(rng):
    dtypes = [np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.bool_, np.float64]
    first, second, rows = (
        rng.integers(0, 9, shape).astype(rng.choice(dtypes)) for shape in (4, 4, (3, 2))
    )
    rows.flags.writeable = bool(rng.integers(2))
    weight = rng.choice([int, np.int8, np.uint16, np.int64, np.uint64])(rng.integers(1, 9))
    is_negative = rng.choice([bool, np.bool_])(rng.integers(2))
    arguments = [Pair(first, second), rows, weight, is_negative]
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
    Level.LOW,
    [1],
    np.zeros(2, np.uint8).view(np.recarray),
]


@pytest.mark.parametrize("argument", UNSUPPORTED, ids=repr)
def test_other_arguments_are_left_to_numba(argument):
    with pytest.raises(UnsupportedError):
        pack((argument,))


def divide(numbers):
    """Divide by an element, which may be zero."""
    return 1 // numbers[0]


def test_failures_are_not_results():
    kernel = stored_kernel(divide, np.ones(1, np.int64))
    assert kernel(np.ones(1, np.int64)) == 1
    assert runs_without_numba(kernel)
    with pytest.raises(RuntimeError, match="the kernel divide has failed"):
        kernel(np.zeros(1, np.int64))
