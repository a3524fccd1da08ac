"""Logic puzzles that people have as files: each kind on a small file, and against brute force."""

import json
import os
import random
import re
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations, pairwise, permutations, product

import pytest

import dlx_numba as dlx
from dlx_numba.cli.tools import Tools
from dlx_numba.kinds.answer import find_answer
from dlx_numba.kinds.kind import load_kind, readers
from dlx_numba.kinds.logic.boards import blank_comments
from dlx_numba.kinds.logic.samurai import BOX_OF, CORNERS
from dlx_numba.kinds.logic.samurai import EXAMPLE as SAMURAI
from dlx_numba.kinds.reading import read_any
from dlx_numba.runtime.errors import FormatError
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.source import HEAD_BYTES, named_stream
from dlx_numba.runtime.text import unpainted
from tests.helpers import SAMPLES
from tests.helpers.pictures import parse_picture, texts_of

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python

FILES = {  # the text of a puzzle, its number of solutions, and the first of them
    "star-battle": ("5 5 1\n1 1 2 2 2\n1 3 3 2 2\n1 3 4 4 2\n1 1 4 5 5\n1 1 4 4 5", 1,
                    "x - - - -\n- - - x -\n- x - - -\n- - - - x\n- - x - -"),
    "tents": ("5 5\n1 1 0 1 2\n2 0 1 1 1\n- - x x -\n- - - - -\n- - x - -\n- - - - x\nx - - - -", 1,
              "- o x x o\n- - - - -\n- - x o -\no - - - x\nx - - - o"),
    "shikaku": ("4 4\n- 4 - -\n- - - 3\n3 - 2 -\n- - - 4", 1,
                "3 1 1 2\n3 1 1 2\n3 4 4 2\n5 5 5 5"),
    "dominosa": ("3 4\n1 1 0 2\n0 2 1 2\n0 2 1 0", 1, "3 3 2 2\n0 5 4 4\n0 5 1 1"),
    "kakuro": ("3 3\n- 4, 6,\n,3 0 0\n,7 0 0", 1, "- - -\n- 1 2\n- 3 4"),
    "takuzu": ("4 4\n1 - - 2\n- - - -\n- 1 - -\n2 - - -", 9,
               "1 1 2 2\n1 2 1 2\n2 1 2 1\n2 2 1 1"),
    "euler": ("3 3\n11 23 00\n22 00 00\n00 00 00", 1, "11 23 32\n22 31 13\n33 12 21"),
    "killer": ("4 4\n9 - 8 3\n- 7 - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5", 1,
               "2 3 4 1\n4 1 3 2\n3 2 1 4\n1 4 2 3"),
    "jigsaw": ("4 4\n- - 4 3\n- - - 1\n- 2 - -\n- - - -\n1 1 1 3\n1 3 3 3\n2 2 4 4\n2 2 4 4", 1,
               "2 1 4 3\n3 4 2 1\n1 2 3 4\n4 3 1 2"),
}  # fmt: skip


def read_one(text, kind=None):
    [puzzle] = dlx.read(text, kind=kind)
    return puzzle


def words(text):
    return [re.sub(r"[|-]{3,}|(?<= )\|(?= )", "", line).split() for line in text.splitlines()]


@pytest.mark.parametrize("kind", FILES)
def test_a_text_is_recognized_solved_and_drawn(kind):
    text, count, drawn = FILES[kind]
    recognizes = [name for name in FILES if load_kind(name).recognize(text)]
    assert recognizes == ([kind] if kind != "takuzu" else [])  # it could be a Sudoku board of 4×4
    puzzle = read_one(text, kind)
    assert puzzle.count() == count
    solutions = [[row for row in words(puzzle.text(each)) if row] for each in puzzle.solutions()]
    assert words(drawn) in solutions


@pytest.mark.parametrize("kind", FILES)
def test_a_collection_has_stated_solutions(kind):
    text, _, drawn = FILES[kind]
    size = text.split("\n", 1)[0]
    record = {"problem": text, "solution": f"{size}\n{drawn}"}
    bad = {"problem": "2 2\n? ?", "solution": ""}
    data = json.dumps({"count": 3, "data": {"a": record, "b": bad, "c": record}})
    first, error, third = load_kind(kind).parse(data, "file")
    assert isinstance(error, FormatError)
    assert error.source == "file, b"
    assert first.place == "file, a"
    cover = find_answer(first)
    assert cover in [list(each) for each in first.solutions()]
    assert find_answer(third) == cover
    digits = [k for k, symbol in enumerate(drawn) if symbol not in " \n-"]
    wrong = list(drawn)
    wrong[digits[0]], wrong[digits[-1]] = "-" if kind in ("tents", "star-battle") else "7", "7"
    with pytest.raises(ValueError, match="file, a: the stated solution"):
        find_answer(replace(first, answer="".join(wrong)))
    with pytest.raises(ValueError, match="row 2 has"):
        find_answer(replace(first, answer=drawn.replace("\n", "\n9 ", 1)))


def test_a_collection_is_recognized_by_its_name():
    record = {"problem": FILES["tents"][0], "solution": ""}
    text = json.dumps({"count": 1, "name": "Tent", "data": {"a": record}})
    assert load_kind("tents").recognize(text)
    assert not load_kind("shikaku").recognize(text)
    assert not load_kind("tents").recognize(text.replace("Tent", "Tents and trees"))
    assert load_kind("tents").recognize(json.dumps([record]))


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("tents", "2 2\n1 1\n1 1\n- x\n- y", ":5: word 2, 'y', is not x, - or ."),
        ("tents", "2 2\n1 1\n1 1\n- x", ":5: the line is missing"),
        ("shikaku", "2 2\n- -\n3 -", ":1: the areas sum to 3, not to 2×2"),
        ("shikaku", "2 2\n\n- -\n3 x", ":4: word 2, 'x', is not a number, - or ."),
        ("dominosa", "1 2\n0 1", ":1: each number from 0 to 1 must appear 3 times"),
        ("star-battle", "2 2 1\n1 1\n1 1", ":1: 2 rows, 2 columns and 1 regions"),
        ("kakuro", "2 2\n- 4,\n,3 -", ":2: word 2, '4,': there are 0 cells down"),
        ("euler", "2 2\n11 00\n00 03", ":3: word 2, '03', is not two digits from 0 to 2"),
        ("takuzu", "3 3\n1 2 -\n- - -\n- - -", ":1: the board must be a square with an even"),
        (
            "killer",
            "4 4\n9 - - -\n8 - - -\n- - - -\n- - - -" + "\n1 1 1 1" * 4,
            ":1: row 2, column 1: the sum 8 has no cage, or its",
        ),
        ("killer", "20 20" + ("\n" + "1 " * 20) * 40, ":1: rules apply to boards of up to 16x16"),
        (
            "killer",
            "3x3k:zzzc,aa,zzzc",
            ":1: the borders of the regions or cages do not fit a board of 9×9",
        ),
        ("jigsaw", "4 4" + "\n1 - - -" * 4, ":2: a number is given twice in a row, a column or"),
        (
            "jigsaw",
            "5 5" + "\n- - - - -" * 5,
            ":1: there is no Sudoku board of 5 rows and 5",
        ),
        ("jigsaw", "4 4" + "\n- - - -" * 4 + "\n1 1 1 2" * 4, ":6: the regions must be 4 of 4"),
        ("samurai", "9 9\n1", ":1: the size must be 21 21"),
    ],
)
def test_errors_name_the_place(kind, text, message):
    with pytest.raises(FormatError, match=re.escape(message)):
        list(dlx.read(text + "\n", kind=kind))


NUMBERED = {  # two binary puzzles of the course IA at IST Lisbon, and their stated solutions
    "2 2 0 1\n1 0 2 1\n0 2 1 0\n1 2 2 2": "0101\n1001\n0110\n1010",
    "2 1 2 2 1 2 2 1 2\n0 2 1 2 2 0 1 2 2\n2 1 1 2 2 2 1 2 0\n2 0 2 1 0 1 0 0 1\n"
    "0 1 2 1 0 0 1 1 0\n0 0 1 2 2 1 0 2 2\n1 0 1 2 0 0 1 0 1\n2 2 0 2 2 2 2 0 1\n"
    "2 1 0 1 0 0 2 1 0": "110011010\n001100101\n011010110\n100101001\n010100110\n001011010\n"
    "101100101\n010011001\n110100110",
}


