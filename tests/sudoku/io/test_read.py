"""Reading of boards: formats, sizes, alphabets and error messages."""

import io
from typing import Any

import pytest

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.read import read_records
from tests.helpers.boards import read
from tests.helpers.texts import (
    OTHER,
    PUZZLE,
    SOLUTION,
    SOLVED,
    THIRD,
    boards,
    compact,
    rows,
)


def test_one_line_boards() -> None:
    result = read(f"{PUZZLE}\n{OTHER}\n")
    assert result.boards == [PUZZLE, OTHER]
    assert result.lines == [1, 2]
    assert result.solutions == ["", ""]
    assert result.counts == [-1, -1]
    assert result.bad == []


def test_lines_with_page_breaks_are_empty() -> None:
    assert boards(f"\f\n{PUZZLE}\n\f\n{OTHER}\n") == [PUZZLE, OTHER]


@pytest.mark.parametrize("blank", [".", "0", "*", "_", "x", "X", " "])
def test_blank_symbols(blank: str) -> None:
    text = "\n".join([PUZZLE, OTHER, THIRD]).replace(".", blank)
    assert boards(text) == [PUZZLE, OTHER, THIRD]
    drawn = (compact(OTHER) + compact(THIRD)).replace(".", blank)
    assert boards(drawn) == [OTHER, THIRD]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r"])
def test_line_ends(end: str) -> None:
    result = read(end.join([PUZZLE, OTHER, "# a comment", THIRD]))
    assert result.boards == [PUZZLE, OTHER, THIRD]
    apart = len(end.replace("\r\n", "\n"))
    assert result.lines == [1, 1 + apart, 1 + 3 * apart]
    if apart == 1:
        assert boards(end.join([*rows(PUZZLE), "", *rows(OTHER)])) == [PUZZLE, OTHER]


def test_mixed_line_ends() -> None:
    result = read(f"{PUZZLE}\r\n{OTHER}\r{THIRD}\n\r{PUZZLE}\r")
    assert result.boards == [PUZZLE, OTHER, THIRD, PUZZLE]
    assert result.lines == [1, 2, 3, 5]


@pytest.mark.parametrize(
    "rest", [" 4.5", ",4.5,x", "\t4.5", ";hard", "#hard", " # hard, 123456789", " .", ",,", " "]
)
def test_text_after_a_board(rest: str) -> None:
    assert read(f"  {PUZZLE}{rest}\n{OTHER}{rest}").boards == [PUZZLE, OTHER]


def test_empty_sources() -> None:
    for text in ("", "\n", "# nothing\n", "   \n\n"):
        assert list(read_records(io.BytesIO(text.encode()))) == []


def test_drawn_boards() -> None:
    plain = "\n".join(rows(PUZZLE))
    ruled = "\n".join(
        f"{r[:3]}|{r[3:6]}|{r[6:]}" + ("\n---+---+---" if k in (2, 5) else "")
        for k, r in enumerate(rows(PUZZLE))
    )
    starred = "\n".join(
        f"|{r[:3]}|{r[3:6]}|{r[6:]}|" + ("\n|---+---+---|" if k in (2, 5) else "")
        for k, r in enumerate(rows(PUZZLE))
    )
    spread = "\n".join(f"| {' '.join(r[:3])} | {' '.join(r[3:])} |" for r in rows(PUZZLE))
    for drawing in (
        plain,
        ruled,
        f"*-----------*\n{starred}\n*-----------*",
        f"+===+===+===+\n{spread}\n+===+===+===+",
        "\n".join(" ".join(r) for r in rows(PUZZLE)),
        "\n".join("\t" + r for r in rows(PUZZLE)),
    ):
        assert boards(f"{drawing}\n\n{drawing}\n{drawing}") == [PUZZLE] * 3


def test_empty_row_of_spaces() -> None:
    text = "\n".join(rows(SOLVED.replace(".", " "))[:1] + [" " * 9] + ["123456789"] * 7)
    assert boards(text) == [SOLVED[:9] + "." * 9 + "123456789" * 7]


def test_sections() -> None:
    text = f"#A someone\n#D a puzzle\n[Puzzle]\n{compact(PUZZLE)}[State]\n{compact(OTHER)}"
    assert boards(text) == [PUZZLE]
    assert boards(text + text) == [PUZZLE, PUZZLE]
    assert boards(text + compact(THIRD)) == [PUZZLE, THIRD]


