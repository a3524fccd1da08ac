"""Sets of options that meet totals, which are searched instead of these, against brute force."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.exact_cover import with_named
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.subsets import easier
from dlx_numba.kernels import subsets
from dlx_numba.kernels.subsets import replace_totals
from dlx_numba.runtime.interrupts import Stop
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import total_problem
from tests.helpers.seeds import seeds

# A slice that found nothing, and explored less than any other
STUCK = SimpleNamespace(is_done=False, counters=[0], explored=lambda: -1.0)


def kakurasu(side, bottom):
    """Return the problem of the cells of a square, with the sums of its rows and columns."""
    n = len(side)
    cells = {(r, c): ["any"] for r in range(n) for c in range(n)}
    totals = {("row", r): ({(r, c): c + 1 for c in range(n)}, s, s) for r, s in enumerate(side)}
    totals |= {("col", c): ({(r, c): r + 1 for r in range(n)}, s, s) for c, s in enumerate(bottom)}
    return dlx.ExactCover(cells, multiplicity={"any": (0, n * n)}, totals=totals)


def random_case(seed, monkeypatch):
    """Return a random problem with sets instead of totals, or None, and its covers."""
    rng = random.Random(seed)
    cover, expected, _ = total_problem(seed)
    monkeypatch.setattr(subsets, "MAX_SETS", rng.choice([6, 1 << 12]))
    usable = sorted({k for options in expected for k in options})
    given = rng.sample(usable, min(len(usable), rng.choice([0, 0, 1, 2])))
    forbidden = rng.sample(range(cover.n_options), min(cover.n_options, rng.choice([0, 0, 1, 3])))
    left = [c for c in expected if {*given} <= {*c} and not {*forbidden} & {*c}]
    try:
        cover = cover.replace(given=given, forbidden=forbidden)
    except ValueError:
        assert not left
        return None, []
    named = named_problem(cover)
    other = easier(named, Stop(), STUCK)
    return None if other is named else with_named(cover, other), sorted(left)


@pytest.mark.kernels
def test_covers_are_those_that_brute_force_finds(monkeypatch):
    n_replaced = 0
    for seed in seeds(3000, 40):
        cover, expected = random_case(seed, monkeypatch)
        if cover is None:
            continue
        n_replaced += 1
        assert sorted(cover.solve()) == sorted(cover) == expected
        assert cover.count() == len(expected)
        assert cover.first() in (expected or [None])
        counter = cover.counter()
        assert (counter.run(), counter.result) == (True, len(expected))
        if seed % 4 == 0:
            assert cover.count(method="memo") == len(expected)
            assert sorted(cover.diagram()) == expected
            usable = sorted({k for options in expected for k in options})
            assert np.flatnonzero(cover.possible_options()).tolist() == usable
    assert n_replaced > 10


SIDE = 27, 6, 1, 12, 37, 37, 11, 4, 29, 23, 66, 55
BOTTOM = 22, 1, 25, 36, 10, 22, 25, 35, 32, 28, 45, 45


def test_totals_that_a_search_does_not_meet_soon_become_sets():
    cover = kakurasu(SIDE, BOTTOM)
    assert cover.count(limit=2) == cover.count() == len(cover.solve()) == len([*cover]) == 1
    assert cover.statistics.nodes < 1000
    solution = cover.replace(threads=2).first()
    assert [solution.totals["row", r] for r in range(12)] == [*SIDE]
    assert [solution.totals["col", c] for c in range(12)] == [*BOTTOM]
    assert cover.diagram().sample(seed=1) == [solution] == [cover.replace(seed=3).first()]
    assert np.flatnonzero(cover.possible_options()).tolist() == solution
    assert cover.first(given=solution[:2]) == solution
    assert cover.first(forbidden=solution[:1]) is None
    assert cover.replace(progress=lambda fraction, text: None).first() == solution


def test_further_conditions_remain():
    cover = kakurasu(SIDE, BOTTOM)
    n = len(cover.first())
    assert cover.replace(exactly={"any": n}).count(limit=2) == 1
    with pytest.raises(dlx.Stopped):
        cover.replace(exactly={"any": n}, choose="leftmost").first(seconds=0.1)


def test_totals_stay_if_too_many_sets_meet_them():
    everything = dict.fromkeys(range(40), 1)
    totals = {"few": ({0: 1, 1: 1}, 1, 1), "many": (everything, 20, 20)}
    cover = dlx.ExactCover([["any"]] * 40, multiplicity={"any": (0, 40)}, totals=totals)
    replaced = replace_totals(cover.problem)
    assert len(replaced.total_low) == 1
    assert replaced.n_options == 42
    several = dlx.ExactCover(
        [["any"]] * 40, multiplicity={"any": (0, 40)}, totals={"many": totals["many"]}
    )
    assert replace_totals(several.problem) is None


def test_a_stop_ends_the_search_for_sets():
    cover = kakurasu(SIDE, BOTTOM)
    assert replace_totals(cover.problem) is not None
    assert replace_totals(cover.problem, Stop(event=SetAfter(10))) is None


def test_a_search_that_finds_covers_keeps_its_totals():
    days = range(60)
    weeks = {("week", d): ({d + k: 1 for k in range(7)}, 1, 5) for d in days[:-6]}
    cover = dlx.ExactCover({d: ["any"] for d in days}, multiplicity={"any": (0, 60)}, totals=weeks)
    assert cover.count() == 227_811_010_511_942_465
    assert easier(named_problem(cover), Stop()) is named_problem(cover)
