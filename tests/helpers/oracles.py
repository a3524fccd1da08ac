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


def random_board(box: Box, rng: random.Random, blanks: int) -> np.ndarray:
    """Return a board with `blanks` empty cells; one in five has givens changed at random."""
    board = random_solution(box, rng)
    board[rng.sample(range(box.cells), blanks)] = 0
    if rng.random() < 0.2:
        for cell in rng.sample(range(box.cells), 2):
            board[cell] = rng.randint(1, box.n)
    return board


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
