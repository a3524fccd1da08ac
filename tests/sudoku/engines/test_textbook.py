"""The engine `textbook`: the plain search of `dancing_links`."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import textbook
from dlx_numba.sudoku.engines.base import EngineResult
from dlx_numba.sudoku.verify import are_solutions
from tests.helpers.boards import random_boards
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE

pytestmark = pytest.mark.compiled


def test_nodes_are_those_of_the_program_in_c():
    boards = [UNIQUE, NONE, SOLVED]
    result = dlx.solve_batch(boards, 1, "textbook")
    assert result.counts.tolist() == [1, 0, 1]
    assert result.nodes.tolist() == [1471, 0, 0]
    assert "".join(map(str, result.solutions[0])) == SOLVED


def test_solutions_are_those_of_the_engine_dlx():
    for box in (Box(2, 3), Box(3, 3), Box(4, 4)):
        boards = random_boards(box, 20, box.cells // 2)
        expected = dlx.solve_batch(boards, 1, "dlx", box=box)
        result = dlx.solve_batch(boards, 1, "textbook", box=box)
        assert result.counts.tolist() == expected.counts.tolist()
        solved = result.counts > 0
        assert are_solutions(result.solutions[solved], boards[solved], box).all()


def test_slices_do_not_change_the_result(monkeypatch):
    boards = [UNIQUE, SEVERAL, NONE, UNIQUE]
    expected = dlx.solve_batch(boards, 50, "textbook")
    monkeypatch.setattr(textbook, "NODES_PER_SLICE", 7)
    assert dlx.solve_batch(boards, 50, "textbook", seconds=600) == expected


def test_the_links_are_as_before_after_a_stop(monkeypatch):
    monkeypatch.setattr(textbook, "NODES_PER_SLICE", 7)
    engine = textbook.TextbookEngine(Box(3, 3))
    before = np.concatenate(engine.workspace.links)
    boards = np.array([[*map(int, UNIQUE.replace(".", "0"))]], np.uint8)
    for stop in (lambda: True, lambda: False):
        result = EngineResult.allocate(boards)
        engine.solve(boards, 1, result, stop)
        assert result.counts.tolist() == ([-1] if stop() else [1])
        assert (np.concatenate(engine.workspace.links) == before).all()


def test_large_boards_are_refused():
    with pytest.raises(ValueError, match=r"'textbook' does not support box 5x5; .* up to 16x16"):
        dlx.solve_batch(np.zeros((1, 625), np.uint8), engine="textbook")
