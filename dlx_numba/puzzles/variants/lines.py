"""Rules about cells, sets of cells, and lines through cells."""

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import combinations, groupby, pairwise, product
from math import comb
from typing import Any

from ...kernels.sums import sets_with_sum
from .constraints import exempting, numbers_of
from .requirements import (
    Cells,
    Different,
    Equal,
    Less,
    Mask,
    Requirement,
    RuleBoard,
    Total,
    alternatives,
)

Requirements = Iterator[Requirement]
MAX_PLACES = 500  # of a value in a quadruple, each an alternative; four cells have up to 6


def _apart(_: bool, board: RuleBoard, moves: Iterable[tuple[int, int]]) -> Requirements:
    for move in moves:
        yield board.related(board.shifted(*move), lambda first, second: first != second)


anti_knight = partial(_apart, moves=((1, 2), (2, 1), (1, -2), (2, -1)))
anti_king = partial(_apart, moves=((1, 1), (1, -1)))


def non_consecutive(_: bool, board: RuleBoard) -> Requirements:
    yield from _unmarked("differences", 1, board)


def negative(names: tuple[str, ...], board: RuleBoard) -> Requirements:
    for name in names:
        for number in numbers_of(name, getattr(board.rules, name)):
            yield from _unmarked(name, number, board)


def _unmarked(name: str, number: int, board: RuleBoard) -> Requirements:
    """Require that the cells which share a side do not have a relation, unless they are marked."""
    marks = [mark for kind in exempting(name) for mark in getattr(board.rules, kind)]
    marked = {frozenset(cells) for *cells, _ in marks}
    pairs = [pair for pair in board.adjacent().tolist() if frozenset(pair) not in marked]
    relation = _RELATIONS[name]
    yield board.related(pairs, lambda first, second: ~relation(first, second, number))


_RELATIONS: dict[str, Any] = {
    "differences": lambda first, second, number: abs(first - second) == number,
    "ratios": lambda first, second, number: (first * number == second) | (second * number == first),
    "sums": lambda first, second, number: first + second == number,
}


def differences(entry: Cells, board: RuleBoard, name: str = "differences") -> Requirements:
    *cells, number = entry
    yield board.related([cells], lambda a, b: _RELATIONS[name](a, b, number))


ratios = partial(differences, name="ratios")
sums = partial(differences, name="sums")


def odd(cell: int, board: RuleBoard, remainder: int = 1) -> Requirements:
    related = board.related([(cell, cell)], lambda _, value: value % 2 == remainder)
    yield related._replace(name=board.name)


even = partial(odd, remainder=0)


def minimum(cells: Cells, board: RuleBoard, is_maximum: bool = False) -> Requirements:
    for pair in board.adjacent().tolist():
        for cell, other in (pair, reversed(pair)):
            if cell in cells and other not in cells:
                yield Less(other, cell) if is_maximum else Less(cell, other)


maximum = partial(minimum, is_maximum=True)


def thermometers(cells: Cells, _: RuleBoard) -> Requirements:
    for low, high in pairwise(cells):
        yield Less(low, high)


less_than = thermometers


def slow_thermometers(cells: Cells, board: RuleBoard) -> Requirements:
    yield board.related(combinations(cells, 2), lambda first, second: first <= second)


def clones(cells: Cells, _: RuleBoard) -> Requirements:
    yield Equal(cells)


