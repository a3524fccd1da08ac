"""The page shows the arrays at each step, and the state of options and items."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.kernels.dlx.branching import Branching, BranchingRule
from dlx_numba.kernels.dlx.links import INACTIVE
from dlx_numba.sudoku.io.strings import parse_board
from tests.helpers.examples import color_example, multiplicity_example
from tests.helpers.pages import (
    arrays_by_step,
    cells_that_differ,
    check_forward_and_back,
    check_snapshot,
)

pytestmark = pytest.mark.processes


def test_colors_and_secondary_items(open_page):
    view = view_search(color_example(), "colors")
    record = record_search(view)
    copies = arrays_by_step(record)
    assert record.covers == [[1, 3]]

    def check(shown, index):
        step = record.steps[index]
        check_snapshot(shown, index, step, copies[index], 5, 2)
        assert "purifier" in shown["arrays"]
        if step.name == "C2":
            assert shown["states"]["chosen"] == [1, 3]

    check_forward_and_back(open_page(record), len(record.steps), check)


def test_multiplicities_forward_and_back(open_page):
    view = view_search(multiplicity_example(), "multiplicities")
    record = record_search(view)
    copies = arrays_by_step(record)
    assert record.covers == multiplicity_example().solve()

    def check(shown, index):
        """Also check the bounds in the head of the matrix, and the search tree."""
        arrays = copies[index]
        check_snapshot(shown, index, record.steps[index], arrays, 4, 1)
        for name in ("need", "capacity"):
            expected = [
                "–" if size >= INACTIVE else str(max(0, value))
                for size, value in zip(arrays["size"][1:4], arrays[name][1:], strict=True)
            ]
            assert shown[name] == [*expected, ""]  # the last item is secondary
        options = [node.option for node in record.tree[1:] if node.created_step <= index]
        labels = [view.references()[option] if option >= 0 else "none" for option in options]
        assert shown["tree"] == ["root", *labels]

    check_forward_and_back(open_page(record), len(record.steps), check)


def test_negative_sizes(open_page):
    """The size of an item that lacks more than one option is negative."""
    cover = dlx.ExactCover([["x", "c"]] * 3, multiplicity={"c": (2, 3)})
    view = view_search(cover, "too few options")
    record = record_search(view._replace(rule=BranchingRule(Branching.LEFTMOST)))
    copies = arrays_by_step(record)
    assert record.covers == []
    sizes = [np.array(arrays["size"], np.uint32).view(np.int32) for arrays in copies]
    assert np.min(sizes) < 0

    def check(shown, index):
        check_snapshot(shown, index, record.steps[index], copies[index], 2)

    check_forward_and_back(open_page(record), len(record.steps), check)


@pytest.mark.thorough
def test_large_problems_are_cut(open_page):
    values, alphabet, box = parse_board("." * 81)
    view = view_board(values, box, alphabet, "empty board")
    record = record_search(view, steps=60)
    browser = open_page(record, "#step=59")
    assert "stopped early, after 60 steps" in browser.find_element("id", "ending").text
    assert not browser.find_element("id", "links-panel").is_displayed()
    assert "too many links to draw" in browser.find_element("id", "arrays-note").text
    assert len(browser.find_elements("css selector", "#matrix .entry")) == 4 * 729
    changed = {name for name, *_ in cells_that_differ(*arrays_by_step(record)[58:])}
    marked = browser.find_elements("css selector", "#arrays td.changed")
    assert {cell.get_attribute("data-array") for cell in marked} == changed
