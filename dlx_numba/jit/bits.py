"""Bit operations that Numba does not have in jitted code, each one machine instruction."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def lowest_bit(mask: Any) -> int:
    """The position of the lowest bit set in `mask` (not 0), an unsigned integer.

    >>> lowest_bit(0b101000)
    3
    """
    number = int(mask)
    return (number & -number).bit_length() - 1


def count_bits(mask: Any) -> int:
    """The number of bits set in `mask`, an unsigned integer.

    >>> count_bits(0b101001)
    3
    """
    return int(mask).bit_count()


@intrinsic
def _cttz(typingctx: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return mask(mask), generate


@intrinsic
def _ctpop(typingctx: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return mask(mask), generate


# Numba compares these functions' signatures with the ones that they return: no annotations.
@overload(lowest_bit)
def _lowest_bit(mask):
    if isinstance(mask, types.Integer) and not mask.signed:
        return lambda mask: _cttz(mask)
    return None


@overload(count_bits)
def _count_bits(mask):
    if isinstance(mask, types.Integer) and not mask.signed:
        return lambda mask: _ctpop(mask)
    return None
