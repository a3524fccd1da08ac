"""The disk cache of entry points: object files that run without Numba.

Importing Numba takes as long as solving half a million puzzles. A process whose kernels are all
cached needs none of it: machine code is a sequence of bytes. So a kernel is also stored as an
object file, as a C compiler would write it. LLVM links the file into the process, which takes
a millisecond.

There is a file for each combination of argument types that has been called. It is valid for one
processor, one version of each package involved, and the same sources. Whenever there is no valid
file, Numba does the work.
"""

import hashlib
import os
import platform
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from .entry_point import MAX_RESULT_CODE, EntryPoint, Types, link
from .validity import DamagedCacheError, source_digest, with_checksum, without_checksum

SUFFIX = ".entry"

MACHINES = ("x86_64", "amd64", "aarch64", "arm64")  # 64 bits, and code needs no helper functions

# Variables that do not affect machine code. With any other variable of Numba, Numba is used.
HARMLESS_VARIABLES = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER"}


class Header(NamedTuple):
    """The first part of the content of a file; the object file follows."""

    stamp: bytes  # see `EntryPointCache.stamp`
    symbol: bytes  # the name of the function, unique in a process
    result: bytes  # the code of the type of its result, padded with null bytes


_HEADER = struct.Struct(f"64s32s{MAX_RESULT_CODE}s")


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
    names = ("entry_point.py", "entry_builder.py", "entry_cache.py")
    return [Path(__file__).with_name(name).read_bytes() for name in names]


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


class EntryPointCache:
    """The cached entry points of one kernel."""

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
                    address = link(object_file, header.symbol.decode())
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
