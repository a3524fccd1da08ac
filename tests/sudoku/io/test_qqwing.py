"""Reading the original output of qqwing in each of its styles."""

import pytest

from tests.helpers import SAMPLES as ALL_SAMPLES
from tests.helpers.boards import AllRecords, read

SAMPLES = ALL_SAMPLES / "qqwing"


def sample(name: str) -> AllRecords:
    text = (SAMPLES / f"{name}.txt").read_bytes()
    result = read(text)
    # Line ends and the boundaries of blocks and chunks do not change the result.
    assert read(text.replace(b"\n", b"\r\n")) == result
    assert read(text.replace(b"\n", b"\r")) == result
    assert read(text.rstrip(b"\n")) == result
    assert read(text, chunk_boards=1, block_bytes=50) == result
    return result


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
    result = sample(name)
    assert result.bad == []
    assert result.lines == lines
    assert all(len(board) == 81 for board in result.boards)
    if name == "solutions_only":
        assert not any("." in board for board in result.boards)
    else:
        assert all("." in board for board in result.boards)
    pairs = zip(result.boards, result.solutions, strict=True)
    assert all(is_solved(board, solution) for board, solution in pairs if solution)
    if "solution" in name and "only" not in name:
        assert all(result.solutions)


def test_solutions_counts_and_difficulties() -> None:
    result = sample("csv_everything")
    assert all(result.solutions)
    assert result.counts == [1, 1, 1]
    assert result.difficulties == ["Easy", "Expert", "Expert"]
    result = sample("one_line_everything")
    assert all(result.solutions)
    assert result.counts == [1, 1]
    assert result.difficulties == ["Intermediate", "Easy"]
    result = sample("gen_all_readable")
    assert all(result.solutions)
    assert result.counts == [1, 1]
    assert result.difficulties == ["Intermediate", "Easy"]


@pytest.mark.parametrize("name", ["solve_csv", "solve_csv_all", "solve_puzzle_count"])
def test_outcomes(name: str) -> None:
    result = sample(name)
    assert result.counts == [0, 1, 0, 173]
    assert [bool(solution) for solution in result.solutions] == [False, True, False, True]
    if name != "solve_puzzle_count":
        assert result.difficulties == ["", "Expert", "Intermediate", "Expert"]


@pytest.mark.parametrize("name", ["solve_history", "solve_log_history"])
def test_failures_without_counts(name: str) -> None:
    assert sample(name).counts == [0, -1, 0, -1]


def test_readable_outcomes() -> None:
    result = sample("solve_readable")
    assert result.counts == [0, 1, 0, 173]
    assert result.difficulties == ["", "Expert", "Intermediate", "Expert"]


@pytest.mark.parametrize("name", ["solve_one_line", "solve_compact"])
def test_failures_instead_of_boards(name: str) -> None:
    result = sample(name)
    assert len(result.boards) == 2
    reasons = [(index, reason) for index, _, reason in result.bad]
    assert reasons == [
        (0, "qqwing printed 'Puzzle is not possible.' instead of a board"),
        (1, "qqwing printed 'Puzzle has no solution.' instead of a board"),
    ]
    # The statements after such a text do not belong to the board before it.
    assert result.counts == ([1, 173] if name == "solve_compact" else [-1, -1])
