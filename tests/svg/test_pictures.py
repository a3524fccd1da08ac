"""Pictures: well-formed SVG, and the colors that pages share."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from dlx_numba.gallery import Knight
from dlx_numba.svg import palette
from dlx_numba.svg.board import board_picture, sudoku_picture
from dlx_numba.svg.matrix import matrix_picture
from dlx_numba.svg.plane import CELL_PIXELS
from dlx_numba.svg.times import Distribution, times_picture
from dlx_numba.svg.timetable import Bar, timetable_picture
from dlx_numba.variants.constraints import FLAGS
from dlx_numba.variants.rules import SudokuRules
from tests.helpers import ROOT

SVG = "{http://www.w3.org/2000/svg}"


def parse(text):
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    return root


def test_pictures_of_the_documentation_are_small_and_well_formed():
    for path in (ROOT / "docs" / "images").rglob("*.svg"):
        text = path.read_text(encoding="utf-8")
        parse(text)
        assert len(text) < 100_000


def test_matrix():
    rows = [[(0, "1"), (2, "x")], [(1, "1")]]
    root = parse(matrix_picture("<two>", ["a", "b&b", "s"], 2, rows, chosen=[1]))
    assert root.find(f"{SVG}title").text == "<two>"
    entries = [r for r in root.iter(f"{SVG}rect") if r.get("class") in ("one", "mark")]
    assert [r.get("class") for r in entries] == ["one", "one", "mark"]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"b&b", "✓ 1", "x"} <= set(texts)


def test_matrix_with_too_many_entries():
    rows = [[(item, "1") for item in range(100)]] * 201
    with pytest.raises(ValueError, match="20,100 entries are too many"):
        matrix_picture("large", [str(k) for k in range(100)], 100, rows)


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
    texts = [text.text for text in parse(ruled).iter(f"{SVG}text")]
    assert sorted(texts) == ["15", "17", "20", "3", "3", "A", "A", "B", "B"]
    assert len(list(parse(ruled).iter(f"{SVG}circle"))) == 5
    dashed = [path.get("d") for path in parse(ruled).iter() if path.get("stroke-dasharray")]
    # Two cages, a diagonal, and a pair far apart
    assert [path.count("M") for path in dashed] == [8, 6, 1, 1]
    jigsaw = SudokuRules(regions="1111222233334444").stated()
    assert sudoku_picture("four", "." * 16, 2, 2, rules=jigsaw) != plain


def test_sudoku_board_has_lines_between_its_boxes():
    root = parse(sudoku_picture("six", "1" + 35 * ".", box_rows=2, box_columns=3))
    frame, rules = (path for path in root.iter(f"{SVG}path") if path.get("class") == "rule")
    assert frame.get("d") == "M0 0L240 0L240 240L0 240z"
    sides = [re.findall(r"\d+", side) for side in rules.get("d").split("M")[1:]]
    vertical = [int(x) for x, _, end, _ in sides if x == end]
    horizontal = [int(y) for _, y, _, end in sides if y == end]
    assert sorted(vertical) == 6 * [3 * CELL_PIXELS]
    assert sorted(horizontal) == 6 * [2 * CELL_PIXELS] + 6 * [4 * CELL_PIXELS]


def test_board_escapes_texts_and_distinguishes_givens():
    board = board_picture(
        "a < b", "two", [["<&>", ""], ["x", "y"]], shaded={(1, 1)}, given={(1, 0)}
    )
    root = parse(board)
    assert root.find(f"{SVG}title").text == "a < b"
    texts = [(text.text, text.get("class")) for text in root.iter(f"{SVG}text")]
    assert texts == [("<&>", "one"), ("x", "strong"), ("y", "one")]
    shaded = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == "shade"]
    assert shaded == ["M40 40L80 40L80 80L40 80z"]


def test_characters_that_xml_excludes_are_replaced():
    items = ["a\0", "b\x1f<", "\ud800", "\uffff", "\U0001f600é"]
    text = matrix_picture("a \x0b title", items, 5, [[(0, "1")], [(4, "\x7f")]])
    root = parse(text)
    assert root.find(f"{SVG}title").text == "a \ufffd title"
    labels = {element.text for element in root.iter(f"{SVG}text")}
    assert {"a\ufffd", "b\ufffd<", "\ufffd", "\U0001f600é"} <= labels


def test_times():
    groups = [
        ("easy", [Distribution("dlx", np.array([1e-5, 2e-5, 3e-5, 0.0])),
                  Distribution("naive", np.array([]), "not measured")]),
        ("hard", [Distribution("dlx", np.array([0.5]), "1 of 2 boards")]),
    ]  # fmt: skip
    root = parse(times_picture("times", groups))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"15 µs", "500 ms *", "not measured", "* 1 of 2 boards", "1 s", "100 ns"} <= set(texts)
    assert len(list(root.iter(f"{SVG}polygon"))) == 2
    with pytest.raises(ValueError, match="no times"):
        times_picture("times", [("easy", [Distribution("naive", np.array([]))])])


def test_legend_and_axes_of_a_timetable():
    """Each color that a bar has is explained, inside the picture; axes can be named."""
    bars = [Bar(0, 0, 1, "a", 2), Bar(0, 1, 2, "b", 5)]
    legend = {2: "a long explanation of the first color", 5: "second"}
    pictures = [
        parse(timetable_picture("day", ["1"], ["8", "9", "10"], bars, legend=legend, axes=axes))
        for axes in (("", ""), ("crew", "hour"))
    ]
    unnamed, named = pictures
    assert float(unnamed.get("height")) < float(named.get("height"))
    fills = [path.get("fill") for path in named.iter(f"{SVG}path") if path.get("class") == "edge"]
    assert fills == 2 * [palette.COLORS[2], palette.COLORS[5]]
    x, y = (
        {text.text: float(text.get(name)) for text in named.iter(f"{SVG}text")} for name in "xy"
    )
    assert y["hour"] == y["crew"] < y["8"] < y[legend[2]] < y["second"]  # narrow: one per line
    assert x["crew"] == x["1"]
    [shift] = [group.get("transform") for group in named.iter(f"{SVG}g")]
    left, top = map(float, re.findall(r"[-.\d]+", shift))
    assert left + x[legend[2]] < float(named.get("width"))
    assert top + y["second"] < float(named.get("height"))


def test_knights_tour_marks_its_start_and_end():
    entry = Knight(3, 4)
    [solution] = entry.cover().solve(1)
    root = parse(entry.svg(solution))
    marks = {text.text: text for text in root.iter(f"{SVG}text")}
    path = entry.path(solution)
    for letter, (row, column) in {"S": path[0], "E": path[-1]}.items():
        center = CELL_PIXELS * (column - 0.5), CELL_PIXELS * (row - 0.5)
        assert (float(marks[letter].get("x")), float(marks[letter].get("y"))) == center


def test_css_variables_have_a_light_and_a_dark_value():
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", palette.css_variables())
    assert {name: (light, dark) for name, light, dark in found} == palette.TOKENS


def test_style_sheet_of_the_page_uses_known_variables():
    style = (ROOT / "dlx_numba" / "explain" / "web" / "page.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\(--([\w-]+)", style))
    assert used <= {*palette.LIGHT, *re.findall(r"--([\w-]+):", style)}
