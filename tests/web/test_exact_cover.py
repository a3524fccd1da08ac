"""Exact covers in WebAssembly: covers, their order, and nodes are those of Python."""

import random
from itertools import product

import pytest

from dlx_numba import ExactCover
from dlx_numba.gallery import GALLERY
from tests.helpers.seeds import instances, seeded

pytestmark = pytest.mark.thorough

SOLVE = """
output = [];
for (const {options, statement, limit} of input) {
  const cover = new dlx.ExactCover(options, statement);
  const covers = [];
  const {nodes, complete} = await cover.run(limit ?? Infinity, {}, (found) => covers.push(found));
  output.push([covers, nodes, complete, (await cover.count()).count]);
}
"""


def random_statement(rng, has_colors, has_bounds, algorithm):
    items = [f"i{k}" for k in range(rng.randint(1, 9))]
    secondary = [f"s{k}" for k in range(rng.randint(0, 4))]
    options = []
    for _ in range(rng.randint(1, 22)):
        option = rng.sample(items, rng.randint(1, min(4, len(items))))
        for item in rng.sample(secondary, rng.randint(0, len(secondary))):
            is_colored = has_colors and rng.random() < 0.8
            option.append([item, rng.choice("xyz")] if is_colored else item)
        options.append(option)
    multiplicity = {}
    for item in items if has_bounds else ():
        low = rng.randint(0, 2)
        multiplicity[item] = [low, rng.choice([None, max(1, low), low + 1])]
    names = {"items": items, "secondary": secondary}
    statement = {**names, "multiplicity": multiplicity, "algorithm": algorithm}
    return {"options": options, "statement": statement}


def expected(case):
    """Return what the script in Node returns, computed by Python."""
    options = [[tuple(e) if isinstance(e, list) else e for e in o] for o in case["options"]]
    multiplicity = {k: tuple(v) for k, v in case["statement"]["multiplicity"].items()}
    statement = case["statement"] | {"multiplicity": multiplicity}
    search = ExactCover(options, **statement).search()
    covers = search.run()
    return [covers, search.counters()[1], True, len(covers)]


def test_random_problems_are_searched_node_by_node_as_in_python(run_in_node):
    rng = random.Random(seeded(43))
    features = product((False, True), (False, True), ("links", "bitset"))
    cases = [random_statement(rng, *each) for each in features for _ in range(instances(50))]
    for case, found in zip(cases, run_in_node(SOLVE, cases), strict=True):
        assert found == expected(case), case


@pytest.mark.parametrize(
    ("name", "algorithm"), [("partitions", "links"), ("genius-star", "bitset")]
)
def test_the_algorithm_is_chosen_as_in_python(run_in_node, name, algorithm):
    cover = GALLERY[name]().cover()
    case = {"options": cover.options, "statement": {"items": cover.items, "multiplicity": {}}}
    script = "const {options, statement} = input, cover = new dlx.ExactCover(options, statement);"
    script += "output = [await cover.run(Infinity, {}), cover.algorithm];"
    search = cover.search()
    search.count()
    count, nodes, _ = search.counters()
    result = {"count": count, "nodes": nodes, "complete": True}
    assert run_in_node(script, case) == [result, algorithm]
