"""Build the machine code of kernels with Numba.

Numba's machine code for a kernel contains a function that unpacks Python objects, so it depends on
the C API of Python and on parts of Numba. An entry point is a function that unpacks 64-bit
integers. It is linked with Numba's code for the kernel and its callees. LLVM optimizes them
together, and emits what the entry point needs, which depends on no other code.

Only this module uses private interfaces of Numba and llvmlite. If one of them fails, Numba runs the
kernels in its own way (see `compile`).
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import partial, reduce
from importlib import import_module
from itertools import count
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.np import arrayobj

from . import lowering  # noqa: F401  (it registers the lowering)
from .calling import OTHER_LAYOUT, TUPLE, Entry, Types, UnsupportedError
from .namespaces import Copies

_INT = ir.IntType(32)
_WORD = ir.IntType(64)

# The fields of an array object, which follow its header: PyArrayObject_fields in ndarraytypes.h. C
# programs read them by macros of NumPy, so they are part of its binary interface.
_ARRAY_FIELDS = ir.LiteralStructType(
    [_WORD, _INT, _WORD.as_pointer(), *[ir.IntType(8).as_pointer()] * 3, _INT]
)
_DATA = 0
_N_DIMENSIONS = 1
_DIMENSIONS = 2
_FLAGS = 6
_WRITEABLE = 0x0400
_LAYOUT_FLAGS = 0x0001 | 0x0100 | _WRITEABLE  # C-contiguous, aligned

# Functions of the C library that LLVM may call for loops over arrays. Any process has them.
_C_FUNCTIONS = {"memset", "memcpy", "memmove", "memcmp"}

# Names in an object file of functions that replace missing instructions, such as `__powidf2`. A
# process may not have them, and LLVM would abort it.
_RUNTIME_FUNCTION = re.compile(rb"\0(__+[a-z]\w*)\0")


class _CodeLibrary(JITCodeLibrary):
    """Code that is optimized and emitted only with the entry points that need it.

    Otherwise, the code of a function is optimized and emitted again for each of its callers.
    """

    codegen = property(lambda self: self)  # of which Numba calls only `set_env`

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: this code is never run, so it needs no environment."""

    def _optimize_final_module(self) -> None:
        """Do nothing."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def optimize(self) -> Any:
        """Return the optimized module.

        The second run optimizes what the first one has inlined.
        """
        self.finalize()
        for _ in range(2):
            super()._optimize_final_module()
        return self._final_module


def _compiler(typing_context: Any, context: Any, library: Any, *rest: Any) -> Any:
    """Return Numba's compiler, with another library."""
    return Compiler(typing_context, context, _CodeLibrary(context.codegen(), "kernel"), *rest)


def _dispatcher(function: Any, kernel: Any) -> Any:
    """Return Numba's dispatcher for a copy of a kernel.

    Kernels allocate nothing. With reference counts, every call from one kernel to another would
    update one atomic counter per array, which made the search three times slower. Functions that
    unpack Python objects are not needed, and would take a third of the time of compilation.
    """
    return numba.njit(
        nogil=True,
        forceinline=kernel.is_inlined,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
        pipeline_class=_compiler,
    )(function)


dispatchers = Copies(_dispatcher)


def build_entry(
    kernel: Any,
    key: str,
    stamp: str,
    argument_types: Types,
    emit: Callable[[Any], bytes] | None = None,
) -> Entry:
    """Compile a kernel for arguments of certain types.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    key, stamp : str
        The key of the entry point in libraries, and the digest of its sources.
    argument_types : tuple
        The types of all arguments, as `calling.argument_types` names them.
    emit : callable, optional
        Returns the object file of an optimized module. By default, it is for this processor.

    Raises
    ------
    UnsupportedError
        If the machine code depends on other code.
    """
    numba_types = tuple(_numba_types(iter(argument_types)))
    with global_compiler_lock:
        dispatcher = dispatchers.copy(kernel)
        dispatcher.compile(numba_types)
        compiled = dispatcher.overloads[numba_types]
        symbol = f"k{hashlib.sha256((stamp + key).encode()).hexdigest()[:31]}"
        codegen = compiled.target_context.codegen()
        library = _CodeLibrary(codegen, symbol)
        library.add_linking_library(compiled.library)
        result = _add_entry_function(compiled, library, symbol)
        code = library.optimize()
        _make_independent(code, symbol)
        object_file = (emit or codegen._tm.emit_object)(code)
        if names := _RUNTIME_FUNCTION.findall(object_file):
            raise UnsupportedError(names)
        return Entry(stamp, symbol, result, object_file)


def _numba_types(names: Iterator[str]) -> Iterator[Any]:
    """Yield the Numba types of arguments whose types `calling.argument_types` names."""
    for name in names:
        if ":" in name:  # the class and the length of a tuple, whose elements follow
            module, qualified_name, size = name.split(":")
            fields = [next(_numba_types(names)) for _ in range(int(size))]
            kind: Any = reduce(getattr, qualified_name.split("."), import_module(module))
            yield types.BaseTuple.from_types(fields, None if kind is tuple else kind)
        elif name.endswith("]"):
            element, n_dimensions = name.removeprefix("const ").rstrip("]").split("[")
            dtype = numba.from_dtype(np.dtype(element))
            is_readonly = name.startswith("const ")
            yield types.Array(dtype, int(n_dimensions), "C", readonly=is_readonly)
        else:
            yield getattr(types, name)


