"""`canonical`: formats, boards that are dropped, summaries and errors."""

import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.results import format_boards
from tests.helpers import DATA
from tests.helpers.processes import invoke

pytestmark = pytest.mark.compiled

FORM = "...1.2....3.4..."


def test_forms_are_written_in_order():
    path = DATA / "expert.txt"
    forms = format_boards(dlx.canonical(path.read_text().split()), dlx.Box(3, 3))
    for threads in (1, 2):
        out, err = invoke("canonical", "--threads", threads, path)
        assert out.splitlines() == forms
        assert err.startswith("200 boards: 200 canonical (")


def test_unreadable_records_stay_in_their_place(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text(f"1.....3..4.....2\nnot a board\n{FORM}\n1...............\n")
    out, err = invoke("canonical", "--unique", path, path, status=4)
    kinds = [line.split(":")[0] for line in out.splitlines()]
    assert kinds == ["1.....3..4.....2", "# unreadable", "1...............", "# unreadable"]
    assert "8 boards: 2 different, 4 equivalent to earlier ones, 2 unreadable (" in err


def test_boards_with_other_boxes_are_different(tmp_path):
    wide, high = tmp_path / "wide.txt", tmp_path / "high.txt"
    wide.write_text("...|...\n" * 5 + "...|.12\n")
    high.write_text("..|..|..\n" * 5 + "..|..|12\n")
    out, err = invoke("canonical", "--unique", wide, high)
    assert len(out.splitlines()) == 2
    assert "2 boards: 2 different (" in err


def test_too_symmetric_boards_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr("dlx_numba.sudoku.canonical.api.MIN_MAPS", 2)
    monkeypatch.setattr("dlx_numba.sudoku.canonical.api.MAX_BYTES", 100)
    path = tmp_path / "boards.txt"
    path.write_text(f"# comment\n{'123456789' * 9}\n{'.' * 81}\n")
    out, err = invoke("canonical", path, status=2)
    assert f"error: {path}:2: too symmetric: " in err
    assert out == ""
