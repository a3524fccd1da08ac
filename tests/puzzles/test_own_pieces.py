"""A board and pieces that somebody has drawn as text."""

import random
from collections import Counter
from itertools import combinations, product

import pytest

from dlx_numba import placements
from dlx_numba.puzzles.marks import find_mark
from dlx_numba.puzzles.pieces import own
from dlx_numba.puzzles.records import parse_all
from dlx_numba.runtime.errors import FormatError
from tests.helpers.pictures import parse_picture
from tests.helpers.seeds import seeds


def read(text):
    [puzzle] = parse_all(own, text, "<text>")
    if isinstance(puzzle, FormatError):
        raise puzzle
    return puzzle


def moved(cells):
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return frozenset((r - top, c - left) for r, c in cells)


def images(cells, motion):
    found = {moved(cells)}
    for _ in range(0 if motion == "no turning" else 4):
        found |= {moved([(c, -r) for r, c in shape]) for shape in found}
        if motion == "":
            found |= {moved([(r, -c) for r, c in shape]) for shape in found}
    return found


def count_tilings(board, pieces):
    """Count tilings with a multiset of sets of images, by the first cell that is free."""
    if not board:
        return 1
    r, c = min(board)
    total = 0
    for each in pieces:
        for shape in each:
            first = min(shape)
            cells = {(r + y - first[0], c + x - first[1]) for y, x in shape}
            if cells <= board:
                total += count_tilings(board - cells, pieces - Counter([each]))
    return total


def random_pieces(rng, board):
    """Cut a board into connected pieces."""
    left, pieces = set(board), []
    while left:
        piece = [min(left)]
        for _ in range(rng.randint(0, 3)):
            near = {(r + y, c + x) for r, c in piece for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            if choices := sorted(near & left - {*piece}):
                piece.append(rng.choice(choices))
        left -= {*piece}
        pieces.append(piece)
    return pieces


def drawn(cells, symbol, blank="."):
    rows, columns = (range(min(values), max(values) + 1) for values in zip(*cells, strict=True))
    return "\n".join("".join(symbol if (r, c) in cells else blank for c in columns) for r in rows)


@pytest.mark.parametrize("motion", ["", "rotations only", "no turning"])
def test_tilings_are_those_of_a_search_cell_by_cell(motion):
    for seed in seeds(30):
        rng = random.Random(seed)
        board = {cell for cell in product(range(3), range(4)) if rng.random() < 0.9}
        pieces = random_pieces(rng, board)
        symbol = rng.choice(["#", "*", "o", "A"])
        title = rng.choice(["board\n", ""])
        blocks = [title + drawn(board, "#"), *(drawn(piece, symbol) for piece in pieces), motion]
        puzzle = read("\n\n".join(blocks) + "\n")
        sets = Counter(frozenset(images(piece, motion)) for piece in pieces)
        assert puzzle.count() == count_tilings(frozenset(board), sets)


@pytest.mark.parametrize(
    ("motion", "words"), [("rotations only", {"turned"}), ("no turning", set())]
)
def test_names_of_options_say_only_how_pieces_may_be_moved(motion, words):
    puzzle = read(f"{motion}\n3x4\n\n#.\n#.\n##\n\n.#\n.#\n##\n\n4 x\n#\n")
    names = " ".join(puzzle.statement.options)
    assert {word for word in ("flipped", "turned") if word in names} == words


@pytest.mark.parametrize("motion", ["", "no turning"])
def test_cells_stay_empty_in_all_ways(motion):
    for seed in seeds(20):
        rng = random.Random(seed)
        board = {*product(range(3), range(4))}
        removed, *pieces = random_pieces(rng, board)
        stated = f"empty: {len(removed)}"
        blocks = [drawn(board, "#"), *(drawn(piece, "#") for piece in pieces), stated, motion]
        puzzle = read("\n\n".join(blocks) + "\n")
        sets = Counter(frozenset(images(piece, motion)) for piece in pieces)
        holes = combinations(board, len(removed))
        n_tilings = sum(count_tilings(frozenset(board.difference(each)), sets) for each in holes)
        assert puzzle.count() == n_tilings
        assert puzzle.text(puzzle.first()).count(".") == len(removed)


def test_drawings_of_pieces_may_touch():
    for seed in seeds(30):
        rng = random.Random(seed)
        board = {cell for cell in product(range(3), range(4)) if rng.random() < 0.95}
        pieces = random_pieces(rng, board)
        letter_of = {cell: "ABCDEFGHIJKL"[k] for k, piece in enumerate(pieces) for cell in piece}
        solved = ["".join(letter_of.get((r, c), " ") for c in range(4)) for r in range(3)]
        symbol = rng.choice("#.")
        text = "\n".join([*drawn(board, symbol, " ").split("\n"), "", *solved, ""])
        sets = Counter(frozenset(images(piece, "")) for piece in pieces)
        assert read(text).count() == count_tilings(frozenset(board), sets), text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("3x20\nF I L N P T U V W X Y Z\n", 8),
        ("5x8\nI2 O2 T2 L J S Z\n", 740),
        ("5x8\nI I O O T T L J S Z\n", 740),
        ("5x8\n\nI2\n\nO2 T2\n\nL J S Z\n", 740),
        ("########\n" * 5 + "\nI2 O2 T2\nL J S Z\n", 740),
        ("5 8 2 2 2 1 1 1 1\n", 740),
        ("3 4 1 0 0 2 0 0 0\n", 2),  # with more signs than the board has cells
        ("5x4\nT T L I O\n", 8),
        ("5x4\nT\nT\nL\nI\nO\n", 8),
    ],
)
def test_letters_are_tetrominoes_or_pentominoes(text, count):
    """J and L, and S and Z, are different pieces, so none is turned over."""
    assert read(text).count() == count


