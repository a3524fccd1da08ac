"""The lowering of `intrinsics` and `simd` to LLVM, by public interfaces of Numba."""

import operator
from collections.abc import Callable
from inspect import signature
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from . import simd
from .intrinsics import count_bits, lowest_bit, prefetch

_LANE_IR = ir.IntType(16)
_VECTOR_IR = ir.VectorType(_LANE_IR, simd.N_LANES)


class VectorType(types.Type):
    """Numba type of a vector."""

    def __init__(self) -> None:
        super().__init__(name=f"Vector({simd.N_LANES} x uint16)")


vector = VectorType()


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _VECTOR_IR)


def _lower(function: Callable[..., Any], arguments: tuple[Any, ...], result: Any = None) -> Any:
    """Return a decorator for the function `(builder, *values)` that generates code for `function`.

    `arguments` are the classes of the types that `function` takes; with other ones, Numba rejects
    the call. By default, the result has the type of the first argument. If this is an array, the
    generator receives the address of its elements, and the next argument as an index.
    """

    # Numba asks for the type of a result, when it finds a call of `function`, and then for code.
    @type_callable(function)
    def typing(context: Any) -> Callable[..., Any]:
        def accepts(*given: Any) -> Any:
            """Return the type of the result for types of arguments; None if they are rejected."""
            is_valid = all(map(isinstance, given, arguments))
            return (result or types.unliteral(given[0])) if is_valid else None

        accepts.__signature__ = signature(function)  # type: ignore[attr-defined]
        return accepts

    def decorate(generate: Callable[..., Any]) -> Callable[..., Any]:
        """Let `generate` generate the code of a call, and return it."""

        @lower_builtin(function, *arguments)
        def lowered(context: Any, builder: Any, call: Any, values: Any) -> Any:
            values = list(values)
            if values and isinstance(call.args[0], types.Array):  # an array and an index
                values[0] = context.make_array(call.args[0])(context, builder, values[0]).data
                values[1] = context.cast(builder, values[1], call.args[1], types.intp)
            generated = generate(builder, *values)
            return context.get_dummy_value() if result is types.void else generated

        return generate

    return decorate


def _row(builder: Any, array: Any, row: Any) -> Any:
    """Return the address of a row."""
    return builder.gep(builder.bitcast(array, _VECTOR_IR.as_pointer()), [row])


def _lane(builder: Any, array: Any, row: Any, lane: Any) -> Any:
    first = builder.bitcast(_row(builder, array, row), _LANE_IR.as_pointer())
    return builder.gep(first, [lane])


def _to_lane_type(builder: Any, number: Any) -> Any:
    if number.type.width > _LANE_IR.width:
        return builder.trunc(number, _LANE_IR)
    if number.type.width < _LANE_IR.width:
        return builder.zext(number, _LANE_IR)
    return number


def _call_llvm(builder: Any, name: str, result: Any, *values: Any) -> Any:
    """Call an LLVM intrinsic, which returns a value of the type `result`."""
    function_type = ir.FunctionType(result, [value.type for value in values])
    function = builder.module.globals.get(name) or ir.Function(builder.module, function_type, name)
    return builder.call(function, values)


def _vector_function(name: str) -> Callable[..., Any]:
    return lambda builder, *values: _call_llvm(builder, name, _VECTOR_IR, *values)


# Types of arguments
_INTEGER = (types.Integer,)
_UNARY = (VectorType,)
_BINARY = (VectorType, VectorType)
_SHIFT = (VectorType, types.Integer)
_ROW = (types.Array, types.Integer)
_LANE = (types.Array, types.Integer, types.Integer)


def _as_int64(builder: Any, number: Any) -> Any:
    return number if number.type.width == 64 else builder.zext(number, ir.IntType(64))


_lower(lowest_bit, _INTEGER, types.int64)(
    lambda builder, mask: _as_int64(builder, builder.cttz(mask, ir.IntType(1)(1)))
)
_lower(count_bits, _INTEGER, types.int64)(
    lambda builder, mask: _as_int64(builder, builder.ctpop(mask))
)
_lower(operator.and_, _BINARY, vector)(lambda builder, a, b: builder.and_(a, b))
_lower(operator.or_, _BINARY, vector)(lambda builder, a, b: builder.or_(a, b))
_lower(operator.xor, _BINARY, vector)(lambda builder, a, b: builder.xor(a, b))
_lower(operator.add, _BINARY, vector)(lambda builder, a, b: builder.add(a, b))
_lower(operator.sub, _BINARY, vector)(lambda builder, a, b: builder.sub(a, b))
_lower(operator.invert, _UNARY, vector)(lambda builder, a: builder.not_(a))
_lower(operator.lshift, _SHIFT, vector)(lambda builder, a, n: builder.shl(a, _splat(builder, n)))
_lower(operator.rshift, _SHIFT, vector)(lambda builder, a, n: builder.lshr(a, _splat(builder, n)))
_lower(simd.popcount_lanes, _UNARY, vector)(_vector_function("llvm.ctpop.v32i16"))
_lower(simd.minimum, _BINARY, vector)(_vector_function("llvm.umin.v32i16"))


