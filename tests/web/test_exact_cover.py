"""Exact covers in WebAssembly: covers, their order, and nodes are those of Python."""

import pytest

from dlx_numba import ExactCover, example
from tests.helpers import oracles
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.thorough

SOLVE = """
output = [];
for (const {options, ...statement} of input) {
  const cover = new dlx.ExactCover(options, statement);
  const covers = [];
  const {nodes, complete} = await cover.run(Infinity, {}, (found) => covers.push(found));
  output.push([covers, nodes, complete, (await cover.count()).count]);
}
"""


def random_statement(seed, algorithm):
    """Return the arguments of `ExactCover` for a random problem whose items are strings."""
    options, bounds, secondary = oracles.random_general_problem(seed, seed % 3 > 0)
    names = [f"item {k}" for k in range(len(bounds) + len(secondary))]
    if seed % 5 == 0:
        bounds[seed % len(bounds)] = 0, 0
    return {
        "options": [
            [(names[e[0]], e[1]) if isinstance(e, tuple) else names[e] for e in option]
            for option in options
        ],
        "items": names[: len(bounds)],
        "secondary": names[len(bounds) :],
        "multiplicity": {
            names[item]: [low, high if high < 3 else None] for item, (low, high) in bounds.items()
        },
        "algorithm": algorithm,
    }


def test_random_problems_are_searched_node_by_node_as_in_python(run_in_node):
    cases = [random_statement(seed, name) for seed in seeds(400) for name in ("links", "bitset")]
    for case, found in zip(cases, run_in_node(SOLVE, cases), strict=True):
        search = ExactCover(**case).search()
        covers = search.run()
        assert found == [covers, search.counters()[1], True, len(covers)], case


@pytest.mark.parametrize(
    ("name", "algorithm"), [("partitions", "links"), ("genius-star", "bitset")]
)
def test_the_algorithm_is_chosen_as_in_python(run_in_node, name, algorithm):
    cover = example(name).cover()
    case = {"options": cover.options, "statement": {"items": cover.items, "multiplicity": {}}}
    script = "const {options, statement} = input, cover = new dlx.ExactCover(options, statement);"
    script += "output = [await cover.run(Infinity, {}), cover.algorithm];"
    search = cover.search()
    search.count()
    count, nodes, _ = search.counters()
    result = {"count": count, "nodes": nodes, "complete": True}
    assert run_in_node(script, case) == [result, algorithm]
