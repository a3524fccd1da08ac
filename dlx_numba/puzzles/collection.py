"""The puzzles of a source, as a list that is read as far as it is needed."""

from __future__ import annotations

import os
from bisect import bisect
from collections.abc import Iterator, Sequence
from math import inf
from threading import RLock
from typing import IO, Any, overload

from ..runtime.errors import FormatError, Stopped
from ..runtime.text import plural
from ..sudoku.io.records import Records
from .puzzle import Puzzle
from .reading import Reading, open_text, read_any
from .sudoku import board_puzzle, errors_of


class Puzzles(Sequence[Puzzle]):
    """The puzzles of a source, in order.

    `read` returns such a list. Boards are read in chunks as they are needed, and take a byte for
    each cell. Threads may share a list.

    Attributes
    ----------
    kind : str
        The name of the kind of the puzzles.
    format : str
        The name of the format of an exact cover problem, otherwise "".
    """

    def __init__(self, reading: Reading) -> None:
        self.kind = reading.kind
        self.format = reading.format
        # The parts that are not read yet: puzzles, or chunks of boards
        self._rest: Iterator[Any] = reading.puzzles if reading.chunks is None else reading.chunks
        self._parts: list[Records | Puzzle] = []  # that have a puzzle
        self._ends = [0]  # the numbers of puzzles up to each part
        self._errors: list[FormatError] = []
        self._is_complete = False
        self._failure: BaseException | None = None  # that ended the reading
        self._lock = RLock()

    def __getstate__(self) -> dict[str, Any]:
        self._read_to()
        return {**vars(self), "_rest": iter(()), "_lock": None}

    def __setstate__(self, content: dict[str, Any]) -> None:
        vars(self).update(content, _lock=RLock())

    def _read_part(self) -> bool:
        """Read the next part, and return whether there is one.

        After an exception, the rest cannot be read, and what has been read is not everything.
        """
        with self._lock:
            if isinstance(self._failure, Exception):
                raise self._failure.with_traceback(None)
            if self._failure is not None:
                raise Stopped("the puzzles are not read to the end, as reading was interrupted")
            try:
                return self._take(next(self._rest, None))
            except BaseException as failure:
                self._failure = failure
                raise

    def _take(self, part: Records | Puzzle | FormatError | None) -> bool:
        """Add what was read, and return whether there is anything."""
        if part is None:
            self._is_complete = True
            return False
        if isinstance(part, FormatError):
            self._errors.append(part)
            return True
        n_puzzles = 1
        if isinstance(part, Records):
            self._errors += errors_of(part)
            n_puzzles = len(part)
        if n_puzzles:
            self._parts.append(part)
            self._ends.append(self._ends[-1] + n_puzzles)
        return True

    def _read_to(self, number: float = inf) -> bool:
        """Read up to a number of puzzles, by default all. Return whether there are as many."""
        while self._ends[-1] < number and self._read_part():
            pass
        return self._ends[-1] >= number

    @property
    def errors(self) -> list[FormatError]:
        """The errors of the puzzles that cannot be read, after all others have been read."""
        self._read_to()
        return [*self._errors]

    def __len__(self) -> int:
        """Return the number of puzzles that can be read."""
        self._read_to()
        return self._ends[-1]

    def __iter__(self) -> Iterator[Puzzle]:
        """Iterate over the puzzles. After the last one, raise FormatError if there are errors."""
        index = 0
        while self._read_to(index + 1):
            yield self[index]
            index += 1
        if errors := self.errors:
            first = errors[0]
            more = f" (and {len(errors) - 1} more)" if errors[1:] else ""
            raise FormatError(first.source, first.line, first.reason + more)

    @overload
    def __getitem__(self, index: int) -> Puzzle: ...

    @overload
    def __getitem__(self, index: slice) -> list[Puzzle]: ...

    def __getitem__(self, index: int | slice) -> Puzzle | list[Puzzle]:
        """Return a puzzle, or a list of those in a slice. Raises IndexError if there is none."""
        if isinstance(index, slice):
            # An open end, a negative number (from the end) or step needs the number of all puzzles.
            if index.stop is None or min(index.start or 0, index.stop, index.step or 1) < 0:
                self._read_to()
            else:
                self._read_to(index.stop)
            return [self[k] for k in range(*index.indices(self._ends[-1]))]
        if index < 0:
            index += len(self)
        if index < 0 or not self._read_to(index + 1):
            if self._errors and not len(self):
                raise self._errors[0]
            raise IndexError(f"there are {plural(len(self), 'puzzle')}")
        number = bisect(self._ends, index) - 1
        part = self._parts[number]
        return board_puzzle(part, index - self._ends[number]) if isinstance(part, Records) else part

    def __repr__(self) -> str:
        n_read = self._ends[-1]
        more = "" if self._is_complete else " read so far,"
        return f"<Puzzles: {n_read:,}{more} of the kind {self.kind}>"


def read(source: str | bytes | os.PathLike[str] | IO[Any], kind: str | None = None) -> Puzzles:
    r"""Return the puzzles in a file or text of any kind.

    Parameters
    ----------
    source : str, bytes, path-like or file
        A path, "-" for standard input, an open file, the text itself, a link, or an example with
        its parameters, such as "queens:n=12". Bytes are the content of a file.
    kind : str, optional
        The name of the kind, such as "sudoku" or "shikaku", or of a format of exact cover problems,
        such as "knuth" or "matrix". By default, a mark such as the ending of the file decides, or
        the text is plainly Sudoku or an exact cover problem.

    Returns
    -------
    Puzzles
        A list of puzzles. Iterating over it raises FormatError after the last puzzle if some could
        not be read; these are its `errors`.

    Raises
    ------
    UnreadableError
        If the source cannot be opened, or is not text.
    KindError
        If the text does not say of which kind it is; the message names those that it could be.
    ValueError
        If the kind is not known, or the source is not of the kind.

    Examples
    --------
    >>> puzzles = read("1......3..4.....\n.2.4.........3..\n")
    >>> len(puzzles), puzzles
    (2, <Puzzles: 2 of the kind sudoku>)
    >>> print(puzzles[0].text(puzzles[0].first()))
     1 3 | 2 4
     2 4 | 1 3
    -----|-----
     3 1 | 4 2
     4 2 | 3 1
    """
    return Puzzles(read_any(open_text(source), kind))
