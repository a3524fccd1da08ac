"""How kernels are compiled, cached, watched and run: the only module that decides it.

A kernel is a plain function over arrays that its caller allocated. It returns scalars, and it is
marked with `kernel` and nothing else. Everything that Numba wants to be told stands here.
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import FunctionCache, NullCache


@lru_cache(maxsize=1)
def _fingerprint() -> str:
    """A digest of all of the package's sources.

    Numba keys a cached kernel by its own file alone: after an edit of a kernel that it calls in
    another file, it would serve the stale machine code.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _PackageCache(FunctionCache):
    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), _fingerprint(), numba.config.BOUNDSCHECK)


class _LazyCache(NullCache):
    """A kernel's place on disk, looked for when the kernel is first compiled.

    To look for it at import would write and remove a file for each kernel. Where nothing can be
    written (a read-only install and no home), kernels are compiled anew in each process.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _cache(self) -> Any:
        try:
            return _PackageCache(self._function)
        except RuntimeError:  # "no locator available for file ..."
            return NullCache()

    @property
    def cache_path(self) -> Any:
        return self._cache.cache_path

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return self._cache.load_overload(sig, target_context)
        except (AttributeError, ImportError):
            # Kept by another version of the package, for types that are gone: Numba reads all
            # that is kept of a file before it looks whether that is stale.
            self._cache.flush()
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        with suppress(OSError):  # a full disk: the next process compiles the kernel anew
            self._cache.save_overload(sig, cres)

    def flush(self) -> None:
        self._cache.flush()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` at its first call, without the GIL, and keep the machine code on disk.

    Kernels allocate nothing, so they need no reference counts (`_nrt=False`): with them, every
    call from one kernel to another would touch one atomic counter per array, which made the
    dance three times slower.
    """
    compiled = numba.njit(nogil=True, _nrt=False)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = _LazyCache(function)
    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """Compile `function` into each kernel that calls it.

    For short functions of vectors, which no register could hand over to a call.
    """
    return numba.njit(nogil=True, _nrt=False, forceinline=True)(function)


class _Compilations(event.Listener):
    def __init__(self, started: Callable[[str], None], ended: Callable[[str, float], None]) -> None:
        self.started, self.ended = started, ended
        self.clock: list[float] = []

    def on_start(self, event: Any) -> None:
        self.clock.append(time.perf_counter())
        if len(self.clock) == 1:  # kernels that a kernel calls are compiled inside its own time
            self.started(event.data["dispatcher"].__name__)

    def on_end(self, event: Any) -> None:
        elapsed = time.perf_counter() - self.clock.pop()
        if not self.clock:
            self.ended(event.data["dispatcher"].__name__, elapsed)


@contextmanager
def watch_compilation(
    started: Callable[[str], None], ended: Callable[[str, float], None] = lambda name, seconds: None
) -> Iterator[None]:
    """Call `started(name)` and `ended(name, seconds)` around each kernel that has to be compiled.

    A kernel that comes from the disk cache is not compiled, and not told of.
    """
    with event.install_listener("numba:compile", _Compilations(started, ended)):
        yield


def default_threads() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1
