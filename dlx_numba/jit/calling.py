"""The calling convention of compiled kernels.

Machine code of a kernel is a function `int64 entry(int64 *words)`. Its argument contains all
arguments of the kernel as integers: the address of the object that is an array, the value of a
number. `ctypes` calls it without the GIL. A kernel is compiled separately for each combination of
argument types, so there is an *entry point* for each combination. `build` generates the machine
code, and `library` keeps it in files.
"""

import struct
from array import array
from collections.abc import Callable, Iterator
from ctypes import CDLL, CFUNCTYPE, c_int64, c_void_p, cast
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Types = tuple[str, ...]  # the types of all arguments of a call, as `argument_types` names them

_NUMBERS: dict[type, str] = {  # as Numba names them; it does not distinguish int from int64
    bool: "boolean",
    np.bool_: "boolean",
    **dict.fromkeys((int, np.int8, np.int16, np.int32, np.int64), "int64"),
    **{getattr(np, name): name for name in ("uint8", "uint16", "uint32", "uint64")},
    **dict.fromkeys((float, np.float64), "float64"),
}

_WRITERS = [struct.Struct(f"{n}q").pack_into for n in range(33)]  # of some words
_HEADER_BYTES = object.__basicsize__  # of an object; the fields of an array follow


class Entry(NamedTuple):
    """The machine code of an entry point."""

    stamp: str  # the digest of the sources
    symbol: str  # the name of the function
    result: str  # the code of the type of its result: see `_RESULTS`
    code: bytes  # an object file, or the name of a shared library after `SHARED`


class UnsupportedError(Exception):
    """An argument, or a function, that entry points cannot have."""


class LayoutError(Exception):
    """An array has another layout than those for which an entry point was compiled."""


def argument_types(arguments: tuple[Any, ...]) -> Types:
    """Return the types of the arguments of a call, as they are named in libraries.

    The type of an array is that of its elements with the number of dimensions, after "const" if it
    is read-only; that of a tuple is its module, class and length, followed by the types of its
    elements; others are names of Numba.

    Raises
    ------
    UnsupportedError
        If an argument is an array that is not aligned and C-contiguous, or has another type.
    """
    return tuple(_argument_types(arguments))


def _argument_types(arguments: tuple[Any, ...]) -> Iterator[str]:
    """Yield the types of arguments, and of the elements of tuples: see `argument_types`."""
    for argument in arguments:
        kind = type(argument)
        if kind is np.ndarray:
            yield _array_type(argument)
        elif argument is None:
            yield "none"
        elif isinstance(argument, tuple):
            yield f"{kind.__module__}:{kind.__qualname__}:{len(argument)}"
            yield from _argument_types(argument)
        else:
            yield _NUMBERS[kind]


def _array_type(argument: Any) -> str:
    """Return the type of an array; raise UnsupportedError if no stored kernel takes it."""
    dtype = argument.dtype
    n_dimensions = argument.ndim
    flags = argument.flags
    is_number = dtype.isnative and (dtype.kind in "biu" or dtype == np.float64)
    if not (is_number and n_dimensions and flags.c_contiguous and flags.aligned):
        raise UnsupportedError(f"an array of type {dtype} and shape {argument.shape}")
    return f"{'' if flags.writeable else 'const '}{dtype.name}[{n_dimensions}]"


def pack(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], "array[int]"]:
    """Return the classes of the arguments of a call, and the words of the call.

    The classes determine the types of the arguments, except for the layout of arrays, which machine
    code compares. They are those of all arguments and elements of tuples, and then those of the
    elements of arrays: a data type of NumPy compares equal to some classes, such as int. The first
    word is the size of the header of an object. The others are the addresses of arrays, and
    numbers.

    Raises
    ------
    UnsupportedError
        If an argument is neither an array, nor a number of up to 64 bits, nor a tuple of these.
    """
    classes: list[Any] = []
    data_types: list[Any] = []
    words = [_HEADER_BYTES]
    _pack(arguments, classes, data_types, words)
    try:
        return (*classes, *data_types), array("q", words)
    except OverflowError as error:
        raise UnsupportedError("an integer of more than 64 bits") from error


def _pack(
    arguments: tuple[Any, ...], classes: list[Any], data_types: list[Any], words: list[int]
) -> None:
    """Append the classes, the data types of arrays, and the words of arguments to these lists.

    Every call of a kernel does this, so the most frequent kinds of arguments come first.
    """
    for argument in arguments:
        kind = type(argument)
        classes.append(kind)
        if kind is np.ndarray:
            data_types.append(argument.dtype)
            words.append(id(argument))
        elif kind is int:
            words.append(argument)
        elif isinstance(argument, tuple):
            classes.append(len(argument))  # as the classes of its elements follow
            kinds = [*map(type, argument)]
            if kinds.count(np.ndarray) == len(kinds):  # much faster than one by one
                classes += kinds
                data_types += [each.dtype for each in argument]
                words += map(id, argument)
            else:
                _pack(argument, classes, data_types, words)
        elif argument is not None:
            words.append(_number_to_word(argument, kind))


