"""Checkpoints: a search as a file, from which it can resume later.

The file is an archive (`runtime.archive`) whose header has its kind, too, and the versions of its
format and of the package that wrote it. Loading it runs no code. A checkpoint contains the problem
and, for each subtree, its counters and the path to its current node. Loading takes the steps of the
path again to rebuild the state of the search, which checks all that the file says.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..runtime.archive import pack, unpack
from ..runtime.errors import DlxError
from ..runtime.files import replace_file
from ..runtime.version import __version__
from ..runtime.workers import ResultT, call_in_thread
from .prepared import PreparedProblem
from .resumable import Resumable

if TYPE_CHECKING:
    from typing_extensions import Self


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
        self.path = path
        self.reason = reason


def save_file(
    path: str | os.PathLike[str], kind: str, version: int, content: Mapping[str, object]
) -> None:
    """Write a file of some kind, completely or not at all.

    Parameters
    ----------
    path : str or path-like
    kind : str
        The first entry of the header; its last word is the noun in error messages.
    version : int
        The version of the format.
    content : mapping
        JSON values and arrays.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    arrays = {name: value for name, value in content.items() if isinstance(value, np.ndarray)}
    facts = {name: value for name, value in content.items() if name not in arrays}
    header = {"kind": kind, "version": version, "writer": __version__, **facts}
    replace_file(path, pack(header, arrays))


def load_file(
    path: str | os.PathLike[str],
    kind: str,
    version: int,
    restore: Callable[[dict[str, Any], dict[str, NDArray[Any]]], ResultT],
) -> ResultT:
    """Read a file that `save_file` wrote.

    Parameters
    ----------
    path : str or path-like
    kind, version
        As for `save_file`.
    restore : callable
        Makes the result from the JSON values and the arrays. It raises ArithmeticError,
        AttributeError, LookupError, TypeError or ValueError if they are inconsistent.

    Raises
    ------
    CheckpointError
        If the file is not of this kind, is damaged or inconsistent, or has another format version.
    OSError
        If the file cannot be read.
    """
    name = os.fspath(path)
    noun = kind.split()[-1]
    with open(path, "rb") as file:
        content = file.read()
    try:
        facts, arrays = unpack(content)
        if facts.pop("kind") != kind:
            raise ValueError("another kind of file")
    except (LookupError, ValueError):
        raise CheckpointError(name, f"not a saved {noun}, or the file is damaged") from None
    writer = facts.pop("writer", "before 0.1")
    if (saved_version := facts.pop("version", None)) != version:
        raise CheckpointError(
            name,
            f"saved by dlx_numba {writer} in format {saved_version}, "
            f"but {__version__} reads format {version}",
        )
    try:
        return restore(facts, arrays)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise CheckpointError(name, f"the {noun} in the file is inconsistent") from error


def write_note(path: str, note: str) -> None:
    """Add a text to a file that `save_file` wrote; `load_file` does not depend on it.

    Raises ValueError if the file is damaged.
    """
    facts, arrays = unpack(Path(path).read_bytes())
    replace_file(path, pack(facts | {"note": note}, arrays))


def read_note(path: str) -> str:
    """Return the text that `write_note` has added to a file, or "" if there is none."""
    return str(unpack(Path(path).read_bytes())[0].get("note", ""))


class Saveable(Resumable):
    """The base of resumable objects that can be saved in a file."""

    _kind: ClassVar[str]
    _version: ClassVar[int]
    _spec: PreparedProblem
    _lack = ""  # of a loaded object: what its file lacks, so that `load` needs `expected`

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
        name = os.fspath(path)
        if os.path.exists(name) and not os.path.isfile(name):
            raise CheckpointError(name, "not a regular file")

        def save() -> None:
            problem, arrays = self._spec.content()
            content = {"problem": problem, **arrays, **self._facts()}
            save_file(path, self._kind, self._version, content)

        self._use_alone(save)

    @classmethod
    def load(cls, path: str | os.PathLike[str], expected: Self | None = None) -> Self:
        """Load a checkpoint that `save` wrote.

        Parameters
        ----------
        path : str or path-like
        expected : Search or CoverOptimizer, optional
            What must have been saved: the result of `cover.search()` or `cover.optimizer(k)`, of
            the same problem, and searched in the same way. An optimizer with `changes`, or with
            penalties of items with multiplicities, cannot be loaded without it.

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
        >>> optimizer.run(), optimizer.result
        (True, [[1]])
        """
        if not isinstance(expected, cls | None):
            raise TypeError(f"expected must be a {cls.__name__} or None, not {expected!r}")
        # A reader reports any exception, also that of a signal handler, as a damaged file.
        load = partial(load_file, path, cls._kind, cls._version, cls._restore)
        loaded: Self = call_in_thread(load)
        reason = loaded._lack if expected is None else expected._hand_over(loaded)
        if reason:
            raise CheckpointError(os.fspath(path), reason)
        return loaded

    @classmethod
    def _restore(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        return cls._from_facts(PreparedProblem.from_content(facts["problem"], arrays), facts)

    @abstractmethod
    def _facts(self) -> dict[str, Any]:
        """Return the state as JSON values, by their names."""

    @classmethod
    @abstractmethod
    def _from_facts(cls, spec: PreparedProblem, facts: Mapping[str, object]) -> Self:
        """Restore the object from its state. Raises an exception if that is invalid."""

    @abstractmethod
    def _hand_over(self, loaded: Self) -> str:
        """Give a loaded object what files do not contain. Return why it does not match, or ""."""
