"""JSON objects in lists, or on several lines each."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.table import RULES
from tests.helpers.boards import random_rows, read, read_rows
from tests.helpers.oracles import random_solution
from tests.helpers.seeds import seeded

PUZZLES = ["1.....3..4.....2", "1.....3..4......"]
RECORDS = [
    {"id": 1, "puzzle": PUZZLES[0], "solution": "1324423124133142", "tags": ["a", "]}{"]},
    {"puzzle": PUZZLES[1], "difficulty": "easy", "url": "https://example.org/{x}"},
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=2),
        json.dumps([RECORDS], indent=2),
        "[\n" + ",\n".join(map(json.dumps, RECORDS)) + "\n]\n",
        "[" + ", ".join(json.dumps(each, indent=1) for each in RECORDS) + "]",
        "\n".join(json.dumps(each, indent=4) for each in RECORDS),
        "\n".join(map(json.dumps, RECORDS)),
        json.dumps(RECORDS, indent=2).replace("\n", "\r\n"),
    ],
    ids=[
        "list-on-one-line",
        "list",
        "nested-list",
        "list-of-lines",
        "list-of-indented-objects",
        "indented-objects",
        "lines",
        "carriage-returns",
    ],
)
def test_each_object_is_one_record(text: str) -> None:
    result = read(text)
    assert result.boards == PUZZLES
    assert result.solutions == [RECORDS[0]["solution"], ""]
    assert result.difficulties == ["", "easy"]
    assert result.bad == []


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("box", [Box(2, 2), Box(3, 3), Box(4, 4), Box(5, 6)], ids=str)
def test_boards_of_any_size_may_be_lists(box: Box, indent: int | None) -> None:
    boards = [random_rows(box, k) for k in range(3)]
    text = json.dumps([{"n": k, "board": board} for k, board in enumerate(boards)], indent=indent)
    assert read_rows(text) == boards


def test_lines_are_those_on_which_objects_start() -> None:
    text = json.dumps([*RECORDS, {"id": 3}], indent=2)
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line == "  {"]
    result = read(text)
    assert result.lines == starts[:2]
    assert result.bad == [(2, starts[2], "no board in the JSON object")]


def test_other_text_is_reported() -> None:
    good = json.dumps(RECORDS[0])
    text = f'[{good},\nnull, {good},\n{{"puzzle": "1"}},\n{{"puzzle" "x"}},\n{{"puzzle": "1...",\n'
    result = read(text)
    assert result.boards == [PUZZLES[0]] * 2
    assert result.bad == [
        (1, 2, "expected a JSON object, found 'null'"),
        (2, 3, "no board in the JSON object"),
        (2, 4, "no board in the JSON object"),
        (2, 5, "the JSON object is not closed"),
    ]


def test_first_line_that_is_cut_off_does_not_hide_the_others() -> None:
    lines = "\n".join(map(json.dumps, RECORDS))
    result = read('{"puzzle": "1.....3..4\n' + lines)
    assert result.boards == PUZZLES
    assert [line for _, line, _ in result.bad] == [1]


@settings(max_examples=settings.default.max_examples // 4)  # dictionaries take long
@given(
    st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none()), max_size=5),
    st.sampled_from([None, 0, 3]),
)
def test_other_fields_do_not_matter(fields: list[dict[str, Any]], indent: int | None) -> None:
    rng = random.Random(seeded(16))
    records = []
    for others in fields:
        known = {"puzzle", "puzzles", "quiz", "quizzes", "board", "boards", "sudoku", "question"}
        known |= {"solution", "solutions", "answer", "answers", *RULES}
        others = {key: value for key, value in others.items() if key.lower() not in known}
        board = random_solution(Box(2, 2), rng)
        board[rng.randrange(16)] = 0
        records.append({**others, "puzzle": "".join(map(str, board))})
    text = json.dumps([{"puzzle": PUZZLES[1]}, *records], indent=indent)
    result = read(text)
    assert result.bad == []
    assert result.boards == [
        PUZZLES[1],
        *(record["puzzle"].replace("0", ".") for record in records),
    ]


@pytest.mark.parametrize("start", ["[\n", "[", "\n\n[\n"])
def test_list_may_be_on_one_long_line(start: str) -> None:
    records = [{"puzzle": PUZZLES[0], "note": "x" * 1000}] * 300
    assert read(start + ", ".join(map(json.dumps, records)) + "\n]\n").boards == [PUZZLES[0]] * 300


def test_time_after_an_error_is_linear() -> None:
    [(_, _, reason)] = read('[{"puzzle": 1,,' + "\n" * 300_000 + "x").bad
    assert reason.startswith("expected a JSON object")