def test_other_letters_are_no_pieces_without_drawings():
    with pytest.raises(FormatError, match=r"<text>:2: pieces without drawings are IOTLJSZ or"):
        read("4x4\nA B\n")


def test_drawings_may_have_blanks_between_cells_as_solutions_have():
    puzzle = read("A A . .\nA . . .\n\nB B B\n    B\n\nC\n")
    assert [*map(puzzle.text, puzzle.solutions())] == ["A A C B\nA B B B"]
    solids = ("# #|# #\n# #|# .", "## | ##\n## | #.", "# # | # #\n# # | # .")
    assert [read(f"2x2x2\n\n{solid}\n\n#\n").count() for solid in solids] == [8, 8, 8]


def test_equal_pieces_are_drawn_with_their_own_letters():
    puzzle = read("2x4\n\nAA\n\nB\nB\n\nCC\nCC\n")
    covers = puzzle.cover().solve()
    assert puzzle.count() == len(covers)
    for cover in covers:
        text = puzzle.text(cover)
        assert [text.count(letter) for letter in "ABC"] == [2, 2, 4]
        assert all(f">{letter}</text>" in puzzle.svg(cover) for letter in "ABC")
    puzzle = read("board\n##AA\n####\n\npieces\nAA\n\nBB\n\nCC\nCC\n")
    assert {letter for cover in puzzle.solutions() for letter in puzzle.text(cover)} >= {*"ABC"}
    assert puzzle.count() == 1


def test_adjacent_copies_of_a_piece_are_told_apart():
    puzzle = read("board\naa##\n####\n\n3 x\n##\n")
    for solution in puzzle.solutions():
        letters = Counter("".join(puzzle.text(solution).split()))
        assert letters.pop("a") == 2
        assert [*letters.values()] == [2, 2, 2]


def test_equal_pieces_are_not_distinguished():
    counts = [read(f"2x4\n{pieces}\n").count() for pieces in ("O2", "O O", "2 x\n##\n##")]
    assert counts == [1, 1, 1]
    with pytest.warns(UserWarning, match="<text>:2: a drawing of # in 2 parts is 2 pieces"):
        assert read("2x3\n## ##\n\n#\n#\n").count() == 3


