"""Literal searches take the steps of the recursive program in the literature."""

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from tests.helpers import oracles
from tests.helpers.seeds import seeds


def recursive_search(options, primary, rule):
    """Return the covers of a recursive search, in its order, and the number of its nodes."""
    options = [dict(e if isinstance(e, tuple) else (e, None) for e in row) for row in options]
    covers, nodes = [], []

    def is_compatible(option, chosen):
        shared = option.keys() & chosen.keys()
        return all(option[item] is not None and option[item] == chosen[item] for item in shared)

    def search(left, available, chosen):
        if not left:
            covers.append(sorted(chosen))
            return
        lists = {item: [k for k in available if item in options[k]] for item in left}
        item = left[0]
        if rule == "literal-smallest":
            item = min(left, key=lambda item: len(lists[item]))
        nodes.append(item)
        for k in lists[item]:
            rest = [j for j in available if is_compatible(options[j], options[k])]
            search([i for i in left if i not in options[k]], rest, [*chosen, k])

    search(list(primary), list(range(len(options))), [])
    return covers, len(nodes)


@pytest.mark.parametrize("rule", ["literal-leftmost", "literal-smallest"])
def test_random_problems_take_the_steps_of_a_recursive_program(rule):
    for seed in seeds(60):
        options, bounds, secondary = oracles.random_general_problem(seed, has_bounds=False)
        covers, n_nodes = recursive_search(options, bounds, rule)
        cover = dlx.ExactCover(options, list(bounds), secondary, choose=rule)
        assert cover.solve() == covers
        search = cover.search()
        assert (search.count(), search._counters()[1]) == (len(covers), n_nodes)
        record = record_search(view_search(cover._stated, "random"), steps=10_000)
        assert [sorted(s.chosen) for s in record.steps if s.action == "visit"] == covers
        assert record.nodes == n_nodes
        assert not any(step.lacking for step in record.steps if step.action == "try")
