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


OUTCOMES = {"counts": [0, 1, 0, 173]}
EASY = {"counts": [1, 1, 1], "difficulties": ["Easy", "Expert", "Expert"]}
CLASSES = {"difficulties": ["", "Expert", "Intermediate", "Expert"]}
TWO = {"counts": [1, 1], "difficulties": ["Intermediate", "Easy"]}


@pytest.mark.parametrize(
    ("name", "lines", "others"),
    [
        ("readable", [1, 13, 25], {}),
        ("readable_solution", [1, 25], {}),
        ("readable_stats_timer", [1, 24], {}),
        ("compact", [1, 11, 21], {}),
        ("compact_solution_stats", [1, 31], {}),
        ("one_line", [1, 2, 3, 4, 5], {}),
        ("one_line_solution", [1, 3, 5], {}),
        ("one_line_everything", [1, 15], TWO),
        ("one_line_instructions", [1], {}),
        ("csv", [2, 3, 4], {}),
        ("csv_solution", [2, 3, 4], {}),
        ("csv_stats", [2, 3, 4], {}),
        ("csv_everything", [2, 3, 4], EASY),
        ("csv_history", [2], {}),
        ("gen_all_readable", [1, 209], TWO),
        ("solve_readable", [1, 14, 49, 73], OUTCOMES | CLASSES),
        ("solve_csv", [2, 3, 4, 5], OUTCOMES | CLASSES),
        ("solve_csv_all", [2, 3, 4, 6], OUTCOMES | CLASSES),
        ("solve_puzzle_count", [1, 3, 6, 9], OUTCOMES),
        ("solve_history", [1, 3, 254, 278], {"counts": [0, -1, 0, -1]}),
        ("solve_log_history", [2, 178, 199, 315], {"counts": [0, -1, 0, -1]}),
    ],
)
def test_samples(name: str, lines: list[int], others: dict[str, list[int | str]]) -> None:
    result = sample(name)
    assert result.bad == []
    assert result.lines == lines
    for field, values in others.items():
        assert getattr(result, field) == values
    assert all(len(board) == 81 and "." in board for board in result.boards)
    pairs = zip(result.boards, result.solutions, strict=True)
    assert all(is_solved(board, solution) for board, solution in pairs if solution)
    if "solution" in name or "all" in name or "everything" in name or name == "solve_csv":
        # In what `solve` prints, the puzzles without a solution are known.
        assert [*map(bool, result.solutions)] == [count != 0 for count in result.counts]


def test_solutions_alone_are_boards() -> None:
    result = sample("solutions_only")
    assert result.lines == [1, 2, 3]
    assert not any("." in board for board in result.boards)


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
