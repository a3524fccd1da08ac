"""Pips: dominoes on a board with conditions, as a newspaper publishes them."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations_with_replacement, product
from random import Random
from typing import Any, NamedTuple

from ...cover.encode import Formulation
from ...cover.exact_cover import ExactCover
from ...cover.names import find_duplicate
from ...pictures.grid import Grid, Mark
from ...runtime.errors import FormatError
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, beside

formats = "Pips: the JSON of a newspaper, with dominoes and regions"

WORDS = (
    (r"domino,(\d),(\d)", r"the domino \1-\2"),
    (r"(\d-\d) at (\w+) and (\w+)", r"\1 in \2 and \3"),
    (r"pips,(\d+),(\d+)", ""),
    ("the sum from .*", "what adds up to it"),
)
DRAWN = (2, 6)  # of new puzzles: their rows
MAX_REGION = 3  # the cells of a region
MAX_TARGET = 1_000_000  # in files: more than any sum
LABELS = {"sum": "{}", "less": "<{}", "greater": ">{}", "equals": "=", "unequal": "≠", "empty": ""}
VALUES = {"equals": "equal", "unequal": "different"}
LIMITS = {"sum": (0, 0), "less": (None, -1), "greater": (1, None)}  # of sums, from the target


def parse(record: Record) -> Puzzle | Iterator[Puzzle | FormatError]:
    """Return the puzzle of a record, or those of a day: easy, medium and hard."""
    value = record.value
    if not isinstance(value, dict):
        raise ValueError(
            "expected JSON: an object with dominoes and regions, or with those of a day"
        )
    date = str(value.get("printDate", ""))
    if "dominoes" in value:
        return _parse_level(date, "", value)
    levels = [(name, each) for name, each in value.items() if isinstance(each, dict)]
    if not levels:
        raise ValueError("expected an object with the puzzles of a day")
    return record.parse_parts(levels, partial(_parse_level, date))


def _parse_level(date: str, level: str, content: dict[str, Any]) -> Puzzle:
    """Return the puzzle of an object. Raises ValueError or others if it is malformed."""
    puzzle = _formulate(" ".join(filter(None, ("Pips", date, level))), content)
    return replace(puzzle, answer=_answer(content, puzzle.statement.view))


class _Region(NamedTuple):
    """Cells with a condition.

    Attributes
    ----------
    number : int
        The number of the region, from 0.
    kind : str
        The condition, one of `LABELS`.
    label : str
        The condition in the picture.
    cells : list of Cell
        The cells.
    low, high : int or None
        The limits of the sum.
    """

    number: int
    kind: str
    label: str
    cells: list[Cell]
    low: int | None = None
    high: int | None = None

    def entries(self, values: tuple[int, ...], most: int, is_whole: bool) -> list[Any] | None:
        """Return what values of some cells are in an option; None if they are impossible.

        This is an item with a color that all cells share, an item for each value, or a weight in a
        total. The highest value of the other cells is `most`. In a whole formulation, a sum outside
        its limits is an item that another option has to cover.
        """
        n_different = len({*values})
        if self.kind == "equals":
            return [(("equal", self.number), values[0])] if n_different == 1 else None
        if self.kind == "unequal":
            is_possible = n_different == len(values)
            return [("value", self.number, value) for value in values] if is_possible else None
        total = sum(values)
        highest = total + most * (len(self.cells) - len(values))
        if highest < (self.low or 0) or (self.high is not None and total > self.high):
            return [("sum is", self.number)] if is_whole else None
        return [(("sum", self.number), total)] if total and self.kind in LIMITS else []

    def words(self) -> list[tuple[str, ...]]:
        """Return what sentences call the items of the region."""
        place = "in the region of r{}c{}".format(*self.cells[0])
        if self.kind in LIMITS:
            return [(f"fixed sum,{self.number}", f"the sum {self.label} {place}")]
        if self.kind in VALUES:
            item, words = ("equal", "") if self.kind == "equals" else ("value", rf"the \1 {place}")
            pattern = rf"{item},{self.number}(?:,(.*))?"
            return [(pattern, words, f"{VALUES[self.kind]} values {place}")]
        return []


def _read_regions(content: list[dict[str, Any]]) -> list[_Region]:
    """Return the regions of a puzzle. Raises ValueError if one is malformed."""
    regions: list[_Region] = []
    for number, region in enumerate(content):
        kind = region["type"]
        if kind not in LABELS:
            raise ValueError(f"the region type {kind!r} is unknown")
        cells = [(row + 1, column + 1) for row, column in map(_pair, region["indices"])]
        if not cells:
            raise ValueError(f"region {number + 1} has no cells")
        target: Any = region.get("target")
        if kind in LIMITS and not (isinstance(target, int) and abs(target) <= MAX_TARGET):
            raise ValueError(f"region {number + 1} must have an integer as its target")
        # Of the other kinds, which have no sum, the region has no limits.
        limits = [None if each is None else target + each for each in LIMITS.get(kind, ())]
        regions.append(_Region(number, kind, LABELS[kind].format(target), cells, *limits))
    every = [cell for region in regions for cell in region.cells]
    if (k := find_duplicate(every)) is not None:
        raise ValueError("row {} column {} is in two regions".format(*every[k]))
    return regions


def _formulate(title: str, content: dict[str, Any], is_whole: bool = False) -> Puzzle:
    """Return a puzzle: place all dominoes on the cells, so that each region has its condition.

    Items: each domino; each cell.
    Secondary items: each region with equal values, whose color is the value; each value in each
    region with different values; the pips in each cell, whose color is their number, so that
    solutions can be distinguished by them.
    Totals: each region whose sum is limited.

    Values whose sum is not within the limits are left out; in the whole formulation, an option that
    has to be chosen excludes them.
    """
    if not content.get("dominoes") or not content.get("regions"):
        raise ValueError("the puzzle is missing")
    dominoes = Counter((min(a, b), max(a, b)) for a, b in map(_pair, content["dominoes"]))
    regions = _read_regions(content["regions"])
    region_of = {cell: region for region in regions for cell in region.cells}
    n_cells = 2 * dominoes.total()
    if n_cells != len(region_of):
        raise ValueError(f"the dominoes have {n_cells} cells, the board has {len(region_of)}")
    most = max(map(max, dominoes))
    options: dict[str, list[Any]] = {}
    marks: list[tuple[Mark, ...]] = []
    region_entries: list[Any] = []  # what options have besides dominoes, cells and pips
    for (r, c), (i, j), a, b in _placements(dominoes, region_of):
        first = region_of[r, c]
        second = region_of[i, j]
        if first is second:  # its condition is about both values at once
            parts = [first.entries((a, b), most, is_whole)]
        else:
            parts = [first.entries((a,), most, is_whole), second.entries((b,), most, is_whole)]
        if None in parts:  # these values are impossible in a region
            continue
        entries = [entry for part in parts for entry in part or ()]
        pips = ("cell", r, c), (("pips", r, c), a), ("cell", i, j), (("pips", i, j), b)
        name = f"{a}-{b} at r{r}c{c} and r{i}c{j}"
        options[name] = [("domino", min(a, b), max(a, b)), *pips, *entries]
        marks.append((((r, c), str(a)), ((i, j), str(b))))
        region_entries += entries
    # The regions with options outside of their limits, which the option of "fixed sum" excludes
    limited = sorted({number for kind, number, *_ in region_entries if kind == "sum is"})
    for number in limited:
        name = "the sum from r{}c{}".format(*regions[number].cells[0])
        options[name] = [("fixed sum", number), ("sum is", number)]
        marks.append(())
    items: list[Any] = [("fixed sum", number) for number in limited]
    items += [("domino", *domino) for domino in dominoes]
    items += [("cell", *cell) for cell in region_of]
    secondary: list[Any] = [
        ("equal", region.number) for region in regions if region.kind == "equals"
    ]
    secondary += [("pips", *cell) for cell in region_of]
    secondary += dict.fromkeys(entry for entry in region_entries if entry[0] == "value")
    secondary += [("sum is", number) for number in limited]
    sums = [region for region in regions if region.kind in LIMITS]
    formulation = Formulation(
        options,
        items,
        secondary,
        exactly={("domino", *pair): n for pair, n in dominoes.items() if n > 1} or None,
        totals={("sum", region.number): (region.low, region.high) for region in sums} or None,
        view=_picture(title, marks, regions, sorted(dominoes.elements())),
    )
    return Puzzle(title, formulation, whole=partial(_formulate, title, content, True))


def _placements(
    dominoes: Iterable[tuple[int, int]], cells: Collection[Cell]
) -> Iterator[tuple[Cell, Cell, int, int]]:
    """Yield the two cells of each domino in each of its places, and their values."""
    for (low, high), cell in product(dominoes, cells):
        # The cell to the right and the one below. Of equal values, the set has one order.
        for other, (a, b) in product(beside(cell)[2:], {(low, high), (high, low)}):
            if other in cells:
                yield cell, other, a, b


def _picture(
    title: str,
    marks: Sequence[tuple[Mark, ...]],
    regions: Sequence[_Region],
    dominoes: Sequence[tuple[int, int]],
) -> Grid:
    """Return the picture of a board, with what each option marks, and the dominoes below it."""
    cells = [cell for region in regions for cell in region.cells]
    top, left = (min(places) for places in zip(*cells, strict=True))
    width = 1 + max(column for _, column in cells) - left
    # Cages are drawn by the numbers of their cells in the rectangle around the board.
    number_of = {(r, c): (r - top) * width + c - left for r, c in cells}
    cages = [(region.label, tuple(map(number_of.__getitem__, region.cells))) for region in regions]
    words = [*WORDS, *chain.from_iterable(region.words() for region in regions)]
    return Grid(
        title,
        marks,
        cells=cells,
        regions=[(cell, str(region.number)) for region in regions for cell in region.cells],
        rules=(("cages", tuple(cage for cage in cages if cage[0])),),
        box=(1, width),
        legend=[f"{a}-{b}" for a, b in dominoes],
        words=(*words, ("sum is,.*", "")),
    )


def _pair(value: Any) -> tuple[int, int]:
    """Return the numbers of a domino, or the row and column of a cell, which count from 0."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(f"expected two numbers, not {value!r:.40}")
    if any(type(number) is not int or number < 0 for number in value):
        raise ValueError(f"expected two numbers from 0, not {value!r:.40}")
    return value[0], value[1]