@pytest.mark.parametrize("board", NUMBERED)
def test_binary_puzzles_after_their_number_of_rows(board):
    n = board.count("\n") + 1
    [puzzle] = read_any(named_stream(f"{n}\n{board}\n".replace(" ", "\t").encode(), "file")).puzzles
    drawn = [puzzle.text(solution).replace(" ", "") for solution in puzzle.solutions()]
    assert drawn == [NUMBERED[board]]
    for size in (n, f"{n} {n}")[: 2 - n % 2]:  # blanks, and rows without spaces
        rows = board.replace(" ", "").replace("2", "_")
        assert read_any(named_stream(f"{size}\n{rows}\n".encode(), "file")).kind == "takuzu"
        stated = read_one(f"{size}\n{rows}", "takuzu")
        assert stated.count() == 1
        assert len(find_answer(replace(stated, answer=NUMBERED[board]))) == n * n
    # A board of two numbers that does not repeat them may be a Sudoku.
    assert not load_kind("takuzu").recognize("4\n1 2 0 0\n0 0 1 2\n2 1 0 0\n0 0 2 1\n")


def test_a_board_before_other_numbers_is_no_sudoku():
    text = "4\n1 0 0 0\n0 0 4 0\n0 0 0 2\n0 1 0 0\n0 1 0\n1 0 0\n"
    with pytest.raises(ValueError, match="file:6: a board and then other numbers are no Sudoku"):
        read_any(named_stream(text.encode(), "file"))
    board = text[: text.index("0 1 0\n1 0 0")]
    for other in (board, 2 * board, f"{board}\n{board[2:]}", f"{board}2341\n"):
        assert read_any(named_stream(other.encode(), "file")).kind == "sudoku"
    assert read_any(named_stream(text.encode(), "file"), "sudoku").kind == "sudoku"


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_lines_may_end_as_on_other_systems(end):
    for text, n_solutions, _ in FILES.values():
        data = (text + "\n").replace("\n", end).encode()
        [puzzle] = read_any(named_stream(data, "file"), "takuzu" if "2 - - -" in text else None)[1]
        assert puzzle.count() == n_solutions


def test_shikaku_with_too_many_rectangles_is_refused():
    rows = ["4960" + " -" * 99, *["- " * 100] * 49, "- " * 50 + "5040" + " -" * 49]
    rows += ["- " * 100] * 49
    with pytest.raises(FormatError, match="possible rectangles have more than 4,000,000 cells"):
        list(dlx.read("\n".join(["100 100", *rows]), kind="shikaku"))


def test_a_blank_line_may_follow_the_size_of_a_board():
    text, n_solutions, _ = FILES["shikaku"]
    assert read_one(text.replace("\n", "\n\n", 1)).count() == n_solutions


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("shikaku", "4 4", "4\n4"),
        ("shikaku", "-", "0"),
        ("dominosa", "3 4", "3"),
        ("dominosa", "3 4\n", ""),
        ("kakuro", ",", "\\"),
    ],
)
def test_boards_with_other_sizes_and_blanks(kind, old, new):
    text, count, drawn = FILES[kind]
    puzzle = read_one(text.replace(old, new).removeprefix("3 3\n"))
    assert (puzzle.count(), words(puzzle.text(puzzle.first()))) == (count, words(drawn))
    # Sums that happen to fit do not make a Sudoku a puzzle of areas.
    assert not load_kind("shikaku").recognize("- 4 - -\n- - - 3\n3 - 2 -\n- - - 4\n")


def test_a_square_of_binary_digits_and_blanks_is_no_sudoku():
    text = "1..0....\n....0..1\n.1......\n........\n0..1.1..\n........\n....1..0\n.0....1.\n"
    assert read_one(text).title == "Binary puzzle"
    assert not load_kind("takuzu").recognize(text.replace(".", "0"))
    assert not load_kind("takuzu").recognize("1..2\n....\n....\n2..1\n")
    assert read_one(text.replace(".", "x") + "#End\n").title == "Binary puzzle"
    with pytest.raises(ValueError, match="rows of two symbols are no Sudoku"):
        read_one("x00x\n0x00\nx1xx\nxxxx\nx")


FOREIGN = {  # texts of other kinds of the collection, which look alike
    "a board with empty cells": "4 4\n1 - - 2\n- 3 - -\n- - 4 -\n2 - - 1",
    "letters with empty cells": "3 3\nA B -\n- A C\nC - B",
    "letters and numbers": "3 3\nE O 1\nO E O\n1 E O",
    "stars with empty cells": "3 3 1\n0 - 3\n- 1 -\n0 - 1",
    "sums without trees": "3 3\n1 2 1\n2 1 1\n- - -\n- - -\n- - -",
    "sums of more than the trees": "3 3\n2 2 1\n2 1 2\nx - -\n- - -\n- - x",
    "givens and regions": "4 4\n1 - - -\n- - - -\n- - 2 -\n- - - -" + "\n1 1 2 2\n1 1 2 2" * 2,
    "areas without numbers": "4 4" + "\n- - - -" * 4 + "\n1 1 2 2" * 4,
}


@pytest.mark.parametrize("name", FOREIGN)
def test_texts_of_other_kinds_are_not_recognized(name):
    text = FOREIGN[name] + "\n"
    assert [kind for kind, module in readers().items() if module.recognize(text)] == []


@pytest.mark.parametrize(
    "text", ["stars{}x", "rows{}x", "board{}x", "no turning{}x", "timing{}on", "#{}x"]
)
def test_the_time_of_recognition_is_linear(text):
    long = text.format(" " * HEAD_BYTES)
    assert [kind for kind, module in readers().items() if module.recognize(long)] == []


def test_a_slip_does_not_hide_the_kind_of_a_text():
    tents, killer = FILES["tents"][0], FILES["killer"][0]
    assert load_kind("tents").recognize(tents.replace("2 0 1 1 1", "2 0 1 2 1"))
    assert load_kind("tents").recognize(tents.replace("2 0 1 1 1", "2 - 1 1 -"))
    assert load_kind("killer").recognize(killer.replace("9 - 8", "99 - 8"))
    assert not load_kind("killer").recognize('{"problem": "4 4\t"}')  # no valid string of JSON


def test_regions_may_be_letters_or_levels_in_json():
    text = "AABBB\nACCBB\nACDDB\nAADEE\nAADDE"
    levels = json.dumps([{"level": 1, "regions": [list(row) for row in text.split()]}] * 2)
    one, *levels = [read_one(text), *dlx.read(levels + "\n")]
    assert [one.count(), *(level.count() for level in levels)] == [1, 1, 1]
    assert one.text(one.first()) == levels[0].text(levels[0].first()) == FILES["star-battle"][2]


def random_regions(rng, n):
    cells = list(product(range(n), repeat=2))
    region = dict(zip(rng.sample(cells, n), range(n), strict=True))
    while len(region) < n * n:
        r, c = rng.choice(cells)
        y, x = rng.choice([(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)])
        if (y, x) in region and (r, c) not in region:
            region[r, c] = region[y, x]
    return region


