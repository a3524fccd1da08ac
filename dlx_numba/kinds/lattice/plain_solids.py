"""Puzzles of cubes in the plain text of Puzzle Solver 3D, which Burr Tools imports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...runtime.errors import FormatError
from .solids import MAX_CELLS

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

HEADER = re.compile(r"\s*(PIECE|RESULT) +(\d{1,7}) *, *(\d{1,7}) *, *(\d{1,7})\s*")


def plain_document(text: str, source: str) -> Element:
    """Return the XML of Burr Tools for a text with a block for each piece and for the result.

    A block begins with a line such as `PIECE 3,2,4`: the cubes along x, y and z. As many lines as
    along y follow, in which commas separate the rows of all z; all but spaces are cubes.

    Raises FormatError if there is no result, or if a line is missing or too long.
    """
    from xml.etree.ElementTree import Element, SubElement  # few texts are read

    root = Element("puzzle", {"version": "2"})
    SubElement(root, "gridType", {"type": "0"})
    voxels, problems = SubElement(root, "shapes"), SubElement(root, "problems")
    problem = SubElement(problems, "problem", {"name": "Problem"})
    shapes, lines = SubElement(problem, "shapes"), text.splitlines()
    for number, line in enumerate(lines, 1):
        if (header := HEADER.fullmatch(line)) is None:
            continue
        width, depth, height = size = [*map(int, header.groups()[1:])]
        if not 0 < width * depth * height <= MAX_CELLS:
            raise FormatError(source, number, "the size of a shape is invalid")
        layers, rows = [""] * height, lines[number : number + depth]
        if len(rows) < depth:
            raise FormatError(source, number, f"{depth} lines are expected after this one")
        for at, row in enumerate(rows, number + 1):
            parts = row.rstrip().ljust(width * height + height - 1)
            commas = parts[width :: width + 1]
            cells = [parts[x : x + width] for x in range(0, len(parts), width + 1)]
            if len(cells) != height or commas.strip(" ,") or any("," in own for own in cells):
                reason = f"{height} rows of {width} cells with commas between them are expected"
                raise FormatError(source, at, reason)
            layers = [z + re.sub("[^ ]", "#", own) for z, own in zip(layers, cells, strict=True)]
        attributes = dict(zip("xyz", map(str, size), strict=True))
        voxel = SubElement(voxels, "voxel", {**attributes, "type": "0"})
        voxel.text = "".join(layers).replace(" ", "_")
        which = {"id": str(len(voxels) - 1)}
        if header[1] == "PIECE":
            SubElement(shapes, "shape", {**which, "count": "1"})
        else:
            SubElement(problem, "result", which)
    if problem.find("result") is None:
        raise FormatError(source, len(lines), "there is no RESULT")
    return root
