"""Build the machine code of kernels with Numba.

Numba's machine code for a kernel contains a function that unpacks Python objects, so it depends on
the C API of Python and on parts of Numba. An entry point is created from the same optimized code:
a function that unpacks 64-bit integers is added to it, everything that this function does not call
is removed, and LLVM compiles the rest, which depends on no other code.

Only this module uses private interfaces of Numba and llvmlite. If one of them fails, Numba runs the
kernels in its own way (see `compile`).
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import reduce
from importlib import import_module
from itertools import count
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.np import arrayobj

from . import lowering  # noqa: F401  (it registers the lowering)
from .calling import OTHER_LAYOUT, TUPLE, Entry, Types, UnsupportedError
from .namespaces import Copies

_INT, _WORD = ir.IntType(32), ir.IntType(64)

# The fields of an array object, which follow its header: PyArrayObject_fields in ndarraytypes.h. C
# programs read them by macros of NumPy, so they are part of its binary interface.
_ARRAY_FIELDS = ir.LiteralStructType(
    [_WORD, _INT, _WORD.as_pointer(), *[ir.IntType(8).as_pointer()] * 3, _INT]
)
_DATA, _N_DIMENSIONS, _DIMENSIONS, _FLAGS = 0, 1, 2, 6
_WRITEABLE = 0x0400
_LAYOUT_FLAGS = 0x0001 | 0x0100 | _WRITEABLE  # C-contiguous, aligned

# Functions of the C library that LLVM may call for loops over arrays. Any process has them.
_C_FUNCTIONS = {"memset", "memcpy", "memmove", "memcmp"}

# Names in an object file of functions that replace missing instructions, such as `__powidf2`. A
# process may not have them, and LLVM would abort it.
_RUNTIME_FUNCTION = re.compile(rb"\0(__+[a-z]\w*)\0")


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
    )(function)


_dispatchers = Copies(_dispatcher)


def build_entry(kernel: Any, key: str, stamp: str, argument_types: Types) -> Entry:
    """Compile a kernel for arguments of certain types.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    key, stamp : str
        The key of the entry point in libraries, and the digest of its sources.
    argument_types : tuple
        The types of all arguments, as `calling.argument_types` names them.

    Raises
    ------
    UnsupportedError
        If the machine code depends on other code.
    """
    numba_types = tuple(_numba_types(iter(argument_types)))
    with global_compiler_lock:
        dispatcher = _dispatchers.copy(kernel)
        dispatcher.compile(numba_types)
        compiled = dispatcher.overloads[numba_types]
        symbol = f"k{hashlib.sha256((stamp + key).encode()).hexdigest()[:31]}"
        module, result = _build_entry(compiled, symbol)
        code = llvm.parse_assembly(cgutils.normalize_ir_text(str(module)))
        code.link_in(compiled.library._get_module_for_linking(), preserve=True)
        machine = compiled.library.codegen._tm
        _remove_unused(code, symbol, machine)
        _require_independence(code)
        object_file = machine.emit_object(code)
        if names := _RUNTIME_FUNCTION.findall(object_file):
            raise UnsupportedError(names)
        return Entry(stamp, symbol, result, object_file)


def _numba_types(names: Iterator[str]) -> Iterator[Any]:
    """Yield the Numba types of arguments whose types `calling.argument_types` names."""
    for name in names:
        if ":" in name:
            module, qualified_name, size = name.split(":")
            fields = [next(_numba_types(names)) for _ in range(int(size))]
            kind: Any = reduce(getattr, qualified_name.split("."), import_module(module))
            yield types.BaseTuple.from_types(fields, None if kind is tuple else kind)
        elif name.endswith("]"):
            element, n_dimensions = name.removeprefix("const ").rstrip("]").split("[")
            is_readonly = name.startswith("const ")
            dtype = numba.from_dtype(np.dtype(element))
            yield types.Array(dtype, int(n_dimensions), "C", readonly=is_readonly)
        else:
            yield getattr(types, name)


def _build_entry(compiled: Any, symbol: str) -> tuple[ir.Module, str]:
    """Return a module with the function that unpacks words and calls the kernel."""
    context, kernel = compiled.target_context, compiled.fndesc
    module = compiled.library.codegen._create_empty_module(symbol)
    entry = ir.Function(module, ir.FunctionType(_WORD, [_WORD.as_pointer()]), symbol)
    builder = ir.IRBuilder(entry.append_basic_block())
    positions = count()

    def next_address() -> Any:
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
    return module, code


def _unpack(
    context: Any, builder: Any, numba_type: Any, next_word: Callable[[], Any], header_bytes: Any
) -> Any:
    """Generate code for an argument; it reads the words that `calling.pack` writes."""
    match numba_type:
        case types.NoneType():
            return context.get_dummy_value()
        case types.Boolean() | types.Integer():
            word, kind = next_word(), context.get_value_type(numba_type)
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

    flags = _LAYOUT_FLAGS if array_type.mutable else _LAYOUT_FLAGS & ~_WRITEABLE
    has_dimensions = builder.icmp_signed("==", read(_N_DIMENSIONS), _INT(array_type.ndim))
    has_flags = builder.icmp_signed(
        "==", builder.and_(read(_FLAGS), _INT(_LAYOUT_FLAGS)), _INT(flags)
    )
    with builder.if_then(builder.not_(builder.and_(has_dimensions, has_flags))):
        builder.ret(_WORD(OTHER_LAYOUT))
    element = context.get_data_type(array_type.dtype)
    size = _WORD(context.get_abi_sizeof(element))
    data = builder.inttoptr(read(_DATA), element.as_pointer())
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
    elements = [
        _pack_scalar(builder, each, builder.extract_value(value, k))
        for k, each in enumerate(numba_type)
    ]
    code = TUPLE + "".join(code for word, code in elements)
    return [word for word, code in elements], code


def _pack_scalar(builder: Any, numba_type: Any, value: Any) -> tuple[Any, str]:
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


def _remove_unused(code: Any, symbol: str, machine: Any) -> None:
    """Remove everything that the function `symbol` does not need."""
    for each in (*code.functions, *code.global_variables):
        if not each.is_declaration and each.name != symbol:
            each.linkage = "internal"
    if hasattr(llvm, "create_module_pass_manager"):  # until llvmlite 0.44
        passes = llvm.create_module_pass_manager()
        passes.add_global_dce_pass()
        passes.run(code)
        return
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(code, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0)))


def _require_independence(code: Any) -> None:
    """Raise UnsupportedError if a module needs functions or variables of other code."""
    for each in (*code.functions, *code.global_variables):
        name = each.name
        if each.is_declaration and name not in _C_FUNCTIONS and not name.startswith("llvm."):
            raise UnsupportedError(name)
