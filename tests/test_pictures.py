"""Pictures are well-formed, small, and those of the README are what the script draws."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from dlx_numba.box import Box
from dlx_numba.pictures.board import board_picture
from dlx_numba.pictures.matrix import matrix_picture
from dlx_numba.pictures.times import Distribution, times_picture

ROOT = Path(__file__).parents[1]
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
    assert sorted(path.stem for path in FOLDER.glob("*.svg")) == sorted(drawn)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, text in drawn.items():
        parse(text)
        assert len(text) < 100_000
        assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == text
        assert f"(data/pictures/{name}.svg)" in readme or f'"data/pictures/{name}.svg"' in readme


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
    box = Box(2, 3)
    root = parse(board_picture("six", ["1"] + [""] * 35, box))
    rules = [line for line in root.iter(f"{SVG}line") if line.get("class") == "rule"]
    upright = sorted(float(line.get("x1")) for line in rules if line.get("x1") == line.get("x2"))
    flat = sorted(float(line.get("y1")) for line in rules if line.get("y1") == line.get("y2"))
    assert upright == [8, 8 + 3 * 36, 8 + 6 * 36]
    assert flat == [8, 8 + 2 * 36, 8 + 4 * 36, 8 + 6 * 36]


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
