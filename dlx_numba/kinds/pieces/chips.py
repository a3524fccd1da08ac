"""Chips of a game: pieces that fill a board apart from a few cells, each any number of times."""

import json
import os
import re
from collections.abc import Iterator
from typing import Any

from ...runtime.errors import FormatError
from ...runtime.json import load_json
from ...runtime.source import Source
from ..lattice.shapes import Shape
from ..puzzle import Puzzle
from .own import Piece, state_pieces

formats = "JSON with a map, and classes of chips, which are listed in chips.json beside it"

MAX_BYTES = 1 << 20  # of the list of chips


def recognize(head: str) -> bool:
    """Return whether a text is an object with a map and classes of chips."""
    return re.match(r"\s*\{", head) is not None and '"chips"' in head and '"map"' in head


def parse(text: str, source: str) -> Iterator[Puzzle]:
    """Yield the puzzle: fill the cells that are 0 with chips, which may be turned.

    Items: each cell; the cells that may stay empty, up to their number.
    Options: a chip in one of its placements, which covers its cells; a cell that stays empty.
    """
    if not os.path.isfile(source):
        raise ValueError(f"{source}: chips are listed beside a file, and this is a text")
    path = os.path.join(os.path.dirname(source), "chips.json")
    with Source(path) as opened:
        listed = opened.read_all(max_bytes=MAX_BYTES)
    name = source
    try:
        stated = load_json(text)
        region, n_empty = _cells(stated["map"], "0"), stated.get("optional", 0)
        name = path
        pieces = []
        for chip in load_json(listed):
            if chip["class"] in stated["chips"]:
                shape = _cells(chip["map"], "1")
                # The limit gives each chip an item, so that sets of chips can be distinguished.
                n_most = len(region) // max(1, len(shape))
                pieces.append(Piece(chip["name"], shape, 0, n_most, "rotations"))
    except json.JSONDecodeError as error:
        raise FormatError(name, error.lineno, error.msg) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{name}: expected maps and chips ({error!r})") from None
    if n_empty:
        pieces.append(Piece("(empty)", frozenset([(1, 1)]), 0, n_empty))
    title = str(stated.get("name", "Chips"))
    yield Puzzle(title, state_pieces(title, pieces, region), place=source)


def _cells(rows: Any, symbol: str) -> Shape:
    """Return the cells with a symbol."""
    return frozenset(
        (r, c) for r, row in enumerate(rows, 1) for c, s in enumerate(row, 1) if s == symbol
    )
