"""Writing: each style and status, and reading the output again."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from dlx_numba.runtime.choices import BOARD_STYLES
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_grid
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.records import BadRecord, Numbering, Records
from dlx_numba.sudoku.io.symbols import Alphabet
from dlx_numba.sudoku.io.write import Writer
from tests.helpers.boards import read, values_of

FOUR = Alphabet("1-9A-", 4)
PUZZLE, SOLUTION = "12..34..2..3..2.", "1234341221434321"
DRAWN, SOLVED = (format_grid(values_of(text), Box(2, 2), FOUR) for text in (PUZZLE, SOLUTION))


def records(n: int = 1, **fields: Any) -> Records:
    boards = np.tile(values_of(PUZZLE), (n, 1))
    return Records("toy.txt", Box(2, 2), FOUR, boards, np.arange(1, n + 1), **fields)


BAD = (BadRecord(1, 2, 'symbol "," is bad, so'), BadRecord(1, 3, "bad"), BadRecord(5, 9, "worse"))
COUNTS = np.array([1, 2, 0, -1, 17])


def write(style: str, *, limit: int | None = 17, **fields: Any) -> str:
    chunk = records(5, **fields)
    solutions = np.where(COUNTS[:, None] > 0, values_of(SOLUTION), 0).astype(np.uint8)
    return bytes(Writer(style, limit=limit).format(chunk, solutions, COUNTS)).decode()


def test_lines() -> None:
    assert write("line", bad=BAD).splitlines() == [
        SOLUTION,
        '# unreadable: toy.txt:2: symbol "," is bad, so',
        "# unreadable: toy.txt:3: bad",
        f"{SOLUTION} # 2 solutions",
        f"{PUZZLE} # no solution",
        f"{PUZZLE} # unfinished",
        f"{SOLUTION} # 17 or more solutions",
        "# unreadable: toy.txt:9: worse",
    ]
    assert write("line", limit=None).splitlines()[-1] == f"{SOLUTION} # 17 solutions"


def test_csv() -> None:
    assert write("csv", bad=BAD).splitlines() == [
        "puzzle,solution,count,status,file,line",
        f"{PUZZLE},{SOLUTION},1,unique,toy.txt,1",
        ',"symbol "","" is bad, so",,unreadable,toy.txt,2',
        ",bad,,unreadable,toy.txt,3",
        f"{PUZZLE},{SOLUTION},2,multiple,toy.txt,2",
        f"{PUZZLE},,0,none,toy.txt,3",
        f"{PUZZLE},,,unfinished,toy.txt,4",
        f"{PUZZLE},{SOLUTION},17,multiple,toy.txt,5",
        ",worse,,unreadable,toy.txt,9",
    ]


def test_csv_header_is_written_once() -> None:
    def lines(*chunks: Records, names: Sequence[str] = ()) -> list[str]:
        writer, solved = Writer("csv", limit=1), (values_of(SOLUTION)[None], np.array([1]))
        writer.names = names
        return b"".join(writer.format(chunk, *solved) for chunk in chunks).decode().splitlines()

    plain, easy = records(), records(others=[{"level": "Easy"}])
    header = "puzzle,solution,count,status,file,line"
    row = f"{PUZZLE},{SOLUTION},1,solved,toy.txt,1"
    assert lines(easy, plain) == [f"{header},level", f"{row},Easy", f"{row},"]
    assert lines(plain, easy, names=["level"])[2] == f"{row},Easy"
    assert lines(plain, easy, names=["other"])[1:] == [
        f"{row},",
        f'{row},"{{""level"": ""Easy""}}"',
    ]
    with pytest.raises(ValueError, match=r"toy.txt:1: the output has no column level"):
        lines(plain, easy)


def write_numbered(style: str) -> str:
    """Return puzzle 9, which has two solutions, three others, and a bad record."""
    counts, solutions = np.array([2, 2, 1, 0, -1]), np.tile(values_of(SOLUTION), (5, 1))
    solutions[3:] = 0
    numbering = Numbering(np.array([9, 9, 10, 11, 12]), np.array([1, 2, 1, 0, 0]))
    chunk, nodes = records(5, bad=BAD[1:2]), np.array([5, 5, 6, 7, 0])
    text = Writer(style, limit=None).format(chunk, solutions, counts, nodes, numbering=numbering)
    return bytes(text).decode()


def test_numbered_grids() -> None:
    assert write_numbered("grid").split("\n\n") == [
        f"# puzzle 9, solution 1\n{SOLVED}",
        f"# unreadable: toy.txt:3: bad\n# puzzle 9, solution 2\n{SOLVED}",
        f"# puzzle 10, solution 1\n{SOLVED}",
        f"# puzzle 11\n{DRAWN}\nThere are no solutions to the puzzle.",
        f"# puzzle 12\n{DRAWN}\n# unfinished",
        "",
    ]
    assert read(write_numbered("grid")).boards == [SOLUTION] * 3 + [PUZZLE] * 2


def test_numbered_csv() -> None:
    text = write_numbered("csv")
    assert text.splitlines()[1:4] == [
        f"9,1,{PUZZLE},{SOLUTION},,multiple,toy.txt,1,",
        ",,,bad,,unreadable,toy.txt,3,",
        f"9,2,{PUZZLE},{SOLUTION},,multiple,toy.txt,2,",
    ]
    result = read(text)
    assert result.boards == [PUZZLE] * 5
    assert result.solutions == [SOLUTION] * 3 + [""] * 2


def test_grids() -> None:
    assert write("grid", bad=BAD[1:]).split("\n\n") == [
        SOLVED,
        f"# unreadable: toy.txt:3: bad\n{SOLVED}\nThere are 2 solutions to the puzzle.",
        f"{DRAWN}\nThere are no solutions to the puzzle.",
        f"{DRAWN}\n# unfinished",
        f"{SOLVED}\nThere are 17 or more solutions to the puzzle.",
        "# unreadable: toy.txt:9: worse\n",
    ]
    assert read(write("grid")).counts == [-1, 2, 0, -1]


@pytest.mark.parametrize("style", BOARD_STYLES)
def test_chunks_without_boards(style: str) -> None:
    chunk = records(0, bad=(BadRecord(0, 1, "bad"), BadRecord(0, 2, "worse")))
    nothing = np.zeros((0, 16), np.uint8), np.zeros(0, np.int64)
    text = bytes(Writer(style, limit=1).format(chunk, *nothing)).decode()
    assert text.index("bad") < text.index("worse")
    text = bytes(Writer(style, limit=1).format(records(0), *nothing))
    assert text.count(b"\n") == (style == "csv")


@pytest.mark.parametrize("style", BOARD_STYLES)
def test_derived_boards_are_read_again(style: str) -> None:
    text = b'1.3.34..2..3..2.\n"a, b"\n................\n4...\n'
    [chunk] = read_records(io.BytesIO(text))
    boards = np.roll(chunk.boards, 1, axis=1)
    written = Writer(style).format_boards(chunk, boards, "rolled").decode()
    assert style == "grid" or ".1.3.34..2..3..2" in written
    assert written.count("unreadable") == len(chunk.bad) == 2
    is_table = style in ("csv", "json")  # with both boards
    first = "1.3.34..2..3..2." if is_table else ".1.3.34..2..3..2"
    assert read(written).boards == [first, "." * 16]
