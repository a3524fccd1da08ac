"""Reading of puzzles with solutions, and of tables."""

import io

import pytest

from dlx_numba.sudoku.io.read import read_records
from tests.helpers.boards import read
from tests.helpers.texts import (
    OTHER,
    PUZZLE,
    SOLUTION,
    SOLVED,
    THIRD,
    UNKNOWN,
    boards,
    rows,
)


def test_complete_board_that_contradicts_the_puzzle_before_it() -> None:
    wrong = SOLUTION[:2] + ("1" if SOLUTION[2] != "1" else "2") + SOLUTION[3:]
    assert read(f"{SOLVED}\n{wrong}\n").boards == [SOLVED, wrong]
    assert read(f"{SOLUTION}\n{SOLUTION}\n").solutions == ["", ""]


@pytest.mark.parametrize("between", [",", ", ", ";", "\t", " "])
def test_solution_on_the_line(between: str) -> None:
    result = read(f"{SOLVED}{between}{SOLUTION}\n{PUZZLE}{between}{OTHER}\n")
    assert result.boards == [SOLVED, PUZZLE]
    assert result.solutions == [SOLUTION, ""]


@pytest.mark.parametrize(
    "header",
    [
        "quizzes,solutions",
        "puzzle,solution",
        '"Puzzle","Solution"',
        "Sudoku,Answer",
        "quiz,solution",
    ],
)
def test_table(header: str) -> None:
    result = read(f"{header}\n{SOLVED},{SOLUTION}\n{PUZZLE},{SOLUTION}\n{OTHER},\n")
    assert result.boards == [SOLVED, PUZZLE, OTHER]
    assert result.lines == [2, 3, 4]
    # The solutions that a table states are read unchanged, correct or not.
    assert result.solutions == [SOLUTION, SOLUTION, ""]
    assert result.bad == []


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_table_with_other_columns(delimiter: str) -> None:
    lines = [
        ["id", "puzzle", "solution", "clues", "difficulty"],
        ["1", SOLVED, SOLUTION, "27", "2.2"],
        ["2", f'"{PUZZLE}"', "", "22", f'"a{delimiter} ""b"""'],
        ["3", OTHER],
    ]
    result = read("".join(delimiter.join(line) + "\n" for line in lines))
    assert result.bad == []
    assert result.boards == [SOLVED, PUZZLE, OTHER]
    assert result.solutions == [SOLUTION, "", ""]
    assert result.difficulties == ["2.2", f'a{delimiter} "b"', ""]


def test_incomplete_solution_is_ignored() -> None:
    result = read(f"puzzle,solution\n{SOLVED},{PUZZLE}\n{PUZZLE},?\n{OTHER}\n")
    assert result.boards == [SOLVED, PUZZLE, OTHER]
    assert result.solutions == ["", "", ""]


def test_records_until_the_first_bad_one() -> None:
    text = f"{SOLVED},{SOLUTION}\nDifficulty: Easy\n{PUZZLE}\nwhat?\n{OTHER}\nwhat?\n"
    [chunk] = read_records(io.BytesIO(text.encode()))
    part = chunk.part(0, chunk.bad[0].index + 1)
    assert (len(chunk), len(part)) == (3, 2)
    assert part.bad == chunk.bad[:1]
    assert part.difficulties == ["Easy", ""]
    assert part.solutions is not None
    assert len(part.solutions) == len(part.lines) == 2
    assert part.counts is None


def test_table_of_solutions_alone() -> None:
    result = read(
        f"Solution,Time (milliseconds),\nPuzzle has no solution.,0.01,\n{SOLUTION},0.2,\n"
    )
    assert result.boards == [SOLUTION]
    reason = "qqwing printed 'Puzzle has no solution.' instead of a board"
    assert result.bad == [(0, 2, reason)]


