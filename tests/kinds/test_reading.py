"""The kind of a file is detected by its content."""

import gc
import gzip
import json
import re
import warnings
from contextlib import suppress

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kinds.reading import read_any
from dlx_numba.runtime.source import named_stream
from tests.helpers import DATA
from tests.helpers.formats import GRID, TEXTS
from tests.helpers.processes import invoke

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWICE = f"{EASY}\n{EASY}\n"  # also an item and an option
KNUTH = "a b c | d\na b\nc d:x\nb c\na d:y\n"
MATRIX = "1000\n0000\n0010\n0001\n"
COORDINATES = (
    dlx.example("tilings", region="4x4").cover().write(kind="knuth")
)  # also rows of boards


def read(tmp_path, content, **options):
    path = tmp_path / "input"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_any(path, **options)


@pytest.mark.parametrize("separator", [" ", ",", ", ", ";"])
@pytest.mark.parametrize("blank", [".", "0"])
def test_rows_of_a_board_on_one_line_are_a_board(blank, separator):
    rows = [EASY[k : k + 9].replace(".", blank) for k in range(0, 81, 9)]
    for n_lines in (1, 2):
        text = f"{separator.join(rows)}\n" * n_lines
        found = [*read_any(named_stream(text.encode(), "boards")).puzzles]
        values = tuple(int(symbol) for symbol in EASY.replace(".", "0"))
        assert [puzzle.values for puzzle in found] == [values] * n_lines


@pytest.mark.parametrize(
    ("content", "options", "n_boards"),
    [
        (TWICE, {}, 2),
        (MATRIX, {"kind": "sudoku"}, 1),
        (f"100000{'0' * 30}\n", {"box": dlx.Box(3, 2)}, 1),
        ("0,0,0,2\n" * 4, {}, 1),
        *((text.text, {}, len(text.boards)) for text in TEXTS.values() if text.boards),
    ],
)
def test_boards_are_found(content, options, n_boards, tmp_path):
    opened = read(tmp_path, content, **options)
    assert opened.kind == "sudoku"
    assert sum(len(records.boards) for records in opened.chunks) == n_boards


def test_an_ambiguous_file_contains_boards_by_default(tmp_path):
    assert read(tmp_path, TWICE).is_ambiguous
    assert read(tmp_path, TWICE, kind="cover").kind == "cover"


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("takuzu", [[None, 1, None, 0], [0, None, None, None], [None, 0, None, 1], [None] * 4]),
        ("hashiwokakero", [[0, 2, 0, 0, 3], [0] * 5, [0] * 5, [0, 1, 0, 0, 2]]),
        ("dominosa", [[1, 1, 0, 2], [0, 2, 1, 2], [0, 2, 1, 0]]),
    ],
)
def test_grids_may_be_lists_as_in_json_or_in_a_program(kind, rows, tmp_path):
    drawn = "".join(" ".join("." if x is None else str(x) for x in row) + "\n" for row in rows)
    [expected] = [puzzle.count() for puzzle in read(tmp_path, drawn).puzzles]
    minus = [[-1 if x is None else x for x in row] for row in rows]
    strings = [["" if x is None else str(x) for x in row] for row in rows]
    program = "# a board\nboard = [\n" + "".join(f"    {row},  # row\n" for row in rows) + "]\n"
    for text in (json.dumps(rows), "\ufeff" + json.dumps(minus), json.dumps(strings), program):
        for stated in (None, kind):
            found = read(tmp_path, text, kind=stated)
            assert (found.kind, [puzzle.count() for puzzle in found.puzzles]) == (kind, [expected])


def test_a_byte_order_mark_hides_no_boards(tmp_path):
    text = json.dumps({"easy": ["." * 80 + "1"], "hard": ["1" + "." * 80]})
    assert [read(tmp_path, mark + text).kind for mark in ("", "\ufeff")] == ["sudoku"] * 2


def test_rows_of_two_symbols_are_named_before_their_alphabet(tmp_path):
    with pytest.raises(
        ValueError, match="input: rows of two symbols are no Sudoku; state the kind"
    ):
        read(tmp_path, "|.|1|.|0|\n|0|.|.|.|\n|.|0|.|1|\n|.|.|.|.|\n")


def test_lists_without_boards(tmp_path):
    other = '{"rooms": [\n{"number": 1}],\n"costs": {"upgrade": 5}}'
    for text in (json.dumps([GRID[0][:8], *GRID[1:]]), "[[],", "[\n]\n"):
        with pytest.raises(ValueError, match=r"input:.* no Sudoku puzzle was found"):
            read(tmp_path, text)
    with pytest.raises(ValueError, match='input: this is JSON with the keys "rooms" and "costs"'):
        read(tmp_path, other)


