"""An oracle for ratings: the techniques on plain Python sets, one step at a time."""

from collections.abc import Iterator
from itertools import combinations

from dlx_numba.sudoku.box import Box
from tests.helpers.oracles import count_sudoku_solutions

MAX_NODES = 1_000_000  # of the search for a second solution

_BOXES = [
    [(row + i, column + j) for i in range(3) for j in range(3)]
    for row in (0, 3, 6)
    for column in (0, 3, 6)
]
_ROWS = [[(row, column) for column in range(9)] for row in range(9)]
_COLUMNS = [[(row, column) for row in range(9)] for column in range(9)]
_CELLS = [cell for row in _ROWS for cell in row]
_DIGITS = range(1, 10)
_UNITS_OF = {
    cell: [unit for units in (_ROWS, _COLUMNS, _BOXES) for unit in units if cell in unit]
    for cell in _CELLS
}

Cell = tuple[int, int]
Removal = tuple[str, list[tuple[Cell, int]]]  # a technique, and the candidates that it removes


def slow_rating(board: list[int]) -> tuple[str, dict[str, int]]:
    """Return the class of a board, and the number of steps of each technique before a guess.

    There are no steps for an invalid board.
    """
    if count_sudoku_solutions(board, Box(3, 3), 2, MAX_NODES) != 1:
        return "invalid", {}
    candidates, steps = apply_techniques(board)
    if any(len(candidates[cell]) > 1 for cell in _CELLS):
        return "expert", steps
    if any(number for name, number in steps.items() if not name.endswith("single")):
        return "intermediate", steps
    return "easy" if steps["hidden single"] else "simple", steps


def apply_techniques(board: list[int]) -> tuple[dict[Cell, set[int]], dict[str, int]]:
    """Return the candidates of each cell when no technique applies, and the numbers of steps.

    The steps are those of qqwing: the first technique that applies is applied once, then the search
    begins again.
    """
    values: dict[Cell, int] = {}
    candidates = {cell: set(_DIGITS) for cell in _CELLS}

    def place(cell: Cell, digit: int) -> None:
        values[cell] = digit
        candidates[cell] = set()
        for unit in _UNITS_OF[cell]:
            for other in unit:
                candidates[other].discard(digit)

    for cell, digit in zip(_CELLS, board, strict=True):
        if digit:
            place(cell, digit)
    steps = dict.fromkeys(
        ("naked single", "hidden single", "naked pair", "hidden pair", "pointing", "box/line"), 0
    )
    while True:
        naked = next((cell for cell in _CELLS if len(candidates[cell]) == 1), None)
        if naked is not None:
            steps["naked single"] += 1
            place(naked, min(candidates[naked]))
            continue
        hidden = next(_hidden_singles(candidates), None)
        if hidden is not None:
            steps["hidden single"] += 1
            place(*hidden)
            continue
        for technique, removed in _removals(candidates):
            if any(digit in candidates[cell] for cell, digit in removed):
                steps[technique] += 1
                for cell, digit in removed:
                    candidates[cell].discard(digit)
                break
        else:
            return {**candidates, **{cell: {digit} for cell, digit in values.items()}}, steps


def _places(candidates: dict[Cell, set[int]], unit: list[Cell], digit: int) -> list[Cell]:
    return [cell for cell in unit if digit in candidates[cell]]


def _hidden_singles(candidates: dict[Cell, set[int]]) -> Iterator[tuple[Cell, int]]:
    for units in (_BOXES, _ROWS, _COLUMNS):
        for unit in units:
            for digit in _DIGITS:
                places = _places(candidates, unit, digit)
                if len(places) == 1:
                    yield places[0], digit


def _removals(candidates: dict[Cell, set[int]]) -> Iterator[Removal]:
    """Yield what techniques other than singles remove, in the order in which they are tried."""
    for cell, other in combinations(_CELLS, 2):
        pair = candidates[cell]
        if len(pair) == 2 and candidates[other] == pair:
            for unit in _UNITS_OF[cell]:
                if other in unit:
                    rest = [third for third in unit if third not in (cell, other)]
                    yield "naked pair", [(third, digit) for third in rest for digit in pair]
    for lines in (_ROWS, _COLUMNS):
        yield from _locked(candidates, "pointing", _BOXES, lines)
    for lines in (_ROWS, _COLUMNS):
        yield from _locked(candidates, "box/line", lines, _BOXES)
    for units in (_ROWS, _COLUMNS, _BOXES):
        for unit in units:
            for first, second in combinations(_DIGITS, 2):
                places = _places(candidates, unit, first)
                if len(places) == 2 and _places(candidates, unit, second) == places:
                    others = [digit for digit in _DIGITS if digit not in (first, second)]
                    yield "hidden pair", [(cell, digit) for cell in places for digit in others]


def _locked(
    candidates: dict[Cell, set[int]], technique: str, units: list[list[Cell]], others: list
) -> Iterator[Removal]:
    """Yield the removals of a digit whose places in a unit are all in one unit of `others`."""
    for digit in _DIGITS:
        for unit in units:
            places = _places(candidates, unit, digit)
            for other in others:
                if places and all(cell in other for cell in places):
                    yield technique, [(cell, digit) for cell in other if cell not in unit]
