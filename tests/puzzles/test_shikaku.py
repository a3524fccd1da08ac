"""Shikaku: a comparison with brute force."""

import random
from itertools import product

import pytest

from tests.helpers.puzzles import parse_one, parse_text
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled


def count_divisions(free, givens, n_rows, n_columns):
    """Return the number of divisions of free cells into rectangles, each with a fitting given."""
    if not free:
        return 1
    top, left = min(free)
    count = 0
    for bottom, right in product(range(top, n_rows), range(left, n_columns)):
        cells = {*product(range(top, bottom + 1), range(left, right + 1))}
        inside = [givens[cell] for cell in cells & givens.keys()]
        if cells <= free and len(inside) == 1 and inside[0] in ("?", str(len(cells))):
            count += count_divisions(free - cells, givens, n_rows, n_columns)
    return count


def test_random_puzzles_by_brute_force():
    for seed in seeds(1000):
        rng = random.Random(seed)
        n_rows, n_columns = rng.randint(1, 4), rng.randint(2, 4)
        cells = [*product(range(n_rows), range(n_columns))]
        places = rng.sample(cells, rng.randint(1, len(cells) // 2))
        givens = {cell: rng.choice("??24") for cell in places}
        rows = [[givens.get((r, c), "-") for c in range(n_columns)] for r in range(n_rows)]
        text = "\n".join([f"{n_rows} {n_columns}", *map(" ".join, rows)])
        expected = count_divisions({*cells}, givens, n_rows, n_columns)
        [puzzle] = parse_text(text, "shikaku")
        if isinstance(puzzle, ValueError):  # the areas are too many or too few
            assert expected == 0
        else:
            assert puzzle.count() == expected


def test_unknown_areas_are_drawn_as_they_are_given():
    puzzle = parse_one("2 2\n? -\n- 2", "shikaku")
    assert (puzzle.count(), puzzle.text([])) == (2, "? -\n- 2")
    [error] = parse_text("2 2\n? ? \n? 2", "shikaku")
    assert str(error) == "<text>:1: the areas sum to 2, not to 2×2, and 3 areas unknown"