REGIONS = ["AABBB", "ACCBB", "ACDDB", "AADEE", "AADDE"]
DIGITS = "\n".join(REGIONS).translate(str.maketrans("ABCDE", "12345"))
STAR_BATTLES = {
    "letters": "\n".join(REGIONS),
    "lower-case letters with commas": "\n".join(map(",".join, REGIONS)).lower() + "\r\n",
    "two puzzles": "\n\n".join(["\n".join(REGIONS)] * 2),
    "stars": "Stars = 1\n" + DIGITS,
    "size": "5 5\n" + "\n".join(REGIONS),
    "side": "5\n" + "\n".join(REGIONS),
    "stars after the board": "\n".join(REGIONS) + "\n\n# one star\nstar_rating=1\n",
    "comments": "// level 3\n# a level\n" + "\n".join(REGIONS),
    "program": "const level = {\n  colorRegions: [\n    "
    + "\n    ".join(f"{[*row]}," for row in REGIONS) + "\n  ],\n};\nexport default level;\n",
    "lines of JSON": "\n".join(json.dumps({"colorRegions": [*map(list, REGIONS)]}) for _ in "ab"),
    "grid of numbers": json.dumps({"colorGrid": [[*map(int, row)] for row in DIGITS.split()]}),
    "rows of a grid": json.dumps({"regionGrid": REGIONS}),
    "colors": json.dumps({"colorMap": [[f"#ff00{x}{x}" for x in row] for row in REGIONS]}),
    "named levels": json.dumps({"1": {"regions": REGIONS}, "2": {"regions": REGIONS}}),
    "digits": DIGITS,
    "numbers": "\n".join(map(" ".join, DIGITS.split())),
    "size of digits": "5 5\n" + DIGITS,
    "list of texts": json.dumps(REGIONS),
    "list of lists": json.dumps([*map(list, REGIONS)]),
    "list of numbers": json.dumps([[*map(int, row)] for row in DIGITS.split()]),
    "list of boards": json.dumps([[*map(list, REGIONS)]] * 2),
    "list of Python": f"board = {[*map(list, REGIONS)]}\n".replace("],", "],\n"),
    "list of words": str([[f"color_{x}" for x in row] for row in REGIONS]),
    "another name": json.dumps({"size": 5, "grid": [*map(list, REGIONS)]}),
    "level": json.dumps({"regions": REGIONS}),
    "spaces": json.dumps({"size": 5, "regions": REGIONS}, separators=(" ,", " : ")),
    "catalog": json.dumps({"version": 1, "model": "x", "levels": [{"regions": REGIONS}]}),
    "levels": json.dumps({"levels": [{"regions": [*map(list, REGIONS)], "stars": 1}] * 2}),
    "cells of regions": json.dumps(
        {
            "regions": [
                [[r, c] for r, row in enumerate(REGIONS) for c in range(5) if row[c] == label]
                for label in "ABCDE"
            ]
        }
    ),
}  # fmt: skip
AMBIGUOUS = "two puzzles", "size of digits"


@pytest.mark.parametrize("name", STAR_BATTLES)
def test_notations_of_star_battles(name):
    text = STAR_BATTLES[name]
    for puzzle in dlx.read(text, "star-battle"):
        assert [puzzle.text(each) for each in puzzle.solutions()] == [FILES["star-battle"][2]]
    found = [kind for kind, module in readers().items() if module.recognize(text)]
    assert (found == ["star-battle"]) == (name not in AMBIGUOUS)


def test_squares_of_numbers_that_could_be_boards_are_not_taken_for_regions():
    latin = ["1234", "3412", "2143", "4321"]
    blanks = ["0020", "0003", "0100", "4000"]  # a board with four givens
    apart = ["1122", "1132", "3342", "4411"]  # the cells of 1 are not connected
    for rows in (latin, blanks, apart):
        for text in ("\n".join(rows), json.dumps([[*map(int, row)] for row in rows])):
            found = [kind for kind, module in readers().items() if module.recognize(text + "\n")]
            assert "star-battle" not in found, text


def test_letters_of_a_word_search_in_lists_are_not_taken_for_regions():
    for rows in (["cats", "xoac", "dxrs", "tdod"], ["abca", "dbca", "ddca", "dbaa"]):
        assert not load_kind("star-battle").recognize(f"grid = {[*map(list, rows)]}\n")


def test_levels_with_two_lists_of_regions_are_errors():
    level = {"regions": REGIONS, "colorRegions": REGIONS}
    with pytest.raises(FormatError, match="states no puzzle "):
        read_one(json.dumps([level]) + "\n", "star-battle")


def test_the_number_of_stars_may_be_before_or_after_a_board():
    board = "\n".join(REGIONS)
    for text in (f"stars: 2\n\n{board}", f"{board}\nstars 2", f"{board}\n\nStars = 2\n"):
        assert [puzzle.count() for puzzle in dlx.read(text + "\n", "star-battle")] == [0]
    program = STAR_BATTLES["program"].replace("const", "const stars = 2;\nconst")
    assert read_one(program, "star-battle").count() == 0
    text = "\n\n".join(["stars=1", board, "stars=2", board, board])
    assert [puzzle.count() for puzzle in dlx.read(text, "star-battle")] == [1, 0, 1]


@pytest.mark.parametrize(
    "solution",
    [
        [0, 3, 1, 4, 2],
        [1, 4, 2, 5, 3],
        ["Q....", "...Q.", ".Q...", "....Q", "..Q.."],
        [[1, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 1, 0, 0]],
    ],
)
def test_solutions_of_levels(solution):
    record = {"regions": REGIONS, "solution": solution}
    [puzzle] = dlx.read(json.dumps(record))
    assert find_answer(puzzle) == list(puzzle.first())
    [wrong] = dlx.read(json.dumps(record | {"solution": [*solution[1:], solution[0]]}))
    with pytest.raises(ValueError, match="the stated solution is wrong"):
        find_answer(wrong)


@pytest.mark.parametrize(("n", "stars"), [(5, 1), (6, 1), (8, 2)])
def test_star_battles_against_brute_force(n, stars):
    rng = random.Random(n)

    def extend(rows):
        if len(rows) == n:
            chosen = [(r, c) for r, row in enumerate(rows) for c in row]
            lines = [[c for _, c in chosen], [region[cell] for cell in chosen]]
            return all(line.count(k) == stars for line in lines for k in range(n))
        choices = [
            row for row in combinations(range(n), stars)
            if all(b - a > 1 for a, b in pairwise(row))
            and (not rows or all(abs(a - b) > 1 for a in row for b in rows[-1]))
            and all(sum(c in each for each in rows) < stars for c in row)
        ]  # fmt: skip
        return sum(extend([*rows, row]) for row in choices)

    for _ in range(20 if stars == 1 else 2):
        region = random_regions(rng, n)
        rows = [" ".join(str(region[r, c]) for c in range(n)) for r in range(n)]
        text = "\n".join([f"{n} {n} {stars}", *rows])
        assert read_one(text, "star-battle").count() == extend([])


def tents_by_brute_force(trees, columns, rows):
    """Count the sets of tents for which some assignment of tents to trees exists."""
    n_rows, n_columns = len(rows), len(columns)
    beside = [
        [(y, x) for y, x in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
         if 0 <= y < n_rows and 0 <= x < n_columns and (y, x) not in trees]
        for r, c in trees
    ]  # fmt: skip
    found = set()
    for tents in product(*beside):
        if (
            all(max(abs(r - y), abs(c - x)) > 1 for (r, c), (y, x) in combinations(tents, 2))
            and [sum(r == k for r, _ in tents) for k in range(n_rows)] == rows
            and [sum(c == k for _, c in tents) for k in range(n_columns)] == columns
        ):
            found.add(frozenset(tents))
    return len(found)


def tents_text(trees, columns, rows):
    board = [
        ["x" if (r, c) in trees else "-" for c in range(len(columns))] for r in range(len(rows))
    ]
    lines = [[len(rows), len(columns)], columns, rows, *board]
    return "\n".join(" ".join(map(str, line)) for line in lines)


def test_tents_against_brute_force():
    rng = random.Random(1)
    for _ in range(60):
        cells = list(product(range(4), range(5)))
        trees = rng.sample(cells, 3)
        tents = [(r + rng.choice([-1, 1]), c) for r, c in trees]
        rows = [sum(r == k for r, _ in tents) for k in range(4)]
        columns = [sum(c == k for _, c in tents) for k in range(5)]
        puzzle = read_one(tents_text(trees, columns, rows), "tents")
        assert puzzle.count() == tents_by_brute_force(trees, columns, rows)


def test_tents_that_trees_could_exchange_are_one_solution():
    ring = [(0, 1), (1, 2), (2, 1), (1, 0)]  # around it, each tree could take either of two tents
    puzzle = read_one(tents_text(ring, [2, 0, 2], [2, 0, 2]), "tents")
    assert len(list(puzzle.cover())) == 2
    assert puzzle.count() == 1
    trees = [*ring, (0, 3), (1, 4), (2, 3)]
    columns, rows = [2, 0, 2, 0, 2], [3, 0, 3]
    puzzle = read_one(tents_text(trees, columns, rows), "tents")
    assert puzzle.count() == tents_by_brute_force(trees, columns, rows)


