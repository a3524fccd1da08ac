"""Checkpoints: a search as a file, from which it can resume later.

The file starts with a line that states its kind, its format version and the SHA-256 digest of the
rest, which is an archive (`runtime.archive`): loading a checkpoint runs no code. It contains the
problem and, for each subtree, its counters and the path to its current node. Loading takes the
steps of the path again to rebuild the state of the search, which checks all that the file states.
"""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from numpy.typing import NDArray

from ..runtime.archive import pack, unpack, wrong_version
from ..runtime.errors import DlxError
from ..runtime.exclusive import Resumable
from ..runtime.files import replace_file
from ..runtime.workers import call_in_thread
from .prepared import PreparedProblem

if TYPE_CHECKING:
    from typing_extensions import Self

ResultT = TypeVar("ResultT")


class CheckpointError(DlxError, ValueError):
    """A file is not a usable checkpoint.

    Attributes
    ----------
    path : str
        The path of the file.
    reason : str
        Why the file cannot be used.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


def save_file(
    path: str | os.PathLike[str],
    kind: bytes,
    version: int,
    facts: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> None:
    """Write a checkpoint of some kind, completely or not at all.

    Raises
    ------
    CheckpointError
        If `path` exists and is not a regular file.
    OSError
        If the file cannot be written. An existing file is then unchanged.
    """
    content = pack(facts, arrays)
    header = b"%s %d %s\n" % (kind, version, hashlib.sha256(content).hexdigest().encode())
    name = os.fspath(path)
    if os.path.exists(name) and not os.path.isfile(name):
        raise CheckpointError(name, "not a regular file")
    replace_file(name, header, content)


def load_file(
    path: str | os.PathLike[str],
    kind: bytes,
    version: int,
    restore: Callable[[dict[str, Any], dict[str, NDArray[Any]]], ResultT],
) -> ResultT:
    """Read a checkpoint that `save_file` wrote.

    Parameters
    ----------
    path : str or path-like
    kind, version
        As for `save_file`.
    restore : callable
        Makes the result from the facts and arrays. It raises ArithmeticError, LookupError,
        TypeError or ValueError if they are inconsistent.

    Raises
    ------
    CheckpointError
        If the file is not a checkpoint, is damaged or inconsistent, or has another format version.
    OSError
        If the file cannot be read.
    """
    name, noun = os.fspath(path), kind.split()[-1].decode()
    with open(path, "rb") as file:
        header = file.readline(200)
        if not header.startswith(kind + b" "):
            raise CheckpointError(name, f"not a saved {noun}")
        content = file.read()
    found, *digest = header[len(kind) :].split() or [b""]
    if found != b"%d" % version:
        raise CheckpointError(name, wrong_version(found.decode(errors="replace"), version))
    if digest != [hashlib.sha256(content).hexdigest().encode()]:
        raise CheckpointError(name, "the file is damaged")
    try:
        facts, arrays = unpack(content)
    except ValueError as error:
        raise CheckpointError(name, str(error)) from None
    try:
        return restore(facts, arrays)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise CheckpointError(name, f"the {noun} in the file is inconsistent") from error


class Saveable(Resumable, ABC):
    """The base of resumable objects that can be saved in a file.

    Attributes
    ----------
    kind, version
        As for `save_file`. The version increases whenever the content of the file changes.
    spec : PreparedProblem
        The problem that is searched, in numbers.
    """

    kind: ClassVar[bytes]
    version: ClassVar[int]
    spec: PreparedProblem

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint, from which `load` resumes, also in another process.

        The file is replaced atomically. Item names are not stored.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        CheckpointError
            If `path` exists and is not a regular file.
        OSError
            If the file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> from dlx_numba import ExactCover, Search
        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.run(solutions=1)
        [[0, 2]]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     search.save(os.path.join(folder, "search"))
        ...     Search.load(os.path.join(folder, "search")).run()
        [[1, 2]]
        """
        self._use_alone(lambda: save_file(path, self.kind, self.version, *self._content()))

    @classmethod
    def load(cls, path: str | os.PathLike[str], expected: Self | None = None) -> Self:
        """Load a checkpoint that `save` wrote.

        Parameters
        ----------
        path : str or path-like
        expected : Search or CoverOptimizer, optional
            What must have been saved: the result of `cover.search()` or `cover.optimizer(k)`, of
            the same problem, and searched in the same way.

        Returns
        -------
        Search or CoverOptimizer
            The object, ready to be resumed.

        Raises
        ------
        CheckpointError
            If the file is not a checkpoint, is damaged, has another format version, or stores
            another problem, another algorithm or another number of covers. The message names the
            file.
        OSError
            If the file cannot be read.
        TypeError
            If `expected` has another type.

        Examples
        --------
        >>> import os, tempfile
        >>> from dlx_numba import CoverOptimizer, ExactCover
        >>> cover = ExactCover([["a"], ["a"]], costs=[3, 2])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "optimizer")
        ...     cover.optimizer().save(path)
        ...     optimizer = CoverOptimizer.load(path, cover.optimizer())
        >>> optimizer.run(), optimizer.best
        (True, [(2, [1])])
        """
        if not isinstance(expected, cls | None):
            raise TypeError(f"expected must be a {cls.__name__} or None, not {expected!r}")
        # A reader reports any exception, also that of a signal handler, as a damaged file.
        load = partial(load_file, path, cls.kind, cls.version, cls._from_content)
        loaded: Self = call_in_thread(load)
        if expected is not None and (reason := expected._hand_over(loaded)):
            raise CheckpointError(os.fspath(path), reason)
        return loaded

    @abstractmethod
    def _content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the state as JSON values and arrays."""

    @classmethod
    @abstractmethod
    def _from_content(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the object from its content. Raises an exception if that is invalid."""

    @abstractmethod
    def _hand_over(self, loaded: Self) -> str:
        """Give a loaded object what files do not contain. Return why it does not match, if so."""
