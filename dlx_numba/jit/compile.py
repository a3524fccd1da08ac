"""When and how kernels are compiled.

A kernel is a plain function over arrays that its caller allocates. It returns scalars, raises no
exceptions, and its only decorator is `kernel`. Only functions of this module import Numba.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from types import FunctionType
from typing import Any

MAX_PYTHON_CALLS = 20  # calls of each kernel that `without_delay` runs as plain Python

_numba_is_deferred = False


def defer_numba() -> None:
    """Let kernels defined after this call import Numba only if they must be compiled.

    This makes a process with cached kernels start faster (see `deferred`). If an environment
    variable configures Numba, kernels import it as usual, so the variable takes effect.
    """
    global _numba_is_deferred
    _numba_is_deferred = True


@cache
def _can_defer() -> bool:
    from .entry_cache import is_supported

    return is_supported()


def _compiled(function: Callable[..., Any], is_inlined: bool) -> Any:
    if _numba_is_deferred and _can_defer():
        from .deferred import DeferredKernel

        return DeferredKernel(function, is_inlined=is_inlined)
    from .dispatch import make_dispatcher

    return make_dispatcher(function, is_inlined=is_inlined)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, without the GIL, and cache the machine code on disk."""
    compiled = _compiled(function, is_inlined=False)
    if compiled is not function:  # otherwise, NUMBA_DISABLE_JIT is set
        _kernels.append(compiled)
    return compiled


_kernels: list[Any] = []


def known_kernels() -> list[Any]:
    """Return the kernels of all modules that are imported so far."""
    return list(_kernels)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into each kernel that calls it.

    Short functions need this: a call takes time, and does not pass SIMD vectors in registers.
    """
    return _compiled(function, is_inlined=True)


@cache
def plain_python(function: Any) -> Callable[..., Any]:
    """Return a kernel as a plain Python function, which also calls other kernels as such.

    This shows what compilation gains, without a second version of the source.
    """
    namespaces = dict(_namespaces)
    plain = _as_python(function, namespaces)
    _namespaces.update(namespaces)  # now complete; an exception may interrupt any statement
    return plain


_namespaces: dict[str, dict[str, Any]] = {}  # see `_python_globals`, by module


def _as_python(function: Any, namespaces: dict[str, dict[str, Any]]) -> Callable[..., Any]:
    source = getattr(function, "py_func", function)
    namespace = _python_globals(source.__module__, source.__globals__, namespaces)
    return FunctionType(source.__code__, namespace, source.__name__, source.__defaults__)


def plain_python_with(function: Any, **replaced: Callable[..., Any]) -> Callable[..., Any]:
    """Return `plain_python(function)` with other functions in place of some that it calls.

    The replaced functions are those that the kernel calls by a global name, not those that its
    callees call. This is how a caller observes a kernel.
    """
    plain = plain_python(function)
    namespace = plain.__globals__ | replaced
    return FunctionType(plain.__code__, namespace, plain.__name__, plain.__defaults__)


def _python_globals(
    module: str, namespace: dict[str, Any], namespaces: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return the global names of a module, with plain Python functions instead of kernels.

    The names are added to `namespaces`.
    """
    if module not in namespaces:
        plain = namespaces[module] = dict(namespace)
        for name, value in namespace.items():
            if _is_compiled(value):
                plain[name] = _as_python(value, namespaces)
    return namespaces[module]


def _is_compiled(value: Any) -> bool:
    """Return whether an object is a kernel or an inlined function that Numba compiles."""
    return isinstance(getattr(value, "py_func", None), FunctionType)


_python_calls: Counter[Any] = Counter()  # how often `without_delay` has replaced each kernel
_compiles_always = False


def without_delay(compiled: Any) -> Callable[..., Any]:
    """Return a kernel, or the same function as plain Python if the kernel must be compiled first.

    For an input as small as one board, plain Python takes less time than the compiler. After
    `MAX_PYTHON_CALLS`, the input is evidently not small, and the kernel is returned in any case.
    """
    if is_ready(compiled) or _python_calls[compiled] >= MAX_PYTHON_CALLS:
        return compiled  # type: ignore[no-any-return]
    _python_calls[compiled] += 1
    return plain_python(compiled)


def is_loaded(compiled: Any) -> bool:
    """Return whether machine code of a kernel is in memory."""
    return bool(compiled.overloads)


def is_ready(compiled: Any) -> bool:
    """Return whether a kernel is compiled or cached, or may be compiled at any time."""
    if _compiles_always or getattr(compiled, "overloads", True):  # plain Python has none
        return True
    return bool(compiled.has_entries())


@contextmanager
def always_compiled() -> Iterator[None]:
    """Let `without_delay` return only kernels within the block."""
    global _compiles_always
    saved, _compiles_always = _compiles_always, True
    try:
        yield
    finally:
        _compiles_always = saved


def filling_caches() -> AbstractContextManager[None]:
    """Let each call within the block fill both caches: Numba's, and that of entry points."""
    from .deferred import numba_only

    return numba_only()
