"""Queens, tours, words, squares and matchings: checks of solutions by definition."""

import json
from collections import defaultdict
from itertools import chain, islice, pairwise, permutations, product

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.kind import load_kind
from dlx_numba.puzzles.logic.words import EXAMPLE
from tests.helpers.pictures import elements, parse_picture, texts_of
from tests.helpers.puzzles import parse_one, parse_text

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python


def split_cells(text):
    return [line.split() for line in text.splitlines()]


def test_closed_tour_returns_to_the_corner():
    knight = dlx.example("knight", rows=6, columns=6, closed=True)
    steps = split_cells(knight.text(knight.first()))
    at = {int(steps[r][c]): (r, c) for r, c in product(range(6), repeat=2)}
    path = [at[k] for k in range(1, 37)]
    assert path[0] == (0, 0)
    for (r, c), (i, j) in pairwise([*path, path[0]]):
        assert sorted((abs(r - i), abs(c - j))) == [1, 2]


def test_picture_of_a_tour_has_its_ends():
    knight = dlx.example("knight", rows=3, columns=4)
    root = parse_picture(knight.svg(knight.first()))
    assert sorted(texts_of(root)) == ["E", "S"]
    assert len(elements(root, "circle")) == 2


def test_sudoku_with_givens_agrees_with_the_solver():
    givens = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    sudoku = dlx.example("sudoku", givens=givens)
    [solution] = sudoku.cover().solve(limit=2)
    solved = dlx.solve_sudoku(dlx.Board(givens))
    assert sudoku.text(solution) == str(solved)


def test_mates_are_orthogonal():
    mates = dlx.example("mates")
    pairs = split_cells(mates.text(mates.first()))
    assert len({pair for row in pairs for pair in row}) == 100
    for line in [*pairs, *zip(*pairs, strict=True)]:
        assert len({a for a, _ in line}) == len({b for _, b in line}) == 10


def test_all_words_are_in_the_grid():
    puzzle = dlx.example("words")
    grid = [line.ljust(17)[::2] for line in puzzle.text(puzzle.first()).splitlines()]
    lines = defaultdict(str)  # rows, columns and diagonals, read in both directions
    for r, c in product(range(7), range(9)):
        for line in (("row", r), ("column", c), ("down", r - c), ("up", r + c)):
            lines[line] += grid[r][c]
    texts = " ".join([*lines.values(), *(text[::-1] for text in lines.values())])
    assert all(word in texts for word in EXAMPLE.split(","))


@pytest.mark.parametrize("separator", ["", " "])
def test_word_searches_are_read(separator):
    rows = ["catso", "kolmx", "taogb", "uewiw"]
    drawing = "\n".join(separator.join(row) for row in rows)
    puzzle = parse_one(f"{drawing}\n\ncat, LOK\ngoat\n", "words")
    [solution] = puzzle.solutions()
    assert puzzle.text(solution) == "C A T s o\nK O L m x\nT A O G b\nu e w i w"
    letters = texts_of(parse_picture(puzzle.svg(solution)))
    assert sorted(letters) == sorted("".join(rows).upper())


def test_word_search_with_open_cells():
    """All placements of two words on four cells, of which one has a letter."""
    pairs = [*permutations(product(range(2), repeat=2), 2)]
    letters = [
        {a: "N", b: "O"}.items() | {c: "O", d: "N"}.items()
        for (a, b), (c, d) in product(pairs, repeat=2)
    ]
    expected = sum(
        len(dict(each | {((1, 1), "O")})) == len(each | {((1, 1), "O")}) for each in letters
    )
    puzzle = parse_one("..\n.O\n\nNO ON", "words")
    assert puzzle.count() == expected


BAD_SEARCHES = {
    "abc\nab\n\nab": r"<text>:2: rows of the grid must have the same number of letters",
    "abc\nab1\n\nab": r"<text>:2: rows of the grid must have",
    "abc\na bc\n\nab": r"<text>:2: rows of the grid must have",
    "abc\nabc\n": r"<text>:1: there are no words after the grid",
    "abc\nabc\n\nab\nab": r"<text>:1: word AB appears twice",
    '{"grid": ["abc"], "words": []}': r"<text>:1: expected a grid and words",
    '{"grid": ["abc", "ab"], "words": ["ab"]}': r"<text>:1: rows of the grid must have",
    '{"grid": [["a", 1]], "words": ["a"]}': r"<text>:1: rows of the grid must have",
}


def test_words_may_be_those_of_a_json_object():
    expected = parse_one("DOGA\nCXTA\nAXXX\n\nDOG\nCAT\n", "words")
    for grid in (["DOGA", "CXTA", "AXXX"], [[*"DOGA"], [*"CXTA"], [*"AXXX"]]):
        text = json.dumps({"grid": grid, "words": ["DOG", "CAT"]})
        assert parse_one(text, "words").count() == expected.count()
        assert len(parse_text(f"[{text}, {text}]", "words")) == 2


@pytest.mark.parametrize("text", BAD_SEARCHES)
def test_errors_in_word_searches(text):
    with pytest.raises(ValueError, match=BAD_SEARCHES[text]):
        parse_one(text, "words")


def test_word_searches_with_too_many_placements_are_refused(monkeypatch):
    monkeypatch.setattr(load_kind("words"), "MAX_PLACEMENTS", 10_000)
    words = "\n".join(f"{a}{b}CDEFGH" for a, b in permutations("IJKLMNO", 2))
    with pytest.raises(ValueError, match="the words have more than 10,000 placements"):
        parse_one("\n".join(["." * 50] * 50) + f"\n\n{words}", "words")


@pytest.mark.slow
def test_many_words_are_sought_in_a_large_grid():
    words = "\n".join("".join(letters) for letters in islice(permutations("ABCDEFGHI"), 4000))
    puzzle = parse_one("\n".join(["A" * 100] * 100) + f"\n\n{words}", "words")
    assert puzzle.count() == 0


@pytest.mark.parametrize("graph", ["K8", "K3,3", "3x4"])
def test_matching_has_each_vertex_once(graph):
    matchings = dlx.example("matchings", graph=graph)
    solution = matchings.cover(choose="random", seed=2).first()
    pairs = [pair.split("-") for pair in matchings.text(solution).split()]
    assert sorted(chain.from_iterable(pairs)) == sorted(matchings.statement.items)
    assert matchings.svg(solution).count("<circle") == 2 * len(pairs)


@pytest.mark.parametrize(
    ("kind", "parameter"), [("partitions", {"n": 1}), ("matchings", {"graph": "K2"})]
)
def test_smallest_problems_are_drawn(kind, parameter):
    puzzle = dlx.example(kind, **parameter)
    assert "nan" not in puzzle.svg([0])
    assert puzzle.text([0])


def test_points_that_no_option_joins_are_drawn():
    root = parse_picture(dlx.example("matchings", graph="2x2").svg([0]))
    assert texts_of(root) == ["1", "2", "3", "4"]
    assert len(elements(root, "circle", "edge")) == len(elements(root, "circle", "paper wire")) == 2


def test_rules_separate_the_boxes_of_a_text():
    for box, n_rules in (("2x2", 1), ("3x2", 1), ("3x3", 2)):
        sudoku = dlx.example("sudoku", box=box)
        lines = sudoku.text(sudoku.first()).splitlines()
        assert sum(set(line) <= {*"-|"} for line in lines) == n_rules
    jigsaw = dlx.example("sudoku", box="2x2", regions="AABBACBBACCDCDDD")
    assert len(jigsaw.text(jigsaw.first())) == 31
