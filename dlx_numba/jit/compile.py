"""Compilation policy: how kernels are compiled, cached and observed.

A kernel is a plain function over arrays that its caller allocates. It returns scalars, and its only
decorator is `kernel`. All options of Numba are set in this module.
"""

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba.core import event
from numba.core.caching import FunctionCache, NullCache
from numba.core.dispatcher import Dispatcher

_RELATIVE_IMPORT = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


@cache
def source_closure(path: Path) -> frozenset[Path]:
    """Return a module's file and the files that it imports, directly or indirectly.

    Only relative imports are followed: they lead to the other modules of the same package.
    """
    closure = {path}
    pending = [path]
    while pending:
        importer = pending.pop()
        text = importer.read_text(encoding="utf-8")
        for dots, module, names in _RELATIVE_IMPORT.findall(text):
            target = importer.parents[len(dots) - 1].joinpath(*module.split("."))
            submodules = [target / f"{name}.py" for name in re.findall(r"\w+", names)]
            for file in (target.with_suffix(".py"), *submodules):
                if file not in closure and file.is_file():
                    closure.add(file)
                    pending.append(file)
    return frozenset(closure)


@cache
def source_digest(path: Path) -> str:
    """Return a digest of the sources that the kernels of a module depend on.

    Numba keys a cached kernel by its own file. A kernel also depends on the kernels and constants
    that it uses from other modules; without them in the key, Numba would load stale machine code
    after an edit. Modules that no kernel imports (commands, pages, texts) do not affect the key.
    """
    digest = hashlib.sha256()
    for file in sorted(source_closure(path)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


class _PackageCache(FunctionCache):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._source = Path(function.__code__.co_filename)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        key = super()._index_key(sig, codegen)
        return (*key, source_digest(self._source), numba.config.BOUNDSCHECK)


class _LazyCache(NullCache):
    """The disk cache of one kernel, located when the kernel is first compiled.

    Locating it at import would create and remove a file for each kernel. If no location is
    writable (a read-only installation without a home directory), each process compiles it again.
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
            # Saved by another version of the package, for types that no longer exist: Numba
            # unpickles the whole index of a file before it checks whether the index is stale.
            self._cache.flush()
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        with suppress(OSError):  # if the disk is full, the next process compiles the kernel again
            self._cache.save_overload(sig, cres)

    def flush(self) -> None:
        self._cache.flush()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, without the GIL, and cache the machine code on disk.

    Kernels allocate nothing, so they need no reference counts (`_nrt=False`). With reference
    counts, every call from one kernel to another would update one atomic counter per array, which
    made the search three times slower.
    """
    compiled = numba.njit(nogil=True, _nrt=False)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = _LazyCache(function)
    return compiled


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into each kernel that calls it.

    This is for short functions: the call would take time, and calls do not pass SIMD vectors in
    registers.
    """
    return numba.njit(nogil=True, _nrt=False, forceinline=True)(function)


@cache
def plain_python(function: Any) -> Callable[..., Any]:
    """Return a kernel as a plain Python function, which also calls other kernels as such.

    This shows what compilation gains, without a second version of the source.
    """
    source = getattr(function, "py_func", function)
    return FunctionType(source.__code__, _plain_globals(source.__module__, source.__globals__))


_namespaces: dict[str, dict[str, Any]] = {}


def _plain_globals(module: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the global names of a module, with plain Python functions instead of kernels."""
    if module not in _namespaces:
        plain = _namespaces[module] = dict(namespace)
        for name, value in namespace.items():
            if isinstance(value, Dispatcher):
                plain[name] = plain_python(value)
    return _namespaces[module]


class _CompileListener(event.Listener):
    def __init__(self, started: Callable[[str], None], ended: Callable[[str, float], None]) -> None:
        self.started, self.ended = started, ended
        self.start_times: list[float] = []

    def on_start(self, event: Any) -> None:
        self.start_times.append(time.perf_counter())
        if len(self.start_times) == 1:  # the time of a kernel includes that of its callees
            self.started(event.data["dispatcher"].__name__)

    def on_end(self, event: Any) -> None:
        elapsed = time.perf_counter() - self.start_times.pop()
        if not self.start_times:
            self.ended(event.data["dispatcher"].__name__, elapsed)


@contextmanager
def watch_compilation(
    started: Callable[[str], None], ended: Callable[[str, float], None] = lambda name, seconds: None
) -> Iterator[None]:
    """Report each kernel that is compiled within the block. Cached kernels are not reported.

    Parameters
    ----------
    started : callable
        Called as `started(name)` before a kernel is compiled.
    ended : callable, optional
        Called as `ended(name, seconds)` afterwards.
    """
    with event.install_listener("numba:compile", _CompileListener(started, ended)):
        yield


def default_threads() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1
