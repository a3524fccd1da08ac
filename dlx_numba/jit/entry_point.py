"""Entry points: kernels in machine code that are called without Numba.

An *entry point* is a function `int64 entry(int64 *words)` in machine code. Its argument contains
all arguments of a kernel as integers: the address and the shape of an array, the value of a number.
`ctypes` calls it without the GIL. Numba compiles a kernel separately for each combination of
argument types, so there is an entry point for each combination.

This module has the calling convention, for Python code; `entry_builder` generates the machine code,
and `entry_cache` keeps it on disk.
"""

import struct
import sys
import threading
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p
from typing import Any

import numpy as np

Types = tuple[Any, ...]  # the types of all arguments of a call, as `pack` describes them

# The types of elements of arrays, and their sizes
_NATIVE = "<" if sys.byteorder == "little" else ">"
_ITEM_BYTES = {
    **dict.fromkeys(("|b1", "|i1", "|u1"), 1),
    **{f"{_NATIVE}{kind}{size}": size for kind in "iu" for size in (2, 4, 8)},
    f"{_NATIVE}f8": 8,
}

_NUMBERS: dict[type, str] = {  # Numba does not distinguish int from int64, or bool from np.bool_
    bool: "bool",
    np.bool_: "bool",
    int: "int64",
    float: "float64",
    **{getattr(np, name): name for name in ("int8", "int16", "int32", "int64")},
    **{getattr(np, name): name for name in ("uint8", "uint16", "uint32", "uint64", "float64")},
}

_MAX_INT = 2**63


class UnsupportedError(Exception):
    """An argument, or a function, that entry points cannot have."""


def pack(arguments: tuple[Any, ...]) -> tuple[Types, list[int]]:
    """Return the types of the arguments of a call, and the arguments as 64-bit integers.

    Two calls have the same types only if Numba would run the same machine code for them. Arguments
    that are omitted are known from their default values, which are part of the source.
    """
    types: list[Any] = []
    words: list[int] = []
    for argument in arguments:
        _pack_one(argument, types, words)
    return tuple(types), words


def _pack_one(argument: Any, types: list[Any], words: list[int]) -> None:
    kind = type(argument)
    if kind is np.ndarray:
        interface = argument.__array_interface__
        address, is_readonly = interface["data"]
        shape, element = interface["shape"], interface["typestr"]
        is_contiguous = interface["strides"] is None
        size = _ITEM_BYTES.get(element)
        if size is None or not shape or not is_contiguous or address % size:
            raise UnsupportedError
        types.append((element, len(shape), is_readonly))
        words.append(address)
        words.extend(shape)
    elif kind in _NUMBERS:
        name = _NUMBERS[kind]
        types.append(name)
        if name == "float64":
            words.append(_float_to_word(argument))
        else:
            number = int(argument)
            if kind is int and not -_MAX_INT <= number < _MAX_INT:
                raise UnsupportedError
            words.append(number)
    elif argument is None:
        types.append(None)
    elif kind is tuple or (isinstance(argument, tuple) and hasattr(argument, "_fields")):
        types.append((kind.__module__, kind.__qualname__, len(argument)))
        for field in argument:
            _pack_one(field, types, words)
    else:
        raise UnsupportedError


def _float_to_word(number: float) -> int:
    return int(struct.unpack("=q", struct.pack("=d", number))[0])


# The results of kernels, by the code for their type in the file: how a word is converted
_RESULTS: dict[str, Callable[[int], Any]] = {
    "n": lambda word: None,
    "b": bool,
    "i": int,
    "u": lambda word: word % 2**64,
    "f": lambda word: struct.unpack("=d", struct.pack("=q", word))[0],
}
TUPLE = "("  # starts the code of a tuple; the codes of its elements follow


MAX_RESULT_CODE = 8  # the length of the code of a tuple


class EntryPoint:
    """A function in machine code that runs a kernel for arguments of certain types."""

    def __init__(self, kernel_name: str, address: int, result: str) -> None:
        self._kernel_name = kernel_name
        self._call = CFUNCTYPE(c_int64, c_void_p)(address)
        self._returns_tuple = result.startswith(TUPLE)
        self._conversions = [_RESULTS[code] for code in result.removeprefix(TUPLE)]

    def __call__(self, words: list[int]) -> Any:
        """Run the kernel. `words` are those of `pack`."""
        size = max(len(words) + 1, len(self._conversions))  # results overwrite the words from [0]
        memory = (c_int64 * size)(0, *words)
        status = self._call(memory)
        if status:  # kernels raise no exceptions: see `kernel` in jit/compile.py
            raise RuntimeError(f"the kernel {self._kernel_name} has failed with status {status}")
        results = tuple(convert(memory[k]) for k, convert in enumerate(self._conversions))
        return results if self._returns_tuple else results[0]


_linking = threading.Lock()
_linked: list[Any] = []  # what must exist as long as the machine code


def link(object_file: bytes, symbol: str) -> int:
    """Load an object file into the process, and return the address of a function in it."""
    import llvmlite.binding as llvm

    with _linking:
        if not _linked:
            _linked.append(_create_engine())
        engine = _linked[0]
        reference = llvm.ObjectFileRef.from_data(object_file)
        _linked.append((reference, object_file))
        engine.add_object_file(reference)
        engine.finalize_object()
        return int(engine.get_function_address(symbol))


def _create_engine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