def test_unlabeled_solution() -> None:
    result = read(f"{PUZZLE}\n{SOLVED}\n\n# its solution\n{SOLUTION}\n{SOLUTION}\n{PUZZLE}\n")
    assert result.boards == [PUZZLE, SOLVED, SOLUTION, PUZZLE]
    assert result.solutions == ["", SOLUTION, "", ""]
    assert result.lines == [1, 2, 6, 7]


def test_bad_record_before_a_complete_board() -> None:
    assert read(f"{SOLVED}\nwhat?\n{SOLUTION}\n").boards == [SOLVED, SOLUTION]


def test_not_utf8() -> None:
    result = read(PUZZLE.encode() + b"\n" + PUZZLE[:4].encode() + b"\xff" + PUZZLE[5:].encode())
    assert result.bad == [(1, 2, "invalid symbol '\ufffd' in column 5")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("..3Q.....", "invalid symbol 'Q' in column 4"),
        (". . 3 | Q . . | . . .", "invalid symbol 'Q' in column 9"),
        ("..3.....", "expected 9 symbols in the row, found 8"),
        ("..3.......", "expected 9 symbols in the row, found 10"),
    ],
)
@pytest.mark.parametrize("at", [0, 4, 8])
def test_bad_row(row: str, reason: str, at: int) -> None:
    lines = rows(OTHER)
    lines[at] = row
    result = read(compact(PUZZLE) + "\n".join(lines) + "\n" + compact(THIRD))
    assert result.boards == [PUZZLE, THIRD]
    assert result.lines == [1, 20]
    assert result.bad == [(1, 11 + at, reason)]


@pytest.mark.parametrize("end", ["\n", "# next\n", "Difficulty: Easy\n", f"{THIRD}\n", "what?\n"])
def test_missing_rows(end: str) -> None:
    result = read("\n".join(rows(OTHER)[:8]) + "\n" + end + compact(PUZZLE))
    assert result.boards == [THIRD, PUZZLE][THIRD not in end :]
    assert result.bad[0] == (0, 1, "expected 9 rows, found 8")
    assert read("\n".join(rows(OTHER)[:8])).bad == result.bad[:1]


def test_extra_row() -> None:
    result = read("\n".join([*rows(PUZZLE), "123456789"]) + "\n\n" + compact(OTHER))
    assert result.boards == [PUZZLE, OTHER]
    assert result.bad == [(1, 10, "expected 9 rows, found 1")]


def test_contradictory_givens_are_read() -> None:
    assert boards("55" + "." * 79) == ["55" + "." * 79]


def test_digits_in_other_text_are_not_cells() -> None:
    noise = ["Number of Givens: 27", "Time: 3.145 milliseconds", "12 34", "# 123456789", "7" * 30]
    result = read("\n".join(f"{line}\n{PUZZLE}" for line in noise))
    assert result.boards == [PUZZLE] * 5


HEX = "0123456789ABCDEF"


def test_line_of_sixteen_symbols_is_a_board_or_a_row() -> None:
    four = "12..34..2..4..1."
    assert boards(f"{four}\n{four}\n") == [four, four]
    assert boards(four, box=Box(2, 2)) == [four]
    sixteen = "\n".join([four] * 15 + ["567.............", ""])
    assert boards(sixteen * 2) == [four * 15 + "567............."] * 2
    assert boards("\n".join([four] * 16), box=Box(4, 4)) == [four * 16]
    assert read(f"{four}\n{four}").bad == []


def test_most_frequent_size_is_selected() -> None:
    four = "12..34..2..4..1."
    result = read(f"{four}\n{PUZZLE}\n{PUZZLE}\n")
    assert result.boards == [PUZZLE, PUZZLE]
    assert [line for _, line, _ in result.bad] == [1]


@pytest.mark.parametrize("n", [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 22, 24, 25])
@pytest.mark.parametrize("symbols", ["123456789ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOPQRSTUVWXY"])
def test_sizes(n: int, symbols: str) -> None:
    if n <= 9 and symbols[0] == "A":
        symbols = "123456789"  # small boards have no letters
    row = symbols[:n]
    latin = [row[k:] + row[:k] for k in range(n)]
    whole = "".join(latin)
    holed = row + "".join("." if k % 3 else symbol for k, symbol in enumerate(whole[n:]))
    result = read(holed + "\n" + holed.lower() + "\n" + whole + "\n")
    assert result.boards == [holed, holed]
    assert result.solutions == ["", whole]
    for drawing in (compact(holed), "".join(" ".join(r) + "\n" for r in rows(holed)) + "\n"):
        assert boards(drawing * 2) == [holed, holed]


