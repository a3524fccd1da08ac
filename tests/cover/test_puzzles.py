"""Puzzles are contained in one cover, which is counted by brute force, and no clue is redundant."""

import random
import threading
import warnings
from collections import Counter

import pytest

import dlx_numba as dlx
from dlx_numba.cover import puzzles as making
from dlx_numba.cover.named_problem import named_problem
from tests.helpers import oracles
from tests.helpers.diagnoses import random_conditions
from tests.helpers.seeds import seeds


def check_puzzles(cover, puzzles, clues=None):
    """Check that each puzzle is in one of all covers, and shows no clue that is not needed."""
    covers = [set(each) for each in cover.solve()]
    given = set(named_problem(cover).selected.given)
    for puzzle in puzzles:
        shown = set(puzzle) - given
        assert given <= set(puzzle)
        assert sum(set(puzzle) <= each for each in covers) == 1
        assert clues is None or shown <= set(clues)
        for clue in shown:
            assert sum(set(puzzle) - {clue} <= each for each in covers) > 1


@pytest.mark.parametrize("seed", [*seeds(2000, 40)])
@pytest.mark.filterwarnings("ignore:the covers are drawn")
def test_puzzles_of_random_problems(seed, monkeypatch):
    rng = random.Random(seed)
    has_bounds = bool(seed % 2)
    cover = random_conditions(rng, *oracles.random_general_problem(seed, has_bounds))
    if cover is None:
        return
    if rng.random() < 0.5:
        monkeypatch.setattr(making, "start_builder", no_diagram)
    for name in ("MAX_MISSES", "MAX_REPEATS"):
        monkeypatch.setattr(making, name, 50)
    cover = cover.replace(threads=rng.choice([1, 2]))
    clues = rng.sample(range(cover.n_options), cover.n_options // 2) if rng.random() < 0.3 else None
    try:
        puzzles = cover.puzzles(5, clues, seed=seed)
    except ValueError as error:
        if "no cover" in str(error):
            assert not cover.count()
        else:
            assert clues is not None or are_contained(cover)
        return
    check_puzzles(cover, puzzles, clues)
    assert len(puzzles) == 5
    assert puzzles == cover.replace(threads=1).puzzles(5, clues, seed=seed)


def no_diagram(*arguments):
    raise MemoryError("no memory for a test")


def are_contained(cover):
    """Return whether each cover is contained in another one."""
    covers = [set(each) for each in cover.solve()]
    return all(any(each < other for other in covers) for each in covers)


@pytest.mark.slow
def test_covers_are_drawn_uniformly():
    dominoes = dlx.ExactCover([[k, k + 1] for k in range(5)] + [[k] for k in range(6)])
    covers = dominoes.solve()
    puzzles = dominoes.puzzles(1300, seed=1)
    found = Counter(tuple(dominoes.first(given=puzzle)) for puzzle in puzzles)
    assert len(covers) == len(found) == 13
    assert all(60 < number < 145 for number in found.values())


def test_it_is_said_if_covers_are_not_drawn_uniformly():
    options = [["a"], ["a"], ["b"]]
    limited = dlx.ExactCover(options, totals={"sum": ([1, 2, 3], 0, 4)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(dlx.ExactCover(options).puzzles(3)) == 3
        assert limited.puzzles(2) == [[], []]
        with pytest.raises(UserWarning, match="not uniformly: the diagram needs more than 10 byt"):
            limited.replace(memory=10).puzzles()
    with pytest.warns(UserWarning, match="not uniformly"):
        assert limited.replace(memory=10).puzzles(2) == [[], []]


def test_clues_that_are_needed_are_more_than_enough_if_not_minimal():
    queens = dlx.example("queens", n=8).cover()
    numbers = [sum(map(len, queens.puzzles(50, minimal=each, seed=1))) for each in (True, False)]
    assert numbers[0] < numbers[1] < 50 * 8


@pytest.mark.parametrize("level", ["only", "chain", "chain of 1"])
def test_levels(level):
    queens = dlx.example("queens", n=8).cover()
    for puzzle in queens.puzzles(5, level=level, seed=1):
        steps = queens.deduce(puzzle)
        assert steps.cover in queens.solve(given=puzzle)
        assert steps[-1].kind == "only"
        assert any(level in (step.kind, step.name) for step in steps)
        assert level != "only" or {step.kind for step in steps} == {"only"}


@pytest.mark.slow
def test_what_cannot_be_made():
    problem = dlx.ExactCover([["a", "b"], ["a"], ["b"], ["b"]])
    with pytest.raises(ValueError, match="has no cover"):
        dlx.ExactCover([["a"]], ["a", "b"]).puzzles()
    with pytest.raises(ValueError, match="2,000 covers were tried"):
        problem.puzzles(clues=[1])
    with pytest.raises(ValueError, match="level must be"):
        problem.puzzles(level="pair")
    assert problem.puzzles(0) == []
    assert dlx.ExactCover([["a"]]).puzzles(2) == [[], []]


def test_a_call_that_is_stopped_has_what_was_found():
    event = threading.Event()
    event.set()
    with pytest.raises(dlx.Stopped) as stopped:
        dlx.example("queens", n=8).cover().puzzles(10, stop=event)
    assert (stopped.value.partial, stopped.value.partial.done) == ([], False)
    with pytest.raises(dlx.Stopped):
        dlx.example("queens", n=8).cover().puzzles(10**6, seconds=0.2)


def orbit(options, images):
    """Return the smallest image of options."""
    return min(tuple(sorted(image[options].tolist())) for image in images)


@pytest.mark.kernels
def test_no_symmetry_maps_a_puzzle_or_its_solution_to_another_while_there_are_others(monkeypatch):
    monkeypatch.setattr(making, "MAX_SOUGHT_REPEATS", 400)
    for n, diagrams in ((6, True), (8, True), (8, False)):
        cover = dlx.example("queens", n=n).cover()
        images = [*cover.symmetries()]
        classes = {orbit(each, images) for each in cover.solve()}
        if not diagrams:
            monkeypatch.setattr(making, "start_builder", no_diagram)
            warnings.simplefilter("ignore")
        wanted = len(classes) + 2
        puzzles = cover.puzzles(wanted, seed=1)
        solved = {orbit(cover.first(given=each), images) for each in puzzles}
        assert solved == classes
        assert len({orbit(each, images) for each in puzzles}) == wanted


def test_puzzles_repeat_if_there_are_no_others(caplog):
    cover = dlx.ExactCover([["a"], ["b"], ["a", "b"]])
    with caplog.at_level("INFO", "dlx_numba"):
        puzzles = cover.puzzles(5, seed=1)
    assert len(puzzles) == 5
    told = "up to symmetry, 3 of 5 puzzles repeat others, and the different ones have 2 solutions"
    assert f"no others were found: {told}" in caplog.text
