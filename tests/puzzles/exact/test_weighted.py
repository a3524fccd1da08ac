"""Items with weights, routes with costs, and YAML."""

import random
import sys
from itertools import chain, combinations

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.read import parse_file
from dlx_numba.runtime.errors import FormatError
from tests.helpers.seeds import seeds


def read(text, kind=None):
    return parse_file(text.encode(), "toy", kind=kind)


def subsets(options):
    sizes = range(len(options) + 1)
    return chain.from_iterable(combinations(range(len(options)), size) for size in sizes)


def test_weights_are_summed_as_in_all_subsets():
    for seed in seeds(100):
        rng = random.Random(seed)
        low = rng.randint(0, 3)
        high = low + rng.randint(0, 2)
        options = []
        while len(options) < 7:
            option = {name: 1 for name in "ab" if rng.random() < 0.4}
            if rng.random() < 0.6:
                option["t"] = rng.randint(0, 3)
            if option:
                options.append(option)
        lines = [f"a t[{low}:{high}] b"]
        for option in options:
            words = [f"{n}={w}" if n == "t" and w != 1 else n for n, w in option.items()]
            lines.append(" ".join(words))
        file = read("\n".join(lines), "knuth")
        assert file.format == "Knuth's format"
        expected = 0
        for chosen in subsets(options):
            sums = {n: sum(options[k].get(n, 0) for k in chosen) for n in "abt"}
            expected += sums["a"] == sums["b"] == 1 and low <= sums["t"] <= high
        assert dlx.ExactCover(**file.formulation._asdict()).count() == expected


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a[3:2] b\nb\n", 1, r"invalid limits 'a\[3:2\]'"),
        ("a[2:2] a\na\n", 1, "item 'a' is given twice"),
        ("a[2:2] b\nb a=2 a\n", 2, "item 'a' appears twice"),
        ("a[2:2] b\nb c=2\n", 2, "unknown item 'c=2'"),
        ("1:0\n2:0,0\n", 2, "item 0 appears twice"),
        ("1:0\n2:1\n0,1,1\n", 3, "3 digits do not choose from 2 routes"),
        ("1:0\n2:1\n0,1\n3:1\n", 4, "only possible at the end"),
        ("1:0\n2:1\nthree\n", 3, "expected cost:item,item, not 'three'"),
        ("constraints:\n  a: A\ncandidates:\n  a b: A\n", 4, "item 'b' is unknown"),
        ("constraints:\n  a: A\nrows:\n  a: A\n", 3, "the key 'rows' is unknown"),
        ("constraints:\n  a: A\nconstraints:\n  a: A\n", 3, "'constraints' appears twice"),
        ("constraints:\n- a\n", 1, "expected names and texts under 'constraints'"),
        ("constraints:\n  a: [\n", 3, "not valid YAML"),
        ("candidates:\n  x: {a: b}\n", 2, "expected names and texts under 'candidates'"),
    ],
)
def test_errors_name_the_line(text, line, reason):
    kinds = {"1": "routes", "a": "knuth", "c": "yaml"}
    with pytest.raises(FormatError, match=f"toy:{line}: .*{reason}"):
        read(text, kinds[text[0]])


def test_costs_of_routes_may_be_negative_or_have_exponents():
    [routes] = dlx.read("-2:0,1\n1e1:0\n-0.5:1\n", kind="routes")
    costs = [cover.cost for cover in routes.cover().cheapest(2)]
    assert costs == [-2, 9.5]


def test_the_last_line_of_routes_is_no_option():
    text = "1.5:0,1\n2:2\n0.5:1,2 \n1:0\n"
    statement = read(text + "1,1,0,0\n", "routes").formulation
    problem = dlx.ExactCover(**statement._asdict())
    assert problem == dlx.ExactCover(**read(text, "routes").formulation._asdict())
    assert sorted((cover.cost, list(cover)) for cover in problem.cheapest(5)) == [
        (1.5, [2, 3]),
        (3.5, [0, 1]),
    ]
    wrong = read(text + "1 0 1 0\n", "routes")
    assert (wrong.answer, read(text, "routes").answer) == ((0, 2), "")


YAML = """# pieces
constraints:
  1: the first cell
  no: the second cell
  ł: a piece
candidates:
  1 ł: Place it.
  no ł: Place it.
  1: Leave it.
  no: Leave the other.
"""


def test_yaml_names_are_read_as_they_are_written():
    pytest.importorskip("yaml", reason="pip install 'dlx-numba[yaml]'")
    statement = read(YAML).formulation
    assert statement.items == ["1", "no", "ł"]
    assert [*statement.options] == [
        "Place it. (1 ł)",
        "Place it. (no ł)",
        "Leave it.",
        "Leave the other.",
    ]
    assert dlx.ExactCover(**statement._asdict()).count() == 2
    listed = read("candidates: # without items\n  a b:\n  c: C\n  b: C\n").formulation
    assert listed.options == {0: ["a", "b"], "C (c)": ["c"], "C (b)": ["b"]}


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ValueError, match="YAML needs the package PyYAML: pip install"):
        read(YAML)