def _answer(content: dict[str, Any], picture: Any) -> tuple[int, ...] | str:
    """Return the options of the solution that the file gives, or what is in the cells."""
    number_of = {frozenset(each): k for k, each in enumerate(picture.marks)}  # by their marks
    placed = [
        frozenset(((r + 1, c + 1), str(n)) for n, (r, c) in zip(domino, cells, strict=True))
        for domino, cells in zip(content["dominoes"], content.get("solution") or (), strict=False)
    ]
    if number_of.keys() >= {*placed}:
        return tuple(number_of[each] for each in placed)
    # It breaks a rule. Cells that are not on the board, which may be far away, are left out.
    marks = tuple(tuple(mark for mark in each if mark[0] in picture.cells) for each in placed)
    return str(replace(picture, marks=marks).text(range(len(marks))))


def random(seed: int, size: int) -> str:
    """Return the text of a random puzzle with one solution.

    Its dominoes are different, and its regions have up to three cells. As long as there is another
    solution, a region in which it differs becomes regions of single cells.

    >>> len(json.loads(random(1, 3))["dominoes"])
    6
    """
    generator = Random(seed)
    cells: list[Cell] = [*product(range(size), range(size + size % 2))]
    dominoes, value_of = _draw_dominoes(generator, cells)
    regions = _draw_regions(generator, cells)
    conditions = [_condition(generator, region, value_of) for region in regions]
    while True:
        content = {"dominoes": sorted(dominoes), "regions": conditions}
        wrong = _find_wrong(content, value_of)
        if not wrong:
            return json.dumps(content) + "\n"
        [divided] = (each for each in regions if wrong[0] in each)
        regions.remove(divided)
        conditions = [each for each in conditions if each["indices"] != divided]
        conditions += [_condition(generator, [cell], value_of) for cell in divided]


