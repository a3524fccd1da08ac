"""Texts with a line changed: errors, or other problems in the same format."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.read import FORMATS, parse_file
from tests.helpers.seeds import seeds

TEXTS = [
    ("knuth", "a 0:2|b c | d\na d:x |3\nb c\nc d:y\nb a |1\n"),
    ("sets", "universe = {A, B, C, D}\nS1 = {A}\nS2 = {A, B}\nS3 = {C}\n"),
    ("matrix", "101\n010\n110\n"),
    ("matrix", "7 1\n0 0 1 0 1 1 0\n1 0 0 1 0 0 1\n0 1 1 0 0 1 0\n"),
    ("matrix", "7\n2 4 5\n0 3 6\n1 2 5\n"),
    ("matrix", "[[1, 0, 1],\n [0, 1, 0],\n [1, 1, 1]]\n"),
    ("table", ",A,3|B,|s,|\nS1,1,1,:x,2\nS2,0,1,0,3\nS3,1,0,1,4\n"),
    ("json", '{"options": {\n"S1": ["a", ["s", "x"]],\n"S2": ["b"]},\n"secondary": ["s"]}\n'),
    ("ec", "p ec 4\ns 1 2\ns 3 4\ns 2\n"),
    ("orlib", "3 3\n50 2 1 3\n40 1 2\n30 2 1 2\n"),
    ("orlib", "4 3\n2 1 3\n1 2\n3 1 2 4\n"),
    ("orlib", "3 2\n50 40\n2 1 2\n1 2\n1 1\n"),
    ("routes", "0.5:0,1\n0.2:1\n0.1:0\n1,0,0\n"),
    ("yaml", "constraints:\n  b:\n  a:\ncandidates:\n  a b: AB\n  a: A\n  b: B\n"),
    (
        "lp",
        "min\n3 x + 2 y + z\nst\na: x + y = 1\nb: 2 x + z <= 2\nbin\nx y z\nend",
    ),
    (
        "mps",
        "ROWS\n N cost\n E a\n L b\nCOLUMNS\n M 'MARKER' 'INTORG'\n x cost 3 a 1\n y a 1 b 1\n"
        "RHS\n RHS a 1 b 1\nENDATA\n",
    ),
]


def facts(kind, text):
    """Return what a text states, or None if it is not valid."""
    try:
        file = parse_file(text.encode(), "toy", kind=kind)
        cover = dlx.ExactCover(**file.formulation._asdict())
    except ValueError:
        return None
    totals = file.formulation.totals
    named = cover.option_names, list(cover.items), cover.problem.n_primary
    costs = None if cover.problem.cost is None else cover.problem.cost.tolist()
    return repr((cover.options, named, cover.problem.item_bounds, costs, totals, file.answer))


def changed(text, rng):
    """Return a text in which a line is removed, repeated, exchanged or cut."""
    lines = text.splitlines()
    k = rng.randrange(len(lines))
    other = rng.randrange(len(lines))
    exchanged = [*lines]
    exchanged[k], exchanged[other] = lines[other], lines[k]
    cut = lines[k][: rng.randrange(len(lines[k]))]
    forms = [
        lines[:k] + lines[k + 1 :],
        [*lines[:k], lines[k], *lines[k:]],
        exchanged,
        [*lines[:k], cut, *lines[k + 1 :]],
        lines[:k],
    ]
    return rng.choice(forms)


@pytest.mark.filterwarnings("ignore:.* a single row")
@pytest.mark.parametrize(("kind", "text"), TEXTS)
def test_a_changed_text_is_an_error_or_another_problem(kind, text):
    if kind == "yaml":
        pytest.importorskip("yaml", reason="pip install 'dlx-numba[yaml]'")
    expected = facts(kind, text)
    assert expected is not None
    for seed in seeds(150):
        lines = changed(text, random.Random(seed))
        if sorted(" ".join(lines).split()) != sorted(text.split()):
            assert facts(kind, "\n".join(lines)) != expected, lines


def test_each_format_is_tried():
    assert {kind for kind, _ in TEXTS} == {*FORMATS}
