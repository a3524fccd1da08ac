"""Hashiwokakero: a comparison with brute force, drawings, and the command line."""

import json
import random
from collections import Counter
from itertools import product

import pytest

import dlx_numba as dlx
from dlx_numba.kinds.logic import star_battle
from dlx_numba.kinds.logic.hashiwokakero import PUZZLE, recognize
from dlx_numba.kinds.reading import read_any
from dlx_numba.runtime.source import named_stream
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
    assert n_disconnected


def test_drawings_are_read():
    example = dlx.example("hashiwokakero")
    text = example.text(example.first())
    drawing = PUZZLE.replace("/", "\n")
    puzzles = list(dlx.read(f"{' '.join(drawing)}\n\n \n1.3\n...\n..2\n\n1.1\n...\n1.1\n"))
    assert [puzzle.count() for puzzle in puzzles] == [1, 1, 0]
    assert [puzzle.place for puzzle in puzzles] == ["<text>:1", "<text>:12", "<text>:16"]
    assert puzzles[0].text(puzzles[0].first()) == text
    [puzzle] = dlx.read(f"{PUZZLE}\n")
    assert puzzle.text(puzzle.first()) == text
    assert example.svg(example.first()).count("<circle") == 24
    puzzles = dlx.read("2.3\n...\n1.2\n\n1.3\n..\n..2\n\n2.2\n")
    assert [next(puzzles).place, next(puzzles).place] == ["<text>:1", "<text>:9"]
    with pytest.raises(dlx.FormatError, match="<text>:5: puzzle must have rows of equal length"):
        next(puzzles)


def test_boards_are_not_taken_for_bridges():
    for box in ("2x2", "2x3", "2x4", "3x3"):
        n = dlx.Box.parse(box).n
        for board in dlx.generate(100, box=box, seed=1).strings():
            lines = [board[k : k + n] for k in range(0, n * n, n)]
            assert not recognize("\n".join(lines))
            assert not recognize("\n".join([board] * 2))


WATER = {  # boards of the formats of tqthienda1/Hashiwokakero and taleroangel/hashiwokakero
    "0, 2, 0, 5, 0, 0, 2\n0, 0, 0, 0, 0, 0, 0\n4, 0, 2, 0, 2, 0, 4\n0, 0, 0, 0, 0, 0, 0\n"
    "0, 1, 0, 5, 0, 2, 0\n0, 0, 0, 0, 0, 0, 0\n4, 0, 0, 0, 0, 0, 3\n": 1,
    "5,5\n00000\n20300\n00000\n10301\n00000\n": 2,
    "7,7\n0100202\n2004010\n0010203\n0004000\n4050100\n0003002\n2040010\n": 1,
    "300400003\n020003020\n100000003\n000000000\n040305005\n100000200\n000000001\n"
    "010001000\n200300401\n": 1,
}


def test_sizes_on_lines_and_with_the_number_of_islands():
    board = "2 0 0 2\n0 0 0 0\n4 0 2 0\n2 0 0 2\n"
    [counted] = dlx.read(f"4 4 6\n{board}")  # this is clear although two islands touch
    [lines] = dlx.read(f"4\n4\n{board.replace('0', '*')}", "hashiwokakero")
    assert counted.picture == lines.picture
    assert counted.count() == 1
    assert not recognize(f"4 4 5\n{board}")


@pytest.mark.parametrize("text", WATER)
def test_zeros_may_be_water(text):
    rows = ["".join(row.split()).replace(",", "") for row in text.splitlines()]
    rows = rows[1:] if text[1:3] in (",5", ",7") else rows
    [puzzle] = dlx.read(text)
    example = dlx.example("hashiwokakero", puzzle="/".join(rows).replace("0", "."))
    assert puzzle.picture == example.picture
    assert puzzle.count() == example.count() == WATER[text]


@pytest.mark.parametrize(
    "text",
    [
        "101\n000\n101\n",  # a matrix
        "0 2 4\n1 3 5\n0 3 5\n",  # numbered items
        "2002\n0000\n0000\n2002\n",  # a Sudoku with a mistake in each of four lines?
        "7,7\n2304020\n0000002\n1100133\n2008052\n3030001\n0020034\n3003102\n",  # adjacent
    ],
)
def test_digits_are_bridges_only_if_that_is_certain(text):
    assert recognize(text) == text.startswith("2002")
    assert not star_battle.recognize(text)


def test_a_collection_is_read():
    rows = "3 3\n1 - 3\n- - -\n- - 2"
    records = {"a": {"problem": rows}, "b": {"problem": "2 2\n1 -\n- x"}}
    text = json.dumps({"name": "Hashi", "data": records})
    first, error = read_any(named_stream(text.encode(), "file")).puzzles
    assert (first.place, first.count(), error.source, error.line) == ("file, a", 1, "file, b", 1)
    assert next(dlx.read(rows, kind="hashiwokakero")).count() == 1
    unknown = text.replace("Hashi", "Akari")
    with pytest.raises(ValueError, match=r"^file: no kind reads the puzzles of 'Akari'$"):
        read_any(named_stream(unknown.encode(), "file"))


def test_disconnected_covers_are_no_solutions():
    disconnected = "1.1/.../1.1"
    puzzle = dlx.example("hashiwokakero", puzzle=disconnected)
    assert (puzzle.first(), puzzle.count(), puzzle.cover().count()) == (None, 0, 2)
    source = f"hashiwokakero:puzzle={disconnected}"
    out, err = invoke("solve", source, status=1)
    assert out == "# no solution\n"
    assert err.endswith("\n`diagnose FILE` explains why a puzzle has no solution\n")
    out, _ = invoke("diagnose", source, status=1)
    assert out == "All covers violate a condition of the puzzle that is not about items.\n"
    assert invoke("count", source, status=1)[0] == "0\n"


@pytest.mark.parametrize("puzzle", ["", "1.1/1", "9", "...", "1,1"])
def test_invalid_puzzles(puzzle):
    with pytest.raises(ValueError, match=r"puzzle (must have rows|has no islands)"):
        dlx.example("hashiwokakero", puzzle=puzzle)


@pytest.mark.parametrize(
    ("solution", "message"),
    [
        ("3 3\n- 1 -\na - b\n- - -", ": a cover"),
        ("- 2 -\n- - a\n- 1 -", ": a cover"),
        ("- 2 -\n- - a\n- - -", "the island in r3c1 is not covered"),
        ("- 2 -\n- 1 a\n- 1 -", "the stated solution is malformed"),
        ("- 2\n- - a\n- 1 -", "the stated solution is malformed"),
    ],
)
def test_solutions_of_the_collection_are_verified(tmp_path, solution, message):
    path = tmp_path / "file.json"
    record = {"problem": "3 3\n2 - 3\n- - -\n1 - 2", "solution": solution}
    path.write_text(json.dumps({"name": "Hashi", "data": {"1": record, "2": record}}))
    out, _ = invoke("verify", path, status=0 if message == ": a cover" else 1)
    assert out.count(message) == 2


def test_bridges_without_cells_are_not_stated():
    record = {"problem": "2 3\n1 1 -\n- - -", "solution": "2 3\n- - -\n- - -"}
    assert [each.answer for each in dlx.read(json.dumps(record), "hashiwokakero")] == [""]