def _draw_regions(generator: Random, cells: list[Cell]) -> list[list[Cell]]:
    """Return regions of up to `MAX_REGION` cells that are connected."""
    regions: list[list[Cell]] = []
    free = dict.fromkeys(cells)
    while free:
        region = [next(iter(free))]
        for _ in range(generator.randrange(MAX_REGION)):
            near = {c for each in region for c in beside(each) if c in free}.difference(region)
            region += generator.sample(sorted(near), min(1, len(near)))
        free = {cell: None for cell in free if cell not in region}
        regions.append(region)
    return regions


def _find_wrong(content: dict[str, Any], value_of: dict[Cell, int]) -> list[Cell]:
    """Return the cells that have other values in another solution of a puzzle, if there is one."""
    puzzle = _formulate("Pips", content)
    picture: Any = puzzle.picture
    for cover in puzzle.solutions():
        found = {(r - 1, c - 1): int(text) for (r, c), text in picture.written(cover).items()}
        if found != value_of:
            return [cell for cell, value in found.items() if value != value_of[cell]]
    return []


def _draw_dominoes(
    generator: Random, cells: list[Cell]
) -> tuple[list[tuple[int, int]], dict[Cell, int]]:
    """Return different dominoes, and values of cells on which they lie in one way only."""
    while True:
        dominoes = generator.sample([*combinations_with_replacement(range(7), 2)], len(cells) // 2)
        value_of: dict[Cell, int] = {}
        for domino, pair in zip(dominoes, _tile(generator, cells), strict=True):
            value_of.update(zip(pair, generator.sample(domino, 2), strict=True))
        value_of = {cell: value_of[cell] for cell in cells}
        # The options of all places of the dominoes, which must have a single cover. Each pair of
        # adjacent cells appears once: with the cells to the right and below.
        pairs = [(cell, near) for cell in cells for near in beside(cell)[2:] if near in value_of]
        values = [tuple(sorted(map(value_of.__getitem__, pair))) for pair in pairs]
        options = [
            (("domino", *domino), *pair)
            for domino, pair in zip(values, pairs, strict=True)
            if domino in dominoes
        ]
        if ExactCover(options).count(2) == 1:
            return dominoes, value_of


def _condition(generator: Random, region: list[Cell], value_of: dict[Cell, int]) -> dict[str, Any]:
    """Return a random condition that the values of a region satisfy."""
    values = [value_of[cell] for cell in region]
    types = ["sum", "sum", "sum", "less", "greater"] if len(region) > 1 else ["sum"]
    if len({*values}) == len(region) > 1:
        types += ["unequal", "unequal"]
    kind = "equals" if len({*values}) == 1 < len(region) else generator.choice(types)
    target = sum(values) + {"less": 1, "greater": -1}.get(kind, 0)  # others read only sums
    return {"type": kind, "target": target, "indices": region}


def _tile(generator: Random, cells: list[Cell]) -> list[tuple[Cell, Cell]]:
    """Return pairs of neighbors that a rectangle of an even number of cells consists of.

    Pairs of rows or columns are drawn, and pairs that form a square are turned.
    """
    pairs = [*zip(cells[::2], cells[1::2], strict=True)]
    for _ in range(4 * len(cells)):
        (a, b), (c, d) = generator.sample(pairs, 2)
        if c in beside(a) and d in beside(b):
            pairs = [pair for pair in pairs if pair not in ((a, b), (c, d))] + [(a, c), (b, d)]
    return pairs
