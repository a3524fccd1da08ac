"""Measurements: tables, and times of calls."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from dlx_numba import example
from dlx_numba.bench import covers, measure
from dlx_numba.bench.covers import CoverMeasurement, CoverProblem
from dlx_numba.bench.measure import BoardSet, Measurement
from dlx_numba.bench.report import as_text
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.registry import make_engine
from tests.helpers.processes import SOLVED


def measurement(solver, seconds, work_unit="nodes", nodes=None):
    """Return a measurement of a set with a board for each time; None for an unsolved board."""
    times = [each for each in seconds if each is not None]
    boards = np.repeat([[1] * 17 + [0] * 64], len(seconds), axis=0).astype(np.uint8)
    return Measurement(
        solver,
        BoardSet("set", boards, Box(3, 3)),
        work_unit,
        solved=np.array([each is not None for each in seconds]),
        seconds=np.array(times),
        nodes=np.array(nodes or [1] * len(times)),
        per_second=1.0,
    )


def cells(text):
    """Return the cells of the rows of a Markdown table, without the blank ones."""
    return [re.findall(r"[^|\s](?:[^|]*[^|\s])?", line) for line in text.splitlines()]


def test_each_set_has_a_table_with_a_row_for_each_solver():
    easy = BoardSet("easy", np.ones((2, 81), np.uint8), Box(3, 3))
    lanes = measurement("lanes", [0.001, 0.003], "guesses", [0, 1])._replace(boards=easy)
    slow = measurement("slow", [0.004, None])._replace(note="1 of 2 boards: cut off after 1 s")
    rows = cells(as_text([lanes, slow, measurement("other", [None])], [], markdown=True))
    assert rows[0] == ["**Sudoku, easy: ms per puzzle**"]
    assert rows[4] == ["lanes", "2", "1.00", "3.00", "2.00", "1.00", "-", "1", "0.50 guesses"]
    assert rows[6] == ["**Sudoku, set: ms per puzzle**"]
    assert rows[10:12] == [
        ["slow", "1", "4.00", "4.00", "4.00", "0.0000", "-", "1", "1.00 nodes"],
        ["other", "0", *["-"] * 7],
    ]
    assert ["set, slow: 1 of 2 boards: cut off after 1 s."] in rows


def test_the_naive_solver_is_compared_on_the_puzzles_that_both_solved():
    naive = measurement("naive", [0.1, None, 0.3], nodes=[10_000, 20_000])
    fast = measurement("fast", [None, 0.001, 0.006, 9.0])
    rows = cells(as_text([naive, fast], [], markdown=True))
    assert rows[4][0:2] + rows[4][6:] == ["naive", "2", "1.0", "1", "15,000 nodes"]
    assert rows[5][0:2] + rows[5][6:] == ["fast", "3", "50", "1", "1.00 nodes"]


@pytest.mark.parametrize("width", [60, 80])
def test_tables_have_the_width_of_the_terminal(width):
    algorithms = ["links", "bitset", "memo"]
    counts = [CoverMeasurement("some problem", 5, 1234567, name, 0.001) for name in algorithms]
    counts.append(CoverMeasurement("other", 5, 1234, "memo", None, "cut off after 5 s"))
    text = as_text([measurement("dlx", [1.0])], counts, width=width)
    assert "other, memo: cut off after 5 s." in text
    assert max(map(len, text.splitlines())) <= width
    assert {"1,234,567", *algorithms} <= set(text.split())  # nothing is cut off


def test_known_counts_are_verified():
    wrong = CoverProblem("wrong", example("tilings", region="2x3"), 4)
    with pytest.raises(measure.WrongSolution, match="3 covers instead of 4"):
        covers.measure_covers(wrong, "memo", 1, 60)
    cut_off = covers.measure_covers(covers.PROBLEMS[0], "links", 1, 0)
    assert (cut_off.seconds, cut_off.note) == (None, "cut off after 0 s")


def test_an_algorithm_need_not_support_a_problem(monkeypatch):
    puzzle = example("tilings", region="2x3")
    monkeypatch.setitem(covers.ALGORITHMS, "links", ("links", "search", "newest"))
    result = covers.measure_covers(CoverProblem("tilings", puzzle), "links", 1, 60)
    assert (result.covers, result.seconds) == (None, None)
    assert "newest" in result.note


def test_a_slow_empty_call_is_not_subtracted(monkeypatch):
    empty_calls = iter([10.0, 1.0, 1.5, 1.0])
    monkeypatch.setattr(measure, "MIN_RUN_SECONDS", 0)
    monkeypatch.setattr(
        measure, "time_call", lambda solve, boards, limit: 3.0 if len(boards) else next(empty_calls)
    )
    boards = np.zeros((4, 81), np.uint8)
    assert measure._board_seconds(None, boards, 1, 1).tolist() == [2.0] * 4


@pytest.mark.parametrize(
    ("wall", "cpu", "expected"),
    [(5e-6, 4e-6, 5e-6), (0.02, 0.01, 0.01), (0.02, 0.0, 0.02)],
    ids=["short", "long", "short and interrupted"],
)
def test_time_of_a_call(wall, cpu, expected, monkeypatch):
    """A short call that is interrupted may have no CPU time; its wall time is not the minimum."""
    clocks = SimpleNamespace(
        perf_counter=iter([1.0, 1 + wall]).__next__, thread_time=iter([1.0, 1 + cpu]).__next__
    )
    monkeypatch.setattr(measure, "time", clocks)
    engine = make_engine("dlx", Box(3, 3))
    seconds = measure.time_call(engine.solve, np.zeros((0, 81), np.uint8), 1)
    assert seconds == pytest.approx(expected)


def test_details_state_how_difficult_a_set_is():
    board = np.array([[*map(int, SOLVED)]], np.uint8)
    board[0, 0] = 0
    boards = BoardSet("one", board, Box(3, 3))
    measurements = [measurement("dlx", [1.0])._replace(boards=boards)]
    text = as_text(measurements, [], details=True)
    assert "one: 1 simple; hardest steps: 1 naked single; quartiles of scores: 1, 1" in text
    assert "hardest" not in as_text(measurements, [])
