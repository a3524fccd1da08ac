"""A board and pieces that somebody has drawn as text."""

import random
from collections import Counter
from itertools import product

import pytest

import dlx_numba as dlx
from dlx_numba.kinds.pieces.own import recognize
from dlx_numba.kinds.reading import read, read_any
from dlx_numba.runtime.errors import AmbiguousError, FormatError
from dlx_numba.runtime.source import named_stream
from tests.helpers.pictures import parse_picture
from tests.helpers.seeds import seeds


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
        stated = rng.choice(["board\n", ""]) if "#" in drawn(board, "#") else "board\n"
        blocks = [stated + drawn(board, "#"), *(drawn(piece, symbol) for piece in pieces), motion]
        [puzzle] = read("\n\n".join(blocks) + "\n")
        sets = Counter(frozenset(images(piece, motion)) for piece in pieces)
        assert puzzle.count() == count_tilings(frozenset(board), sets)


def test_drawings_of_pieces_may_touch():
    for seed in seeds(30):
        rng = random.Random(seed)
        board = {cell for cell in product(range(3), range(4)) if rng.random() < 0.95}
        pieces = random_pieces(rng, board)
        letter_of = {cell: "ABCDEFGHIJKL"[k] for k, piece in enumerate(pieces) for cell in piece}
        solved = ["".join(letter_of.get((r, c), " ") for c in range(4)) for r in range(3)]
        symbol = rng.choice("#.")
        text = "\n".join([*solved, "", *drawn(board, symbol, " ").split("\n"), ""])
        sets = Counter(frozenset(images(piece, "")) for piece in pieces)
        reading = read_any(named_stream(text.encode(), "drawn"))
        assert reading.kind == "pieces", text
        [puzzle] = reading.puzzles
        assert puzzle.count() == count_tilings(frozenset(board), sets)


def test_named_pieces_are_tetrominoes_or_pentominoes():
    assert next(read("3x20\nF I L N P T U V W X Y Z\n")).count() == 2 * 4
    for text in ("5x8\nI2 O2 T2 L J S Z\n", "5 8 2 2 2 1 1 1 1\n"):
        assert next(read(text)).count() == 740
    counts = [next(read(f"5x4\n{names}\n")).count() for names in ("T T L I O", "T\nT\nL\nI\nO")]
    assert counts == [8, 8]
    for text in (
        "5x8\n2 x I\n2 x O\n2 x T\nL\nJ\nS\nZ\n",
        "5x8\nLJSZ\n2 x I\nO O\nT:2\n",
        "5x8\nI:2 O:2 T:2 L J S Z\n",
        "5 8\nI\nI\nO\nO\nT\nT\nL\nJ\nS\nZ\n",
        "5 8\n2 x I\n2 x O\n2 x T\nLJSZ\n",
    ):
        assert next(read(text)).count() == 740
    with pytest.raises(FormatError, match=r"<text>:2: pieces without drawings are IOTLJSZ or"):
        next(read("4x4\nA B\n"))


def test_equal_pieces_are_drawn_with_their_own_letters():
    [puzzle] = read("2x4\n\nAA\n\nB\nB\n\nCC\nCC\n")
    [covers] = [puzzle.cover().solve()]
    assert puzzle.count() == len(covers)
    for cover in covers:
        text = puzzle.text(cover)
        assert [text.count(letter) for letter in "ABC"] == [2, 2, 4]
        assert all(f">{letter}</text>" in puzzle.svg(cover) for letter in "ABC")
    [puzzle] = read("board\n##AA\n####\n\npieces\nAA\n\nBB\n\nCC\nCC\n")
    assert {letter for cover in puzzle.solutions() for letter in puzzle.text(cover)} >= {*"ABC"}
    assert puzzle.count() == 1


def test_adjacent_copies_of_a_piece_are_told_apart():
    [puzzle] = read("board\naa##\n####\n\n3 x\n##\n")
    for solution in puzzle.solutions():
        letters = Counter("".join(puzzle.text(solution).split()))
        assert letters.pop("a") == 2
        assert [*letters.values()] == [2, 2, 2]


def test_equal_pieces_are_not_distinguished():
    counts = [next(read(f"2x4\n{pieces}\n")).count() for pieces in ("O2", "O O", "2 x\n##\n##")]
    assert counts == [1, 1, 1]
    assert next(read("2x3\n## ##\n\n#\n#\n")).count() == 3


def test_the_sizes_are_compared_at_once():
    with pytest.raises(FormatError, match="<text>:1: the pieces have 12 cells, the board has 8"):
        next(read("2x4\nO3\n"))
    with pytest.raises(FormatError, match="the pieces have 4 cells, the board has 5"):
        next(read("#..\n...\n\n##\n##\n"))


def test_cells_to_fill_differ_from_those_outside_the_board():
    [puzzle] = read("board\n##..\n.A#.\n...#\n\n2 x\n##\n#\n\nB\n")
    assert puzzle.text([]).splitlines() == ["    . .", ". A   .", ". . ."]
    assert puzzle.text(puzzle.first()).splitlines()[0].startswith(". . ")


def test_pieces_on_the_board_are_placed():
    [puzzle] = read("board\nAA.\nA..\n...\n\npieces\nAA\nA\n\nB B B\n\nCC\n.C\n")
    assert puzzle.count() == 2
    assert puzzle.text(puzzle.first()) == "A A B\nA C B\nC C B"
    parse_picture(puzzle.svg(puzzle.first()))


