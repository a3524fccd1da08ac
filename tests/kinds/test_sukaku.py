"""Puzzles of pencil marks."""

import random
import re

import pytest

import dlx_numba as dlx
from dlx_numba.kinds.kind import load_kind
from dlx_numba.kinds.reading import read, read_any
from dlx_numba.runtime.errors import FormatError
from dlx_numba.runtime.source import named_stream
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

SOLUTION = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"


def marks(seed):
    """Return cells whose candidates include the digits of the solution."""
    rng = random.Random(seed)
    return [
        "".join(d for d in "123456789" if d == value or rng.random() < 0.15) for value in SOLUTION
    ]


def line(cells, blank="."):
    return "".join(d if d in cell else blank for cell in cells for d in "123456789")


def drawing(cells):
    rows = [" ".join(cell.ljust(9) for cell in cells[k : k + 9]) for k in range(0, 81, 9)]
    rows = [f"|{row[:30]}|{row[30:60]}|{row[60:]}|" for row in rows]
    return "\n".join(["+---+---+", *rows, "'---'---'"])


def test_lines_and_drawings_are_the_same_puzzle():
    for seed in seeds(5):
        cells = marks(seed)
        found = [
            next(read(text + "\n")) for text in (line(cells), line(cells, "0"), drawing(cells))
        ]
        assert {puzzle.candidates for puzzle in found} == {tuple(cells)}
        counts = {puzzle.count(1000) for puzzle in found}
        expected = dlx.SudokuRules().exact_cover()
        forbidden = [
            f"r{k // 9 + 1}c{k % 9 + 1}={d}"
            for k, cell in enumerate(cells)
            for d in "123456789"
            if d not in cell
        ]
        assert counts == {expected.replace(forbidden=forbidden).count(1000)}
        assert found[0].count() >= 1


def test_symbols_on_several_lines_are_one_puzzle():
    for seed in seeds(5):
        cells = marks(seed)
        symbols = line(cells)
        square = [
            "".join(symbols[9 * cell + 3 * k :][:3] for cell in range(row, row + 9))
            for row in range(0, 81, 9)
            for k in range(3)
        ]
        for rows in (*([symbols[k : k + n] for k in range(0, 729, n)] for n in (9, 81)), square):
            for text in ("\n".join(rows), "\r\n".join(rows).replace(".", "0")):
                reading = read_any(named_stream(text.encode(), "marks"))
                [puzzle] = reading.puzzles
                assert reading.kind == "sukaku"
                assert puzzle.candidates == tuple(cells)
                assert "read as sukaku" in invoke("solve", "-", stdin=f"{text}\n")[1]


def test_puzzles_on_several_lines_may_have_titles():
    cells = marks(1)
    symbols = line(cells)
    rows = "\n".join(symbols[k : k + 81] for k in range(0, 729, 81))
    puzzles = [*read(f"Sukaku\n{rows}\n\n{rows}\n# the same\n{symbols}\n")]
    places = [int(puzzle.place.rpartition(":")[2]) for puzzle in puzzles]
    assert places == [2, 12, 22]
    assert {puzzle.candidates for puzzle in puzzles} == {tuple(cells)}


def test_nine_boards_are_no_pencil_marks():
    boards = [SOLUTION[:n] + "." * (81 - n) for n in range(40, 49)]
    boards[0] = "1........" * 9  # whose digits are in their places
    for width in (9, 27, 81):
        symbols = "".join(boards)
        text = "\n".join(symbols[k : k + width] for k in range(0, 729, width))
        assert read_any(named_stream(text.encode(), "boards")).kind == "sudoku"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("12 12 3 1234\n1234 1234 1234 12\n1 34 34 34\n1234 1234 1234 1234\n", 0),
        ("1 2 | 34 34\n34 34 | 1 2\n----+----\n2 1 | 34 34\n34 34 | 2 1\n", 4),
        ("1 2 3 4 5 6\n4 5 6 12 23 13\n2 3 1 5 6 4\n5 6 4 3 1 2\n3 1 2 6 4 5\n6 4 5 2 3 1\n", 1),
    ],
)
def test_drawings_of_small_boards(text, count):
    [puzzle] = read(text)
    assert (puzzle.title, puzzle.count()) == ("pencil marks", count)
    for items in ("12 34 13 24\n", "12 3 4 5\n"):  # lists of items, and digits of other boards
        assert not load_kind("sukaku").recognize(4 * items)
    [no_board] = load_kind("sukaku").parse("1 2 3 12\n1 2 3 5\n", "marks")
    assert str(no_board) == "marks:2: expected 4 cells with increasing digits, or 729 symbols"


def test_the_solution_is_drawn():
    [puzzle] = read(line(list(SOLUTION)) + "\n")
    assert re.sub("[^1-9]", "", puzzle.text(puzzle.first())) == SOLUTION


def test_a_wrong_record_does_not_stop_the_others():
    cells = marks(0)
    text = f"{line(cells)}\n{line(cells)[::-1]}\n{line(cells)}\n1 2 3\n"
    reading = read_any(named_stream(text.encode(), "marks"))
    assert reading.kind == "sukaku"
    found = list(reading.puzzles)
    assert [isinstance(each, FormatError) for each in found] == [False, True, False, True]
    assert str(found[1]) == "marks:2: a digit is not in its place"
    with pytest.raises(FormatError, match="marks:4: expected 9 cells"):
        raise found[3]
