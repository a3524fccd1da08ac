"""A hint to the processor: load an element of an array into the cache before it is needed."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

FOR_READING, KEEP, DATA = 0, 3, 1  # arguments of LLVM's instruction `prefetch`


def prefetch(array: Any, position: Any) -> None:
    """Start loading `array[position]`, an element of a contiguous array; changes nothing.

    >>> prefetch([1, 2], 0)
    """


@intrinsic
def _prefetch(typingctx: Any, array: Any, position: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.bitcast(
            cgutils.gep_inbounds(builder, values.data, arguments[1]), ir.IntType(8).as_pointer()
        )
        hint = ir.FunctionType(ir.VoidType(), [pointer.type, *[ir.IntType(32)] * 3])
        function = cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
        constants = [ir.Constant(ir.IntType(32), each) for each in (FOR_READING, KEEP, DATA)]
        builder.call(function, [pointer, *constants])
        return context.get_dummy_value()

    return types.void(array, position), generate


# Numba compares the signature of an overload with that of the function it returns, annotations
# included, so neither has any.
@overload(prefetch)
def _overload_prefetch(array, position):
    if isinstance(array, types.Array) and array.layout == "C" and array.ndim == 1:
        return lambda array, position: _prefetch(array, position)
    return None
