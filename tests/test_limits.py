"""Each public call that can take long ends soon after its time limit, or after `stop` is set.

Each row of CALLS is a call that takes minutes without a limit. Its key is the public name, followed
by a remark if a name has several rows. Its value is a function with the keywords `seconds` and
`stop`, one of which is given; `resumable` makes such a function for an object with a method `stop`.
A public name without a row belongs to SHORT or to UNLIMITED. The passes over a diagram take as long
as it is large, and only ask here; tests/cover/test_diagram.py stops them in parts.
"""

import inspect
import os
import re
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from types import SimpleNamespace

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.diagram_builder import DiagramBuilder
from dlx_numba.cover.encode import Formulation
from dlx_numba.cover.named_problem import NamedProblem, named_problem
from dlx_numba.explain.diagnose.conflict import find_conflict
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.monitoring import working_time
from tests.helpers.counting import affine_plane, pigeons
from tests.helpers.hosts import in_threads, running
from tests.helpers.problems import without_short_proof

pytestmark = pytest.mark.compiled

# The margin is generous; without a limit, the calls take minutes.
SECONDS, MAX_SECONDS = 0.02, 5


class Request:
    """A request to stop, and whether a call has asked for it."""

    def __init__(self):
        self.event, self.polled = threading.Event(), threading.Event()

    def is_set(self):
        self.polled.set()
        return self.event.is_set()

    def set_when_polled(self):
        self.polled.wait()
        self.event.set()


def resumable(create, name):
    """Return a call of a method of a resumable object."""

    def call(seconds=None, stop=None):
        getattr(create(), name)(seconds, stop=stop)

    return call


def method(name, create, *arguments, **options):
    """Return a call of a method of a new object."""
    return lambda **limits: getattr(create(), name)(*arguments, **options, **limits)


def queens(n=24, **keywords):
    return dlx.example("queens", n=n).cover(**keywords)


def tilings():
    return dlx.example("tilings", region="8x8").cover()


@cache
def wide_rows(n=3000, size=300):
    """Options of many items, with which a node of the search takes seconds, in CSR format."""
    rng = np.random.default_rng(1)
    options = [np.sort(rng.choice(n, size, replace=False)) for _ in range(n)]
    return np.arange(n + 1) * size, np.concatenate(options), n


def wide(**keywords):
    return dlx.ExactCover.from_matrix(tuple(wide_rows()), **keywords)


