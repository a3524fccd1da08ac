"""Tetrasticks that cover the lines of a grid."""

from collections.abc import Collection
from typing import Any

from ...pictures.lines import Lines
from ..lattice.regions import parse_squares
from ..lattice.shapes import STICKS, LatticePoint, Shape
from ..puzzle import Puzzle
from .packing import WORDS, fill_region, label_polyforms

STANDARD_LETTERS = {  # with a walk along each piece: up, down, left, right, and back at branches
    4: "F urlur H ddurd I dddd J ddlu L dddr N uruu O rdlu P urul "
    "R ulrur T rrldd U drru V ddrr W drdr X rrludd Y rrudr Z rddr"
}
DIRECTIONS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def example(
    region: str = "5x5", sided: bool = False, pieces: str = "-H", symmetry: bool = False
) -> Puzzle:
    """Cover the lines of a grid with tetrasticks that do not cross each other.

    A tetrastick consists of four unit sticks. Each piece is used once.

    Items: each piece, by its letter; each unit stick of the grid, by twice the (row, column) of
    its midpoint.
    Secondary items: each point where pieces could cross, by twice its (row, column).
    Options: a piece in one of its placements, with its sticks and the points that it passes
    straight through.

    Parameters
    ----------
    region
        The squares whose sides are covered: a rectangle `5x5`, a rectangle with a hole in its
        center `8x8-2x2`, or a drawing: rows of `#` for a square and `.` for none, with `/` between
        them.
    sided
        Whether a piece and its mirror image are different pieces, such as F and f, because pieces
        must not be turned over.
    pieces
        The letters of the pieces to use, or `-` and the letters to omit. If empty, all are used.
    symmetry
        Whether to find all solutions, or only one of each set of solutions that are rotations or
        reflections of each other.

    Notes
    -----
    The 16 tetrasticks have 64 sticks, but a 5×5 grid has 60. If H, J, L, N or Y is omitted, there
    are 72, 382, 607, 530 or 204 solutions up to symmetry (Knuth, Dancing Links, 2000); if another
    piece is omitted, the numbers of horizontal and vertical sticks cannot agree. The ten one-sided
    pieces that branch, FfHhRrTXYy, cover a 4×4 grid in 16 ways.

    >>> branching = example("4x4", sided=True, pieces="FfHhRrTXYy", symmetry=True)
    >>> branching.count()
    16
    >>> print(branching.text(branching.first()))
    + F + F + f + f +
    F   F   X   f   f
    + R + X + X + r +
    y   R   X   r   Y
    + y + R + r + Y +
    y   R   T   r   Y
    + H + H + h + h +
    y   H   T   h   Y
    + H + T + T + h +
    """
    cells = frozenset(
        (2 * r + 1 + down, 2 * c + 1 + right)
        for r, c in parse_squares(region)
        for down, right in DIRECTIONS.values()
    )
    selected = label_polyforms(STICKS, 4, sided, STANDARD_LETTERS, walk, pieces)
    title = f"Tetrasticks on {region}"
    formulation = fill_region(title, STICKS, selected, cells, sided=sided, symmetry=symmetry)
    points = sorted({point for stick in cells for point in ends(stick)})
    crossings = [
        (y, x)
        for y, x in points
        if cells.issuperset((y + down, x + right) for down, right in DIRECTIONS.values())
    ]
    placements: Any = formulation.options
    options = {
        name: [*option, *(point for point in crossings if passes(option, *point))]
        for name, option in placements.items()
    }
    picture = Lines(
        title,
        formulation.view.marks,
        givens=[(point, "+") for point in points],
        blank=" ",
        lines=[tuple(ends(stick) for stick, _ in marks) for marks in formulation.view.marks],
        line_style="pipes",
        step=(2, 2),
        words=((r"\d*[02468],\d*[02468]", "", "pieces do not cross"), *WORDS),
    )
    return Puzzle(title, formulation._replace(options=options, secondary=crossings, view=picture))


def walk(directions: str) -> Shape:
    """Return the piece that consists of the sticks of a walk."""
    y = 0
    x = 0
    piece = set()
    for letter in directions:
        down, right = DIRECTIONS[letter]
        piece.add((y + down, x + right))
        y, x = y + 2 * down, x + 2 * right
    return frozenset(piece)


def ends(stick: LatticePoint) -> tuple[LatticePoint, LatticePoint]:
    """Return the grid points at the ends of a stick."""
    y, x = stick
    return (y - y % 2, x - x % 2), (y + y % 2, x + x % 2)


def passes(piece: Collection[object], y: int, x: int) -> bool:
    """Return whether a piece passes straight through a grid point."""
    pairs = ((y - 1, x), (y + 1, x)), ((y, x - 1), (y, x + 1))
    return any(one in piece and other in piece for one, other in pairs)
