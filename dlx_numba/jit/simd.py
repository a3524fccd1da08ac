"""Vectors of 32 unsigned 16-bit numbers, one in each lane, for kernels (and for plain Python).

In jitted code a vector is a value of LLVM's type `<32 x i16>`: one AVX-512 register, or as many
smaller ones as the processor needs; an operation is one or two instructions for each of them.
Under NUMBA_DISABLE_JIT a vector is a NumPy array, and the same kernels compute the same results.

Vectors have `& | ^ ~ + -` among themselves, all of 16 bits that wrap around, and `<<` and `>>` by
a number. Memory for them is a C-contiguous array of shape (rows, 32), that these functions reach
without any check of bounds.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model
from numpy.typing import NDArray

WIDTH = 32
NUMBER = ir.IntType(16)
VECTOR = ir.VectorType(NUMBER, WIDTH)


class VectorType(types.Type):
    """The Numba type of a vector."""

    def __init__(self) -> None:
        super().__init__(name=f"Vector({WIDTH} x uint16)")


vector = VectorType()


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, VECTOR)


# ------------------------------------------------------------- operations, as Python has them


def empty_rows(rows: int) -> NDArray[Any]:
    """Zeroed memory for `rows` vectors, aligned to cache lines: else each access takes two."""
    memory = np.zeros((rows + 1) * WIDTH, np.uint16)
    skipped = -memory.ctypes.data % 64 // memory.itemsize
    return memory[skipped : skipped + rows * WIDTH].reshape(rows, WIDTH)


def splat(number: int) -> Any:
    """The vector that has `number` (its lowest 16 bits; int64 or unsigned) in all lanes."""
    return np.full(WIDTH, int(number) & 0xFFFF, np.uint16)


def load(memory: NDArray[Any], row: Any) -> Any:
    """Row `row` of `memory`."""
    return memory[row].copy()


def store(memory: NDArray[Any], row: Any, value: Any) -> None:
    """Write `value` to row `row` of `memory`."""
    memory[row] = value


def read(memory: NDArray[Any], row: Any, lane: Any) -> Any:
    """The number in one lane of row `row`.

    Jitted code knows how far the rows are apart, which it does not for `memory[row, lane]`: that
    takes twice as long where many are read.
    """
    return memory[row, lane]


def write(memory: NDArray[Any], row: Any, lane: Any, number: Any) -> None:
    """Write `number` (its lowest 16 bits) to one lane of row `row`."""
    memory[row, lane] = int(number) & 0xFFFF


def smaller(a: Any, b: Any) -> Any:
    """In each lane, the smaller one of two numbers."""
    return np.minimum(a, b)


def count_bits(a: Any) -> Any:
    """In each lane, how many bits are set."""
    return np.bitwise_count(a).astype(np.uint16)


def where_zero(test: Any, a: Any, b: Any) -> Any:
    """In each lane, `a` where `test` is zero, else `b`."""
    return np.where(test == 0, a, b)


def lanes_equal(a: Any, b: Any) -> Any:
    """The set of lanes in which `a` and `b` are equal: bit i stands for lane i."""
    equal: NDArray[np.bool_] = a == b
    return np.packbits(equal, bitorder="little").view(np.uint32)[0]


def forget() -> None:
    """Have the compiler forget what it loaded or stored: a `load` that follows fetches it again.

    Where more rows are in use than there are registers, it writes what memory has already to the
    stack otherwise, and reads it from there.
    """


def align_stack() -> None:
    """Begin a kernel with this if it has more vectors in use than there are registers.

    The others are on the stack, which may start anywhere in a cache line. Unaligned they made a
    kernel take up to 1.6 times as long, in some processes and not in others.
    """


# ---------------------------------------------------------------- and as LLVM generates them


def _lower(function: Callable[..., Any], arguments: tuple[Any, ...], result: Any) -> Any:
    """Decorate a generator of code `(builder, *values)`: it stands for `function` in kernels.

    In place of an array and a row it is given the row's address, and the row.
    """

    class Typing(AbstractTemplate):
        key = function

        def generic(self, given: Any, named: Any) -> Any:
            if len(given) == len(arguments) and all(map(isinstance, given, arguments)):
                return signature(result, *given)
            return None

    infer_global(function, types.Function(Typing))

    def decorate(generate: Callable[..., Any]) -> Callable[..., Any]:
        @lower_builtin(function, *arguments)
        def lowered(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            values = list(values)
            if isinstance(signature.args[0] if values else None, types.Array):
                values[0] = _address(context, builder, signature.args, values)
            generated = generate(builder, *values)
            return context.get_dummy_value() if result is types.void else generated

        return generate

    return decorate


def _address(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    first = context.make_array(kinds[0])(context, builder, values[0]).data
    row = context.cast(builder, values[1], kinds[1], types.intp)
    return builder.gep(builder.bitcast(first, VECTOR.as_pointer()), [row])


def _lane_address(builder: Any, address: Any, lane: Any) -> Any:
    return builder.gep(builder.bitcast(address, NUMBER.as_pointer()), [lane])


def _narrowed(builder: Any, number: Any) -> Any:
    if number.type.width > NUMBER.width:
        return builder.trunc(number, NUMBER)
    if number.type.width < NUMBER.width:
        return builder.zext(number, NUMBER)
    return number


def _call(builder: Any, name: str, *values: Any) -> Any:
    name = f"llvm.{name}.v{WIDTH}i{NUMBER.width}"
    kind = ir.FunctionType(VECTOR, [VECTOR] * len(values))
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, values)


ONE, TWO, SHIFT = (VectorType,), (VectorType, VectorType), (VectorType, types.Integer)
ROW, LANE = (types.Array, types.Integer), (types.Array, types.Integer, types.Integer)

_lower(operator.and_, TWO, vector)(lambda builder, a, b: builder.and_(a, b))
_lower(operator.or_, TWO, vector)(lambda builder, a, b: builder.or_(a, b))
_lower(operator.xor, TWO, vector)(lambda builder, a, b: builder.xor(a, b))
_lower(operator.add, TWO, vector)(lambda builder, a, b: builder.add(a, b))
_lower(operator.sub, TWO, vector)(lambda builder, a, b: builder.sub(a, b))
_lower(operator.invert, ONE, vector)(lambda builder, a: builder.not_(a))
_lower(operator.lshift, SHIFT, vector)(lambda builder, a, n: builder.shl(a, _splat(builder, n)))
_lower(operator.rshift, SHIFT, vector)(lambda builder, a, n: builder.lshr(a, _splat(builder, n)))
_lower(smaller, TWO, vector)(lambda builder, a, b: _call(builder, "umin", a, b))
_lower(count_bits, ONE, vector)(lambda builder, a: _call(builder, "ctpop", a))


@_lower(splat, (types.Integer,), vector)
def _splat(builder: Any, number: Any) -> Any:
    undefined = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, _narrowed(builder, number), ir.IntType(32)(0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, first, lanes)


@_lower(where_zero, (VectorType, VectorType, VectorType), vector)
def _where_zero(builder: Any, test: Any, a: Any, b: Any) -> Any:
    zero = ir.Constant(VECTOR, [0] * WIDTH)
    return builder.select(builder.icmp_unsigned("==", test, zero), a, b)


@_lower(lanes_equal, TWO, types.uint32)
def _lanes_equal(builder: Any, a: Any, b: Any) -> Any:
    return builder.bitcast(builder.icmp_unsigned("==", a, b), ir.IntType(WIDTH))


# The alignment declared is that of one number, for the caller's array may lie anywhere. Where it
# does begin with a cache line, the instructions for any address are as fast.
@_lower(load, ROW, vector)
def _load(builder: Any, address: Any, row: Any) -> Any:
    return builder.load(address, align=2)


@_lower(store, (*ROW, VectorType), types.void)
def _store(builder: Any, address: Any, row: Any, value: Any) -> None:
    builder.store(value, address, align=2)


@_lower(read, LANE, types.uint16)
def _read(builder: Any, address: Any, row: Any, lane: Any) -> Any:
    return builder.load(_lane_address(builder, address, lane), align=2)


@_lower(write, (*LANE, types.Integer), types.void)
def _write(builder: Any, address: Any, row: Any, lane: Any, number: Any) -> None:
    builder.store(_narrowed(builder, number), _lane_address(builder, address, lane), align=2)


@_lower(forget, (), types.void)
def _forget(builder: Any) -> None:
    builder.fence("seq_cst", "singlethread")  # it orders this thread's accesses: no instruction


@_lower(align_stack, (), types.void)
def _align_stack(builder: Any) -> None:
    attributes = builder.function.attributes
    attributes.alignstack = 64
    attributes.add("nounwind")  # which kernels are; llvmlite drops the former without another
