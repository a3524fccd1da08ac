"""Boards in the files and links of apps."""

import io
import re

import pytest

from dlx_numba.puzzles.collection import read
from dlx_numba.runtime.errors import FormatError
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.read import read_records
from tests.helpers import DATA
from tests.helpers.processes import invoke

LINES = (DATA / "simple.txt").read_text().split()[:3]
XML = """\ufeff<?xml version="1.0" encoding="UTF-8"?>
<opensudoku>
  <name>&lt;Three&gt;</name>
  <game data="{}"/> <game
    data="{}" />
  <game time="0" data="{}"></game>
</opensudoku>
"""


def boards(text):
    chunks = list(read_records(io.BytesIO(text.encode())))
    return [format_board(row, chunk.alphabet) for chunk in chunks for row in chunk.boards], chunks


def test_files_of_opensudoku_are_read():
    zeros = [line.replace(".", "0") for line in LINES]
    for end in ("\n", "\r\n"):
        found, chunks = boards(XML.format(*zeros).replace("\n", end))
        assert found == LINES
        assert chunks[0].lines.tolist() == [4, 5, 6]
    assert boards(XML.format("12", *zeros[1:]))[1][0].bad[0].line == 4


@pytest.mark.parametrize(("version", "notes"), [(1, "-|"), (1, "1,2|"), (2, "0|"), (4, "0|3|")])
def test_games_of_opensudoku_that_are_played_have_their_givens(version, notes):
    for is_played in (False, True):
        cells = [
            f"{digit}|{notes}0|" if digit != "." else f"{5 * is_played}|{notes}1|"
            for digit in LINES[0]
        ]
        data = f"version: {version}&#10;{''.join(cells)}"
        assert boards(XML.format(data, *LINES[1:]))[0] == LINES


def test_boards_in_large_files_of_opensudoku_are_counted(tmp_path):
    path = tmp_path / "large.opensudoku"
    large = XML.format(*LINES).replace("</opensudoku>", "<!-- {} -->\n" * 2000 + "</opensudoku>")
    path.write_text(large.replace("{}", "x" * 40))
    assert invoke("count", path)[0] == "1\n" * 3
    path.write_text(large.replace("</opensudoku>", ""))
    assert "not valid XML" in invoke("count", path, status=2)[1]


def test_other_xml_is_not_read_as_boards():
    text = XML.format(*LINES).replace(
        "<opensudoku>", "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<opensudoku>"
    )
    with pytest.raises(FormatError, match="<stream>:2: declarations of types are not read"):
        boards(text)
    with pytest.raises(FormatError, match="<stream>:1: unknown encoding: UTF-9"):
        boards(XML.format(*LINES).replace("UTF-8", "UTF-9"))
    with pytest.raises(FormatError, match="<stream>:7: not valid XML: mismatched tag"):
        boards(XML.format(*LINES).replace("</opensudoku>", "</sudoku>"))


@pytest.mark.parametrize("form", ["https://a.org/play/?s={}", "http://a.org/b?c=d&bd={}&e#f"])
def test_links_with_boards_are_read(form):
    links = [form.format(line) for line in LINES]
    assert boards("\n".join(links))[0] == LINES
    [puzzle] = read(links[0])
    assert puzzle.count() == 1
    assert invoke("solve", links[0])[0] == invoke("solve", LINES[0])[0]


def test_comments_after_boards_are_kept():
    text = f"{LINES[0]} #Easy\n# a list\n{LINES[1]}\n{LINES[2]}  # hard (2)\r\n"
    found, [chunk] = boards(text)
    assert found == LINES
    assert chunk.others == [{"difficulty": "Easy"}, {}, {"id": "hard (2)"}]
    assert boards("\n".join(LINES))[1][0].others is None


