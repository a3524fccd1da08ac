"""SIMD operations: jitted code, their NumPy equivalents and scalar arithmetic agree."""

import numpy as np
import pytest

from dlx_numba.jit import njit, simd


@njit
def every_operation(memory, results, number, shift):
    """Write one row of `results` for each operation on the first three rows of `memory`."""
    a, b, c = simd.load(memory, 0), simd.load(memory, 1), simd.load(memory, 2)
    simd.store(results, 0, a & b)
    simd.store(results, 1, a | b)
    simd.store(results, 2, a ^ b)
    simd.store(results, 3, a + b)
    simd.store(results, 4, a - b)
    simd.store(results, 5, ~a)
    simd.store(results, 6, a << shift)
    simd.store(results, 7, a >> shift)
    simd.store(results, 8, simd.minimum(a, b))
    simd.store(results, 9, simd.popcount_lanes(a))
    simd.store(results, 10, simd.where_zero(c, a, b))
    simd.store(results, 11, simd.where_bits(simd.lanes_equal(a, b), a, c))
    simd.store(results, 12, simd.splat(number))
    simd.store(results, 13, a)
    simd.write_lane(results, 13, 5, number)
    simd.write_lane(results, 13, 6, simd.read_lane(memory, 1, 6))
    simd.write_lane(results, 13, 7, simd.smallest_lane(b))
    return simd.lanes_equal(a, b)


SCALAR_OPERATIONS = [
    lambda a, b, c: a & b,
    lambda a, b, c: a | b,
    lambda a, b, c: a ^ b,
    lambda a, b, c: (a + b) % 65536,
    lambda a, b, c: (a - b) % 65536,
    lambda a, b, c: 65535 - a,
    lambda a, b, c: (a << 3) % 65536,
    lambda a, b, c: a >> 3,
    lambda a, b, c: min(a, b),
    lambda a, b, c: a.bit_count(),
    lambda a, b, c: b if c else a,
    lambda a, b, c: a if a == b else c,
]


@pytest.mark.parametrize("number", [0, 1, 300, 65535, 70000])
def test_jitted_numpy_and_scalar_operations_agree(number):
    rng = np.random.default_rng(number)
    memory, jitted, plain = simd.allocate_rows(3), simd.allocate_rows(14), simd.allocate_rows(14)
    memory[:] = rng.integers(0, 65536, memory.shape)
    memory[2] = rng.integers(0, 2, simd.N_LANES)
    memory[1, ::3] = memory[0, ::3]
    python = getattr(every_operation, "py_func", every_operation)
    equal = every_operation(memory, jitted, number, 3)
    assert equal == python(memory, plain, number, 3)
    assert np.array_equal(jitted, plain)
    for row, function in enumerate(SCALAR_OPERATIONS):
        assert jitted[row].tolist() == [*map(function, *memory.tolist())]
    assert set(jitted[12].tolist()) == {number % 65536}
    assert jitted[13, 5:8].tolist() == [number % 65536, memory[1, 6], memory[1].min()]
    assert [equal >> lane & 1 for lane in range(simd.N_LANES)] == (memory[0] == memory[1]).tolist()


def test_rows_are_zero_contiguous_and_aligned_to_cache_lines():
    for rows in (1, 2, 81, 1000):
        memory = simd.allocate_rows(rows)
        assert memory.shape == (rows, simd.N_LANES)
        assert memory.ctypes.data % 64 == 0
        assert memory.flags.c_contiguous
        assert not memory.any()