@pytest.mark.parametrize(("columns", "count"), [(9, 6), (10, 13), (11, 22), (12, 64), (13, 114)])
def test_a_letter_in_a_drawing_is_one_piece_even_of_two_parts(columns, count):
    """The numbers are Knuth's, of tilings with two rows of three cells at a distance of three."""
    with pytest.warns(UserWarning, match="<text>:3: a drawing of A in 2 parts is one piece"):
        puzzle = read(f"12x{columns}\n\n{2 * columns} x\nAAA...AAA\n")
    assert puzzle.count() == count
    assert len(placements("###...###", f"12x{columns}")) == len(puzzle.cover().options)


@pytest.mark.filterwarnings("ignore:.* parts")
def test_pieces_of_two_parts_are_cut_from_boards():
    for seed in seeds(30):
        rng = random.Random(seed)
        cells = rng.sample([*product(range(3), range(4))], 12)
        sizes = rng.choices(range(1, 5), k=12)
        pieces = []
        while cells:
            size = sizes.pop()
            pieces.append(cells[:size])
            del cells[:size]
        board = {*product(range(3), range(4))}
        text = "\n\n".join(["3x4", *(drawn(piece, "A") for piece in pieces)])
        sets = Counter(frozenset(images(piece, "")) for piece in pieces)
        assert read(text).count() == count_tilings(frozenset(board), sets), text
        placed = {cell: "ABCDEFGHIJKL"[k] for k, piece in enumerate(pieces) for cell in piece}
        rows = ["".join(placed[r, c] for c in range(4)) for r in range(3)]
        shown = [[letter if letter == "A" else "#" for letter in row] for row in rows]
        drawings = [drawn(piece, "ABCDEFGHIJKL"[k]) for k, piece in enumerate(pieces)]
        challenge = read("\n\n".join(["board\n" + "\n".join(map("".join, shown)), *drawings]))
        rest = frozenset(board.difference(pieces[0]))
        others = Counter(frozenset(images(piece, "")) for piece in pieces[1:])
        assert challenge.count() == count_tilings(rest, others)


def test_drawings_of_one_column_with_letters_are_pieces():
    text = "3x3\nrotations only\n\nA\n\nB\nB\nB\n\nC\nC\n\nD\nD\nD\n"
    assert read(text).count() == 12
    assert read("3x4\n\nI\nI\nI\n\n3 x\nL\nL\nL\n").count() == 3
    with pytest.raises(FormatError, match="the pieces have 6 cells, the board has 9"):
        read(text.replace("\n\nD\nD\nD", ""))


def test_cells_to_fill_differ_from_those_outside_the_board():
    puzzle = read("board\n##..\n.A#.\n...#\n\n2 x\n##\n\n")
    assert puzzle.text([]).splitlines() == [". .", "  A .", "      ."]
    puzzle = read(" ##\n#  #\n#  #\n ##\n\n4 x\n##\n")
    drawn = puzzle.text(puzzle.first()).splitlines()
    assert [len(set(line) - {" "}) for line in drawn] == [1, 2, 2, 1]


def test_pieces_on_the_board_are_placed():
    puzzle = read("AA.\nA..\n...\n\nAA\nA\n\nB B B\n\nCC\n.C\n")
    assert puzzle.count() == 2
    assert puzzle.text(puzzle.first()) == "A A B\nA C B\nC C B"
    parse_picture(puzzle.svg(puzzle.first()))
    text = "AABCC\nABBC.\n.....\n.....\n.....\n\nD\nDD\n\nEE\nEE\nE\n\nFF\nFF\nF\n\nGGG\n"
    titled = "Board:\n" + text.replace("\n\nD", "\n\npieces\nD")
    assert [read(each).count() for each in (text, titled)] == [6, 6]
    with pytest.raises(FormatError, match="<text>:1: the letters A on the board are not the piece"):
        read("AA.\n\nAAA\n")


SOMA = (
    "##|#.\n#.|..",
    "##|.#\n..|.#",
    "##|..\n.#|.#",
    "###\n#..",
    "###\n.#.",
    "##.\n.##",
    "##\n#.",
)


def test_boards_and_pieces_may_have_layers():
    for board in ("3x3x3", "\n".join(["###|###|###"] * 3)):
        puzzle = read("\n\n".join([board, *SOMA]))
        assert puzzle.statement.view.lattice == "cubes"
        assert len(puzzle.first()) == 7
    assert read("##|##|##\n\n##|##\n\n2 x\n#\n").count() == 2
    with pytest.raises(FormatError, match="<text>:3: a piece has layers, and the board has none"):
        read("2x2\n\n##|##\n")


