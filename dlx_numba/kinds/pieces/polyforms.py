"""Polyforms that fill a board: the files of PolySolver (.psv) and of Polycube (.txt)."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, count, islice, product
from math import prod
from string import ascii_lowercase
from typing import Any

from ...pictures.grid import Mark
from ...runtime.errors import FormatError
from ..lattice.polyform_grids import GRIDS, Point, PolyformGrid, move, translations
from ..lattice.shapes import Shape
from ..puzzle import Puzzle
from .own import Motion, state_placements
from .packing import LETTERS, place_pieces

formats = "PolySolver (.psv), Polycube (D:xDim=6:yDim=5): polyforms that fill a board"

MAX_CELLS = 10_000  # of a board
MAX_PLACED = 4_000_000  # cells of all placements together

_KEYWORD = re.compile(r"\s*(board|tile|place|mode|solution|notes)\b", re.IGNORECASE)
_POINT = re.compile(
    r"\(\s*(-?\d{1,6})[\s,]+(-?\d{1,6})(?:[\s,]+(-?\d{1,6}))?(?:\s*:\s*(\d))?(?:\s*\|\s*(\d{1,4}))?\s*\)"
)
_TILE = re.compile(
    r"\s*tile(?:\s+(flip|fixed))?(?:\s+(\d{1,6}))?(?:\s+(\d{1,6}))?\s*\((\s*\(.*\)\s*)\)\s*(?:\([\s,\d]*\)\s*)?",
    re.IGNORECASE | re.DOTALL,
)
_BOARD = re.compile(r"^[ \t]*board\s*\(\s*\(", re.IGNORECASE | re.MULTILINE)
_DEFINITION = re.compile(r"^[ \t]*D[ \t]*:.*\bxDim[ \t]*=", re.MULTILINE)


@dataclass
class _Tile:
    """A piece, or several equal ones."""

    line: int
    names: list[str]
    forms: list[set[Point]]  # of which any is used
    low: int = 1
    high: int = 1
    motion: Motion = "rotations"

    def orientations(self, grid: PolyformGrid) -> list[Shape]:
        turned, flipped = self.motion != "fixed", self.motion == "all"
        return grid.orientations(map(frozenset, self.forms), turned=turned, flipped=flipped)


def recognize(head: str) -> bool:
    """Return whether a text has a board of PolySolver, or defines a puzzle of Polycube."""
    return bool(_BOARD.search(head) or _DEFINITION.search(head))


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles: fill the board with the pieces.

    Items: each piece that must be used or whose number is limited; each cell of the board, unless
    only the pieces must be used.
    Options: a piece in one of its placements. Equal pieces are one item, so solutions that only
    exchange them are the same.
    """
    is_polycube = _DEFINITION.search(text) is not None
    yield from _read_polycube(text, source) if is_polycube else _read_polysolver(text, source)


def _read_polysolver(text: str, source: str) -> Iterator[Puzzle]:
    """Yield the puzzle in a file of PolySolver."""
    title, grid, statements = _split_statements(text, source)
    board, tiles = set[Point](), list[_Tile]()
    stated: dict[str, list[tuple[int, int, tuple[int, ...]]]] = {"place": [], "solution": []}
    is_filled, where = True, 1
    names = chain(LETTERS + ascii_lowercase, map("P{}".format, count(1)))
    for line, statement in statements:
        word, _, content = statement.partition("(")
        word, *settings = word.lower().split()
        try:
            if word == "board":
                board, where = _read_board(content.rpartition(")")[0], grid), line
            elif word == "tile":
                if (found := _TILE.fullmatch(statement)) is None:
                    raise ValueError("expected the numbers and the cells of a tile")
                motion: Motion = "rotations"
                if found[1]:
                    motion = "all" if found[1].lower() == "flip" else "fixed"
                low, high = int(found[3] or 0), int(found[2] or 1)
                forms: Any = [{p[:4] for p in _points(each, grid)} for each in found[4].split("+")]
                tiles.append(_Tile(line, [next(names)], forms, low, high, motion))
            elif word == "place" or (word == "solution" and not stated[word]):  # the first one
                for number, point in re.findall(r"(\d{1,6})\s*(\([^()]*\))", content):
                    stated[word].append((line, int(number), _points(point, grid)[0]))
            elif word == "mode" and settings not in (["fillall"], ["useall"]):
                mode = " ".join(settings)
                raise ValueError(f"the mode {mode!r} is not supported; FillAll and UseAll are")
            elif word == "mode":
                is_filled = settings == ["fillall"]
        except ValueError as error:
            raise FormatError(source, line, str(error)) from None
    placed, solution = (_locate(each, tiles, grid, source) for each in stated.values())
    for tile in tiles:
        tile.low = tile.low if is_filled else tile.high
    for tile, _ in placed:
        tile.low, tile.high = max(0, tile.low - 1), tile.high - 1
    givens, answer = ([(t.names[0], shape) for t, shape in each] for each in (placed, solution))
    yield _state(title, grid, board, tiles, givens, source, where, is_filled, answer)


