"""An oracle for ratings: the techniques on plain Python sets, one step at a time."""

from collections.abc import Iterator
from itertools import combinations, product

from tests.helpers.boxes import BoxShape
from tests.helpers.oracles import count_sudoku_solutions

MAX_NODES = 1_000_000  # of the search for a second solution

_CELLS = [*product(range(9), repeat=2)]
_ROWS = [[(row, column) for column in range(9)] for row in range(9)]
_COLUMNS = [[(row, column) for row in range(9)] for column in range(9)]
_BOXES = [[(r, c) for r, c in _CELLS if r // 3 * 3 + c // 3 == box] for box in range(9)]
_UNITS = [*_ROWS, *_COLUMNS, *_BOXES]
_UNITS_OF = {cell: [unit for unit in _UNITS if cell in unit] for cell in _CELLS}
_DIGITS = range(1, 10)
_STEPS = ["naked single", "hidden single", "naked pair", "hidden pair", "pointing", "box/line"]

Cell = tuple[int, int]
Removal = tuple[str, list[tuple[Cell, int]]]  # a technique, and the candidates that it removes


def slow_class(board: list[int]) -> str:
    """Return the class of a board."""
    if count_sudoku_solutions(board, BoxShape(3, 3), 2, MAX_NODES) != 1:
        return "invalid"
    n_blanks, steps = apply_techniques(board)
    if n_blanks:
        return "expert"
    if any(number for name, number in steps.items() if not name.endswith("single")):
        return "intermediate"
    return "easy" if steps["hidden single"] else "simple"


def apply_techniques(board: list[int]) -> tuple[int, dict[str, int]]:
    """Return the number of cells left when no technique applies, and the numbers of steps.

    The steps are those of qqwing: the first technique that applies is applied once, then the search
    begins again.
    """
    candidates = {cell: set(_DIGITS) for cell in _CELLS}

    def place(cell: Cell, digit: int) -> None:
        candidates[cell] = set()
        for unit in _UNITS_OF[cell]:
            for other in unit:
                candidates[other].discard(digit)

    for cell, digit in zip(_CELLS, board, strict=True):
        if digit:
            place(cell, digit)
    steps = dict.fromkeys(_STEPS, 0)
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
            return sum(map(bool, candidates.values())), steps


def _places(candidates: dict[Cell, set[int]], unit: list[Cell], digit: int) -> list[Cell]:
    return [cell for cell in unit if digit in candidates[cell]]


def _hidden_singles(candidates: dict[Cell, set[int]]) -> Iterator[tuple[Cell, int]]:
    for unit, digit in product([*_BOXES, *_ROWS, *_COLUMNS], _DIGITS):
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
    for unit, (first, second) in product(_UNITS, combinations(_DIGITS, 2)):
        places = _places(candidates, unit, first)
        if len(places) == 2 and _places(candidates, unit, second) == places:
            others = [digit for digit in _DIGITS if digit not in (first, second)]
            yield "hidden pair", [(cell, digit) for cell in places for digit in others]


def _locked(
    candidates: dict[Cell, set[int]], technique: str, units: list[list[Cell]], others: list
) -> Iterator[Removal]:
    """Yield the removals of a digit whose places in a unit are all in one unit of `others`."""
    for digit, unit in product(_DIGITS, units):
        places = _places(candidates, unit, digit)
        for other in others:
            if places and all(cell in other for cell in places):
                yield technique, [(cell, digit) for cell in other if cell not in unit]
