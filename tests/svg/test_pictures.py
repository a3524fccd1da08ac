"""Pictures are well-formed, small, and those of the README are what the script draws."""

import re
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from dlx_numba.sudoku.box import Box
from dlx_numba.svg.board import board_picture, sudoku_picture
from dlx_numba.svg.matrix import matrix_picture
from dlx_numba.svg.plane import SIDE
from dlx_numba.svg.times import Distribution, times_picture
from tests.helpers import ROOT

SVG = "{http://www.w3.org/2000/svg}"


def parse(text):
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    return root


def test_the_pictures_of_the_readme_are_up_to_date(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts"), *sys.path])
    from draw_pictures import FOLDER, pictures

    drawn = pictures()
    assert drawn.keys() == {
        path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.svg")
    } - {"benchmark"}
    for name, text in drawn.items():
        parse(text)
        assert len(text) < 100_000
        assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == text


def test_a_matrix():
    rows = [[(0, "1"), (2, "x")], [(1, "1")]]
    root = parse(matrix_picture("<two>", ["a", "b&b", "s"], 2, rows, chosen=[1]))
    assert root.find(f"{SVG}title").text == "<two>"
    marked = [r for r in root.iter(f"{SVG}rect") if r.get("class") in ("one", "mark")]
    assert [r.get("class") for r in marked] == ["one", "one", "mark"]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"b&b", "✓ 1", "x"} <= set(texts)


def test_a_matrix_that_is_too_large():
    rows = [[(item, "1") for item in range(100)]] * 201
    with pytest.raises(ValueError, match="20,100 entries are too many"):
        matrix_picture("large", [str(k) for k in range(100)], 100, rows)


def test_a_board_has_rules_between_its_boxes():
    root = parse(sudoku_picture("six", "1" + 35 * ".", Box(2, 3)))
    frame, rules = (path for path in root.iter(f"{SVG}path") if path.get("class") == "rule")
    assert frame.get("d") == "M0 0L240 0L240 240L0 240z"
    sides = [re.findall(r"\d+", side) for side in rules.get("d").split("M")[1:]]
    upright = [int(x) for x, _, end, _ in sides if x == end]
    flat = [int(y) for _, y, _, end in sides if y == end]
    assert sorted(upright) == 6 * [3 * SIDE]
    assert sorted(flat) == 6 * [2 * SIDE] + 6 * [4 * SIDE]


def test_a_board_escapes_its_words_and_tells_those_given():
    board = board_picture(
        "a < b", "two", [["<&>", ""], ["x", "y"]], shaded={(1, 1)}, given={(1, 0)}
    )
    root = parse(board)
    assert root.find(f"{SVG}title").text == "a < b"
    texts = [(text.text, text.get("class")) for text in root.iter(f"{SVG}text")]
    assert texts == [("<&>", "one"), ("x", "strong"), ("y", "one")]
    bands = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == "band"]
    assert bands == ["M40 40L80 40L80 80L40 80z"]


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