def _locate(
    stated: list[tuple[int, int, tuple[int, ...]]],
    tiles: list[_Tile],
    grid: PolyformGrid,
    source: str,
) -> list[tuple[_Tile, Shape]]:
    """Return the cells of placed tiles, given their lines, numbers and points."""
    found, ends = list[tuple[_Tile, Shape]](), [0, *accumulate(tile.high for tile in tiles)]
    for line, number, (x, y, z, _, turn) in stated:
        if not 0 < number <= ends[-1]:
            raise FormatError(source, line, f"there is no tile {number}")
        tile = tiles[bisect_left(ends, number) - 1]
        oriented = tile.orientations(grid)
        if turn >= len(oriented):
            raise FormatError(source, line, f"tile {number} has no orientation {turn}")
        found.append((tile, move(oriented[turn], x, y, z)))
    return found


def _split_statements(text: str, source: str) -> tuple[str, PolyformGrid, list[tuple[int, str]]]:
    """Return the title, the grid, and the statements with their lines."""
    head, rows = list[tuple[int, str]](), list[tuple[int, list[str]]]()
    for line, row in enumerate(text.splitlines(), 1):
        row = row.partition("#")[0] if line > 1 else row
        if _KEYWORD.match(row):
            rows.append((line, [row]))
        elif rows:
            rows[-1][1].append(row)
        elif row.strip():
            head.append((line, row.strip()))
    grid = "square"
    if head[1:] or any(line > 1 or row.lower() in GRIDS for line, row in head):
        line, grid = head.pop()
        if grid.lower() not in GRIDS or head[1:]:
            reason = f"the grid {grid!r} is not supported; {', '.join(GRIDS)} are"
            raise FormatError(source, line, reason)
    title = head[0][1] if head else "Polyforms"
    return title, GRIDS[grid.lower()], [(line, "\n".join(each)) for line, each in rows]


def _points(text: str, grid: PolyformGrid) -> list[tuple[int, ...]]:
    """Return the points in a text: x, y, z, w and the orientation of a placed tile."""
    found = [tuple(int(number or 0) for number in point) for point in _POINT.findall(text)]
    left = _POINT.sub("", text).strip(" \t\r\n,")
    if left or not found:
        raise ValueError(f"expected points such as (2,1), not {left[:40]!r}")
    for _, _, z, w, _ in found:
        if w >= grid.n_kinds or (z and grid.cells != "cubes"):
            raise ValueError(
                f"a point has too many coordinates, or too large ones, for {grid.cells}"
            )
    return found


def _read_board(text: str, grid: PolyformGrid) -> set[Point]:
    """Return the cells of a board: those up to the first point, apart from the other points."""
    corner, *others = (point[:4] for point in _points(text, grid))
    board = _box([number + 1 for number in corner])
    for point in others:
        board ^= {point}
    return board


def _box(size: list[int]) -> set[Any]:
    """Return the points of a box."""
    if min(size) < 1 or prod(size) > MAX_CELLS:
        raise ValueError(f"the board needs 1 to {MAX_CELLS:,} cells")
    return set(product(*map(range, size)))


