"""Operations that Numba does not provide; each compiles to one machine instruction.

They are defined in plain Python here; `lowering` generates LLVM code for them.
"""

from typing import Any


def lowest_bit(mask: Any) -> int:
    """Return the position of the lowest bit set in `mask`, a positive unsigned integer.

    >>> lowest_bit(0b101000)
    3
    """
    number = int(mask)
    return (number & -number).bit_length() - 1


def count_bits(mask: Any) -> int:
    """Return the number of bits set in `mask`, an unsigned integer.

    >>> count_bits(0b101001)
    3
    """
    return int(mask).bit_count()


def prefetch(array: Any, position: Any) -> None:
    """Start loading `array[position]`, an element of a contiguous array, into the processor cache.

    This is a hint; it changes nothing.

    >>> prefetch([1, 2], 0)
    """
