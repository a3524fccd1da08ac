"""Every attribute of every object that can be pickled, copied or saved is the same afterwards."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pytest

import dlx_numba as dlx
from tests.test_objects import COPIES, EXCEPTIONS, RESUMABLE, VALUES, cases, make_cover

pytest.importorskip("highspy")

# What a copy computes again when it is needed, or what belongs to one process or thread
RECOMPUTED = {
    ("Clock", "_lock"),
    ("Clock", "_n_running"),
    ("Clock", "_start_time"),
    ("CoverOptimizer", "_highs"),  # a thread; `_known` has what it has found
    ("CoverOptimizer", "_known"),
    ("ExactCover", "_statistics"),
    ("ExclusiveUse", "_lock"),
    ("ExclusiveUse", "_data_lock"),
    ("ExclusiveUse", "stop_request"),
    ("NamedProblem", "plain"),
    ("Names", "_copies"),
    ("Names", "_numbers"),
    ("NodeTask", "examination"),
    ("PreparedProblem", "_batch_search"),
    ("PreparedProblem", "_builder"),
    ("PreparedProblem", "_parts"),
    ("Search", "_executor_runner"),
    ("Search", "_last_limits"),
    ("Settings", "forbidden"),
    ("Settings", "given"),  # `NamedProblem.selected` has its numbers
    ("NamedProblem", "_kept"),
    ("NamedProblem", "original"),  # with which it shares what is kept
    ("SubtreeX", "_call"),
    ("SubtreeBitset", "_call"),
    ("SubtreeBitset", "builder"),
    ("MemoPortfolio", "_steps"),
    ("ThreadStatistics", "value"),
}


def attributes(value):
    """All attributes of an object, by name: those in its dictionary, in slots, and of a tuple."""
    names = {*getattr(value, "__dict__", ()), *getattr(value, "_fields", ())}
    for each in type(value).__mro__:
        slots = vars(each).get("__slots__", ())
        names |= {*([slots] if isinstance(slots, str) else slots)} - {"__dict__", "__weakref__"}
    if isinstance(value, BaseException):
        names.add("args")
    is_computed = (isinstance(getattr(type(value), name, None), cached_property) for name in names)
    return {name for name, computed in zip(names, is_computed, strict=True) if not computed}


def differences(one, other, path="", seen=None):
    """The paths of all attributes in which two objects differ."""
    seen = {} if seen is None else seen
    if (id(one), id(other)) in seen:
        return []
    seen[id(one), id(other)] = one, other  # which keeps both, so that no other gets their ids
    if type(one) is not type(other):
        return [path]
    found = []
    if isinstance(one, np.ndarray):
        is_equal = one.dtype == other.dtype and np.array_equal(one, other, one.dtype.kind == "f")
        return [] if is_equal else [path]
    names = attributes(one) | attributes(other)
    names -= {name for kind, name in RECOMPUTED if kind == type(one).__name__}
    missing = object()
    pairs = [(f".{k}", getattr(one, k, missing), getattr(other, k, missing)) for k in names]
    has_none = not (attributes(one) or attributes(other))
    if isinstance(one, dict):
        pairs += [(".keys", [*one], [*other]), (".values", [*one.values()], [*other.values()])]
    elif hasattr(one, "_fields"):
        pass
    elif isinstance(one, Sequence) and not isinstance(one, str | bytes | range):
        if len(one) != len(other):
            return [path]
        pairs += [(f"[{k}]", *pair) for k, pair in enumerate(zip(one, other, strict=True))]
    for name, first, second in pairs:
        found += differences(first, second, f"{path}{name}", seen)
    if not pairs and has_none and one != other:
        found.append(path)
    return found


def plan(**arguments):
    """An optimizer whose problem has rewards for options of an earlier plan."""
    return make_cover(choose="random", seed=3).optimizer(start=[1, 2], changes=0.25, **arguments)


def begun(make, *arguments, **keywords):
    def make_and_run():
        resumable = make()
        resumable.run(*arguments, **keywords)
        return resumable

    return make_and_run


def make_roster(**arguments):
    options = {"x": ["a", "b"], "y": ["a"], "z": ["b"], "w": ["c"]}
    bounds = {"multiplicity": {"a": 2, "b": (1, None)}, "penalty": {"a": 9, "b": 2.5, "c": 1}}
    totals = {"hours": ({"x": 3, "w": 1}, 0, 4)}
    return dlx.ExactCover(options, costs={"x": 1, "y": 2}, totals=totals, **bounds, **arguments)


SAVED = {
    "a plan with changes": plan,
    "a solved plan with changes": begun(plan),
    "an interrupted plan": begun(plan, 0),
    "two plans by HiGHS": begun(lambda: plan(k=2, engine="highs")),
    "a plan by both engines": begun(lambda: plan(engine="both")),
    "the plan of a roster": begun(lambda: make_roster().optimizer(2)),
    "a search of a part": begun(lambda: make_cover().search(), solutions=1),
    "a random search": begun(lambda: make_cover(choose="random", seed=7).search(), solutions=1),
    "a presolved search": begun(lambda: make_cover(presolve=True).search()),
    "a search with bitmaps": begun(lambda: make_cover(algorithm="bitset").search(), solutions=1),
}
OTHERS = {
    **SAVED,
    "a roster": make_roster,
    "a roster with other costs": lambda: make_roster().replace(costs=[0.5, 1, 2, 3], given=["w"]),
    "a relaxed roster": lambda: make_roster().relax({"uncovered": 1}),
    "a counter": begun(lambda: make_cover().counter("memo")),
    "a builder": lambda: make_cover().diagram_builder(),
    "covers with a bound": lambda: make_cover().cheapest(2, start=[1, 2], changes=0.25),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@cases({**VALUES, **RESUMABLE, **EXCEPTIONS, **OTHERS})
def test_copies_have_all_attributes(make, copied):
    original = make()
    assert differences(original, copied(original), type(original).__name__) == []


def test_a_copied_plan_with_changes_has_the_same_costs():
    optimizer = dlx.ExactCover([["a"], ["b"], ["b"]], costs=[2, 1, 3]).optimizer(
        2, start=[0, 2], changes=4
    )
    optimizer.run()
    expected = [([0, 2], 5), ([0, 1], 3)]
    for each in (optimizer, *(copied(optimizer) for copied in COPIES.values())):
        result = each.result
        assert [(cover, cover.cost) for cover in result] == expected
        assert (result.bound, result.done) == (7, True)  # 3 and a change


@pytest.mark.parametrize("engine", ["highs", "both"])
def test_a_copy_keeps_what_highs_has_found(engine, tmp_path):
    options = [["a", "b"], ["a"], ["b"], ["b", "c"], ["c"]]
    problem = dlx.ExactCover(options, costs=[4, 2, 2, 5, 1])
    optimizer = problem.optimizer(2, engine=engine)
    optimizer.run()
    optimizer.save(tmp_path / "saved")
    loaded = [
        dlx.CoverOptimizer.load(tmp_path / "saved"),
        dlx.CoverOptimizer.load(tmp_path / "saved", problem.optimizer(2, engine=engine)),
    ]
    for each in (*loaded, *(copied(optimizer) for copied in COPIES.values())):
        assert each.done
        assert (each.result, each.result.bound) == ([[0, 4], [1, 2, 4]], 5)
        assert (each.method, str(each).split(", ")[:2]) == (optimizer.method, ["cost 5", "bound 5"])


# The path of a subtree is followed again, and presolving attempted; solutions that were returned
# are not stored; a problem is equal, but its arrays and numbers may have other types
NOT_IN_FILES = {"presolving", "proof", "result", "spec", "subtrees"}


def public(value):
    """The public attributes of an object, which are no methods, by their names."""
    names = {name for name in dir(value) if name[0] != "_" and not callable(getattr(value, name))}
    found = {name: getattr(value, name) for name in sorted(names - NOT_IN_FILES)}
    return {name: tuple(v) if name == "progress" else v for name, v in found.items()}


@cases(SAVED)
def test_saved_objects_have_all_public_attributes(make, tmp_path):
    original = make()
    original.save(tmp_path / "saved")
    expected = [make()] if isinstance(original, dlx.CoverOptimizer) else []
    loaded = type(original).load(tmp_path / "saved", *expected)
    for one, other in ((original, loaded), (loaded, original)):
        assert differences(public(one), public(other), type(original).__name__) == []
    if isinstance(original, dlx.CoverOptimizer):
        assert differences(original.result, loaded.result) == []
    assert loaded.counters() == original.counters()