def random_rectangles(rng, n):
    """Divide a board of n × n at random: a list of the cells of each rectangle."""
    free, pieces = set(product(range(n), repeat=2)), []
    while free:
        r, c = min(free)
        sizes = [
            (h, w) for h, w in product(range(1, n + 1), repeat=2)
            if free.issuperset(product(range(r, r + h), range(c, c + w)))
        ]  # fmt: skip
        h, w = rng.choice(sizes)
        pieces.append(list(product(range(r, r + h), range(c, c + w))))
        free -= set(pieces[-1])
    return pieces


def test_shikaku_against_brute_force():
    rng = random.Random(2)

    def fill(free):
        if not free:
            return 1
        r, c = min(free)
        total = 0
        for h, w in product(range(1, 5), repeat=2):
            cells = set(product(range(r, r + h), range(c, c + w)))
            if cells <= free and [area for cell, area in areas.items() if cell in cells] == [h * w]:
                total += fill(free - cells)
        return total

    for _ in range(30):
        areas = {rng.choice(piece): len(piece) for piece in random_rectangles(rng, 4)}
        board = [" ".join(str(areas.get((r, c), "-")) for c in range(4)) for r in range(4)]
        assert read_one("\n".join(["4 4", *board]), "shikaku").count() == fill(
            set(product(range(4), repeat=2))
        )


def test_dominosa_against_brute_force():
    rng = random.Random(3)

    def lay(free, used):
        if not free:
            return 1
        r, c = min(free)
        total = 0
        for cell in ((r, c + 1), (r + 1, c)):
            domino = frozenset((number[r, c], number.get(cell)))
            if cell in free and domino not in used:
                total += lay(free - {(r, c), cell}, used | {domino})
        return total

    for _ in range(30):
        numbers = [0, 1, 2, 3] * 5
        rng.shuffle(numbers)
        cells = list(product(range(4), range(5)))
        number = dict(zip(cells, numbers, strict=True))
        board = [" ".join(str(number[r, c]) for c in range(5)) for r in range(4)]
        assert read_one("\n".join(["4 5", *board]), "dominosa").count() == lay(
            {*cells}, frozenset()
        )


def test_binary_puzzles_against_brute_force():
    rng = random.Random(4)
    lines = [line for line in map("".join, product("01", repeat=4)) if line.count("0") == 2]
    boards = [
        rows for rows in product(lines, repeat=4)
        if all(column.count("0") == 2 for column in map("".join, zip(*rows, strict=True)))
    ]  # fmt: skip
    assert len(boards) == 90
    for _ in range(30):
        board = ["".join(rng.choice("01.......") for _ in range(4)) for _ in range(4)]
        fits = [rows for rows in boards if re.fullmatch("".join(board), "".join(rows))]
        distinct = [rows for rows in fits if len({*rows}) == 4 == len({*zip(*rows, strict=True)})]
        assert read_one("\n".join(board), "takuzu").count() == len(distinct)
        sized = "\n".join(["4 4", *(" ".join(row.replace("0", "2")) for row in board)])
        assert read_one(sized.replace(".", "-"), "takuzu").count() == len(fits)


def test_no_three_in_a_row_of_a_binary_puzzle_are_equal():
    puzzle = read_one("......\n" * 6 + "\n", "takuzu")
    for cover, _ in zip(puzzle.solutions(), range(50), strict=False):
        rows = puzzle.text(cover).replace(" ", "").split()
        columns = list(map("".join, zip(*rows, strict=True)))
        assert not any("000" in line or "111" in line for line in (*rows, *columns))
        assert len({*rows}) == len({*columns}) == 6


def test_euler_squares_against_brute_force():
    rng = random.Random(5)
    rows = list(permutations("123"))
    squares = [
        "".join(map("".join, each)) for each in product(rows, repeat=3)
        if all(len({*column}) == 3 for column in zip(*each, strict=True))
    ]  # fmt: skip
    pairs = [
        list(map("".join, zip(*each, strict=True))) for each in product(squares, repeat=2)
        if len({*zip(*each, strict=True)}) == 9
    ]  # fmt: skip
    for _ in range(20):
        given = [rng.choice("00000123") + rng.choice("00000123") for _ in range(9)]
        pattern = "".join(given).replace("0", ".")
        expected = sum(bool(re.fullmatch(pattern, "".join(each))) for each in pairs)
        board = [" ".join(given[k : k + 3]) for k in (0, 3, 6)]
        assert read_one("\n".join(["3 3", *board]), "euler").count() == expected


def test_kakuro_against_brute_force():
    rng = random.Random(6)
    for _ in range(20):
        is_cell = {(r, c): rng.random() < 0.7 for r, c in product(range(1, 4), repeat=2)}
        cells = [cell for cell, is_white in is_cell.items() if is_white][:6]
        runs, board = [], [["-"] * 4 for _ in range(4)]
        for r, c in product(range(4), repeat=2):
            if (r, c) in cells:
                board[r][c] = "0"
                continue
            sums = ["", ""]
            for k, (down, right) in enumerate(((1, 0), (0, 1))):
                line = [(r + i * down, c + i * right) for i in range(1, 4)]
                run = [cell for i, cell in enumerate(line) if {*line[: i + 1]} <= {*cells}]
                if len(run) > 1:
                    total = sum(rng.sample(range(1, 10), len(run)))
                    sums[k] = str(total)
                    runs.append((run, total))
            board[r][c] = ",".join(sums) if any(sums) else "-"
        if not runs:
            continue

        def fill(values, cells=cells, runs=runs):
            for run, total in runs:
                known = [values[cell] for cell in run if cell in values]
                if len({*known}) < len(known) or sum(known) > total:
                    return 0
                if len(known) == len(run) and sum(known) != total:
                    return 0
            if len(values) == len(cells):
                return 1
            return sum(fill({**values, cells[len(values)]: digit}) for digit in range(1, 10))

        text = "\n".join(["4 4", *map(" ".join, board)])
        assert read_one(text, "kakuro").count() == fill({})


def test_killers_against_brute_force():
    rng = random.Random(7)
    boards = [
        tuple(cover) for cover in (
            [int(digit) for digit in re.findall("[1-4]", puzzle.text(each))]
            for puzzle in [dlx.kinds.kind.example("sudoku", box="2x2")]
            for each in puzzle.solutions()
        )
    ]  # fmt: skip
    assert len({*boards}) == 288
    for _ in range(20):
        region = random_regions(rng, 4)
        board, totals = rng.choice(boards), {}
        cages = [[4 * r + c for (r, c), name in region.items() if name == k] for k in range(4)]
        cages = [cage[k : k + 3] for cage in cages for k in range(0, len(cage), 3)]
        cages = [c for c in cages if len({board[k] for k in c}) == len(c)]
        of = {cell: str(k) for k, cage in enumerate(cages) for cell in cage}
        totals = {min(cage): sum(board[k] for k in cage) for cage in cages}
        lines = [
            " ".join(str(each.get(4 * r + c, "-")) for c in range(4))
            for each in (totals, of) for r in range(4)
        ]  # fmt: skip
        expected = sum(
            all(
                sum(each[k] for k in cage) == totals[min(cage)]
                and len({each[k] for k in cage}) == len(cage)
                for cage in cages
            )
            for each in boards
        )
        puzzle = read_one("\n".join(["4 4", *lines]), "killer")
        assert puzzle.count() == puzzle.count(1000) == expected
        first = puzzle.first()
        assert first == sorted(first)
        assert puzzle.cover().check(first)
        assert puzzle.text(first) == puzzle._draw(next(puzzle._boards(Stop())), unpainted)


