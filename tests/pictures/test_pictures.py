"""Pictures: well-formed SVG, and the colors that pages share."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.pictures import palette
from dlx_numba.pictures.areas import Blocks, Mosaic
from dlx_numba.pictures.board import sudoku_picture
from dlx_numba.pictures.book import Book
from dlx_numba.pictures.filling import Pieces
from dlx_numba.pictures.grid import Grid
from dlx_numba.pictures.matrix import matrix_picture
from dlx_numba.pictures.plane import CELL_PIXELS
from dlx_numba.pictures.sheet import html_sheet
from dlx_numba.pictures.timetable import Bar, Timetable
from dlx_numba.puzzles.variants.constraints import FLAGS
from dlx_numba.puzzles.variants.rules import SudokuRules
from tests.helpers import ROOT
from tests.helpers.pictures import elements, parse_picture, texts_of
from tests.helpers.variants import CHECKED, HEADED


def test_pictures_of_the_documentation_are_small_and_well_formed():
    for path in (ROOT / "docs" / "images").rglob("*.svg"):
        text = path.read_text(encoding="utf-8")
        parse_picture(text)
        assert len(text) < 100_000


def test_each_layer_of_cubes_has_a_number_and_the_letters_of_its_pieces():
    bar = [((layer, 1, 1), "I") for layer in (1, 2)]
    grid = Pieces("bar", [bar, [((1, 1, 2), "O")]], lattice="cubes")
    texts = texts_of(parse_picture(grid.svg([0, 1])))
    assert sorted(texts) == ["1", "2", *"III", *"OO"]  # the last one of each is seen from above
    texts = texts_of(parse_picture(grid.challenge([0], [0, 1])))
    assert sorted(texts) == ["1", "2", *"III", "O"]


def test_pictures_without_cells_or_colors_are_drawn():
    assert Blocks("Nothing", ()).text([]) == ""
    mosaic = Mosaic("M", [(((1, 1), "a"),)], givens=[((1, 2), "b")])
    parse_picture(mosaic.svg([0]))
    pieces = Pieces("P", [(((1, 1), "A"),)], givens=[((1, 2), "1")])
    assert pieces.text_of_part([0, 1]) == "A 1"


def test_challenges_show_the_holes_of_the_board():
    ring = [((r, c), "A") for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    for marks, n_holes in ((ring, 1), (ring[1:], 1), (ring[:4] + ring[5:], 0)):
        picture = Pieces("Ring", [marks]).svg([])
        assert picture.count('class="shade"') == n_holes
        assert picture.count('class="rule"') == 1
        assert Pieces("Ring", [marks]).svg([0]).count('class="shade"') == n_holes


def test_a_challenge_ignores_options_without_cells():
    grid = Pieces("dominoes", [[((0, 0), "A"), ((0, 1), "A")], [], [((1, 0), "B"), ((1, 1), "B")]])
    texts = texts_of(parse_picture(grid.challenge([0], [0, 1, 2])))
    assert sorted(texts) == ["A", "B"]


def test_the_first_words_that_match_a_name_are_used():
    words = ("a,1", "first"), ("a,.", "pattern"), ("a,2", "late"), ("a,1", "again")
    grid = Grid("", words=words)
    assert [grid.words_for(name) for name in ("a,1", "a,2", "a,3", "b,1")] == [
        ("first",),
        ("pattern",),
        ("pattern",),
        (),
    ]


def test_many_layers_are_below_each_other_without_their_margins():
    rows = {1: 1, 2: 2, 3: 5}  # of each layer
    marks = [tuple(((z, r, c), "ABC"[z - 1]) for c in range(24)) for z, r in rows.items()]
    grid = Pieces("bars", marks, lattice="cubes")
    bars, dots = {letter: " ".join(24 * letter) for letter in "ABC"}, " ".join(24 * ".")
    first, second = f"{bars['A']}   {dots}", f"{dots}   {bars['B']}"
    assert grid.text(range(3)).split("\n") == [first, second, "", bars["C"]]
    assert [grid.outline((z, r, 0))[0] for z, r in rows.items()] == [(0, 0), (25, 1), (0, 3)]
    parse_picture(grid.svg(range(3)))
    beside = Pieces("bars", marks[:2], lattice="cubes")
    assert beside.text(range(2)).split("\n") == [first, second]


def test_bands_that_are_shifted_alike_have_their_own_columns():
    cells = [(1, 1, 1), (1, 1, 2), (2, 3, 60), (2, 3, 61)]
    grid = Grid("Two bands", cells=cells, lattice="cubes")
    assert grid.text([]).split("\n") == [". .", "", " " * 118 + ". ."]


def test_pieces_without_more_than_the_blank_text_are_empty_cells():
    marks = [(((0, 0), "A"), ((0, 1), "A")), (((1, 0), "."),), (((1, 1), "."),)]
    grid = Pieces("A domino", marks)
    assert grid.text(range(3)) == "A A\n. ."
    assert "1 piece: A." in grid.svg(range(3))
    assert grid.text(range(3), lambda text, color: f"<{text}>").count("<") == 3  # also between


def test_matrix():
    rows = [[(0, "1"), (2, "x")], [(1, "1")]]
    root = parse_picture(matrix_picture("<two>", ["a", "b&b", "s"], 2, rows, chosen=[1]))
    assert root.find("{*}title").text == "<two>"
    assert root.find("{*}desc").text.endswith(" Marked options: 1.")
    assert [len(elements(root, "rect", kind=kind)) for kind in ("one", "mark")] == [2, 1]
    assert {"b&b", "✓ 1", "x"} <= set(texts_of(root))


def test_matrix_with_too_many_entries():
    with pytest.raises(ValueError, match="20,100 entries are too many"):
        matrix_picture("large", ["a"], 1, [[(0, "1")]] * 20_100)


@pytest.mark.parametrize("name", sorted(CHECKED - {"negative"}))
def test_each_rule_of_setters_is_drawn_and_stated(name):
    entry: object = [0, 1, 2]
    if name in ("odd", "even", "minimum", "maximum"):
        entry = 5
    elif name in HEADED:
        entry = ([3] if name == "quadruples" else 3, [0, 1, 2, 3])
    elif name == "indexers":
        entry = ("row", [0])
    rules = SudokuRules(**{name: [entry]})
    plain, ruled = (sudoku_picture("four", "." * 16, 2, 2, rules=r) for r in ({}, rules.stated()))
    assert str(plain) != str(ruled)
    assert len(rules.sentences()) == 1


def test_the_number_of_a_line_of_whispers_is_drawn():
    rules = SudokuRules(whispers=[(None, [0, 1]), (3, [4, 5])])
    assert texts_of(parse_picture(sudoku_picture("a", "." * 16, 2, 2, rules=rules.stated()))) == [
        "3"
    ]


def test_entries_of_rules_without_cells_draw_nothing():
    lines = ("palindromes", "renban", "region_sum_lines", "slow_thermometers", "thermometers")
    empty = {name: [[]] for name in lines}
    rules = SudokuRules(**empty, cages=[(None, [])], whispers=[(None, [])])
    plain, ruled = (sudoku_picture("four", "." * 16, 2, 2, rules=r) for r in ({}, rules.stated()))
    assert plain == ruled
    assert SudokuRules(**empty).exact_cover("2x2").count() == 288


def test_all_rules_are_drawn_or_stated():
    rules = SudokuRules(
        **dict.fromkeys(FLAGS, True),
        regions="1122" * 2 + "3344" * 2,
        extra_regions=[[0, 5]],
        less_than=[(0, 1), (0, 15)],
        thermometers=[[0, 1, 5]],
        differences=[(0, 1, 1), (1, 2, 3)],
        ratios=[(4, 5, 2), (5, 6, 3)],
        sums=[(8, 9, 17)],
        clones=[[0, 15], [1, 14]],
        cages=[(15, [0, 1, 4]), (None, [2, 3])],
        arrows=[[12, 13, 9]],
        little_killers=[(20, [3, 6, 9, 12])],
    )
    assert len(rules.sentences()) == len(rules.stated()) == 17
    plain, ruled = (sudoku_picture("four", "." * 16, 2, 2, rules=r) for r in (None, rules.stated()))
    root = parse_picture(ruled)
    assert sorted(texts_of(root)) == ["15", "17", "20", "3", "3", "A", "A", "B", "B"]
    assert len(elements(root, "circle")) == 5
    dashed = [path.get("d") for path in root.iter() if path.get("stroke-dasharray")]
    # Two cages, a diagonal, and a pair far apart
    assert [path.count("M") for path in dashed] == [8, 6, 1, 1]
    jigsaw = SudokuRules(regions="1111222233334444").stated()
    assert sudoku_picture("four", "." * 16, 2, 2, rules=jigsaw) != plain


def test_sudoku_board_has_lines_between_its_boxes():
    root = parse_picture(sudoku_picture("six", "1" + 35 * ".", box_rows=2, box_columns=3))
    frame, rules = elements(root, "path", kind="rule")
    assert frame.get("d") == "M0 0L240 0L240 240L0 240z"
    sides = [re.findall(r"\d+", side) for side in rules.get("d").split("M")[1:]]
    vertical = [int(x) for x, _, end, _ in sides if x == end]
    horizontal = [int(y) for _, y, _, end in sides if y == end]
    assert sorted(vertical) == 6 * [3 * CELL_PIXELS]
    assert sorted(horizontal) == 6 * [2 * CELL_PIXELS] + 6 * [4 * CELL_PIXELS]


def test_board_escapes_texts_and_distinguishes_givens():
    marks = ((0, 0), "<&>"), ((1, 1), "y")
    grid = Grid("a < b", (marks,), ((0, 1),), givens=(((1, 0), "x"),), shaded=((1, 1),))
    root = parse_picture(grid.svg([0]))
    assert root.find("{*}title").text == "a < b"
    texts = [(text.text, text.get("class")) for text in elements(root, "text")]
    assert texts == [("<&>", "one"), ("x", "strong"), ("y", "one")]
    [shade] = elements(root, "path", kind="shade")
    assert shade.get("d") == "M40 40L80 40L80 80L40 80z"


def test_characters_that_xml_excludes_are_replaced():
    items = ["a\0", "b\x1f<", "\ud800", "\uffff", "\U0001f600é"]
    text = matrix_picture("a \x0b title", items, 5, [[(0, "1")], [(4, "\x7f")]])
    root = parse_picture(text)
    assert root.find("{*}title").text == "a \ufffd title"
    assert {"a\ufffd", "b\ufffd<", "\ufffd", "\U0001f600é"} <= set(texts_of(root))


def test_legend_and_axes_of_a_timetable():
    """Each color that a bar has is explained, inside the picture; axes can be named."""
    bars = ((Bar(0, 0, 1, "a", 2), Bar(0, 1, 2, "b", 5)),)
    legend = {2: "a long explanation of the first color", 5: "second"}
    times = tuple(enumerate(["8", "9", "10"]))
    unnamed, named = (
        parse_picture(Timetable("day", bars, ("1",), times, tuple(legend.items()), axes).svg([0]))
        for axes in (("", ""), ("crew", "hour"))
    )
    assert float(unnamed.get("height")) < float(named.get("height"))
    fills = [path.get("fill") for path in elements(named, "path", kind="edge")]
    assert fills == 2 * [palette.COLORS[2], palette.COLORS[5]]
    texts = elements(named, "text")
    x, y = ({text.text: float(text.get(name)) for text in texts} for name in "xy")
    assert y["hour"] == y["crew"] < y["8"] < y[legend[2]] < y["second"]  # narrow: one per line
    assert x["crew"] == x["1"]
    [group] = elements(named, "g")
    left, top = map(float, re.findall(r"[-.\d]+", group.get("transform")))
    assert left + x[legend[2]] < float(named.get("width"))
    assert top + y["second"] < float(named.get("height"))


def test_variables_of_pages_have_a_light_and_a_dark_value():
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", palette.page_style())
    assert {name: (light, dark) for name, light, dark in found} == palette.TOKENS


def test_style_sheet_of_the_page_uses_known_variables():
    style = (ROOT / "dlx_numba" / "explain" / "web" / "page.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\(--([\w-]+)", style))
    assert used <= {*palette.LIGHT, *re.findall(r"--([\w-]+):", style)}


def test_descriptions_of_boards_have_the_right_article():
    for n, article in ((4, "A"), (8, "An"), (11, "An"), (12, "A")):
        cells = tuple((r, c) for r in range(n) for c in range(2))
        root = parse_picture(Grid("board", cells=cells).svg([]))
        assert root.find("{*}desc").text == f"{article} {n}×2 board."


def test_a_grid_has_marks_for_each_option_or_none():
    options = [["a"], ["b"]]
    with pytest.raises(ValueError, match="marks for 1 option, and the problem has 2"):
        dlx.ExactCover(options, view=Grid("", ((((1, 1), "a"),),)))
    for marks in ((), ((), ())):
        problem = dlx.ExactCover(options, view=Grid("", marks))
        assert "A 0×0 board" in problem.svg()
        assert "<desc" in problem.first().svg()


def test_printed_pages_of_puzzles_and_solutions_are_full():
    book = Book(per_page=4)
    board = Grid("A board", cells=[(r, c) for r in range(9) for c in range(10)]).svg([])
    for _ in range(4):
        book.add(board, board)
    assert "--height: 120mm" in book.document()
    assert "--columns: 2;" in html_sheet("Boards", [("", board)] * 3)
    small = Grid("A cell", cells=[(0, 0)]).svg([])
    assert "--columns: 9;" in html_sheet("Cells", [("", small)] * 3)
