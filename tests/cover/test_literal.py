"""Literal searches take the steps of the recursive program in the literature."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.kernels.dlx.algorithm_x import SubtreeX
from dlx_numba.kernels.dlx.branching import Branching, BranchingRule
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers import ROOT, oracles
from tests.helpers.seeds import seeds

RULES = ["literal-leftmost", "literal-smallest"]


def color_of(entry):
    return entry if isinstance(entry, tuple) else (entry, None)


def recursive_steps(options, primary, rule):
    """Return the steps of a recursive search: items with their sizes, options, and covers."""
    options = [dict(map(color_of, option)) for option in options]
    steps = []

    def is_compatible(option, chosen):
        shared = option.keys() & chosen.keys()
        return all(option[item] is not None and option[item] == chosen[item] for item in shared)

    def search(left, available, chosen):
        if not left:
            steps.append(("visit", sorted(chosen)))
            return
        lists = {item: [k for k in available if item in options[k]] for item in left}
        sizes = {item: len(lists[item]) for item in left}
        item = left[0] if rule == "literal-leftmost" else min(left, key=sizes.get)
        steps.append(("choose", item, sizes[item]))
        for k in lists[item]:
            steps.append(("try", k))
            rest = [j for j in available if is_compatible(options[j], options[k])]
            search([i for i in left if i not in options[k]], rest, [*chosen, k])

    search(list(primary), list(range(len(options))), [])
    return steps


@pytest.mark.parametrize("rule", RULES)
def test_random_problems_take_the_steps_of_a_recursive_program(rule):
    for seed in seeds(60):
        options, bounds, secondary = oracles.random_general_problem(seed, has_bounds=False)
        expected = recursive_steps(options, bounds, rule)
        cover = dlx.ExactCover(options, list(bounds), secondary, choose=rule)
        visited = [step[1] for step in expected if step[0] == "visit"]
        assert [sorted(found) for found in cover.solve()] == visited
        search = cover.search()
        assert search.count() == len(visited)
        assert search.counters()[1] == sum(step[0] == "choose" for step in expected)
        record = record_search(view_search(cover, "random"), steps=10_000)
        steps = []
        for step in record.steps:
            if step.action == "choose":
                size = record.tree[step.tree_node].size
                steps.append(("choose", cover.items[step.item - 1], size))
            elif step.action in ("try", "visit"):
                found = sorted(step.chosen) if step.action == "visit" else step.option
                steps.append((step.action, found))
        assert steps == expected
        assert record.nodes == search.counters()[1]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("leftmost", "a2 1 b1 2 . 3 b1 4 c1 0 ✓"),
        ("smallest", "a2 1 f1 2 . 3 e1 0 g1 4 ✓"),
        ("literal-leftmost", "a2 1 b1 2 e0 3 b1 4 c1 0 ✓"),
        ("literal-smallest", "a2 1 b1 2 e0 3 b1 4 c1 0 ✓"),
    ],
)
def test_run_of_the_paper_step_by_step(rule, expected):
    """Knuth's example: items with their sizes, the options tried, dead ends, and the cover."""
    cover = dlx.ExactCover.from_file(ROOT / "docs" / "examples" / "knuth.dlx", choose=rule)
    record = record_search(view_search(cover, "paper"))
    words = []
    for step in record.steps:
        if step.action == "choose":
            words.append(f"{record.view.items[step.item - 1]}{record.tree[step.tree_node].size}")
        elif step.action == "try":
            words += [str(step.option), *["."] * (step.lacking > 0)]
    assert " ".join([*words, *"✓" * len(record.covers)]) == expected
    assert record.nodes == sum(word[0].isalpha() for word in words)


def test_nodes_of_a_sudoku_are_those_of_backtracking():
    """The first items are the empty cells, so each node is an attempt of the naive program."""
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    values = np.array([int(symbol.replace(".", "0")) for symbol in puzzle], np.uint8)
    view = view_board(values, Box(3, 3), Alphabet("1-9A-", 9), "board")
    tree = SubtreeX.start(view.problem, BranchingRule(Branching.LITERAL_LEFTMOST))
    tree.explore(1 << 40, 1)
    assert tree.counters[1] == int(dlx.solve_batch(puzzle, engine="dlx-literal").nodes[0]) - 1


def test_what_a_literal_search_does_not_support():
    with pytest.raises(ValueError, match="choose: a literal search cannot have multiplicities"):
        dlx.ExactCover([["a"]], at_most={"a": 2}, choose="literal-leftmost")
    with pytest.raises(ValueError, match="algorithm of a literal search must be one of auto, link"):
        dlx.ExactCover([["a"]], choose="literal-leftmost", algorithm="bitset")
