"""Pips: dominoes on a board with conditions, as a newspaper publishes them."""

import json
from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import combinations_with_replacement, islice, product
from random import Random
from typing import Any

from ...cover.encode import Statement
from ...cover.exact_cover import ExactCover
from ...pictures.grid import Grid
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
MAX_SOLUTIONS = 32  # of a problem that are found before it is stated with more values
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
        return _parse_level(value, date)
    levels = {name: each for name, each in value.items() if isinstance(each, dict)}
    if not levels:
        raise ValueError("expected an object with the puzzles of a day")
    return _parse_day(record, date, levels)


def _parse_day(
    record: Record, date: str, levels: dict[str, dict[str, Any]]
) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles of a day."""
    for level, stated in levels.items():
        try:
            puzzle = _parse_level(stated, f"{date} {level}".lstrip())
            yield replace(puzzle, place=f"{record.place}, {level}")
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            yield record.error(1, f"{level}: {error}")


def _parse_level(stated: dict[str, Any], name: str) -> Puzzle:
    """Return the puzzle of an object. Raises ValueError or others if it is malformed."""
    title = f"Pips {name}".rstrip()
    statement = _state(title, stated)
    answer = _answer(stated, statement)
    return Puzzle(title, statement, answer=answer, _whole=partial(_whole, title, stated))


def _whole(title: str, stated: dict[str, Any]) -> Puzzle:
    """Return the puzzle with all options."""
    return Puzzle(title, _state(title, stated, True))


def _state(title: str, stated: dict[str, Any], is_whole: bool = False) -> Statement:
    """State a puzzle: place all dominoes on the cells, so that each region has its condition.

    Items: each domino; each cell.
    Secondary items: each region with equal values, whose color is the value; each value in each
    region with different values; the pips in each cell, whose color is their number, so that
    solutions can be distinguished by them.
    Totals: each region whose sum is limited.

    Values whose sum is not within the limits are left out; in the whole statement, an option that
    has to be chosen excludes them.
    """
    if stated.get("dominoes") is None or stated.get("regions") is None:
        raise ValueError("the puzzle is missing")
    dominoes = Counter((min(a, b), max(a, b)) for a, b in map(_pair, stated["dominoes"]))
    regions: dict[Cell, int] = {}
    totals: dict[tuple[str, int], tuple[int | None, int | None]] = {}
    kinds = [region["type"] for region in stated["regions"]]
    for k, (kind, region) in enumerate(zip(kinds, stated["regions"], strict=True)):
        if kind not in LABELS:
            raise ValueError(f"the region type {kind!r} is unknown")
        for row, column in map(_pair, region["indices"]):
            cell = row + 1, column + 1
            if cell in regions:
                raise ValueError(f"row {row + 1} column {column + 1} is in two regions")
            regions[cell] = k
        if kind in LIMITS:
            low, high = (None if d is None else region["target"] + d for d in LIMITS[kind])
            totals["sum", k] = low, high
    if 2 * dominoes.total() != len(regions):
        n_cells = 2 * dominoes.total()
        raise ValueError(f"the dominoes have {n_cells} cells, the board has {len(regions)}")
    options: dict[Any, list[Any]] = {}
    limited: set[int] = set()
    marks: list[tuple[tuple[Cell, str], ...]] = []
    most = max(map(max, dominoes), default=0)
    sizes = Counter(regions.values())

    @cache
    def entries_of(k: int, *values: int) -> list[tuple[Any, ...]] | None:
        """Return what values in region k state, or None if they are impossible."""
        if kinds[k] == "equals":
            return [(("equal", k), values[0])] if len({*values}) == 1 else None
        if kinds[k] == "unequal":
            is_possible = len({*values}) == len(values)
            return [("value", k, value) for value in values] if is_possible else None
        low, high = totals.get(("sum", k), (None, None))
        total = sum(values)
        rest = most * (sizes[k] - len(values))
        if (low is None or low <= total + rest) and (high is None or total <= high):
            return [(("sum", k), total)] if total and kinds[k] in LIMITS else []
        if is_whole:
            limited.add(k)
        return [("sum is", k)] if is_whole else None

    secondary: dict[Hashable, None] = dict.fromkeys(
        ("equal", k) for k, kind in enumerate(kinds) if kind == "equals"
    )
    secondary.update((("pips", *cell), None) for cell in regions)
    for (low, high), (r, c) in product(dominoes, regions):
        for other, (a, b) in product([(r, c + 1), (r + 1, c)], {(low, high), (high, low)}):
            if other not in regions:
                continue
            k = regions[r, c]
            j = regions[other]
            parts = [entries_of(k, a, b)] if k == j else [entries_of(k, a), entries_of(j, b)]
            if None not in parts:
                entries = [each for part in parts for each in part or ()]
                name = f"{a}-{b} at r{r}c{c} and r{other[0]}c{other[1]}"
                cells = ("cell", r, c), (("pips", r, c), a), ("cell", *other), (("pips", *other), b)
                options[name] = [("domino", low, high), *cells, *entries]
                secondary |= dict.fromkeys(each for each in entries if each[0] == "value")
                marks.append((((r, c), str(a)), (other, str(b))))
    first_cell = {k: "r{}c{}".format(*cell) for cell, k in reversed(regions.items())}
    fixed = [("fixed sum", k) for k in sorted(limited)]
    for _, k in fixed:
        options[f"the sum from {first_cell[k]}"] = [("fixed sum", k), ("sum is", k)]
        secondary["sum is", k] = None
        marks.append(())
    items = [*fixed, *(("domino", *each) for each in dominoes)]
    items += [("cell", *cell) for cell in regions]
    exactly = {("domino", *each): number for each, number in dominoes.items() if number > 1}
    (top, left), (_, right) = (tuple(map(end, zip(*regions, strict=True))) for end in (min, max))
    width = 1 + right - left
    cages: list[Any] = []
    words = list[tuple[str, ...]](WORDS)
    for k, region in enumerate(stated["regions"]):
        kind = kinds[k]
        label = LABELS[kinds[k]].format(region.get("target"))
        cage = tuple((r + 1 - top) * width + c + 1 - left for r, c in region["indices"])
        if label:
            cages.append((label, cage))
        if kind in LIMITS:
            words.append((f"fixed sum,{k}", f"the sum {label} in the region of {first_cell[k]}"))
        elif kind in VALUES:
            rule = f"{VALUES[kind]} values in the region of {first_cell[k]}"
            words.append((rf"\w+,{k}(?:,.*)?", "", rule))
    picture = Grid(
        title,
        tuple(marks),
        cells=tuple(regions),
        regions=tuple((cell, str(k)) for cell, k in regions.items()),
        rules=(("cages", tuple(cages)),),
        box=(1, width),
        legend=tuple(f"{a}-{b}" for a, b in sorted(dominoes.elements())),
        words=(*words, ("sum is,.*", "")),
    )
    return Statement(
        options, items, [*secondary], totals=totals or None, exactly=exactly or None, view=picture
    )


def _pair(value: Any) -> tuple[int, int]:
    """Return the numbers of a domino, or the row and column of a cell, which count from 0."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(f"expected two numbers, not {value!r:.40}")
    if any(type(number) is not int or number < 0 for number in value):
        raise ValueError(f"expected two numbers from 0, not {value!r:.40}")
    return value[0], value[1]


