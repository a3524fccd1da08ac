"""Reading of boards: formats, sizes, alphabets and error messages."""

import io
import json
import random
from typing import Any

import pytest

from dlx_numba.runtime.errors import AmbiguousError
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.strings import parse_board, parse_boards
from tests.helpers.boards import read
from tests.helpers.formats import (
    BROKEN,
    FOUR,
    FOUR_ROWS,
    FOUR_SOLVED,
    PUZZLE,
    TEXTS,
    Text,
    compact,
    rows,
)
from tests.helpers.seeds import seeds


def boards(text: str | bytes, **options: Any) -> list[str]:
    result = read(text, **options)
    assert result.bad == []
    return result.boards


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_texts_of_all_formats_are_read(text: Text) -> None:
    """Line ends and the boundaries of blocks and chunks do not change the result."""
    result = read(text.text)
    text.check(result)
    for chunk_boards, block_bytes in ((1, 1), (2, 7), (3, 82)):
        assert read(text.text, chunk_boards=chunk_boards, block_bytes=block_bytes) == result
    if "\r" not in text.text:
        assert read(text.text.replace("\n", "\r\n")) == result


def test_not_utf8() -> None:
    result = read(PUZZLE.encode() + b"\n" + PUZZLE[:4].encode() + b"\xff" + PUZZLE[5:].encode())
    assert result.bad == [(1, 2, "invalid symbol '\ufffd' in column 5")]


HEX = "0123456789ABCDEF"


def test_line_of_sixteen_symbols_is_a_board_or_a_row() -> None:
    four = "12..34..2..4..1."
    assert boards(f"{four}\n{four}\n") == [four, four]
    assert boards(four, box=Box(2, 2)) == [four]
    sixteen = "\n".join([four] * 15 + ["567.............", ""])
    assert boards(sixteen * 2) == [four * 15 + "567............."] * 2
    assert boards("\n".join([four] * 16), box=Box(4, 4)) == [four * 16]


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


def test_alphabet_is_detected_or_given() -> None:
    board = (HEX + "." * 16) * 8

    def alphabet(text: str, **options: Any) -> tuple[str, tuple[str, ...]]:
        source = io.BytesIO(f"{text}\n{text}".encode())
        first, second = read_records(source, chunk_boards=1, **options)
        assert second.notices == ()
        return first.alphabet.name, first.notices

    assert alphabet(board) == ("0-9A-F", ())
    assert alphabet(board.replace(".", "0")) == ("1-9A-G", ())
    assert alphabet(board.replace("0", "G")) == ("1-9A-G", ())
    guess = ("the alphabet is ambiguous: read as 1-9A-G",)
    assert alphabet(board.replace("0", ".")) == ("1-9A-G", guess)
    assert alphabet(board.replace("0", "."), alphabet="0-9A-") == ("0-9A-F", ())
    with pytest.raises(ValueError, match="numbers for boards of 16x16"):
        alphabet(board, alphabet="A-Y")


@pytest.mark.parametrize("blank", [*".-*_?", "", " "])
def test_0_is_not_silently_an_empty_cell_beside_another_one(blank: str) -> None:
    lines = [[*"0.2."], [*"..0."], [*".0.."], [*"1..0"]]
    text = "\n".join(("" if blank else ",").join(row).replace(".", blank) for row in lines)
    with pytest.raises(AmbiguousError, match=r"0 could be a digit.* name the alphabet 0-3 or 1-4"):
        boards(text)
    assert boards(text, alphabet="0-3") == ["0.2...0..0..1..0"]
    if blank not in "-?":
        assert boards(text, alphabet="1-4") == ["..2.........1..."]
        assert boards(text.replace("1", "4")) == ["..2.........4..."]


def test_box_is_given() -> None:
    result = read(f"{PUZZLE}\n" + "." * 36 + "\n", box=Box(2, 3))
    assert result.boards == ["." * 36]
    assert result.bad == [(0, 1, "board of 81 cells in a file of boards of 36 cells")]
    assert boards("." * 49, box=Box(1, 7)) == ["." * 49]
    [chunk] = read_records(io.BytesIO(b"." * 144), box=Box(4, 3))
    assert chunk.box == Box(4, 3)


SIX = "1.....", "..2...", "......", "...4..", ".....5", "......"


def drawn(box: Box, *, has_frame: bool = False) -> str:
    """Return a drawing of a 6×6 board with bars between boxes, and around the board."""
    starts = range(0, 6, box.columns)
    lines = ["|".join(row[k : k + box.columns] for k in starts) for row in SIX]
    return "\n".join([f"|{line}|" if has_frame else line for line in lines]) + "\n"


