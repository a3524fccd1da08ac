"""Brute-force solvers that serve as oracles, and random problems and boards to compare with."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from tests.helpers.boxes import BoxShape


def multiple_covers(options: list[list], bounds: dict[int, tuple[int, int]]) -> Iterator[list[int]]:
    """Yield all sets of options that cover each primary item within its bounds.

    `bounds` has the minimum and the maximum for each primary item. A secondary item is in one
    chosen option, or in several that all give it the same color. An option without a primary item
    is never chosen. The options are included or excluded one after another.
    """

    def extend(number: int, chosen: list[int], count: dict, color: dict) -> Iterator[list[int]]:
        if number == len(options):
            if all(low <= count.get(item, 0) for item, (low, _) in bounds.items()):
                yield chosen
            return
        yield from extend(number + 1, chosen, count, color)
        count, color = dict(count), dict(color)
        has_primary = False
        for entry in options[number]:
            if entry in bounds:
                has_primary = True
                count[entry] = count.get(entry, 0) + 1
                if count[entry] > bounds[entry][1]:
                    return
            else:
                item, its_color = entry if isinstance(entry, tuple) else (entry, None)
                if item in color and (its_color is None or color[item] != its_color):
                    return
                color[item] = its_color
        if has_primary:
            yield from extend(number + 1, [*chosen, number], count, color)

    return extend(0, [], {}, {})


def cover_costs(
    options: list[list],
    bounds: dict,
    costs: Sequence[int],
    given: Iterable[int] = (),
    forbidden: Iterable[int] = (),
    max_states: int | None = None,
) -> Counter[int] | None:
    """Return the number of covers of each cost, by dynamic programming over the options.

    The problem is stated as for `multiple_covers`. A state consists of the number of chosen options
    for each primary item, the color of each secondary item, and the cost. An item leaves the state
    with its last option, so narrow problems of any length have few states. Returns None if there
    are more than `max_states`.
    """
    given, forbidden = set(given), set(forbidden)
    parsed = []  # the number, the primary items, and the colors of the secondary items
    for number, option in enumerate(options):
        primary = [entry for entry in option if entry in bounds]
        others = (entry for entry in option if entry not in bounds)
        secondary = dict(each if isinstance(each, tuple) else (each, None) for each in others)
        if primary and number not in forbidden:
            parsed.append((number, primary, secondary))
        elif number in given:
            return Counter()
    order = {item: position for position, item in enumerate(bounds)}
    parsed.sort(key=lambda each: min(order[item] for item in each[1]))
    last = {}
    for position, (_, primary, secondary) in enumerate(parsed):
        last |= dict.fromkeys([*primary, *secondary], position)
    if any(low > 0 and item not in last for item, (low, _) in bounds.items()):
        return Counter()
    unused = object()
    states = {(frozenset(), 0): 1}
    for position, (number, primary, secondary) in enumerate(parsed):
        following: Counter = Counter()
        for (values, cost), n_covers in states.items():
            state = dict(values)
            choices = [] if number in given else [(state, cost)]
            if all(state.get(item, 0) < bounds[item][1] for item in primary) and all(
                state.get(item, unused) is unused or (color is not None and state[item] == color)
                for item, color in secondary.items()
            ):
                counts = {item: state.get(item, 0) + 1 for item in primary}
                choices.append((state | counts | secondary, cost + costs[number]))
            for chosen, its_cost in choices:
                ended = [item for item in (*primary, *secondary) if last[item] == position]
                if all(chosen.get(item, 0) >= bounds[item][0] for item in ended if item in bounds):
                    rest = frozenset((k, v) for k, v in chosen.items() if k not in ended)
                    following[rest, its_cost] += n_covers
        states = following
        if max_states is not None and len(states) > max_states:
            return None
    result: Counter = Counter()
    for (_, cost), n_covers in states.items():
        result[cost] += n_covers
    return result


def random_general_problem(
    seed: int, has_bounds: bool = True
) -> tuple[list[list], dict[int, tuple[int, int]], list[int]]:
    """Return options, the bounds of the primary items, and the secondary items (maybe colored).

    Without bounds, each primary item is covered once.
    """
    rng = random.Random(seed)
    n_primary, n_secondary = rng.randint(1, 6), rng.choice([0, 1, 2, 4])
    primary = range(n_primary)
    secondary = range(n_primary, n_primary + n_secondary)
    colors = rng.choice([0, 0, 2, 3])
    options = []
    for _ in range(rng.randint(0, 12)):
        option: list = rng.sample(primary, min(n_primary, rng.choice([0, 1, 1, 1, 2, 2, 3])))
        for item in rng.sample(secondary, rng.randint(0, min(2, n_secondary))):
            color = rng.randint(0, colors)
            option.append((item, f"c{color}") if color else item)
        rng.shuffle(option)
        options.append(option)
    several = rng.random() < 0.6 and has_bounds
    bounds = {}
    for item in primary:
        high = rng.choice([1, 1, 2, 3]) if several else 1
        low = rng.choice([high, rng.randint(0, high)])
        bounds[item] = (low if has_bounds else 1, high)
    return options, bounds, list(secondary)


def recursive_search(
    options: list[list], primary: Iterable, is_leftmost: bool
) -> tuple[list[list[int]], list[int]]:
    """Return the covers in the order of Algorithm X, and the number of nodes of each level.

    The algorithm is that of the literature, on lists, with the first item or the first of the
    smallest. Covers are no nodes.
    """
    items = list(primary)
    covers: list[list[int]] = []
    nodes = [0] * len(items)

    def search(left: list, available: list[int], chosen: list[int]) -> None:
        if not left:
            covers.append(sorted(chosen))
            return
        nodes[len(chosen)] += 1
        lists = {item: [k for k in available if item in options[k]] for item in left}
        item = left[0] if is_leftmost else min(left, key=lambda item: len(lists[item]))
        for k in lists[item]:
            rest = [j for j in available if not {*options[j]} & {*options[k]}]
            search([i for i in left if i not in options[k]], rest, [*chosen, k])

    search(items, list(range(len(options))), [])
    return covers, nodes


def colored_problem(seed: int) -> tuple[list[list], dict[int, tuple[int, int]], list[str]]:
    """Return random options that share colored items, the bounds, and the secondary items."""
    rng = random.Random(seed)
    n_primary = rng.randint(1, 5)
    secondary = [f"s{k}" for k in range(rng.randint(1, 3))]
    bounds = dict.fromkeys(range(n_primary), (1, 1))
    if seed % 3 == 0:
        bounds = {item: rng.choice([(1, 1), (1, 2), (0, 1), (2, 2)]) for item in bounds}
    options = []
    for _ in range(rng.randint(1, 14)):
        option: list = rng.sample(range(n_primary), min(n_primary, rng.choice([1, 1, 1, 2])))
        shared = [(item, rng.randint(0, 3)) for item in secondary if rng.random() < 0.7]
        option += [(item, f"c{color}") if color else item for item, color in shared]
        options.append(option)
    return options, bounds, secondary


def count_sudoku_solutions(
    board: Sequence[int], box: BoxShape, limit: int, max_nodes: int
) -> int | None:
    """Return the number of solutions of a board, up to `limit`, by backtracking.

    The cell with the fewest candidates is filled first. Returns None if the search tree has more
    than `max_nodes` nodes.
    """
    box = BoxShape(*box)  # also of one of the package
    n = box.n
    everything = 2 ** (n + 1) - 2
    units_of_cell = [
        (row, n + column, 2 * n + row // box.rows * box.rows + column // box.columns)
        for row, column in product(range(n), repeat=2)
    ]
    used = [0] * (3 * n)  # the digits in each row, column and box, as bits
    for cell, digit in enumerate(board):
        for unit in units_of_cell[cell]:
            if digit and used[unit] >> digit & 1:
                return 0
            used[unit] |= digit and 1 << digit
    blanks = {cell for cell, digit in enumerate(board) if not digit}
    n_nodes = 0

    def count(limit: int) -> int | None:
        nonlocal n_nodes
        n_nodes += 1
        if n_nodes > max_nodes:
            return None
        best, best_free, fewest = -1, 0, n + 1
        for cell in blanks:
            row, column, its_box = units_of_cell[cell]
            free = everything & ~(used[row] | used[column] | used[its_box])
            if free.bit_count() < fewest:
                best, best_free, fewest = cell, free, free.bit_count()
                if fewest <= 1:
                    break
        if best < 0:
            return 1
        blanks.remove(best)
        total: int | None = 0
        while best_free and total is not None and total < limit:
            bit = best_free & -best_free
            best_free ^= bit
            for unit in units_of_cell[best]:
                used[unit] ^= bit
            found = count(limit - total)
            total = None if found is None else total + found
            for unit in units_of_cell[best]:
                used[unit] ^= bit
        blanks.add(best)
        return total

    return count(limit)


def shuffled_lines(bands: int, lines: int, rng: random.Random) -> np.ndarray:
    """Return the rows of a board, or its columns, in an order in which bands stay together."""
    order = rng.sample(range(bands), bands)
    return np.array([band * lines + k for band in order for k in rng.sample(range(lines), lines)])


def random_solution(box: BoxShape, rng: random.Random) -> np.ndarray:
    """Return a complete board: a regular pattern with shuffled digits, lines, bands and stacks."""
    box = BoxShape(*box)  # also of one of the package
    digits = np.array(rng.sample(range(1, box.n + 1), box.n), np.uint8)
    rows = shuffled_lines(box.columns, box.rows, rng)[:, None]
    columns = shuffled_lines(box.rows, box.columns, rng)
    return digits[(rows % box.rows * box.columns + rows // box.rows + columns) % box.n].ravel()


def is_solution(solution: np.ndarray, board: np.ndarray, box: BoxShape) -> bool:
    """Return whether a complete board has each value once in each unit, and keeps the givens."""
    box = BoxShape(*box)  # also of one of the package
    rows = solution.reshape(box.n, box.n)
    boxes = solution.reshape(box.columns, box.rows, box.rows, box.columns).swapaxes(1, 2)
    units = np.concatenate([rows, rows.T, boxes.reshape(box.n, box.n)])
    is_complete = (np.sort(units) == range(1, box.n + 1)).all()
    return bool(is_complete and ((board == 0) | (board == solution)).all())


def random_board(box: BoxShape, rng: random.Random, blanks: int) -> np.ndarray:
    """Return a board with `blanks` empty cells; one in five has givens changed at random."""
    box = BoxShape(*box)  # also of one of the package
    board = random_solution(box, rng)
    board[rng.sample(range(box.cells), blanks)] = 0
    if rng.random() < 0.2:
        for cell in rng.sample(range(box.cells), 2):
            board[cell] = rng.randint(1, box.n)
    return board
