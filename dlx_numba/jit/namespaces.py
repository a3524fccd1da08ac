"""Clone kernels so that clones call clones: as plain Python, or as Numba needs them."""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any


class Copies:
    """Decorated copies of kernels, each of which calls copies of the same kind.

    Parameters
    ----------
    decorate : callable
        Called as `decorate(function, kernel)` with the copy of a function, and the kernel or the
        function that it is a copy of. Returns what takes its place.

    Attributes
    ----------
    copies : dict
        The copies, by function.
    """

    def __init__(self, decorate: Callable[[FunctionType, Any], Any]) -> None:
        self._decorate = decorate
        self.copies: dict[FunctionType, Any] = {}
        self._namespaces: dict[str, dict[str, Any]] = {}  # the global names, by module

    def copy(self, kernel: Any) -> Any:
        """Return the copy of a kernel or a function."""
        copies = dict(self.copies)
        namespaces = dict(self._namespaces)
        result = self._copy(kernel, copies, namespaces)
        # Only now, as they are complete: the exception of a signal handler may come at any line.
        self._namespaces.update(namespaces)
        self.copies.update(copies)
        return result

    def _copy(
        self, kernel: Any, copies: dict[FunctionType, Any], namespaces: dict[str, dict[str, Any]]
    ) -> Any:
        """Return a copy of a kernel that calls copies of others.

        `copies` has those so far, and `namespaces` the global names of their modules: both grow.
        """
        source = getattr(kernel, "py_func", kernel)
        if source not in copies:
            is_new = source.__module__ not in namespaces
            namespace = namespaces.setdefault(source.__module__, dict(source.__globals__))
            copies[source] = self._decorate(copy_function(source, namespace), kernel)
            # The copies of all kernels that the module names take their place, once; this copy is
            # listed before, because they may call it.
            if is_new:
                for name, value in source.__globals__.items():
                    if hasattr(value, "py_func"):  # a kernel or an inlined function
                        namespace[name] = self._copy(value, copies, namespaces)
        return copies[source]


def copy_function(function: Any, namespace: dict[str, Any]) -> FunctionType:
    """Return a copy of a function that has other global names."""
    name = function.__name__
    defaults = function.__defaults__
    return FunctionType(function.__code__, namespace, name, defaults, function.__closure__)


_python_copies = Copies(lambda function, kernel: function)


@cache
def plain_python(function: Any) -> Callable[..., Any]:
    """Return a kernel as a plain Python function, which also calls other kernels as such.

    This shows what compilation gains, without a second version of the source.
    """
    return _python_copies.copy(function)


def plain_python_with(function: Any, **replacements: Callable[..., Any]) -> Callable[..., Any]:
    """Return `plain_python(function)` with other functions in place of some that it calls.

    Keywords are the global names by which the kernel and other functions of its module call them.
    This is how a caller observes a kernel.
    """
    plain = plain_python(function)
    namespace = dict(plain.__globals__)
    for name, value in plain.__globals__.items():
        if isinstance(value, FunctionType) and value.__module__ == plain.__module__:
            namespace[name] = copy_function(value, namespace)
    namespace |= replacements
    return copy_function(plain, namespace)
