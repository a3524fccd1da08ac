"""Hashiwokakero: bridges between islands."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ..pictures.plane import dot, line, plane_picture, word
from .entry import Entry, Statement

Cell = tuple[int, int]  # (row, column)

PUZZLE = "..2.3...2/.2...2.3./..4.2..../.......4./2.4.2...3/.5...7.6./..4.2..../.1.....2./4.6..5..3"
GAP = 0.07  # between a double bridge and its center line, in sides of a cell


class Span(NamedTuple):
    """A place for bridges: two islands in a row or column, and the cells between them."""

    start: Cell
    end: Cell
    between: frozenset[Cell]


@dataclass(frozen=True)
class Hashiwokakero(Entry):
    """Connect islands by bridges (Hashiwokakero), each by as many as its number.

    Items: each island, covered as often as its number states; the first and the second bridge of
    each span, that is, between two islands that face each other.
    Secondary items: each cell where a bridge could cross another one.
    Options: no bridge of a span covers both of its items. The first bridge covers its item, the two
    islands and the cells where it could cross others; "no second bridge" covers the second item,
    and the second bridge also the two islands. So a second bridge needs a first one.

    Parameters
    ----------
    puzzle
        The rows with `/` between them: a number from 1 to 8 for an island, `.` for water.

    Notes
    -----
    All islands must be connected. Items cannot express this: the covers that satisfy all other
    rules are found first, and those that are not connected are left out. The puzzle is by Nikoli
    (1990); to solve it is NP-complete (D. Andersson, 2009).

    >>> print(Hashiwokakero("1.3/.../..2").first())
    1───3
        ║
        2
    """

    puzzle: str = PUZZLE

    def __post_init__(self) -> None:
        rows = self.puzzle.split("/")
        if not re.fullmatch("[1-8./]+", self.puzzle) or len(set(map(len, rows))) > 1:
            raise ValueError(
                "puzzle must have rows of equal length with / between them, of numbers from 1 to 8 "
                f"and . for water, not {self.puzzle[:40]!r}"
            )
        if not self.islands:
            raise ValueError("puzzle has no islands")

    @cached_property
    def islands(self) -> dict[Cell, int]:
        """The number of each island."""
        rows = enumerate(self.puzzle.split("/"), 1)
        return {(r, c): int(n) for r, row in rows for c, n in enumerate(row, 1) if n != "."}

    @cached_property
    def spans(self) -> list[Span]:
        """All pairs of islands between which there may be bridges."""
        spans = []
        for axis in (0, 1):
            ordered = sorted(self.islands, key=lambda cell: (cell[axis], cell))
            for start, end in pairwise(ordered):
                if start[axis] == end[axis]:
                    (r, c), (i, j) = start, end
                    cells = {(k, c) for k in range(r + 1, i)} | {(r, k) for k in range(c + 1, j)}
                    spans.append(Span(start, end, frozenset(cells)))
        return spans

    def statement(self) -> Statement:
        counts = Counter(cell for span in self.spans for cell in span.between)
        crossings = sorted(cell for cell, count in counts.items() if count > 1)
        options: dict[str, list[object]] = {}
        for k, (start, end, between) in enumerate(self.spans):
            first, second = ("first", k), ("second", k)
            crossed = [cell for cell in crossings if cell in between]
            place = "–".join(f"{r},{c}" for r, c in (start, end))
            options[f"{place}: no bridge"] = [first, second]
            options[f"{place}: a bridge"] = [first, start, end, *crossed]
            options[f"{place}: no second bridge"] = [second]
            options[f"{place}: a second bridge"] = [second, start, end]
        bridges = [(name, k) for k in range(len(self.spans)) for name in ("first", "second")]
        items = [*self.islands, *bridges]
        return Statement(options, items, crossings, multiplicity=self.islands)

    def bridges(self, solution: list[int]) -> Counter[Span]:
        """Return the number of bridges of each span that has any.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        Counter
        """
        return Counter(self.spans[option // 4] for option in solution if option % 2)

    def is_solution(self, cover: list[int]) -> bool:
        groups = {cell: {cell} for cell in self.islands}
        for start, end, _ in self.bridges(cover):
            union = groups[start] | groups[end]
            groups.update(dict.fromkeys(union, union))
        return all(len(group) == len(groups) for group in groups.values())

    def text(self, solution: list[int]) -> str:
        rows = [[*" ".join(row.replace(".", " "))] for row in self.puzzle.split("/")]
        for ((r, c), (i, j), _), count in self.bridges(solution).items():
            for k in range(2 * c - 1, 2 * j - 2):
                rows[r - 1][k] = "─═"[count - 1]
            for k in range(r, i - 1):
                rows[k][2 * c - 2] = "│║"[count - 1]
        return "\n".join("".join(row).rstrip() for row in rows)

    def svg(self, solution: list[int]) -> str:
        lines = []
        for ((r, c), (i, j), _), count in self.bridges(solution).items():
            for shift in (0.0,) if count == 1 else (-GAP, GAP):
                dx, dy = (shift, 0.0) if c == j else (0.0, shift)
                lines.append([(c - 0.5 + dx, r - 0.5 + dy), (j - 0.5 + dx, i - 0.5 + dy)])
        elements = [line(lines, class_="rule")]
        for (r, c), number in self.islands.items():
            center = (c - 0.5, r - 0.5)
            elements.append(dot(center, 0.4, class_="one"))
            elements.append(word(str(number), center, 0.42, "on strong"))
        rows = self.puzzle.split("/")
        described = f"{len(self.islands)} islands with {len(lines)} bridges."
        return plane_picture(
            "Hashiwokakero", described, [(0, 0), (len(rows[0]), len(rows))], elements
        )