def _number_to_word(number: Any, kind: type) -> int:
    """Return a number of some class as a signed word: the bits of a float, or an integer."""
    if kind not in _NUMBERS:
        raise UnsupportedError(f"an argument of type {kind.__qualname__}")
    if isinstance(number, float):
        return int(struct.unpack("=q", struct.pack("=d", number))[0])
    word = int(number)
    return word if word < 2**63 else word - 2**64


# The results of kernels, by the code for their type in the file: how a word is converted
_RESULTS: dict[str, Callable[[int], Any]] = {
    "n": lambda word: None,
    "b": bool,
    "i": int,
    "u": lambda word: word % 2**64,
    "f": lambda word: struct.unpack("=d", struct.pack("=q", word))[0],
}
SHARED = b"shared library "
TUPLE = "("  # starts the code of a tuple; the codes of its elements follow
OTHER_LAYOUT = 1 << 32  # the status of a call with an array of another layout


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
        self.call = CFUNCTYPE(c_int64, c_void_p)(address)
        self._returns_tuple = result.startswith(TUPLE)
        self.returns_word = result in ("i", "b")  # the word is the result, or equal to it
        self._conversions = [_RESULTS[code] for code in result.removeprefix(TUPLE)]
        self._room = array("q", [0] * len(self._conversions))  # for the results, after the words

    def __call__(self, words: "array[int]") -> Any:
        """Run the kernel. `words` are those of `pack`; the results are appended.

        Raises LayoutError, before the kernel runs, if an array has another layout.
        """
        n_words = len(words)
        words += self._room
        return self.result(self.call(words.buffer_info()[0]), words, n_words)

    def result(self, status: int, words: "array[int]", n_words: int) -> Any:
        """Return the result of a call, which follows its words, unless its status is an error."""
        if status:
            if status == OTHER_LAYOUT:
                raise LayoutError
            # Kernels raise no exceptions: see `jit/compile.py`
            raise RuntimeError(f"the kernel {self._kernel_name} has failed with status {status}")
        if not self._returns_tuple:
            return self._conversions[0](words[n_words])
        results = zip(self._conversions, words[n_words:], strict=True)
        return tuple(convert(word) for convert, word in results)


class PreparedCall:
    """A call of a kernel whose arguments are packed once. One thread at a time may use it.

    Parameters
    ----------
    entry_point : EntryPoint
    words : array
        As `pack` returns them.
    arguments : tuple
        The arguments, which are kept alive.
    """

    def __init__(
        self, entry_point: EntryPoint, words: "array[int]", arguments: tuple[Any, ...]
    ) -> None:
        self._entry_point = entry_point
        self._call = entry_point.call
        self._returns_word = entry_point.returns_word
        self._words = words
        self._n_words = len(words)
        words += entry_point._room  # for the results; nothing is appended after this
        self._address = words.buffer_info()[0]
        self._arguments = arguments

    def replace(self, position: int, argument: Any) -> None:
        """Replace an integer or an array by another one of the same type.

        The caller keeps an array alive. The position counts words from the end, -1 for the last:
        each argument, and each element of a tuple, is a word, except for None.
        """
        word = argument if type(argument) is int else id(argument)
        self._words[self._n_words + position] = word

    def repeat(self, *words: int) -> Any:
        """Run the kernel with other last arguments: integers, and the addresses of objects.

        A result that is true or false is returned as 1 or 0.
        """
        n_words = self._n_words
        _WRITERS[len(words)](self._words, 8 * (n_words - len(words)), *words)  # 8 bytes a word
        status = self._call(self._address)
        if status or not self._returns_word:
            return self._entry_point.result(status, self._words, n_words)
        return self._words[n_words]  # the first word after those of the call

    def __call__(self) -> Any:
        """Run the kernel. Raises LayoutError if an array is not contiguous and writable.

        The result is that of `repeat`.
        """
        status = self._call(self._address)
        if status or not self._returns_word:
            return self._entry_point.result(status, self._words, self._n_words)
        return self._words[self._n_words]


_addresses: dict[str, int] = {}  # by symbol
# What must exist as long as the machine code: the linker, and after it the object files
_linked: list[Any] = []


def link(object_file: bytes, symbol: str) -> int:
    """Load an object file into the process, and return the address of a function in it.

    In a program without llvmlite, `object_file` is only the name of a shared library, after
    `SHARED`. One thread at a time may make this call.
    """
    if symbol in _addresses:
        return _addresses[symbol]
    if object_file.startswith(SHARED):
        path = Path(__file__).with_name("libraries") / object_file.removeprefix(SHARED).decode()
        _addresses[symbol] = cast(CDLL(str(path))[symbol], c_void_p).value or 0
        return _addresses[symbol]
    import llvmlite.binding as llvm

    if not _linked:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_triple(llvm.get_process_triple())
        machine = target.create_target_machine(jit=True)
        _linked.append(llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine))
    linker = _linked[0]
    reference = llvm.ObjectFileRef.from_data(object_file)
    _linked.append((reference, object_file))
    linker.add_object_file(reference)
    linker.finalize_object()
    _addresses[symbol] = int(linker.get_function_address(symbol))
    return _addresses[symbol]
