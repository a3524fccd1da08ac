"""When and how kernels are compiled.

A kernel is a plain function over arrays that its caller allocates. It returns a scalar or a tuple
of scalars, raises no exceptions, and its only decorator is `njit`. Machine code comes from a
library (see `library`) if one contains the kernel, and Numba is imported only if none does.
"""

import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial, update_wrapper
from pathlib import Path
from typing import Any

from ..runtime.files import user_directory
from ..runtime.interrupts import is_from_handler
from ..runtime.monitoring import compilation, loading_clock
from ..runtime.workers import call_in_thread
from .calling import (
    Entry,
    EntryPoint,
    LayoutError,
    PreparedCall,
    Types,
    UnsupportedError,
    argument_types,
    link,
    pack,
)
from .library import Store, instruction_sets, package_directory
from .namespaces import Copies, plain_python
from .sources import source_digest

REQUIRED = ("llvmlite", "llvmlite.binding", "numba")  # their absence is an error
# Variables of Numba that do not affect machine code, or that are part of the processor's name
_HARMLESS_VARIABLES = {"CACHE_DIR", "CPU_FEATURES", "CPU_NAME", "NUM_THREADS", "THREADING_LAYER"}

store = Store(user_directory(), package_directory)  # processes that build libraries replace it
_lock = threading.RLock()
if hasattr(os, "register_at_fork"):  # a child has no copy of the thread that holds a lock
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
    )


@cache
def uses_libraries() -> bool:
    """Return whether this process may use kernel libraries.

    If an environment variable configures Numba, Numba compiles all kernels, so it takes effect.
    """
    variables = {name.removeprefix("NUMBA_") for name in os.environ if name.startswith("NUMBA_")}
    return (
        variables <= _HARMLESS_VARIABLES
        and not os.path.exists(".numba_config.yaml")  # Numba reads it in the current directory
        and bool(instruction_sets())
    )


class Kernel:
    """A function that runs as machine code.

    Parameters
    ----------
    function : callable
        The function in Python.
    is_inlined : bool
        Whether the function is compiled into each kernel that calls it.
    """

    def __init__(self, function: Callable[..., Any], *, is_inlined: bool = False) -> None:
        update_wrapper(self, function)
        self.name = function.__name__
        self._qualified_name = f"{function.__module__}.{function.__qualname__}"
        self.py_func = function
        self.is_inlined = is_inlined
        # None if a combination of types has no entry point
        self.entry_points: dict[Types, EntryPoint | None] = {}
        self._recent: dict[Any, EntryPoint] = {}  # by the classes of arguments, see `pack`
        self._n_parameters = function.__code__.co_argcount
        self._defaults = function.__defaults__ or ()

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    @property
    def _numba_type_(self) -> Any:
        """The type of the kernel for Numba, so that jitted functions of a program can call it.

        Numba holds the lock of its compiler meanwhile, for which a thread that holds `_lock` waits.
        """
        from numba.types import Dispatcher

        return Dispatcher(_dispatchers().copy(self))

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel.

        The classes of the arguments tell its entry point; if they are new, the types of the
        arguments do. Without machine code, it runs as plain Python, or as Numba compiles it.
        """
        if len(arguments) != self._n_parameters:
            arguments = self.complete(arguments)
        try:
            classes, words = pack(arguments)
            if (entry_point := self._recent.get(classes)) is not None:
                return entry_point(words)
        except (LayoutError, UnsupportedError):
            pass  # the types of the arguments decide what runs
        if (entry_point := self.entry_point(arguments)) is not None:
            return entry_point(pack(arguments)[1])
        if _compiles_nothing and uses_libraries():
            return plain_python(self)(*arguments)
        with _lock:
            dispatcher = _dispatchers().copy(self)
        return self._outside_main_thread(partial(dispatcher, *arguments))

    def complete(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments of a call, with the defaults of those that are not given."""
        n_missing = self._n_parameters - len(arguments)
        if not 0 <= n_missing <= len(self._defaults):
            raise TypeError(f"{self.name} has {self._n_parameters} parameters")
        return arguments + self._defaults[len(self._defaults) - n_missing :]

    def entry_point(self, arguments: tuple[Any, ...]) -> EntryPoint | None:
        """Return the entry point for the types of all arguments, or None if there is none."""
        if not uses_libraries() or self.stamp is None:
            return None
        try:
            classes, _ = pack(arguments)
            types = argument_types(arguments)
        except UnsupportedError as error:
            _warn_once(error, f"{self.name} cannot run as stored machine code")
            return None
        if types not in self.entry_points:
            self.prepare(types)
        entry_point = self.entry_points.get(types)
        if entry_point is not None:
            self._recent[classes] = entry_point
        return entry_point

    def key(self, types: Types) -> str:
        """Return the key of an entry point in libraries."""
        return f"{self._qualified_name}({', '.join(types)})"

    @cached_property
    def stamp(self) -> str | None:
        """The digest of the sources that the machine code depends on; None if it is unknown."""
        code = self.py_func.__code__
        path = Path(code.co_filename)
        if self.py_func.__closure__ is not None:  # it depends on more than its sources
            return None
        if path.is_absolute() and path.is_file():  # frozen programs have relative names of files
            # Functions of one qualified name, such as lambdas, have different lines.
            return f"{source_digest(path)}:{code.co_firstlineno}"
        return store.recorded_stamp(self._qualified_name)  # of a program without sources

    def prepare(self, types: Types) -> None:
        """Load the machine code for arguments of certain types, or else compile it.

        Sets `entry_points[types]`: to None if that fails, so that it is not tried again, unless
        this is within `without_compiling`.
        """
        try:
            self._outside_main_thread(partial(self._load_or_build, types))
        except Exception as error:
            # Private interfaces of Numba and llvmlite may differ between versions. An exception
            # of a signal handler is not a failure, and neither package may be missing.
            is_missing = isinstance(error, ModuleNotFoundError) and error.name in REQUIRED
            if is_missing or is_from_handler(error):
                raise
            _warn_once(error, "the machine code of a kernel cannot be stored")
            if not _compiles_nothing:
                self.entry_points.setdefault(types, None)

    def _load_or_build(self, types: Types) -> None:
        """Set the entry point for some types in `entry_points`, unless another thread has done so.

        Within `without_compiling`, nothing is set if no library has it: it may be compiled later.
        """
        key = self.key(types)
        stamp = self.stamp or ""
        with _lock, loading_clock:  # no other thread is in the clock during a fork
            if types in self.entry_points:
                return
            entry_point = self._load(store.find(key, stamp))
            if entry_point is None and not _compiles_nothing:
                is_stored = store.is_writable
                if not is_stored:  # it is compiled all the same, in each process
                    error = PermissionError("set DLX_NUMBA_CACHE_DIR to a directory of your own")
                    _warn_once(error, "the machine code of kernels cannot be stored")
                with compilation(self.name, is_stored), store.locked(key, stamp):
                    entry_point = self._load(store.find(key, stamp))  # of another process
                    if entry_point is None:
                        entry = _build(self, key, types)
                        if (entry_point := self._load(entry)) is not None:
                            store.keep(key, entry)
            if entry_point is not None or not _compiles_nothing:
                self.entry_points[types] = entry_point

    def _load(self, entry: Entry | None) -> EntryPoint | None:
        """Return a function that runs machine code; None if there is none, or no such symbol."""
        address = 0 if entry is None else link(entry.code, entry.symbol)
        return EntryPoint(self.name, address, entry.result) if entry and address else None

    def _outside_main_thread(self, call: Callable[[], Any]) -> Any:
        """Make a call in another thread if this is the main thread.

        If an exception of a signal handler interrupted Numba, it could no longer compile kernels.
        If it interrupted llvmlite, whose lock is Python code, other threads could load none.
        """
        specification = getattr(sys.modules.get(self.__module__), "__spec__", None)
        # The other thread may wait for the end of an import that this thread has begun.
        is_importing = getattr(specification, "_initializing", False)
        return call() if is_importing else call_in_thread(call)


