"""Sudoku variants: a backtracking oracle that knows rules as predicates, and random rules."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from itertools import chain, count, pairwise
from typing import Any

from dlx_numba import SudokuRules
from tests.helpers.boxes import BoxShape
from tests.helpers.oracles import random_solution

NAMES = [field.name for field in fields(SudokuRules)]
MAX_BOARDS = 5000  # 81 cells take some 10 ms for each


class TooManyBoards(Exception):
    """Backtracking takes too long for a test."""


def agrees(board: list[int], cell: int, value: int, box: BoxShape, rules: dict[str, Any]) -> bool:
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
        if (
            rules.get("non_consecutive")
            and down + right == 1
            and abs(known - value) == 1
            and frozenset((cell, other)) not in marked_pairs("differences", rules)
        ):
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
    for name in CHECKED & rules.keys():
        for entry in rules[name]:
            cells = checked_cells(name, entry, box)
            is_complete = cell in cells and all(board[each] for each in cells)
            if is_complete and not is_satisfied(name, entry, board, box, rules):
                return False
    return True


CHECKED = {  # rules that are checked once all their cells have values
    *("odd", "even", "minimum", "maximum", "negative", "quadruples", "between_lines", "sandwiches"),
    *("renban", "whispers", "region_sum_lines", "indexers", "x_sums", "skyscrapers", "lockouts"),
    *("entropic_lines", "zipper_lines", "slow_thermometers", "palindromes", "parity_lines"),
    "numbered_rooms",
}
HEADED = {"sandwiches", "whispers", "x_sums", "skyscrapers", "numbered_rooms", "quadruples"}


def checked_cells(name: str, entry: Any, box: BoxShape) -> list[int]:
    """The cells on which it depends whether a rule is satisfied."""
    n = box.n
    if name in ("odd", "even"):
        return [entry]
    if name in ("minimum", "maximum"):
        return [entry, *neighbors(entry, n)]
    if name == "negative":
        return list(range(box.cells))
    if name == "indexers":
        return [each for cell in entry[1] for each in index_unit(entry[0], cell, box, None)]
    return entry[1] if name in HEADED else entry


def marked_pairs(name: str, rules: dict[str, Any]) -> set[frozenset[int]]:
    """The cells to which the negative constraint of a kind of marks does not apply."""
    kinds = {"differences", "ratios"} if name in ("differences", "ratios") else {name}
    return {frozenset(pair) for kind in kinds for *pair, _ in rules.get(kind, ())}


def neighbors(cell: int, n: int) -> list[int]:
    row, column = divmod(cell, n)
    moves = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return [r * n + c for r, c in moves if 0 <= r < n and 0 <= c < n]


def index_unit(kind: str, cell: int, box: BoxShape, regions: list[int] | None) -> list[int]:
    n = box.n
    row, column = divmod(cell, n)
    if kind == "column":
        return [row * n + k for k in range(n)]
    if kind == "row":
        return [k * n + column for k in range(n)]
    if regions is None:
        regions = [c // n // box.rows * n + c % n // box.columns for c in range(box.cells)]
    return [c for c in range(box.cells) if regions[c] == regions[cell]]


def is_satisfied(
    name: str, entry: Any, board: list[int], box: BoxShape, rules: dict[str, Any]
) -> bool:
    """Whether complete values satisfy an entry of a rule."""
    n = box.n
    head, cells = entry if name in HEADED else (None, entry)
    if name == "odd" or name == "even":
        return board[entry] % 2 == (name == "odd")
    if name == "minimum" or name == "maximum":
        sign = 1 if name == "minimum" else -1
        others = [each for each in neighbors(entry, n) if each not in rules[name]]
        return all(sign * board[entry] < sign * board[each] for each in others)
    if name == "negative":
        marked = marked_pairs(entry, rules)
        numbers = {number for *_, number in rules.get(entry, ())}
        numbers = numbers | {5, 10} if entry == "sums" else numbers or {1 + (entry == "ratios")}
        for a in range(box.cells):
            for b in neighbors(a, n):
                low, high = sorted((board[a], board[b]))
                found = {"differences": high - low, "ratios": high / low, "sums": low + high}
                if frozenset((a, b)) not in marked and found[entry] in numbers:
                    return False
        return True
    if name == "indexers":
        for cell in entry[1]:
            unit = index_unit(entry[0], cell, box, rules.get("regions"))
            if any(not board[each] for each in unit):
                continue
            if board[unit[board[cell] - 1]] != unit.index(cell) + 1:
                return False
        return True
    values = [board[cell] for cell in cells]
    if name == "quadruples":
        return not Counter(head) - Counter(values)
    if name == "between_lines":
        low, high = sorted((values[0], values[-1]))
        return all(low < value < high for value in values[1:-1])
    if name == "lockouts":
        low, high = sorted((values[0], values[-1]))
        return high - low >= n // 2 and not any(low <= value <= high for value in values[1:-1])
    if name == "sandwiches":
        first, last = sorted((values.index(1), values.index(n)))
        return sum(values[first + 1 : last]) == head
    if name == "renban":
        return sorted(values) == list(range(min(values), min(values) + len(values)))
    if name == "whispers":
        least = -(-n // 2) if head is None else head
        return all(abs(a - b) >= least for a, b in pairwise(values))
    if name == "region_sum_lines":
        sums: list[list[int]] = []
        for k, cell in enumerate(cells):
            region = index_unit("box", cell, box, rules.get("regions"))
            if k and cells[k - 1] in region:
                sums[-1].append(board[cell])
            else:
                sums.append([board[cell]])
        return len({*map(sum, sums)}) == 1
    if name == "x_sums":
        return sum(values[: values[0]]) == head
    if name == "skyscrapers":
        return sum(value > max(values[:k], default=0) for k, value in enumerate(values)) == head
    if name == "entropic_lines":
        groups = [(value - 1) * 3 // n for value in values]
        return all(len({*groups[k : k + 3]}) == len(groups[k : k + 3]) for k in range(len(groups)))
    if name == "zipper_lines":
        sums = [[values[k], values[-1 - k]] for k in range(len(values) // 2)]
        middle = [[values[len(values) // 2]]] if len(values) % 2 else []
        return len({*map(sum, [*sums, *middle])}) <= 1
    if name == "slow_thermometers":
        return values == sorted(values)
    if name == "palindromes":
        return values == values[::-1]
    if name == "parity_lines":
        return all(a % 2 != b % 2 for a, b in pairwise(values))
    assert name == "numbered_rooms"
    return values[values[0] - 1] == head


def window(row: int, column: int, box: BoxShape) -> tuple[int, int] | None:
    """The window of a cell; None if it is in none."""
    side = box.rows + 1
    if row % side == 0 or column % side == 0 or max(row, column) >= box.n - 1:
        return None
    return row // side, column // side


def variant_solutions(
    board: list[int], box: BoxShape, rules: dict[str, Any], most: float = math.inf
) -> Iterator[list[int]]:
    """Yield all solutions of a puzzle, 0 for an empty cell, if these are found by `most` boards."""
    box = BoxShape(*box)  # also of one of the package
    for cell, value in enumerate(board):
        if value and not agrees([*board[:cell], 0, *board[cell + 1 :]], cell, value, box, rules):
            return

    sums = [cells for _, cells in [*rules.get("cages", ()), *rules.get("little_killers", ())]]
    summands = Counter(chain(*sums, *rules.get("arrows", ())))
    numbers = count(1)

    def extend(board: list[int]) -> Iterator[list[int]]:
        if next(numbers) > most:
            raise TooManyBoards
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


def jigsaw(box: BoxShape, rng: random.Random) -> list[int]:
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


def random_rules(name: str, solution: list[int], box: BoxShape, rng: random.Random) -> Any:
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

    if name in CHECKED:
        for _ in range(200):  # until an entry is satisfied, or nearly so
            entry = random_entry(name, solution, box, rng, walk)
            if entry is not None and is_satisfied(name, entry, solution, box, {name: [entry]}):
                return [entry]
        return []
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
        equal = [[k for k in range(box.cells) if solution[k] == value] for value in range(1, n + 1)]
        return [rng.sample(cells, rng.randint(2, 3)) for cells in rng.sample(equal, 2)]
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


def random_entry(
    name: str, solution: list[int], box: BoxShape, rng: random.Random, walk: Any
) -> Any:
    """Return a random entry of a rule, or None."""
    n = box.n
    if name in ("odd", "even", "minimum", "maximum"):
        return rng.randrange(box.cells)
    if name == "negative":
        return rng.choice(["differences", "ratios", "sums"])
    if name == "indexers":
        return rng.choice(["row", "column", "box"]), rng.sample(range(box.cells), rng.randint(1, 2))
    if name == "quadruples":
        corner = rng.choice([c for c in range(box.cells - n) if c % n < n - 1])
        cells = [corner, corner + 1, corner + n, corner + n + 1]
        return rng.sample([solution[c] for c in cells], rng.randint(1, 4)), cells
    cells = walk(rng.randint(2, 5))
    if name == "whispers":
        return rng.choice([None, 2]), cells
    if name in HEADED:
        line = [[k * n + i for i in range(n)] for k in range(n)]
        line += [[k + n * i for i in range(n)] for k in range(n)]
        return rng.randint(0 if name == "sandwiches" else 1, 3 * n), rng.choice(line)[
            :: rng.choice([1, -1])
        ]
    if name == "zipper_lines" or len(cells) > 2 or name not in ("between_lines", "lockouts"):
        return cells
    return None


def random_variant(
    box: BoxShape, names: list[str], rng: random.Random, n_givens: int
) -> tuple[list[int], dict[str, Any]]:
    """Return a board with some givens, and random rules of these names."""
    solution = random_solution(box, rng).ravel().tolist()
    rules = {name: random_rules(name, solution, box, rng) for name in names}
    # Most rules are made from the solution, which a search would not find soon.
    complete = next(variant_solutions(solution, box, rules), None)
    with suppress(TooManyBoards):
        empty = [0] * box.cells
        complete = complete or next(variant_solutions(empty, box, rules, MAX_BOARDS), None)
    complete = complete or solution
    given = rng.sample(range(box.cells), n_givens)
    return [complete[cell] if cell in given else 0 for cell in range(box.cells)], rules
