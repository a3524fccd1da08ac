"""`canonical`: formats, boards that are dropped, summaries and errors."""

import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers import DATA
from tests.helpers.processes import invoke

pytestmark = pytest.mark.compiled

EXPERT = DATA / "expert.txt"
SMALL = "1.....3..4.....2"
FORM = "...1.2....3.4..."
OTHER = "1..............."
OTHER_FORM = "...............1"


@pytest.fixture
def mixed(tmp_path):
    """Two equivalent boards, and another one, with text that is not a board between them."""
    path = tmp_path / "mixed.txt"
    path.write_text(f"{SMALL}\nnot a board\n{FORM}\n{OTHER}\n")
    return path


def test_forms_are_written_in_order():
    out, err = invoke("canonical", EXPERT)
    alphabet = Alphabet("1-9A-", 9)
    forms = [format_board(form, alphabet) for form in dlx.canonical(EXPERT.read_text().split())]
    assert out.splitlines() == forms
    assert err.startswith("200 boards: 200 canonical (")
    for threads in (1, 2):
        assert invoke("canonical", "--threads", threads, EXPERT)[0] == out


def test_unreadable_records_stay_in_their_place(mixed):
    out, err = invoke("canonical", "--unique", mixed, mixed, status=1)
    kinds = [line.split(":")[0] for line in out.splitlines()]
    assert kinds == [FORM, "# unreadable", OTHER_FORM, "# unreadable"]
    assert "8 boards: 2 different, 4 equivalent to earlier ones, 2 unreadable (" in err
    err = invoke("canonical", "--unique", "-", stdin=f"{FORM}\n{SMALL}\n")[1]
    assert err.startswith("2 boards: 1 different, 1 equivalent to earlier ones (")


def test_too_symmetric_boards_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr("dlx_numba.sudoku.canonical.api.MIN_MAPS", 2)
    monkeypatch.setattr("dlx_numba.sudoku.canonical.api.MAX_BYTES", 100)
    path = tmp_path / "boards.txt"
    path.write_text(f"# comment\n{'123456789' * 9}\n{'.' * 81}\n")
    out, err = invoke("canonical", path, status=2)
    assert f"error: {path}:2: too symmetric: " in err
    assert out == ""
