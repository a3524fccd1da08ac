"""`solve_stream`: any number of puzzles, of which only some are in memory at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..runtime.arguments import check_integer
from ..runtime.choices import BoardRule, EngineName
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from .api import Options, solve_batch
from .convert import ErrorHandling
from .results import BatchResult

if TYPE_CHECKING:
    from typing_extensions import Unpack

CHUNK_BOARDS = 8192  # whose strings and results fit into the cache
TAKEN_BOARDS = 8  # between two checks whether to stop: a program may make them slowly


class _BatchOptions(Options, total=False):
    limit: int | None
    engine: EngineName
    threads: int | None
    choose: BoardRule | None
    executor: Executor | None
    errors: ErrorHandling
    candidates: bool


def solve_stream(
    puzzles: Iterable[Any], chunk: int = CHUNK_BOARDS, **options: Unpack[_BatchOptions]
) -> Iterator[BatchResult]:
    """Solve any number of Sudoku puzzles of the same size, with a bounded amount of memory.

    The puzzles are taken when their result is requested, so there may be more than fit into memory.

    Parameters
    ----------
    puzzles : iterable
        The puzzles: strings, arrays or boards, such as a generator, or an open file with a puzzle
        on each line.
    chunk : int, default: 8192
        The number of puzzles that are solved at a time.
    **options
        The keywords of `solve_batch` without `progress`. `seconds` and `stop` concern the whole
        iteration.

    Returns
    -------
    iterator of BatchResult
        The result for each chunk, in order. "auto" determines an alphabet for each of them.

    Raises
    ------
    ValueError, TypeError
        As `solve_batch` does; by the iterator, if a puzzle is invalid.
    Stopped
        By the iterator, if `seconds` or `stop` ends it before the last puzzle is taken. Puzzles
        that were taken, but are unfinished, have the count -1 in the last result.

    Examples
    --------
    >>> puzzles = ("1..." "..3." ".4.." + "...2" for _ in range(5))
    >>> [result.counts.tolist() for result in solve_stream(puzzles, chunk=2)]
    [[1, 1], [1, 1], [1]]
    """
    chunk = check_integer(chunk, "chunk", minimum=1)
    if isinstance(puzzles, str | bytes):
        raise ValueError("puzzles must be an iterable of boards; solve_batch takes text")
    seconds = options.pop("seconds", None)
    condition = Stop(seconds, options.get("stop"))
    options["stop"] = condition
    entries = iter(puzzles)

    def take() -> list[Any]:
        """Return the puzzles of a chunk: fewer if there is a stop, which may come meanwhile."""
        boards = [*islice(entries, 1)]
        size = 0  # before the last addition, which is empty at the end of the source
        while size < len(boards) < chunk and not condition():
            size = len(boards)
            boards += islice(entries, min(TAKEN_BOARDS, chunk - size))
        return boards

    def solve() -> Iterator[BatchResult]:
        """Yield the results of one chunk after another, of which only one is in memory."""
        condition.set_limit(seconds)  # the time begins with the first request
        n_taken = 0
        is_late = condition()  # an error only if there is another puzzle
        while boards := take():
            if is_late:
                raise Stopped(f"stopped before puzzle {n_taken:,}")
            try:
                result = solve_batch(boards, **options)
            except ValueError as error:
                place = f"after {n_taken:,} puzzles: " if n_taken else ""
                raise ValueError(f"{place}{error}") from None
            if len(result.errors) < len(result):
                options["box"] = result.box  # all boards have the size of the first one
            n_taken += len(boards)
            yield result
            is_late = condition()

    return solve()