CAGES = [(1 + r // 2 * 2 + c // 2, [r, c]) for r in range(4) for c in range(4)]
CAGES = [[cell for name, cell in CAGES if name == k] for k in (1, 2, 3, 4)]


def test_cages_in_json():
    named = [[f"r{r + 1}c{c + 1}" for r, c in cage] for cage in CAGES]
    from_1 = [[[r + 1, c + 1] for r, c in cage] for cage in CAGES]
    for each in (CAGES, named, from_1):
        cages = [{"sum": 10, "cells": cells} for cells in each]
        for stated in (cages, {"cages": cages}):
            puzzle = read_one(json.dumps(stated))
            assert (puzzle.title, puzzle.count()) == ("Killer Sudoku", 288)
            assert puzzle.rules.cages[1] == (10, (2, 3, 6, 7))


def test_cells_of_cages_in_json_have_names_in_any_order():
    expected = read_one(json.dumps(_cages_of_rows(lambda r, c: [r, c]))).rules
    assert expected.cages[0] == (10, (0, 1, 2, 3))
    for named in (
        lambda r, c: {"x": c, "y": r},
        lambda r, c: {"y": r, "x": c},
        lambda r, c: {"col": c, "row": r},
        lambda r, c: {"column": c + 1, "row": r + 1},
        lambda r, c: f"R{r + 1}C{c + 1}",
        lambda r, c: f"c{c + 1}r{r + 1}",
    ):
        assert read_one(json.dumps(_cages_of_rows(named))).rules == expected


def _cages_of_rows(cell):
    """Return the rows of a board of 4×4 as cages, which are columns if it is transposed."""
    return [{"sum": 10, "cells": [cell(r, c) for c in range(4)]} for r in range(4)]


@pytest.mark.parametrize("name", ["sum", "total", "value", "target"])
def test_sums_of_cages_in_json_have_several_names(name):
    cages = [{name: 10, "cells": cells} for cells in CAGES]
    for stated in (cages, {"cages": cages}, {"size": 4, "cages": cages}):
        assert read_one(json.dumps(stated)).rules.cages[1] == (10, (2, 3, 6, 7))


@pytest.mark.parametrize(
    ("cages", "reason"),
    [
        (CAGES[:3], "r3c3 must be in one cage, but is in none"),
        ([*CAGES, [[0, 0]]], "r1c1 must be in one cage, but is in 2"),
        ([[[1, 1], [1, 2], [2, 1]]], "r2c2 must be in one cage, but is in none"),
        ([["a1"]], "a cell must be written as .*, not as a1"),
        ([[{"row": 0, "x": 0}], [{"row": 0, "y": 0}]], "a cell must be written as .*'y': 0}"),
        ([[7]], "a cell must be written as .*, not as 7"),
    ],
)
def test_cages_in_json_are_a_whole_board(cages, reason):
    stated = [{"sum": 10, "cells": cells} for cells in cages]
    for text in (stated, {"cages": stated}):
        with pytest.raises(FormatError, match=f":1: {reason}"):
            read_one(json.dumps(text))


def test_other_lists_of_objects_are_no_cages_in_json():
    operations = [{"sum": 10, "cells": cells, "op": "+"} for cells in CAGES]
    others = [{"sum": 10, "cells": 5}], [{"sum": 10, "cells": []}], [{"sum": 10, "total": 10}]
    for stated in (operations, *others):
        for text in (stated, {"cages": stated}):
            assert not load_kind("killer").recognize(json.dumps(text))


def test_cages_in_json_may_have_numbers_and_other_fields():
    cages = [{"id": k, "sum": 10, "cells": cells} for k, cells in enumerate(CAGES)]
    puzzle = read_one(json.dumps({"difficulty": "easy", "cages": cages, "solution": []}))
    assert puzzle.rules.cages[1] == (10, (2, 3, 6, 7))


def test_the_size_of_cages_in_json_is_that_of_the_board():
    cages = [{"sum": 10, "cells": cells} for cells in CAGES]
    with pytest.raises(FormatError, match="the cages are on a board of 4×4, but the size is 9"):
        read_one(json.dumps({"size": 9, "cages": cages}))
    assert read_one(json.dumps({"size": "4", "cages": cages})).box.n == 4


def test_sums_of_cages_in_json_are_numbers():
    """Errors do not name lines of the text that cages are rewritten to."""
    for wrong, word in (("ten", "'ten'"), ("1 0", "'1 0'"), (None, "'None'"), (-3, "'-3'")):
        reason = f"^<text>:1: a sum must be an integer, or - for none, not {word}$"
        with pytest.raises(FormatError, match=reason):
            read_one(json.dumps([{"sum": wrong, "cells": cells} for cells in CAGES]))


def test_levels_in_a_program_have_numbers_of_stars_of_their_own():
    regions = json.dumps([[letter] * 5 for letter in "ABCDE"])
    levels = [f"level = {{ stars: {n}, regions: {regions} }}" for n in (1, 2)]
    counts = [each.count() for each in dlx.read(";\n".join(levels), kind="star-battle")]
    assert counts[0] > counts[1]
    with pytest.raises(FormatError, match="2 numbers of stars for 3 boards"):
        list(dlx.read(";\n".join([*levels, f"regions: {regions}"]), kind="star-battle"))


def test_a_jigsaw_may_have_a_prime_number_of_rows():
    puzzle = read_one("5j:y,t" + "_" * 20)  # the regions are rows or columns
    assert (puzzle.box.n, puzzle.count(2)) == (5, 2)


def test_kakuro_with_backslashes():
    expected = FILES["kakuro"][2]
    table = [["\\", "4\\", "6\\"], ["\\3", "_", "_"], ["\\7", "", ""]]
    drawn = "\n".join(" ".join(word or "." for word in row) for row in table)
    for text in (drawn, drawn.replace(".", "_"), "\r\n".join(map(",".join, table))):
        assert [kind for kind, module in readers().items() if module.recognize(text)] == ["kakuro"]
        puzzle = read_one(text + "\n")
        assert [puzzle.text(each) for each in puzzle.solutions()] == [expected]


def test_killers_as_numbers_of_cells():
    sums = {1: 10, 2: 10, 3: 3}
    cages = [1 + c // 4 for _ in range(9) for c in range(9)]
    text = ":".join(str(256 * sums[k] + k if k < 3 else k) for k in cages)
    puzzles = [*dlx.read(f"3x3:d:k:{text}:\n3x3::k:{text}\n")]
    assert [puzzle.rules.diagonals for puzzle in puzzles] == [True, False]
    assert [total for total, _ in puzzles[0].rules.cages] == [10, 10]
    with pytest.raises(FormatError, match=":2: not a killer such as 3x3::k:"):
        list(dlx.read(f"3x3::k:{text}\n3x3::k:1:2\n"))


def test_jigsaws_as_a_line_of_values_and_regions():
    _, *rows = FILES["jigsaw"][0].replace("-", "0").splitlines()
    values, regions = " ".join(rows[:4]).split(), " ".join(rows[4:]).split()
    line = "".join(f"={value}J{region}" for value, region in zip(values, regions, strict=True))
    puzzle = read_one(f"SumoCueV1{line}\n")
    assert (puzzle.title, puzzle.count()) == ("Jigsaw Sudoku", 1)
    with pytest.raises(FormatError, match=":1: 17 cells are no square"):
        read_one(f"SumoCueV1{line}=0J1\n", "jigsaw")


def test_regions_may_precede_a_board_without_its_size():
    _, *rows = FILES["jigsaw"][0].replace("-", "0").replace(" ", "").splitlines()
    board, regions = "\n".join(rows[:4]), "\n".join(rows[4:])
    spaced = "\n".join(map(" ".join, rows))
    for text in (f"{regions}\n\n{board}", f"{board}\n{regions}", spaced):
        puzzle = read_one(text)
        assert (puzzle.title, puzzle.count()) == ("Jigsaw Sudoku", 1)
    answered = f"{board}\n\n2143\n3421\n1234\n4312"
    assert [kind for kind, module in readers().items() if module.recognize(answered)] == []
    with pytest.raises(FormatError, match=":6: word 3, '8', is not a number from 1 to 4"):
        read_one(f"{regions}\n\n{board.replace('4', '8')}", "jigsaw")


def test_boards_and_their_regions_in_other_notations():
    _, *rows = FILES["jigsaw"][0].replace("-", "0").splitlines()
    board, regions = (["".join(row.split()) for row in half] for half in (rows[:4], rows[4:]))
    lists = [[[*map(int, row)] for row in half] for half in (board, regions)]
    commas = ["\n".join(map(",".join, half)) for half in (board, regions)]
    for text in (
        f"# a jigsaw\n{rows[0]}\n" + "\n".join([*rows[1:4], "# the regions", *rows[4:]]),
        "4\n" + "\n".join(rows),
        "\n\n".join(commas),
        f"board = {lists[0]}\nregions = {lists[1]}\n",
    ):
        puzzle = read_one(text + "\n")
        assert (puzzle.title, puzzle.count()) == ("Jigsaw Sudoku", 1)
    for stated in ({"puzzle": "".join(board), "size": 4}, {"board": lists[0]}):
        [puzzle] = dlx.read(json.dumps(stated | {"regions": lists[1]}) + "\n")
        assert (puzzle.title, puzzle.count()) == ("board", 1)


def test_boards_after_their_size():
    text = "4 4\n- - 4 3\n- - - 1\n- 2 - -\n- - - -"
    plain = read_one(text, "jigsaw")
    assert [read_one(text.replace("-", x), "jigsaw").values for x in ".0*_"] == 4 * [plain.values]
    assert (plain.title, plain.rules.stated(), plain.count(2)) == ("Sudoku", {}, 2)
    marked = read_one("4 4\n3 E O 2\n- - - -\nO E E -\nE O O E", "jigsaw")
    assert marked.rules.stated() == {"odd": (2, 8, 13, 14), "even": (1, 9, 10, 12, 15)}
    assert marked.count() == 0


def test_numbers_of_large_boards_are_those_of_the_answer():
    grid = [[(4 * r + r // 4 + c) % 16 + 1 for c in range(16)] for r in range(16)]
    lines = ["16 16", *(" ".join(map(str, row)) for row in grid)]
    problem = "\n".join(lines).replace(" 13 ", " - ")
    [puzzle] = dlx.read(json.dumps({"problem": problem, "solution": "\n".join(lines)}))
    assert find_answer(puzzle) == list(puzzle.first())


def test_a_game_id_of_a_killer():
    text = (
        "3x3k:zzzc,__aaa___a_a___aa_____a______a____a_a__a______b____aa_abaaaaaa___aa______a_a___"
        "aaaaa_a___a_a__aaaaaba,10_6_8a11a9a12b10_11a16_6b10_17a11c8_8b12_8_21a7b11_7e13_19b4a9_12c"
        "9_10a23a10_12_13e12c14_7a15b4c"
    )
    puzzle = read_one(text)
    [solution] = puzzle.solutions()
    digits = "".join(re.findall("[1-9]", puzzle.text(solution)))
    assert digits == (
        "356247819718569423492831657685794231937126548241385796864912375173458962529673184"
    )


def test_game_ids_of_other_boards():
    plain = "3x3:5_3b7d6b1_9_5d9_8d6a8c6c3_4b8a3b1_7c2c6a6d2_8d4_1_9b5d8b7_9"
    board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    link = f"https://www.example.org/puzzles/js/solo.html#{plain}"
    expected = [read_one(board).text(cover) for cover in read_one(board).solutions()]
    for text in (plain, plain.replace(":", "dt:"), link, plain + "\n"):
        assert [read_one(text).text(cover) for cover in read_one(text).solutions()] == expected
    assert "Killer" not in read_one(plain).title
    assert read_one("2x3:1_2_3zg").values == (1, 2, 3, *[0] * 33)
    assert read_one("2x2x:1o").count() == read_one("1" + "." * 15).cover().count() / 6  # diagonals
    regions, givens = "AAABCABBCCDBCDDD", {0: 1, 11: 2, 14: 3}
    rows = [*permutations((1, 2, 3, 4))]
    squares = ([*chain(*square)] for square in product(rows, repeat=4))
    count = sum(
        all(square[cell] == digit for cell, digit in givens.items())
        and all(len({*square[k::4]}) == 4 for k in range(4))
        and all(
            len({d for d, x in zip(square, regions, strict=True) if x == y}) == 4 for y in "ABCD"
        )
        for square in squares
    )
    assert read_one("4j:1j2b3a,b__b__bc___c_").count() == count > 0
    for other in ("3x3:1a", "8x8:e1a", "4j:1o", "3x3:1,2,3,4"):  # of other games, or malformed
        assert not load_kind("killer").recognize(other)
    with pytest.raises(FormatError, match="expected 2 parts after the digits, not 1"):
        read_one("3x3k:zzzc,aa")


@pytest.mark.parametrize(("blank", "outside"), [("0", "."), (".", "."), ("*", "")])
def test_samurai_boards_may_lack_their_size_and_what_is_outside(blank, outside):
    rows = [
        "".join(
            symbol.replace(".", blank) if (r, c) in BOX_OF else outside
            for c, symbol in enumerate(row, 1)
        )
        for r, row in enumerate(SAMURAI.split(), 1)
    ]
    puzzle = read_one("\n".join(rows))
    assert (puzzle.title, puzzle.count()) == ("Samurai Sudoku", 1)
    with pytest.raises(FormatError, match=r":3: 22 cells instead of 21"):
        read_one("\n".join([*rows[:2], "." * 22, *rows[3:]]), "samurai")


BOARDS = [[row[c : c + 9] for row in SAMURAI.split()[r : r + 9]] for r, c in CORNERS]
PLACES = ["Upper left:", "Top-right", "CENTER", "# bottom left", "Lower right grid"]


@pytest.mark.parametrize("titles", [PLACES, ["# top left", *PLACES[1:]], "ABCDE", "ABSCD"])
def test_samurai_boards_may_have_titles(titles):
    parts = ["\n".join([title, *board]) for title, board in zip(titles, BOARDS, strict=True)]
    texts = ["\n\n".join(sorted(parts) if titles[2] == "S" else parts)]
    texts += ["\n".join([*parts[3:], *parts[:3]])] * (titles[2] == PLACES[2])
    for text in texts:
        assert (read_one(text).title, read_one(text).count()) == ("Samurai Sudoku", 1)
    recognizes = load_kind("samurai").recognize
    text = texts[0]
    assert recognizes(text)
    assert not recognizes(text.replace("62..914..\n", ""))
    # A digit that only one of two boards has shows that the titles mean something else.
    assert not recognizes(text.replace("...4..7..", "...4....."))


def test_samurai_boards_without_titles_are_in_order():
    lines = ["".join(board) for board in BOARDS]
    for text in ("\n".join(lines), "\n\n".join(map("\n".join, BOARDS)).replace(".", "0")):
        assert (read_one(text + "\n").title, read_one(text + "\n").count()) == ("Samurai Sudoku", 1)
    recognizes = load_kind("samurai").recognize
    assert not recognizes("\n".join(lines[::-1]))
    assert not recognizes("\n".join(["." * 81] * 5))


def test_samurai_boards_obey_the_rules_and_givens():
    empty = "21 21\n" + "\n".join([" ".join("-" * 21)] * 21)
    full = read_one(empty, "samurai")
    solved = words(full.text(full.first()))
    for top, left in ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12)):
        board = [row[left : left + 9] for row in solved[top : top + 9]]
        boxes = [
            [board[r + i][c + j] for i, j in product(range(3), repeat=2)]
            for r, c in product((0, 3, 6), repeat=2)
        ]
        units = [*board, *zip(*board, strict=True), *boxes]
        assert all(sorted(unit) == list("123456789") for unit in units)
    assert solved[0][9] == "-"
    # Exchange two digits in all boards: both remain possible if they are removed.
    swapped = [["21"["12".index(word)] if word in "12" else word for word in row] for row in solved]
    for board in (solved, swapped):
        # The first rows are complete, so that few solutions need to be drawn.
        removed = [[("-" if word in "12" else word) for word in row] for row in board[10:]]
        puzzle = read_one("\n".join(["21 21", *map(" ".join, board[:10] + removed)]), "samurai")
        assert puzzle.count() > 1
        assert board in [words(puzzle.text(cover)) for cover in puzzle.solutions()]
    solved[0][9] = "5"
    outside = "\n".join(["21 21", *map(" ".join, solved)])
    with pytest.raises(FormatError, match=":2: word 10, '5', is outside of the boards"):
        read_one(outside, "samurai")


def line_runs(line):
    return [len(run) for run in "".join(map(str, line)).split("0") if run]


def nonogram_text(rows, columns, size):
    lines = [" ".join(map(str, runs)) or "0" for runs in (*rows, *columns)]
    return "\n".join(["height {} width {}".format(*size), *lines])


def test_nonograms_against_brute_force():
    rng = random.Random(8)
    clues = Counter()
    boards = [[cells[k : k + 4] for k in (0, 4, 8)] for cells in product((0, 1), repeat=12)]
    stated = [
        (tuple(map(tuple, map(line_runs, board))),
         tuple(tuple(line_runs(column)) for column in zip(*board, strict=True)))
        for board in boards
    ]  # fmt: skip
    clues.update(stated)
    for rows, columns in rng.sample(stated, 40):
        puzzle = read_one(nonogram_text(rows, columns, (3, 4)), "nonogram")
        assert puzzle.count() == clues[rows, columns]
        solution = puzzle.first()
        written = puzzle.picture.written(solution)
        drawn = [[int((r, c) in written) for c in range(1, 5)] for r in range(1, 4)]
        assert tuple(map(tuple, map(line_runs, drawn))) == rows
        answer = "\n".join(" ".join("-x"[black] for black in row) for row in drawn)
        assert find_answer(replace(puzzle, answer=answer)) in [list(c) for c in puzzle.solutions()]
    impossible = 0
    for _ in range(40):  # the rows of a picture, and the columns of another one of the same size
        (rows, _), (_, columns) = rng.sample(stated, 2)
        if sum(map(sum, rows)) == sum(map(sum, columns)):
            puzzle = read_one(nonogram_text(rows, columns, (3, 4)), "nonogram")
            assert puzzle.count() == clues[rows, columns]
            impossible += not clues[rows, columns]
    assert impossible


NONOGRAMS = {
    "columns first": "3 2\n3\n1\n1\n2\n1",
    "rows first": "3 2\n1\n2\n1\n3\n1",
    "height and width": "height 3 width 2\n1\n2\n1\n3\n1",
    "lists": "row=[[1], [2], [1]];\ncolumn=[[3], [1]];\n",
    "JSON": '{"ver": [[3], [1]], "hor": [[1], [2], [1]]}\n',
    "capitals": "Width 2\nHeight 3\nRows:\n1\n2\n1\nColumns:\n3\n1\n",
    "non": 'title "T"\nwidth 2\nheight 3\n\nrows\n1\n2\n1\n\ncolumns\n3\n1\n',
    "CWD": "3\n2\n1\n2\n1\n\n3\n1\n",
    "clues": '{"name": "T", "clues": {"rowClues": [[1], [2], [1]], "col_clues": [[3], 1]}}',
}


def test_nonogram_with_too_many_places_to_state_is_refused():
    text = nonogram_text([[1] * 30] * 90, [[1] * 30] * 90, (90, 90))
    with pytest.raises(FormatError, match="need more than 2,000,000 entries in options"):
        list(dlx.read(text, kind="nonogram"))


@pytest.mark.compiled
def test_nonogram_with_too_many_places_for_consistent_colors_is_not_decided():
    puzzle = read_one(nonogram_text([[1] * 15] * 45, [[1] * 15] * 45, (45, 45)), "nonogram")
    with pytest.raises(dlx.Stopped):
        puzzle.cover().first(seconds=0)
    assert not puzzle.settings


@pytest.mark.parametrize("name", NONOGRAMS)
def test_notations_of_nonograms(name):
    text = NONOGRAMS[name]
    assert [kind for kind, module in readers().items() if module.recognize(text)] == ["nonogram"]
    puzzle = read_one(text)
    assert [puzzle.text(each) for each in puzzle.solutions()] == ["█▄\n▀"]


def test_each_nonogram_of_a_file_is_read():
    non = 'width 2\nheight 3\n\nrows\n1\n2\n1\n\ncolumns\n3\n1\n\ngoal "101110"\n'
    record = {"rows": [[1], [2], [1]], "columns": [[3], [1]]}
    colored = {"rows": [[[1, "red"]]], "columns": [[1]]}
    list_, program = json.dumps([record, record]), "rows = [[1], [2], [1]]\ncols = [[3], [1]]\n"
    named = json.dumps({"a": record, "b": record})
    tuples = "rows = ((1,), (2,), (1,))\ncols = [(3,), (1,)]\n"
    texts = "rows = ['1', '2', '1']\ncols = [\"3\", \"1\"]\n"
    programs = program * 2, tuples * 2, texts * 2
    for text in (f"{non}====\n{non}", list_, named, list_.strip("[]"), *programs):
        puzzles = [*dlx.read(text + "\n")]
        assert [each.text(each.first()) for each in puzzles] == ["█▄\n▀"] * 2
        assert len({each.place for each in puzzles}) == 2
    first, second, third = read_any(
        named_stream(json.dumps([record, colored, record]).encode(), "file")
    ).puzzles
    assert first.count() == third.count() == 1
    assert str(second) == "file, 2:2: word 1, '[1,', is not a number"
    with pytest.raises(FormatError, match="rows and of columns do not alternate"):
        read_one("rows = [[1]]\nrows = [[1]]\ncols = [[1]]\n")
    with pytest.raises(FormatError, match="rows are stated twice; divide puzzles by ===="):
        read_one(non * 2)
    [puzzle] = dlx.read(non)
    assert find_answer(puzzle) == list(puzzle.first())  # the goal
    with pytest.raises(ValueError, match="the stated solution is wrong"):
        find_answer(replace(puzzle, answer="xxxxx-"))


@pytest.mark.parametrize(
    ("kind", "text", "reason"),
    [
        ("nonogram", "rows = {}1]\ncolumns = [[1]]\n", "are malformed"),
        ("nonogram", '{{"rows": {}\n', "nested too deeply"),
        ("star-battle", "{}\n", "nested too deeply"),
    ],
)
def test_lists_that_are_nested_too_deeply_are_errors(kind, text, reason):
    with pytest.raises(FormatError, match=reason):
        read_one(text.format("[" * 100_000), kind)


def test_the_runs_of_a_line_in_json_may_be_a_text():
    for runs in ("1 1", "1,1", "1, 1"):
        puzzle = read_one(json.dumps({"rows": [runs, "1"], "columns": ["2", "0", "1"]}))
        assert [puzzle.text(each) for each in puzzle.solutions()] == ["█ ▀"]


@pytest.mark.parametrize(
    ("rows", "columns", "reason"),
    [
        ("1\n", "1\n1", "1 rows, but height 2"),
        ("1\n2\n", "1\n1", "do not fit each other: 3 black cells in rows, 2 in columns"),
        ("\n3\n", "2\n1", "do not fit each other: runs of 3 in 2 cells"),
    ],
)
def test_errors_say_why_the_runs_of_a_nonogram_do_not_fit(rows, columns, reason):
    with pytest.raises(FormatError, match=reason):
        read_one(f"width 2\nheight 2\nrows\n{rows}columns\n{columns}\n")


def test_the_last_lines_of_a_nonogram_may_be_blank():
    text = "width 3\nheight 3\nrows\n\n2\n\n\ncolumns\n1\n1\n\n"
    assert [len(side) for side in read_one(text).picture.margins] == [3, 3]
    assert read_one(text).count() == 1


def test_a_nonogram_with_colors_is_named():
    text = "width 1\nheight 2\nrows\n1a\n1b\ncolumns\n1a,1b\n"
    with pytest.raises(FormatError, match="the rows have colors, which are not supported"):
        read_one(text)


def test_xml_files_of_webpbn_are_read():
    def clues(name, lines):
        counts = ("".join(f"<count>{run}</count>" for run in line) for line in lines)
        return (
            f'<clues type="{name}">\n'
            + "".join(f"<line>{each}</line>\n" for each in counts)
            + "</clues>"
        )

    rows, columns = clues("rows", [[1], [2], [1]]), clues("columns", [[3], [1], []])
    goal = '<solution type="goal"><image>\n|X..|\n|XX.|\n|X..|\n</image></solution>'
    text = f'<?xml version="1.0"?>\n<puzzleset><puzzle type="grid">{columns}{rows}{goal}</puzzle>'
    [puzzle] = dlx.read(text)
    assert [puzzle.text(each) for each in puzzle.solutions()] == ["█▄\n▀"]
    assert find_answer(puzzle) == list(puzzle.first())
    assert [each.count() for each in dlx.read(text + text.partition("<puzzleset>")[2])] == [1, 1]
    with pytest.raises(FormatError, match="the rows have colors, which are not supported"):
        read_one(text.replace("<count>2", '<count color="red">2'))


def test_a_mark_divides_rows_from_columns():
    """Both orders fit the sums."""
    [puzzle] = dlx.read("2 2\n2\n0\n#\n1\n1\n")
    assert [puzzle.text(each) for each in puzzle.solutions()] == ["▀▀"]


def test_nin_files_have_the_width_first_and_then_rows():
    for text, drawn in [("2 3\n1\n2\n1\n3\n1\n", "█▄\n▀"), ("2 2\n2\n0\n1\n1\n", "▀▀")]:
        [puzzle] = read_any(named_stream(text.encode(), "a.nin")).puzzles
        assert puzzle.text(puzzle.first()).rstrip() == drawn


def test_links_of_nonograms_have_the_runs_next_to_the_board_first():
    puzzle = read_one("https://puzz.link/p?nonogram/6/6/12g1111h11112j12g11g21j11g3h")
    rows = ["xx.x..", "x...x.", ".x.xx.", "......", "x...x.", ".xxx.."]
    cells = {
        (r, c) for r, row in enumerate(rows, 1) for c, word in enumerate(row, 1) if word == "x"
    }
    assert [set(puzzle.picture.written(each)) for each in puzzle.solutions()] == [cells]


def test_a_file_of_links_has_a_nonogram_on_each_line():
    link = "https://puzz.link/p?nonogram/3/10/14i1121g43i2g1g2g2g1g1g3g1g1g3g"
    text = f"{link}\r\n\r\n{link.replace('puzz.link/p', 'pzv.jp/p.html')}\n{link}.\nhttps://a.org\n"
    *puzzles, damaged, other = read_any(named_stream(text.encode(), "file")).puzzles
    assert [each.count() for each in puzzles] == [1, 1]
    assert [each.place for each in puzzles] == ["file:1", "file:3"]
    assert str(damaged) == "file:4: a number in the link is unknown or malformed"
    assert str(other) == "file:5: not a link to a nonogram"


def test_sums_decide_whether_the_columns_of_a_nonogram_come_first():
    puzzle = read_one("2 2\n1\n1\n2\n0\n", "nonogram")
    assert [puzzle.text(each) for each in puzzle.solutions()] == ["▀▀"]
    with pytest.raises(FormatError, match="the runs of rows and of columns do not fit"):
        read_one("2 2\n1\n1\n2\n1\n", "nonogram")
    with pytest.raises(FormatError, match="3 lines of runs instead of 2 \\+ 2"):
        read_one("2 2\n1\n1\n2", "nonogram")


@pytest.mark.parametrize(
    "text", ["0" * 60_000, "1 2\n" * 3000, "9" * 5000 + "\n1 2\n", "\n\n", "²"]
)
def test_no_kind_fails_on_a_text_of_another_kind(text):
    for name, module in readers().items():
        assert not module.recognize(text), name


# Twelve puzzles of the collection SmilingWayne/puzzlekit-dataset
COLLECTED = json.loads((SAMPLES / "collection.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("record", COLLECTED, ids=[each["kind"] for each in COLLECTED])
def test_puzzles_of_the_collection_have_their_stated_solution_only(record):
    text = json.dumps({each: record[each] for each in ("id", "problem", "solution")})
    [puzzle] = dlx.read(text, record["kind"])
    [solution] = puzzle.solutions()
    assert find_answer(puzzle) == list(solution)
    if record["kind"] != "takuzu":  # in the form of the collection, several kinds of boards fit
        assert read_any(named_stream(text.encode(), "file")).kind == record["kind"]


@pytest.mark.parametrize(
    ("kind", "numbers"), [("tents", "2011111012"), ("nonogram", "11553124442")]
)
def test_pictures_have_the_numbers_of_rows_and_columns(kind, numbers):
    puzzle = dlx.example(kind)
    texts = "".join(texts_of(parse_picture(puzzle.svg(puzzle.first()))))
    assert sorted(re.findall("[0-9]", texts)) == sorted(numbers)


def test_blank_lines_before_a_puzzle_are_skipped():
    text = "\n\n4 4\n- 4 - -\n- - - 3\n3 - 2 -\n- - - 4\n"
    assert read_any(named_stream(text.encode(), "file")).kind == "shikaku"
    assert read_one(text).count() == 1
    with pytest.raises(FormatError, match=":6: word 1, 'z', is not"):
        read_one(text.replace("3 - 2", "z - 2"), "shikaku")


SOLVED = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
TEXTS = {kind: text for kind, (text, *_) in FILES.items()} | {
    "hashiwokakero": "1.3\n...\n..2",
    "futoshiki": ". < .\n^\n. .",
    "words": "CATXX\nXXXXX\nXXDOG\nXXXXX\nXXXXX\n\nCAT DOG",
    "sukaku": "".join(f"{digit:.>{digit}}".ljust(9, ".") for digit in map(int, SOLVED)),
    "nonogram": "2 2\n1\n2\n2\n1",
    "samurai": next(each["problem"] for each in COLLECTED if each["kind"] == "samurai"),
    "killer": "3x3:6c4h7a5_2b9_7e6_7_5a1d9a8a5a9a1a9d4a3_5_5e7_6b3_6a9h8c3",
    "takuzu": "6 6\n1 - - - - 2\n- - 2 - - -\n- 1 - - 1 1" + "\n- - - - - -" * 3,
    "pieces": "2x4\nI2",
    "combine": "pattern I = {\n**\n}\nproblem p = constant 2x2 true [ I ~one, I ~one ]",
    "polyforms": "Two\nSquare\nBoard ((1,0))\ntile 2 ((0,0))\nmode FillAll",
    "burr": "PIECE 2,1,1\n**\n\nRESULT 2,1,1\n**\n",
    "pips": '{"dominoes": [[1, 0]], "regions": [{"indices": [[0, 0], [0, 1]], "type": "empty"}]}',
    "hotel": "kind,name,category,arrival,departure\nroom,1,single\nbooking,2,single,1,2",
    "flights": "kind,name,origin,departure,destination,arrival\nflight,1,A,8:00,A,9:00",
    "airport": "kind,name,size,walk,arrival,departure\ngate,A,small,1\nflight,1,small,,8:00,9:00",
    "ctt": "Name: a\nCourses: 1\nRooms: 1\nDays: 1\nPeriods_per_day: 1\nCurricula: 0\n"
    "Constraints: 0\nCOURSES:\na b 1 1 1\nROOMS:\nc 1\nEND.",
}


@pytest.mark.filterwarnings("ignore:.*are not stated")
@pytest.mark.parametrize(
    "name", sorted(readers().keys() - {"chips"})
)  # whose files are two, of JSON
def test_comments_and_blank_lines_precede_a_puzzle(name):
    def read(text, kind):
        found = read_any(named_stream(text.encode(), "file"), kind)
        return found.kind, [puzzle.count() for puzzle in found.puzzles]

    expected = read(TEXTS[name], None)
    assert expected[0] == name
    for comment in ("# An easy one", "\n% Title: none\r\n%\r\n% of two lines\r", "//\n;é text"):
        assert read(f"{comment}\n\n{TEXTS[name]}\n", None) == expected
        assert read(f"{comment}\n{TEXTS[name]}\n", name) == expected


OPENED: list[str] = []


def note_opened(event, arguments):
    if event in ("open", "os.listdir", "os.scandir"):
        OPENED.append(str(arguments[0]))


@pytest.mark.filterwarnings("ignore:.*are not stated")
def test_texts_open_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("chips.json", "tiles.cmb"):
        (tmp_path / name).write_text("[]")
    texts = [
        *TEXTS.values(),
        '{"chips": [1], "map": ["00"]}',
        'include "tiles.cmb"\nproblem a = constant 1x3 true [ I ]\n',
    ]
    tools = Tools(10, 1 << 20, 1)
    sys.addaudithook(note_opened)  # no hook can be removed
    for text in texts:
        OPENED.clear()
        for call in (lambda text: [*dlx.read(text.encode())], tools._parse):
            with suppress(ValueError):
                for puzzle in call(text):
                    assert isinstance(puzzle, FormatError) or puzzle._problem.n_options
        names = {os.path.abspath(name) for name in OPENED}
        assert not [name for name in names if name.startswith(str(tmp_path))], text


def test_comments_count_as_lines():
    with pytest.raises(FormatError, match=":5: a row must have 2 cells"):
        list(dlx.read("# Futoshiki\n#\n# of two rows\n1 < .\n. . .\n", kind="futoshiki"))


def test_drawings_are_no_comments():
    for drawing in ("#.#\n###", "# #\n###", "##\n##", "# BB\n###", "#ab\n###", "#\n##"):
        assert blank_comments(f"{drawing}\n") == f"{drawing}\n"


def test_large_numbers_in_tables_are_no_dominoes():
    """A set of all smaller numbers would fill the memory."""
    assert load_kind("dominosa").recognize("\n".join(["999999999 0 2"] * 4)) is False
