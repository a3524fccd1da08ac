"""Without costs, options count: the fewest of a cover or a covering, the most of a packing."""

import json
import logging
import random
from itertools import chain, combinations

import pytest

import dlx_numba as dlx
from dlx_numba.cli.tools import Tools
from dlx_numba.verify_certificate import main as verify_files
from tests.helpers.processes import invoke

# The set packing and the set covering of a public collection of constraint problems
SETS = [
    [1, 2],
    [2, 8],
    [5, 6],
    [6, 7, 10, 11],
    [9, 10],
    [1, 2, 3, 5, 9, 10, 11],
    [3, 4, 7, 8, 11, 12],
]
NAMED = {"a": [1], "b": [2], "ab": [1, 2]}
FEWEST = "no costs: the fewest options"
MOST = "no costs: the most options"
PENALTIES = "no costs: only penalties count"


def test_the_cheapest_cover_has_the_fewest_options(caplog):
    caplog.set_level(logging.INFO, "dlx_numba")
    problem = dlx.ExactCover(NAMED)
    covers = problem.cheapest(3)
    assert [(cover.names, cover.cost) for cover in covers] == [(["ab"], 1), (["a", "b"], 2)]
    assert (covers.done, covers.bound) == (True, 2)
    assert caplog.messages == [FEWEST]
    optimizer = problem.optimizer(engine="own")
    optimizer.run()
    assert optimizer.result == problem.diagram().cheapest() == [[2]]
    assert problem.cheapest_batch(forbidden=[["ab"], []]).covers == [[0, 1], [2]]
    assert caplog.messages == [FEWEST] * 4


def test_packings_have_the_most_options_and_coverings_the_fewest(caplog):
    caplog.set_level(logging.INFO, "dlx_numba")
    packings = dlx.ExactCover.packing(SETS).cheapest()
    assert (packings, packings.done) == ([[0, 2, 4, 6]], True)
    assert packings[0].cost == packings.bound == 4
    coverings = dlx.ExactCover.covering(SETS).cheapest()
    assert (coverings, coverings[0].cost, coverings.done) == ([[2, 5, 6]], 3, True)
    unneeded = dlx.ExactCover.covering(NAMED, at_least={1: 0, 2: 0})  # still a covering
    for kind in ("json", "knuth", "mps"):
        read = dlx.ExactCover.read(unneeded.write(kind=kind), kind=kind)
        assert unneeded.cheapest() == read.cheapest() == [[]]
    required = dlx.ExactCover.packing(SETS, at_least={7: 1, 9: 1})  # still a packing
    assert required.cheapest()[0].cost == 4
    assert dlx.ExactCover.read(required.write(kind="json")).cheapest()[0].cost == 4
    exact = dlx.ExactCover.packing(NAMED, exactly={1: 1, 2: 1})  # also if each item is required
    assert exact.cheapest() == [[0, 1]]
    for kind in ("json", "mps"):
        assert dlx.ExactCover.read(exact.write(kind=kind), kind).cheapest() == [[0, 1]]
    bounds = {item: (0, 1) for option in SETS for item in option}
    assert dlx.ExactCover(SETS, multiplicity=bounds).cheapest() == [[0, 2, 4, 6]]
    assert caplog.messages == [MOST, *[FEWEST] * 4, MOST, MOST, MOST]


@pytest.mark.parametrize("engine", ["own", "highs", "both"])
@pytest.mark.parametrize("kind", ["packing", "covering"])
def test_random_sets_as_by_enumeration(kind, engine):
    if engine != "own":
        pytest.importorskip("highspy")
    for seed in range(8):
        rng = random.Random(seed)
        options = [rng.sample(range(7), rng.randint(1, 3)) for _ in range(9)]
        n_items = len({*chain(*options)})
        sizes = []
        for size in range(len(options) + 1):
            for chosen in combinations(options, size):
                listed = [*chain(*chosen)]
                n_covered = len({*listed})
                if n_covered == (len(listed) if kind == "packing" else n_items):
                    sizes.append(size)
        covers = getattr(dlx.ExactCover, kind)(options).cheapest(engine=engine)
        expected = max(sizes) if kind == "packing" else min(sizes)
        assert (len(covers[0]), covers[0].cost, covers.bound) == (expected,) * 3


def test_costs_that_are_given_stay(caplog):
    caplog.set_level(logging.INFO, "dlx_numba")
    zeros = dlx.ExactCover(NAMED, costs=[0, 0, 0])
    assert zeros.cheapest()[0].cost == 0
    for kind in ("json", "knuth", "mps"):
        again = dlx.ExactCover.read(zeros.write(kind=kind), kind)
        assert again.problem.cost.tolist() == [0, 0, 0]
        free = dlx.ExactCover(NAMED)
        assert dlx.ExactCover.read(free.write(kind=kind), kind).problem.cost is None
    assert dlx.ExactCover(NAMED, costs={"ab": 5}).cheapest() == [[0, 1]]  # the others cost 0
    assert dlx.ExactCover(NAMED).cheapest(costs={"ab": 5}) == [[0, 1]]
    assert caplog.messages == []


