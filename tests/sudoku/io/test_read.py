"""Reading: all formats, all error messages, and the boundaries of chunks and blocks."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.records import PlainRecords
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


def test_one_line_boards() -> None:
    result = read(f"{PUZZLE}\n{OTHER}\n")
    assert result.boards == [PUZZLE, OTHER]
    assert result.lines == [1, 2]
    assert result.solutions == ["", ""]
    assert result.counts == [-1, -1]
    assert result.bad == []


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
        (0, 3, "invalid symbol 'Q' in column 7"),
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
        (OTHER.replace(".", " ")[:-7], "expected 81 symbols and spaces, found 74"),
        ("hello, world", UNKNOWN),
        ("12 13", UNKNOWN),
        ("Puzzle is not possible.!", UNKNOWN),
        ("\xff\xfe", UNKNOWN),
    ],
)
def test_bad_lines(line: str, reason: str) -> None:
    result = read(f"{PUZZLE}\n{line}\n{OTHER}\n{line}")
    assert result.boards == [PUZZLE, OTHER]
    assert result.lines == [1, 3]
    assert result.bad == [(1, 2, reason), (2, 4, reason)]


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


COMPLETE_4 = "1234341221434321"
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


def test_notices_are_in_the_first_chunk_only() -> None:
    board = ("123456789ABCDEF." * 16 + "\n") * 5
    chunks = list(read_records(io.BytesIO(board.encode()), chunk_boards=2))
    assert [len(chunk.notices) for chunk in chunks] == [1, 0, 0]
    assert [len(chunk) for chunk in chunks] == [2, 2, 1]


def test_bad_records_are_split_into_chunks() -> None:
    chunks = list(read_records(io.BytesIO(b"what?\n" * 100), chunk_boards=7))
    assert sum(len(chunk.bad) for chunk in chunks) == 100
    assert max(len(chunk.bad) for chunk in chunks) == 7


EVERYTHING = "".join(
    [
        f"{PUZZLE}\n{SOLVED}\r\n{SOLUTION}\nwhat?\n{OTHER},{SOLUTION}\n# comment\r\r",
        compact(SOLVED),
        compact(SOLUTION),
        "The solution to the puzzle is unique.\nDifficulty: Easy\n",
        compact(OTHER)[:-12],
        "\n\n",
        f"{OTHER}\nPuzzle has no solution.\n{THIRD}\n\n[State]\n{PUZZLE}\n",
        f"Puzzle,Solution,Difficulty\n{PUZZLE},,Easy\n{SOLVED},{SOLUTION},Expert,\n",
        f"quizzes,solutions\n{SOLVED},{SOLUTION}\n{THIRD},Puzzle is not possible.,\n",
        "2 puzzles generated in 0.1 seconds.\n" + OTHER,
    ]
)


@pytest.mark.parametrize("chunk_boards", [1, 2, 3, 1000])
@pytest.mark.parametrize("block_bytes", [1, 7, 82, 1 << 20])
def test_chunk_and_block_boundaries(
    chunk_boards: int, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = read(EVERYTHING)
    assert len(expected.boards) == 11
    assert len(expected.bad) == 2
    monkeypatch.setattr("dlx_numba.sudoku.io.read.HEAD_BYTES", 0)
    assert read(EVERYTHING, chunk_boards=chunk_boards, block_bytes=block_bytes) == expected
    chunks = read_records(io.BytesIO(EVERYTHING.encode()), chunk_boards=chunk_boards)
    assert all(len(chunk) <= chunk_boards for chunk in chunks)


PIECES = st.sampled_from(
    [
        *(PUZZLE, SOLVED, SOLUTION, PUZZLE[:-1], f"{SOLVED},{SOLUTION}", f"{SOLUTION} x"),
        *(compact(SOLVED), compact(SOLUTION), compact(OTHER)[:40], "---", "", "# note", "what?"),
        *("quizzes,solutions", "Puzzle,Difficulty", f"{OTHER},Easy", "[State]", "[Puzzle]"),
        *("The solution to the puzzle is unique.", "Puzzle is not possible.", "Difficulty: Easy"),
    ]
)


@given(
    st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=12),
    st.integers(1, 4),
    st.integers(1, 200),
)
def test_chunk_and_block_boundaries_do_not_matter(
    pieces: list[tuple[str, str]], chunk_boards: int, block_bytes: int
) -> None:
    text = PUZZLE + "\n" + "".join(piece + end for piece, end in pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dlx_numba.sudoku.io.read.HEAD_BYTES", 0)
        result = read(text, chunk_boards=chunk_boards, block_bytes=block_bytes)
    assert result == read(text)


@given(st.binary(max_size=300).map(lambda text: text.replace(b"\0", b"1")))
def test_any_bytes_can_be_read(text: bytes) -> None:
    result = read(PUZZLE.encode() + b"\n" + text + b"\n\n" + THIRD.encode() + b"\n")
    assert result.boards[0] == PUZZLE
    assert result.boards[-1] in (THIRD, SOLUTION)


def test_chunk_boards_must_be_positive() -> None:
    with pytest.raises(ValueError, match="chunk_boards"):
        read(PUZZLE, chunk_boards=0)


@given(st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=12))
def test_both_paths_read_the_same(pieces: list[tuple[str, str]]) -> None:
    text = PUZZLE + "\n" + "".join(piece + end for piece, end in pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dlx_numba.sudoku.io.lines.LineReader.kernel_can_read", lambda *_: False)
        result = read(text)
    assert result == read(text)


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from([PUZZLE, SOLVED, OTHER]), st.just("\n")),
            st.tuples(PIECES, st.sampled_from(["\n", "\n", "\r\n"])),
        ),
        max_size=20,
    ),
    st.integers(1, 4),
    st.integers(1, 500),
)
def test_plain_blocks_are_read_as_other_text(
    pieces: list[tuple[str, str]], chunk_boards: int, block_bytes: int
) -> None:
    text = f"{PUZZLE}\n{OTHER}\n" + "".join(piece + end for piece, end in pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dlx_numba.sudoku.io.read.HEAD_BYTES", 0)
        patch.setattr("dlx_numba.sudoku.io.read.MIN_PLAIN_BYTES", 1)
        result = read(text, chunk_boards=chunk_boards, block_bytes=block_bytes)
    assert result == read(text)


def test_large_plain_text_is_not_decoded_at_once() -> None:
    text = f"{PUZZLE}\n{OTHER}\n".encode() * 1000
    chunks = list(read_records(io.BytesIO(text), chunk_boards=700))
    assert all(isinstance(chunk, PlainRecords) for chunk in chunks)
    assert [chunk.first_number for chunk in chunks] == [chunk.lines[0] for chunk in chunks]
    assert b"".join(chunk.detach_text().tobytes() for chunk in chunks) == text
    assert read(text).boards == [PUZZLE, OTHER] * 1000


class TypedText(io.BytesIO):
    def isatty(self) -> bool:
        return True


def test_plain_lines_that_are_typed_do_not_wait_for_the_next_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dlx_numba.sudoku.io.read.MIN_PLAIN_BYTES", 1)
    source = TypedText(f"{PUZZLE}\n".encode() * 1000)
    first = next(read_records(source))
    assert len(first) == source.tell() // (len(PUZZLE) + 1)
