"""Records that skip branches end with the first cover, and have the counts of the whole search."""

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import record_search, recorder_class
from dlx_numba.explain.lookahead import Limits, find_first_cover
from dlx_numba.explain.page import MAX_ASSIGNMENTS
from dlx_numba.explain.problem_view import view_search
from dlx_numba.explain.record import StopReason
from dlx_numba.puzzles.kind import examples
from dlx_numba.runtime.arguments import UNLIMITED
from tests.helpers.problems import general_problem
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled

LARGE_RECORDS = (  # each takes a second or more
    *("calendar", "dominate", "mates", "polyiamonds", "polyominoes", "tetrasticks"),
    *("knight", "macmahon", "words"),
)
EXAMPLES = examples()
PAGES = [
    pytest.param(name, marks=[pytest.mark.thorough] * (name in LARGE_RECORDS))
    for name in EXAMPLES
    if name != "samurai"  # a cover of 369 cells takes more steps
]


@pytest.mark.parametrize("choose", ["smallest", "leftmost", "random", "sharp"])
def test_paths_to_the_first_covers_of_random_problems(choose):
    """All branches beside the path are skipped."""
    for seed in seeds(300):
        cover = general_problem(seed, seed % 2 == 0, choose=choose, seed=seed)
        view = view_search(named_problem(cover), "path")
        first = find_first_cover(view, Limits(1, 1, UNLIMITED))
        n_steps = first.path_steps(0)
        record = recorder_class(view)(view, Limits(1, n_steps, UNLIMITED), first).record()
        covers = [sorted(view.numbers[k] for k in found) for found in record.covers]
        named = named_problem(cover)
        searched = named.prepare().problem
        is_whole = searched.n_options == cover.n_options or choose != "random"
        if is_whole and searched.n_primary == named.problem.n_primary:
            assert covers == cover.solve(limit=1)
        else:  # `solve` neither branches on items that need no option, nor draws useless options
            assert all(map(cover.check, covers))
            assert bool(covers) == bool(cover.solve(limit=1))
        assert (record.nodes, record.updates) == tuple(first.counters[1:].tolist())
        assert record.stop_reason is (StopReason.LIMIT if covers else StopReason.COMPLETE)


def test_record_has_its_beginning_and_the_path():
    cover = dlx.example("queens", n=8).cover()
    view = view_search(named_problem(cover), "queens")
    whole = record_search(view, steps=10**6, limit=1)
    record = record_search(view, steps=200, limit=1)
    assert record.covers == whole.covers
    assert (record.nodes, record.updates) == (whole.nodes, whole.updates)
    assert 100 <= record.first_steps <= len(record.steps) <= 200
    assert record.steps[: record.first_steps] == whole.steps[: record.first_steps]
    [skipped] = {step.name for step in record.steps if step.action == "skip"}
    assert skipped == "X5"


def test_advice_if_there_is_no_cover():
    queens = view_search(named_problem(dlx.example("queens", n=8).cover()), "queens")
    assert "to reach a cover" in record_search(queens, steps=20).advice
    none = view_search(named_problem(dlx.example("queens", n=3).cover()), "queens")
    assert "has no cover" in record_search(none).advice
    assert record_search(queens, steps=200).advice == ""
    corners_missing = dlx.example("tilings", region="#####./######/######/######/######/.#####")
    record = record_search(view_search(named_problem(corners_missing.cover()), "tilings"), steps=50)
    assert record.first_steps is not None  # other branches are skipped
    assert "has no cover" in record.advice


def test_advice_is_true_for_few_steps_and_assignments():
    none = view_search(named_problem(dlx.ExactCover([["a", "b"], ["b", "c"], ["a", "c"]])), "none")
    assert "has no cover" in record_search(none, steps=5).advice
    queens = view_search(named_problem(dlx.example("queens", n=8).cover()), "queens")
    assert "too large" in record_search(queens, steps=500, max_assignments=100).advice
    assert record_search(queens, limit=0).advice == ""


@pytest.mark.parametrize("name", PAGES)
def test_default_pages_of_the_gallery_contain_a_cover(name):
    view = view_search(named_problem(EXAMPLES[name]().cover()), name)
    assert view.drawn is None or view.drawn.is_board
    record = record_search(view, max_assignments=MAX_ASSIGNMENTS)
    assert record.covers
    assert len(record.steps) <= 1000


def test_given_options_can_be_shown():
    """They are chosen first; without them, the search is that of the reduced problem."""
    for seed in seeds(40):
        cover = general_problem(seed, has_bounds=False)
        solutions = cover.solve(limit=1)
        if not solutions or len(solutions[0]) < 2:
            continue
        given = solutions[0][1:]
        cover = general_problem(seed, has_bounds=False, given=given)
        reduced = record_search(view_search(named_problem(cover), "reduced"), steps=10**6)
        view = view_search(named_problem(cover), "shown", show_givens=True)
        shown = record_search(view, steps=10**6)
        assert sorted(shown.covers) == sorted(cover.solve())
        assert len(reduced.covers) == len(shown.covers)
        tried = [step.option for step in shown.steps if step.action == "try"]
        assert tried[: len(given)] == given
        assert shown.nodes == reduced.nodes + len(given)


def test_given_options_with_multiplicities_cannot_be_shown():
    cover = dlx.ExactCover([["a"], ["a"]], multiplicity={"a": 2}, given=[0])
    with pytest.raises(ValueError, match="with multiplicities"):
        view_search(named_problem(cover), "given", show_givens=True)
