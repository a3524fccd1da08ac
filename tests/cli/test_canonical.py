"""`canonical`: formats, boards that are dropped, summaries and errors."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers import DATA
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeded
from tests.helpers.symmetries import random_equivalent

pytestmark = pytest.mark.compiled

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


@pytest.fixture(scope="module")
def equivalent_files(tmp_path_factory):
    """Two files of the same puzzles, the second in another order and transformed at random."""
    rng = random.Random(seeded(1))
    texts = (DATA / "expert.txt").read_text().split()[:50]
    alphabet = Alphabet("1-9A-", 9)
    boards = [np.frombuffer(text.replace(".", "0").encode(), np.uint8) - 48 for text in texts]
    others = [format_board(random_equivalent(each, Box(3, 3), rng), alphabet) for each in boards]
    rng.shuffle(others)
    folder = tmp_path_factory.mktemp("equivalent")
    (folder / "first.txt").write_text("\n".join(texts))
    (folder / "second.txt").write_text("\n".join(others))
    return folder / "first.txt", folder / "second.txt"


def test_forms_are_written_in_order(equivalent_files):
    out, err = invoke("canonical", *equivalent_files)
    texts = [line for path in equivalent_files for line in path.read_text().split()]
    forms = dlx.canonical(texts)
    alphabet = Alphabet("1-9A-", 9)
    assert out.splitlines() == [format_board(form, alphabet) for form in forms]
    assert err.startswith("100 boards: 100 canonical (")
    for threads in (1, 2):
        assert invoke("canonical", "--threads", threads, *equivalent_files)[0] == out


def test_unique_drops_equivalent_boards_of_all_files(equivalent_files):
    first, second = equivalent_files
    expected = invoke("canonical", first)[0]
    out, err = invoke("canonical", "--unique", first, second)
    assert out == expected
    assert err.startswith("100 boards: 50 different, 50 equivalent to earlier ones (")
    assert invoke("canonical", "--unique", "-", stdin=out)[0] == out


def test_unreadable_records_stay_in_their_place(mixed):
    out, err = invoke("canonical", "--unique", mixed, mixed, status=1)
    kinds = [line.split(":")[0] for line in out.splitlines()]
    assert kinds == [FORM, "# unreadable", OTHER_FORM, "# unreadable"]
    assert "8 boards: 2 different, 4 equivalent to earlier ones, 2 unreadable (" in err


def test_too_symmetric_boards_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr("dlx_numba.sudoku.canonical.api.MIN_MAPS", 2)
    monkeypatch.setattr("dlx_numba.sudoku.canonical.api.MAX_BYTES", 100)
    path = tmp_path / "boards.txt"
    path.write_text(f"# comment\n{'123456789' * 9}\n{'.' * 81}\n")
    out, err = invoke("canonical", path, status=2)
    assert f"error: {path}:2: too symmetric: " in err
    assert out == ""