def test_table_with_counts() -> None:
    text = f"puzzle,solution count,givens\n{SOLVED},1,20\n{PUZZLE},none,2\n{OTHER},{10**30},2\n"
    result = read(text)
    assert result.counts == [1, -1, -1]
    assert result.bad == []


def test_broken_row_of_a_bad_record() -> None:
    broken = "No solve instructions - Puzzle is not possible to solve."
    header = "Puzzle,Solve Instructions,Solution Count,\n"
    result = read(f"{header}{PUZZLE},,1,\n{PUZZLE[:-1]},{broken}\n0,\n{OTHER},{broken}\n0,\n")
    assert result.boards == [PUZZLE, OTHER]
    assert result.counts == [1, 0]
    assert result.bad == [(1, 3, "expected 81 symbols, found 80")]


def test_time_of_a_row_of_many_lines_is_linear() -> None:
    broken = "No solve instructions - Puzzle is not possible to solve."
    line = "," * 50 + f"{broken}\n"
    result = read(f"Puzzle,Solve Instructions\n{PUZZLE}" + line * 20_000)
    assert result.boards == [PUZZLE]


def test_field_longer_than_the_limit_of_the_csv_module() -> None:
    result = read(f'puzzle,note,rating\n{PUZZLE},"{"a" * 200_000}",2.5\n')
    assert result.boards == [PUZZLE]
    assert result.difficulties == ["2.5"]


def test_symbols_in_groups_on_a_line() -> None:
    groups = "  ".join(rows(OTHER))
    assert boards(f"{' '.join(PUZZLE)}\n{groups}\n{' | '.join(rows(THIRD))}\n") == [
        PUZZLE,
        OTHER,
        THIRD,
    ]


def test_tables_one_after_another() -> None:
    one, two = f"Puzzle,Difficulty\n{PUZZLE},Easy\n", f"Difficulty,Puzzle\nSimple,{OTHER}\n"
    result = read(one + two + one)
    assert result.boards == [PUZZLE, OTHER, PUZZLE]
    assert result.difficulties == ["Easy", "Simple", "Easy"]


def test_bad_rows_of_a_table() -> None:
    result = read(f"id,puzzle\n1,{PUZZLE[:-1]}\n2,{PUZZLE[:4]}Q{PUZZLE[5:]}\n3\n4,\n5,{OTHER}\n")
    assert result.boards == [OTHER]
    assert result.bad == [
        (0, 2, "expected 81 symbols, found 80"),
        (0, 3, "invalid symbol 'Q' in column 5"),
        (0, 4, UNKNOWN),
        (0, 5, "no board in column 2 of the table"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (PUZZLE[:-1], "expected 81 symbols, found 80"),
        (PUZZLE + "1", "expected 81 symbols, found 82"),
        (PUZZLE[:36], "board of 36 cells in a file of boards of 81 cells"),
        (PUZZLE + "." * (256 - 81), "board of 256 cells in a file of boards of 81 cells"),
        (PUZZLE[:16], "board of 16 cells in a file of boards of 81 cells"),
        (PUZZLE[:4] + "Q" + PUZZLE[5:], "invalid symbol 'Q' in column 5"),
        ("  " + PUZZLE[:4] + "é" + PUZZLE[5:], "invalid symbol 'é' in column 7"),
        (PUZZLE[:4] + "Q" + PUZZLE[6:], "invalid symbol 'Q' in column 5"),
        (PUZZLE[:-1] + "  # text", "expected 81 symbols, found 80"),
        ("hello, world", UNKNOWN),
        ("12 13", UNKNOWN),
        ("| # text", UNKNOWN),
        ("Puzzle is not possible.!", UNKNOWN),
        ("\xff\xfe", UNKNOWN),
    ],
)
def test_bad_lines(line: str, reason: str) -> None:
    result = read(f"{PUZZLE}\n{line}\n{OTHER}\n{line}")
    assert result.boards == [PUZZLE, OTHER]
    assert result.lines == [1, 3]
    assert result.bad == [(1, 2, reason), (2, 4, reason)]