def _read_polycube(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a file of Polycube."""
    size, is_sided, start = list[int](), False, 0
    tiles, stationary, row_of = dict[str, _Tile](), set[str](), -1
    for line, row in enumerate(text.splitlines(), 1):
        row = row.partition("#")[0].strip()
        directive, *settings = map(str.strip, row.split(":"))
        values = {k.strip(): v.strip() for k, _, v in (each.partition("=") for each in settings)}
        try:
            if directive == "D":
                tiles, stationary, start = {}, set(), line
                size = [int(values.get(f"{axis}Dim", 1)) for axis in "xyz"]
                is_sided = values.get("oneSide", "0") != "0"
            elif row and not start:
                raise ValueError("expected D and the size of a puzzle")
            elif directive == "C":
                tile = tiles[values["name"]] = _Tile(line, [values["name"]], [set()])
                stationary |= {values["name"]} if values.get("type") == "S" else set()
                for triple in values["layout"].split(","):
                    x, y, z = map(int, triple.split())
                    tile.forms[0].add((x, size[1] - 1 - y, z, 0))
            elif directive == "L":
                stationary, row_of = stationary | {*values.get("stationary", "").split()}, 0
            elif directive == "~L":
                row_of = -1
            elif directive == "~D":
                yield _state_polycube(size, is_sided, tiles, stationary, source, start)
                start = 0
            elif row_of >= 0 and row:
                for z, layer in enumerate(row.split(",")):
                    for x, name in enumerate(layer.split()):
                        if name != ".":
                            tile = tiles.setdefault(name, _Tile(line, [name], [set()]))
                            tile.forms[0].add((x, row_of, z, 0))
                row_of += 1
            elif row:
                raise ValueError(f"the directive {directive[:20]!r} is unknown")
        except KeyError as error:
            raise FormatError(source, line, f"the setting {error} is missing") from None
        except ValueError as error:
            raise FormatError(source, line, str(error)) from None
    if start:
        raise FormatError(source, start, "the puzzle is not closed by ~D")


def _state_polycube(
    size: list[int],
    is_sided: bool,
    tiles: dict[str, _Tile],
    stationary: set[str],
    source: str,
    line: int,
) -> Puzzle | FormatError:
    """Return a puzzle of Polycube, whose pieces are flat or consist of cubes."""
    is_flat = size[2] == 1 and not any(p[2] for tile in tiles.values() for p in tile.forms[0])
    for tile in tiles.values():
        tile.motion = "all" if is_flat and not is_sided else "rotations"
    givens = [(name, frozenset(t.forms[0])) for name, t in tiles.items() if name in stationary]
    mobile = [tile for name, tile in tiles.items() if name not in stationary]
    grid = GRIDS["square" if is_flat else "cube"]
    try:
        return _state("Polycube", grid, _box([*size, 1]), mobile, givens, source, line)
    except FormatError as error:
        return error


def _state(
    title: str,
    grid: PolyformGrid,
    board: set[Point],
    tiles: list[_Tile],
    givens: Sequence[tuple[str, Shape]],
    source: str,
    line: int,
    is_filled: bool = True,
    answer: Sequence[tuple[str, Shape]] = (),
) -> Puzzle:
    """State how tiles fill the cells of a board that placed pieces leave."""
    free, marks = {*board}, list[Mark]()
    for name, shape in givens:
        if not shape <= free:
            raise FormatError(source, line, f"the piece {name} does not fit the free cells")
        free -= shape
        marks += [(grid.cell(*point), name) for point in sorted(shape)]
    merged, placements = _place_tiles(tiles, grid, free, source)
    n_least = sum(tile.low * min(map(len, tile.forms)) for tile in merged)
    n_most = sum(tile.high * max(map(len, tile.forms)) for tile in merged)
    if n_least > len(free) or (is_filled and n_most < len(free)):
        stated = f"{n_most}" if n_least == n_most else f"{n_least} to {n_most}"
        reason = f"the pieces have {stated} {grid.cells}, the board has {len(free)}"
        raise FormatError(source, line, reason)
    cells = sorted(grid.cell(*point) for point in free)
    placed = place_pieces(grid.lattice, placements, dict(zip(cells, cells, strict=True)))
    first_names = {name: tile.names[0] for tile in merged for name in tile.names}
    numbers = {frozenset(own): k for k, own in enumerate(placed[1])}
    chosen = [
        numbers.get(frozenset((grid.cell(*p), first_names.get(name, name)) for p in shape), -1)
        for name, shape in answer
        if (name, shape) not in givens
    ]
    if -1 in chosen:
        raise FormatError(source, line, "a piece of the stated solution does not fit the board")
    limits = {tile.names[0]: (tile.low, tile.high) for tile in merged}
    look = {"is_filled": is_filled, **grid.drawing}
    unused = (letter for letter in LETTERS + ascii_lowercase if letter not in first_names)
    copies = [
        (first, (*others, *islice(unused, max(0, tile.high - 1 - len(others)))))
        for tile in merged
        for first, *others in [tile.names]
    ]
    statement = state_placements(
        title, grid.cells, limits, *placed, cells, (*marks,), copies, **look
    )
    return Puzzle(title, statement, place=f"{source}:{line}", answer=tuple(chosen))


def _place_tiles(
    tiles: list[_Tile], grid: PolyformGrid, free: set[Point], source: str
) -> tuple[list[_Tile], dict[str, list[Shape]]]:
    """Return the tiles, of which equal ones are one, and the placements of each by its name."""
    merged, n_placed = dict[frozenset[Shape], _Tile](), 0
    placements = dict[str, list[Shape]]()
    for tile in tiles:
        if tile.high <= 0:  # all copies are placed
            continue
        oriented = tile.orientations(grid)
        known = merged.setdefault(frozenset(oriented), tile)
        if known is not tile:
            known.names += tile.names
            known.low, known.high = known.low + tile.low, known.high + tile.high
            continue
        n_placed += len(free) * sum(map(len, oriented))
        if n_placed > MAX_PLACED:
            raise FormatError(source, tile.line, "the placements have too many cells to be listed")
        placements[tile.names[0]] = [
            frozenset(grid.cell(*point) for point in shape)
            for shape in chain.from_iterable(translations(each, free) for each in oriented)
        ]
    return [*merged.values()], placements
