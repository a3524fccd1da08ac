"""The disk cache of the kernels' machine code: its keys, its files, and its failures."""

import pickle
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

from .internals import numba_internals
from .validity import DamagedCacheError, source_digest, with_checksum, without_checksum


class _CheckedFiles(IndexDataCacheFile):
    """The index and the machine code of one kernel, in files that start with a checksum.

    Without checksums, Numba would execute damaged machine code, and a damaged index would make all
    later calls fail.
    """

    def _load_index(self) -> Any:
        try:
            content = self._read(self._index_path)
        except FileNotFoundError:
            return {}
        version, stamp, index = pickle.loads(content) if content else (None, None, b"")
        # A stale index is not unpickled, because it may contain types that no longer exist.
        return (
            pickle.loads(index) if (version, stamp) == (self._version, self._source_stamp) else {}
        )

    def _save_index(self, overloads: Any) -> None:
        content = (self._version, self._source_stamp, self._dump(overloads))
        self._write(self._index_path, pickle.dumps(content))

    def _load_data(self, name: str) -> Any:
        content = self._read(self._data_path(name))
        return pickle.loads(content) if content else None

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), self._dump(data))

    def _read(self, path: str) -> bytes:
        """Return the content of a file, or b"" if it was written without a checksum."""
        data = Path(path).read_bytes()
        if data.startswith(pickle.PROTO):  # by an earlier version of this package
            return b""
        return without_checksum(data)

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(with_checksum(content))


class _PackageCache(FunctionCache):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        digest = source_digest(Path(function.__code__.co_filename))
        self._cache_file = _CheckedFiles(self.cache_path, self._impl.filename_base, digest)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load machine code without `refresh`, which takes 0.2 s.

        Refreshing imports everything that kernels may call. Only compilation needs that, and Numba
        calls `refresh` again before it compiles.
        """
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def has_entries(self) -> bool:
        """Return whether there is machine code for any signature."""
        return bool(self._cache_file._load_index())

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), numba.config.BOUNDSCHECK)


class LazyCache:
    """The disk cache of one kernel, located when the kernel is first compiled.

    Locating it at import would create and remove a file for each kernel. If no location is
    writable (a read-only installation without a home directory), or the sources cannot be read (a
    package in a zip file), each process compiles it again, as with `no_cache`.
    """

    def __init__(self, function: Callable[..., Any], no_cache: Any) -> None:
        self._function = function
        self._no_cache = no_cache

    @cached_property
    def _cache(self) -> Any:
        with numba_internals(), suppress(RuntimeError):  # "no locator available for file ..."
            return _PackageCache(self._function)
        return self._no_cache

    @property
    def cache_path(self) -> Any:
        return self._cache.cache_path

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached machine code, or None if there is none or it cannot be loaded."""
        with numba_internals():
            try:
                return self._cache.load_overload(sig, target_context)
            except Exception as error:
                with suppress(OSError):
                    self._cache.flush()
                if not isinstance(error, DamagedCacheError):
                    raise
                warnings.warn(
                    f"the cached machine code of {self._function.__name__} in {self.cache_path} is "
                    f"damaged ({error}); it is compiled again",
                    RuntimeWarning,
                    stacklevel=2,
                )
        return None

    def has_entries(self) -> bool:
        """Return whether the cache may contain machine code of the kernel."""
        with numba_internals():
            try:
                return self._cache is not self._no_cache and self._cache.has_entries()
            except DamagedCacheError:  # `load_overload` reports it
                return True
        return False

    def save_overload(self, sig: Any, cres: Any) -> None:
        # If the disk is full, or the damaged index is read-only, the next process compiles again.
        with numba_internals(), suppress(DamagedCacheError):
            self._cache.save_overload(sig, cres)

    def flush(self) -> None:
        with numba_internals():
            self._cache.flush()