def test_files_of_opensudoku_are_written(tmp_path):
    source, written = tmp_path / "a & b.txt", tmp_path / "ab.opensudoku"
    source.write_text("\n".join(LINES) + "\n")
    invoke("show", "--format", "opensudoku", "--output", written, source)
    assert "<name>a &amp; b.txt</name>" in written.read_text()
    assert boards(written.read_text())[0] == LINES
    small = tmp_path / "small.txt"
    small.write_text("1......3..4.....\n")
    _, err = invoke("show", "--format", "opensudoku", small, status=2)
    assert "OpenSudoku has plain 9×9 boards only" in err
    small.write_text("a b\na\nb\n")
    assert "writes boards" in invoke("show", "--format", "opensudoku", small, status=2)[1]


# The first grids of Project Euler 96, whose answers the problem and its readers state
EULER = """Grid 01
003020600
900305001
001806400
008102900
700000008
006708200
002609500
800203009
005010300
Grid 02
200080300
060070084
030500209
000105408
000000000
402706000
301007040
720040060
004010003
"""


def test_titles_precede_boards():
    found, chunks = boards(EULER)
    assert len(found) == 2
    assert chunks[0].lines.tolist() == [2, 12]
    assert not chunks[0].bad
    out, _ = invoke("solve", "-", stdin=EULER)
    assert [line[:3] for line in out.splitlines()] == ["483", "245"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("gr 1", "not a board"),
        ("xxx 0720", "found 7"),
        ("72004006", "expected 9 symbols in the row, found 8"),
        ("72OO4OO6O", "not a board"),
        ("72O04O060", "invalid symbol 'O'"),
    ],
)
def test_other_lines_are_no_titles(line, reason):
    _, [chunk] = boards(EULER.replace("Grid 02", line))
    assert reason in chunk.bad[0].reason
    assert chunk.bad[0].line == 11


@pytest.mark.parametrize("size", ["9", "9 9", " 9x9", "9,9", "3 3", "3x3", "n = 9", "N"])
def test_the_size_precedes_boards(size):
    found, [chunk] = boards(EULER.replace("Grid 01", size).replace("Grid 02", size))
    assert (len(found), chunk.lines.tolist(), len(chunk.bad)) == (2, [2, 12], 2 * (size == "N"))


@pytest.mark.parametrize("size", ["3", "4", "9 8", "3 2", "99", "9x", "9 9 9"])
def test_other_numbers_are_no_sizes(size):
    _, [chunk] = boards(EULER.replace("Grid 02", size))
    assert [each.line for each in chunk.bad] == [11]


