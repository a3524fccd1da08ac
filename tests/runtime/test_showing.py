"""The progress of calls, for functions, terminals and notebooks."""

import sys
import threading
from types import SimpleNamespace

import pytest

import dlx_numba as dlx
from dlx_numba.runtime import showing as module
from dlx_numba.runtime.display import MAX_BAR_WIDTH
from dlx_numba.runtime.showing import showing

SMALL = "1.....3..4.....2"
QUEENS = dlx.example("queens", n=6).cover()
CALLS = {
    "count": lambda progress: QUEENS.replace(progress=progress).count(),
    "count-symmetry": lambda progress: QUEENS.replace(progress=progress).count(up_to_symmetry=True),
    "solve": lambda progress: QUEENS.replace(progress=progress).solve(),
    "solve-symmetry": lambda progress: QUEENS.replace(progress=progress).solve(up_to_symmetry=True),
    "diagnose": lambda progress: QUEENS.replace(progress=progress).diagnose(),
    "cheapest": lambda progress: QUEENS.replace(progress=progress).cheapest(costs=range(36)),
    "variations": lambda progress: QUEENS.replace(progress=progress).solve_batch(given=[[0], [1]]),
    "puzzles": lambda progress: dlx.solve_batch([SMALL, SMALL], progress=progress),
    "generate": lambda progress: dlx.generate(2, box="2x2", seed=1, progress=progress),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_calls_report_their_progress(call):
    reports = []
    assert call(lambda *report: reports.append(report)) == call(False)
    fraction, text = reports[-1]
    assert fraction in (None, 1.0)
    assert text


def test_reports_arrive_during_the_block():
    arrived = threading.Event()
    with showing(lambda *report: arrived.set(), lambda: (0.5, "half")):
        assert arrived.wait(60)


def test_exceptions_of_functions_are_raised():
    with pytest.raises(ZeroDivisionError):
        QUEENS.replace(progress=lambda fraction, text: 1 / 0).count()
    with pytest.raises(TypeError, match="progress must be True, False or a function, not 5"):
        QUEENS.replace(progress=5).count()


def test_without_a_terminal_nothing_is_printed(capsys):
    assert QUEENS.replace(progress=True).count() == 4
    assert capsys.readouterr() == ("", "")


def test_notebooks_show_a_bar(monkeypatch):
    shown = []
    display = SimpleNamespace(display=lambda line, display_id: SimpleNamespace(update=shown.append))
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    QUEENS.replace(progress=True).solve_batch(given=[[0], [1]])
    bar = "━" * MAX_BAR_WIDTH
    assert shown[-1].plain.endswith(f" {bar} 100.0 %, 0:00 left, 2 of 2 variations")
    assert bar in shown[-1]._repr_mimebundle_([], [])["text/html"]
    with module.showing(True, lambda: (None, "a < b")):
        pass
    assert shown[-1].plain == "0:00, a < b"
