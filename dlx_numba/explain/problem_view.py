"""What is shown and explained: a problem as arrays, and what its numbers are called."""

from itertools import chain, islice
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

import numpy as np

from ..cover.exact_cover import ExactCover
from ..cover.io.named import as_text
from ..kernels.problem import Instance, build_instance
from ..sudoku.box import Box
from ..sudoku.encode import encode_problem
from ..sudoku.io.board import format_board
from ..sudoku.io.symbols import Alphabet, Values


class Board(NamedTuple):
    """The Sudoku that a problem comes from."""

    box: Box
    alphabet: Alphabet
    values: Values  # (cells,) 0 for an empty cell
    placement: list[tuple[int, int]]  # the cell and the value of each option

    def symbol(self, value: int) -> str:
        return format_board(np.array([value], np.uint8), self.alphabet)


class Subject(NamedTuple):
    """A problem, with names that are texts."""

    title: str
    summary: str  # how large it is
    instance: Instance
    starts: list[int]  # (options + 1,) the first node of each option
    n_primary: int
    items: list[str]
    meanings: list[str]  # of each item, where its name is short for something; else ""
    options: list[str]
    colors: list[str]  # that of colour 1 first
    costs: bool  # whether options have costs
    board: Board | None

    def option_of(self, node: int) -> int:
        return int(np.searchsorted(self.starts, node, side="right")) - 1

    def color_marks(self) -> dict[str, str]:
        """The character that stands for each colour in a matrix, and the colour."""
        marks = self.colors
        if any(len(color) != 1 or color in "01." for color in marks) or len(set(marks)) < len(
            marks
        ):
            letters = ascii_uppercase + ascii_lowercase
            more = (chr(ord("À") + k) for k in range(len(marks)))
            marks = list(islice(chain(letters, more), len(marks)))
        return dict(zip(marks, self.colors, strict=True))

    def marked_rows(self) -> list[list[tuple[int, str]]]:
        """The items of each option, from 0, each with "1" or the mark of its colour."""
        column, colors = self.instance.links.column, self.instance.colors
        of = np.zeros_like(column) if colors is None else colors.of
        items, marks = (column - 1).tolist(), ["1", *self.color_marks()]
        entries = [(item, marks[color]) for item, color in zip(items, of.tolist(), strict=True)]
        return [entries[i:j] for i, j in zip(self.starts[:-1], self.starts[1:], strict=True)]


def cover_subject(cover: ExactCover, title: str) -> Subject:
    """An exact cover problem, as it was stated.

    >>> subject = cover_subject(ExactCover([["a", ("s", "x")], ["b"]], secondary=["s"]), "two")
    >>> subject.items, subject.options, subject.marked_rows()
    (['a', 'b', 's'], ['a s:x', 'b'], [[(0, '1'), (2, 'x')], [(1, '1')]])
    """
    problem, names = cover.numbered
    indptr = problem.indptr + 1 + len(names.items)
    return Subject(
        title,
        cover.summary(),
        build_instance(problem),
        indptr.tolist(),
        problem.n_primary,
        [as_text(name) for name in names.items],
        [""] * len(names.items),
        [cover.format([k], "names") for k in range(cover.n_options)],
        [as_text(name) for name in names.colors],
        problem.cost is not None,
        None,
    )


def board_subject(values: Values, box: Box, alphabet: Alphabet, title: str) -> Subject:
    """The exact cover problem of a board. Raises ValueError where its givens are at odds.

    >>> board = np.array([1, 2, 3, 0, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1], np.uint8)
    >>> subject = board_subject(board, Box(2, 2), Alphabet("1-9A-", 4), "one cell")
    >>> subject.items, subject.options
    (['p14', 'r14', 'c44', 'b24'], ['4 in row 1, column 4'])
    """
    encoded = encode_problem(values, box)
    board = Board(box, alphabet, values, encoded.placements)
    between = "" if box.n <= 9 else ","
    items, meanings = [], []
    for kind, place, other in encoded.items:
        text = str(other) if kind == "p" else board.symbol(other)
        items.append(f"{kind}{place}{between}{text}")
        if kind == "p":
            meanings.append(f"the cell in row {place}, column {other}")
        else:
            where = {"r": "row", "c": "column", "b": "box"}[kind]
            meanings.append(f"{text} in {where} {place}")
    problem = encoded.problem
    n_options, n_items = problem.n_options, len(items)
    return Subject(
        title,
        f"{n_options:,} options, {n_items:,}+0 items, {4 * n_options:,} entries",
        build_instance(problem),
        (problem.indptr + 1 + n_items).tolist(),
        n_items,
        items,
        meanings,
        [
            f"{board.symbol(value)} in row {cell // box.n + 1}, column {cell % box.n + 1}"
            for cell, value in board.placement
        ],
        [],
        False,
        board,
    )
