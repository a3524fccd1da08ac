"""Machine code on disk that runs without Numba.

Importing Numba takes as long as solving half a million puzzles. A process whose kernels are all
cached needs none of it: machine code is a sequence of bytes. So a kernel is also stored as an
*entry point*: an object file, as a C compiler would write it, with one function
`int64 entry(int64 *words)`. Its argument contains all arguments of the kernel as integers: the
address and the shape of an array, the value of a number. LLVM links the file into the process,
which takes a millisecond, and `ctypes` calls the function, without the GIL.

This module finds, loads and calls entry points; `store` creates them, by means of Numba. Numba
compiles a kernel separately for each combination of argument types, so there is a file for each
combination that has been called. An entry point is valid for one processor, one version of each
package involved, and the same sources. Whenever there is no valid one, Numba does the work.
"""

import hashlib
import os
import platform
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from ctypes import CFUNCTYPE, c_int64, c_void_p
from enum import IntEnum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .validity import DamagedCacheError, source_digest, with_checksum, without_checksum

SUFFIX = ".entry"

MACHINES = ("x86_64", "amd64", "aarch64", "arm64")  # 64 bits, and code needs no helper functions

# Variables that do not affect machine code. With any other variable of Numba, Numba is used.
HARMLESS_VARIABLES = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER"}

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
    elif isinstance(argument, IntEnum):
        types.append((kind.__module__, kind.__qualname__))
        words.append(int(argument))
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


class Header(NamedTuple):
    """The first part of the content of a file; the object file follows."""

    stamp: bytes  # see `Location.stamp`
    symbol: bytes  # the name of the function, unique in a process
    result: bytes  # the code of the type of its result, padded with null bytes


_HEADER = struct.Struct("64s32s8s")
MAX_RESULT_CODE = 8


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


def is_supported() -> bool:
    """Return whether this process may use entry points, rather than Numba only."""
    variables = {name for name in os.environ if name.startswith("NUMBA_")}
    return (
        variables <= HARMLESS_VARIABLES
        and not os.path.exists(".numba_config.yaml")  # Numba reads it in the current directory
        and platform.machine().lower() in MACHINES
        and sys.maxsize > 2**32
        and None not in (_version_file("numba"), _version_file("llvmlite"))
    )


@cache
def _version_file(package: str) -> bytes | None:
    """Return the file that contains the version of a package, which is found without importing it.

    Reading the metadata of packages (`importlib.metadata`) would take longer than the rest.
    """
    try:
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        return Path(spec.origin).with_name("_version.py").read_bytes()
    except Exception:  # an unusual installation
        return None


@cache
def _interface() -> list[bytes]:
    """Return the sources that define the files, and the code of entry points around a kernel."""
    return [Path(__file__).with_name(name).read_bytes() for name in ("stored.py", "store.py")]


@cache
def _platform_digest() -> str | None:
    """Return a digest of the processor and of the version of LLVM, or None if they are unknown."""
    try:
        import llvmlite.binding as llvm  # slow, and not needed to show the help of a command

        features = llvm.get_host_cpu_features().flatten()
        return _digest(llvm.llvm_version_info, llvm.get_host_cpu_name(), features)[:8]
    except Exception:  # an unusual processor, or a version of llvmlite with other interfaces
        return None


def _digest(*values: Any) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()


def _directories(file: Path) -> list[Path]:
    """Return the directories in which Numba caches the kernels of a source file."""
    parent = os.path.dirname(os.path.abspath(file))
    digest = hashlib.sha1(parent.encode(), usedforsecurity=False).hexdigest()
    name = f"{os.path.basename(parent)}_{digest}"
    if directory := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(directory) / name]
    user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return [Path(parent) / "__pycache__", Path(user_cache) / "numba" / name]


class Location:
    """The files with the entry points of one kernel."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._file = Path(function.__code__.co_filename)
        self._name = f"{self._file.stem}.{function.__qualname__}"

    @property
    def stamp(self) -> bytes:
        """The digest of what an entry point depends on, besides the processor and the types."""
        sources = source_digest(self._file), self._function.__code__.co_firstlineno
        versions = _version_file("numba"), _version_file("llvmlite"), sys.flags.optimize
        return _digest(_interface(), sources, versions).encode()

    def _paths(self, types_digest: str) -> list[Path]:
        """Return the paths for a digest of types, or the patterns for "*"; none if unsupported."""
        platform_digest, tag = _platform_digest(), sys.implementation.cache_tag
        if platform_digest is None:
            return []
        name = f"{self._name}-{platform_digest}-{types_digest}.{tag}{SUFFIX}"
        return [directory / name for directory in _directories(self._file)]

    def _paths_for(self, types: Types) -> list[Path]:
        return self._paths(_digest(types)[:16])

    def _read(self, path: Path) -> tuple[Header, bytes] | None:
        """Return the header and the object file of an entry point, or None if it is not valid."""
        try:
            content = without_checksum(path.read_bytes())
        except (OSError, DamagedCacheError):  # usually, there is no file
            return None
        if len(content) < _HEADER.size:
            return None
        header = Header(*_HEADER.unpack_from(content))
        return (header, content[_HEADER.size :]) if header.stamp == self.stamp else None

    def load(self, types: Types) -> EntryPoint | None:
        """Return the entry point for arguments of certain types, or None if there is none."""
        for path in self._paths_for(types):
            if (found := self._read(path)) is not None:
                header, object_file = found
                result = header.result.rstrip(b"\0").decode()
                with suppress(Exception):  # errors of LLVM, or interfaces that llvmlite lacks
                    address = _link(object_file, header.symbol.decode())
                    return EntryPoint(self._function.__name__, address, result)
        return None

    def has_entry_point(self, types: Types | None = None) -> bool:
        """Return whether there is an entry point for certain types, or for any."""
        if types is not None:
            return any(map(self._read, self._paths_for(types)))
        found = (path for each in self._paths("*") for path in each.parent.glob(each.name))
        return any(map(self._read, found))

    def writable_path(self, types: Types) -> Path | None:
        """Return the path to which `save` can write an entry point, if there is one."""
        for path in self._paths_for(types):
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                if os.access(path.parent, os.W_OK):
                    return path
        return None

    def save(self, path: Path, symbol: str, result: str, object_file: bytes) -> None:
        """Write an entry point to a path of `writable_path`, completely or not at all."""
        header = Header(self.stamp, symbol.encode(), result.encode())
        temporary = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            temporary.write_bytes(with_checksum(_HEADER.pack(*header) + object_file))
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)

    def has_numba_cache(self) -> bool:
        """Return whether Numba has probably cached machine code of the kernel."""
        pattern = f"{self._name}-*.nbi"
        return any([*directory.glob(pattern)] for directory in _directories(self._file))


_linking = threading.Lock()
_linked: list[Any] = []  # what must exist as long as the machine code


def _link(object_file: bytes, symbol: str) -> int:
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
