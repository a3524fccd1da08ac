"""Futoshiki: a comparison with brute force, drawings, and the lines of errors."""

import random
import re
from functools import cache
from itertools import pairwise, permutations, product

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.answer import check_answer
from tests.helpers.puzzles import parse_one, parse_text
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled

FILE = """\
. . . < . 3
^ v
. . . . .
v

. . . . .
  v
. . . 4 .

. > . > . . 1
---
. < .

. .
---
1 > .
. .
---
1<.
^
. .
"""
DRAWN = """\
1   2   4 < 5   3
^   v
4   1   5   3   2
v
3   5   2   1   4
    v
2   3   1   4   5

5 > 4 > 3   2   1
"""


@cache
def latin_squares(n):
    """Return all n × n Latin squares, each as a dictionary from cells to numbers."""
    squares = product(permutations(range(1, n + 1)), repeat=n)
    return [
        {(r, c): number for r, row in enumerate(rows) for c, number in enumerate(row)}
        for rows in squares
        if all(len(set(column)) == n for column in zip(*rows, strict=True))
    ]


def holds(square, cell, other, sign):
    return square[cell] < square[other] if sign in "<^∧" else square[cell] > square[other]


def draw(n, numbers, signs, gap=" ", empty="\n"):
    """Draw a board, with signs between pairs of cells, and `empty` between rows without signs."""
    text = ""
    for r in range(n):
        for c in range(n):
            sign = gap + signs.get(((r, c), (r, c + 1)), " ") + gap
            text += str(numbers.get((r, c), ".")) + (sign if c < n - 1 else "\n")
        below = [signs.get(((r, c), (r + 1, c)), " ") for c in range(n)]
        line = f"{gap} {gap}".join(below).rstrip()
        text += f"{line}\n" if line else empty if r < n - 1 else ""
    return text


def random_board(rng, n):
    """Return random givens and signs of a board, which usually has a solution."""
    solution = rng.choice(latin_squares(n))
    givens = {cell: number for cell, number in solution.items() if rng.random() < 0.1}
    pairs = [((r, c), (r, c + 1)) for r in range(n) for c in range(n - 1)]
    pairs += [(left[::-1], right[::-1]) for left, right in pairs]
    signs = {}
    for pair in rng.sample(pairs, rng.randint(1, len(pairs) // 2)):
        is_less = holds(solution, *pair, "<") != (rng.random() < 0.05)
        signs[pair] = ("><" if pair[0][0] == pair[1][0] else "v^")[is_less]
    return givens, signs


def test_random_boards_by_brute_force():
    counts = set()
    for seed in seeds(500, 20):
        rng = random.Random(seed)
        n = rng.randint(2, 4)
        givens, signs = random_board(rng, n)
        text = draw(n, givens, signs, " " * rng.randint(0, 2), rng.choice(["", "\n", "  \n\n"]))
        puzzle = parse_one(text, "futoshiki")
        expected = {
            draw(n, square, signs)
            for square in latin_squares(n)
            if givens.items() <= square.items()
            and all(holds(square, *pair, sign) for pair, sign in signs.items())
        }
        found = [f"{puzzle.text(each)}\n" for each in puzzle.solutions()]
        assert len(found) == len(expected) == puzzle.count()
        assert set(found) == expected
        counts.add(min(len(found), 2))
        if found:
            solved = parse_one(found[0], "futoshiki")
            assert f"{solved.text(solved.first())}\n" == found[0]
    assert counts == {0, 1, 2}


def test_drawings_are_read():
    puzzles = parse_text(FILE, "futoshiki")
    assert [puzzle.count() for puzzle in puzzles] == [1, 1, 0, 1]
    assert [puzzle.place for puzzle in puzzles] == [f"<text>:{k}" for k in (1, 12, 16, 19)]
    texts = [puzzle.text(puzzle.first() or ()) for puzzle in puzzles]
    assert texts == [DRAWN.rstrip(), "1 < 2\n\n2   1", "1 > .\n\n.   .", "1 < 2\n^\n2   1"]


def test_two_rows_with_signs_are_no_size():
    puzzle = parse_one(".   .\nv   ^\n.   2\n", "futoshiki")
    assert check_answer(puzzle, ["2   1\nv   ^\n1   2"])["is_right"]
    assert check_answer(puzzle, ["2 2\n2 1\n1 2"])["is_right"]


def test_pictures_have_signs():
    puzzle = dlx.example("futoshiki")
    empty, solved = puzzle.svg([]), puzzle.svg(puzzle.first())
    assert (empty.count("<text"), solved.count("<text")) == (3, 25)
    assert empty.count('class="rule"') == solved.count('class="rule"') == 8  # the frame and 7 signs


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (". < .\n^\n. . .\n", 3, "a row must have 2 cells, dots or numbers up to 2"),
        (". < .\n\n. 3\n", 3, "a row must have 2 cells"),
        (". < x\n. .\n", 1, "a row must have 2 cells"),
        (". < < .\n. .\n", 1, "a row must have 2 cells"),
        (". <" * 25 + " .\n", 1, "a row must have 25 cells"),
        (". < .\n v\n. .\n", 2, "'v' is not directly below a cell"),
        ("^\n. .\n. .\n", 1, "'\\^' is not directly below a cell"),
        (". .\n^\nv\n. .\n", 3, "'v' is not directly below a cell"),
        (". < .\n. .\nv\n", 3, "the last line must be row 2 of 2"),
        (". < .\n", 1, "the last line must be row 2 of 2"),
        (". < .\n. .\n. .\n", 3, "the last line must be row 2 of 2"),
    ],
)
def test_errors_name_the_line(text, line, reason):
    puzzles = parse_text(f"1 < .\n. .\n---\n{text}---\n1 > .\n. .\n", "futoshiki")
    assert [puzzles[0].count(), puzzles[2].count()] == [1, 0]
    assert re.match(f"<text>:{line + 3}: {reason}", str(puzzles[1]))
    with pytest.raises(ValueError, match=f"puzzle:{line}: {reason}"):
        dlx.example("futoshiki", puzzle=text.strip("\n").replace("\n", "/"))


@pytest.mark.parametrize("n", [10, 12])
def test_numbers_may_have_two_digits(n):
    square = [[(r + c) % n + 1 for c in range(n)] for r in range(n)]
    less = [[a < b for a, b in pairwise(row)] for row in square]
    lines = []
    for row, signs in zip(square, less, strict=True):
        drawn = [f"{cell:2} {'<' if sign else '>'}" for cell, sign in zip(row, signs, strict=False)]
        lines.append(" ".join([*drawn, f"{row[-1]:2}"]))
        lines.append(" " + "    ".join("v" if cell == n else "^" for cell in row[:2]))
    text = "\n".join(lines[:-1]).replace("10", " .").replace(" 3", " .")
    puzzle = parse_one(text, "futoshiki")
    drawing = puzzle.text(puzzle.first())
    assert [[*map(int, re.findall("[0-9]+", line))] for line in drawing.split("\n")[::2]] == square
    assert parse_one(drawing, "futoshiki").count() == puzzle.count() == 1
    with pytest.raises(dlx.FormatError, match=f"a row must have {n} cells"):
        parse_one(text.replace("11" if n == 12 else " 9", f"{n + 1}"), "futoshiki")
