"""The techniques of players as levels of deductions, and ratings of boards by them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.deduce.rate import FIRST_CHAIN, GUESS, HARDEST, N_COLUMNS, rate_by_steps
from ..kernels.deduce.remaining import ProblemBitmaps, Remaining, build_tables
from ..kernels.deduce.rules import N_MASKS
from ..kernels.deduce.steps import (
    CHAIN,
    CONFLICT,
    GRID_SET,
    MAX_ROUNDS,
    ONLY,
    TOTAL,
    Grids,
    as_levels,
)
from ..kernels.problem import Problem
from ..runtime.choices import TECHNIQUES
from ..runtime.interrupts import Stop
from .box import Box
from .engines.board_links import board_problem
from .engines.classify import EXPERT, INTERMEDIATE

CELL, BOX, LINE, UNIT, OTHER = (1 << k for k in range(5))  # classes of items
NAKED, HIDDEN, FISH = range(3)  # kinds of tables
LINES = "row", "column"  # whose crossings are the places of fish
CHAIN_NAME = "forcing chain"


class Technique(NamedTuple):
    """A rule with the name that players use, and its weight in the score of a puzzle."""

    name: str
    rule: int
    size: int
    classes: int  # of items, or the kind of tables
    weight: int

    @property
    def definition(self) -> tuple[int, int, int]:
        """The rule as `Levels.rules` has it."""
        return self.rule, self.size, self.classes


# In the order in which they are tried. The weight of a chain also grows with its length.
LEVELS = (
    Technique("naked single", ONLY, 1, CELL, 1),
    Technique("hidden single", ONLY, 1, BOX, 2),
    Technique("hidden single", ONLY, 1, LINE | UNIT, 2),
    Technique("last combination", ONLY, 1, OTHER, 2),
    Technique("conflict", CONFLICT, 1, CELL | OTHER, 4),
    Technique("total", TOTAL, 1, OTHER, 4),
    Technique("pointing", CONFLICT, 1, BOX, 5),
    Technique("claiming", CONFLICT, 1, LINE, 6),
    Technique("conflict", CONFLICT, 1, UNIT | OTHER, 7),
    Technique("naked pair", GRID_SET, 2, NAKED, 8),
    Technique("hidden pair", GRID_SET, 2, HIDDEN, 10),
    Technique("X-wing", GRID_SET, 2, FISH, 15),
    Technique("naked triple", GRID_SET, 3, NAKED, 20),
    Technique("hidden triple", GRID_SET, 3, HIDDEN, 25),
    Technique("swordfish", GRID_SET, 3, FISH, 30),
    Technique("naked quadruple", GRID_SET, 4, NAKED, 40),
    Technique("hidden quadruple", GRID_SET, 4, HIDDEN, 50),
    Technique("jellyfish", GRID_SET, 4, FISH, 60),
    # Short chains are sought first: following all of them to their ends takes longer.
    *(Technique(CHAIN_NAME, CHAIN, size, 0, 70) for size in (1, 2, 3, MAX_ROUNDS)),
)
RULES = [level.definition for level in LEVELS]
PLAIN_LEVELS = tuple(each for each in LEVELS if not each.classes & OTHER or each.rule == CHAIN)
NAMES = [level.name for level in PLAIN_LEVELS]
# Of puzzles with rules: a step by one of these is called a rule
RULE_NAMES = ["rule" if each not in PLAIN_LEVELS else each.name for each in LEVELS] + ["two rules"]
JOINT = len(LEVELS)  # the level of what no level, but one rule or two exclude
JOINT_WEIGHT = 65  # of such a step in the score
LAST_CLASSIFIED = TECHNIQUES.index("hidden pair")  # qqwing guesses where harder steps are needed


def _class_of(item: Any) -> int:
    """Return the number of the class of an item: k for the class `1 << k`.

    Items of boards are `("cell", row, column)` and pairs such as `("row1", 5)`, a value in a unit;
    items of cages and conflicts, which may be pairs, too, and all others have the class `OTHER`.
    """
    unit = str(item[0]).rstrip("0123456789") if isinstance(item, tuple) else ""
    named = {"cell": 0, "box": 1, "row": 2, "column": 2, "cage": 4, "conflict": 4, "": 4}
    # 3: a value in a unit of another name, such as a diagonal
    return named.get(unit, 3) if unit == "cell" or len(item) == 2 else 4


def list_tables(problem: Problem, items: Sequence[object]) -> tuple[NDArray[np.uint8], Grids]:
    """Return the classes of the items of a board, and the tables that techniques search.

    A table has a row for each cell of a unit and a column for each value, or the reverse, or rows
    and columns of the board for one value. A row is left out unless it has all options of its item,
    each in one place, so that different rows have different options.

    Parameters
    ----------
    problem
        The problem.
    items
        The names of its items, as `formulate` makes them.
    """
    class_of = np.array([_class_of(item) for item in items], np.uint8)
    tables = _list_crossings(problem, items, class_of)
    n_options = np.bincount(problem.items, minlength=len(items))
    sides = {}  # of the tables: the rows with all options of their items, and the columns
    for key, crossings in tables.items():
        row_counts, column_counts = (Counter(each) for each in zip(*crossings, strict=True))
        kept = [row for row, number in row_counts.items() if number == n_options[row]]
        sides[key] = kept, list(column_counts)
    n = max((max(map(len, each)) for each in sides.values()), default=1)
    # The rows and the columns of each table, and the options at their crossings; -1 fills them up.
    bases, covers = np.full((2, len(tables), n), -1)
    option_at = np.full((len(tables), n, n), -1)
    for k, (key, (rows, columns)) in enumerate(sides.items()):
        bases[k, : len(rows)] = rows
        covers[k, : len(columns)] = columns
        row_of, column_of = ({item: at for at, item in enumerate(side)} for side in (rows, columns))
        for (row, column), option in tables[key].items():
            if row in row_of:
                option_at[k, row_of[row], column_of[column]] = option
    kinds = np.array([kind for _, kind in tables], np.int64)
    return class_of, Grids(kinds, bases, covers, option_at, np.zeros((N_MASKS, n + 1), np.uint64))


def _list_crossings(
    problem: Problem, items: Sequence[Any], class_of: NDArray[np.uint8]
) -> dict[Any, dict[tuple[int, int], int]]:
    """Return the tables of `list_tables`: the option by its items (row, column) in the table.

    Options are numbered among the usable ones. The key of a table is the name of its unit, or its
    value, and its kind. The value is negative if columns of the board are the rows of the table.
    """
    tables: defaultdict[Any, dict[tuple[int, int], int]] = defaultdict(dict)
    covered_once = problem.item_high == 1  # whether at most one option may cover an item
    option_items = problem.items.tolist()
    spans = [*pairwise(problem.indptr.tolist())]
    # Classes 1 to 3 are those of values in boxes, lines and other units; 0 is that of cells.
    unit_items = np.flatnonzero((class_of >= 1) & (class_of <= 3)).tolist()
    # The items of values in rows of the board, and in columns
    lines = [{k for k in unit_items if items[k][0].startswith(name)} for name in LINES]
    for option, number in enumerate(problem.usable_options().tolist()):
        start, stop = spans[number]
        own = [k for k in option_items[start:stop] if covered_once[k]]
        cells = [k for k in own if class_of[k] == 0]
        units = [k for k in own if 1 <= class_of[k] <= 3]
        for unit in units:
            name = items[unit][0]
            for cell in cells:
                tables[name, NAKED][cell, unit] = option
                tables[name, HIDDEN][unit, cell] = option
        rows, columns = ([k for k in units if k in line] for line in lines)
        if len(rows) == len(columns) == 1:  # clones cover several rows at once
            [row], [column] = rows, columns
            value = items[row][1]
            tables[value, FISH][row, column] = option
            tables[-value, FISH][column, row] = option
    return tables


@lru_cache(maxsize=1)
def _empty_tables() -> tuple[ProblemBitmaps, Remaining, NDArray[np.uint8], Grids]:
    """Return the tables of an empty 9×9 board, made once: no kernel may write them.

    These are the bitmaps, what remains at the start, and what `list_tables` returns.
    """
    formulated = board_problem(np.zeros(81, np.uint8), Box(3, 3))
    assert formulated is not None
    problem, _ = formulated  # option 9k + v - 1: v in cell k
    names: list[Any] = [("cell", *divmod(cell, 9)) for cell in range(81)]
    digits = product(("row", "column", "box"), range(1, 10), range(1, 10))
    names += [(f"{unit}{k}", value) for unit, k, value in digits]
    tables, initial, _ = build_tables(problem, Stop())
    return tables, initial, *list_tables(problem, names)


def score_boards(
    boards: NDArray[np.uint8], ratings: NDArray[np.int64], hardest: str = CHAIN_NAME
) -> None:
    """Rate 9×9 boards with one solution each by steps up to the technique `hardest`.

    `ratings` (N, N_COLUMNS) has columns HARDEST, SCORE and USED; see `rate_by_steps`.
    """
    tables, initial, item_class, grids = _empty_tables()
    # Several levels may have this name, such as chains of each length: the last one ends the slice.
    levels = PLAIN_LEVELS[: len(NAMES) - NAMES[::-1].index(hardest)]
    shape = tables.containing.shape
    weights = np.array([level.weight for level in levels])
    grids = grids._replace(masks=grids.masks.copy())  # are written, and other threads share these
    working = as_levels([level.definition for level in levels], shape, item_class, grids)
    remaining = Remaining(*(array.copy() for array in initial))
    rate_by_steps(boards, weights, working, tables, initial, remaining, ratings)


def name_levels(hardest: NDArray[np.int64], level_names: Sequence[str] = NAMES) -> list[str]:
    """Return the names of the hardest steps that `score_boards` finds; "" if there is none.

    >>> name_levels(np.array([0, 65, GUESS, -1]))
    ['naked single', 'forcing chain of 2', 'guess', '']
    """
    # From FIRST_CHAIN on, the numbers are those of chains of each length.
    names = {GUESS: "guess", -1: ""} | dict(enumerate(level_names))
    values = hardest.tolist()
    return [
        names.get(k) or f"{CHAIN_NAME} of {k - FIRST_CHAIN + 1}" if k >= 0 else "" for k in values
    ]


def class_of(level: str) -> int:
    """Return the class of the puzzles of a level, which need one of its steps and none harder.

    >>> class_of("naked single"), class_of("pointing"), class_of("X-wing")
    (1, 3, 4)
    """
    position = TECHNIQUES.index(level)  # the first two have classes of their own
    return EXPERT if position > LAST_CLASSIFIED else min(INTERMEDIATE, 1 + position)


def has_level(boards: NDArray[np.uint8], level: str) -> NDArray[np.bool_]:
    """Return whether each board with one solution is a puzzle of a level."""
    ratings = np.empty((len(boards), N_COLUMNS), np.int64)
    score_boards(boards, ratings, level)
    hardest = ratings[:, HARDEST]
    # The numbers of chains of each length follow those of the levels, see `name_levels`.
    is_chain = (hardest >= len(NAMES)) & (hardest < GUESS) & (level == CHAIN_NAME)
    return is_chain | np.isin(hardest, [k for k, name in enumerate(NAMES) if name == level])
