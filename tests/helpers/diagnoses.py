"""Checks of diagnoses that use nothing but the statement of the problem."""

import random

import numpy as np

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem

from . import oracles


def tiling(rows, columns, shape, holes=(), **keywords):
    """Return the problem of covering a board by one shape, such as "### .#.", in all positions."""
    matrix = np.array([[symbol == "#" for symbol in line] for line in shape.split()])
    turned = [np.rot90(side, k) for side in (matrix, matrix.T) for k in range(4)]
    shapes = {tuple(map(tuple, np.argwhere(each).tolist())) for each in turned}
    board = [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in holes]
    placed = [[(r + a, c + b) for a, b in each] for each in sorted(shapes) for r, c in board]
    return dlx.ExactCover([p for p in placed if set(p) <= set(board)], items=board, **keywords)


def statement_of(cover):
    """Return the options, the bounds of the primary items, and given and forbidden options."""
    problem, settings = cover.problem, named_problem(cover).settings
    low = problem.lows
    high = problem.highs
    bounds = dict(zip(cover.items, zip(low.tolist(), high.tolist(), strict=True), strict=False))
    return cover.options, bounds, set(settings.given), set(settings.forbidden)


def has_cover(options, bounds, given=(), forbidden=()):
    """Return whether a small problem has a cover with the given and without forbidden options."""
    costs = [0] * len(options)
    return oracles.cover_costs(options, bounds, costs, given, forbidden).total() > 0


def item_of(entry, bounds):
    return entry[0] if isinstance(entry, tuple) and entry not in bounds else entry


def can_add(entry, chosen, bounds):
    """Return whether an option with an entry can join options with the entries `chosen`."""
    if entry in bounds:
        return chosen.count(entry) < bounds[entry][1]
    others = [other for other in chosen if item_of(other, bounds) == item_of(entry, bounds)]
    return all(other == entry and isinstance(entry, tuple) for other in others)


def check_numbers(cover, values, modulus=None):
    """Check that numbers of items prove that there is no cover: only sums are computed.

    The sums of the options are multiples of the modulus, or at least 0 without one.
    """
    options, bounds, given, forbidden = statement_of(cover)
    known = set(cover.items)
    items = [[entry if entry in known else entry[0] for entry in option] for option in options]
    chosen = [entry for k in given for entry in options[k]]
    possible = [
        k
        for k, option in enumerate(options)
        if k not in given | forbidden
        and any(entry in bounds for entry in option)
        and all(can_add(entry, chosen, bounds) for entry in option)
    ]
    # An item is covered at most once if the options that can be chosen do not color it.
    colored = {item for k in (*given, *possible) for item in items[k] if item not in options[k]}
    assert not colored & set(values)
    sums = [sum(values.get(item, 0) for item in items[k]) for k in possible]
    used, total = [item for k in given for item in items[k]], 0
    for item, value in values.items():
        low, high = bounds.get(item, (0, 1))
        assert modulus is None or (value and low == high)
        total += value * ((high if value > 0 else low) - used.count(item))
    if modulus is None:
        assert min(sums, default=0) >= 0 > total
    else:
        assert modulus >= 2
        assert not any(each % modulus for each in sums)
        assert total % modulus


def check_diagnosis(cover, diagnosis):
    """Check a diagnosis of a small problem by brute force."""
    options, bounds, given, forbidden = statement_of(cover)
    blamed = [item for each in (diagnosis, *diagnosis.others) for item in each.items]
    assert len(blamed) == len({*blamed})
    for other in diagnosis.others:
        if other.kind == "coloring":
            check_numbers(cover, other.values, other.modulus)
        else:
            assert not has_relaxed_cover(options, bounds, given, forbidden, other.items)
    assert (diagnosis.kind == "solvable") == has_cover(options, bounds, given, forbidden)
    if diagnosis.kind == "coloring":
        check_numbers(cover, diagnosis.values, diagnosis.modulus)
    if diagnosis.kind != "conflict":
        return
    blamed = diagnosis.items
    assert not has_relaxed_cover(options, bounds, given, forbidden, blamed)
    if diagnosis.is_minimal:
        for item in blamed:
            rest = [other for other in blamed if other != item]
            assert has_relaxed_cover(options, bounds, given, forbidden, rest)
    conditions = diagnosis.conditions
    stated = options, bounds, blamed
    assert not has_cover_with(*stated, conditions)
    everything = [
        *(("given", k) for k in given),
        *(("forbidden", k) for k in forbidden),
        *(("multiplicity", item) for item, pair in bounds.items() if pair != (1, 1)),
    ]
    for condition in conditions if diagnosis.is_minimal else ():
        assert has_cover_with(*stated, [c for c in conditions if c != condition])
        everywhere = options, bounds, cover.items
        is_helpful = has_cover_with(*everywhere, [c for c in everything if c != condition])
        assert is_helpful or condition not in diagnosis.helpful
        assert not is_helpful or diagnosis.others or condition in diagnosis.helpful


def has_cover_with(options, bounds, items, conditions):
    """Return whether options meet the requirements of some items under some conditions.

    Items without a condition are covered once.
    """
    kept = {item for kind, item in conditions if kind == "multiplicity"}
    bounds = {item: pair if item in kept else (1, 1) for item, pair in bounds.items()}
    numbers = ({k for kind, k in conditions if kind == name} for name in ("given", "forbidden"))
    return has_relaxed_cover(options, bounds, *numbers, items)


def has_relaxed_cover(options, bounds, given, forbidden, items):
    """Return whether options meet the requirements of some items, whatever the others require."""
    kept = [[e for e in option if item_of(e, bounds) in items] for option in options]
    bounds = {item: pair for item, pair in bounds.items() if item in items}
    unbounded = {("always", k): (0, 1) for k in range(len(options))}  # makes each option primary
    kept = [[*option, ("always", k)] for k, option in enumerate(kept)]
    return has_cover(kept, {**bounds, **unbounded}, given, forbidden)


def random_conditions(rng: random.Random, options, bounds, secondary):
    """Return a problem with random given and forbidden options, or None if they conflict."""
    numbers = [k for k, option in enumerate(options) if any(e in bounds for e in option)]
    given = rng.sample(numbers, min(len(numbers), rng.choice([0, 0, 1, 2])))
    forbidden = [k for k in range(len(options)) if k not in given and rng.random() < 0.2]
    try:
        return dlx.ExactCover(
            options, list(bounds), secondary, multiplicity=bounds, given=given, forbidden=forbidden
        )
    except ValueError:
        return None
