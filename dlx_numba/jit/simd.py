"""Vectors of 32 unsigned 16-bit lanes, for kernels and for plain Python.

In jitted code a vector is a value of LLVM's type `<32 x i16>`: one AVX-512 register, or several
smaller registers on other processors. Each operation takes one or two instructions per register.
Under NUMBA_DISABLE_JIT a vector is a NumPy array, and the same kernels compute the same results.

Vectors support `& | ^ ~ + -` with each other, modulo 2**16, and `<<` and `>>` by an integer. They
are stored in C-contiguous arrays of shape (rows, 32) and dtype uint16. The functions of this module
access these arrays without bounds checks.
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

N_LANES = 32
CACHE_LINE_BYTES = 64

_LANE_IR = ir.IntType(16)
_VECTOR_IR = ir.VectorType(_LANE_IR, N_LANES)


class VectorType(types.Type):
    """Numba type of a vector."""

    def __init__(self) -> None:
        super().__init__(name=f"Vector({N_LANES} x uint16)")


vector = VectorType()


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _VECTOR_IR)


# ------------------------------------------------------------------- the operations in plain Python


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


# ------------------------------------------------------------------------- their lowering to LLVM


def _lower(function: Callable[..., Any], arguments: tuple[Any, ...], result: Any) -> Any:
    """Return a decorator for the function `(builder, *values)` that generates code for `function`.

    If the first argument is an array, the generator receives the address of the row in its place.
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
                values[0] = _row_address(context, builder, signature.args, values)
            generated = generate(builder, *values)
            return context.get_dummy_value() if result is types.void else generated

        return generate

    return decorate


def _row_address(context: Any, builder: Any, argument_types: Any, values: Any) -> Any:
    first = context.make_array(argument_types[0])(context, builder, values[0]).data
    row = context.cast(builder, values[1], argument_types[1], types.intp)
    return builder.gep(builder.bitcast(first, _VECTOR_IR.as_pointer()), [row])


def _lane_address(builder: Any, address: Any, lane: Any) -> Any:
    return builder.gep(builder.bitcast(address, _LANE_IR.as_pointer()), [lane])


def _to_lane_type(builder: Any, number: Any) -> Any:
    if number.type.width > _LANE_IR.width:
        return builder.trunc(number, _LANE_IR)
    if number.type.width < _LANE_IR.width:
        return builder.zext(number, _LANE_IR)
    return number


def _call_llvm(builder: Any, name: str, *values: Any, result: Any = _VECTOR_IR) -> Any:
    """Call the LLVM intrinsic `name` for vectors, which returns a value of the type `result`."""
    name = f"llvm.{name}.v{N_LANES}i{_LANE_IR.width}"
    function_type = ir.FunctionType(result, [_VECTOR_IR] * len(values))
    function = builder.module.globals.get(name) or ir.Function(builder.module, function_type, name)
    return builder.call(function, values)


# Argument types
_UNARY = (VectorType,)
_BINARY = (VectorType, VectorType)
_TERNARY = (VectorType, VectorType, VectorType)
_SHIFT = (VectorType, types.Integer)
_ROW = (types.Array, types.Integer)
_LANE = (types.Array, types.Integer, types.Integer)
_SELECT = (types.Integer, VectorType, VectorType)

_lower(operator.and_, _BINARY, vector)(lambda builder, a, b: builder.and_(a, b))
_lower(operator.or_, _BINARY, vector)(lambda builder, a, b: builder.or_(a, b))
_lower(operator.xor, _BINARY, vector)(lambda builder, a, b: builder.xor(a, b))
_lower(operator.add, _BINARY, vector)(lambda builder, a, b: builder.add(a, b))
_lower(operator.sub, _BINARY, vector)(lambda builder, a, b: builder.sub(a, b))
_lower(operator.invert, _UNARY, vector)(lambda builder, a: builder.not_(a))
_lower(operator.lshift, _SHIFT, vector)(lambda builder, a, n: builder.shl(a, _splat(builder, n)))
_lower(operator.rshift, _SHIFT, vector)(lambda builder, a, n: builder.lshr(a, _splat(builder, n)))
_lower(minimum, _BINARY, vector)(lambda builder, a, b: _call_llvm(builder, "umin", a, b))
_lower(popcount_lanes, _UNARY, vector)(lambda builder, a: _call_llvm(builder, "ctpop", a))


@_lower(splat, (types.Integer,), vector)
def _splat(builder: Any, number: Any) -> Any:
    undefined = ir.Constant(_VECTOR_IR, ir.Undefined)
    first = builder.insert_element(undefined, _to_lane_type(builder, number), ir.IntType(32)(0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), N_LANES), [0] * N_LANES)
    return builder.shuffle_vector(first, first, lanes)


@_lower(where_zero, _TERNARY, vector)
def _where_zero(builder: Any, test: Any, a: Any, b: Any) -> Any:
    zero = ir.Constant(_VECTOR_IR, [0] * N_LANES)
    return builder.select(builder.icmp_unsigned("==", test, zero), a, b)


@_lower(where_bits, _SELECT, vector)
def _where_bits(builder: Any, bits: Any, a: Any, b: Any) -> Any:
    if bits.type.width > N_LANES:
        bits = builder.trunc(bits, ir.IntType(N_LANES))
    return builder.select(builder.bitcast(bits, ir.VectorType(ir.IntType(1), N_LANES)), a, b)


@_lower(smallest_lane, _UNARY, types.uint16)
def _smallest_lane(builder: Any, a: Any) -> Any:
    return _call_llvm(builder, "vector.reduce.umin", a, result=_LANE_IR)


@_lower(lanes_equal, _BINARY, types.uint32)
def _lanes_equal(builder: Any, a: Any, b: Any) -> Any:
    return builder.bitcast(builder.icmp_unsigned("==", a, b), ir.IntType(N_LANES))


# The declared alignment is that of one lane, because the caller's array may start anywhere. On
# aligned rows, the instructions for unaligned addresses are as fast as those for aligned ones.
@_lower(load, _ROW, vector)
def _load(builder: Any, address: Any, row: Any) -> Any:
    return builder.load(address, align=2)


@_lower(store, (*_ROW, VectorType), types.void)
def _store(builder: Any, address: Any, row: Any, value: Any) -> None:
    builder.store(value, address, align=2)


@_lower(read_lane, _LANE, types.uint16)
def _read_lane(builder: Any, address: Any, row: Any, lane: Any) -> Any:
    return builder.load(_lane_address(builder, address, lane), align=2)


@_lower(write_lane, (*_LANE, types.Integer), types.void)
def _write_lane(builder: Any, address: Any, row: Any, lane: Any, number: Any) -> None:
    builder.store(_to_lane_type(builder, number), _lane_address(builder, address, lane), align=2)


@_lower(compiler_barrier, (), types.void)
def _compiler_barrier(builder: Any) -> None:
    builder.fence("seq_cst", "singlethread")  # orders accesses of this thread; no instruction


@_lower(align_stack, (), types.void)
def _align_stack(builder: Any) -> None:
    attributes = builder.function.attributes
    attributes.alignstack = CACHE_LINE_BYTES
    # llvmlite omits `alignstack` if it is the only attribute; kernels never unwind.
    attributes.add("nounwind")
