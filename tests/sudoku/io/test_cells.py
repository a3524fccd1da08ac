"""Boards of numbers, separated by spaces or commas; `-` and `?` as empty cells; blank lines."""

import io
import random
from pathlib import Path
from typing import Any

import pytest

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.strings import parse_board
from scripts.fuzzing.files import write_and_read_boards
from tests.helpers.boards import random_rows, read, read_rows
from tests.helpers.formats import DRAWINGS, PUZZLE, ruled
from tests.helpers.formats import rows as rows_of
from tests.helpers.seeds import seeds


def test_written_boards_are_read_as_the_same_boards(tmp_path: Path) -> None:
    for seed in seeds(500, 10):
        write_and_read_boards(random.Random(seed), tmp_path)


def lines(rows: list[list[int]], between: str, blank: str = "0") -> str:
    return "".join(between.join(str(v) if v else blank for v in row) + "\n" for row in rows)


@pytest.mark.parametrize("box", [Box(3, 3), Box(2, 5), Box(6, 6)], ids=str)
def test_separate_cells_are_read_in_all_layouts(box: Box) -> None:
    rows, others = random_rows(box), random_rows(box, 2)
    flat = [[value for row in rows for value in row], [value for row in others for value in row]]
    bars = ""
    for r, row in enumerate(rows):
        stacks = (row[k : k + box.columns] for k in range(0, box.n, box.columns))
        bars += "| " + " | ".join(" ".join(f"{v:2}" for v in stack) for stack in stacks) + " |\n"
        bars += "+----" * 5 + "+\n" if r % box.rows == box.rows - 1 else ""
    bands = "\n".join(lines(rows[k : k + box.rows], " ") for k in range(0, box.n, box.rows))
    assert read_rows(bars) == [rows]
    assert read_rows(f"{bands}\n\n{bands}") == [rows, rows]
    for between in (" ", ",", ", ", "\t", ";"):
        for blank in ("0", "."):
            drawn = lines(rows, between, blank) + "\n" + lines(others, between, blank)
            assert read_rows(drawn) == [rows, others]
            assert read_rows(lines(flat, between, blank)) == [rows, others]
    assert read_rows(lines(rows, ",", "")) == [rows]
    assert read_rows(lines(flat, ",", "")) == [rows, others]
    for text in (lines(rows, " "), lines(rows, ","), lines(flat[:1], " "), lines(rows, ",", "")):
        values, alphabet, found = parse_board(text)
        assert values.tolist() == flat[0]
        assert (alphabet.n, found) == (box.n, box)


def test_size_of_boards_of_numbers_is_detected() -> None:
    def side(text: str) -> int:
        return next(iter(read_records(io.BytesIO(text.encode())))).box.n

    six = "1 2 3 4 5 6 " * 6
    assert side(six) == 6
    assert side(six.replace(" ", ",") + "\n") == 6
    assert side(f"{six}\n" * 35 + "36 " * 36) == 36
    assert side(f"{'. ' * 36}\n" * 35 + "36 . " * 18) == 36
    assert side(f"{'1,2,3,4,' * 3}5,0,0,0\n") == 16
    for n in (36, 49, 64):
        assert side("0 " * n**2) == n
    assert side(f"{'. ' * 49}\n" * 49) == 49
    assert side(f"{'. 2 3 4 ' * 4}{'1 2 3 4 ' * 4}\n" * 4) != 32  # puzzles with solutions


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda row: [37, *row[1:]], "'37' is not a number from 1 to 36"),
        (lambda row: ["1x", *row[1:]], "'1x' is not a number from 1 to 36"),
        (lambda row: row[1:], "expected 36 numbers in the row, found 35"),
        (lambda row: [*row, 1], "expected 36 numbers in the row, found 37"),
    ],
)
def test_invalid_numbers_in_rows_are_reported(change: Any, reason: str) -> None:
    rows = random_rows(Box(6, 6))
    wrong = [*rows[:2], change(rows[2]), *rows[3:]]
    for between in (" ", ","):
        text = lines(rows, between) + "\n" + lines(wrong, between) + "\n" + lines(rows, between)
        result = read(text)
        assert result.lines == [1, 75]
        assert result.bad == [(1, 40, reason)]
    with pytest.raises(ValueError, match="number"):
        parse_board(" ".join(str(value) for row in wrong for value in row))


@pytest.mark.parametrize("blank", ["-", "?"])
def test_hyphens_and_question_marks_are_empty_cells(blank: str) -> None:
    text = PUZZLE.replace(".", blank)
    drawings = [each.replace(".", blank) for each in DRAWINGS.values()]
    for board in (text, " ".join(text), *drawings):
        assert read(f"{board}\n\n{board}\n").boards == [PUZZLE] * 2
        values, _, _ = parse_board(board)
        assert "".join(map(str, values)) == PUZZLE.replace(".", "0")
    empty_row = text[:72] + blank * 9
    for board in (empty_row, folded(empty_row, 9)):
        assert read(board).boards == [PUZZLE[:72] + "." * 9]
        assert not parse_board(board)[0][72:].any()


def folded(board: str, width: int) -> str:
    return "".join(f"{board[k : k + width]}\n" for k in range(0, len(board), width))