def test_neither_boards_nor_a_problem(tmp_path):
    path = tmp_path / "input"
    reason = f"^{path}:2: unknown item 'c': the first line lists all items"
    with pytest.raises(ValueError, match=rf"{reason} \(and no Sudoku puzzle was found\)"):
        read(tmp_path, "a b\nc\n")
    with pytest.raises(ValueError, match=f"{reason}$"):
        read_any(path, "cover")
    with pytest.raises(ValueError, match="no puzzle found"):
        read(tmp_path, KNUTH, kind="sudoku")
    with pytest.raises(ValueError, match="A-P"):
        list(read(tmp_path, EASY, alphabet="A-P").chunks)
    for kind in (None, "sudoku"):
        with pytest.raises(ValueError, match="input:1: diagonals must be True or False, not 1"):
            read(tmp_path, '{"puzzle": "................", "diagonals": 1}', kind=kind)
    with pytest.raises(OSError, match="No such file"):
        read_any(tmp_path / "nowhere")
    for content, reason in ((b"\0\xff", "binary data, not"), (b"\xff\xfe1\0", "UTF-16 text; .*")):
        path.write_bytes(content)
        for source, name in ((path, str(path)), (content, "<text>")):
            with pytest.raises(dlx.UnreadableError, match=f"^{name}: {reason} [^(]*$"):
                next(dlx.read(source))


@pytest.mark.parametrize(
    "text",
    [
        *(TEXTS[name].text for name in ("rules, drawn", "a list of rows")),
        *(header + "1 0 0 0\n0 0 3 0\n0 4 0 0\n0 0 0 2\n" for header in ("2 2\n", "4 4\n\n")),
        "not a board\n" + EASY + "\n",
        gzip.compress(EASY.encode(), mtime=0),
    ],
)
def test_commands_of_problems_read_boards(tmp_path, text):
    assert read(tmp_path, text).kind == "sudoku"
    assert "read as sudoku)" in invoke("cover", tmp_path / "input", status=None)[1]


@pytest.mark.parametrize(
    "text",
    [
        KNUTH,
        gzip.compress(KNUTH.encode(), mtime=0),
        MATRIX,
        "101\n010\n110\n",
        "[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]",
        "[1 b\n[1\nb\n",
        COORDINATES,
        '{"options": [["a"]]}',
        '{"options": [["puzzle"], [1, 2]]}',
        "c a comment\np ec 4\ns 1 2\ns 3 4\n",
        "4 4\n" + "3 1 2 4\n" * 4,  # rows of a 4×4 board
        "9 9\n" + "8 1 2 3 4 5 6 7 9\n" * 9,
        "16 16\n" + ("15 " + " ".join(map(str, range(1, 16))) + "\n") * 16,
        "1 2 3 4\n1 2\n3 4\n",
        "a\n",
        "a\na\n",
        "a b c\n",
        "0\n",
        ",1,2,3,4\n1,1,0,0,0\n2,0,1,1,1\n",
    ],
)
def test_small_problems_are_not_boards(tmp_path, text):
    assert read(tmp_path, text).kind == "cover"
    assert "Sudoku" not in invoke("cover", tmp_path / "input", status=None)[1]


def test_solve_reads_exact_cover_problems(tmp_path):
    problems = [KNUTH.encode(), b'{"options": {"S1": ["a"]}}', b",A,B\nS1,1,0\nS2,0,1\n"]
    for number, content in enumerate([*problems, gzip.compress(problems[0], mtime=0)]):
        (tmp_path / f"{number}").write_bytes(content)
    np.save(tmp_path / "matrix.npy", np.eye(3, dtype=int))
    for path in sorted(tmp_path.iterdir()):
        out, err = invoke("solve", path, status=None)
        assert re.search("1 puzzle read as (Knuth's format|JSON|a table|a matrix of NumPy)", err)
        assert re.search(r"^# (unique|2 or more|no solution)", out, re.MULTILINE)
    assert "unique" in invoke("solve", "-", stdin="a b\na\nb\n")[0]
    program = "Minimize\n x + 2 y\nSubject To\n x + y = 1\nBinary\n x y\nEnd\n"
    (tmp_path / "small.lp").write_text(program)
    for source in ("-", tmp_path / "small.lp"):
        assert invoke("solve", source, stdin=program)[0] == "x (cost 1)\n# cost 1, the cheapest\n"
    (tmp_path / "letter").write_text("Dear Sudoku,\n")
    for name in ("letter", "absent"):
        invoke("solve", tmp_path / name, status=2)