def palindromes(cells: Cells, _: RuleBoard) -> Requirements:
    for first, last in zip(cells[: len(cells) // 2], reversed(cells), strict=False):
        yield Equal((first, last))


def cages(entry: tuple[int | None, Cells], board: RuleBoard) -> Requirements:
    total, cells = entry
    if total is None:
        yield Different(board.name, cells)
    else:
        yield Different(board.name, cells, sets_with_sum(board.n, len(cells), total))
        yield Total(board.name, total, total, dict.fromkeys(cells, 1), is_implied=True)


def arrows(entry: tuple[Any, ...], board: RuleBoard) -> Requirements:
    """Require that the digits in the circle, read as a number, are the sum of the other cells."""
    circle, *cells = entry
    digits = reversed(circle if isinstance(circle, tuple) else (circle,))
    weights = {cell: -(10**k) for k, cell in enumerate(digits)}  # the last digit counts once
    for cell in cells:
        weights[cell] = weights.get(cell, 0) + 1
    yield Total(board.name, 0, 0, weights)


def little_killers(entry: tuple[int, Cells], board: RuleBoard) -> Requirements:
    total, cells = entry
    yield Total(board.name, total, total, dict.fromkeys(cells, 1))


def renban(cells: Cells, board: RuleBoard) -> Requirements:
    """Require one of the sets of consecutive values, and differences that such a set can have."""
    if not (size := len(cells)):
        return  # nothing is drawn
    sets = [tuple(range(k, k + size)) for k in range(1, board.n + 2 - size)]
    yield Different(board.name, cells, sets)
    yield board.related(combinations(cells, 2), lambda first, second: abs(first - second) < size)


def whispers(entry: tuple[int | None, Cells], board: RuleBoard) -> Requirements:
    number, cells = entry
    least = (board.n + 1) // 2 if number is None else number
    yield board.related(pairwise(cells), lambda first, second: abs(first - second) >= least)


def entropic_lines(cells: Cells, board: RuleBoard) -> Requirements:
    yield from _periodic(cells, board, 3, lambda value: (value - 1) * 3 // board.n)


def parity_lines(cells: Cells, board: RuleBoard) -> Requirements:
    yield from _periodic(cells, board, 2, lambda value: value % 2)


def _periodic(cells: Cells, board: RuleBoard, period: int, group_of: Any) -> Requirements:
    """Require that values have the same group exactly if their distance is a multiple of a period.

    `group_of` returns the groups of an array of values.
    """
    for step in range(1, len(cells)):
        pairs = zip(cells, cells[step:], strict=False)
        same = board.related(pairs, lambda first, second: group_of(first) == group_of(second))
        yield same if step % period == 0 else same._replace(agrees=~same.agrees)


def region_sum_lines(cells: Cells, board: RuleBoard) -> Requirements:
    """Require that each part of the line in a region has the sum of the first part."""
    region_of = {cell: k for k, unit in enumerate(board.units[2]) for cell in unit}
    parts = [[*part] for _, part in groupby(cells, region_of.__getitem__)]
    for k, part in enumerate(parts[1:], 2):
        weights = dict.fromkeys(parts[0], 1) | dict.fromkeys(part, -1)
        yield Total(f"{board.name}.{k}", 0, 0, weights)


def zipper_lines(cells: Cells, board: RuleBoard) -> Requirements:
    """Require that digits at the same distance from the middle have the same sum.

    This is the digit in the middle, if the number of cells is odd.
    """
    values = range(1, board.n + 1)
    half = len(cells) // 2
    sums = [(a, b, a + b) for a, b in product(values, values) if a + b <= board.n]
    allowed = alternatives(board.n, 3, ({0: [a], 1: [b], 2: [total]} for a, b, total in sums))
    for k in range(half):
        pair = cells[k], cells[-1 - k]
        if len(cells) % 2:
            yield board.choice((*pair, cells[half]), allowed, k + 1)
        elif k:
            weights = dict.fromkeys((cells[0], cells[-1]), 1) | dict.fromkeys(pair, -1)
            yield Total(f"{board.name}.{k + 1}", 0, 0, weights)


def between_lines(cells: Cells, board: RuleBoard) -> Requirements:
    yield board.choice(cells, _lines(board.n, len(cells), 0, True))


def lockouts(cells: Cells, board: RuleBoard) -> Requirements:
    yield board.choice(cells, _lines(board.n, len(cells), board.n // 2, False))


@lru_cache
def _lines(n: int, size: int, distance: int, is_between: bool) -> Mask:
    """Return the values of lines whose ends differ by a distance or more.

    The others are between those of the ends, or outside of their range.
    """
    lines: list[dict[int, Any]] = []
    for first, last in product(range(1, n + 1), repeat=2):
        if abs(last - first) >= distance:
            low, high = sorted((first, last))
            outside = [*range(1, low), *range(high + 1, n + 1)]
            inner = [*range(low + 1, high)] if is_between else outside
            lines.append({0: [first], **dict.fromkeys(range(1, size - 1), inner), size - 1: [last]})
    return alternatives(n, size, lines)


def quadruples(entry: tuple[Cells, Cells], board: RuleBoard) -> Requirements:
    """Require that the cells have each value at least as often as it is listed."""
    values, cells = entry
    # The cells have these values and no others.
    if values and len({*values}) == len(values) == len(cells):
        yield Different(board.name, cells, [values] if max(values) <= board.n else [])
        return
    for value in sorted({*values}):
        if comb(len(cells), values.count(value)) > MAX_PLACES:
            places = f"{len(values)} values in {len(cells)} cells"
            raise ValueError(f"quadruples: too many places of {places}")
        yield board.choice(cells, _with(board.n, len(cells), value, values.count(value)), value)


@lru_cache
def _with(n: int, size: int, value: int, count: int) -> Mask:
    """Return the values of cells that contain a value at least `count` times, by the first ones."""
    others = {*range(1, n + 1)} - {value}
    first = combinations(range(size), count)
    counted = ({k: [value] if k in few else others for k in range(few[-1] + 1)} for few in first)
    return alternatives(n, size, counted)


def indexers(entry: tuple[str, Cells], board: RuleBoard) -> Requirements:
    """Require that the digit of a cell says where the number of its own unit is."""
    kind, cells = entry
    for cell in cells:
        # The digit of a column indexer is the column in which the row has the number of its column.
        row, column, region = board.units
        units = {"column": row, "row": column, "box": region}[kind]
        unit = next(each for each in units if cell in each)
        place = unit.index(cell) + 1
        for k, other in enumerate(unit, 1):
            yield board.related([(cell, other)], partial(_indexes, k, place))


def _indexes(place: int, number: int, first: Any, second: Any) -> Any:
    """Return whether the first value is a place exactly if the second one is a number."""
    return (first == place) == (second == number)
