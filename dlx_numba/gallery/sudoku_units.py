"""The units of a Sudoku and its variants: sets of cells that have each symbol once."""

from ..sudoku.box import Box, units


def named_units(box: Box, diagonals: bool, windows: bool, regions: str) -> dict[str, list[int]]:
    """The cells of each unit, by its name. Parameters are those of `Sudoku`.

    >>> list(named_units(Box(2, 2), diagonals=False, windows=True, regions=""))[7:]
    ['column3', 'box0', 'box1', 'box2', 'box3', 'window0']
    """
    n, side = box.n, box.rows
    *lines, boxes = (units(box)[start : start + n] for start in range(0, 3 * n, n))
    if regions:
        letters = sorted(set(regions))
        boxes = [[cell for cell in range(n * n) if regions[cell] == one] for one in letters]
    named: dict[str, list[int]] = {}
    for kind, own in zip(("row", "column", "box"), [*lines, boxes], strict=True):
        named |= {f"{kind}{number}": cells for number, cells in enumerate(own)}
    if diagonals:
        named["down"] = [i * (n + 1) for i in range(n)]
        named["up"] = [(i + 1) * (n - 1) for i in range(n)]
    if windows:
        starts = range(1, n - side, side + 1)
        corners = [row * n + column for row in starts for column in starts]
        for number, corner in enumerate(corners):
            named[f"window{number}"] = [corner + k // side * n + k % side for k in range(n)]
    return named
