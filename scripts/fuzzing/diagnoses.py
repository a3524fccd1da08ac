"""A campaign for diagnoses: colorings are checked by sums, all others by brute force."""

import random
from functools import partial
from pathlib import Path

from dlx_numba import ExactCover
from tests.helpers import oracles
from tests.helpers.diagnoses import check_diagnosis, random_conditions

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
    check(
        diagnosis.kind == "statement" or (diagnosis.modulus is not None) == has_coloring,
        f"{diagnosis.kind}, but there is {'a' if has_coloring else 'no'} coloring",
    )


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
