"""Puzzles of pencil marks."""

import random
import re

import pytest

import dlx_numba as dlx
from dlx_numba.runtime.errors import FormatError
from tests.helpers.puzzles import parse_one, parse_text
from tests.helpers.seeds import seeds

SOLUTION = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"


def marks(seed):
    """Return cells whose candidates include the digits of the solution."""
    rng = random.Random(seed)
    return [
        "".join(d for d in "123456789" if d == value or rng.random() < 0.15) for value in SOLUTION
    ]


def line(cells, blank="."):
    return "".join(d if d in cell else blank for cell in cells for d in "123456789")


def drawing(cells):
    rows = [" ".join(cell.ljust(9) for cell in cells[k : k + 9]) for k in range(0, 81, 9)]
    rows = [f"|{row[:30]}|{row[30:60]}|{row[60:]}|" for row in rows]
    return "\n".join(["+---+---+", *rows, "'---'---'"])


def test_lines_and_drawings_are_the_same_puzzle():
    for seed in seeds(5):
        cells = marks(seed)
        texts = line(cells), line(cells, "0"), drawing(cells)
        found = [parse_one(text + "\n", "sukaku") for text in texts]
        assert {puzzle.candidates for puzzle in found} == {tuple(cells)}
        counts = {puzzle.count(1000) for puzzle in found}
        expected = dlx.SudokuRules().exact_cover()
        forbidden = [
            f"r{k // 9 + 1}c{k % 9 + 1}={d}"
            for k, cell in enumerate(cells)
            for d in "123456789"
            if d not in cell
        ]
        assert counts == {expected.replace(forbidden=forbidden).count(1000)}
        assert found[0].count() >= 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("12 12 3 1234\n1234 1234 1234 12\n1 34 34 34\n1234 1234 1234 1234\n", 0),
        ("1 2 | 34 34\n34 34 | 1 2\n----+----\n2 1 | 34 34\n34 34 | 2 1\n", 4),
        ("1 2 3 4 5 6\n4 5 6 12 23 13\n2 3 1 5 6 4\n5 6 4 3 1 2\n3 1 2 6 4 5\n6 4 5 2 3 1\n", 1),
    ],
)
def test_drawings_of_small_boards(text, count):
    puzzle = parse_one(text, "sukaku")
    assert (puzzle.title, puzzle.count()) == ("pencil marks", count)
    assert len(parse_text(f"{text}\n{text}", "sukaku")) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 2 3 12\n1 2 3 5\n1 2 3 4\n1 2 3 4\n", ":2: expected 4 cells with increasing digits"),
        (
            "1 2 3 12\n1 2 3 4\n1 2 3 4\n",
            ":1: expected 9 rows of candidates, or 729 symbols",
        ),
        ("1 2 3 12\n\n1 2 3 4\n", ":1: expected 9 rows"),
        ("1 2 3 12\n1 2 3\n1 2 3 4\n1 2 3 4\n", ":2: expected 4 cells"),
    ],
)
def test_errors_in_drawings(text, reason):
    assert f"<text>{reason}" in str(parse_text(text, "sukaku")[0])


def test_the_solution_is_drawn():
    puzzle = parse_one(line(list(SOLUTION)) + "\n", "sukaku")
    assert re.sub("[^1-9]", "", puzzle.text(puzzle.first())) == SOLUTION


def test_a_wrong_line_does_not_stop_the_others():
    cells = marks(0)
    text = f"{line(cells)}\n{line(cells)[::-1]}\n{line(cells)}\n1 2 3\n"
    found = parse_text(text, "sukaku", "marks")
    assert [isinstance(each, FormatError) for each in found] == [False, True, False, True]
    assert [puzzle.place for puzzle in found[::2]] == ["marks:1", "marks:3"]
    assert str(found[1]) == "marks:2: a digit is not in its place"
    assert str(found[3]).startswith("marks:4: expected 9 rows of candidates, or 729 symbols, not 5")
