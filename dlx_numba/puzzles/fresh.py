"""New puzzles of kinds whose puzzle is the problem and not its clues: regions, or runs."""

from collections.abc import Iterator
from functools import partial
from random import Random

from ..runtime.errors import FormatError
from ..runtime.interrupts import Stop
from ..runtime.workers import call_until
from .kind import kinds_with, load_kind
from .parameters import check_range
from .puzzle import Puzzle
from .records import parse_all

MAX_MISSES = 2000  # problems one after the other that have several solutions


def fresh_puzzles(
    kind: str, size: int, seed: int | None, stop: Stop
) -> Iterator[tuple[str, Puzzle]]:
    """Yield the texts of puzzles with one solution, and the puzzles, until `stop`.

    A kind has a function `random` that draws a solution, and makes a problem from it. `DRAWN` is
    the range of its sizes.

    Parameters
    ----------
    kind
        The name of the kind.
    size
        The number of rows.
    seed
        The seed of the random choices; None draws it.
    stop
        Ends the iteration, by the exception `Stopped` during the search for another solution.

    Raises
    ------
    ValueError
        If the kind draws no puzzles, or the size is unsuitable.
    """
    module = load_kind(kind)
    if not hasattr(module, "random"):
        raise ValueError(f"only some kinds draw new puzzles: {', '.join(kinds_with('random'))}")
    check_range("the size of a new puzzle", size, *module.DRAWN)
    generator = Random(seed)
    n_misses = 0
    while not stop():
        task = call_until(partial(module.random, generator.getrandbits(64), size), stop)
        if not task.has_ended:  # to draw some problems takes a second
            break
        text = task.result()
        [puzzle] = parse_all(module, text, kind)
        if isinstance(puzzle, FormatError):
            raise puzzle
        if puzzle.count(2, stop=stop) == 1:
            n_misses = 0
            yield text, puzzle
        n_misses += 1  # since the last puzzle, and this one itself
        if n_misses > MAX_MISSES:
            raise ValueError(f"{MAX_MISSES:,} problems of size {size} have several solutions")
