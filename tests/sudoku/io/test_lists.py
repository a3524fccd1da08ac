"""Boards as JSON arrays, array initializers and JSON objects."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlx_numba.sudoku.box import Box
from tests.helpers.boards import random_rows, read, read_rows
from tests.helpers.formats import FOUR, FOUR_ROWS, GRID, RECORDS, braces
from tests.helpers.oracles import random_solution
from tests.helpers.seeds import seeded


def flat(rows: list[list[int]]) -> list[int]:
    return [value for row in rows for value in row]


@pytest.mark.parametrize("box", [Box(2, 2), Box(3, 3), Box(5, 6)], ids=str)
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


@given(st.text(alphabet='[]{},;=#"/\n 0129null.-', max_size=80))
def test_any_text_after_a_list_is_read_without_exception(text: str) -> None:
    assert read(f"{FOUR_ROWS}\n{text}").boards[0] == FOUR


def test_lines_are_those_on_which_objects_start() -> None:
    text = json.dumps([*RECORDS, {"id": 3}], indent=2)
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line == "  {"]
    result = read(text)
    assert result.lines == starts[:2]
    assert result.bad == [(2, starts[2], "no board in the JSON object")]


def test_first_line_that_is_cut_off_does_not_hide_the_others() -> None:
    lines = "\n".join(map(json.dumps, RECORDS))
    result = read('{"puzzle": "1.....3..4\n' + lines)
    assert len(result.boards) == 2
    assert [line for _, line, _ in result.bad] == [1]
