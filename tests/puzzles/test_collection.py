"""Logic puzzles that people have as files: each kind on a small file, and against brute force."""

import json
import random
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, permutations, product

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.answer import find_answer
from dlx_numba.puzzles.logic.samurai import EXAMPLE as SAMURAI
from dlx_numba.puzzles.records import blank_comments
from dlx_numba.runtime.errors import FormatError
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.text import unpainted
from tests.helpers import SAMPLES
from tests.helpers.pictures import parse_picture, texts_of
from tests.helpers.puzzles import parse_one, parse_text

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


def words(text):
    return [re.sub(r"[|-]{3,}|(?<= )\|(?= )", "", line).split() for line in text.splitlines()]


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("tents", "2 2\n1 1\n1 1\n- x\n- y", ":5: word 2, 'y', is not x, - or ."),
        ("tents", "2 2\n1 1\n1 1\n- x", ":4: the text ends; line 5 of it is missing"),
        ("shikaku", "2 2\n- -\n3 -", ":1: the areas sum to 3, not to 2×2"),
        ("shikaku", "2 2\n- -\n3 x", ":3: word 2, 'x', is not a number from 1, ?, - or ."),
        ("dominosa", "1 2\n0 1", ":1: each number from 0 to 1 must appear 3 times"),
        ("star-battle", "2 2 1\n1 1\n1 1", ":1: 2 rows, 2 columns and 1 regions"),
        ("kakuro", "2 2\n- 4,\n,3 -", ":2: word 2, '4,': there are 0 cells down"),
        ("kakuro", "2 2\n- -\n- 0", ":2: there are no sums, such as 16,4"),
        ("kakuro", "2 2\n0 0\n,3 0", ":2: word 1: the first row and column have no cells"),
        ("kakuro", "2 3\n- 4, 0,\n,3 0 0", ":2: word 3, '0,', is not 0, - or sums such as 16,4"),
        ("euler", "2 2\n11 00\n00 03", ":3: word 2, '03', is not two digits from 0 to 2"),
        (
            "takuzu",
            "3 3\n1 2 -\n- - -\n- - -",
            ":1: the numbers of rows and columns must be even, not 3×3",
        ),
        ("takuzu", "01\n0", ":2: 1 symbols instead of 2"),
        ("takuzu", "2 2\n11 22\n2 1", ":2: word 1, '11', is not 1, 2, or -"),
        ("takuzu", "00 11\n11 00", ":1: the first line must be the size: 2 numbers"),
        (
            "killer",
            "4 4\n9 - - -\n8 - - -\n- - - -\n- - - -" + "\n1 1 1 1" * 4,
            ":1: row 2, column 1: the sum 8 has no cage, or its cage has two sums",
        ),
        (
            "killer",
            "4 4\n9 - - -" + "\n- - - -" * 3 + "\n- - - -" * 4,
            ":1: row 1, column 1: the sum 9 has no cage, or its",
        ),
        (
            "killer",
            "20 20\n9" + " -" * 19 + ("\n" + "- " * 20) * 19 + ("\n" + "1 " * 20) * 20,
            ":1: rules apply to boards of up to 16x16",
        ),
        (
            "killer",
            "3x3k:zzzc,aa,zzzc",
            ":1: the borders of the regions or cages do not fit a board of 9×9",
        ),
        ("killer", "4 4" + "\n- - - -" * 4 + "\n1 1 2 2" * 4, ":2: there are no sums"),
        (
            "jigsaw",
            "5 5" + "\n- - - - -" * 5,
            ":1: there is no Sudoku board of 5 rows and 5",
        ),
        ("jigsaw", "4 4" + "\n- - - -" * 4 + "\n1 1 1 2" * 4, ":6: the regions must be 4 of 4"),
        ("samurai", "2 1\n1\n1", ":1: there must be 21 rows of 21 cells"),
    ],
)
def test_errors_name_the_place(kind, text, message):
    with pytest.raises(FormatError, match=re.escape(message)):
        parse_one(text + "\n", kind)