@cache
def _dispatchers() -> Copies:
    """Return the kernels as Numba compiles them by itself, with public interfaces only."""
    import numba

    from . import lowering  # noqa: F401  (it registers the lowering)

    return Copies(lambda function, kernel: numba.njit(nogil=True)(function))


def _build(compiled: Kernel, key: str, types: Types) -> Entry:
    from .build import build_entry  # imports Numba

    return build_entry(compiled, key, compiled.stamp or "", types)


def prepare_call(kernel: Callable[..., Any], *arguments: Any) -> PreparedCall | None:
    """Return a call of a kernel that packs its arguments only once; None without machine code.

    Arrays must be contiguous and writable.
    """
    if not isinstance(kernel, Kernel):
        return None
    arguments = kernel.complete(arguments)
    classes, words = pack(arguments)
    # As for `Kernel.__call__`: the classes are faster than the types
    entry_point = kernel._recent.get(classes) or kernel.entry_point(arguments)
    return None if entry_point is None else PreparedCall(entry_point, words, arguments)


_has_warned = False


def _warn_once(error: Exception, effect: str) -> None:
    """Warn that a kernel cannot be stored, only the first time."""
    global _has_warned
    if not _has_warned:
        from numba import __version__

        _has_warned = True
        warnings.warn(
            f"{effect} ({type(error).__name__}: {error}); "
            f"Numba {__version__} compiles it in each process",
            RuntimeWarning,
            stacklevel=5,
        )


_compiles_nothing = False


@contextmanager
def without_compiling() -> Iterator[None]:
    """Let kernels without stored machine code run as plain Python within the block.

    For a single board, this takes less time than the compiler.
    """
    global _compiles_nothing
    saved, _compiles_nothing = _compiles_nothing, True
    try:
        yield
    finally:
        _compiles_nothing = saved


def njit(function: Callable[..., Any], *, is_inlined: bool = False) -> Any:
    """Compile a function as `numba.njit` does, with the options of this package.

    The machine code runs without the GIL. It comes from a library if there is one that contains it.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return function
    return Kernel(function, is_inlined=is_inlined)


def compiled_by_callers(function: Callable[..., Any]) -> Any:
    """Let jitted functions of a program call a function, which is compiled with the caller.

    Other callers run it as plain Python.
    """
    from numba.extending import register_jitable

    return register_jitable(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into each kernel that calls it.

    Short functions need this: a call takes time, and does not pass SIMD vectors in registers.
    """
    return njit(function, is_inlined=True)
