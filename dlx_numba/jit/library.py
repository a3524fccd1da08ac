"""Kernel libraries: files of machine code that runs without Numba.

A library contains entry points of kernels for one instruction set. The package contains libraries
for common instruction sets, if it was built with them. In the user's cache directory, there is a
file for each entry point that was compiled for this processor. An entry point is valid for one
stamp, which depends on the sources of its kernel. The names of the user's files contain it, so
versions of the package share the directory. If the sources cannot be read, as in a frozen program,
the libraries of the package have the stamp.

Machine code is executed only if it comes from the package, or from a directory that belongs to the
user and that nobody else can write to, and if its checksum is right. Other files are ignored.
"""

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..runtime.files import is_private, replace_file
from .calling import SHARED, Entry

if TYPE_CHECKING:
    from importlib.abc import Traversable

SUFFIX = ".kernels"
LOCK_SUFFIX = ".lock"

_MAGIC = b"dlx_numba kernels 2\n"  # the number of the format
_CHECKSUM_BYTES = hashlib.sha256().digest_size

# The features, as LLVM names them, that each level of the x86-64 psABI adds to the one before.
# (Reference: https://gitlab.com/x86-psABIs/x86-64-ABI)
_X86_FEATURES = {
    "x86-64-v2": ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"),
    "x86-64-v3": ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
    "x86-64-v4": ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
}
ARM = "arm64"
# How Linux names features in /proc/cpuinfo, if it has other names
_FLAGS = {"sahf": "lahf_lm", "sse3": "pni", "sse4.1": "sse4_1", "sse4.2": "sse4_2"}
_FLAGS |= {"bmi": "bmi1", "lzcnt": "abm"}
_INSTRUCTION_SETS = {"x86_64": [*_X86_FEATURES], ARM: [ARM]}  # by machine
_SYNONYMS = {"amd64": "x86_64", "aarch64": ARM}


class Library:
    """A file of entry points. A file that does not exist or is damaged has none.

    Parameters
    ----------
    path : Path or Traversable
        The file.
    """

    def __init__(self, path: "Path | Traversable") -> None:
        self._entries: dict[str, list[Any]] = {}
        self._code = b""
        with suppress(OSError, KeyError, ValueError):  # KeyErrors of archives, ValueErrors of JSON
            data = path.read_bytes()
            # After the number of the format: a checksum, the size of the index, the index, and the
            # code, in which the index says where each entry point is. See `write_library`.
            checksum, content = _split(data.removeprefix(_MAGIC), _CHECKSUM_BYTES)
            size, content = _split(content, 8)
            index, code = _split(content, int.from_bytes(size, "little"))
            if data.startswith(_MAGIC) and hashlib.sha256(index).digest() == checksum:
                self._entries = json.loads(index)
                self._code = code

    def find(self, key: str, stamp: str) -> Entry | None:
        """Return a valid entry point, or None if there is none."""
        if key not in self._entries:
            return None
        entry_stamp, symbol, result, start, size, checksum = self._entries[key]
        code = self._code[start : start + size]
        if entry_stamp != stamp or hashlib.sha256(code).hexdigest() != checksum:
            return None
        return Entry(stamp, symbol, result, code)

    @cached_property
    def stamps(self) -> dict[str, str]:
        """The stamp of each kernel, by its module and name."""
        return {key.partition("(")[0]: values[0] for key, values in self._entries.items()}

    @property
    def is_shared(self) -> bool:
        """Whether the machine code is in a shared library."""
        return self._code.startswith(SHARED)

    def entries(self) -> dict[str, Entry]:
        """Return all entry points that are not damaged, by their keys."""
        found = {key: self.find(key, values[0]) for key, values in self._entries.items()}
        return {key: entry for key, entry in found.items() if entry is not None}


def _split(data: bytes, size: int) -> tuple[bytes, bytes]:
    return data[:size], data[size:]


def write_library(path: str | os.PathLike[str], entries: Mapping[str, Entry]) -> None:
    """Write entry points to a file, completely or not at all."""
    index = {}
    code = b""
    for key, entry in sorted(entries.items()):
        checksum = hashlib.sha256(entry.code).hexdigest()
        # The stamp, the symbol and the result; then where the code is
        index[key] = (*entry[:3], len(code), len(entry.code), checksum)
        code += entry.code
    text = json.dumps(index).encode()
    size = len(text).to_bytes(8, "little")
    replace_file(path, _MAGIC, hashlib.sha256(text).digest(), size, text, code)


@cache
def processor() -> str:
    """Return a digest of the processor and its features, or of `NUMBA_CPU_NAME`."""
    import llvmlite.binding as llvm  # slow, and not needed to show the help of a command

    name = os.environ.get("NUMBA_CPU_NAME") or llvm.get_host_cpu_name()
    features = os.environ.get("NUMBA_CPU_FEATURES")
    if features is None:
        features = llvm.get_host_cpu_features().flatten()
    return hashlib.sha256(repr((sys.platform, name, features)).encode()).hexdigest()[:16]


