"""First covers, sought by CaDiCaL alone or beside the own methods."""

import sys

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.search import portfolio, sat
from tests.helpers.counting import pigeons
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import problem, total_problem
from tests.helpers.seeds import seeds
from tests.search.test_portfolio import roster, stars

pytest.importorskip("pysat")


@pytest.mark.slow
def test_engines_agree_with_brute_force(monkeypatch):
    monkeypatch.setattr(portfolio, "FIRST_UPDATES", 1)
    monkeypatch.setattr(portfolio, "SLICE_UPDATES", 8)
    for seed in seeds(200, 12):
        cover, expected, *_ = problem(seed)
        for engine in ("sat", "both"):
            found = cover.first(engine=engine)
            assert found in expected if expected else found is None
            assert engine == "both" or cover.statistics.method == "sat"


def test_as_many_covers_as_a_process_may_find_need_not_be_all(monkeypatch):
    monkeypatch.setattr(portfolio, "MAX_WANTED", 3)
    cover = dlx.example("queens", n=6).cover()
    found = portfolio.CoverPortfolio([named_problem(cover).prepare()], ("sat",))
    run(found, Stop(event=SetAfter(100)), 4)
    assert (len(found.take()), found.done) == (3, False)


def test_trivial_problems_have_no_options_or_no_clauses():
    empty = dlx.ExactCover([], items=[])
    assert empty.first(engine="sat") == []
    assert dlx.ExactCover([], items=["a"]).first(engine="sat") is None
    assert dlx.ExactCover([["s"]], items=[], secondary=["s"]).first(engine="sat") == []
    spec = named_problem(empty).prepare()
    found = portfolio.CoverPortfolio([spec], ("sat",))
    is_complete = run(found, Stop(), 2)
    assert ([*found.take()], is_complete) == ([[]], True)


@pytest.mark.parametrize("bounds", [(1, 2), (0, 2), (0, 1), (2, 2)])
def test_covers_that_contain_others_are_found(bounds):
    cover = dlx.ExactCover([["a", "b"], ["a"], ["a"], ["b"]], multiplicity={"a": bounds})
    found = portfolio.CoverPortfolio([named_problem(cover).prepare()], ("sat",))
    is_complete = run(found, Stop(), 10)
    assert (sorted(found.take()), is_complete) == (sorted(map(list, cover.solve())), True)


@pytest.mark.parametrize("wanted", [1, 2, 5, 100, 3_000_000_000])
def test_several_covers_are_distinct(wanted):
    cover = dlx.example("queens", n=6).cover()
    found = portfolio.CoverPortfolio([named_problem(cover).prepare()], ("sat",))
    run(found, Stop(), wanted)
    expected = [list(each) for each in cover.solve()]
    covers = [named_problem(cover).prepare().solution(each) for each in found.take()]
    assert len(covers) == min(wanted, len(expected))
    assert all(each in expected for each in covers)


@pytest.mark.compiled
@pytest.mark.parametrize("make", [roster, stars, lambda: pigeons(8)])
def test_searches_end_with_a_cover_or_a_proof(make):
    for engine in ("sat", "both"):
        cover = make()
        found = cover.first(engine=engine)
        assert (found is None) == (make not in (roster, stars))
        if found is not None:
            cover.problem.check_covers([list(found)])


def test_a_call_ends_at_its_limit_and_leaves_no_process(monkeypatch):
    processes = list[sat.SatProcess]()
    start = sat.SatProcess.__init__

    def record(self, *arguments):
        start(self, *arguments)
        processes.append(self)

    monkeypatch.setattr(sat.SatProcess, "__init__", record)
    with pytest.raises(dlx.Stopped):
        pigeons(16).first(engine="sat", seconds=0.05)
    assert len(processes) == 1
    processes[0].wait(20)
    assert processes[0]._process.wait(20) != 0


def test_what_is_impossible_is_rejected(monkeypatch):
    cover = total_problem(1)[0]
    with pytest.raises(ValueError, match="the engine 'sat' does not support totals"):
        cover.first(engine="sat")
    assert (cover.first(engine="both") is None) == (not total_problem(1)[1])
    with pytest.raises(ValueError, match="engine must be"):
        cover.first(engine="minisat")
    monkeypatch.setattr(sat, "has_sat", lambda: False)
    with pytest.raises(ImportError, match="this program is not Python"):
        dlx.ExactCover([["a"]]).first(engine="sat")
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    with pytest.raises(ImportError, match=r"dlx-numba\[sat\]"):
        dlx.ExactCover([["a"]]).first(engine="sat")
    monkeypatch.undo()
    monkeypatch.setattr(sat, "PROGRAM", "raise SystemExit(3)")
    with pytest.raises(MemoryError, match="CaDiCaL has ended"):
        dlx.ExactCover([["a"]]).first(engine="sat")


@pytest.mark.parametrize(("name", "value"), [("executable", "/usr/bin/uwsgi"), ("frozen", True)])
def test_another_program_is_not_started_as_python(name, value, monkeypatch):
    monkeypatch.setattr(sys, name, value, raising=False)
    assert not sat.has_sat.__wrapped__()
    monkeypatch.undo()
    assert sat.has_sat.__wrapped__()
