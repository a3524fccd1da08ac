"""Boards as JSON arrays, array initializers and JSON objects."""

import json
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlx_numba.sudoku.box import Box
from tests.helpers.boards import random_rows, read, read_rows
from tests.helpers.formats import FOUR, FOUR_ROWS, braces


@pytest.mark.parametrize("box", [Box(2, 2), Box(3, 3), Box(5, 6)], ids=str)
def test_lists_of_boards_of_all_sizes_are_read(box: Box) -> None:
    one, two = random_rows(box), random_rows(box, 2)
    nulls = [[value or None for value in row] for row in one]
    symbols = [[str(value) if value else "." for value in row] for row in one]
    strings = [" ".join(row) for row in symbols]
    for boards, expected in (
        ([one], [one]),
        ([[*chain(*one)]], [one]),
        ([nulls, symbols, strings], [one] * 3),
        ([[one, two]], [one, two]),
        ([[[*chain(*one)], [*chain(*two)]]], [one, two]),
        ([[[one], [two, one]]], [one, two, one]),
        ([[" ".join(strings), one]], [one, one]),
    ):
        for form in (json.dumps, braces, lambda value: json.dumps(value, indent=2)):
            text = "".join(form(board) + "\n" for board in boards)
            assert read_rows(text) == expected


@given(st.text(alphabet='[]{},;=#"/\n 0129null.-', max_size=80))
def test_any_text_after_a_list_is_read_without_exception(text: str) -> None:
    assert read(f"{FOUR_ROWS}\n{text}").boards[0] == FOUR