@pytest.mark.parametrize("blank", [".", "0", "-", "x", " "])
def test_boards_that_are_folded_at_any_length_are_read(blank: str) -> None:
    for width in (*range(1, 81, 7), 9, 18, 27, 40, 54, 80):
        text = folded(PUZZLE.replace(".", blank), width)
        assert read(text).boards == [PUZZLE]
        result = read(f"# one\n{text}\n{text}\n# more\n{text}")
        assert result.boards == [PUZZLE] * 3
        assert result.bad == []
    small = "1.....3..4.....2"
    for k in range(1, 17):
        assert read(folded(small, k)).boards == [small]


@pytest.mark.parametrize("box", [Box(2, 3), Box(4, 4)], ids=str)
def test_boards_folded_at_the_side_of_smaller_boards_are_read(box: Box) -> None:
    n, starts = box.n, [r % box.rows * box.columns + r // box.rows for r in range(box.n)]
    symbols = "123456789ABCDEFG"[:n] * 2
    board = "".join(symbols[start : start + n - 2] + ".." for start in starts)
    for width in (4, 8, 9):
        result = read("\n\n".join([folded(board, width)] * 3))
        assert ([len(each) for each in result.boards], result.bad) == ([n * n] * 3, [])


def test_a_fold_that_makes_boards_of_another_size_is_rejected() -> None:
    for width in (2, 10, 12):  # a line has cells of both boards; 10 and 12 may be whole rows
        assert read(folded(PUZZLE * 2, width)).boards == []


@pytest.mark.parametrize("width", [10, 27])
def test_broken_line_of_a_folded_board_is_reported_and_the_others_are_read(width: int) -> None:
    good, lines = folded(PUZZLE, width), folded(PUZZLE, width).splitlines()
    n = len(lines)
    lines[1] = lines[1].replace(lines[1][0], "Q", 1)
    wrong = "\n".join(lines)
    result = read(f"{good}\n{wrong}\n\n{good}")
    assert result.boards == [PUZZLE] * 2
    assert result.lines == [1, 2 * n + 3]
    assert result.bad[0][:2] == (1, n + 3)
    result = read(f"{good}\n{folded(PUZZLE[:-1], width)}\n{good}")
    assert result.boards == [PUZZLE] * 2
    assert len(result.bad) == 1


@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_line_that_completes_a_larger_board_is_not_a_part_of_a_folded_board(blank: str) -> None:
    # 81 + 19 cells could be a board of 10×10.
    result = read(f"{PUZZLE}\n{'1' * 19}\n{blank}{PUZZLE}")
    assert result.boards == [PUZZLE] * 2
    assert len(result.bad) == 1


@pytest.mark.parametrize("blank", "#o@-~")
def test_other_symbols_of_empty_cells_are_given(blank: str) -> None:
    text = PUZZLE.replace(".", blank)
    drawn = folded(text, 9)
    forms = [text, drawn, folded(text, 27), " ".join(text), ",".join(text), f'["{text}"]']
    forms += [f"puzzle,n\n{text},1", f'{{"puzzle": "{text}"}}']
    for form in forms:
        assert read(f"{form}\n", blank=f"${blank}").boards == [PUZZLE]
    assert read(f"{PUZZLE}\n{text}\n{PUZZLE}\n", blank=blank).boards == [PUZZLE] * 3
    [chunk] = read_records(io.BytesIO(f"1{'o' * 254}G".encode()), blank="o")
    assert (chunk.alphabet.name, chunk.boards.tolist()[0][-1]) == ("1-9A-G", 16)


@pytest.mark.parametrize(
    ("blank", "reason"),
    [("5", "'5' is a value of 1-9"), ("é", "symbols of ASCII"), ("o ", "ASCII"), ("|", "ASCII")],
)
def test_invalid_symbols_of_empty_cells_are_rejected(blank: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read(PUZZLE, blank=blank)


@pytest.mark.parametrize("blank", ["-", "?"])
def test_mixed_blank_symbols_are_reported(blank: str) -> None:
    mixed = PUZZLE.replace(".", blank)
    assert read(f"{PUZZLE}\n{mixed}\n").bad == [(1, 2, f"invalid symbol '{blank}' in column 1")]
    later = f"{mixed}\n" * 80 + f"{PUZZLE}\n"
    assert read(later).bad == [(80, 81, "invalid symbol '.' in column 1")]
    with pytest.raises(ValueError, match=f"invalid symbol '[{blank}]' in column 1"):
        parse_board(blank + PUZZLE[1:])


def test_blank_line_ends_an_incomplete_board_unless_bands_follow() -> None:
    first, plain = "\n".join(rows_of(PUZZLE)[:3]), "\n".join(rows_of(PUZZLE))
    for end in ("\n", "\n\n", "\n\n# text\n"):
        result = read(f"{first}\n{end}{plain}\n")
        assert result.boards == [PUZZLE]
        assert result.bad == [(0, 1, "expected 9 rows, found 3")]
    wrong = ruled(PUZZLE, "").replace("\n3.4", "\n.4")
    assert read(f"{wrong}\n\n{plain}").boards == [PUZZLE]
    assert read(f"{first}\n\n" + plain.replace("\n", "\nQ", 1)).bad == [
        (0, 1, "expected 9 rows, found 3"),
        (0, 6, "invalid symbol 'Q' in column 1"),
    ]
