"""Hashiwokakero: a comparison with brute force, drawings, and the command line."""

import json
import random
from collections import Counter
from itertools import product

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.answer import find_answer
from dlx_numba.puzzles.logic.hashiwokakero import PUZZLE
from tests.helpers.processes import invoke
from tests.helpers.puzzles import parse_one, parse_text
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


def bridges(puzzle, cover):
    """Return the number of bridges between each two islands, from the picture of a cover."""
    lines = [line for option in cover for line in puzzle.picture.lines[option]]
    return frozenset(Counter(tuple((r, c // 2) for r, c in line) for line in lines).items())


def test_random_puzzles_by_brute_force():
    n_disconnected = 0
    for seed in seeds(300):
        drawing, islands = random_puzzle(random.Random(seed))
        puzzle = dlx.example("hashiwokakero", puzzle=drawing)
        expected = {(frozenset(built.items()), ok) for built, ok in brute_force(islands)}
        covers = puzzle.cover().solve()
        assert {(bridges(puzzle, each), puzzle.condition(each)) for each in covers} == expected
        assert len(covers) == len(expected)
        n_solutions = puzzle.count()
        assert n_solutions == sum(is_connected for _, is_connected in expected)
        n_disconnected += len(covers) - n_solutions
        rows = drawing.split("/")
        single = f"{len(rows)} {len(rows[0])} 1\n" + "\n".join(" ".join(row) for row in rows)
        n_single = sum(ok and {*built.values()} <= {1} for built, ok in brute_force(islands))
        assert parse_one(single, "hashiwokakero").count() == n_single
    assert n_disconnected


def test_the_most_bridges_are_1_or_2():
    [error] = parse_text("1 3 3\n1 - 1", "hashiwokakero")
    assert str(error) == "<text>:1: the most bridges between two islands are 1 or 2, not 3"


def test_drawings_are_read():
    example = dlx.example("hashiwokakero")
    text = example.text(example.first())
    drawing = PUZZLE.replace("/", "\n")
    puzzles = parse_text(f"{drawing}\n\n \n1.3\n...\n..2\n\n1.1\n...\n1.1\n", "hashiwokakero")
    assert [puzzle.count() for puzzle in puzzles] == [1, 1, 0]
    assert [puzzle.place for puzzle in puzzles] == ["<text>:1", "<text>:12", "<text>:16"]
    assert puzzles[0].text(puzzles[0].first()) == text
    assert example.svg(example.first()).count("<circle") == 24
    text = "2.3\n...\n1.2\n\n1.3\n..\n..2\n\n2.2\n"
    first, error, third = parse_text(text, "hashiwokakero")
    assert [first.place, third.place] == ["<text>:1", "<text>:9"]
    assert str(error) == "<text>:6: 2 symbols instead of 3"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("...\n...", ":1: there are no islands to connect"),
        ("1.3\n.9.\n..2", ":2: symbol 2, '9', is not a number from 1 to 8"),
        ("3 3\n1 - 3\n- - -", ":3: the text ends; line 4 of it is missing"),
        ("3 3\n1 - 3\n- - -\n- - 2\n- - -", ":5: there are more than 3 rows"),
        ("1 - 3\n- - -\n- - 2", ":1: the first line must be the size: 2 numbers from 1"),
        ('{"rows": []}', ":1: expected a text"),
    ],
)
def test_errors_in_drawings(text, reason):
    [error] = parse_text(text, "hashiwokakero")
    assert f"<text>{reason}" in str(error)


def test_a_collection_is_read():
    rows = "3 3\n1 - 3\n- - -\n- - 2"
    records = {"a": {"problem": rows}, "b": {"problem": "2 2\n1 -\n- x"}}
    text = json.dumps({"name": "Hashi", "data": records})
    first, error = parse_text(text, "hashiwokakero", "file")
    assert (first.place, first.count(), error.source, error.line) == ("file, a", 1, "file, b", 3)


def test_disconnected_covers_are_no_solutions():
    disconnected = "1.1/.../1.1"
    puzzle = dlx.example("hashiwokakero", puzzle=disconnected)
    assert (puzzle.first(), puzzle.count(), puzzle.cover().count()) == (None, 0, 2)
    source = f"hashiwokakero:puzzle={disconnected}"
    out, err = invoke("solve", source, status=1)
    assert out == "# no solution\n"
    assert err.endswith(f"\n`dlx-numba diagnose {source}` explains why a puzzle has no solution\n")
    out, _ = invoke("diagnose", source, status=1)
    assert out == "All covers violate a condition of the puzzle that is not about items.\n"
    assert invoke("count", source, status=1)[0] == "0\n"


@pytest.mark.parametrize("puzzle", ["", "1.1/1", "9", "...", "1,1"])
def test_invalid_puzzles(puzzle):
    with pytest.raises(ValueError, match=r"symbol|there are no islands|the size"):
        dlx.example("hashiwokakero", puzzle=puzzle)


SOLUTIONS = [
    ("3 3\n- 1 -\na - b\n- - -", ""),
    ("3 3\n- 2 -\n- - a\n- 1 -", ""),
    ("2───3\n│   ║\n1   2", ""),
    ("2═══3\n    │\n1───2", ""),
    ("3 3\n- 2 -\n- - a\n- - -", "the solution in the file is wrong"),
    ("3 3\n- 2 -\n- 1 a\n- 1 -", "the solution in the file is wrong"),
    ("2═══3\n    ║\n1───2", "the solution in the file is wrong"),
]


@pytest.mark.parametrize(("solution", "message"), SOLUTIONS)
def test_solutions_of_the_collection_are_verified(solution, message):
    record = {"problem": "3 3\n2 - 3\n- - -\n1 - 2", "solution": solution}
    puzzles = parse_text(json.dumps({"name": "Hashi", "data": {"1": record}}), "hashiwokakero")
    for puzzle in puzzles:
        if message:
            with pytest.raises(ValueError, match=message):
                find_answer(puzzle)
        else:
            assert find_answer(puzzle) in [list(each) for each in puzzle.solutions()]
