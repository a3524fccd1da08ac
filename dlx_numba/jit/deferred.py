"""Kernels that import Numba only when they must be compiled.

The command line uses them, because most of its processes run a few kernels that are cached (see
`entry_cache`). The library uses Numba's dispatchers: they convert the arguments of a call faster,
and programs that call the library run longer.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import update_wrapper
from typing import Any

from .entry_cache import EntryPointCache
from .entry_point import EntryPoint, Types, UnsupportedError, pack
from .internals import numba_internals
from .monitoring import loading_clock

_lock = threading.RLock()
_uses_numba_only = False


@contextmanager
def numba_only() -> Iterator[None]:
    """Call Numba's dispatchers within the block, and store an entry point for each call.

    Then both caches are complete, also if one of them was deleted.
    """
    global _uses_numba_only
    saved, _uses_numba_only = _uses_numba_only, True
    try:
        yield
    finally:
        _uses_numba_only = saved


class DeferredKernel:
    """A kernel that runs cached machine code, or else creates Numba's dispatcher and calls it.

    Numba treats it as that dispatcher (see `_numba_type_`), so kernels can call each other.
    """

    def __init__(self, function: Callable[..., Any], *, is_inlined: bool) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._is_inlined = is_inlined
        self._dispatcher: Any = None
        self._entry_points: dict[Types, EntryPoint | None] = {}  # None if there was none
        self._saved: set[Types] = set()
        self._cache: EntryPointCache | None = None
        is_local = function.__closure__ or "<" in function.__qualname__
        if not is_inlined and not is_local and os.path.isfile(function.__code__.co_filename):
            self._cache = EntryPointCache(function)

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher."""
        if self._dispatcher is None:
            with loading_clock.running(), _lock:
                from .dispatch import make_dispatcher  # imports Numba

                if self._dispatcher is None:  # not created by another thread
                    inlined = self._is_inlined
                    self._dispatcher = make_dispatcher(self.py_func, is_inlined=inlined)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_

    @property
    def overloads(self) -> dict[Any, Any]:
        """The machine code in memory, by types, as that of a dispatcher."""
        if self._dispatcher is not None and self._dispatcher.overloads:
            return dict(self._dispatcher.overloads)
        return {types: each for types, each in self._entry_points.items() if each is not None}

    def has_entries(self) -> bool:
        """Return whether there is machine code on disk, for any types."""
        cache = self._cache
        if cache is None:
            return False
        if cache.has_entry_point():
            return True
        # Numba has to be imported to read its cache.
        return cache.has_numba_cache() and bool(self.dispatcher.has_entries())

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the kernel."""
        if self._cache is None or named:
            return self.dispatcher(*arguments, **named)
        try:
            types, words = pack(arguments)
        except UnsupportedError:
            return self.dispatcher(*arguments)
        if not _uses_numba_only:
            entry_point = self._find(self._cache, types)
            if entry_point is not None:
                return entry_point(words)
        self._save(self._cache, types, arguments)
        return self.dispatcher(*arguments)

    def _find(self, cache: EntryPointCache, types: Types) -> EntryPoint | None:
        """Return the entry point for arguments of certain types, loading it if necessary."""
        if types not in self._entry_points:
            with loading_clock.running(), _lock:
                if types not in self._entry_points:  # not loaded by another thread
                    self._entry_points[types] = cache.load(types)
        return self._entry_points[types]

    def _save(self, cache: EntryPointCache, types: Types, arguments: tuple[Any, ...]) -> None:
        """Store an entry point for a call, unless there is one or it is not possible."""
        with _lock:
            if types in self._saved:
                return
            self._saved.add(types)
        if cache.has_entry_point(types) or (path := cache.writable_path(types)) is None:
            return
        dispatcher = self.dispatcher
        with numba_internals(), suppress(UnsupportedError):
            from .entry_builder import argument_types, create_entry_point  # imports Numba, too

            numba_types = argument_types(dispatcher, arguments)
            dispatcher.compile(numba_types)
            cache.save(path, *create_entry_point(dispatcher, numba_types))