def test_boards_are_read_in_chunks(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_bytes(gzip.compress((DATA / "simple.txt").read_bytes() * 300, mtime=0))
    content = read_any(path, kind="sudoku", max_bytes=1)  # the limit is that of other files
    assert content.kind == "sudoku"
    assert sum(map(len, content.chunks)) == 60_000


def test_board_file_that_is_not_read_is_closed():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        read_any(DATA / "simple.txt", kind="sudoku")
        gc.collect()
    assert not caught


def test_size_of_problems_is_limited(tmp_path):
    path = tmp_path / "problem.dlx.gz"
    path.write_bytes(gzip.compress(b"a b\n" + b"a\nb\n" * 500_000, mtime=0))
    reason = "larger than the limit of 1,048,576 bytes; see --max-input"
    for command in (["count"], ["show"], ["explain", "-o", "-"]):
        _, err = invoke(*command, "--max-input", "1M", path, status=2)
        assert err == f"error: {path}: {reason}\n"
    path.write_bytes(gzip.compress(b"0 1 0 1\n" * 200_000, mtime=0))  # not 4×4 boards
    assert "larger than the limit" in invoke("show", "--max-input", "1M", path, status=2)[1]
    path.write_bytes(gzip.compress(b"\0" * (1 << 22), mtime=0))
    for command in (["cover"], ["show"], ["explain", "-o", "-"]):
        _, err = invoke(*command, path, status=2)
        assert err.startswith(f"error: {path}: binary data, not text")


def test_boards_whose_givens_exclude_each_other_have_no_solution(tmp_path):
    path = tmp_path / "boards"
    path.write_text("11..............\n")
    [puzzle] = dlx.read(path)
    assert (puzzle.first(), puzzle.count(), list(puzzle.solutions())) == (None, 0, [])
    with pytest.raises(TypeError, match="a solution must be a list of option numbers, not None"):
        puzzle.text(puzzle.first())
    assert invoke("count", path, status=1)[0] == "0\n"
    with pytest.raises(ValueError, match="cannot be in one cover"):
        puzzle.cover()


def test_a_number_without_an_option_is_an_error_and_not_a_contradiction():
    [puzzle] = dlx.read('{"options": [["a"], ["a"]], "forbidden": [2]}')
    for solve in (puzzle.first, puzzle.count, lambda: list(puzzle.solutions())):
        with pytest.raises(ValueError, match="forbidden: option 2 does not exist; there are 2"):
            solve()


@pytest.mark.compiled
@pytest.mark.parametrize("side", [4, 9, 81])
def test_all_commands_read_a_file_in_the_same_way(side, tmp_path):
    """A matrix of 0 and 1 has as many symbols as a board; so has a line of 81 columns."""
    path = tmp_path / "matrix.txt"
    path.write_text("".join("0" * k + "1" + "0" * (side - k - 1) + "\n" for k in range(side)))
    solved = " ".join(map(str, range(side)))
    for out, err in (invoke("solve", path), invoke("solve", "-", stdin=path.read_text())):
        assert out == f"{solved}\n# unique\n"
        assert "read as a matrix" in err
    assert invoke("count", path)[0] == "1\n"


def test_puzzles_of_other_kinds_are_not_solved_with_boards(tmp_path):
    (tmp_path / "matrix").write_text(MATRIX)
    (tmp_path / "board").write_text(EASY + "\n")
    (tmp_path / "letter").write_text("Dear Sudoku,\nhow are you?\n")
    reasons = {
        "board": "board has Sudoku boards, and .*matrix is cover: solve them in separate runs",
        "letter": "letter:2: unknown item 'how'",
        "absent": "absent: No such file or directory",
    }
    for name, reason in reasons.items():
        _, err = invoke("solve", tmp_path / "matrix", tmp_path / name, status=2)
        assert re.search(reason, err)


LONG = 100_000
# Each text has a part that a pattern could divide in many ways.
REPETITIVE = {
    "a text in Python": '[["a", "b"],\n["' + 'a\\"' * LONG,
    "the marks of a game ID": "3x3" + "xk" * LONG + "\n",
    "the size of boards": f"{EASY}\n2" + " " * LONG + "!\n",
    "a quoted row": '"' + ";," * LONG + f"\n{EASY}\n",
    "a statement of Combine": "problem a = " + "a" * LONG + "]\n",
    "a name in JSON": "{" + " " * LONG + '"cages"' + " " * LONG + "x\n",
    "lists without commas": "[" + "[1] " * LONG + "x\n",
    "an answer": "name,Mon\nAnn,ok," + " " * LONG + "x\n",
    "separate answers": "name,Mon\nAnn,ok" + "\t" * LONG + "x1!\n",
    "a list of a name": "D:" + " " * LONG + "\nx\n",
}


@pytest.mark.parametrize("text", REPETITIVE.values(), ids=list(REPETITIVE))
def test_the_time_of_detecting_a_kind_is_linear(text):
    with suppress(ValueError):
        list(dlx.read(text))
