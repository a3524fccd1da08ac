"""Recorded searches match the kernel and can be replayed."""

import itertools

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from dlx_numba.explain.record import StopReason
from dlx_numba.kernels.algorithms import linked_class
from dlx_numba.kernels.cover_array import Translation
from dlx_numba.runtime.arguments import UNLIMITED
from dlx_numba.search.search import Search
from tests.helpers.examples import knuth_example, multiplicity_example
from tests.helpers.pages import arrays_by_step
from tests.helpers.problems import general_problem
from tests.helpers.seeds import instances, seeds


def test_the_end_of_a_record_may_cut_off_covers():
    cover = dlx.ExactCover([["a"], ["a"]], costs=[4, 1], choose="literal-smallest")
    view = view_search(named_problem(cover), "")
    records = [record_search(view, steps=n) for n in range(1, 12)]
    for record in records:
        visits = sum(step.action == "visit" for step in record.steps)
        assert len(record.covers) == visits
    lowest = [record.ending.partition(", costs ")[2] for record in records]
    assert [*dict.fromkeys(lowest)] == ["", "4.", "1."]


def test_knuths_example():
    record = record_search(view_search(named_problem(knuth_example()), "Knuth"))
    names = " ".join(step.name for step in record.steps)
    assert names == "X1 X3 X4 X5 X3 X4 X5 X6 X7 X8 X6 X5 X3 X4 X5 X3 X4 X5 X2 X8"
    choice = "Choose item 0, which has 2 options left: no item has fewer."
    assert record.steps[1].text == choice
    assert record.steps[-2].chosen == (3, 0, 4)
    outcomes = [(node.option, node.outcome) for node in record.tree[1:]]
    assert outcomes == [(1, "exhausted"), (0, "dead-end"), (3, ""), (0, ""), (4, "cover")]


def test_random_problems_with_multiplicities():
    """Covers, nodes, updates and the final arrays are those of the solver."""
    counts = {"multiplicities": 0, "colors": 0, "none": 0, "tweak": 0}
    for seed, choose in itertools.product(seeds(500), ("smallest", "leftmost")):
        cover = general_problem(seed, choose=choose)
        record = record_search(view_search(named_problem(cover), "random"), steps=10**6)
        assert record.stop_reason is StopReason.COMPLETE
        search = Search(named_problem(cover).prepare(simplifies=False))
        assert record.covers == search.run()
        assert (record.nodes, record.updates) == search.counters()[1:]
        problem = record.view.problem
        rule = record.view.rule
        tree = linked_class(problem, rule).start(problem, rule)
        links, colors, *bounds, _ = tree.groups
        while not tree.is_done:
            tree.explore(UNLIMITED, UNLIMITED, Translation())  # as the recorded search does
        last = arrays_by_step(record)[-1]
        assert list(last)[:6] == list(links._fields)
        ends = links._asdict()
        for each in filter(None, bounds):
            ends |= {"need": each.need, "capacity": each.capacity}
        ends |= {"purifier": colors.purifier} if colors else {}
        assert last == {name: values.tolist() for name, values in ends.items()}
        if record.steps[0].name == "M1":
            counts["multiplicities"] += 1
            counts["colors"] += "purifier" in record.arrays
            counts["none"] += any(node.parent >= 0 > node.option for node in record.tree)
            counts["tweak"] += any(step.name == "M5" for step in record.steps)
    assert counts["multiplicities"] > instances(300)
    assert min(counts.values()) > instances(100)


def test_multiplicities_are_described():
    record = record_search(view_search(named_problem(multiplicity_example()), "multiplicities"))
    assert record.covers == [[0, 1, 2], [0, 1, 3], [0, 1], [1, 2], [1, 3], [0, 2, 4]]
    names = " ".join(step.name for step in record.steps[:24])
    assert names == ("M1 M3 M4 M6 M3 M4 M5 M6 M3 M4 M6 M2 M9 M7 M6 M2 M9 M7 M6 M2 M9 M8 M9 M7")
    texts = [step.text for step in record.steps]
    assert texts[4:8] == [
        "Branch on item a, which needs 1 option and can take up to 2; 3 are left, which gives 3 "
        "branches: no item has fewer, except items that can take any subset of their options.",
        "Item a can take more than one option, so it stays in the item list.",
        "Tweak option a b: item a takes it and needs no more. The option is removed from all its "
        "lists until this level is left, so that no set of options is generated twice.",
        "Try option a b: item b takes it.",
    ]
    assert texts[14] == (
        "Try option a b s:y: cover item b, which can take no more options; purify item s (keep "
        "only options of the same color)."
    )
    assert texts[18] == "Try none: item a needs no more options, and takes no further one."
    assert texts[20:22] == [
        "Return to level 2, where item a took no further option.",
        "No branches of item a are left: restore it and its options.",
    ]
    assert texts[-1] == "There is no level to return to, so the search ends: 6 covers were found."
    assert [step.chosen for step in record.steps[18:22]] == [(1, 0)] * 4
    outcomes = [(node.option, node.outcome) for node in record.tree[3:6]]
    assert outcomes == [(2, "cover"), (3, "cover"), (-1, "cover")]


def test_a_record_has_at_most_the_given_number_of_assignments():
    record = record_search(view_search(named_problem(knuth_example()), "Knuth"), max_assignments=20)
    assert (record.stop_reason, len(record.steps)) == (StopReason.MAX_ASSIGNMENTS, 5)


def test_a_record_ends_at_its_steps_while_options_fail():
    options = [["ab"[k % 2], "s"] for k in range(100)]
    for multiplicity in (None, {"a": 2}):
        cover = dlx.ExactCover(options, secondary=["s"], multiplicity=multiplicity)
        record = record_search(view_search(named_problem(cover), "failing options"), steps=10)
        assert (record.stop_reason, len(record.steps)) == (StopReason.MAX_STEPS, 10)
        assert len(record.tree) < 10


NOTHING = "No item needs an option: the empty set of options is a cover."


@pytest.mark.parametrize(
    ("options", "more", "covers", "text"),
    [
        ([], {}, [[]], NOTHING),
        ([], {"items": ["a"]}, [], "Item a has no options left: a dead end."),
        ([[], ["a"], []], {}, [[1]], "Choose item a, which has 1 option left: "),
        ([], {"items": ["a"], "multiplicity": {"a": (0, 5)}}, [[]], NOTHING),
        ([["a"], ["b"]], {"multiplicity": {"a": 4}}, [], "Item a needs 4 options, but only 1 is"),
        (
            [["a"], ["a"]],
            {"multiplicity": {"a": (0, 10**9)}},
            [[0, 1], [0], [1], []],
            "Branch on item a, which needs no options and can take any number; 2 are left, which "
            "gives 3 branches. All remaining items can take any subset of their options.",
        ),
    ],
)
def test_degenerate_problems(options, more, covers, text):
    record = record_search(
        view_search(named_problem(dlx.ExactCover(options, **more)), "degenerate")
    )
    assert record.covers == covers
    assert record.steps[1].text.startswith(text)


def test_the_cheapest_cover_pays_penalties():
    options = {"a": ["x"], "b": ["x"], "c": ["x", "y"]}
    cover = dlx.ExactCover(options, exactly={"x": 2}, penalty={"x": 5}, costs=[1, 2, 3])
    assert "the cheapest cover, in step 7, costs 4." in cover.explain().record.ending