@cache
def large(n_options=180_000, n=5000, size=5):
    """A problem of 900,000 entries, each option with an item of each of five parts."""
    rng = np.random.default_rng(1)
    items = rng.integers(0, n // size, (n_options, size)) + np.arange(0, n, n // size)
    return dlx.ExactCover.from_matrix((np.arange(n_options + 1) * size, items.ravel(), n))


@cache
def boards_with_one_given(n=10**6):
    return np.repeat(np.array([[8] + [0] * 80], np.uint8), n, axis=0)


def costly(cover):
    """The same problem with costs that do not determine the cheapest covers early."""
    problem = cover.problem
    costs = np.random.default_rng(2).integers(1, 10**6, problem.n_options)
    secondary = range(problem.n_primary, problem.n_items)
    matrix = problem.indptr, problem.items, problem.n_items
    return dlx.ExactCover.from_matrix(matrix, secondary=secondary, costs=costs)


def costly_queens():
    return costly(queens())


def several(n=40):
    """Choose half of many options, and one of each pair."""
    pairs = [["all", k // 2] for k in range(2 * n)]
    return dlx.ExactCover(pairs, multiplicity={"all": n} | dict.fromkeys(range(n), (0, 2)))


def lists(n_items=3, size=20_000):
    """Items with many options that hide nothing, for which a search has no other work."""
    return dlx.ExactCover([[*range(n_items)], *([k] for k in range(n_items) for _ in range(size))])


def presolved():
    return wide(presolve=True)


def forbidding(cover, **limits):
    return cover.solve_batch(forbidden=[[k] for k in range(20)], limit=None, **limits)


def permuting(n=400, **limits):
    """Find the group that two permutations of interchangeable items generate."""
    functions = [{k: (k + 1) % n for k in range(n)}, {0: 1, 1: 0}]
    cover = dlx.ExactCover([["task", k] for k in range(n)])
    return cover.symmetries(functions, limit=None, **limits)


def many_conditions(n=60_000, **limits):
    """Explain which of many forbidden options exclude all covers."""
    options = np.arange(n + 1), np.arange(n), n
    cover = dlx.ExactCover.from_matrix(tuple(options), forbidden=range(n))
    find_conflict(named_problem(cover), 0, Stop(limits.get("seconds"), limits.get("stop")), print)


@cache
def latin_squares():
    """A diagram, and a group of ten million symmetries."""
    cover = dlx.example("latin", n=5).cover()
    return cover.diagram(), cover.symmetries(limit=None)


def count_by_tasks(**limits):
    with ThreadPoolExecutor(2) as pool:
        return queens().replace(executor=pool).count(method="memo", **limits)


def count_orbits(**limits):
    diagram, group = latin_squares()
    return diagram.count(up_to_symmetry=group, **limits)


def new_diagram():
    """A diagram whose numbers of covers are not known yet."""
    return queens(8).diagram(order="bandwidth")


DIAGONAL = dlx.SudokuRules(diagonals=True)
NO_KING = dlx.SudokuRules(anti_king=True, non_consecutive=True)
MANY_SUMS = dlx.SudokuRules(cages=[(68, range(k % 248, k % 248 + 8)) for k in range(2000)])
EMPTY = np.zeros((4000, 256), np.uint8)
GRIDS = np.tile([(4 * k + k // 4 + c) % 16 + 1 for k in range(16) for c in range(16)], (4000, 1))


CALLS = {
    "Puzzle.first": lambda **limits: dlx.Puzzle("Pigeons", Formulation(pigeons(16).options)).first(
        **limits
    ),
    "Puzzle.solutions": lambda **limits: list(dlx.example("queens", n=24).solutions(**limits)),
    "Puzzle.count": lambda **limits: dlx.example("queens", n=24).count(**limits),
    "ExactCover.first": lambda **limits: without_short_proof().first(**limits),
    "ExactCover.first, wide": lambda **limits: wide().first(**limits),
    "ExactCover.first, presolved": lambda **limits: presolved().first(**limits),
    "ExactCover.first, large": lambda **limits: large().first(**limits),
    "ExactCover.solve": lambda **limits: pigeons(16).solve(**limits),
    "ExactCover.solve, any order": method("solve", without_short_proof, 9, order="any"),
    "ExactCover.solve, any order, one thread": method(
        "solve", lambda: without_short_proof().replace(threads=1), 9, order="any"
    ),
    "ExactCover.solve, one thread": lambda **limits: queens().replace(threads=1).solve(**limits),
    "ExactCover.iterate": lambda **limits: list(pigeons(16).iterate(**limits)),
    "ExactCover.solve, lists": lambda **limits: lists().solve(**limits),
    "ExactCover.solve, distinct": lambda **limits: lists().solve(distinct=[0], **limits),
    "ExactCover.count, lists": lambda **limits: lists().count(method="search", **limits),
    "ExactCover.count, distinct": lambda **limits: lists().count(distinct=[0, 1], **limits),
    "ExactCover.count, search": lambda **limits: queens().count(method="search", **limits),
    "ExactCover.count": lambda **limits: queens().count(**limits),
    "ExactCover.count, wide": lambda **limits: wide().count(method="memo", **limits),
    "ExactCover.diagram": lambda **limits: queens().diagram(**limits),
    "ExactCover.diagram, wide": lambda **limits: wide().diagram(order="bandwidth", **limits),
    "CoverDiagram.sample": lambda **limits: queens(8).diagram().sample(10**9, **limits),
    "CoverDiagram.covers": lambda **limits: tilings().diagram().covers(**limits),
    "ExactCover.certify": lambda **limits: queens().certify(os.devnull, **limits),
    "ExactCover.certify, wide": lambda **limits: wide().certify(os.devnull, **limits),
    "ExactCover.certify, tree": lambda **limits: several().certify(os.devnull, **limits),
    "ExactCover.certify, cost": method("certify", costly_queens, os.devnull, "cost"),
    "ExactCover.cheapest": method("cheapest", costly_queens),
    "ExactCover.cheapest, wide": lambda **limits: costly(wide()).cheapest(**limits),
    "ExactCover.cheapest, variation": method("cheapest", costly_queens, given=[3], start=[30, 70]),
    "ExactCover.cheapest_batch": method("cheapest_batch", costly_queens, given=[[3], [4], [5]]),
    "ExactCover.cheapest_batch, wide": lambda **limits: costly(wide()).cheapest_batch(
        forbidden=[[3]], **limits
    ),
    "ExactCover.solve_batch": lambda **limits: forbidding(queens(), **limits),
    "ExactCover.solve_batch, any order": lambda **limits: without_short_proof().solve_batch(
        forbidden=[[k] for k in range(20)], order="any", **limits
    ),
    "ExactCover.solve_batch, wide": lambda **limits: forbidding(wide(), **limits),
    "ExactCover.possible_options": lambda **limits: pigeons(16).possible_options(**limits),
    "ExactCover.possible_options, wide": lambda **limits: wide().possible_options(**limits),
    "ExactCover.explain": lambda **limits: pigeons(16).explain(**limits),
    "ExactCover.explain, long": lambda **limits: queens().explain(steps=10**9, **limits),
    "ExactCover.explain, failing options": lambda **limits: dlx.ExactCover(
        [[k % 50, "s"] for k in range(12_000)], secondary=["s"]
    ).explain(steps=10**9, **limits),
    "ExactCover.diagnose": lambda **limits: pigeons(16).diagnose(**limits),
    "ExactCover.diagnose, wide": lambda **limits: wide().diagnose(**limits),
    "ExactCover.diagnose, many items": lambda **limits: dlx.ExactCover(
        [[k, k + 1] for k in range(40_000)]
    ).diagnose(**limits),
    "ExactCover.diagnose, many forbidden options": many_conditions,
    "ExactCover.deduce": lambda **limits: wide().deduce(**limits),
    "ExactCover.relax": lambda **limits: pigeons(16).relax(**limits),
    "ExactCover.puzzles": lambda **limits: queens().puzzles(10**6, **limits),
    "deduce": lambda **limits: dlx.deduce(EMPTY[0], **limits),
    "ExactCover.search": lambda **limits: presolved().search(**limits),
    "ExactCover.count, executor": count_by_tasks,
    "ExactCover.counter": lambda **limits: presolved().counter(**limits),
    "ExactCover.optimizer": lambda **limits: presolved().optimizer(**limits),
    "ExactCover.fixed_by": lambda **limits: large().fixed_by(lambda item: item, **limits),
    "ExactCover.symmetries": lambda **limits: affine_plane(43).symmetries(**limits),
    "ExactCover.symmetries, functions": permuting,
    "ExactCover.solve, symmetry": method("solve", lambda: affine_plane(43), up_to_symmetry=True),
    "CoverDiagram.count": count_orbits,
    "CoverDiagram.cheapest": lambda **limits: new_diagram().cheapest(100, **limits),
    "CoverDiagram.condition": lambda **limits: new_diagram().condition(forbidden=[0], **limits),
    "CoverDiagram.frequencies": lambda **limits: new_diagram().frequencies(**limits),
    "CoverDiagram.to_zdd": lambda **limits: new_diagram().to_zdd(**limits),
    "ExactCover.diagram_builder": lambda **limits: presolved().diagram_builder(**limits),
    "DiagramBuilder.run": resumable(lambda: queens().diagram_builder(), "run"),
    "Search.run": resumable(lambda: pigeons(16).search(), "run"),
    "Search.count": resumable(lambda: queens().search(), "count"),
    "Search.estimate": lambda **limits: queens().search().estimate(10**7, **limits),
    "Search.count, wide": resumable(lambda: wide().search(), "count"),
    "CoverCounter.run": resumable(lambda: queens().counter("search"), "run"),
    "CoverCounter.run, auto": resumable(lambda: queens().counter(), "run"),
    "CoverOptimizer.run": resumable(lambda: costly_queens().optimizer(), "run"),
    "solve_sudoku": lambda **limits: dlx.solve_sudoku(np.zeros(4096, int), **limits),
    "diagnose_sudoku": lambda **limits: dlx.diagnose_sudoku(EMPTY[0], rules=NO_KING, **limits),
    "SudokuRules.exact_cover": lambda **limits: NO_KING.exact_cover("4x4", **limits),
    "SudokuRules.possible": lambda **limits: NO_KING.possible("4x4", **limits),
    "SudokuRules.redundant": lambda **limits: NO_KING.redundant("4x4", **limits),
    "SudokuRules.exact_cover, many sums": lambda **limits: MANY_SUMS.exact_cover("4x4", **limits),
    "generate, many sums": lambda **limits: dlx.generate(
        1, box=(4, 4), rules=MANY_SUMS, seed=1, **limits
    ),
    "solve_sudoku, rules": lambda **limits: dlx.solve_sudoku(EMPTY[0], rules=NO_KING, **limits),
    "iter_solutions": lambda **limits: deque(dlx.iter_solutions("." * 81, **limits), 0),
    "iter_solutions, rules": lambda **limits: deque(
        dlx.iter_solutions("." * 81, rules=DIAGONAL, **limits), 0
    ),
    "solve_batch": lambda **limits: dlx.solve_batch("." * 81, None, **limits),
    "solve_stream": lambda **limits: deque(dlx.solve_stream(["." * 81], limit=None, **limits), 0),
    "solve_batch, candidates": lambda **limits: dlx.solve_batch(EMPTY, candidates=True, **limits),
    "canonical": lambda **limits: dlx.canonical(GRIDS, **limits),
    "automorphisms": lambda **limits: dlx.automorphisms(GRIDS, **limits),
    "minimize": lambda **limits: dlx.minimize(GRIDS, **limits),
    "is_minimal": lambda **limits: dlx.is_minimal(GRIDS, **limits),
    "generate": lambda **limits: dlx.generate(10**5, box=(4, 4), seed=1, **limits),
    "generate, rules": lambda **limits: dlx.generate(10**5, rules=DIAGONAL, seed=1, **limits),
    "rate": lambda **limits: dlx.rate(boards_with_one_given(), **limits),
}

# Calls that take no longer than reading their arguments or writing their results
SHORT = re.compile(
    r"\w+\.(to\w+|from_\w+|read|write|check|load|save|counters|advance|stop|strings?|svg|checked|of_\w+|parse"
    r"|columns|request_stop)"
    r"|ExactCover\.(covering|packing|replace)"
    # Parts of jobs: what runs them passes its limit on.
    r"|\w+\.(step|describe|is_over|leave_folder)"
    r"|CoverOptimizer\.best"
    r"|CoverDiagram\.zdd_options"
    r"|Search\.(cancel_tasks|push_back|split)|Ratings\.(count_classes|add_steps|step_columns|take)|Board\.completed"
    r"|SudokuRules\.(engine|find_contradiction|place|sentences|single_rules|stated|with_rules)"
    r"|Puzzle\.(boards|cover|has_right_answer|text|with_\w+)|SymmetryGroup\.smallest_filter"
    r"|example|placements|read|read_boards|transform|write_boards"
)

# Ctrl-C ends the call; its time is proportional to the length of the text that it returns
UNLIMITED = {"SymmetryGroup.cycles"}


@pytest.mark.parametrize(
    "is_main", [True, pytest.param(False, marks=pytest.mark.thorough)], ids=["main", "other"]
)
@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_a_time_limit_ends_each_call(call, is_main):
    assert work_seconds(partial(call, seconds=SECONDS), is_main) < SECONDS + MAX_SECONDS


@pytest.mark.parametrize(
    "is_main", [pytest.param(True, marks=pytest.mark.thorough), False], ids=["main", "other"]
)
@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_a_request_ends_each_call(call, is_main):
    stop = Request()
    with running(stop.set_when_polled):
        assert work_seconds(partial(call, stop=stop), is_main) < MAX_SECONDS


@pytest.mark.parametrize("name", [name for name in CALLS if "," not in name])
def test_conditions_that_fail(name):
    with pytest.raises(TypeError, match="stop must have a method is_set"):
        CALLS[name](stop=True)
    with pytest.raises(ZeroDivisionError):
        CALLS[name](stop=SimpleNamespace(is_set=lambda: 1 / 0))


@pytest.mark.parametrize("name", ["first", "count", "solutions"])
def test_calls_end_while_a_puzzle_is_stated(name):
    may_go_on = threading.Event()

    class Options:
        def __iter__(self):
            assert may_go_on.wait(60)
            return iter([["a"]])

    puzzle = dlx.Puzzle("Slow", Formulation(Options()))
    call = getattr(puzzle, name)
    stop = Request()
    with running(stop.set_when_polled), pytest.raises(dlx.Stopped) as caught:
        deque([call(stop=stop)] if name != "solutions" else call(stop=stop), 0)
    assert caught.value.partial == (0 if name == "count" else None)
    may_go_on.set()
    assert puzzle.count(seconds=60) == 1
    assert puzzle.first() == [0]


@pytest.mark.parametrize("name", ["cheapest", "explain"])
def test_calls_end_while_penalties_are_encoded_or_a_picture_is_sought(name, monkeypatch):
    may_go_on = threading.Event()
    monkeypatch.setattr(NamedProblem, "priced", lambda _: may_go_on.wait(60))
    monkeypatch.setattr(NamedProblem, "suggested", property(lambda _: may_go_on.wait(60)))
    cover = dlx.ExactCover([["a"]] * 3, exactly={"a": 2}, penalty={"a": 1})
    stop = Request()
    with running(stop.set_when_polled):
        if name == "explain":
            with pytest.raises(dlx.Stopped, match="stopped before the search began"):
                cover.explain(stop=stop)
        else:
            found = cover.cheapest(start=[0], stop=stop)
            assert ([*found], found.bound, found.done) == ([], None, False)
    may_go_on.set()


def work_seconds(call, is_main):
    """Return how long a call takes, without the loading of kernels and the work of others."""

    def run(_=0):
        with suppress(dlx.Stopped):
            call()

    begin = working_time(), time.process_time()
    run() if is_main else in_threads(1, run)
    return min(working_time() - begin[0], time.process_time() - begin[1])


BUILDER = "DiagramBuilder", DiagramBuilder  # public, though it has no public name


def is_method(attribute):
    return inspect.isfunction(attribute) or inspect.ismethod(attribute)


def test_each_public_call_has_a_limit_or_is_short():
    calls = set()
    for name, value in [*((name, getattr(dlx, name)) for name in dlx.__all__), BUILDER]:
        if inspect.isfunction(value):
            calls.add(name)
        elif inspect.isclass(value) and not issubclass(value, BaseException):
            inherited = dir(list) if issubclass(value, Sequence) else []
            calls |= {
                f"{name}.{method}"
                for method, _ in inspect.getmembers(value, is_method)
                if not method.startswith("_") and method not in inherited
            }
    limited = {name.partition(",")[0] for name in CALLS} | UNLIMITED
    assert limited <= calls
    assert [name for name in calls - limited if not SHORT.fullmatch(name)] == []
