"""Boards as JSON arrays, array initializers and JSON objects, with all error messages."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlx_numba.sudoku.box import Box
from tests.helpers.boards import random_rows, read, read_rows
from tests.helpers.oracles import random_solution
from tests.helpers.seeds import seeded

# The puzzle of Rosetta Code's task
ROSETTA = """\
850002400
720000009
004000000
000107002
305000900
040000000
000080070
017000000
000036040
"""
GRID = [[int(symbol) for symbol in row] for row in ROSETTA.split()]
PUZZLE = ROSETTA.replace("\n", "").replace("0", ".")

ROW = "[0, 0, 0, 0]"


def braces(value: Any) -> str:
    return json.dumps(value).replace("[", "{").replace("]", "}")


def flat(rows: list[list[int]]) -> list[int]:
    return [value for row in rows for value in row]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GRID),
        json.dumps(GRID, indent=4),
        braces(GRID),
        "int[][] board = " + braces(GRID) + ";",
        "public static final int[][] PUZZLE = new int[][] " + braces(GRID).replace("}, ", "},\n"),
        "// text\nint grid[9][9] =\n{\n" + braces(GRID)[1:-1].replace("}, ", "}, // row\n") + "};",
        "board = [\n" + "".join(f"    {row},\n" for row in GRID) + "]\n",
        "# text\n\n" + "".join(f"{row}\n" for row in GRID),
        "const char *rows[] = {" + ", ".join(f'"{row}"' for row in ROSETTA.split()) + "};",
        json.dumps([[str(value) if value else "." for value in row] for row in GRID]),
        json.dumps([[value or None for value in row] for row in GRID]).replace("null", "None"),
        json.dumps({"board": GRID, "difficulty": "hard"}),
        json.dumps({"puzzle": ROSETTA.split()}),
    ],
)  # fmt: skip
def test_lists_in_json_and_programs_are_read(text: str) -> None:
    assert read(text).boards == [PUZZLE]
    assert read(f"{text}\n{text}\n").boards == [PUZZLE] * 2


@pytest.mark.parametrize(
    "box", [Box(2, 2), Box(2, 3), Box(3, 3), Box(4, 4), Box(5, 6), Box(6, 6)], ids=str
)
def test_lists_of_boards_of_all_sizes_are_read(box: Box) -> None:
    one, two = random_rows(box), random_rows(box, 2)
    nulls = [[value or None for value in row] for row in one]
    symbols = [[str(value) if value else "." for value in row] for row in one]
    strings = [" ".join(row) for row in symbols]
    for boards, expected in (
        ([one], [one]),
        ([flat(one)], [one]),
        ([nulls, symbols, strings], [one] * 3),
        ([[one, two]], [one, two]),
        ([[flat(one), flat(two)]], [one, two]),
        ([[[one], [two, one]]], [one, two, one]),
        ([[" ".join(strings), one]], [one, one]),
    ):
        for form in (json.dumps, braces, lambda value: json.dumps(value, indent=2)):
            text = "".join(form(board) + "\n" for board in boards)
            assert read_rows(text) == expected


def test_lines_and_solutions_of_lists() -> None:
    solution = random_solution(Box(3, 3), random.Random(seeded(3)))
    puzzle = [int(value) if k % 3 else 0 for k, value in enumerate(solution)]
    text = f"{json.dumps(GRID)}\n\n{puzzle}\n[\n{solution.tolist()}]\n"
    result = read(text)
    assert result.lines == [1, 3]
    assert result.solutions == ["", "".join(map(str, solution))]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (f"[{ROW}, [0, 0, 5, 0], {ROW}, {ROW}]", "'5' is not a number from 1 to 4"),
        (f"[{ROW}, [0, 0, -1, 0], {ROW}, {ROW}]", "'-1' is not a number from 1 to 4"),
        (f'[{ROW}, [0, 0, "ab", 0], {ROW}, {ROW}]', "'ab' is not a number from 1 to 4"),
        (f"[{ROW}, [0, 0, , 0], {ROW}, {ROW}]", "a number is missing between two commas"),
        (f"[{ROW}, [0, 0, 0], {ROW}, {ROW}]", "expected 4 numbers in the row, found 3"),
        (f"[{ROW}, {ROW}, {ROW}]", "expected 4 rows, found 3"),
        (f"[{ROW}, {ROW}, [0, 0, 0, 0}}, {ROW}]", "expected ']', not '}'"),
        ("[1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]", "expected 16 numbers, found 15"),
        ('["12..", "..5.", "....", "...."]', "invalid symbol '5' in column 3"),
        ('["12......1......x."]', "expected 16 symbols, found 17"),
        ('["not a board"]', "neither a board nor a line that qqwing prints"),
        ("]", "unexpected ']'"),
        ("hello", "'hello' is not in a list"),
    ],
)
def test_invalid_lists_are_reported_with_their_line(wrong: str, reason: str) -> None:
    good = "[[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]"
    result = read(f"{good}\n{wrong}\n{good}\n")
    assert result.lines == [1, 3]
    assert result.bad == [(1, 2, reason)]


def test_incomplete_lists_are_reported() -> None:
    result = read("[[1, 0, 0, 0], [0, 0, 3, 0],\n[0, 4, 0, 0],\n[0, 0, 0, 2]\n")
    assert result.bad == [(1, 1, "the list is not closed")]
    result = read("[1, 0, 0, 0],\n[0, 0, 3, 0],\n[0, 4, 0, 0]\n")
    assert result.bad == [(0, 1, "expected 4 rows, found 3")]


def test_json_objects_have_the_fields_of_tables() -> None:
    solution = "1324423124133142"
    text = (
        f'{{"puzzle": "1.....3..4.....2", "solution": "{solution}", "difficulty": "easy"}}\n'
        '{"puzzle": null, "reason": "expected 16 symbols"}\n'
        '{"puzzle": "1.....3..4....2"}\n'
        '{"quiz": [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]], "solution count": 1}\n'
        '{"puzzle": "1..."\n'
    )
    result = read(text)
    assert result.boards == ["1.....3..4.....2"] * 2
    assert result.solutions == [solution, ""]
    assert result.difficulties == ["easy", ""]
    assert result.counts == [-1, 1]
    assert result.bad == [
        (1, 2, "no board in the JSON object"),
        (1, 3, "expected 16 symbols, found 15"),
        (2, 5, "neither a board nor a line that qqwing prints"),
    ]


def test_sections_of_other_programs_are_not_lists() -> None:
    assert read(f"[Puzzle]\n{ROSETTA}").boards == [PUZZLE]


@given(st.text(alphabet='[]{},;=#"/\n 0129null.-', max_size=80))
def test_any_text_after_a_list_is_read_without_exception(text: str) -> None:
    good = "[[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]\n"
    result = read(good + text)
    assert result.boards[0] == "1.....3..4.....2"