def _answer(stated: dict[str, Any], statement: Statement) -> tuple[int, ...] | str:
    """Return the options of the solution that the file states, or what is in the cells."""
    picture: Any = statement.view
    number_of = {frozenset(each): k for k, each in enumerate(picture.marks)}
    placed = [
        frozenset(((r + 1, c + 1), str(n)) for n, (r, c) in zip(domino, cells, strict=True))
        for domino, cells in zip(stated["dominoes"], stated.get("solution") or (), strict=False)
    ]
    if number_of.keys() >= {*placed}:
        return tuple(number_of[each] for each in placed)
    writing = replace(picture, marks=tuple(map(tuple, placed)))  # it breaks a rule
    return str(writing.text(range(len(placed))))


def random(seed: int, size: int) -> str:
    """Return the text of a random puzzle with one solution.

    Its dominoes are different, and its regions have up to three cells. As long as there is another
    solution, a cell that differs in it becomes a region.

    >>> len(json.loads(random(1, 3))["dominoes"])
    6
    """
    generator = Random(seed)
    cells: list[Cell] = [*product(range(size), range(size + size % 2))]
    dominoes, value_of = _draw_dominoes(generator, cells)
    regions: list[list[Cell]] = []
    free = dict.fromkeys(cells)
    while free:
        region = [next(iter(free))]
        for _ in range(generator.randrange(MAX_REGION)):
            near = {c for each in region for c in beside(each) if c in free}.difference(region)
            region += generator.sample(sorted(near), min(1, len(near)))
        free = {cell: None for cell in free if cell not in region}
        regions.append(region)
    conditions = [_condition(generator, region, value_of) for region in regions]
    stated: dict[str, Any] = {"dominoes": sorted(dominoes), "regions": conditions}
    statement = _state("Pips", stated)
    view: Any = statement.view
    marks = [{(r - 1, c - 1): int(text) for (r, c), text in own} for own in view.marks]
    problem = ExactCover(**statement._asdict())
    known: set[Cell] = set()
    is_done = False
    while not is_done:
        others = [
            k
            for k, own in enumerate(marks)
            if any(cell in known and value_of[cell] != value for cell, value in own.items())
        ]
        covers = [*islice(problem.iterate(forbidden=others), MAX_SOLUTIONS)]
        is_done = len(covers) < MAX_SOLUTIONS
        for cover in covers:
            found = {cell: value for k in cover for cell, value in marks[k].items()}
            wrong = [cell for cell in cells if found[cell] != value_of[cell]]
            if wrong and known.isdisjoint(wrong):
                known.add(generator.choice(wrong))
    stated["regions"] = [
        each
        for condition in conditions
        for each in _split(condition, known.intersection(condition["indices"]), value_of)
    ]
    return json.dumps(stated) + "\n"


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
        pairs = [(c, d) for c in cells for d in beside(c)[2:] if d in value_of]
        values = [tuple(sorted((value_of[c], value_of[d]))) for c, d in pairs]
        placed = [(("domino", *v), *p) for v, p in zip(values, pairs, strict=True) if v in dominoes]
        if ExactCover(placed).count(2) == 1:
            return dominoes, value_of