@pytest.mark.parametrize("has_frame", [False, True])
@pytest.mark.parametrize("box", [Box(2, 3), Box(3, 2)])
def test_bars_show_the_box(box: Box, has_frame: bool) -> None:
    other = Box(box.columns, box.rows)
    text = drawn(box, has_frame=has_frame)
    for number in (1, 20):  # more than the box depends on
        chunks = [*read_records(io.BytesIO(text.encode() * number))]
        assert {chunk.box for chunk in chunks} == {box}
        assert sum(map(len, chunks)) == number
    assert parse_board(text)[2] == box
    reason = f"its bars show {box} boxes, not {other}"
    assert read(text, box=other).bad == [(0, 1, reason)]
    with pytest.raises(ValueError, match=reason):
        parse_board(text, other)
    # The first boards determine the box of a file.
    mixed = read(20 * text + drawn(other))
    assert (len(mixed.boards), mixed.bad) == (
        20,
        [(20, 121, f"its bars show {other} boxes, not {box}")],
    )
    with pytest.raises(ValueError, match=f"puzzle 1: its bars show {other} boxes, not {box}"):
        parse_boards([text, drawn(other)], None, "auto")


@pytest.mark.parametrize("box", [None, Box(2, 3), Box(3, 2)])
def test_bars_that_are_not_between_boxes_show_no_box(box: Box | None) -> None:
    some = [f"{row[:2]}|{row[2:4]}|{row[4:]}" for row in SIX[:5]]
    for text in ("\n".join(map("|".join, SIX)), "\n".join([*some, SIX[5]])):
        [chunk] = read_records(io.BytesIO(text.encode()), box=box)
        assert (chunk.box, len(chunk), chunk.bad) == (box or Box(2, 3), 1, ())
        assert parse_board(text, box)[2] == chunk.box


def test_objects_state_their_box() -> None:
    four, wide = f'{{"puzzle": "{FOUR}", "box": %s}}', f'{{"puzzle": "{"." * 36}", "box": %s}}'
    for text in (wide % '"3x2"', f"[{wide % [3, 2]}]"):
        [chunk] = read_records(io.BytesIO(text.encode()))
        assert (chunk.box, len(chunk)) == (Box(3, 2), 1)
    errors = {
        "7": "box must be a pair of integers or a string such as '2x3', not 7",
        '"9x9"': "box 9x9: rows times columns must be from 4 to 64",
        '"1x4"': "its box is 1x4, not 2x2",
    }
    text = "\n".join([four % "null", four % '"2x2"', *(four % box for box in errors)])
    result = read(text)
    assert result.boards == [FOUR, FOUR]
    assert result.bad == [(2, line, reason) for line, reason in enumerate(errors.values(), 3)]


LONG, MANY = 300_000, 50_000
GOOD = f"{FOUR_ROWS}\n"
OBJECT = f'{{"puzzle": "{FOUR}"}}'
NOT_JSON = "expected a list or a JSON object, found"
NOT_CLOSED = "the JSON object is not closed"
TOO_MANY = "too many errors; the rest is not read"
TOO_LONG = "the line is longer than 262,144 bytes"
MANY_COMMAS = f"{',' * 50}{BROKEN}\n"
MANY_FIELDS = "the row has 204000 fields, and the table has 2 columns"
LONG_TEXTS = [
    *(
        (f"{FOUR}\n{part * (LONG // len(part))}\n{FOUR}\n", 2, [(1, 2, TOO_LONG)])
        for part in ("1,", '"', "[", "é")
    ),
    *((GOOD + part, 1, [(1, 2, "the list is not closed")]) for part in ("[" * MANY, "{" * MANY)),
    (GOOD + "[1," * (LONG >> 5), 1, [(1, 2, f"{NOT_JSON} '1'")]),
    (f"{GOOD}{'/*' * MANY}\n{GOOD}", 2, [(1, 2, f"{NOT_JSON} {'*' * 40!r}")]),
    (f'{GOOD}{" #" * LONG}"\n{GOOD}', 2, []),
    (f"{GOOD}{'//' * LONG}\n{GOOD}", 2, []),
    (f"[{OBJECT},\n" + '{"a":[\n' * MANY, 1, [(1, 2, NOT_CLOSED)]),
    (f"[{OBJECT},\n" + '{"a": "\n' * MANY, 1, [(1, 101, TOO_MANY)]),
    (f'{{"n":\n1, "puzzles": [{OBJECT}' + ',\n{"puzzles": [{"a":' * MANY, 1, [(1, 101, TOO_MANY)]),
    (f"[{OBJECT},\n" + '{"a"\n' * 5000, 1, [(1, 1, "the list is not closed")]),
    (f"[{OBJECT},\n" + '{"a": "' + '\\"' * LONG, 1, [(1, 2, NOT_CLOSED)]),
    (f"[{OBJECT}\n1,," + "\n" * MANY + "x", 1, [(1, MANY + 2, f"{NOT_JSON} 'x'")]),
    ("[" + f'{{"puzzle": "{FOUR}", "note": "{"x" * 1000}"}}, ' * 100 + "]\n", 100, []),
    (f"Puzzle,Solve Instructions\n{FOUR}" + MANY_COMMAS * 4000, 0, [(0, 2, MANY_FIELDS)]),
    # longer than the limit of the module `csv`
    (f'puzzle,note,rating\n{FOUR},"{"a" * 200_000}",2.5\n', 1, []),
]


