"""Bit operations that Numba does not provide; each compiles to one machine instruction."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


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


# Numba compares the signature of an overload with that of the function it returns, annotations
# included, so neither has any.
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