def test_titles_precede_boards_of_any_size():
    text = EULER.replace("Grid 02", "Grid 1234")
    assert boards(text)[0] == boards(EULER)[0]
    cells = [[" 123456789ABCDEFG"[(4 * r + r // 4 + c) % 17] for c in range(16)] for r in range(16)]
    drawing = "\n".join("".join(row).replace(" ", ".") for row in cells) + "\n"
    found, [chunk] = boards("".join(f"Grid {k}\n{drawing}" for k in (1, 20, 300)))
    assert found == [drawing.replace("\n", "")] * 3
    assert not chunk.bad


def test_broken_boards_of_letters_are_no_titles():
    letters = "".join("ABCDEFGHI"[(3 * r + r // 3 + c) % 9] for r in range(9) for c in range(9))
    rows = [letters[k : k + 9] for k in range(0, 81, 9)]
    rows[4] = "ABCDEF 1"
    chunks = list(read_records(io.BytesIO("\n".join(rows).encode()), alphabet="A-I"))
    assert [bad.line for bad in chunks[0].bad] == [5]


def test_title_ends_a_board_without_all_rows():
    _, [chunk] = boards(EULER.replace("004010003\n", "") + EULER)
    assert [(bad.line, bad.reason) for bad in chunk.bad] == [(12, "expected 9 rows, found 8")]
    assert len(chunk) == 3


def test_trailer_of_simple_sudoku_is_known():
    rows = [LINES[0][k : k + 9] for k in range(0, 81, 9)]
    trailer = " Simple Sudoku\n  Version 4.2n\n"
    found, chunks = boards("\n".join(rows) + "\n" + trailer)
    assert found == LINES[:1]
    assert not chunks[0].bad


def test_puzzle_bank_of_sudoku_exchange_is_read():
    zeros = [line.replace(".", "0") for line in LINES]
    text = "".join(f"0000183b305{k} {line}  {k}.2\n" for k, line in enumerate(zeros))
    found, [chunk] = boards(text)
    assert found == LINES
    assert chunk.others == [{"difficulty": f"{k}.2"} for k in range(3)]
    _, [chunk] = boards(text.replace(zeros[1], zeros[1][1:]))
    assert len(chunk) == 2
    assert chunk.bad[0].line == 2


# From the regression tests of HoDoKu: `+` precedes a digit that a solver has placed.
HODOKU = (
    ":0000:1:+6+3+42+8+9...8+7531+6+2+9+42+91+7+5+4+6+38+349+16+58+7+2+5+8+79+42..+6+1+62+83+754"
    "+97+5+8+4+2+39+61+9.+6+5784+23+4+2+3+6+91...:::182:",
    ":0000:2:+5+7+63+8+9+4+21+3+9+2+6+1487+5+4+1+8+7+52639+8+619+47+253+7+39+2..1..25+41.89..64"
    "35.....+9854.....1.+7+8.3...:::292:",
    ":0000:x:10+340+9080040+582300000+30100003000+450820+58+30140+8+149+5020+3+30000+80000060930"
    "00070605030:612 619:::",
)


def test_placed_digits_of_hodoku_are_no_givens():
    states = [line.split(":")[3] for line in HODOKU]
    texts = ["\n".join(["# The library", *HODOKU]), "\n".join(states)]
    texts.append("\n".join(f"{state}:711 113" for state in states))
    for text in texts:
        givens, chunks = boards(text)
        assert not chunks[0].bad
        assert len(givens) == 3
        solutions = invoke("solve", "-", "--check", stdin=text)[0].split()
        for state, given, solution in zip(states, givens, solutions, strict=True):
            placed = state.replace("+", "").replace("0", ".")
            assert all(s in (".", t) for s, t in zip(placed, solution, strict=True))
            assert len(given) - given.count(".") == 81 - placed.count(".") - state.count("+")
            assert all(g in (".", p) for g, p in zip(given, placed, strict=True))


DRAWING = """
.----------.----------.----------.
|  .  4  6 |  . +1  . |  3 +7 +5 |
| +3 +8  1 | +5  4  7 | +2 +9 +6 |
|  .  .  5 |  .  3  . | +1 +4  8 |
:----------+----------+----------:
|  8  .  4 |  . +5  . | +7  6  . |
|  .  9  . |  .  2  . | +8  5 +4 |
|  .  5  . |  .  .  . |  9  .  3 |
:----------+----------+----------:
|  5  .  . |  .  8  . |  6  . +9 |
| +4  .  8 |  1  9  . |  5  .  . |
|  .  .  9 |  .  . +5 |  4  8  . |
'----------'----------'----------'
"""
GIVENS = ".46...3....1.47.....5.3...88.4....6..9..2..5..5....9.35...8.6....819.5....9...48."


def test_drawings_of_hodoku_are_read():
    found, chunks = boards(DRAWING * 2)
    assert found == [GIVENS] * 2
    assert not chunks[0].bad
    [given], _ = boards(re.sub(r"\+(?=\d)", " ", DRAWING))  # without placed digits
    assert given.startswith(".46.1.375381547296")
    _, [chunk] = boards(DRAWING.replace(" +3 +8 ", " +3 ++8"))
    assert chunk.bad[0].at("a") == "a:4: '+.' is not a number from 1 to 9"


def test_empty_cells_of_spreadsheets_are_empty():
    rows = [LINES[0][k : k + 9] for k in range(0, 81, 9)]
    text = "\n".join("\t".join(row) for row in rows).replace(".", "") + "\n"
    assert boards(text)[0] == LINES[:1]
    assert boards(text + "\n" + text)[0] == LINES[:1] * 2
    blank = [*rows[:4], ".........", *rows[5:]]
    text = "\n".join("\t".join(row) for row in blank).replace(".", "") + "\n"
    assert boards(text)[0] == ["".join(blank)]
    lines = text.splitlines()
    lines[2] = "\t" + lines[2]
    _, [chunk] = boards("\n".join(lines))
    assert 3 in chunk.errors


def test_foreign_files_have_one_message(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("What a day,\nand not one\nboard in it\n")
    out, err = invoke("solve", path, status=2)
    assert out == ""
    assert f"error: {path}: this has 3 rows" in err
    path.write_text(f"{LINES[0]}\nWhat a day,\nand not one\n")
    err = invoke("solve", path, status=4)[1]
    assert [f"notes.txt:{k}: not a board" in err for k in (1, 2, 3)] == [False, True, True]
    path.write_text("What a day,\n")
    err = invoke("solve", "--kind", "sudoku", path, status=2)[1]
    assert f"error: {path}: no puzzle found" in err


# A command of nudoku, and the beginning of its screen
NUDOKU = "92..8.65.6..2.43..3..5.9.72.7.953.......7.......6..5....142..3.....31..6.6.7..1.."


def test_boards_of_nudoku_are_read():
    rule = "   ├" + "┼".join(["───"] * 9) + "┤"
    rows = [NUDOKU[k : k + 9].replace(".", " ") for k in range(0, 81, 9)]
    drawn = [f"   │ {' │ '.join(row)} │" for row in rows]
    drawn[1] += "     Movement"
    screen = f"\n{rule}      h - Move left\n".join(drawn)
    for text in (f"nudoku -s {NUDOKU}\n", f"{rule}     nudoku 6.0.0\n{screen}\n{rule}\n"):
        found, [chunk] = boards(text)
        assert (found, chunk.bad) == ([NUDOKU], ())
    assert boards(f"\n{rule}\n".join(f"   │ {' │ '.join(row)} │" for row in rows))[0] == [NUDOKU]


@pytest.mark.parametrize(
    "text",
    [
        "https://puzz.link/p?sudoku/4/4/g1k23k3g",
        "pzprv3/sudoku/4/. 1 . . /. . . 2 /3 . . . /. . 3 . /. . . . /1 . . . /. . . . /. . . . /",
        "pzprv3\nsudoku\n4\n. 1 . . \n. . . 2 \n3 . . . \n. . 3 . \n. . . . \n1 . . . \n",
    ],
)
def test_boards_of_puzz_link_are_read(text):
    [puzzle] = read(text)
    assert puzzle.values == (0, 1, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 3, 0)


def test_large_boards_of_puzz_link_are_read():
    [puzzle] = read("https://puzz.link/p?sudoku/16/16/" + "-10a" + "z" * 12 + "t")
    assert (puzzle.values[:3], puzzle.box.n) == ((16, 10, 0), 16)


def test_missing_cells_at_the_end_of_a_link_are_empty_as_pzpr_0_10_1_reads_them():
    with pytest.warns(UserWarning, match="the link ends after 15 of 16 cells"):
        [puzzle] = read("https://puzz.link/p?sudoku/4/4/g1k23k3")
    assert puzzle.values == (0, 1, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 3, 0)


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("sudoku/4/4/g1k23k3.", "the link has [?] in row 4, column 4 of a board of 4×4"),
        ("sudoku/4/4/g1k23k39", "the link has 9 in row 4, column 4 of a board of 4×4"),
        ("sudoku/4/4/g1k23k3g1", "the link has '1' after the last cell"),
        ("sudoku/4/4/g1k23k*", "the link has '[*]' after 14 cells"),
    ],
)
def test_errors_of_links_speak_of_the_link(link, reason):
    with pytest.raises(ValueError, match=reason):
        read(f"https://puzz.link/p?{link}")


def test_an_unknown_number_of_puzz_link_is_no_empty_cell():
    text = "pzprv3/sudoku/4/. 1 . . /. . - 2 /3 . . . /. . 3 . /"
    with pytest.raises(ValueError, match="not a board"):
        read(text)
    assert len(read(text.replace("-", "."))) == 1
