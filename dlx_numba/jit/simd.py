"""Vectors of 32 unsigned 16-bit lanes, for kernels and for plain Python.

In jitted code a vector is a value of LLVM's type `<32 x i16>`: one AVX-512 register, or several
smaller registers on other processors. Each operation takes one or two instructions per register.
Under NUMBA_DISABLE_JIT a vector is a NumPy array, and the same kernels compute the same results.

Vectors support `& | ^ ~ + -` with each other, modulo 2**16, and `<<` and `>>` by an integer. They
are stored in C-contiguous arrays of shape (rows, 32) and dtype uint16. The functions of this module
access these arrays without bounds checks.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

N_LANES = 32
CACHE_LINE_BYTES = 64


def allocate_rows(rows: int) -> NDArray[Any]:
    """Return zeros of shape (rows, 32) and dtype uint16, aligned to cache lines.

    Each access to an unaligned row would touch two cache lines.
    """
    memory = np.zeros((rows + 1) * N_LANES, np.uint16)
    skipped = -memory.ctypes.data % CACHE_LINE_BYTES // memory.itemsize
    return memory[skipped : skipped + rows * N_LANES].reshape(rows, N_LANES)


def splat(number: int) -> Any:
    """Return a vector with the lowest 16 bits of `number` in every lane.

    In jitted code, `number` is an int64 or an unsigned integer.
    """
    return np.full(N_LANES, int(number) & 0xFFFF, np.uint16)


def load(memory: NDArray[Any], row: Any) -> Any:
    """Return row `row` of `memory` as a vector."""
    return memory[row].copy()


def store(memory: NDArray[Any], row: Any, value: Any) -> None:
    """Write the vector `value` to row `row` of `memory`."""
    memory[row] = value


def read_lane(memory: NDArray[Any], row: Any, lane: Any) -> Any:
    """Return `memory[row, lane]`.

    The distance between rows is a constant here, unlike in `memory[row, lane]`, which takes twice
    as long in a loop over many rows.
    """
    return memory[row, lane]


def write_lane(memory: NDArray[Any], row: Any, lane: Any, number: Any) -> None:
    """Write the lowest 16 bits of `number` to `memory[row, lane]`."""
    memory[row, lane] = int(number) & 0xFFFF


def minimum(a: Any, b: Any) -> Any:
    """Return the minimum of `a` and `b` in each lane."""
    return np.minimum(a, b)


def popcount_lanes(a: Any) -> Any:
    """Return the number of bits set in each lane."""
    return np.bitwise_count(a).astype(np.uint16)


def where_zero(test: Any, a: Any, b: Any) -> Any:
    """Return, in each lane, `a` if `test` is zero and `b` otherwise."""
    return np.where(test == 0, a, b)


def where_bits(bits: Any, a: Any, b: Any) -> Any:
    """Return, in each lane i, `a` if bit i of the uint32 `bits` is set and `b` otherwise."""
    return np.where(int(bits) >> np.arange(N_LANES) & 1 == 1, a, b)


def smallest_lane(a: Any) -> Any:
    """Return the smallest number in a lane of `a`, as a uint16."""
    return a.min()


def lanes_equal(a: Any, b: Any) -> Any:
    """Return the set of lanes in which `a` and `b` are equal, as a uint32 with bit i for lane i."""
    equal: NDArray[np.bool_] = a == b
    return np.packbits(equal, bitorder="little").view(np.uint32)[0]


def compiler_barrier() -> None:
    """Prevent the compiler from reusing values that were loaded or stored before this call.

    If a kernel uses more rows than there are registers, the compiler would otherwise copy rows to
    the stack and read them from there, although they can be loaded from memory again.
    """


def align_stack() -> None:
    """Align the stack of the calling kernel to cache lines; call this first in a kernel.

    Vectors that do not fit into registers are kept on the stack, which may start anywhere in a
    cache line. Unaligned, they made a kernel up to 1.6 times slower in some processes.
    """
