"""A calendar puzzle: eight pieces leave a month and a day uncovered."""

from collections.abc import Hashable

from ...cover.encode import Formulation
from ...pictures.filling import Pieces
from ..lattice.regions import parse_squares
from ..lattice.shapes import SQUARES, LatticePoint
from ..parameters import check_range
from ..puzzle import Puzzle
from .packing import label_polyforms, place_pieces
from .polyominoes import STANDARD_LETTERS

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DAYS = [str(day) for day in range(1, 32)]
PENTOMINOES = "LNPUVYZ"
RECTANGLE = parse_squares("###/###")

CELLS: dict[LatticePoint, str] = {  # two rows of months, five rows of days
    **{(k // 6, k % 6): month for k, month in enumerate(MONTHS)},
    **{(2 + k // 7, k % 7): day for k, day in enumerate(DAYS)},
}


def example(month: int = 0, day: int = 0) -> Puzzle:
    """Cover a calendar with eight pieces, except for a month and a day.

    Items: each piece, by its letter; "month" and "day"; each cell, by its label, such as "Jan" or
    "31".
    Options: a piece in one of its placements, with the cells that it covers; a month or a day that
    is left, with its cell. The latter have the label of the cell as their name.

    Parameters
    ----------
    month
        The month that is left, from 1 to 12, or 0 for any.
    day
        The day that is left, from 1 to 31, or 0 for any.

    Notes
    -----
    The pieces are a 2×3 rectangle (R) and seven pentominoes. The puzzle is known as A-Puzzle-A-Day
    (DragonFjord). It has 25,061 solutions: 64 on January 1, 216 on January 25, and at least 7 on
    each date.

    >>> example(month=10, day=6).count()
    7
    >>> batch = example().cover().solve_batch(given=[["Jan", "1"], ["Jan", "25"]], limit=None)
    >>> batch.counts
    array([ 64, 216])
    """
    check_range("month", month, 0, len(MONTHS))
    check_range("day", day, 0, len(DAYS))
    days = DAYS[day - 1 : day] if day else DAYS
    months = MONTHS[month - 1 : month] if month else MONTHS
    options: dict[Hashable, list[Hashable]] = {each: ["day", each] for each in days}
    options |= {each: ["month", each] for each in months}
    cell_of = {label: cell for cell, label in CELLS.items()}
    left = [((cell_of[label], label),) for label in (*days, *months)]
    pieces = {"R": RECTANGLE} | label_polyforms(
        SQUARES, 5, False, STANDARD_LETTERS, parse_squares, PENTOMINOES
    )
    region = frozenset(CELLS)
    placements = {each: SQUARES.placements(shape, region) for each, shape in pieces.items()}
    placed, marks = place_pieces(SQUARES, placements, CELLS)
    title = "A calendar puzzle"
    words = (r"[A-Z]", r"piece \g<0>"), (r"month|day", r"the \g<0> that is left")
    picture = Pieces(title, [*left, *marks], blank="", size=0.4, words=words)
    items = [*pieces, "month", "day", *CELLS.values()]
    return Puzzle(title, Formulation(options | placed, items, view=picture))
