"""Problems of tiling in the language of the program Combine."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ...runtime.errors import FormatError
from ..lattice.regions import parse_squares
from ..lattice.shapes import Shape
from ..puzzle import Puzzle
from .own import Motion, Piece, state_pieces

formats = "problems of tiling in the language of Combine (.cmb)"

LIMITS: dict[str, tuple[int, int | None]] = {"one": (1, 1), "maybe": (0, 1), "": (0, None)}
MOTIONS: dict[str, Motion] = {"sym": "all", "rot": "rotations", "": "fixed"}

_SHAPE = r"\{[*.$\s]+\}|constant\s+\d+x\d+\s+true|\w+\b"
_COMMANDS = r"(?:solve3?|count3?|all3?|print|debug|timing|dimacs|exit)\b"
_START = re.compile(
    r"(?:[^\S\n]*(?:#.*|(?:timing|debug)\s+o(?:n|ff)[^\S\n]*)?\n)*[^\S\n]*"
    r"(?:include\s+\"|(?:pattern|tiles|problem)3?\s+\w+\s*=)"
)
_WORDS = re.compile(
    rf"^[^\S\n]*(?:include\b|assert\b|(?:pattern|tiles|problem)3?\b|{_COMMANDS})", re.M
)
_STATEMENT = re.compile(
    rf"{_COMMANDS}.*"
    rf"|pattern3?\s+(?P<pattern>\w+)\s*=\s*(?P<shape>{_SHAPE}|\[[^\[\]]*\])"
    rf"|tiles3?\s+(?P<tiles>\w+)\s*=\s*(?P<list>\[[^\[\]]*\])"
    rf"|problem3?\s+(?P<problem>\w+)\s*=\s*(?P<region>{_SHAPE})"
    rf"\s*(?P<use>\w+|\[[^\[\]]*\])",
    re.DOTALL,
)
_TILE = re.compile(rf"({_SHAPE})((?:\s*~(?:one|maybe|sym|rot))*)")

# Patterns, each as one piece, and lists of tiles. The plane and space have separate names.
Known = dict[str, list[Piece]]


def recognize(head: str) -> bool:
    """Return whether a text starts with a definition, or includes one."""
    return _START.match(head) is not None


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the problems of a file: fill a region with tiles.

    Items: each tile that must or may be used once; each cell.
    Options: a tile in one of its placements. Tiles of the same shape are distinguished.
    """
    found = _read(text, source)
    if (first := next(found, None)) is None:
        raise ValueError(f"{source}: no problem is stated, only patterns and tiles")
    yield first
    yield from found


def _read(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the problems of a file."""
    spaces: tuple[Known, Known] = {}, {}  # what is defined in the plane, and in space
    content = re.sub("#.*", "", text)
    starts = [0, *(match.start() for match in _WORDS.finditer(content)), len(content)]
    line, n_counted = 1, 0
    for start, end in pairwise(starts):
        statement = content[start:end].strip()
        line, n_counted = line + content.count("\n", n_counted, start), start
        if not statement:
            continue
        try:
            if statement.startswith("include"):
                raise ValueError("other files are not read; insert the text of the included file")
            found = _STATEMENT.fullmatch(statement)
            if found is None:
                raise ValueError(f"not supported: {statement.splitlines()[0][:60]}")
            known = spaces[statement.startswith(("pattern3", "tiles3", "problem3"))]
            if name := found["pattern"]:
                known[name] = [Piece(name, _shape(found["shape"], known))]
            elif name := found["tiles"]:
                known[name] = _tiles(found["list"], known)
            elif name := found["problem"]:
                region, tiles = _shape(found["region"], known), _tiles(found["use"], known)
                shapes = region, *(tile.shape for tile in tiles)
                if len({len(cell) for shape in shapes for cell in shape}) > 1:
                    raise ValueError("the region and the tiles differ in their dimensions")
                stated = state_pieces(name, tiles, region)
                yield Puzzle(name, stated, place=f"{source}:{line}")
        except ValueError as error:
            yield FormatError(source, line, str(error))


def _shape(text: str, known: Known) -> Shape:
    """Return the cells of a pattern, or of a list of layers."""
    if text.startswith("["):
        if not (layers := re.findall(_SHAPE, text)):
            raise ValueError("a pattern in space needs a layer")
        numbered = enumerate(layers, 1)  # layers are in the plane, whose names are separate
        return frozenset((z, *cell) for z, layer in numbered for cell in _shape(layer, {}))
    if text.startswith("{"):
        rows = text.strip("{} \t\r\n").replace("$", " ").split()
        return parse_squares("/".join(rows).replace("*", "#"))
    if (size := re.fullmatch(r"constant\s+(\d+)x(\d+)\s+true", text)) is not None:
        return parse_squares(f"{size[2]}x{size[1]}")  # the width is first
    if len(known.get(text, ())) != 1:
        raise ValueError(f"the pattern {text!r} is unknown")
    return known[text][0].shape


def _tiles(text: str, known: Known) -> list[Piece]:
    """Return the tiles in a list, or of a list with this name."""
    if not text.startswith("["):
        if text not in known:
            raise ValueError(f"the tiles {text!r} are unknown")
        return known[text]
    pieces: list[Piece] = []
    for word in filter(None, map(str.strip, text[1:-1].split(","))):
        if (found := _TILE.fullmatch(word)) is None:
            raise ValueError(f"not supported: {word[:60]}")
        flags = [*re.findall(r"~(\w+)", found[2]), ""]
        low, high = next(LIMITS[flag] for flag in flags if flag in LIMITS)
        motion = next(MOTIONS[flag] for flag in flags if flag in MOTIONS)
        name = found[1] if found[1].isidentifier() else "tile"
        n = sum(re.sub(" [0-9]+$", "", piece.name) == name for piece in pieces)
        name += f" {n + 1}" * (n > 0)
        pieces.append(Piece(name, _shape(found[1], known), low, high, motion))
    return pieces