def test_decimal_numbers() -> None:
    latin = [[(i + j) % 16 + 1 for j in range(16)] for i in range(16)]
    latin[3][4] = 0
    text = "\n".join(" ".join(f"{v or '.':>2}" for v in row) for row in latin)
    symbols = ".123456789ABCDEFG"
    expected = "".join(symbols[v] for row in latin for v in row)
    [chunk] = read_records(io.BytesIO(f"{text}\n\n{text.replace('.', '0')}".encode()))
    assert chunk.alphabet.name == "1-9A-G"
    assert not chunk.notices
    assert not chunk.bad
    assert [format_board(b, chunk.alphabet) for b in chunk.boards] == [expected] * 2
    result = read(f"{text}\n\n{text.replace('16', '17')}\n\n{text[:-3]}\n\n{text}")
    assert result.boards == [expected] * 2
    assert result.bad == [
        (1, 18, "'17' is not a number from 1 to 16"),
        (1, 50, "expected 16 numbers in the row, found 15"),
    ]


def test_alphabet_is_detected_or_given() -> None:
    board = (HEX + "." * 16) * 8

    def alphabet(text: str, **options: Any) -> tuple[str, tuple[str, ...]]:
        chunk = next(iter(read_records(io.BytesIO(text.encode()), **options)))
        return chunk.alphabet.name, chunk.notices

    assert alphabet(board) == ("0-9A-F", ())
    assert alphabet(board.replace(".", "0")) == ("1-9A-G", ())
    assert alphabet(board.replace("0", "G")) == ("1-9A-G", ())
    guess = ("the alphabet is ambiguous: read as 1-9A-G",)
    assert alphabet(board.replace("0", ".")) == ("1-9A-G", guess)
    assert alphabet(board.replace("0", "."), alphabet="0-9A-") == ("0-9A-F", ())
    with pytest.raises(ValueError, match="numbers for boards of 16x16"):
        alphabet(board, alphabet="A-Y")


def test_box_is_given() -> None:
    result = read(f"{PUZZLE}\n" + "." * 36 + "\n", box=Box(2, 3))
    assert result.boards == ["." * 36]
    assert result.bad == [(0, 1, "board of 81 cells in a file of boards of 36 cells")]
    assert boards("." * 49, box=Box(1, 7)) == ["." * 49]
    [chunk] = read_records(io.BytesIO(b"." * 144), box=Box(4, 3))
    assert chunk.box == Box(4, 3)


LONG = 300_000


@pytest.mark.parametrize("symbols", ["1,", ",", '"', "1 ", "[", "{", "é", "a;"])
def test_long_line_is_an_error_and_the_next_is_read(symbols: str) -> None:
    wrong = symbols * (LONG // len(symbols))
    puzzle = "1...............\n"
    result = read(f"{puzzle}{wrong}\n{puzzle}")
    assert result.lines == [1, 3]
    assert result.bad == [(1, 2, "the line is longer than 262,144 bytes")]


@pytest.mark.parametrize("text", ["[" * LONG, "{" * LONG, "[1," * (LONG >> 5)])
def test_lists_in_lists_in_lists(text: str) -> None:
    good = "[[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]\n"
    result = read(good + text)
    assert result.boards == ["1.....3..4.....2"]
    assert result.bad[-1][1:] == (2, "the list is not closed")


def test_string_that_is_not_closed_takes_linear_time() -> None:
    wrong = '{"a": "' + '\\"' * LONG + "\n"
    result = read('{"puzzle":\n"1..............."}\n' + wrong)
    assert result.boards == ["1..............."]
    assert result.bad == [(1, 3, "the JSON object is not closed")]


@pytest.mark.parametrize("wrong", ['{"a":[\n', '{"a": "\n', '{"a"\n'])
def test_thousands_of_broken_objects_take_linear_time(wrong: str) -> None:
    result = read('[{"puzzle": "1..............."},\n' + wrong * 50_000)
    assert result.boards == ["1..............."]
    assert result.bad[-1] == (1, 101, "too many errors; the rest is not read")


@pytest.mark.parametrize("comment", ["/*" * LONG, " #" * LONG + '"', "//" * LONG])
def test_comments_in_lists_take_linear_time(comment: str) -> None:
    good = "[[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]\n"
    assert read(f"{good}{comment}\n{good}").boards == ["1.....3..4.....2"] * 2
