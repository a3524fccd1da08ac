"""Cells that are darker the larger their numbers are."""

from collections.abc import Mapping

from .document import Svg
from .plane import Point, area, mean, plane_picture, word


def heat_map(title: str, numbers: Mapping[tuple[Point, ...], int], highest: int) -> Svg:
    """Return a picture of cells that are darker the larger their numbers are.

    Parameters
    ----------
    title
        Plain text for screen readers.
    numbers
        The number of each cell, by its corners.
    highest
        The number of the darkest color, at least 1. Pictures beside each other share it.

    Examples
    --------
    >>> from dlx_numba.pictures.plane import square
    >>> heat_map("Two", {tuple(square(0, 0)): 0, tuple(square(0, 1)): 2}, 2).count("fill-opacity")
    2
    """
    size = min(0.4, 1.6 / len(f"{highest:,}")) * (1 if all(len(c) == 4 for c in numbers) else 0.6)
    elements = [
        area([cell], class_="one", fill_opacity=round(0.6 * number / highest, 3))
        for cell, number in numbers.items()
    ]
    elements.append(area(numbers, class_="thin", fill="none"))
    elements += [word(f"{number:,}", mean(cell), size) for cell, number in numbers.items()]
    corners = [corner for cell in numbers for corner in cell]
    return plane_picture(title, f"From 0 to {highest:,}.", corners, elements)