def _split(
    condition: dict[str, Any], known: Collection[Cell], value_of: dict[Cell, int]
) -> Iterator[dict[str, Any]]:
    """Yield the conditions of a region when the values of some cells are stated.

    The other cells keep what is left of a sum. A region of another kind is divided into its cells,
    and so is one whose other cells would not touch each other.
    """
    rest = [cell for cell in condition["indices"] if cell not in known]
    is_apart = len(rest) == 2 and rest[1] not in beside(rest[0])
    if known and (condition["type"] not in LIMITS or is_apart):
        rest = []
    if rest:
        target = condition["target"] - sum(value_of[cell] for cell in known)
        yield {**condition, "target": target, "indices": rest}
    for cell in condition["indices"]:
        if cell not in rest:
            yield {"type": "sum", "target": value_of[cell], "indices": [cell]}


def _condition(generator: Random, region: list[Cell], value_of: dict[Cell, int]) -> dict[str, Any]:
    """Return a random condition that the values of a region satisfy."""
    values = [value_of[cell] for cell in region]
    types = ["sum", "sum", "sum", "less", "greater"] if len(region) > 1 else ["sum"]
    if len({*values}) == len(region) > 1:
        types += ["unequal", "unequal"]
    kind = "equals" if len({*values}) == 1 < len(region) else generator.choice(types)
    target = sum(values) + {"less": 1, "greater": -1}.get(kind, 0)
    return {"type": kind, "target": target, "indices": region}


def _tile(generator: Random, cells: list[Cell]) -> list[tuple[Cell, Cell]]:
    """Return pairs of neighbors that a rectangle of an even number of cells consists of.

    Pairs of rows or columns are drawn, and pairs that form a square are turned.
    """
    pairs = [(cells[k], cells[k + 1]) for k in range(0, len(cells), 2)]
    for _ in range(4 * len(cells)):
        (a, b), (c, d) = generator.sample(pairs, 2)
        if c in beside(a) and d in beside(b):
            pairs = [pair for pair in pairs if pair not in ((a, b), (c, d))] + [(a, c), (b, d)]
    return pairs