def test_boards_and_pieces_may_have_layers():
    soma = (
        "##|#.\n#.|..",
        "##|.#\n..|.#",
        "##|..\n.#|.#",
        "###\n#..",
        "###\n.#.",
        "##.\n.##",
        "##\n#.",
    )
    [puzzle] = read("3x3x3\n\n" + "\n\n".join(soma) + "\n")
    assert puzzle.statement.view.lattice == "cubes"
    assert len(puzzle.first()) == 7
    with pytest.raises(FormatError, match="<text>:3: a piece has layers, and the board has none"):
        next(read("2x2\n\n##|##\n"))


@pytest.mark.parametrize(
    "text", ["a b\n\na\nb\n", "5x8\n1 2 3\n", "# title\n\ntext\n", "#.#\n.#.\n", "101\n\n010\n"]
)
def test_other_texts_are_not_recognized(text):
    assert not recognize(text)


def test_the_kind_is_named():
    assert read_any(named_stream(b"2x2\nO\n", "own")).kind == "pieces"


@pytest.mark.parametrize(
    ("text", "drawing"),
    [
        (
            "AA  B   CC\nA   BB  CC\n    B\n\n....\n....\n...\n",
            "A A C C\nA B C C\nB B B",
        ),
        ("XX\nX\n\n#.\n##\n", "X .\nX X"),
    ],
)
def test_a_board_may_be_the_last_drawing(text, drawing):
    [puzzle] = read(text)
    assert puzzle.text(puzzle.first()) == drawing


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XX\nX\n\n##.\n##.\n#.#\n...\n\n", "the pieces have 3 cells, the board has 6"),
        ("XX\nX\n\n##.\n#..\n", "the cells '#' and the cells '.'"),
    ],
)
def test_a_last_drawing_without_one_reading(text, reason):
    with pytest.raises(FormatError, match=reason):
        list(read(text))


def test_places_outside_the_board_are_drawn_as_they_are_stated():
    board, pieces = "board\n ##\n#  #\n#  #\n ##\n", "\n##\n\n##\n\n##\n\n##\n"
    for outside in (" ", "-"):
        text = board.replace(" ", outside) + pieces
        [puzzle] = read(text)
        drawn = puzzle.text(puzzle.first()).splitlines()
        assert [len(set(line) - {" ", "."}) for line in drawn] == [1, 2, 2, 1]
        assert [line.count(".") for line in drawn] == ([0] * 4 if outside == " " else [2] * 4)
        assert drawn[1][2:5].strip() == ("" if outside == " " else ". .")


@pytest.mark.parametrize(
    "text",
    [
        "5X8\nI2 O2 T2 L J S Z\n",
        "5x8\r\nI: 2\r\nO: 2\r\nT: 2\r\nL: 1\r\nJ: 1\r\nS: 1\r\nZ: 1\r\n",
        "5x8\n\nI2\n\nO2 T2\n\nL J S Z\n",
        "5x8\nIIOOTTLJSZ\n",
        "XXXXXXXX\n" * 5 + "\nIIOOTTLJSZ\n",
        "XXXXXXXX\n" * 5 + "\nI I O O T T L J S Z\n",
    ],
)
def test_letters_on_several_lines_are_one_set(text):
    """J and L, and S and Z, are different pieces, so none is turned over."""
    [puzzle] = read(text)
    assert puzzle.count() == 740


def test_pieces_may_have_labels_and_tabs():
    drawn = "##\n#\n\n##\n #\n\n##\n"
    expected = [puzzle.count() for puzzle in dlx.read(f"2x4\n\n{drawn}")]
    labeled = "Board: 2x4\nPieces:\n\n\t##\n\t#\n\n\t##\n\t #\n\nI:\n##\n"
    [puzzle] = dlx.read(labeled)
    assert [puzzle.count()] == expected
    assert "I" in puzzle.text(puzzle.first())
    assert [each.count() for each in dlx.read("board: 5x8\npieces: I2 O2 T2 L J S Z\n")] == [740]
    for board in ("Board: 2x3", "board 2x3", "board\n2x3"):
        assert next(read(f"{board}\n\n##\n#\n\n##\n #\n")).count() == 2


def test_a_board_without_cells_is_an_error():
    with pytest.raises(FormatError, match="the board has no cells to fill"):
        [*read("2\n1\n1\n 2\n}\n0\n#\n1\n1\n", "pieces")]


def test_the_size_of_a_board_may_have_a_space():
    text = "2 4\n\nAA\nA.\n\nBBB\n\nCC\n"
    assert recognize(text)
    assert next(read(text)).count() == next(read("2x4" + text[3:])).count() > 0
    assert next(read(text.replace("\n", "\r\n"))).count() == next(read(text)).count()
    for other in (text.replace("4", "5"), "3 3\nAAB\nACB\nCCB\n", "3 2\n1 1\n1\n\n1 2\n"):
        assert not recognize(other)


@pytest.mark.parametrize(
    ("shapes", "options"),
    [
        ("(0,0) (0,1) (1,0)\n(0,0) (0,1)\n(0,0) (1,0)\n", "(0,0) (0,1)\n(0,0) (0,1)\n(0,1)\n"),
        ("A = {(0, 0), (0, 1)}\nB = {(0, 1), (1, 0)}\n", "A = {(0, 0), (0, 1)}\nB = {(1, 0)}\n"),
    ],
)
def test_cells_of_pieces_could_be_options(shapes, options):
    with pytest.raises(AmbiguousError, match="could be options, or pieces that can be moved"):
        read_any(named_stream(shapes.encode(), "file"))
    assert read_any(named_stream(shapes.encode(), "file"), "cover").kind == "cover"
    assert read_any(named_stream(options.encode(), "file")).kind == "cover"