@_lower(simd.splat, _INTEGER, vector)
def _splat(builder: Any, number: Any) -> Any:
    """Put the number into the first lane, and copy that to all lanes (the mask has zeros)."""
    undefined = ir.Constant(_VECTOR_IR, ir.Undefined)
    first = builder.insert_element(undefined, _to_lane_type(builder, number), ir.IntType(32)(0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), simd.N_LANES), [0] * simd.N_LANES)
    return builder.shuffle_vector(first, first, lanes)


@_lower(simd.where_zero, (*_BINARY, VectorType), vector)
def _where_zero(builder: Any, test: Any, a: Any, b: Any) -> Any:
    zero = ir.Constant(_VECTOR_IR, [0] * simd.N_LANES)
    return builder.select(builder.icmp_unsigned("==", test, zero), a, b)


@_lower(simd.where_bits, (types.Integer, *_BINARY), vector)
def _where_bits(builder: Any, bits: Any, a: Any, b: Any) -> Any:
    if bits.type.width > simd.N_LANES:
        bits = builder.trunc(bits, ir.IntType(simd.N_LANES))
    return builder.select(builder.bitcast(bits, ir.VectorType(ir.IntType(1), simd.N_LANES)), a, b)


@_lower(simd.smallest_lane, _UNARY, types.uint16)
def _smallest_lane(builder: Any, a: Any) -> Any:
    return _call_llvm(builder, "llvm.vector.reduce.umin.v32i16", _LANE_IR, a)


@_lower(simd.lanes_equal, _BINARY, types.uint32)
def _lanes_equal(builder: Any, a: Any, b: Any) -> Any:
    return builder.bitcast(builder.icmp_unsigned("==", a, b), ir.IntType(simd.N_LANES))


# The declared alignment is that of one lane, because the caller's array may start anywhere. On
# aligned rows, the instructions for unaligned addresses are as fast as those for aligned ones.
@_lower(simd.load, _ROW, vector)
def _load(builder: Any, array: Any, row: Any) -> Any:
    return builder.load(_row(builder, array, row), align=2)


@_lower(simd.store, (*_ROW, VectorType), types.void)
def _store(builder: Any, array: Any, row: Any, value: Any) -> None:
    builder.store(value, _row(builder, array, row), align=2)


@_lower(simd.read_lane, _LANE, types.uint16)
def _read_lane(builder: Any, array: Any, row: Any, lane: Any) -> Any:
    return builder.load(_lane(builder, array, row, lane), align=2)


@_lower(simd.write_lane, (*_LANE, types.Integer), types.void)
def _write_lane(builder: Any, array: Any, row: Any, lane: Any, number: Any) -> None:
    builder.store(_to_lane_type(builder, number), _lane(builder, array, row, lane), align=2)


@_lower(prefetch, _ROW, types.void)
def _prefetch(builder: Any, array: Any, position: Any) -> None:
    element = builder.gep(array, [position], inbounds=True)
    pointer = builder.bitcast(element, ir.IntType(8).as_pointer())
    for_reading, keep, data = map(ir.IntType(32), (0, 3, 1))  # as LLVM numbers them
    values = pointer, for_reading, keep, data
    _call_llvm(builder, "llvm.prefetch.p0", ir.VoidType(), *values)


@_lower(simd.compiler_barrier, (), types.void)
def _compiler_barrier(builder: Any) -> None:
    builder.fence("seq_cst", "singlethread")  # orders accesses of this thread; no instruction


@_lower(simd.align_stack, (), types.void)
def _align_stack(builder: Any) -> None:
    attributes = builder.function.attributes
    attributes.alignstack = simd.CACHE_LINE_BYTES
    # llvmlite omits `alignstack` if it is the only attribute; kernels never unwind.
    attributes.add("nounwind")
