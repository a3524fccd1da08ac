"""Texts of 9×9 boards, for tests of readers."""

from typing import Any

from tests.helpers.boards import read

PUZZLE = "..9.5.1.3.4...1.....6.4.92..6.8...1.3.4...8.9.5..1.236....6...28..........3......"
OTHER = "84.612.....68.7.....3.........28.6.....75......4.......3....24..52...1.37.1....86"
THIRD = ".3...5..8..9.6.35....7..4..5...432.9.....6...3..8......5....6.3....2.5...2...48.."
SOLVED = "..7.42.........4....38...9......3..248......55...6..........93..9.3..5.7.....48.."
SOLUTION = "867942153254259136478143857971583642486279315532461789718625934694318527325794861"
SOLUTION = "".join(p if p != "." else s for p, s in zip(SOLVED, SOLUTION, strict=True))
UNKNOWN = "neither a board nor a line that qqwing prints"


def rows(board: str) -> list[str]:
    n = round(len(board) ** 0.5)
    return [board[start : start + n] for start in range(0, n * n, n)]


def compact(board: str) -> str:
    return "\n".join(rows(board)) + "\n\n"


def boards(text: str | bytes, **options: Any) -> list[str]:
    result = read(text, **options)
    assert result.bad == []
    return result.boards
