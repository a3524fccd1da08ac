"""The calling convention of compiled kernels.

Machine code of a kernel is a function `int64 entry(int64 *words)`. Its argument contains all
arguments of the kernel as integers: the address and the shape of an array, the value of a number.
`ctypes` calls it without the GIL. A kernel is compiled separately for each combination of argument
types, so there is an *entry point* for each combination. `build` generates the machine code, and
`library` keeps it in files.
"""

import struct
import sys
import threading
from array import array
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p
from typing import Any, NamedTuple

import numpy as np

Types = tuple[Any, ...]  # the types of all arguments of a call, as `pack` describes them

# The types of elements of arrays
_NATIVE = "<" if sys.byteorder == "little" else ">"
_ELEMENTS = {
    *("|b1", "|i1", "|u1"),
    *(f"{_NATIVE}{kind}{size}" for kind in "iu" for size in (2, 4, 8)),
    f"{_NATIVE}f8",
}

_NUMBERS: dict[type, str] = {  # as Numba names them; it does not distinguish int from int64
    bool: "boolean",
    np.bool_: "boolean",
    **dict.fromkeys((int, np.int8, np.int16, np.int32, np.int64), "int64"),
    **{getattr(np, name): name for name in ("uint8", "uint16", "uint32", "uint64")},
    **dict.fromkeys((float, np.float64), "float64"),
}

_MAX_INT = 2**63

# The address of the elements follows the header of the object that is an array: programs in C read
# it there, so this is part of the binary interface of NumPy. Its attributes take ten times as long.
_DATA_OFFSET = object.__basicsize__


class Entry(NamedTuple):
    """The machine code of an entry point."""

    stamp: str  # the digest of the sources
    symbol: str  # the name of the function
    result: str  # the code of the type of its result: see `_RESULTS`
    code: bytes  # an object file


class UnsupportedError(Exception):
    """An argument, or a function, that entry points cannot have."""


def pack(arguments: tuple[Any, ...]) -> tuple[Types, list[int]]:
    """Return the types of the arguments of a call, and the words of the call.

    The first word is 0, the others are the arguments as 64-bit integers. The type of an array is a
    tuple of the type of its elements, the number of its dimensions and whether it is read-only;
    that of a tuple is (module, class, length), followed by the types of its elements; others are
    names of Numba, or None.

    Raises
    ------
    UnsupportedError
        If an argument is an array that is not aligned and C-contiguous, or has another type.
    """
    types: list[Any] = []
    words = [0]  # for the result
    _pack(arguments, types, words)
    return tuple(types), words


def _pack(arguments: tuple[Any, ...], types: list[Any], words: list[int]) -> None:
    int64_at = c_int64.from_address
    for argument in arguments:
        kind = type(argument)
        if kind is np.ndarray:
            layout = argument.dtype, argument.ndim, argument.flags.num
            types.append(_array_types.get(layout) or _array_type(argument, layout))
            words.append(int64_at(id(argument) + _DATA_OFFSET).value)
            words += argument.shape
        elif kind in _NUMBERS:
            types.append(_NUMBERS[kind])
            word = _float_to_word(argument) if types[-1] == "float64" else int(argument)
            if types[-1] == "int64" and not -_MAX_INT <= word < _MAX_INT:
                raise UnsupportedError(f"the integer {word}")
            words.append(word if word < _MAX_INT else word - 2**64)
        elif argument is None:
            types.append(None)
        elif isinstance(argument, tuple):
            packed = _packed_tuples.get(id(argument))
            if packed is None:
                packed = _pack_tuple(argument)
            types += packed[1]
            words += packed[2]
        else:
            raise UnsupportedError(f"an argument of type {kind.__qualname__}")


# By identity, so that consecutive calls with the same state do not pack it again. It keeps the
# tuples alive, so there are few, with small arrays.
_packed_tuples: dict[int, tuple[tuple[Any, ...], list[Any], list[int]]] = {}
MAX_PACKED_TUPLES, MAX_PACKED_BYTES = 16, 1 << 16


def _pack_tuple(argument: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Any], list[int]]:
    kind = type(argument)
    types: list[Any] = [(kind.__module__, kind.__qualname__, len(argument))]
    words: list[int] = []
    _pack(argument, types, words)
    packed = argument, types, words
    if sum(getattr(field, "nbytes", 0) for field in argument) <= MAX_PACKED_BYTES:
        if len(_packed_tuples) >= MAX_PACKED_TUPLES:
            _packed_tuples.clear()
        _packed_tuples[id(argument)] = packed
    return packed


_array_types: dict[tuple[Any, ...], tuple[str, int, bool]] = {}  # by layout


def _array_type(array: Any, layout: tuple[Any, ...]) -> tuple[str, int, bool]:
    element, flags = array.dtype.str, array.flags
    if element not in _ELEMENTS or not array.ndim or not (flags.c_contiguous and flags.aligned):
        raise UnsupportedError(f"an array of type {element} and shape {array.shape}")
    _array_types[layout] = element, array.ndim, not flags.writeable
    return _array_types[layout]


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


class EntryPoint:
    """A function in machine code that runs a kernel for arguments of certain types.

    Parameters
    ----------
    kernel_name : str
        The name of the kernel, for error messages.
    address : int
        The address of the function in memory.
    result : str
        The code of the type of its result.
    """

    def __init__(self, kernel_name: str, address: int, result: str) -> None:
        self._kernel_name = kernel_name
        self._call = CFUNCTYPE(c_int64, c_void_p)(address)
        self._returns_tuple = result.startswith(TUPLE)
        self._conversions = [_RESULTS[code] for code in result.removeprefix(TUPLE)]
        self._unused = [0] * len(self._conversions)  # results overwrite the words from the first

    def __call__(self, words: list[int]) -> Any:
        """Run the kernel. `words` are those of `pack`."""
        memory = array("q", words)
        memory.extend(self._unused)
        status = self._call(memory.buffer_info()[0])
        if status:  # kernels raise no exceptions: see `kernel` in jit/compile.py
            raise RuntimeError(f"the kernel {self._kernel_name} has failed with status {status}")
        results = [convert(word) for convert, word in zip(self._conversions, memory, strict=False)]
        return tuple(results) if self._returns_tuple else results[0]


_linking = threading.Lock()
_addresses: dict[str, int] = {}  # by symbol
_linked: list[Any] = []  # what must exist as long as the machine code


def link(object_file: bytes, symbol: str) -> int:
    """Load an object file into the process, and return the address of a function in it."""
    import llvmlite.binding as llvm

    with _linking:
        if symbol not in _addresses:
            if not _linked:
                _linked.append(_create_engine())
            engine = _linked[0]
            reference = llvm.ObjectFileRef.from_data(object_file)
            _linked.append((reference, object_file))
            engine.add_object_file(reference)
            engine.finalize_object()
            _addresses[symbol] = int(engine.get_function_address(symbol))
        return _addresses[symbol]


def _create_engine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