@pytest.mark.parametrize(("text", "number", "last_bad"), LONG_TEXTS, ids=range(len(LONG_TEXTS)))
def test_long_texts_take_linear_time(text: str, number: int, last_bad: list[Any]) -> None:
    result = read(text)
    assert result.boards == [FOUR] * number
    assert result.bad[-1:] == last_bad


LEFT_OVER = "1200\n0000\n0000\n4000\n"


@pytest.mark.parametrize(
    ("text", "count", "line"),
    [
        (f"{LEFT_OVER}0100\n", 0, 1),
        (f"{LEFT_OVER}\n0100\n", 1, 6),
        (f"0100\n\n{LEFT_OVER}", 1, 1),
        (f"{LEFT_OVER}\n0100\n\n{LEFT_OVER}", 2, 6),
        (f"{LEFT_OVER}0100\n\n{LEFT_OVER}", 1, 1),
        (f"{LEFT_OVER}{LEFT_OVER}0100\n", 1, 5),
        (f"0100\n{LEFT_OVER}\n{LEFT_OVER}", 1, 1),
        ("12--\n----\n----\n4---\n-1--\n", 0, 1),
        (f"{LEFT_OVER}----\n0100\n", 1, 6),
    ],
)
def test_rows_that_are_left_over_are_errors_with_their_line(text, count, line) -> None:
    result = read(text)
    assert (len(result.boards), [at for _, at, _ in result.bad]) == (count, [line])


def test_no_row_of_a_drawing_vanishes() -> None:
    for seed in seeds(200):
        rng = random.Random(seed)
        n, height = rng.choice([(4, 2), (6, 2), (9, 3)])
        drawn, lines = [], []
        for _ in range(rng.randint(1, 3)):
            size = n if rng.random() < 0.7 else rng.randint(1, n + 2)
            rule = rng.choice([[], ["-" * (n + 1)], [""]])
            for k in range(size):
                row = "".join(rng.choice("123456789"[:n] + ".." * n) for _ in range(n))
                lines += [row, *(rule if (k + 1) % height == 0 and k + 1 < size else [])]
                drawn.append(row)
            lines += [""] * rng.randint(0, 1)
        try:
            result = read("\n".join(lines) + "\n")
        except AmbiguousError:
            continue
        assert result.bad or "".join(result.boards) == "".join(drawn)


# As py-sudoku 2.0.0 prints them
PRINTED = """
---------------------------
4x4 (2x2) SUDOKU PUZZLE
Difficulty: 0.50
---------------------------
+-----+-----+
| 1   |     |
|     | 3   |
+-----+-----+
|   4 |     |
|     |   2 |
+-----+-----+

"""


def test_blanks_between_bars_are_empty_cells() -> None:
    assert boards(PRINTED) == [FOUR]
    cells = [
        ["  " if (r + c) % 3 else f"{(4 * r + r // 4 + c) % 16 + 1:02}" for c in range(16)]
        for r in range(16)
    ]
    rule = "+".join(["", *["-" * 13] * 4, ""])
    lines = [rule]
    for r, row in enumerate(cells, 1):
        parts = (" ".join(["", *row[k : k + 4], ""]) for k in range(0, 16, 4))
        lines += ["|".join(["", *parts, ""]), *([rule] if r % 4 == 0 else [])]
    [board] = boards("\n".join(lines) + "\n")
    assert len(board) == 256
    assert sum(symbol != "." for symbol in board) == sum(
        cell != "  " for row in cells for cell in row
    )


@pytest.mark.parametrize(
    "banner", ["----------- SOLUTION FOUND -----------", "=== Board 1 ===", "*** Grid:"]
)
def test_a_banner_above_a_board_is_skipped(banner) -> None:
    for board in (f"{PUZZLE}\n", compact(PUZZLE), "1...\n..3.\n.4..\n...2\n"):
        result = read(f"{banner}\n{board}\n{banner}\n{board}")
        assert (len(result.boards), result.bad) == (2, [])
    assert read(f"1...\n..3.\n.4..\n...2\n\n{banner}\n").bad == [(1, 6, "not a board")]


def test_boards_of_sudoku_bench() -> None:
    record = {"rules": "Normal sudoku rules apply.", "initial_board": FOUR, "solution": FOUR_SOLVED}
    plain, drawn = (
        json.dumps({**record, "visual_elements": each}) for each in ([], [{"type": "cage"}])
    )
    result = read(f"{plain}\n{drawn}\n")
    assert (result.boards, result.solutions) == ([FOUR], [FOUR_SOLVED])
    assert result.bad == [(1, 2, "its visual_elements are rules that are not read")]


def test_objects_without_a_board_are_no_boards_of_their_letters():
    """The object has as many signs as a board of 4x4 has cells."""
    result = read('{"givens": "..."}\n{"puzzle": "1...2...3...4..."}\n')
    assert (len(result.boards), result.bad) == (1, [(0, 1, "no board in the JSON object")])
