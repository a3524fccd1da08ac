"""qqwing's own output, byte for byte, in each of its styles."""

import pytest

from dlx_numba.sudoku.io.qqwing import Remark, read_remark
from tests.helpers import SAMPLES as ALL_SAMPLES
from tests.helpers.boards import Told, read

SAMPLES = ALL_SAMPLES / "qqwing"


def sample(name: str) -> Told:
    text = (SAMPLES / f"{name}.txt").read_bytes()
    told = read(text)
    # Neither line ends nor borders of blocks and chunks may matter.
    assert read(text.replace(b"\n", b"\r\n")) == told
    assert read(text.replace(b"\n", b"\r")) == told
    assert read(text.rstrip(b"\n")) == told
    assert read(text, chunk_boards=1, block_bytes=50) == told
    return told


def is_solved(puzzle: str, solution: str) -> bool:
    return "." not in solution and all(
        given in (".", value) for given, value in zip(puzzle, solution, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("readable", [1, 13, 25]),
        ("readable_solution", [1, 25]),
        ("readable_stats_timer", [1, 24]),
        ("compact", [1, 11, 21]),
        ("compact_solution_stats", [1, 31]),
        ("one_line", [1, 2, 3, 4, 5]),
        ("one_line_solution", [1, 3, 5]),
        ("one_line_everything", [1, 15]),
        ("one_line_instructions", [1]),
        ("solutions_only", [1, 2, 3]),
        ("csv", [2, 3, 4]),
        ("csv_solution", [2, 3, 4]),
        ("csv_stats", [2, 3, 4]),
        ("csv_everything", [2, 3, 4]),
        ("csv_history", [2]),
        ("gen_all_readable", [1, 209]),
        ("solve_readable", [1, 14, 49, 73]),
        ("solve_csv", [2, 3, 4, 5]),
        ("solve_csv_all", [2, 3, 4, 6]),
        ("solve_puzzle_count", [1, 3, 6, 9]),
        ("solve_history", [1, 3, 254, 278]),
        ("solve_log_history", [2, 178, 199, 315]),
    ],
)
def test_samples(name: str, lines: list[int]) -> None:
    told = sample(name)
    assert told.bad == []
    assert told.lines == lines
    assert all(len(board) == 81 for board in told.boards)
    if name == "solutions_only":
        assert not any("." in board for board in told.boards)
    else:
        assert all("." in board for board in told.boards)
    pairs = zip(told.boards, told.solutions, strict=True)
    assert all(is_solved(board, solution) for board, solution in pairs if solution)
    if "solution" in name and "only" not in name:
        assert all(told.solutions)


def test_everything_is_told() -> None:
    told = sample("csv_everything")
    assert all(told.solutions)
    assert told.counts == [1, 1, 1]
    assert told.difficulties == ["Easy", "Expert", "Expert"]
    told = sample("one_line_everything")
    assert all(told.solutions)
    assert told.counts == [1, 1]
    assert told.difficulties == ["Intermediate", "Easy"]
    told = sample("gen_all_readable")
    assert all(told.solutions)
    assert told.counts == [1, 1]
    assert told.difficulties == ["Intermediate", "Easy"]


@pytest.mark.parametrize("name", ["solve_csv", "solve_csv_all", "solve_puzzle_count"])
def test_outcomes(name: str) -> None:
    told = sample(name)
    assert told.counts == [0, 1, 0, 173]
    assert [bool(solution) for solution in told.solutions] == [False, True, False, True]
    if name != "solve_puzzle_count":
        assert told.difficulties == ["", "Expert", "Intermediate", "Expert"]


@pytest.mark.parametrize("name", ["solve_history", "solve_log_history"])
def test_failures_without_counts(name: str) -> None:
    assert sample(name).counts == [0, -1, 0, -1]


def test_readable_outcomes() -> None:
    told = sample("solve_readable")
    assert told.counts == [0, 1, 0, 173]
    assert told.difficulties == ["", "Expert", "Intermediate", "Expert"]


@pytest.mark.parametrize("name", ["solve_one_line", "solve_compact"])
def test_failures_in_place_of_boards(name: str) -> None:
    told = sample(name)
    assert len(told.boards) == 2
    reasons = [(index, reason) for index, _, reason in told.bad]
    assert reasons == [
        (0, "qqwing's text 'Puzzle is not possible.' stands in place of a board"),
        (1, "qqwing's text 'Puzzle has no solution.' stands in place of a board"),
    ]
    # The facts that follow such a text are not those of the board before it.
    assert told.counts == ([1, 173] if name == "solve_compact" else [-1, -1])


def test_no_puzzle_could_be_generated() -> None:
    told = read("." * 81 + "\nCould not generate puzzle.\n")
    assert told.counts == [-1]
    assert told.bad == [
        (1, 2, "qqwing's text 'Could not generate puzzle.' stands in place of a board")
    ]


def test_failure_of_a_solved_puzzle_is_that_of_another() -> None:
    text = "." * 81 + "\nPuzzle has no solution.\nPuzzle is not possible.\n"
    assert read(text).counts == [0]
    assert [line for _, line, _ in read(text).bad] == [3]


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("The solution to the puzzle is unique.", Remark(solutions=1)),
        ("There are no solutions to the puzzle.", Remark(solutions=0)),
        ("There are 17 solutions to the puzzle.", Remark(solutions=17)),
        ("There are 2 or more solutions to the puzzle.", Remark()),
        ("Difficulty: Unknown", Remark(difficulty="Unknown")),
        (" Puzzle has no solution. ", Remark(solutions=0, failure="Puzzle has no solution.")),
        ("Could not generate puzzle.", Remark(failure="Could not generate puzzle.")),
        ("12. Round: 1 - Mark given (Row: 1 - Column: 1 - Value: 9)", Remark()),
        ("Round: 2 - Remove possibilities for naked pair in row (Row: 3 - Column: 8)", Remark()),
        ("Time: 3.689 milliseconds", Remark()),
        ("Time: 1e-05 milliseconds", Remark()),
        ("Number of Pointing Pairs/Triples: 7", Remark()),
        ("1 puzzle solved in 0.1 seconds.", Remark()),
        ("History was not recorded.", Remark()),
        ("No solve instructions - Puzzle is not possible to solve.", Remark()),
        ("There are several solutions.", None),
        ("Difficulty", None),
    ],
)
def test_remarks(line: str, remark: Remark | None) -> None:
    assert read_remark(line) == remark