def instruction_sets() -> list[str]:
    """Return the instruction sets of this architecture, for which there may be libraries."""
    machine = platform.machine().lower()
    has_64_bits = sys.maxsize > 2**32
    return _INSTRUCTION_SETS.get(_SYNONYMS.get(machine, machine), []) if has_64_bits else []


def supported_instruction_sets() -> list[str]:
    """Return the instruction sets of this processor for which the package may have libraries.

    The best one is first.
    """
    features = _features()
    supported = list[str]()
    for name in instruction_sets():  # each has the features of those before
        if not features.issuperset(_X86_FEATURES.get(name, ())):  # others need none
            break
        supported.insert(0, name)
    return supported


def _features() -> set[str]:
    """Return the features of this processor, as LLVM names them."""
    try:
        import llvmlite.binding as llvm
    except ModuleNotFoundError:  # in a program with shared libraries, which are for Linux
        with suppress(OSError):
            flags = {*Path("/proc/cpuinfo").read_text().split()}
            names = {name for each in _X86_FEATURES.values() for name in each}
            return {name for name in names if _FLAGS.get(name, name) in flags}
        raise
    return {name for name, is_there in llvm.get_host_cpu_features().items() if is_there}


def package_directory() -> "Traversable":
    """Return the directory of the package's libraries, which may be in an archive."""
    from importlib.resources import files  # slow

    return files(__package__) / "libraries"


class Store:
    """The machine code that a process uses: the user's, and that of the package.

    Parameters
    ----------
    directory : Path
        The user's directory, in which entry points are kept.
    package_directory : callable, optional
        Returns the directory of the package's libraries. By default, none are used.

    Attributes
    ----------
    used : dict
        The stamps of the entry points that were found or kept, by their keys.
    """

    def __init__(
        self, directory: Path, package_directory: "Callable[[], Traversable] | None" = None
    ) -> None:
        self._directory = directory
        self._package_directory = package_directory
        self.used = dict[str, str]()

    @cached_property
    def _package_libraries(self) -> list[Library]:
        folder = None if self._package_directory is None else self._package_directory()
        if folder is None or not folder.is_dir():
            return []
        return [Library(folder / f"{name}{SUFFIX}") for name in supported_instruction_sets()]

    def recorded_stamp(self, name: str) -> str | None:
        """Return the stamp of a kernel that the package's libraries have, None without them."""
        stamps = (library.stamps.get(name) for library in self._package_libraries)
        return next(filter(None, stamps), None)

    def path(self, key: str, stamp: str) -> Path:
        """Return the file in the user's directory that may contain an entry point."""
        digest = hashlib.sha256((stamp + key).encode()).hexdigest()[:16]  # versions share a cache
        name = key.partition("(")[0]
        return self._directory / f"{name}-{digest}-{processor()}{SUFFIX}"

    def find(self, key: str, stamp: str) -> Entry | None:
        """Return the best valid machine code of an entry point, or None if there is none."""
        libraries = self._package_libraries
        # With shared libraries, nothing is compiled, and `path` has no llvmlite to ask.
        if not any(library.is_shared for library in libraries):
            path = self.path(key, stamp)
            is_trusted = is_private(path.parent) and is_private(path)
            libraries = [*([Library(path)] if is_trusted else []), *libraries]
        for library in libraries:
            entry = library.find(key, stamp)
            if entry is not None:
                self.used[key] = stamp
                return entry
        return None

    @contextmanager
    def locked(self, key: str, stamp: str) -> Iterator[None]:
        """Let one process at a time compile an entry point, if the user's directory permits it."""
        path = self.path(key, stamp).with_suffix(LOCK_SUFFIX)
        file = None
        with suppress(ImportError, OSError):
            from fcntl import LOCK_EX, flock  # not on Windows

            if self._make_directory():
                file = path.open("wb")
                flock(file, LOCK_EX)
        try:
            yield
        finally:
            if file is not None:  # processes that wait for it find the entry point then
                path.unlink(missing_ok=True)
                file.close()

    def clear(self) -> int:
        """Remove all kernels from the user's directory, and return the number of files."""
        files = [*self._directory.glob(f"*{SUFFIX}"), *self._directory.glob(f"*{LOCK_SUFFIX}")]
        for path in files:
            path.unlink(missing_ok=True)
        return len(files)

    def keep(self, key: str, entry: Entry) -> None:
        """Store an entry point in the user's directory, if that is possible."""
        path = self.path(key, entry.stamp)
        self.used[key] = entry.stamp
        with suppress(OSError):
            if self._make_directory():
                write_library(path, {key: entry})

    @property
    def is_writable(self) -> bool:
        """Whether entry points can be stored in the user's directory."""
        with suppress(OSError):
            return self._make_directory() and os.access(self._directory, os.W_OK)
        return False

    def _make_directory(self) -> bool:
        """Create the user's directory if necessary, and return whether nobody else can write it."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return is_private(self._directory)
