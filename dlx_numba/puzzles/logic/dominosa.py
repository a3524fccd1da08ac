"""Dominosa: a set of dominoes whose borders are lost."""

from collections import Counter
from itertools import combinations_with_replacement

from ...cover.encode import Formulation
from ...pictures.filling import Pieces
from ..puzzle import Puzzle
from ..records import Record
from .boards import CELL_WORDS, NUMBER, Cell, WordTable

formats = "rows and columns, then the number in each cell"


def _layout(table: WordTable) -> tuple[int, dict[Cell, int]]:
    """Return the largest number, and the number in each cell."""
    numbers = {cell: int(word) for cell, word in table.board(NUMBER, "a number").items()}
    counts = Counter(numbers.values())
    most = max(counts)
    if len(counts) != most + 1 or set(counts.values()) != {most + 2}:
        raise table.error(
            1, f"each number from 0 to {most} must appear {most + 2} times, as on all dominoes"
        )
    return most, numbers


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record, whose items and options `example` describes."""
    most, numbers = _layout(WordTable(record))
    dominoes = list(combinations_with_replacement(range(most + 1), 2))
    label = {domino: str(k) for k, domino in enumerate(dominoes)}
    options = {}
    marks = []
    for r, c in numbers:
        for name, cell in (("across", (r, c + 1)), ("down", (r + 1, c))):
            if cell in numbers:
                low, high = sorted((numbers[r, c], numbers[cell]))
                options[f"r{r}c{c} {name}"] = [("domino", low, high), (r, c), cell]
                marks.append((((r, c), label[low, high]), (cell, label[low, high])))
    given = [(cell, str(number)) for cell, number in numbers.items()]
    words = (r"domino,(\d+),(\d+)", r"the domino \1–\2", r"one domino \1–\2"), CELL_WORDS
    picture = Pieces("Dominosa", marks, (), given, words=words)
    items = [*(("domino", *domino) for domino in dominoes), *numbers]
    return Puzzle("Dominosa", Formulation(options, items, view=picture))


EXAMPLE = "3 4\n1 1 0 2\n0 2 1 2\n0 2 1 0"


def example() -> Puzzle:
    """Find the dominoes on a board of numbers, on which each domino lies once.

    Items: each domino; each cell.
    Options: a domino on two adjacent cells that have its numbers.

    Notes
    -----
    In texts, dominoes are numbered from 0, in the order 0–0, 0–1, …

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    3 3 2 2
    0 5 4 4
    0 5 1 1
    """
    return parse(Record("example", EXAMPLE))
