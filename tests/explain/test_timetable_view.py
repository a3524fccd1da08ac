"""Timetables are recognized by the names of items."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from dlx_numba.explain.timetable_view import COST_COLORS
from dlx_numba.kinds.plans.airport import Random, assign, generate

NUMBERED = [("a", k) for k in range(50)]


def timetable_of(cover):
    return view_search(cover._stated, "timetable").timetable


def test_aircraft_at_gates():
    """A bar begins at an arrival, and ends at the next one after which the gate is free."""
    gates, turns = generate(3, 12, Random(1))
    timetable = timetable_of(assign(gates, turns).cover())
    times = sorted({turn.arrival for turn in turns})
    assert timetable.rows == [gate.name for gate in gates]
    first = times[0] // 60
    assert timetable.labels[:2] == [(0, str(first)), (1, str(first + 1))]
    ends = [*times[1:], times[-1] + 30]
    pairs = ((turn, gate) for turn in turns for gate in gates if turn.size <= gate.size)
    for bars, (turn, gate) in zip(timetable.option_bars, pairs, strict=True):
        [bar] = bars
        occupied = [k for k, time in enumerate(times) if turn.occupies(time)]
        assert bar.row == gates.index(gate)
        assert 60 * (first + bar.start) == pytest.approx(turn.arrival, abs=0.01)
        assert 60 * (first + bar.end) == pytest.approx(ends[occupied[-1]], abs=0.01)
        assert bar.text == turn.name


def test_colors_of_costs():
    """Up to five costs have separate colors; otherwise, neighboring costs share one."""
    options = [["x", ("room", 1, night)] for night in range(7)]
    for costs, colors, meanings in [
        ([0, 3, 0, 3, 0, 3, 0], [0, 1, 0, 1, 0, 1, 0], ["cost 0", "cost 3"]),
        (
            [5, 6, 7, 8, 9, 10, 2000],
            [0, 1, 2, 2, 3, 4, 4],
            ["cost 5", "cost 6", "cost 7 to 8", "cost 9", "cost 10 to 2,000"],
        ),
    ]:
        timetable = timetable_of(dlx.ExactCover(options, costs=costs))
        assert [bar.color for [bar] in timetable.option_bars] == [COST_COLORS[k] for k in colors]
        assert timetable.legend == list(zip(COST_COLORS, meanings, strict=False))
    timetable = timetable_of(dlx.ExactCover(options))
    assert {bar.color for [bar] in timetable.option_bars} == {-1}
    assert timetable.legend == []


def test_places_with_gaps():
    """Each place or interval is a bar."""
    days = ["2026-07-30", "2026-07-31", "2026-08-01"]
    options = [
        [("job", "A"), *(("desk", 1, day) for day in (days[0], days[1])), ("desk", 2, days[2])],
        [("job", "B"), ("desk", 2, days[0]), ("desk", 2, days[2])],
        [("job", "C")],
    ]
    items = [("desk", desk, day) for desk in (1, 2) for day in days]
    jobs = [("job", name) for name in "ABC"]
    timetable = timetable_of(dlx.ExactCover(options, jobs, secondary=items))
    assert timetable.labels == [(k + 0.5, day) for k, day in enumerate(days)]
    assert timetable.rows == ["1", "2"]
    assert [[bar[:4] for bar in bars] for bars in timetable.option_bars] == [
        [(0, 0, 2, "A"), (1, 2, 3, "A")],
        [(1, 0, 1, "B"), (1, 2, 3, "B")],
        [],
    ]


@pytest.mark.parametrize(
    "cover",
    [
        dlx.ExactCover([["a", "b"], ["c"]]),
        dlx.ExactCover([[("room", 1, 1), ("desk", 1, 1)]]),  # two kinds
        dlx.ExactCover([[("room", k, k)] for k in range(5)]),  # almost empty
        dlx.ExactCover([[("room", 1, k)] for k in range(61)]),  # too wide
        dlx.ExactCover([["x", s] for s in NUMBERED], ["x"], NUMBERED),  # hardly minutes
        dlx.ExactCover([[("room", 1, 1)]] * 2, multiplicity={("room", 1, 1): 2}),
    ],
    ids=["letters", "kinds", "sparse", "wide", "numbers", "multiplicities"],
)
def test_other_problems_have_no_timetable(cover):
    assert timetable_of(cover) is None


def test_sentences_name_a_gate_and_a_time_as_on_a_clock():
    view = view_search(dlx.example("airport", gates=2, flights=3).cover()._stated, "airport")
    attempt = next(step for step in record_search(view).steps if step.action == "try")
    assert re.search(r"cover items? [12] at \d+:\d\d\b", attempt.text)
    assert view.items[-1] == f"2,{view.names.items[-1][1]}"  # data refer to the names as stated
