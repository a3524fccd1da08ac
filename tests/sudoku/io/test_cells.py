"""Boards of numbers, separated by spaces or commas; folded boards; symbols of empty cells."""

import io
import random
from pathlib import Path

import pytest

from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.strings import parse_board
from scripts.fuzzing.files import write_and_read_boards
from tests.helpers.boards import read, values_of
from tests.helpers.formats import DRAWINGS, PUZZLE, compact
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


@pytest.mark.parametrize("width", [8, 10, 12, 18, 27, 40, 80])
def test_rows_of_other_lengths_are_one_board(width: int) -> None:
    folded = "".join(f"{PUZZLE[k : k + width]}\n" for k in range(0, 81, width))
    found = read(f"{folded}\n{folded}")
    assert PUZZLE not in found.boards
    assert read(folded).boards == [PUZZLE]


@pytest.mark.parametrize("n", [4, 9])
def test_rows_that_are_missing_or_surplus_are_errors(n: int) -> None:
    """No two boards of another size, and no board that has lost a row."""
    board = {4: "1.....3..4.....2", 9: PUZZLE}[n]
    rows = [board[k : k + n] for k in range(0, n * n, n)]
    band = round(n**0.5)
    drawn = [row for k in range(0, n, band) for row in ("", *rows[k : k + band])][1:]
    assert read("\n".join([*drawn, "", *drawn])).boards == [board] * 2
    for number, row in enumerate(drawn):
        for lines in (
            drawn[:number] + drawn[number + 1 :],
            [*drawn[:number], row, *drawn[number:]],
        ):
            if not row:
                continue
            found = read("\n".join(lines))
            assert found.boards == [], lines
            assert found.bad, lines
    for number in range(n):
        for lines in (
            rows[:number] + rows[number + 1 :],
            [*rows[:number], rows[number], *rows[number:]],
        ):
            found = read("\n".join(lines))
            assert (found.boards, len(found.bad)) == ([], 1)
            found = read("\n".join([*rows, "", *lines, "", *rows]))
            assert (found.boards, len(found.bad)) == ([board] * 2, 1)
        spaced = f"{board}\n" + "\n" * (n - 1) + rows[number]  # far below a board on a line
        assert read(spaced).boards == [board]


def test_blanks_between_bars_are_empty_cells() -> None:
    rows = [PUZZLE[k : k + 9].replace(".", " ") for k in range(0, 81, 9)]
    empty = [" " * 9, *rows[1:4], " " * 9, *rows[5:]]
    for given in (rows, empty):
        board = "".join(given).replace(" ", ".")
        for before, between in (("|", "|"), ("| ", " | "), ("  │ ", " │ ")):
            lines = [before + between.join(row) + before[::-1].rstrip() for row in given]
            for text in ("\n".join(lines), f"\n{'─' * 19}\n".join(lines)):
                found = read(f"{text}\n{text}\n")
                assert (found.boards, found.bad) == ([board] * 2, [])


@pytest.mark.parametrize("number", [65, 68])
def test_boards_of_numbers_whose_line_is_as_long_as_another_board_are_read(number: int) -> None:
    """A line with 65 numbers of two digits has 24² characters, and with 68, 18² digits."""
    values = [(4 * row + row // 4 + k) % 16 + 1 for row in range(16) for k in range(16)]
    empty = [cell for cell, value in enumerate(values) if value > 9][number:]
    board = " ".join("0" if cell in empty else str(value) for cell, value in enumerate(values))
    [chunk] = read_records(io.BytesIO(board.encode()))
    assert " ".join(map(str, chunk.boards.ravel())) == board


@pytest.mark.parametrize(
    ("blank", "given"), [("-", ""), ("?", ""), *((blank, f"${blank}") for blank in "#o@-~")]
)
def test_symbols_of_empty_cells_are_detected_or_given(blank: str, given: str) -> None:
    text, empty_row = PUZZLE.replace(".", blank), PUZZLE[:72] + 9 * "."
    layouts = [PUZZLE, " ".join(PUZZLE), ",".join(PUZZLE), *DRAWINGS.values()]
    for form in (layout.replace(".", blank) for layout in layouts):
        assert read(f"{form}\n\n{form}\n", blank=given).boards == [PUZZLE] * 2
        assert given or parse_board(form)[0].tolist() == values_of(PUZZLE).tolist()
    for form in (f'["{text}"]\n', f"puzzle,n\n{text},1\n", f'{{"puzzle": "{text}"}}\n'):
        assert read(form, blank=given).boards == [PUZZLE]
    for form in (empty_row.replace(".", blank), compact(empty_row.replace(".", blank))):
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
