"""Chips that fill a board apart from a few cells."""

import json

import pytest

from dlx_numba.kinds.reading import read
from dlx_numba.runtime.errors import FormatError, MissingFileError

CHIPS = [
    {"class": 2, "name": "I", "map": ["11"]},
    {"class": 3, "name": "V", "map": ["10", "11"]},
    {"class": 4, "name": "O", "map": ["11", "11"]},
]
BOARD = {"name": "small", "chips": [2, 3], "optional": 1, "map": ["001", "000"]}


def test_chips_fill_the_board_apart_from_a_few_cells(tmp_path):
    path = tmp_path / "board.json"
    (tmp_path / "chips.json").write_text(json.dumps(CHIPS), encoding="utf-8-sig")
    path.write_text(json.dumps(BOARD))
    [puzzle] = read(path)
    # A V leaves a domino, in two ways; two dominoes leave one of three cells, once in two ways.
    found = [puzzle.text(cover) for cover in puzzle.solutions()]
    assert puzzle.count() == len(found) == 6
    assert ["V" in text for text in found].count(True) == 2
    assert [text.count(".") for text in found].count(1) == 4
    assert {text.index("\n") for text in found} == {3}  # the cell outside is no empty cell
    path.write_text(json.dumps(BOARD | {"optional": 0}))
    assert next(read(path)).count() == 2


def test_a_missing_or_wrong_list_is_an_error(tmp_path):
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BOARD))
    with pytest.raises(MissingFileError, match=r"chips\.json: No such file"):
        next(read(path))
    (tmp_path / "chips.json").write_text("[{}]")
    with pytest.raises(ValueError, match=r"chips\.json: expected maps and chips \(KeyError"):
        next(read(path))
    (tmp_path / "chips.json").write_text("[{]")
    with pytest.raises(FormatError, match=r"chips\.json:1: not valid JSON"):
        next(read(path))