IQ_SAMPLE = "5 5 7\nDEFAULT\nA\nAA\nB\nBB\nC\nCC\nD\nDD\nEE\nEE\nE\nFF\nFF\nF\nGGG\n"
IQ_CUSTOM = "3 4 3\nCUSTOM\n.XX.\nXXXX\n.XX.\nAA\n A\n BB\n B\nC\nC\n"


def test_boards_may_follow_their_size_and_the_number_of_pieces():
    assert [find_mark(text, "-") for text in (IQ_SAMPLE, IQ_CUSTOM, "5 5 7\nOTHER\n")] == [
        *("pieces", "pieces", None)
    ]
    assert read(IQ_SAMPLE).count() == 784
    own_notation = ".##.\n####\n.##.\n\nAA\n A\n BB\n B\nC\nC\n"
    assert read(IQ_CUSTOM).count() == read(own_notation).count() > 0
    for text, reason in (
        (IQ_SAMPLE.replace("5 5 7", "5 5 8"), ":3: 8 pieces, each a letter of its own, are"),
        (IQ_SAMPLE.replace("GGG", "G G"), ":3: 7 pieces, each a letter of its own, are"),
        (IQ_SAMPLE.replace("GGG", "GG"), ":1: the pieces have 24 cells, the board has 25"),
        (IQ_CUSTOM.replace("XXXX\n", ""), ":3: 3 rows of 4 cells, X or ., are expected"),
    ):
        with pytest.raises(FormatError, match=reason):
            read(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2x4\nO3\n", ":1: the pieces have 12 cells, the board has 8"),
        ("#..\n...\n\n##\n##\n", ":1: the pieces have 4 cells, the board has 1"),
        ("XX\nX\n\n##.\n##.\n", ":1: a board has from 1 to 1,000 cells to fill, # or ., not 0"),
        ("AA \n\nBB\n", ":1: a board has from 1 to 1,000 cells to fill, # or ., not 0"),
        ("AB.\nA1.\n\nC\nC\n", ":2: '1' is not a cell"),
        ("2x3\nleftover: 2\n\nBB\nBB\n", ":2: 'leftover: 2' is neither a row of a drawing nor"),
        ("2x3\n\nBB\nBB\nspare 2\n", ":5: 'spare 2' is neither a row of a drawing nor"),
        ("2 x\n##\n\n##\n##\n", ":1: expected one board, 5x8 or of #, and pieces"),
        ("##\n##\n\n2 x\n\n##\n", ":4: a number stands above the drawing of a piece"),
        ("##\n##\n", ":1: expected one board, 5x8 or of #, and pieces"),
        ("2x2\n2x2\nO\n", ":1: expected one board, 5x8 or of #, and pieces"),
        ("board\nboard\n2x2\n\nO\n", ":2: nothing follows the title 'board'"),
        ("2x2\nO\nboard\n", ":1: expected one board, 5x8 or of #, and pieces"),
        ("pieces\n2x2\nO\n", ":1: expected one board, 5x8 or of #, and pieces"),
        (
            "2x2\nO\nno turning\nrotations only\n",
            ":4: pieces are moved as said before: no turning",
        ),
        ("##|##\n##\n\n##\n", ":1: each row of a drawing must have as many layers"),
        ("2x3\n\n##\n##\n", ":1: the pieces have 4 cells, the board has 6; `empty: 2` leaves"),
        ("empty: 1\n2x3\n\n##\n##\n", "the board has 6, of which 1 stay empty; `empty: 2` leaves"),
        ("99x99\nO\n", ":1: region '99x99' must have from 1 to 1,000 cells"),
        ("2x2\n\n##\n##\n\n..\n", ":6: a piece has no cells"),
        ("2x2\nempty: 1\nempty: 2\n\n##\n", ":3: 1 cells stay empty, as said before"),
    ],
)
def test_errors_name_the_line_and_the_reason(text, reason):
    with pytest.raises(FormatError, match="<text>") as error:
        read(text)
    assert reason in str(error.value)
