"""Checks of deductions: each step by its rule, on plain lists, and all of them by brute force."""

from itertools import islice

import dlx_numba as dlx

from . import oracles
from .diagnoses import can_add, statement_of
from .variants import MAX_BOARDS, TooManyBoards, random_variant, variant_solutions

MAX_SOLUTIONS = 300


def check_deduction(cover, deduction, limits=None):
    """Check the deduction of a small problem by all of its covers.

    `limits` has the weight of each option, and the lowest and highest sum of those of a cover.
    """
    options, bounds, given, forbidden = statement_of(cover)
    covers = [
        set(found)
        for found in oracles.multiple_covers(options, bounds)
        if given <= set(found) and not forbidden & set(found)
    ]
    if limits is not None:
        weights, low, high = limits
        covers = [found for found in covers if low <= sum(weights[k] for k in found) <= high]
    remaining = State(options, bounds, given, forbidden)
    for step in deduction:
        check_step(remaining, step)
        for found in covers:
            assert not found & set(step.removed), step
            assert step.chosen is None or step.chosen in found, step
        remaining.take(step)
        assert step.text.endswith(".")
        assert step.items
    assert deduction.done
    if deduction.refuted:
        assert not covers
        is_short = any(remaining.n_options(item) < remaining.needs(item) for item in bounds)
        assert is_short or limits is not None
    elif deduction.cover is not None:
        assert [set(deduction.cover)] == covers
    else:
        assert remaining.available
        assert all(
            remaining.n_options(i) != remaining.needs(i) or not remaining.needs(i) for i in bounds
        )
        assert not any(remaining.excludes_all(k) for k in remaining.available)
    if len(covers) != 1:
        assert deduction.cover is None


class State:
    """The options that are left, and those chosen."""

    def __init__(self, options, bounds, given, forbidden):
        self.options, self.bounds, self.chosen = options, bounds, set(given)
        usable = (k for k, option in enumerate(options) if any(e in bounds for e in option))
        self.available = {k for k in usable if k not in forbidden | given}
        self.available -= {k for k in self.available if not self.fits(k, self.chosen)}

    def fits(self, option, chosen):
        entries = [entry for k in chosen for entry in self.options[k]]
        return all(can_add(entry, entries, self.bounds) for entry in self.options[option])

    def take(self, step):
        assert set(step.removed) <= self.available
        self.available -= set(step.removed)
        if step.chosen is not None:
            self.available.remove(step.chosen)
            self.chosen.add(step.chosen)
            assert all(self.fits(k, self.chosen) for k in self.available)

    def containing(self, item):
        return {k for k in self.available if item in self.items(k)}

    def items(self, option):
        entries = self.options[option]
        return {e[0] if isinstance(e, tuple) and e not in self.bounds else e for e in entries}

    def n_options(self, item):
        return len(self.containing(item))

    def needs(self, item):
        n_chosen = sum(item in self.options[k] for k in self.chosen)
        return max(0, self.bounds[item][0] - n_chosen)

    def excludes_all(self, option):
        """Whether the choice of an option leaves an item with too few options at once."""
        chosen = self.chosen | {option}
        rest = {k for k in self.available - {option} if self.fits(k, chosen)}
        return any(
            len({k for k in rest if item in self.options[k]})
            < self.needs(item) - (item in self.options[option])
            for item in self.bounds
        )


def check_step(remaining, step):
    """Check that a step follows by its rule from what is left."""
    if step.kind == "only":
        [item] = step.items
        assert remaining.n_options(item) == remaining.needs(item) > 0
        assert step.chosen in remaining.containing(item)
        chosen = remaining.chosen | {step.chosen}
        excluded = {k for k in remaining.available - {step.chosen} if not remaining.fits(k, chosen)}
        assert set(step.removed) == excluded
        return
    assert step.chosen is None
    assert step.removed
    if step.kind == "conflict":
        assert all(remaining.excludes_all(k) for k in step.removed)
    elif step.kind == "set":
        bases, others = step.items[: step.size], step.items[step.size :]
        assert len({*step.items}) == 2 * step.size
        own = [remaining.containing(item) for item in bases]
        assert all(remaining.needs(item) > 0 for item in bases)
        assert sum(map(len, own)) == len(set().union(*own))
        taken = set().union(*map(remaining.containing, others))
        assert set().union(*own) <= taken
        assert set(step.removed) == taken - set().union(*own)
    else:
        assert step.size >= 1
        assert len(step.removed) == 1


def random_board(box, names, rng):
    """Return a board with at most `MAX_SOLUTIONS`, random rules of these names, and the solutions.

    Most boards have solutions.
    """
    n_givens = rng.randrange(box.n) if box.n == 4 else rng.randint(8, 20)
    board, rules = random_variant(box, names, rng, n_givens)
    try:
        while True:
            found = variant_solutions(board, box, rules, MAX_BOARDS)
            solutions = [*islice(found, MAX_SOLUTIONS + 1)]
            if len(solutions) <= MAX_SOLUTIONS:
                return board, rules, solutions
            cell = rng.choice([cell for cell, value in enumerate(board) if not value])
            board[cell] = solutions[0][cell]
    except TooManyBoards:
        return random_board(box, names, rng)


def check_board_deduction(board, box, rules, solutions):
    """Check each step on a board by all of its solutions."""
    stated = dlx.SudokuRules(**rules)
    try:
        deduction = dlx.deduce(board, stated, box=box)
    except dlx.NoSolution:  # of the givens
        assert not solutions
        return
    names = deduction.source.named.names.options
    covers = []
    stated_names = {*names}
    if solutions:
        cover = stated.exact_cover(box, puzzle=board)
        stated_names = {*cover.option_names}  # without those of single cells, which are narrowed
        covers = [{cover.option_names[k] for k in found} for found in cover.solve()]
        assert sorted(map(placements, covers)) == sorted(
            placements(options_of(solution, box, {*names})) for solution in solutions
        )
    for step in deduction:
        removed = {names[k] for k in step.removed}
        assert step.cells, f"{step}: a step that neither places nor excludes a digit"
        assert "`" not in step.text, f"{step}: the name of an option"
        for found in covers:
            assert not removed & found, step
            name = None if step.chosen is None else names[step.chosen]
            assert name is None or name in found or name not in stated_names, step
        assert step.text.endswith(".")
    assert deduction.done
    assert not deduction.refuted or not covers
    if deduction.cover is not None:
        assert [{names[k] for k in deduction.cover} & stated_names] == covers
    assert deduction.refuted == (not covers)
    assert (deduction.cover is not None) == (len(covers) == 1)


def options_of(solution, box, names):
    """Return the placements of a solution that are options: those of the first cells of clones."""
    placed = {f"r{k // box.n + 1}c{k % box.n + 1}={value}" for k, value in enumerate(solution)}
    return placed & names


def placements(options):
    return sorted(name for name in options if name[:1] == "r" and name[1:2].isdigit())
