"""The lowering of `intrinsics` to LLVM."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from .intrinsics import count_bits, lowest_bit, prefetch

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
