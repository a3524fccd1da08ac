"""Boards of numbers, separated by spaces or commas; folded boards; symbols of empty cells."""

import io
import random
from pathlib import Path

import pytest

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.strings import parse_board
from scripts.fuzzing.files import write_and_read_boards
from tests.helpers.boards import read, values_of
from tests.helpers.formats import DRAWINGS, PUZZLE
from tests.helpers.seeds import seeds


def test_written_boards_are_read_as_the_same_boards(tmp_path: Path) -> None:
    for seed in seeds(500, 10):
        write_and_read_boards(random.Random(seed), tmp_path)


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


@pytest.mark.parametrize("number", [65, 68])
def test_boards_of_numbers_whose_line_is_as_long_as_another_board_are_read(number: int) -> None:
    """A line with 65 numbers of two digits has 24² characters, and with 68, 18² digits."""
    values = [(4 * row + row // 4 + k) % 16 + 1 for row in range(16) for k in range(16)]
    empty = [cell for cell, value in enumerate(values) if value > 9][number:]
    board = " ".join("0" if cell in empty else str(value) for cell, value in enumerate(values))
    [chunk] = read_records(io.BytesIO(board.encode()))
    assert " ".join(map(str, chunk.boards.ravel())) == board


def test_symbols_between_spaces_are_read_from_folded_boards() -> None:
    six = "5.......6.........1...5.2..3........"
    for board, width in ((six, 2), (six, 5), (PUZZLE, 5), (PUZZLE, 41)):
        text = "\n".join(map(" ".join, folded(board.replace(".", "0"), width).splitlines()))
        assert read(f"{text}\n{text}\n").boards == [board] * 2


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
def test_broken_lines_of_folded_boards_are_reported_and_the_others_are_read(width: int) -> None:
    good, short = folded(PUZZLE, width), folded(PUZZLE[:-1], width)
    n = good.count("\n")
    text = f"{good}\n{good[: width + 1]}Q{good[width + 2 :]}\n{short}\n{good}"
    result = read(text)
    assert result.boards == [PUZZLE] * 2
    assert result.lines == [1, text.count("\n") - n + 1]
    assert [index for index, _, _ in result.bad] == [1, 1]
    assert result.bad[0][1] == n + 3


@pytest.mark.parametrize(
    ("blank", "given"), [("-", ""), ("?", ""), *((blank, f"${blank}") for blank in "#o@-~")]
)
def test_symbols_of_empty_cells_are_detected_or_given(blank: str, given: str) -> None:
    text, empty_row = PUZZLE.replace(".", blank), PUZZLE[:72] + 9 * "."
    layouts = [PUZZLE, folded(PUZZLE, 27), " ".join(PUZZLE), ",".join(PUZZLE), *DRAWINGS.values()]
    for form in (layout.replace(".", blank) for layout in layouts):
        assert read(f"{form}\n\n{form}\n", blank=given).boards == [PUZZLE] * 2
        assert given or parse_board(form)[0].tolist() == values_of(PUZZLE).tolist()
    for form in (f'["{text}"]\n', f"puzzle,n\n{text},1\n", f'{{"puzzle": "{text}"}}\n'):
        assert read(form, blank=given).boards == [PUZZLE]
    for form in (empty_row.replace(".", blank), folded(empty_row.replace(".", blank), 9)):
        assert read(form, blank=given).boards == [empty_row]
        assert given or not parse_board(form)[0][72:].any()
    if given:
        assert read(f"{PUZZLE}\n{text}\n{PUZZLE}\n", blank=given).boards == [PUZZLE] * 3


def test_given_symbols_of_empty_cells_are_not_those_of_an_alphabet() -> None:
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
