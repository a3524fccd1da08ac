"""The code of assignments is compact, and can be decoded."""

import json
import zlib

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.encoding import encode_changes
from dlx_numba.explain.page import MAX_ASSIGNMENTS, Page
from dlx_numba.explain.problem_view import view_search
from dlx_numba.gallery import Polyominoes
from dlx_numba.kernels.dlx.links import INACTIVE
from tests.helpers.oracles import random_general_problem
from tests.helpers.pages import arrays_by_change
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled


def decode(record):
    """Yield the arrays after each change of a record, from its encoded changes."""
    arrays = {name: list(cells) for name, cells in record.arrays.items()}
    names, n_items = list(arrays), len(arrays["size"]) - 1
    unlinked = []

    def assign_links(node, restores):
        backward, forward = "LR" if node <= n_items else "UD"
        before, after = arrays[backward][node], arrays[forward][node]
        arrays[forward][before] = node if restores else after
        arrays[backward][after] = node if restores else before
        item = arrays["column"][node]
        change = int(INACTIVE) if node <= n_items else -1
        arrays["size"][item] += -change if restores else change
        arrays["size"][item] %= 2**32

    for changes in encode_changes(record):
        for item, tokens in changes:
            R, D = arrays["R"], arrays["D"]
            expected = R[D[item]]
            for token in tokens:
                if token is None:
                    assign_links(unlinked.pop(), True)
                elif isinstance(token, list):
                    number, cell, difference = token
                    arrays[names[number]][cell] += difference
                else:
                    node = expected + token
                    expected = R[node]
                    if arrays["column"][expected] == item:
                        expected = R[D[expected]]
                    assign_links(node, False)
                    unlinked.append(node)
            yield {name: list(cells) for name, cells in arrays.items()}


def test_random_problems():
    for seed in seeds(100):
        options, bounds, secondary = random_general_problem(seed)
        keywords = {"multiplicity": bounds} if seed % 2 else {}
        cover = dlx.ExactCover(options, list(bounds), secondary, **keywords)
        record = record_search(view_search(cover, "random"), steps=300)
        copies = arrays_by_change(record)[1:]
        assert list(decode(record)) == copies


@pytest.mark.thorough
@pytest.mark.parametrize(("n_steps", "n_bytes"), [(500, 500_000), (10_000, 2_000_000)])
def test_size_of_a_page(n_steps, n_bytes):
    view = view_search(Polyominoes().cover(), "pentominoes")
    record = record_search(view, steps=n_steps, max_assignments=MAX_ASSIGNMENTS)
    assert len(record.steps) <= n_steps
    text = json.dumps(list(encode_changes(record)))
    assert len(zlib.compress(text.encode())) < len(record.assignments) // 20
    assert len(Page(record).html) < n_bytes
