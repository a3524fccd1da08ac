"""The elements of Burr Tools' documents: shapes, the pieces of a problem, and their colors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import digits
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..lattice.solids import MAX_CELLS, MAX_COLORS, Solid, SolidGrid

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from numpy.typing import NDArray

_COLOR = re.compile(r"[#+](\d*)")
_NO_SYMBOLS = bytes({*range(256)} - {*b"#+_"})
_NO_CELL = re.compile(r"[^#+_0-9\s]|(?<![#+0-9])[0-9]")


class Part(NamedTuple):
    """A piece of a problem, and how often it is used at least and at most."""

    name: str
    solid: Solid
    low: int
    high: int


def only_child(parent: Element, tag: str) -> Element:
    """Return the only child with a tag."""
    found = parent.findall(tag)
    if len(found) != 1:
        raise ValueError(f"<{parent.tag}> must have one <{tag}>, not {len(found)}")
    return found[0]


def read_number(element: Element, name: str, default: str | None = None) -> int:
    """Return the number, from 0, in an attribute of an element, or a default."""
    text = element.attrib[name] if default is None else element.get(name, default)
    if re.fullmatch("[0-9]{1,9}", text) is None:
        raise ValueError(f"<{element.tag}>: {name} is {text!r}, not a number from 0 to 999,999,999")
    return int(text)


def read_shape(voxel: Element, grid: SolidGrid) -> Solid:
    """Return the shape of an element.

    Its text has a sign for each place, x first: `#` for a cell, `+` for one that may stay empty,
    and `_` for none. Digits after a sign are its color.
    """
    width, height, depth = (read_number(voxel, name) for name in "xyz")
    text = voxel.text or ""
    if (sign := _NO_CELL.search(text)) is not None:
        raise ValueError(f"{sign[0]!r} is not a cell of a shape")
    symbols = np.frombuffer(text.encode().translate(None, _NO_SYMBOLS), "S1")
    if not 0 < width * height * depth == len(symbols) <= MAX_CELLS:
        raise ValueError(f"a shape of {width}×{height}×{depth} has {len(symbols)} cells")
    is_cell = symbols != b"_"
    where = np.argwhere(is_cell.reshape(depth, height, width))
    colors = np.zeros(len(where), np.int64)
    if any(digit in text for digit in digits):
        read = [int(color or 0) for color in _COLOR.findall(text)]
        if max(read) >= MAX_COLORS:
            raise ValueError(f"a shape has the color {max(read)}")
        colors = np.array(read, np.int64)
    is_optional = symbols[is_cell] == b"+"
    places = [voxel.get(f"h{axis}", "0") for axis in "zyx"]
    if any(re.fullmatch("-?[0-9]{1,9}", place) is None for place in places):
        raise ValueError(f"a hotspot is {places}, not three integers")
    hotspot = tuple(map(int, places))
    if any(abs(each) > MAX_CELLS for each in hotspot):
        raise ValueError("a hotspot is too far away")
    return Solid(grid, voxel.get("name", ""), where, colors, is_optional, hotspot)


def index_of_shape(element: Element, shapes: Sequence[Solid]) -> int:
    """Return the index of the shape that an element names. Raises ValueError if there is none."""
    which = read_number(element, "id")
    if which >= len(shapes):
        raise ValueError(f"there is no shape with the id {which}")
    return which


def read_parts(problem: Element, shapes: Sequence[Solid]) -> list[Part]:
    """Return the pieces of a problem, whose names are distinct if they are used."""
    parts: list[Part] = []
    names: set[str] = set()
    for number, element in enumerate(problem.iterfind("shapes/shape"), 1):
        which = index_of_shape(element, shapes)
        name = shapes[which].name or f"S{which + 1}"
        while name in names:
            name = f"{name} ({number})"
        # A count, by default 1, or a range
        is_range = "count" not in element.attrib and {"min", "max"} <= element.attrib.keys()
        bounds = ("min", "max") if is_range else ("count", "count")
        low, high = (read_number(element, key, "1") for key in bounds)
        if not low <= high <= MAX_CELLS:
            raise ValueError(f"there cannot be {low:,} to {high:,} pieces {name}")
        if high > 0:
            names.add(name)
        parts.append(Part(name, shapes[which], low, high))
    return parts


def fitting_colors(problem: Element, shapes: Sequence[Solid]) -> NDArray[np.bool_]:
    """Return whether each color of a piece may be on each color of the result.

    Color 0 is no color, which fits every color. Elements number the colors from 0, without it.
    """
    n_colors = 1 + max(int(each.colors.max(initial=0)) for each in shapes)
    fits = np.zeros((n_colors, n_colors), np.bool_)
    fits[0] = True
    fits[:, 0] = True
    for pair in problem.iterfind("bitmap/pair"):
        colors = read_number(pair, "piece") + 1, read_number(pair, "result") + 1
        if max(colors) < n_colors:
            fits[colors] = True
    return fits
