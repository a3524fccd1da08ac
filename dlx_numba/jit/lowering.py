"""The lowering of `intrinsics` and `simd` to LLVM, by public interfaces of Numba."""

import operator
from collections.abc import Callable
from inspect import signature
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import (
    intrinsic,
    lower_builtin,
    models,
    overload,
    register_model,
    type_callable,
)

from .intrinsics import count_bits, lowest_bit, prefetch
from .simd import (
    CACHE_LINE_BYTES,
    N_LANES,
    align_stack,
    compiler_barrier,
    lanes_equal,
    load,
    minimum,
    popcount_lanes,
    read_lane,
    smallest_lane,
    splat,
    store,
    where_bits,
    where_zero,
    write_lane,
)

_FOR_READING, _KEEP, _DATA = 0, 3, 1  # arguments of LLVM's instruction `prefetch`


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


@intrinsic
def _prefetch(typingctx: Any, array: Any, position: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values = context.make_array(signature.args[0])(context, builder, arguments[0])
        element = builder.gep(values.data, [arguments[1]], inbounds=True)
        pointer = builder.bitcast(element, ir.IntType(8).as_pointer())
        hint = ir.FunctionType(ir.VoidType(), [pointer.type, *[ir.IntType(32)] * 3])
        name, module = "llvm.prefetch.p0", builder.module
        function = module.globals.get(name) or ir.Function(module, hint, name)
        constants = [ir.Constant(ir.IntType(32), each) for each in (_FOR_READING, _KEEP, _DATA)]
        builder.call(function, [pointer, *constants])
        return context.get_dummy_value()

    return types.void(array, position), generate


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


@overload(prefetch)
def _overload_prefetch(array, position):
    if isinstance(array, types.Array) and array.layout == "C" and array.ndim == 1:
        return lambda array, position: _prefetch(array, position)
    return None


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


def _lower(function: Callable[..., Any], arguments: tuple[Any, ...], result: Any) -> Any:
    """Return a decorator for the function `(builder, *values)` that generates code for `function`.

    If the first argument is an array, the generator receives the address of the row in its place.
    """

    @type_callable(function)
    def typing(context: Any) -> Callable[..., Any]:
        def accepts(*given: Any) -> Any:
            return result if all(map(isinstance, given, arguments)) else None

        accepts.__signature__ = signature(function)  # type: ignore[attr-defined]
        return accepts

    def decorate(generate: Callable[..., Any]) -> Callable[..., Any]:
        @lower_builtin(function, *arguments)
        def lowered(context: Any, builder: Any, call: Any, values: Any) -> Any:
            values = list(values)
            if isinstance(call.args[0] if values else None, types.Array):
                values[0] = _row_address(context, builder, call.args, values)
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
