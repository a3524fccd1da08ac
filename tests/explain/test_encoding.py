"""The code of assignments is compact, and can be decoded."""

import zlib

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.encoding import encode_assignments
from dlx_numba.explain.page import MAX_ASSIGNMENTS, make_page
from dlx_numba.explain.problem_view import view_search
from dlx_numba.gallery import Polyominoes
from dlx_numba.kernels.links import COVERED
from tests.helpers.oracles import random_general_problem
from tests.helpers.pages import arrays_by_change
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled


def numbers_in(code):
    """Yield the numbers in a code."""
    number = shift = 0
    for byte in code:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def decode(record, code):
    """Yield the arrays after each change of a record."""
    arrays = {name: list(cells) for name, cells in record.arrays.items()}
    names, n_items = list(arrays), len(arrays["size"]) - 1
    numbers, unlinked = numbers_in(code), []

    def difference(zigzag):
        return -(zigzag + 1) // 2 if zigzag % 2 else zigzag // 2

    def assign_links(node, restores):
        backward, forward = "LR" if node <= n_items else "UD"
        before, after = arrays[backward][node], arrays[forward][node]
        arrays[forward][before] = node if restores else after
        arrays[backward][after] = node if restores else before
        item = arrays["column"][node]
        change = int(COVERED) if node <= n_items else -1
        arrays["size"][item] += -change if restores else change
        arrays["size"][item] %= 2**32

    for step in record.steps:
        for change in step.changes:
            R, D = arrays["R"], arrays["D"]
            expected, n_left = R[D[change.item]], change.end - change.start
            while n_left > 0:
                kind = next(numbers)
                if kind == 1:
                    name, cell = names[next(numbers)], next(numbers)
                    arrays[name][cell] += difference(next(numbers))
                    n_left -= 1
                    continue
                if kind == 0:
                    assign_links(unlinked.pop(), True)
                else:
                    node = expected + difference(kind - 2)
                    expected = R[node]
                    if arrays["column"][expected] == change.item:
                        expected = R[D[expected]]
                    assign_links(node, False)
                    unlinked.append(node)
                n_left -= 3
            assert n_left == 0
            yield {name: list(cells) for name, cells in arrays.items()}
    assert list(numbers) == []


def test_random_problems():
    for seed in seeds(100):
        options, bounds, secondary = random_general_problem(seed)
        keywords = {"multiplicity": bounds} if seed % 2 else {}
        cover = dlx.ExactCover(options, list(bounds), secondary, **keywords)
        record = record_search(view_search(cover, "random"), steps=300)
        copies = arrays_by_change(record)[1:]
        assert list(decode(record, encode_assignments(record))) == copies


def test_size_of_a_record():
    view = view_search(Polyominoes().cover(), "pentominoes")
    record = record_search(view, steps=500, max_assignments=MAX_ASSIGNMENTS)
    code = encode_assignments(record)
    assert len(zlib.compress(code)) < len(record.assignments) // 20
    assert len(make_page(view, record)) < 500_000


@pytest.mark.thorough
def test_page_of_ten_thousand_steps():
    view = view_search(Polyominoes().cover(), "pentominoes")
    record = record_search(view, steps=10_000, max_assignments=MAX_ASSIGNMENTS)
    assert len(record.steps) == 10_000
    assert len(make_page(view, record)) < 2_000_000
