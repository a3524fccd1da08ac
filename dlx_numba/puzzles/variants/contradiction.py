"""Name the givens of a board that break a rule of the puzzle by themselves."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...sudoku.box import Box
from ...sudoku.io.board import format_cells
from ...sudoku.io.symbols import Alphabet
from .constraints import Constraints
from .expand import list_entries, list_requirements
from .requirements import Different, Equal, Related, Requirement
from .units import check_units, unit_words


def find_contradiction(
    board: NDArray[np.uint8], box: Box, alphabet: Alphabet, rules: Constraints
) -> str | None:
    """Return what one or two givens of a board (cells,) violate, in words; None if nothing.

    Examples
    --------
    >>> board = np.array([1, 0, 0, 0, 0, 0, 1, *[0] * 9], np.uint8)
    >>> find_contradiction(board, Box(2, 2), Alphabet("1-9A-", 4), Constraints(anti_knight=True))
    "r1c1=1 and r2c3=1 break a rule: cells a knight's move apart have different values"
    """
    symbols = format_cells(board, alphabet)
    requirements = [*list_requirements(rules, box)]
    sets = [each for each in requirements if isinstance(each, Different)]
    for name, cells in (*check_units(rules, box).items(), *(each[:2] for each in sets)):
        counts = Counter(symbols[cell] for cell in cells if board[cell])
        if repeated := [symbol for symbol, number in counts.items() if number > 1]:
            unit = unit_words(name, rules.regions)
            return f"two {repeated[0]}s {'on' if unit.startswith('the') else 'in'} {unit}"
    sentences = dict(zip(rules.stated(), rules.sentences(), strict=True))
    for rule, _, required in list_entries(rules, box):
        for pair in _broken_pairs(board, required):
            names = [f"r{k // box.n + 1}c{k % box.n + 1}={symbols[k]}" for k in pair]
            sentence = sentences[rule]
            verb = "break" if len(names) > 1 else "breaks"
            return f"{' and '.join(names)} {verb} a rule: {sentence[0].lower()}{sentence[1:-1]}"
    return None


def _broken_pairs(
    board: NDArray[np.uint8], requirements: Iterable[Requirement]
) -> Iterator[dict[int, None]]:
    """Yield one or two given cells that a requirement excludes."""
    for each in requirements:
        if isinstance(each, Related):
            given = each.pairs[board[each.pairs].all(axis=1)]
            agrees = each.agrees[tuple(board[given].T.astype(np.int64) - 1)]
            yield from map(dict.fromkeys, given[~agrees].tolist())
        elif isinstance(each, Equal):
            first, *others = [cell for cell in each.cells if board[cell]] or [0]  # 0: no others
            yield from (dict.fromkeys((first, k)) for k in others if board[k] != board[first])
