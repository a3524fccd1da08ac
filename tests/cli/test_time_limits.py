"""Time limits of commands end reading, stating and drawing, which do not ask whether to stop."""

import subprocess
import sys
import threading

import pytest

import dlx_numba as dlx
from dlx_numba.cli import inputs, limit, puzzle_run
from dlx_numba.cli.limit import TimeLimit
from dlx_numba.cover.diagram import CoverDiagram
from dlx_numba.cover.exact_cover import ExactCover
from dlx_numba.explain.steps_page import steps_page
from dlx_numba.puzzles.puzzle import Puzzle
from dlx_numba.runtime import signals
from dlx_numba.runtime.errors import Stopped
from dlx_numba.runtime.interrupts import Stop
from tests.helpers import INSTANCES
from tests.helpers.hosts import SetAfter
from tests.helpers.processes import invoke

QUEENS = INSTANCES / "queens8.dlx"
ALL = (
    *("cover", "count", "sample", "cheapest", "estimate", "hint", "diagnose", "verify", "puzzles"),
    *("show", "explain -o -"),
)


@pytest.fixture
def endless(monkeypatch):
    """A function that works until the test ends; limits are patient until it starts."""
    is_over, lock = threading.Event(), threading.Lock()

    def work(*arguments, **keywords):
        with lock:  # or else a thread that starts late changes the limits of the next test
            if not is_over.is_set():
                limit.EXTRA_SECONDS = limit.MAX_EXTRA_SECONDS = 0
        while not is_over.is_set():
            pass

    monkeypatch.setattr(signals, "_has_abandoned", False)
    yield work
    with lock:
        is_over.set()
    assert signals.leaves_threads()


def test_a_limit_ends_calls_that_do_not_ask(endless):
    with pytest.raises(Stopped, match="stopped before the problem was ready"):
        TimeLimit(0).call(endless)


def test_small_calls_end_at_any_limit():
    time_limit = TimeLimit(0)
    assert [time_limit.call(lambda: 1), time_limit.call(lambda: 2)] == [1, 2]
    with pytest.raises(ZeroDivisionError):
        time_limit.call(lambda: 1 // 0)
    assert time_limit()
    assert not signals.leaves_threads()
    own = threading.get_ident
    assert TimeLimit().call(own) == own()


@pytest.mark.parametrize("command", ["verify", "diagnose"])
def test_a_limit_ends_many_small_calls(command, tmp_path):
    (tmp_path / "boards.csv").write_text(
        "puzzle,solution\n" + 9 * "1...4321........,1234432121433412\n"
    )
    out, err = invoke(command, "--seconds", 0, tmp_path / "boards.csv", status=3)
    assert len(out.splitlines()) < 3
    assert "Stopped before" in err


@pytest.mark.parametrize("command", ALL)
def test_reading_ends(command, endless, monkeypatch):
    monkeypatch.setattr(inputs, "read_any", endless)
    out, err = invoke(*command.split(), "--seconds", 0, QUEENS, status=3)
    assert (out, err) == ("", "Stopped before the input was read.\n")


@pytest.mark.parametrize("command", ALL)
def test_stating_ends(command, endless, monkeypatch):
    monkeypatch.setattr(Puzzle, "cover", endless)
    answer = ("0",) * (command == "verify")
    out, err = invoke(*command.split(), "--seconds", 0, QUEENS, *answer, status=3)
    assert (out, err.splitlines()[-1]) == ("", "Stopped before the problem was ready.")


def test_solve_says_what_is_not_decided(endless, monkeypatch, tmp_path):
    files = [tmp_path / name for name in ("one", "two")]
    for file in files:
        file.write_text(QUEENS.read_text())
    monkeypatch.setattr(Puzzle, "cover", endless)
    out, err = invoke("solve", "--seconds", 0, *files, status=3)
    assert out == f"# {files[0]}: not decided in 0 s\n"
    assert err.startswith("2 puzzles read as Knuth's format: 1 unknown, 1 not reached (")
    monkeypatch.setattr(puzzle_run, "read_any", endless)
    out, err = invoke("solve", "--seconds", 0, *files, status=3)
    assert (out, err) == ("", "Stopped before the input was read.\n")


def test_an_incomplete_output_leaves_a_file_as_it_was(endless, monkeypatch, tmp_path):
    path = tmp_path / "queens.cnf"
    path.write_text("before")
    monkeypatch.setattr(ExactCover, "write", endless)
    _, err = invoke("show", "-f", "cnf", "-o", path, "--seconds", 0, QUEENS, status=3)
    assert err == "Stopped before the output was complete.\n"
    assert path.read_text() == "before"


@pytest.mark.parametrize("source", [["-"], ["-f", "csv", QUEENS]])  # a table needs its names
def test_the_input_is_searched_for_boards_until_the_limit(endless, monkeypatch, source):
    def read(*arguments, **keywords):
        yield endless()

    monkeypatch.setattr("dlx_numba.cli.board_run.read_records", read)
    _, err = invoke("rate", "--seconds", 0, *source, status=3)
    assert "time limit reached: the remaining input was not read" in err


def test_steps_have_pictures_until_the_limit():
    steps = dlx.deduce("1.....3..4.....2")
    assert steps_page("title", steps, Stop()).count("<svg xmlns") == len(steps) + 1
    text = steps_page("title", steps, Stop(event=SetAfter(5)))
    assert text.count("<svg xmlns") == 6
    assert "The time limit was reached after 5 pictures." in text
    assert all(step.text in text for step in steps)


@pytest.mark.slow
@pytest.mark.processes
def test_the_process_ends_without_the_work_that_is_left():
    program = """
import sys
from dlx_numba import __main__
from dlx_numba.cli import inputs

def read(*arguments):
    while True:
        pass

inputs.read_any, sys.argv = read, ["dlx-numba", "count", "--seconds", "0.1", "queens"]
__main__.main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    expected = 3, "", "Stopped before the input was read.\n"
    assert (done.returncode, done.stdout, done.stderr) == expected


@pytest.mark.parametrize("command", ["sample", "count --frequencies"])
def test_passes_over_a_diagram_ask_whether_to_stop(command, monkeypatch):
    events = []
    ranges = CoverDiagram._ranges

    def asking(self, stop, *arguments, **keywords):
        events.append(stop.event)
        return ranges(self, stop, *arguments, **keywords)

    monkeypatch.setattr(CoverDiagram, "_ranges", asking)
    invoke(*command.split(), "--seconds", 100, QUEENS)
    assert events
    assert all(isinstance(event, TimeLimit) for event in events)