def _add_entry_function(compiled: Any, library: Any, symbol: str) -> str:
    """Add the function `symbol`, which unpacks words and calls the kernel, to a library.

    Returns the code of the type of the kernel's result. The function writes the words of the result
    after those of the arguments, and returns a status, 0 if all is well.
    """
    context = compiled.target_context
    kernel = compiled.fndesc
    module = library.create_ir_module(symbol)
    entry = ir.Function(module, ir.FunctionType(_WORD, [_WORD.as_pointer()]), symbol)
    builder = ir.IRBuilder(entry.append_basic_block())
    positions = count()  # of words

    def next_address() -> Any:
        """Generate the address of the next word."""
        return builder.gep(entry.args[0], [_WORD(next(positions))])

    header_bytes = builder.load(next_address())
    arguments = [
        _unpack(context, builder, each, lambda: builder.load(next_address()), header_bytes)
        for each in kernel.argtypes
    ]
    status, value = context.call_conv.call_function(
        builder,
        context.declare_function(module, kernel),
        kernel.restype,
        kernel.argtypes,
        arguments,
        attrs=("noinline",),  # it is optimized already
    )
    results, code = _pack_result(builder, kernel.restype, value)
    for word in results:
        builder.store(word, next_address())
    builder.ret(builder.sext(status.code, _WORD))
    library.add_ir_module(module)
    return code


def _unpack(
    context: Any, builder: Any, numba_type: Any, next_word: Callable[[], Any], header_bytes: Any
) -> Any:
    """Generate code for an argument; it reads the words that `calling.pack` writes.

    The word of an array is the address of the object. Its fields follow the header of an object,
    which has `header_bytes`.
    """
    match numba_type:
        case types.NoneType():
            return context.get_dummy_value()
        case types.Boolean() | types.Integer():
            word = next_word()
            kind = context.get_value_type(numba_type)
            return word if kind == _WORD else builder.trunc(word, kind)
        case types.Float(bitwidth=64):
            return builder.bitcast(next_word(), ir.DoubleType())
        case types.Array(layout="C", aligned=True):
            address = builder.add(next_word(), header_bytes)
            return _unpack_array(context, builder, numba_type, address)
        case types.BaseTuple():
            fields = [
                _unpack(context, builder, each, next_word, header_bytes) for each in numba_type
            ]
            return context.make_tuple(builder, numba_type, fields)
    raise UnsupportedError(numba_type)


def _unpack_array(context: Any, builder: Any, array_type: Any, address: Any) -> Any:
    """Generate code for an array; it returns from the entry point if the layout is another one."""
    fields = builder.inttoptr(address, _ARRAY_FIELDS.as_pointer())

    def read(index: int) -> Any:
        return builder.load(cgutils.gep_inbounds(builder, fields, 0, index))

    expected_flags = _LAYOUT_FLAGS if array_type.mutable else _LAYOUT_FLAGS & ~_WRITEABLE
    flags = builder.and_(read(_FLAGS), _INT(_LAYOUT_FLAGS))
    has_other_flags = builder.icmp_signed("!=", flags, _INT(expected_flags))
    has_other_shape = builder.icmp_signed("!=", read(_N_DIMENSIONS), _INT(array_type.ndim))
    with builder.if_then(builder.or_(has_other_flags, has_other_shape)):
        builder.ret(_WORD(OTHER_LAYOUT))
    element = context.get_data_type(array_type.dtype)
    size = _WORD(context.get_abi_sizeof(element))
    data = builder.inttoptr(read(_DATA), element.as_pointer())
    # The array is C-contiguous: a stride is that of the next dimension times its length.
    dimensions = read(_DIMENSIONS)
    shape = [
        builder.load(builder.gep(dimensions, [_WORD(each)])) for each in range(array_type.ndim)
    ]
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = context.make_array(array_type)(context, builder)
    arrayobj.populate_array(
        array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None
    )
    return array._getvalue()


def _pack_result(builder: Any, numba_type: Any, value: Any) -> tuple[list[Any], str]:
    """Generate code that converts a result to words; return them and the code of its type."""
    if isinstance(numba_type, types.NamedTuple | types.NamedUniTuple):
        raise UnsupportedError(numba_type)
    if not isinstance(numba_type, types.BaseTuple):
        word, code = _pack_scalar(builder, numba_type, value)
        return [word], code
    elements = [builder.extract_value(value, k) for k in range(len(numba_type))]
    packed = [*map(partial(_pack_scalar, builder), numba_type, elements)]
    return [word for word, _ in packed], TUPLE + "".join(code for _, code in packed)


def _pack_scalar(builder: Any, numba_type: Any, value: Any) -> tuple[Any, str]:
    """Return a value as a word of 64 bits, and the letter of its type."""
    match numba_type:
        case types.NoneType():
            return ir.Constant(_WORD, 0), "n"
        case types.Boolean():
            return builder.zext(value, _WORD), "b"
        case types.Integer(signed=True):
            return builder.sext(value, _WORD), "i"
        case types.Integer():
            return builder.zext(value, _WORD), "u"
        case types.Float(bitwidth=64):
            return builder.bitcast(value, _WORD), "f"
    raise UnsupportedError(numba_type)


def _make_independent(code: Any, symbol: str) -> None:
    """Let a module define only `symbol` for other code, and check that it needs no other code.

    Raises UnsupportedError if it does.
    """
    for declared in (*code.functions, *code.global_variables):
        name = declared.name
        if not declared.is_declaration:  # it is defined here
            if name != symbol:
                declared.linkage = "internal"
        elif name not in _C_FUNCTIONS and not name.startswith("llvm."):
            raise UnsupportedError(name)
