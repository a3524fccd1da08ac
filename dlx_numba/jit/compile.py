"""Compilation policy: how kernels are compiled and observed.

A kernel is a plain function over arrays that its caller allocates. It returns scalars, and its only
decorator is `kernel`. All options of Numba are set in this module.
"""

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numba
from numba.core import event
from numba.core.dispatcher import Dispatcher

from .cache import LazyCache

MAX_PLAIN_CALLS = 20  # of each kernel that `without_delay` replaces


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, without the GIL, and cache the machine code on disk.

    Kernels allocate nothing, so they need no reference counts (`_nrt=False`). With reference
    counts, every call from one kernel to another would update one atomic counter per array, which
    made the search three times slower.
    """
    compiled = numba.njit(nogil=True, _nrt=False)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = LazyCache(function)
        _kernels.append(compiled)
    return compiled


_kernels: list[Dispatcher] = []


def known_kernels() -> list[Dispatcher]:
    """Return the kernels of all modules that are imported so far."""
    return list(_kernels)


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
    namespace = _plain_globals(source.__module__, source.__globals__)
    return FunctionType(source.__code__, namespace, source.__name__, source.__defaults__)


_namespaces: dict[str, dict[str, Any]] = {}  # the results of `_plain_globals`, by module


def _plain_globals(module: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the global names of a module, with plain Python functions instead of kernels."""
    if module not in _namespaces:
        plain = _namespaces[module] = dict(namespace)
        for name, value in namespace.items():
            if isinstance(value, Dispatcher):
                plain[name] = plain_python(value)
    return _namespaces[module]


_plain_calls: Counter[Dispatcher] = Counter()  # the calls of `without_delay` for each kernel
_compiles_always = False


def without_delay(compiled: Any) -> Callable[..., Any]:
    """Return a kernel, or the same function as plain Python if the kernel must be compiled first.

    For an input as small as one board, plain Python takes less time than the compiler. After
    `MAX_PLAIN_CALLS`, the input is evidently not small, and the kernel is returned in any case.
    """
    is_ready = not isinstance(compiled, Dispatcher) or _compiles_always or compiled.overloads
    if is_ready or _plain_calls[compiled] >= MAX_PLAIN_CALLS or compiled._cache.has_entries():
        return compiled  # type: ignore[no-any-return]
    _plain_calls[compiled] += 1
    return plain_python(compiled)


@contextmanager
def always_compiled() -> Iterator[None]:
    """Let `without_delay` return only kernels within the block."""
    global _compiles_always
    saved, _compiles_always = _compiles_always, True
    try:
        yield
    finally:
        _compiles_always = saved


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


class KernelTimes(NamedTuple):
    """The time that a process has spent on preparing kernels, in seconds."""

    loading: float  # loading machine code from the cache, or compiling
    compiling: float


class _KernelClock(event.Listener):
    """The wall time that is spent between the start and the end of events of several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_running, self._start_time, self._total = 0, 0.0, 0.0

    def on_start(self, event: Any) -> None:
        with self._lock:
            if self._n_running == 0:
                self._start_time = time.perf_counter()
            self._n_running += 1

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._n_running -= 1
            if self._n_running == 0:
                self._total += time.perf_counter() - self._start_time

    @property
    def seconds(self) -> float:
        """The total time so far."""
        with self._lock:
            running = time.perf_counter() - self._start_time if self._n_running else 0.0
            return self._total + running


# Numba holds the compiler lock while it loads or compiles a kernel.
_loading_clock, _compile_clock = _KernelClock(), _KernelClock()
event.register("numba:compiler_lock", _loading_clock)
event.register("numba:compile", _compile_clock)


def kernel_times() -> KernelTimes:
    """Return the time that this process has spent on loading and compiling kernels so far."""
    return KernelTimes(_loading_clock.seconds, _compile_clock.seconds)


def default_threads() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1
