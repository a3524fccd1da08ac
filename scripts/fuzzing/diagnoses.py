"""Campaigns for diagnoses and deductions, which are checked by sums and by brute force."""

import random
from functools import partial
from pathlib import Path

from dlx_numba import ExactCover
from dlx_numba.sudoku.box import Box
from tests.helpers import oracles
from tests.helpers.deductions import check_board_deduction, check_deduction, random_board
from tests.helpers.diagnoses import check_diagnosis, random_conditions, statement_of
from tests.helpers.variants import NAMES

from .checks import check, kept_on_failure


def diagnose_problems(rng: random.Random, folder: Path) -> None:
    """Check the diagnoses of a problem with all features, and of one with primary items only."""
    general = random_conditions(rng, *oracles.random_general_problem(rng.randrange(2**32)))
    n, size = rng.randint(1, 14), rng.randint(1, 7)
    plain = [rng.sample(range(n), min(n, rng.randint(1, size))) for _ in range(rng.randint(1, 22))]
    needed = [rng.choice([1, 1, 1, rng.randint(1, 3)]) for _ in range(n)]
    counted = ExactCover(plain, items=range(n), multiplicity=dict(enumerate(needed)))
    for cover in (general, counted):
        if cover is not None:
            with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
                diagnosis = cover.diagnose()
                check_diagnosis(cover, diagnosis)
    rows = [[option.count(item) for item in range(n)] for option in plain]
    has_coloring = not in_lattice(rows, needed)
    reasons = [diagnosis, *diagnosis.others]
    # The clash of two options may follow a smaller conflict that was found after it.
    clashes = [each for each in reasons if each.kind == "conflict" and len(each.items) == 3]
    proofs = [each for each in reasons if each.kind in ("statement", "coloring")]
    check(clashes or proofs or not has_coloring, f"{diagnosis.kind}, but there is a coloring")
    moduli = [each for each in reasons if each.modulus is not None]
    check(has_coloring or not moduli, f"{diagnosis.kind}, but there is no coloring")


def deduce_problems(rng: random.Random, folder: Path) -> None:
    """Check the deductions of problems with all features, and of a larger one."""
    seed = rng.randrange(2**32)
    stated = [oracles.random_general_problem(seed, has_bounds) for has_bounds in (True, False)]
    for problem in (*stated, larger_problem(rng)):
        cover = random_conditions(rng, *problem)
        if cover is not None:
            with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
                check_deduction(cover, cover.deduce(max_size=rng.randint(1, 4)))
                weights = [rng.randint(0, 2) for _ in range(cover.n_options)]
                low = rng.randint(0, 4)
                limits = weights, low, low + rng.randint(0, 4)
                options, bounds, given, forbidden = statement_of(cover)
                limited = ExactCover(
                    options,
                    list(bounds),
                    problem[2],
                    multiplicity=bounds,
                    given=given,
                    forbidden=forbidden,
                    totals={"t": limits},
                )
                check_deduction(limited, limited.deduce(max_size=rng.randint(1, 4)), limits)


def deduce_boards(rng: random.Random, folder: Path) -> None:
    """Check each step on boards with one to three rules by all of their solutions."""
    names = rng.sample(NAMES, rng.randint(1, 3))
    if rng.random() < 0.25:  # cells with the same value have one option
        names = [*{*names, rng.choice(["clones", "palindromes"])}]
    is_small = rng.random() < 0.75 or "windows" in names  # which need square boxes
    box = Box(2, 2) if is_small else Box(2, 3)
    board, rules, solutions = random_board(box, names, rng)
    text = f"{box}\n{board}\n{rules}"
    with kept_on_failure(folder / "board.txt", lambda: text):
        check_board_deduction(board, box, rules, solutions)


def larger_problem(rng):
    """Return options of a few items each, among which a cover is likely, and few others are."""
    n, options = rng.randint(6, 12), []
    bounds = {item: (1, 1) if rng.random() < 0.9 else (1, 2) for item in range(n)}
    secondary = range(n, n + rng.choice([0, 2, 5]))
    for _ in range(rng.randint(1, 3)):
        order = rng.sample(range(n), n)
        while order:
            options.append([order.pop() for _ in range(min(len(order), rng.randint(1, 3)))])
    options += [rng.sample(range(n), rng.randint(1, 3)) for _ in range(rng.randint(0, 10))]
    for option in options:
        for item in secondary:
            if rng.random() < 0.2:
                option.append((item, f"c{rng.randint(1, 2)}") if item % 2 else item)
    rng.shuffle(options)
    return options, bounds, [*secondary]


def in_lattice(rows, target):
    """Return whether a vector is an integer combination of rows, by Euclid's algorithm."""
    rows, target = [list(row) for row in rows], list(target)
    for column in range(len(target)):
        while len(active := [row for row in rows if row[column]]) > 1:
            pivot = min(active, key=lambda row: abs(row[column]))
            for row in active:
                if row is not pivot:
                    quotient = row[column] // pivot[column]
                    row[:] = [a - quotient * b for a, b in zip(row, pivot, strict=True)]
        if not active:
            if target[column]:
                return False
            continue
        quotient, rest = divmod(target[column], active[0][column])
        if rest:
            return False
        target = [a - quotient * b for a, b in zip(target, active[0], strict=True)]
        rows = [row for row in rows if row is not active[0]]
    return True
