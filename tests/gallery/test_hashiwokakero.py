"""Hashiwokakero: a comparison with brute force, known solutions, and the command line."""

import random
from collections import Counter
from itertools import product

import pytest

from dlx_numba.gallery import Hashiwokakero
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled


def facing_islands(islands):
    """Return the pairs of islands in a row or column with only water between them."""
    pairs = []
    for a, b in product(islands, repeat=2):
        if a < b and (a[0] == b[0] or a[1] == b[1]):
            inside = {c for c in islands if c not in (a, b) and a[0] <= c[0] <= b[0]}
            if not any(min(a[1], b[1]) <= c[1] <= max(a[1], b[1]) for c in inside):
                pairs.append((a, b))
    return pairs


def cross(across, down):
    (r, left), (_, right) = across
    (top, c), (bottom, _) = down
    return top < r < bottom and left < c < right


def count_ends(bridges):
    """Return the number of bridges that end at each island, from pairs of islands and numbers."""
    return Counter(island for pair, n in bridges for island in n * pair)


def brute_force(islands):
    """Yield all bridges that satisfy the numbers and do not cross, and whether they connect."""
    pairs = facing_islands(islands)
    for counts in product(range(3), repeat=len(pairs)):
        built = {pair: n for pair, n in zip(pairs, counts, strict=True) if n}
        crossings = (both for both in product(built, repeat=2) if cross(*both))
        if count_ends(built.items()) != islands or any(crossings):
            continue
        reached = {min(islands)}
        for _ in islands:
            reached |= {cell for pair in built if reached & {*pair} for cell in pair}
        yield built, len(reached) == len(islands)


def random_puzzle(rng):
    """Return a random puzzle with few places for bridges, and its islands."""
    while True:
        rows, columns = range(1, rng.randint(2, 6)), range(1, rng.randint(4, 6))
        cells = [(r, c) for r in rows for c in columns if rng.random() < 0.4]
        islands = count_ends((pair, rng.choice([0, 1, 1, 2])) for pair in facing_islands(cells))
        if islands and len(facing_islands(islands)) <= 8:
            puzzle = ["".join(str(islands.get((r, c), ".")) for c in columns) for r in rows]
            return "/".join(puzzle), islands


def test_random_puzzles_by_brute_force():
    n_disconnected = 0
    for seed in seeds(300):
        puzzle, islands = random_puzzle(random.Random(seed))
        hashiwokakero = Hashiwokakero(puzzle)
        expected = {(frozenset(built.items()), ok) for built, ok in brute_force(islands)}
        covers = hashiwokakero.cover().solve()
        found = set()
        for cover in covers:
            bridges = hashiwokakero.bridges(cover).items()
            pairs = frozenset(((span.start, span.end), n) for span, n in bridges)
            found.add((pairs, hashiwokakero.is_solution(cover)))
        assert found == expected
        assert len(covers) == len(expected)
        n_solutions = sum(1 for _ in hashiwokakero.solutions())
        assert n_solutions == sum(is_connected for _, is_connected in expected)
        n_disconnected += len(covers) - n_solutions
    assert n_disconnected


def test_picture_has_a_circle_for_each_island():
    assert Hashiwokakero().first().svg().count("<circle") == 24


def test_disconnected_covers_are_no_solutions():
    disconnected = "1.1/.../1.1"
    assert Hashiwokakero(disconnected).first() is None
    out, err = invoke("gallery", "hashiwokakero", f"puzzle={disconnected}", status=1)
    assert out == ""
    assert "There is no solution." in err
    assert "Altogether 0 solutions" in err
    _, err = invoke("gallery", "hashiwokakero", "--count", status=2)
    assert "--count: it would include covers that are no solutions" in err


@pytest.mark.parametrize("puzzle", ["", "1.1/1", "9", "...", "1,1"])
def test_invalid_puzzles(puzzle):
    with pytest.raises(ValueError, match=r"puzzle (must have rows|has no islands)"):
        Hashiwokakero(puzzle)