@pytest.mark.slow
def test_shikaku_with_too_many_rectangles_is_refused():
    rows = ["4960" + " -" * 99, *["- " * 100] * 49, "- " * 50 + "5040" + " -" * 49]
    rows += ["- " * 100] * 49
    with pytest.raises(FormatError, match="possible rectangles have more than 4,000,000 cells"):
        parse_one("\n".join(["100 100", *rows]), "shikaku")


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
        assert parse_one(text, "star-battle").count() == extend([])


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
        puzzle = parse_one(tents_text(trees, columns, rows), "tents")
        assert puzzle.count() == tents_by_brute_force(trees, columns, rows)


def test_tents_that_trees_could_exchange_are_one_solution():
    ring = [(0, 1), (1, 2), (2, 1), (1, 0)]  # around it, each tree could take either of two tents
    puzzle = parse_one(tents_text(ring, [2, 0, 2], [2, 0, 2]), "tents")
    assert len(list(puzzle.cover())) == 2
    assert puzzle.count() == 1
    trees = [*ring, (0, 3), (1, 4), (2, 3)]
    columns, rows = [2, 0, 2, 0, 2], [3, 0, 3]
    puzzle = parse_one(tents_text(trees, columns, rows), "tents")
    assert puzzle.count() == tents_by_brute_force(trees, columns, rows)
    # Steps also have options that say in which rows and columns there is no tent.
    below = [(r + 1, c) for r, c in ring]
    puzzle = parse_one(tents_text(below, [0, 3, 0, 1], [1, 0, 2, 0, 1]), "tents")
    assert len(dlx.deduce(puzzle).cover) == 8


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
        assert parse_one("\n".join(["4 4", *board]), "shikaku").count() == fill(
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
        assert parse_one("\n".join(["4 5", *board]), "dominosa").count() == lay(
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
        assert parse_one("\n".join(board), "takuzu").count() == len(distinct)
        sized = "\n".join(["4 4", *(" ".join(row.replace("0", "2")) for row in board)])
        assert parse_one(sized.replace(".", "-"), "takuzu").count() == len(fits)


def test_no_three_in_a_row_of_a_binary_puzzle_are_equal():
    puzzle = parse_one("......\n" * 6 + "\n", "takuzu")
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
        assert parse_one("\n".join(["3 3", *board]), "euler").count() == expected


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
        assert parse_one(text, "kakuro").count() == fill({})


def test_killers_against_brute_force():
    rng = random.Random(7)
    boards = [
        tuple(cover) for cover in (
            [int(digit) for digit in re.findall("[1-4]", puzzle.text(each))]
            for puzzle in [dlx.example("sudoku", box="2x2")]
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
        puzzle = parse_one("\n".join(["4 4", *lines]), "killer")
        assert puzzle.count() == puzzle.count(1000) == expected
        first = puzzle.first()
        assert first == sorted(first)
        assert puzzle.cover().check(first)
        assert puzzle.text(first) == puzzle.draw(next(puzzle.boards(Stop())), unpainted)


CAGES = [(1 + r // 2 * 2 + c // 2, [r, c]) for r in range(4) for c in range(4)]
CAGES = [[cell for name, cell in CAGES if name == k] for k in (1, 2, 3, 4)]


def _cages_of_rows(cell):
    """Return the rows of a board of 4×4 as cages, which are columns if it is transposed."""
    return [{"sum": 10, "cells": [cell(r, c) for c in range(4)]} for r in range(4)]


def test_cages_in_json_are_a_list_or_in_an_object():
    cages = [{"sum": 10, "cells": cells} for cells in CAGES]
    for stated in (cages, {"cages": cages}, {"size": 4, "cages": cages}):
        assert parse_one(json.dumps(stated), "killer").rules.cages[1] == (10, (2, 3, 6, 7))


@pytest.mark.parametrize(
    ("cages", "reason"),
    [
        (CAGES[:3], "r3c3 must be in one cage, but is in none"),
        ([*CAGES, [[0, 0]]], "r1c1 must be in one cage, but is in 2"),
        ([[[1, 1], [1, 2], [2, 1]]], "r2c2 must be in one cage, but is in none"),
        ([["a1"]], "a cell must be written as .*, not as a1"),
        ([[7]], "a cell must be written as .*, not as 7"),
    ],
)
def test_cages_in_json_are_a_whole_board(cages, reason):
    stated = [{"sum": 10, "cells": cells} for cells in cages]
    for text in (stated, {"cages": stated}):
        with pytest.raises(FormatError, match=f":1: {reason}"):
            parse_one(json.dumps(text), "killer")


def test_cages_in_json_may_have_numbers_and_other_fields():
    cages = [{"id": k, "sum": 10, "cells": cells} for k, cells in enumerate(CAGES)]
    puzzle = parse_one(json.dumps({"difficulty": "easy", "cages": cages}), "killer")
    assert puzzle.rules.cages[1] == (10, (2, 3, 6, 7))


def test_the_size_of_cages_in_json_is_that_of_the_board():
    cages = [{"sum": 10, "cells": cells} for cells in CAGES]
    with pytest.raises(FormatError, match="the cages are on a board of 4×4, but the size is 9"):
        parse_one(json.dumps({"size": 9, "cages": cages}), "killer")
    assert parse_one(json.dumps({"size": "4", "cages": cages}), "killer").box.n == 4


def test_sums_of_cages_in_json_are_numbers():
    """Errors do not name lines of the text that cages are rewritten to."""
    for wrong, word in (("ten", "'ten'"), ("1 0", "'1 0'"), (None, "'None'"), (-3, "'-3'")):
        reason = f"^<text>:1: a sum must be an integer, or - for none, not {word}$"
        with pytest.raises(FormatError, match=reason):
            parse_one(json.dumps([{"sum": wrong, "cells": cells} for cells in CAGES]), "killer")


def test_a_jigsaw_may_have_a_prime_number_of_rows():
    puzzle = parse_one("5j:y,t" + "_" * 20, "killer")  # the regions are rows or columns
    assert (puzzle.box.n, puzzle.count(2)) == (5, 2)


def test_a_game_id_of_a_killer():
    text = (
        "3x3k:zzzc,__aaa___a_a___aa_____a______a____a_a__a______b____aa_abaaaaaa___aa______a_a___"
        "aaaaa_a___a_a__aaaaaba,10_6_8a11a9a12b10_11a16_6b10_17a11c8_8b12_8_21a7b11_7e13_19b4a9_12c"
        "9_10a23a10_12_13e12c14_7a15b4c"
    )
    puzzle = parse_one(text, "killer")
    [solution] = puzzle.solutions()
    digits = "".join(re.findall("[1-9]", puzzle.text(solution)))
    assert digits == (
        "356247819718569423492831657685794231937126548241385796864912375173458962529673184"
    )


def test_samurai_boards_obey_the_rules_and_givens():
    empty = "21 21\n" + "\n".join([" ".join("-" * 21)] * 21)
    full = parse_one(empty, "samurai")
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
        puzzle = parse_one("\n".join(["21 21", *map(" ".join, board[:10] + removed)]), "samurai")
        assert puzzle.count() > 1
        assert board in [words(puzzle.text(cover)) for cover in puzzle.solutions()]
    solved[0][9] = "5"
    outside = "\n".join(["21 21", *map(" ".join, solved)])
    with pytest.raises(FormatError, match=":2: word 10, '5', is outside of the boards"):
        parse_one(outside, "samurai")


def test_all_digits_of_a_samurai_board_have_the_solution_of_its_givens():
    puzzle = parse_one(SAMURAI.strip(), "samurai")
    whole = puzzle.with_all_options()
    assert [*map(whole.text, whole.solutions())] == [puzzle.text(puzzle.first())]


def line_runs(line):
    return [len(run) for run in "".join(map(str, line)).split("0") if run]


def nonogram_text(rows, columns, size):
    lines = [" ".join(map(str, runs)) or "0" for runs in (*columns, *rows)]
    return "\n".join([" ".join(map(str, size)), *lines])


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
        puzzle = parse_one(nonogram_text(rows, columns, (3, 4)), "nonogram")
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
            puzzle = parse_one(nonogram_text(rows, columns, (3, 4)), "nonogram")
            assert puzzle.count() == clues[rows, columns]
            impossible += not clues[rows, columns]
    assert impossible


def test_nonogram_with_too_many_places_to_state_is_refused():
    text = nonogram_text([[1] * 30] * 90, [[1] * 30] * 90, (90, 90))
    with pytest.raises(FormatError, match="need more than 2,000,000 entries in options"):
        parse_one(text, "nonogram")


@pytest.mark.slow
@pytest.mark.compiled
def test_nonogram_with_too_many_places_for_consistent_colors_is_not_decided():
    puzzle = parse_one(nonogram_text([[1] * 15] * 45, [[1] * 15] * 45, (45, 45)), "nonogram")
    with pytest.raises(dlx.Stopped):
        puzzle.cover().first(seconds=0)
    assert not puzzle.settings


def test_a_nonogram_with_colors_is_named():
    text = "width 1\nheight 2\nrows\n1a\n1b\ncolumns\n1a,1b\n"
    with pytest.raises(FormatError, match=":4: expected the lengths of runs without colors"):
        parse_one(text, "nonogram")


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
    puzzle = f'<puzzle type="grid">{columns}{rows}{goal}</puzzle>'
    text = f'<?xml version="1.0"?>\n<puzzleset>{puzzle}</puzzleset>'
    puzzle = parse_one(text, "nonogram")
    assert [puzzle.text(each) for each in puzzle.solutions()] == ["█▄\n▀"]
    assert find_answer(puzzle) == list(puzzle.first())
    twice = text.replace("<puzzle ", f"<puzzle>{columns}{rows}</puzzle><puzzle ")
    assert [each.count() for each in parse_text(twice, "nonogram")] == [1, 1]
    with pytest.raises(FormatError, match="the rows have colors, which are not supported"):
        parse_one(text.replace("<count>2", '<count color="red">2'), "nonogram")


# Twelve puzzles of the collection SmilingWayne/puzzlekit-dataset
COLLECTED = json.loads((SAMPLES / "collection.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("record", COLLECTED, ids=[each["kind"] for each in COLLECTED])
def test_puzzles_of_the_collection_have_their_stated_solution_only(record):
    text = json.dumps({each: record[each] for each in ("id", "problem", "solution")})
    puzzle = parse_one(text, record["kind"])
    [solution] = puzzle.solutions()
    assert find_answer(puzzle) == list(solution)


@pytest.mark.parametrize(
    ("kind", "numbers"), [("tents", "2011111012"), ("nonogram", "11553124442")]
)
def test_pictures_have_the_numbers_of_rows_and_columns(kind, numbers):
    puzzle = dlx.example(kind)
    texts = "".join(texts_of(parse_picture(puzzle.svg(puzzle.first()))))
    assert sorted(re.findall("[0-9]", texts)) == sorted(numbers)


def test_drawings_are_no_comments():
    for drawing in ("#.#\n###", "# #\n###", "##\n##", "# BB\n###", "#ab\n###", "#\n##"):
        assert blank_comments(f"{drawing}\n") == f"{drawing}\n"


@pytest.mark.parametrize("kind", FILES)
def test_a_text_is_solved_and_drawn(kind):
    text, count, drawn = FILES[kind]
    for end in ("", "\n"):
        puzzle = parse_one(text + end, kind)
        assert puzzle.count() == count
        solutions = [
            [row for row in words(puzzle.text(each)) if row] for each in puzzle.solutions()
        ]
        assert words(drawn) in solutions


@pytest.mark.parametrize("kind", FILES)
def test_puzzles_may_be_separated_and_records_in_json(kind):
    text, count, _ = FILES[kind]
    record = {"problem": text}
    lines = f"{json.dumps(record)}\n{json.dumps(record)}"
    for both in (f"{text}\n\n{text}", f"{text}\n---\n{text}", json.dumps([record] * 2), lines):
        found = parse_text(both, kind)
        assert [puzzle.count() for puzzle in found] == [count] * 2
        assert len({puzzle.place for puzzle in found}) == 2


@pytest.mark.parametrize("kind", FILES)
def test_a_collection_has_stated_solutions(kind):
    text, _, drawn = FILES[kind]
    size = text.split("\n", 1)[0]
    record = {"problem": text, "solution": f"{size}\n{drawn}"}
    bad = {"problem": "2 2\n? ?", "solution": ""}
    data = json.dumps({"count": 3, "data": {"a": record, "b": bad, "c": record}})
    first, error, third = parse_text(data, kind, "file")
    assert isinstance(error, FormatError)
    assert error.source == "file, b"
    assert first.place == "file, a"
    cover = find_answer(first)
    assert cover in [list(each) for each in first.solutions()]
    assert find_answer(third) == cover
    digits = [k for k, symbol in enumerate(drawn) if symbol not in " \n-"]
    wrong = list(drawn)
    wrong[digits[0]], wrong[digits[-1]] = "-" if kind in ("tents", "star-battle") else "7", "7"
    with pytest.raises(ValueError, match="file, a: the solution in the file"):
        find_answer(replace(first, answer="".join(wrong)))
    with pytest.raises(ValueError, match="row 2 has"):
        find_answer(replace(first, answer=drawn.replace("\n", "\n9 ", 1)))


@pytest.mark.parametrize("kind", FILES)
def test_no_line_of_a_text_may_be_missing(kind):
    lines = FILES[kind][0].split("\n")
    for k in range(len(lines)):
        [error] = parse_text("\n".join(lines[:k] + lines[k + 1 :]), kind)
        assert isinstance(error, FormatError)
        [error] = parse_text("\n".join(lines[:k] + lines[k : k + 1] + lines[k:]), kind)
        assert isinstance(error, FormatError)


STAR_BATTLES = {
    "letters": "\n".join(REGIONS),
    "comments": "// level 3\n# a level\n" + "\n".join(REGIONS),
    "rows of texts": json.dumps({"regions": REGIONS}),
    "rows of lists": json.dumps({"size": 5, "regions": [*map(list, REGIONS)], "stars": 1}),
    "numbers": json.dumps({"regions": [[*map(ord, row)] for row in REGIONS]}),
    "levels": json.dumps({"levels": [{"regions": REGIONS}]}),
}


@pytest.mark.parametrize("name", STAR_BATTLES)
def test_notations_of_star_battles(name):
    puzzle = parse_one(STAR_BATTLES[name], "star-battle")
    assert [puzzle.text(each) for each in puzzle.solutions()] == [FILES["star-battle"][2]]


@pytest.mark.parametrize(
    ("level", "reason"),
    [
        ({"regions": REGIONS, "stars": 0}, ":1: the first line must be the size: 3 numbers from 1"),
        ({"regions": REGIONS, "stars": [1]}, "'.1.' must be a word or a number"),
        ({"regions": REGIONS[1:]}, ":1: 5 words instead of 4"),
        ({"regions": REGIONS, "size": 6}, ":1: 5 words instead of 6"),
        ({"regions": [["AABBB"]] * 5}, ":1: 1 words instead of 5"),
        ({"regions": [["A B"], ["C"]]}, "'A B' must be a word or a number"),
        ({"regions": 5}, "expected rows of regions"),
        ({"board": REGIONS}, "the key 'board' is unknown; there are regions, stars, size"),
        (REGIONS, "expected rows of regions"),
    ],
)
def test_errors_in_levels(level, reason):
    with pytest.raises(FormatError, match=reason):
        parse_one(json.dumps(level), "star-battle")


def test_some_cells_of_a_star_battle_may_have_no_region():
    puzzle = parse_one("3 3 1\n1 2 @\n1 2 #\n3 3 -", "star-battle")
    assert puzzle.count() == 0
    assert len(puzzle.statement.options) <= 6


CAGE = {"sum": 10, "cells": [[0, 0], [0, 1]]}


def test_cages_in_json():
    named = [[f"r{r + 1}c{c + 1}" for r, c in cage] for cage in CAGES]
    from_1 = [[[r + 1, c + 1] for r, c in cage] for cage in CAGES]
    for each in (CAGES, named, from_1):
        cages = [{"sum": 10, "cells": cells} for cells in each]
        for stated in (cages, {"cages": cages}):
            puzzle = parse_one(json.dumps(stated), "killer")
            assert (puzzle.title, puzzle.count()) == ("Killer Sudoku", 288)
            assert puzzle.rules.cages[1] == (10, (2, 3, 6, 7))
            line = json.dumps(stated)
            for both in (f"{line}\n{line}\n", f"[{line}, {line}]"):
                assert [each.rules for each in parse_text(both, "killer")] == [puzzle.rules] * 2


def test_cells_of_cages_in_json_may_have_names():
    rows = [[[r, c] for c in range(4)] for r in range(4)]
    for cell in (
        lambda r, c: f"r{r}c{c}",
        lambda r, c: f"R{r + 1}C{c + 1}",
    ):
        cages = [{"sum": 10, "cells": [cell(r, c) for r, c in row]} for row in rows]
        puzzle = parse_one(json.dumps(cages), "killer")
        assert puzzle.rules.cages[0] == (10, (0, 1, 2, 3))


@pytest.mark.parametrize(
    "cell", [[0, -3], [0, 1, 2], [0.0, 1], [True, 0], "r1c2c3", "3", {"x": 0, "y": 1}]
)
def test_cells_of_cages_are_two_numbers(cell):
    cages = [{"sum": 10, "cells": [*CAGES[0][:3], cell]}]
    with pytest.raises(FormatError, match="a cell must be written as"):
        parse_one(json.dumps(cages), "killer")


@pytest.mark.parametrize(
    "cage", [{**CAGE, "op": "+"}, {"sum": 10, "cells": 5}, {"sum": 10, "total": 10, "cells": []}]
)
def test_other_objects_are_no_cages(cage):
    with pytest.raises(FormatError, match="a cage must have a sum and cells, and nothing else"):
        parse_one(json.dumps([cage]), "killer")


def test_boards_after_their_size():
    text = "4 4\n- - 4 3\n- - - 1\n- 2 - -\n- - - -"
    plain = parse_one(text, "jigsaw")
    assert parse_one(text.replace("-", "."), "jigsaw").values == plain.values
    assert (plain.title, plain.rules.stated(), plain.count(2)) == ("Sudoku", {}, 2)
    marked = parse_one("4 4\n3 E O 2\n- - - -\nO E E -\nE O O E", "jigsaw")
    assert marked.rules.stated() == {"odd": (2, 8, 13, 14), "even": (1, 9, 10, 12, 15)}
    assert marked.count() == 0


def test_numbers_of_large_boards_are_those_of_the_answer():
    grid = [[(4 * r + r // 4 + c) % 16 + 1 for c in range(16)] for r in range(16)]
    lines = ["16 16", *(" ".join(map(str, row)) for row in grid)]
    problem = "\n".join(lines).replace(" 13 ", " - ")
    record = {"problem": problem, "solution": "\n".join(lines)}
    puzzle = parse_one(json.dumps(record), "jigsaw")
    assert find_answer(puzzle) == list(puzzle.first())


def test_game_ids_of_other_boards():
    plain = "3x3:5_3b7d6b1_9_5d9_8d6a8c6c3_4b8a3b1_7c2c6a6d2_8d4_1_9b5d8b7_9"
    board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    expected = [int(symbol) if symbol.isdigit() else 0 for symbol in board]
    link = f"https://www.example.org/puzzles/js/solo.html#{plain}"
    for text in (plain, plain.replace(":", "dt:"), link, plain + "\n", f"Solo: {plain}"):
        assert [*parse_one(text, "killer").values] == expected
    assert "Killer" not in parse_one(plain, "killer").title
    assert parse_one("2x3:1_2_3zg", "killer").values == (1, 2, 3, *[0] * 33)
    with_diagonals = parse_one("2x2x:1o", "killer")
    assert with_diagonals.count() == 48 // 4
    regions, givens = "AAABCABBCCDBCDDD", {0: 1, 11: 2, 14: 3}
    rows = [*permutations((1, 2, 3, 4))]
    squares = (sum(square, ()) for square in product(rows, repeat=4))
    count = sum(
        all(square[cell] == digit for cell, digit in givens.items())
        and all(len({*square[k::4]}) == 4 for k in range(4))
        and all(
            len({d for d, x in zip(square, regions, strict=True) if x == y}) == 4 for y in "ABCD"
        )
        for square in squares
    )
    assert parse_one("4j:1j2b3a,b__b__bc___c_", "killer").count() == count > 0
    for other in ("3x3:1a", "8x8:e1a", "4j:1o", "3x3:1,2,3,4"):  # of other games, or malformed
        assert isinstance(parse_text(other, "killer")[0], FormatError)
    with pytest.raises(FormatError, match="expected 2 parts after the digits, not 1"):
        parse_one("3x3k:zzzc,aa", "killer")


def test_samurai_boards_may_be_rows_of_symbols():
    rows = SAMURAI.split()
    sized = "\n".join(["21 21", *map(" ".join, rows)])
    for text in ("\n".join(rows), sized, sized.replace(".", "-")):
        assert parse_one(text, "samurai").count() == 1
    with pytest.raises(FormatError, match=r":3: 22 symbols instead of 21"):
        parse_one("\n".join([*rows[:2], "." * 22, *rows[3:]]), "samurai")
    with pytest.raises(FormatError, match=r"there must be 21 rows of 21 cells"):
        parse_one("\n".join(rows[1:]), "samurai")
    with pytest.raises(FormatError, match=":10: word 1, '5', is outside of the boards"):
        parse_one("\n".join([*rows[:9], "5" + rows[9][1:], *rows[10:]]), "samurai")


NONOGRAMS = {
    "columns first": "3 2\n3\n1\n1\n2\n1",
    "lists in a program": "row=[[1], [2], [1]];\ncolumn=[[3], [1]];\n",
    "JSON": '{"rows": [[1], [2], [1]], "columns": [[3], [1]]}',
    "other names": '{"ver": [[3], [1]], "hor": [[1], [2], [1]]}\n',
    "non": 'title "T"\nby me\nwidth 2\nheight 3\n\nrows\n1\n2\n1\n\ncolumns\n3\n1\ngoal 101110',
    "capitals": "Width 2\nHeight 3\nRows:\n1\n2\n1\nColumns:\n3\n1\n",
}


@pytest.mark.parametrize("name", NONOGRAMS)
def test_notations_of_nonograms(name):
    puzzle = parse_one(NONOGRAMS[name], "nonogram")
    assert [puzzle.text(each) for each in puzzle.solutions()] == ["█▄\n▀"]


def test_a_non_file_states_its_goal():
    puzzle = parse_one(NONOGRAMS["non"], "nonogram")
    assert find_answer(puzzle) == list(puzzle.first())
    [wrong] = parse_text(NONOGRAMS["non"].replace("101110", "111110"), "nonogram")
    with pytest.raises(ValueError, match="the solution in the file is wrong"):
        find_answer(wrong)
    assert len(parse_text(f"{NONOGRAMS['non']}\n---\n{NONOGRAMS['non']}", "nonogram")) == 2


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("width 2", "width 5", "2 columns, but the width is 5"),
        ("width 2\n", "", "2 columns, but the width is missing"),
        ("\n2\n", "\n", "2 rows, but the height is 3"),
        ("columns\n3\n1\n", "columns\n4\n1\n", "4 black cells in rows, 4 in columns|do not fit"),
        ("by me", "from me", "'from' is neither the name of a section nor runs"),
        ("columns\n3", "columns\n3a", "expected the lengths of runs without colors"),
        (
            "columns\n3\n1",
            "columns\n3\n1\nrows\n1\n2\n1",
            "rows are given twice; divide puzzles by",
        ),
    ],
)
def test_errors_in_non_files(old, new, reason):
    with pytest.raises(FormatError, match=reason):
        parse_one(NONOGRAMS["non"].replace(old, new), "nonogram")


@pytest.mark.parametrize(
    "text",
    [
        "3 2\n3\n1\n1\n2",
        "3 2\n3\n1\n1\n2\n1\n1",
        "3 2\n3\n1\n1\n2\n\n1",
        "3 2\n3\n1 0\n1\n2\n1",
        "3 2\n1\n2\n1\n3\n1",  # the rows first
        'x{"rows": [[1], [2], [1]], "columns": [[3], [1]]}',
        '{"rows": [[1], [2], [1]], "row": [[1], [2], [1]], "columns": [[3], [1]]}',
        '{"rows": [[1], [2], [-1]], "columns": [[3], [1]]}',
        '{"rows": ["1", "2", "1"], "columns": [[3], [1]]}',
        json.dumps({"rows": [[0]] * 1000, "columns": [[0]] * 100_000}),
        '<puzzleset><puzzle><clues type="rows"><line><count/></line></clues></puzzle></puzzleset>',
        '<puzzle><clues type="rows"><line><count>-1</count></line></clues></puzzle>',
        "<puzzleset>" * 100_000,
        "<puzzleset></puzzleset>",
        "row=[[1], [2], [1]];\ncolumn=[[3], [1]];\nx=1;",
    ],
)
def test_texts_that_are_no_nonograms(text):
    assert all(isinstance(each, FormatError) for each in parse_text(text, "nonogram"))


def test_runs_that_do_not_fit_are_errors():
    for text, reason in (
        ("2 2\n1\n1\n2\n1\n", "3 black cells in rows, 2 in columns"),
        ("2 2\n2\n1\n3\n0\n", "runs of 3 in 2 cells"),
    ):
        with pytest.raises(FormatError, match=f"do not fit each other: {reason}"):
            parse_one(text, "nonogram")


def test_comments_count_as_lines():
    for kind, (text, count, _) in FILES.items():
        for comment in ("# An easy one", "\n% Title: none\n%\n% of two lines", "//\n;é text"):
            assert parse_one(f"{comment}\n{text}\n", kind).count() == count
    with pytest.raises(FormatError, match=":5: a row must have 2 cells"):
        parse_one("# Futoshiki\n#\n# of two rows\n1 < .\n. . .\n", "futoshiki")


def test_the_boards_of_a_text_have_the_lines_of_the_file():
    text = FILES["shikaku"][0]
    first, second = parse_text(f"\n\n{text}\n\n{text.replace('3 - 2', 'z - 2')}\n", "shikaku")
    assert first.place == "<text>:3"
    assert str(second) == "<text>:12: word 1, 'z', is not a number from 1, ?, - or ."


@pytest.mark.parametrize("kind", ["killer", "jigsaw", "nonogram", "sukaku"])
def test_a_source_without_a_puzzle_has_an_error(kind):
    for text in (b"foo", b"", b"\n"):
        puzzles = dlx.read(text, kind=kind)
        [error] = puzzles.errors
        with pytest.raises(FormatError) as raised:
            puzzles[0]
        assert raised.value is error
