"""Brute-force solvers that serve as oracles, and random problems and boards to compare with."""

import random
from collections.abc import Iterator

import numpy as np

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box


def covers(options: list[list[int]], primary: set[int]) -> Iterator[list[int]]:
    """Yield all exact covers: each primary item in one chosen option, any other in at most one."""

    def extend(chosen: list[int], covered: frozenset[int]) -> Iterator[list[int]]:
        missing = primary - covered
        if not missing:
            yield sorted(chosen)
            return
        item = min(missing)
        for number, option in enumerate(options):
            if item in option and covered.isdisjoint(option):
                yield from extend([*chosen, number], covered | set(option))

    return extend([], frozenset())


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


def random_cover_problem(seed: int) -> tuple[list[list[int]], list[int], list[int]]:
    """Return options, primary and secondary items; about half of the problems have a cover."""
    rng = random.Random(seed)
    n_primary, n_secondary = rng.randint(0, 8), rng.choice([0, 0, 1, 3])
    items = range(n_primary + n_secondary)
    options = [
        sorted(rng.sample(items, rng.randint(0, min(4, len(items)))))
        for _ in range(rng.randint(0, 14))
    ]
    if rng.random() < 0.5:  # insert a cover
        left = list(range(n_primary))
        rng.shuffle(left)
        while left:
            size = rng.randint(1, 3)
            options.insert(rng.randint(0, len(options)), sorted(left[:size]))
            left = left[size:]
    return options, list(items[:n_primary]), list(items[n_primary:])


def random_solution(box: Box, rng: random.Random) -> np.ndarray:
    """Return a complete board: a regular pattern with shuffled digits, lines, bands and stacks."""
    n = box.n
    digits = rng.sample(range(1, n + 1), n)

    def shuffled(bands: int, lines: int) -> list[int]:
        return [
            band * lines + line
            for band in rng.sample(range(bands), bands)
            for line in rng.sample(range(lines), lines)
        ]

    rows, columns = shuffled(box.columns, box.rows), shuffled(box.rows, box.columns)
    return np.array(
        [
            digits[(row % box.rows * box.columns + row // box.rows + column) % n]
            for row in rows
            for column in columns
        ],
        np.uint8,
    )


def is_solution(solution: np.ndarray, board: np.ndarray, box: Box) -> bool:
    """Return whether a complete board has each value once in each unit, and keeps the givens."""
    n = box.n
    rows = solution.reshape(n, n).tolist()
    kept = all(given in (0, value) for given, value in zip(board, solution, strict=True))
    boxes: dict[tuple[int, int], set[int]] = {}
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            boxes.setdefault((r // box.rows, c // box.columns), set()).add(value)
    values = set(range(1, n + 1))
    return kept and all(
        set(unit) == values for unit in [*rows, *zip(*rows, strict=True), *boxes.values()]
    )


def random_board(box: Box, rng: random.Random, blanks: int) -> np.ndarray:
    """Return a board with `blanks` empty cells; one in five has givens changed at random."""
    board = random_solution(box, rng)
    board[rng.sample(range(box.cells), blanks)] = 0
    if rng.random() < 0.2:
        for cell in rng.sample(range(box.cells), 2):
            board[cell] = rng.randint(1, box.n)
    return board


def sudoku_solutions(board: list[int], box: Box) -> Iterator[tuple[int, ...]]:
    """Yield all solutions of a board, 0 for an empty cell, by filling in its cells in order."""
    n = box.n

    def units_of(cell: int) -> list[tuple[str, int]]:
        row, column = divmod(cell, n)
        number = row // box.rows * box.rows + column // box.columns
        return [("row", row), ("column", column), ("box", number)]

    def extend(filled: list[int], placed: frozenset) -> Iterator[tuple[int, ...]]:
        if len(filled) == len(board):
            yield tuple(filled)
            return
        given = board[len(filled)]
        for value in [given] if given else range(1, n + 1):
            new = {(unit, value) for unit in units_of(len(filled))}
            if placed.isdisjoint(new):
                yield from extend([*filled, value], placed | new)

    yield from extend([], frozenset())


def eliminate(board: list[int], box: Box) -> list[int] | None:
    """Fill in the cells of a board that have a single candidate, until there are none.

    Return None if a cell has no candidate.
    """
    n = box.n
    cells = range(box.cells)

    def are_peers(one: int, other: int) -> bool:
        (row, column), (other_row, other_column) = divmod(one, n), divmod(other, n)
        same_box = (row // box.rows, column // box.columns) == (
            other_row // box.rows,
            other_column // box.columns,
        )
        return one != other and (row == other_row or column == other_column or same_box)

    candidates = [{value} if value else set(range(1, n + 1)) for value in board]
    decided = [cell for cell in cells if board[cell]]
    while decided:
        cell = decided.pop()
        for peer in cells:
            if are_peers(cell, peer) and candidates[peer] & candidates[cell]:
                candidates[peer] -= candidates[cell]
                if not candidates[peer]:
                    return None
                if len(candidates[peer]) == 1:
                    decided.append(peer)
    return [min(values) if len(values) == 1 else 0 for values in candidates]


def stated_problem(seed: int, choose: str, algorithm: str = "links", has_bounds: bool = True):
    """Return a random problem that uses all features of `ExactCover`, and its covers.

    Problems without multiplicities are the same for all algorithms.
    """
    rng = random.Random(seed)
    options, bounds, secondary = random_general_problem(seed, has_bounds)
    expected = list(multiple_covers(options, bounds))
    given, forbidden = [], []
    if rng.random() < 0.4:
        if expected:
            given = rng.sample(expected[0], min(len(expected[0]), rng.randint(0, 2)))
        forbidden = [k for k in range(len(options)) if k not in given and rng.random() < 0.1]
    expected = [
        cover for cover in expected if set(given) <= set(cover) and not set(forbidden) & set(cover)
    ]
    if choose == "sharp":  # every other item is sharp
        name = {item: "#" * (item % 2) + str(item) for item in [*bounds, *secondary]}
        options = [
            [(name[e[0]], e[1]) if isinstance(e, tuple) else name[e] for e in option]
            for option in options
        ]
        bounds = {name[item]: pair for item, pair in bounds.items()}
        secondary = [name[item] for item in secondary]
    cover = dlx.ExactCover(
        options,
        bounds,
        secondary,
        multiplicity=bounds,
        costs=[rng.randint(0, 9) for _ in options],
        choose=rng.sample(list(bounds), rng.randint(0, len(bounds))) if choose == "own" else choose,
        seed=seed,
        presolve=rng.random() < 0.5,
        given=given,
        forbidden=forbidden,
        algorithm=algorithm,
    )
    return cover, sorted(expected)
