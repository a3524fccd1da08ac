"""Sudoku variants: a backtracking oracle that knows rules as predicates, and random rules."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import chain, pairwise
from typing import Any

from dlx_numba import SudokuRules
from dlx_numba.sudoku.box import Box
from tests.helpers.oracles import random_solution

NAMES = [field.name for field in fields(SudokuRules)]


def agrees(board: list[int], cell: int, value: int, box: Box, rules: dict[str, Any]) -> bool:
    """Whether a value in an empty cell violates no rule, given the other values; 0 is empty."""
    n = box.n
    row, column = divmod(cell, n)
    regions = rules.get("regions")
    for other, known in enumerate(board):
        if not known or other == cell:
            continue
        r, c = divmod(other, n)
        down, right = abs(r - row), abs(c - column)
        same_box = (r // box.rows, c // box.columns) == (row // box.rows, column // box.columns)
        if regions is not None:
            same_box = regions[other] == regions[cell]
        if known == value and (
            down == 0
            or right == 0
            or same_box
            or (rules.get("diagonals") and r == c and row == column)
            or (rules.get("diagonals") and r + c == n - 1 == row + column)
            or (
                rules.get("disjoint_groups")
                and (r % box.rows, c % box.columns) == (row % box.rows, column % box.columns)
            )
            or (rules.get("windows") and window(r, c, box) == window(row, column, box) is not None)
            or (rules.get("anti_knight") and sorted((down, right)) == [1, 2])
            or (rules.get("anti_king") and down == right == 1)
        ):
            return False
        if rules.get("non_consecutive") and down + right == 1 and abs(known - value) == 1:
            return False
    board = [*board]
    board[cell] = value

    def both(first: int, second: int) -> bool:
        return cell in (first, second) and board[first] > 0 and board[second] > 0

    for line in [*rules.get("less_than", ()), *rules.get("thermometers", ())]:
        if any(both(a, b) and board[a] >= board[b] for a, b in pairwise(line)):
            return False
    for a, b, number in rules.get("differences", ()):
        if both(a, b) and abs(board[a] - board[b]) != number:
            return False
    for a, b, number in rules.get("sums", ()):
        if both(a, b) and board[a] + board[b] != number:
            return False
    for a, b, number in rules.get("ratios", ()):
        if both(a, b) and number not in (board[a] / board[b], board[b] / board[a]):
            return False
    for cells in rules.get("clones", ()):
        if cell in cells and len({board[each] for each in cells if board[each]}) > 1:
            return False
    cages = rules.get("cages", ())
    for cells in [*rules.get("extra_regions", ()), *(cage for _, cage in cages)]:
        if cell in cells and any(board[each] == value for each in cells if each != cell):
            return False
    arrows = [(board[circle] or None, cells) for circle, *cells in rules.get("arrows", ())]
    for total, cells in [*cages, *arrows, *rules.get("little_killers", ())]:
        values = [board[each] for each in cells]
        empty = values.count(0)
        if total is not None and not sum(values) + empty <= total <= sum(values) + empty * n:
            return False
    return True


def window(row: int, column: int, box: Box) -> tuple[int, int] | None:
    """The window of a cell; None if it is in none."""
    side = box.rows + 1
    if row % side == 0 or column % side == 0 or max(row, column) >= box.n - 1:
        return None
    return row // side, column // side


def variant_solutions(board: list[int], box: Box, rules: dict[str, Any]) -> Iterator[list[int]]:
    """Yield all solutions of a puzzle, 0 for an empty cell."""
    for cell, value in enumerate(board):
        if value and not agrees([*board[:cell], 0, *board[cell + 1 :]], cell, value, box, rules):
            return

    sums = [cells for _, cells in [*rules.get("cages", ()), *rules.get("little_killers", ())]]
    summands = Counter(chain(*sums, *rules.get("arrows", ())))

    def extend(board: list[int]) -> Iterator[list[int]]:
        candidates = {
            cell: [value for value in range(1, box.n + 1) if agrees(board, cell, value, box, rules)]
            for cell in range(box.cells)
            if not board[cell]
        }
        if not candidates:
            yield board
            return

        def priority(cell: int) -> tuple[bool, int, int]:
            """Forced cells, then those of sums, which a board that is nearly full rarely has."""
            return len(candidates[cell]) > 1, -summands[cell], len(candidates[cell])

        cell = min(candidates, key=priority)
        for value in candidates[cell]:
            yield from extend([*board[:cell], value, *board[cell + 1 :]])

    yield from extend(board)


def jigsaw(box: Box, rng: random.Random) -> list[int]:
    """Return regions of n connected cells, made from boxes by exchanges of cells."""
    n = box.n
    regions = [
        cell // n // box.rows * box.rows + cell % n // box.columns for cell in range(box.cells)
    ]

    def is_connected(region: int) -> bool:
        cells = {cell for cell in range(box.cells) if regions[cell] == region}
        reached, front = set(), [min(cells)]
        while front:
            cell = front.pop()
            if cell in cells and cell not in reached:
                reached.add(cell)
                front += [cell - n, cell + n]
                front += [cell - 1] * (cell % n > 0) + [cell + 1] * (cell % n < n - 1)
        return reached == cells

    for _ in range(30):
        first, second = rng.sample(range(box.cells), 2)
        changed = {regions[first], regions[second]}
        regions[first], regions[second] = regions[second], regions[first]
        if not all(map(is_connected, changed)):
            regions[first], regions[second] = regions[second], regions[first]
    return regions


def random_rules(name: str, solution: list[int], box: Box, rng: random.Random) -> Any:
    """Return a random value of a parameter of `SudokuRules`, often one that a board satisfies."""
    n = box.n

    def walk(length: int) -> list[int]:
        """Different cells, each next to the previous one."""
        cells = [rng.randrange(box.cells)]
        for _ in range(20):
            row, column = divmod(cells[-1], n)
            down, right = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
            cell = (row + down) * n + column + right
            if 0 <= row + down < n and 0 <= column + right < n and cell not in cells:
                cells.append(cell)
        return cells[:length]

    def pairs() -> list[list[int]]:
        return [pair for _ in range(rng.randint(1, 4)) if len(pair := walk(2)) == 2]

    if name == "regions":
        return jigsaw(box, rng)
    if name == "extra_regions":
        return [walk(rng.randint(2, n))]
    if name == "less_than":
        return [sorted(pair, key=lambda cell: solution[cell]) for pair in pairs()]
    if name == "thermometers":
        return [sorted(walk(3), key=lambda cell: solution[cell])]
    if name == "differences":
        return [(a, b, abs(solution[a] - solution[b]) or 1) for a, b in pairs()]
    if name == "sums":
        return [(a, b, solution[a] + solution[b]) for a, b in pairs()]
    if name == "ratios":
        values = [(a, b, solution[a] / solution[b]) for a, b in pairs()]
        return [(a, b, int(ratio)) for a, b, ratio in values if ratio == int(ratio)]
    if name == "clones":
        value = rng.randint(1, n)
        return [rng.sample([cell for cell in range(box.cells) if solution[cell] == value], 2)]
    if name == "cages":
        cells = [walk(rng.randint(1, n - 1)) for _ in range(2)]
        return [(sum(solution[cell] for cell in cage), cage) for cage in cells] + [(None, walk(2))]
    if name == "arrows":
        cells = [walk(rng.randint(2, 4)) for _ in range(20)]
        agree = [
            cells
            for cells in cells
            if len(cells) > 1 and solution[cells[0]] == sum(solution[cell] for cell in cells[1:])
        ]
        return agree[:2]
    if name == "little_killers":
        start, step = rng.choice([(k, n + 1) for k in range(n)] + [(k, n - 1) for k in range(n)])
        cells, cell = [start], start
        while cell + step < box.cells and abs((cell + step) % n - cell % n) == 1:
            cell += step
            cells.append(cell)
        return [(sum(solution[cell] for cell in cells), cells)]
    return True


def random_variant(
    box: Box, names: list[str], rng: random.Random, n_givens: int
) -> tuple[list[int], dict[str, Any]]:
    """Return a board with some givens, and random rules of these names."""
    solution = random_solution(box, rng).ravel().tolist()
    rules = {name: random_rules(name, solution, box, rng) for name in names}
    complete = next(variant_solutions([0] * box.cells, box, rules), solution)
    given = rng.sample(range(box.cells), n_givens)
    return [complete[cell] if cell in given else 0 for cell in range(box.cells)], rules
