"""The matrix can be condensed and zoomed."""

import pytest

from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.kernels.dlx.links import INACTIVE
from dlx_numba.sudoku.io.strings import parse_board
from tests.helpers.examples import EASY, color_example, multiplicity_example
from tests.helpers.pages import (
    arrays_by_step,
    go_to_fragment,
    options_left,
    shown_step,
    take_snapshot,
)

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


@pytest.mark.parametrize("example", [color_example, multiplicity_example])
def test_condensed_matrix(open_page, example):
    """Complete steps show what is left, and the options to try next; without it, everything."""
    view = view_search(example(), "condensed")
    record = record_search(view)
    browser = open_page(record, "#step=0&condensed")
    n_items, n_primary = view.problem.n_items, view.problem.n_primary
    for index, (step, arrays) in enumerate(zip(record.steps, arrays_by_step(record), strict=True)):
        go_to_fragment(browser, f"#step={index}&condensed")
        assert shown_step(browser) == index
        shown = take_snapshot(browser)
        rows, columns = set(options_left(view.problem, arrays)), set(range(1, 1 + n_items))
        for item, size in enumerate(arrays["size"]):
            if item and INACTIVE * (1 if item <= n_primary else 2) <= size < 3 * int(INACTIVE):
                columns.discard(item)
        if step.name[1:] == "4":
            rows |= set(shown["states"]["untried"])
            columns.add(step.item)
        assert (set(shown["rows"]), set(shown["columns"])) == (rows, columns)
    note = browser.find_element("id", "left-note")
    go_to_fragment(browser, "#step=0")
    assert not note.is_displayed()
    shown = take_snapshot(browser)
    assert (len(shown["rows"]), len(shown["columns"])) == (view.problem.n_options, n_items)


def test_zoom(open_page):
    """A matrix without legible names becomes legible, by the button or by a click."""
    values, alphabet, box = parse_board(EASY)
    view = view_board(values, box, alphabet, "zoom")
    browser = open_page(record_search(view))
    name = browser.find_element("css selector", "#matrix .heading .name")
    matrix = browser.find_element("css selector", ".matrix-entries")
    assert not name.is_displayed()
    for _ in range(5):
        browser.find_element("id", "zoom-in").click()
    assert name.is_displayed()
    assert not browser.find_element("id", "zoom-in").is_enabled()
    for _ in range(5):
        browser.find_element("id", "zoom-out").click()
    assert not name.is_displayed()
    width = matrix.size["width"]
    matrix.click()
    assert matrix.size["width"] > 3 * width
