"""The base classes of the package's exceptions, and those that readers raise."""

import copyreg
import errno
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, cast

from .text import shorten

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    PartialT = TypeVar("PartialT", covariant=True, default=Any)
    ResultT = TypeVar("ResultT")
else:
    from typing import TypeVar

    PartialT = TypeVar("PartialT", covariant=True)
    ResultT = TypeVar("ResultT")

MAX_REASON = 2000  # characters, because a reason may quote a long word of a file


class PicklableError(Exception):
    """An exception that keeps its message and attributes when it is pickled or copied.

    By default, Python calls the class with `args`, which only works if the message is the only
    parameter.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class DlxError(PicklableError):
    """The base class of the exceptions that are specific to this package.

    Each of them is also a standard exception, such as ValueError or OSError. Invalid arguments
    raise plain ValueError or TypeError.
    """


class ExecutorError(RuntimeError):
    """A task of an executor failed to return a result."""


class Stopped(DlxError, Generic[PartialT]):
    """A time limit or a request to stop has ended a call before its result was complete.

    Attributes
    ----------
    partial : object
        The complete part of the result: a count, a list or arrays, as the function documents; None
        if there is none.

    Notes
    -----
    Type checkers do not know which call an `except` clause caught: `partial_of` has the type that
    the call returns, and an annotation such as ``Stopped[int]`` that of `partial`.
    """

    def __init__(self, message: str, partial: PartialT | None = None) -> None:
        super().__init__(message)
        self.partial: PartialT = cast(Any, partial)

    def partial_of(self, call: Callable[..., ResultT]) -> ResultT | None:
        """Return `partial`, for type checkers a result of the call that was stopped.

        Parameters
        ----------
        call : callable
            The function or method that raised the exception. It is not called.

        Returns
        -------
        object or None
            `partial`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a"]])
        >>> try:
        ...     found = cover.solve(seconds=0)
        ... except Stopped as stopped:
        ...     found = stopped.partial_of(cover.solve)
        >>> found
        []
        """
        partial: Any = self.partial
        return partial


class UnreadableError(DlxError, OSError):
    """A source cannot be opened, is damaged, or does not contain text.

    Attributes
    ----------
    source : str
        Name of the source.
    reason : str
        Description of the problem.
    """

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"

    def __reduce__(self) -> tuple[Any, ...]:
        # `vars` lacks `errno` and the other attributes of OSError, which the constructor sets.
        return type(self), (self.source, self.reason), vars(self)


class MissingFileError(UnreadableError, FileNotFoundError):
    """A file does not exist."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(source, reason)
        self.errno = errno.ENOENT
        self.strerror = reason
        self.filename = source


class TooLargeError(UnreadableError):
    """A source is larger than the limit of its reader."""


class FormatError(DlxError, ValueError):
    """A text violates the rules of its format.

    Attributes
    ----------
    source : str
        Name of the source.
    line : int or None
        Number of the line, counted from 1; None if the problem concerns the whole text.
    reason : str
        Description of the problem.
    """

    def __init__(self, source: str, line: int | None, reason: str) -> None:
        reason = shorten(reason, MAX_REASON)
        place = source if line is None else f"{source}:{line}"
        super().__init__(f"{place}: {reason}")
        self.source = source
        self.line = line
        self.reason = reason


class AmbiguousError(ValueError):
    """A text has two meanings, and nothing decides between them.

    Attributes
    ----------
    choices : tuple of str
        What the user may say instead, such as the names of two alphabets.
    """

    choices: tuple[str, ...] = ()
