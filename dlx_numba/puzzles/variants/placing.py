"""Place rules on a complete grid: cages, lines and dots of which only the numbers are given."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, starmap
from random import Random
from typing import Any, NamedTuple, TypeVar

from ...sudoku.box import Box
from ...sudoku.engines.base import Boards, StopCheck
from .constraints import Constraints
from .engine import variant_engine

TRIES = 100  # for each entry
MAX_GRIDS = 20  # on which not all entries fit

Values = list[int]
RulesT = TypeVar("RulesT", bound=Constraints)


class Form(NamedTuple):
    """The form of the entries of a rule. Those of a layer do not share cells."""

    layer: str  # "" for dots between two cells, each of which has one
    sizes: tuple[int, int]  # the least and the largest number of cells
    is_valid: Callable[[Values], bool]  # whether these can be the values of the first cells
    is_complete: Callable[[Values], bool] = lambda _: True
    entry: Callable[[list[int], Values], Any] = lambda cells, _: tuple(cells)


def _steps(is_valid: Callable[[int, int], bool]) -> Callable[[Values], bool]:
    return lambda values: all(starmap(is_valid, pairwise(values)))


def _dot(is_valid: Callable[[int, int], bool], number: Callable[[int, int], int]) -> Form:
    return Form("", (2, 2), _steps(is_valid), entry=lambda cells, pair: (*cells, number(*pair)))


def _differ(values: Values) -> bool:
    return len({*values}) == len(values)


def _cage(cells: list[int], values: Values) -> tuple[int, tuple[int, ...]]:
    return sum(values), tuple(sorted(cells))


FORMS = {
    "cages": Form("cages", (2, 4), _differ, entry=_cage),
    "thermometers": Form("lines", (3, 6), _steps(int.__lt__)),
    "arrows": Form(
        "lines",
        (3, 5),
        lambda values: values[0] > 2 and sum(values[1:]) <= values[0],
        lambda values: sum(values[1:]) == values[0],
    ),
    "differences": _dot(lambda a, b: abs(a - b) == 1, lambda a, b: 1),
    "ratios": _dot(lambda a, b: a in (2 * b, b / 2), lambda a, b: 2),
    "sums": _dot(lambda a, b: a + b in (5, 10), int.__add__),
}


def place_rules(
    rules: RulesT, box: Box, seed: int, stop: StopCheck
) -> tuple[RulesT, Boards] | None:
    """Return rules with random entries where `rules` only say how many, and a grid for them.

    A grid that satisfies the other rules comes first; the entries are chosen to fit its values. If
    there is no room on it for all of them, another grid is tried. Returns None if `stop` returns
    True. Raises ValueError if there is no grid or no room.
    """
    values = rules.stated()
    numbers = rules.placed_counts
    for name in sorted(rules.negated & numbers.keys()):
        if numbers[name]:
            raise ValueError(
                f"{name}={numbers[name]} cannot be combined with a negative constraint on {name}, "
                "which requires a mark wherever the values have this relation"
            )
    random = Random(seed)
    others = {name: value for name, value in values.items() if name not in numbers}
    engine = variant_engine(type(rules)(**others), box)
    for _ in range(MAX_GRIDS):
        grid = engine.random_grid(random.getrandbits(63), stop)
        if grid is None:
            return None
        if (placed := _place_entries(numbers, box, grid.tolist(), random)) is not None:
            return type(rules)(**{**others, **placed}), grid
    wanted = ", ".join(f"{number} {name}" for name, number in numbers.items())
    raise ValueError(f"there is no room for {wanted} on a {box.n}x{box.n} board")


def _place_entries(
    numbers: dict[str, int], box: Box, grid: Values, random: Random
) -> dict[str, list[Any]] | None:
    """Return random entries of rules that a complete grid satisfies, or None if there is no room.

    `numbers` has how many entries of each rule there are.
    """
    placed: dict[str, list[Any]] = {name: [] for name in numbers}
    used: dict[str, set[int]] = {form.layer: set() for form in FORMS.values()}
    # The sorted cells of each entry, so that no two dots are between the same cells
    taken: set[tuple[int, ...]] = set()
    for name, number in numbers.items():
        form = FORMS[name]
        entries = placed[name]
        n_failures = 0  # since the last entry
        while len(entries) < number and n_failures < TRIES:
            cells = _grow(form, box, grid, random, used[form.layer])
            values = [grid[cell] for cell in cells]
            place = tuple(sorted(cells))
            n_failures += 1
            if len(cells) >= form.sizes[0] and form.is_complete(values) and place not in taken:
                n_failures = 0
                taken.add(place)
                used[form.layer].update(cells if form.layer else ())
                entries.append(form.entry(cells, values))
        if len(entries) < number:
            return None
    return placed


def _grow(form: Form, box: Box, grid: Values, random: Random, used: set[int]) -> list[int]:
    """Return cells outside of `used` with valid values; a random number, or fewer if none is left.

    Each is beside an earlier one; on a line, it is beside the one before, also diagonally.
    """
    cells: list[int] = []
    size = random.randint(*form.sizes)
    is_line = form.layer == "lines"
    others = {random.randrange(box.cells)}  # the cells that may come next: at first, any one
    while len(cells) < size:
        values = [grid[cell] for cell in cells]
        valid = [cell for cell in others - used if form.is_valid([*values, grid[cell]])]
        if not valid:
            break
        cells.append(random.choice(sorted(valid)))
        ends = cells[-1:] if is_line else cells
        others = {each for cell in ends for each in _beside(box.n, cell, is_line)}.difference(cells)
    return cells


def _beside(n: int, cell: int, is_line: bool) -> list[int]:
    """Return a cell and the cells around it; without corners unless `is_line`."""
    row, column = divmod(cell, n)
    return [
        r * n + c
        for r in range(max(0, row - 1), min(n, row + 2))
        for c in range(max(0, column - 1), min(n, column + 2))
        if is_line or r == row or c == column
    ]
