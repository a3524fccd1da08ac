"""Symmetries and orbits by brute force, and random problems that have symmetries."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations, product

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem

from .diagnoses import statement_of


def symmetric_problem(seed: int) -> dlx.ExactCover:
    """Return a random problem whose options are closed under a random permutation of the items.

    It may have secondary items with colors, multiplicities, costs, options that appear several
    times, and given and forbidden options.
    """
    rng = random.Random(seed)
    n_primary, n_secondary = rng.randint(1, 5), rng.randint(0, 2)
    colors = "xyz"[: rng.randint(0, 3)] if n_secondary else ""
    primary, secondary = range(n_primary), range(n_primary, n_primary + n_secondary)
    image = {**_shuffled(rng, primary), **_shuffled(rng, secondary)}
    recolored = {item: _shuffled(rng, colors) for item in secondary}

    def move(option: frozenset) -> frozenset:
        pairs = ((image[i], recolored[i][c] if c else "") for i, c in option)
        return frozenset(pairs)

    options: list[frozenset] = []
    costs: list[int] = []
    for _ in range(rng.randint(1, 4)):
        if len(options) > 10:
            break
        items = rng.sample(primary, rng.randint(rng.random() > 0.1, min(3, n_primary)))
        items += rng.sample(secondary, rng.randint(0, n_secondary))
        start = option = frozenset(
            (i, rng.choice(colors) if i >= n_primary and colors and rng.random() < 0.7 else "")
            for i in items
        )
        orbit = [option]
        while (option := move(option)) != start:
            orbit.append(option)
        orbit *= rng.choice([1, 1, 1, 2])
        options += orbit
        costs += [rng.randint(0, 2)] * len(orbit)
    order = rng.sample(range(len(options)), len(options))
    multiplicity = None
    if rng.random() < 0.3:
        bounds = [(low := rng.randint(0, 2), low + rng.randint(not low, 2)) for _ in range(2)]
        multiplicity = {i: bounds[0] if rng.random() < 0.7 else bounds[1] for i in primary}
    cover = dlx.ExactCover(
        [[(i, c) if c else i for i, c in sorted(options[k])] for k in order],
        list(primary),
        list(secondary),
        multiplicity=multiplicity,
        costs=[costs[k] for k in order] if rng.random() < 0.3 else None,
        presolve=rng.random() < 0.3,
    )
    given: list[int] = []
    forbidden: list[int] = []
    if rng.random() < 0.3:
        forbidden = rng.sample(range(len(order)), rng.randint(0, min(2, len(order))))
        solution = cover.replace(forbidden=forbidden).first()
        if solution and rng.random() < 0.7:
            given = rng.sample(solution, 1)
    return cover.replace(given=given, forbidden=forbidden)


def union(covers: Iterable[dlx.ExactCover], rng: random.Random, **settings) -> dlx.ExactCover:
    """Return a problem that consists of independent problems, in random order."""
    rows: list[tuple[list, int, bool, bool]] = []  # items, cost, and whether given or forbidden
    secondary: list[tuple] = []
    multiplicity: dict[tuple, tuple[int, int]] = {}
    for part, cover in enumerate(covers):
        options, bounds, given, forbidden = statement_of(cover)
        name = {item: (part, item) for item in cover.items}
        multiplicity |= {name[item]: pair for item, pair in bounds.items()}
        secondary += [*name.values()][len(bounds) :]
        for k, option in enumerate(options):
            items = [name[e] if e in name else (name[e[0]], e[1]) for e in option]
            rows.append((items, named_problem(cover).cost([k]), k in given, k in forbidden))
    primary = list(multiplicity)
    for each in (rows, primary, secondary):
        rng.shuffle(each)
    return dlx.ExactCover(
        [row[0] for row in rows],
        primary,
        secondary,
        multiplicity=multiplicity,
        costs=[row[1] for row in rows],
        given=[k for k, row in enumerate(rows) if row[2]],
        forbidden=[k for k, row in enumerate(rows) if row[3]],
        **settings,
    )


def _shuffled(rng: random.Random, values) -> dict:
    """Return a random permutation, often without changes."""
    values = list(values)
    images = rng.sample(values, len(values)) if rng.random() < 0.8 else values
    return dict(zip(values, images, strict=True))


def symmetries(cover: dlx.ExactCover) -> Iterator[tuple[dict, list[int]]]:
    """Yield all symmetries of a small problem: the images of the items, and those of the options.

    Tries all permutations of the items, with all bijections of the colors.
    """
    options, bounds, given, forbidden = statement_of(cover)
    rows = [
        frozenset(each if isinstance(each, tuple) else (each, "") for each in o) for o in options
    ]
    keys, seen = [], Counter()  # equal options are numbered
    for k, row in enumerate(rows):
        key = row, named_problem(cover).cost([k]), k in given, k in forbidden
        seen[key] += 1
        keys.append((*key, seen[key]))
    number_of = {key: k for k, key in enumerate(keys)}
    colors_of = {
        item: sorted({c for row in rows for i, c in row if i == item and c}) for item in cover.items
    }
    kinds = {item: (bounds.get(item), len(colors)) for item, colors in colors_of.items()}
    parts = cover.items[: len(bounds)], cover.items[len(bounds) :]
    for one, two in product(*map(permutations, parts)):
        image = dict(zip(cover.items, one + two, strict=True))
        if any(kinds[item] != kinds[image[item]] for item in image):
            continue
        for colored in product(*(permutations(colors_of[image[i]]) for i in image)):
            color = {
                (i, c): new
                for i, images in zip(image, colored, strict=True)
                for c, new in zip(colors_of[i], images, strict=True)
            }
            moved = [
                (frozenset((image[i], color[i, c] if c else "") for i, c in key[0]), *key[1:])
                for key in keys
            ]
            if all(key in number_of for key in moved):
                yield image, [number_of[key] for key in moved]


def orbits(solutions: list[list[int]], group: list[list[int]]) -> list[list[list[int]]]:
    """Return the solutions in sets that a group maps to each other, each in ascending order."""
    remaining, found = {tuple(solution) for solution in solutions}, []
    for solution in sorted(remaining):
        if solution in remaining:
            orbit = {tuple(sorted(images[k] for k in solution)) for images in group}
            assert orbit <= remaining
            remaining -= orbit
            found.append([list(each) for each in sorted(orbit)])
    return found


def closure(generators: list[list[int]], identity: list[int]) -> set[tuple[int, ...]]:
    """Return the group that some permutations generate."""
    elements = {tuple(identity)}
    new = list(elements)
    while new:
        products = {tuple(each[k] for k in element) for element in new for each in generators}
        new = list(products - elements)
        elements.update(new)
    return elements
