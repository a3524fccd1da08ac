"""The placements of a drawn shape in a drawn region."""

from collections.abc import Iterable

from .regions import parse_cubes, parse_squares
from .shapes import CUBES, SQUARES, LatticePoint, Shape

Cells = str | Iterable[LatticePoint]


def placements(
    shape: Cells, board: Cells, turn: bool = True, flip: bool = True
) -> list[list[LatticePoint]]:
    """Return the cells of each placement of a shape in a region of squares or cubes.

    Parameters
    ----------
    shape, board : str or iterable of tuple of int
        A size, such as ``"5x8"`` or ``"3x3x3"``; or a drawing: rows of ``#`` for a cell and ``.``
        for none, separated by ``/`` or newlines, and layers by ``|``. Rows, columns and layers
        count from 1. Or else the cells, (row, column) or (layer, row, column).
    turn : bool, default: True
        Whether the shape may be turned, in space about each axis.
    flip : bool, default: True
        Whether the shape may be turned over: without `turn`, from left to right. It does not matter
        in space, where only turns move a shape.

    Returns
    -------
    list of list of tuple of int
        The cells of each placement, sorted, which are items of an option.

    Raises
    ------
    ValueError
        If a text is neither a size nor a drawing, there are no cells, or the shape has layers and
        the region has none.

    Examples
    --------
    Two equal pieces fill a board with a hole:

    >>> import dlx_numba as dlx
    >>> dlx.placements("##/#.", "##/##")[0]
    [(1, 1), (1, 2), (2, 1)]
    >>> options = [["V", *cells] for cells in dlx.placements("##/#.", "###/###")]
    >>> dlx.ExactCover(options, exactly={"V": 2}).count()
    2
    >>> len(dlx.placements("##/#.", "2x2x2"))
    24
    """
    region = _parse(board, "board")
    form = _parse(shape, "shape")
    depths = {len(cell) for cell in region}
    own_depths = {len(cell) for cell in form}
    if own_depths == {2} and depths == {3}:
        form = frozenset((1, *cell) for cell in form)
        own_depths = depths
    for role, own in (("board", depths), ("shape", own_depths)):
        if own not in ({2}, {3}):
            raise ValueError(f"{role} must be cells, (row, column) or (layer, row, column)")
    if own_depths != depths:
        raise ValueError("shape must be cells (row, column), as of board, not (layer, row, column)")
    lattice = CUBES if depths == {3} else SQUARES
    sided = lattice is CUBES or not flip  # solid shapes are never reflected
    return [sorted(each) for each in lattice.placements(form, region, sided, turn)]


def _parse(cells: Cells, role: str) -> Shape:
    """Return the cells of a text, or those that are given."""
    if not isinstance(cells, str):
        return frozenset(map(tuple, cells))
    text = cells.strip("\r\n")
    is_solid = "|" in text or (text.count("x") == 2 and "-" not in text)
    return parse_cubes(text, role) if is_solid else parse_squares(text, role)