def test_penalties_alone_count(caplog):
    caplog.set_level(logging.INFO, "dlx_numba")
    roster = dlx.ExactCover([["mon"], ["mon", "tue"]], ["mon", "tue", "wed"], penalty={"wed": 5})
    assert [cover.cost for cover in roster.cheapest()] == [5]
    assert caplog.messages == [PENALTIES]
    again = dlx.ExactCover.read(roster.write(kind="json"))
    assert again == roster
    again.cheapest()
    assert [cover.cost for cover in roster.diagram().cheapest()] == [5]
    assert caplog.messages == [PENALTIES] * 3


def test_a_packing_with_penalties_is_written_without_costs():
    packing = dlx.ExactCover.packing(
        [["a"], ["a"], ["a", "b"]], at_least={"a": 2}, at_most={"a": 2}, penalty={"a": 1}
    )
    read = dlx.ExactCover.read(packing.write(kind="json"))
    for problem in (packing, read):
        assert [cover.cost for cover in problem.cheapest(4)] == [0, 0, 0, 1]


def test_loaded_diagrams_have_the_cheapest_covers_of_saved_ones(tmp_path, caplog):
    caplog.set_level(logging.INFO, "dlx_numba")
    path = tmp_path / "covers.npz"

    def loaded(problem):
        problem.diagram().save(path)
        return dlx.CoverDiagram.load(path)

    assert loaded(dlx.ExactCover.packing(NAMED)).cheapest() == [[0, 1]]
    assert loaded(dlx.ExactCover(NAMED)).cheapest() == [[2]]
    assert caplog.messages == [FEWEST]
    roster = dlx.ExactCover([["a"], ["a"]], at_least={"a": 2}, penalty={"a": 5})
    with pytest.raises(ValueError, match="lacks penalties"):
        loaded(roster).cheapest()


def test_empty_costs_and_penalties_are_the_problem_without_them():
    plain = dlx.ExactCover(NAMED, [1, 2, 3])
    assert dlx.ExactCover(NAMED, [1, 2, 3], costs={}, penalty={}) == plain
    for change in ({"costs": [1, 2, 3]}, {"maximize": [1, 2, 3]}, {"penalty": {3: 5, 1: 2}}):
        changed = plain.replace(**change)
        assert changed != plain
        assert changed.replace(**{name: {} for name in change}) == plain
    both = plain.replace(costs=[1, 2, 3], penalty={3: 5})
    assert both.replace(costs={}) == plain.replace(penalty={3: 5})
    assert both.replace(penalty={}) == plain.replace(costs=[1, 2, 3])
    several = dlx.ExactCover([["a"], ["a"], ["a"]], multiplicity={"a": (2, None)})
    priced = several.replace(penalty={"a": 3}, costs=[1, 1, 2])
    assert priced.replace(penalty={}, costs={}) == several
    assert priced.replace(costs={}, penalty={}).cheapest()[0].cost == 2
    assert dlx.ExactCover(NAMED, costs=[1, 1, 9]).cheapest(costs={}) == [[2]]


def test_commands_say_what_counts(tmp_path):
    path = tmp_path / "sets.json"
    path.write_text(json.dumps({"options": NAMED}))
    proof = tmp_path / "proof"
    output, notices = invoke("cheapest", "-f", "names", "--certificate", proof, path)
    assert (output, FEWEST in notices) == ("ab\n", True)
    written = tmp_path / "written.json"
    for kind, name in (("json", "written.json"), ("knuth", "written.dlx")):
        written = tmp_path / name
        written.write_text(dlx.ExactCover(NAMED).write(kind=kind))
        assert verify_files([str(written), str(proof)]) == 0
    assert dlx.ExactCover(NAMED).certify(proof, "cost") == 1
    assert verify_files([str(written), str(proof)]) == 0
    path.write_text(dlx.ExactCover.packing(SETS).write(kind="json"))
    output, notices = invoke("cheapest", path)
    assert (output, MOST in notices) == ("0 2 4 6\n", True)


def test_a_tool_says_what_counts():
    tools = Tools(10, 1 << 20, 1)
    _, found = tools.call("cheapest", {"problem": {"options": NAMED}}, None)
    assert ([each["names"] for each in found["covers"]], found["notice"]) == ([["ab"]], FEWEST)
    packing = json.loads(dlx.ExactCover.packing(SETS).write(kind="json"))
    _, found = tools.call("cheapest", {"problem": packing}, None)
    assert (found["covers"][0]["options"], found["bound"]) == ([0, 2, 4, 6], 4)
    assert found["notice"] == MOST
    _, found = tools.call("cheapest", {"problem": {"options": NAMED, "costs": [1, 1, 1]}}, None)
    assert "notice" not in found


def test_costs_of_a_call_are_weights_of_a_packing():
    packing = dlx.ExactCover.packing({"p": ["a"], "q": ["b"], "r": ["a", "b"]})
    weights = {"p": 3, "q": 1, "r": 2}
    best = packing.cheapest(costs=weights)
    assert (best, best[0].cost) == ([[0, 1]], 4)
    assert packing.cheapest_batch(costs=[weights]).covers == [[0, 1]]


def test_empty_costs_of_a_variation_are_none():
    cover = dlx.ExactCover({"p": ["a"], "q": ["b"], "r": ["a", "b"]})
    batch = cover.cheapest_batch(costs=[{}, {"p": 1}])
    assert (batch.covers, batch.bounds) == ([[2], [2]], [1, 0])
