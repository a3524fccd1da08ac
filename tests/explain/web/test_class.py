"""Pages in a classroom: the listing, light and dark, marks on the board, and printing."""

import pytest

from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.gallery import Queens
from dlx_numba.sudoku.io.strings import parse_board
from tests.helpers.examples import knuth_example, multiplicity_example
from tests.helpers.pages import go_to_fragment, press, shown_step

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


def go_to(browser, index):
    go_to_fragment(browser, f"#step={index}")
    assert shown_step(browser) == index


@pytest.mark.parametrize(("example", "n"), [(knuth_example, 8), (multiplicity_example, 9)])
def test_listing_highlights_the_current_step(open_page, example, n):
    view = view_search(example(), "listing")
    record = record_search(view)
    browser = open_page(record)
    assert len(browser.find_elements("css selector", "#listing li")) == n
    for step in record.steps[:12]:
        [line] = browser.find_elements("css selector", "#listing [aria-current=step]")
        assert line.text.startswith(f"{step.name} [")
        assert browser.find_element("id", "name").text in line.text
        press(browser, "\ue014")  # right arrow


def test_failing_items_and_skipped_branches_on_the_board(open_page):
    view = view_search(Queens(8).cover(), "queens")
    record = record_search(view, steps=200, limit=1)
    browser = open_page(record)
    nodes = {node.closed_step: node for node in record.tree}
    kinds = ("dead-end", "skipped")
    dead_end, skipped = (
        next(k for k, node in nodes.items() if node.outcome == kind) for kind in kinds
    )
    go_to(browser, dead_end)
    assert browser.find_elements("css selector", "#board .cell.failing")
    go_to(browser, skipped)
    assert not browser.find_elements("css selector", "#board .cell.failing")
    label = "1 node" if nodes[skipped].n_nodes == 1 else f"{nodes[skipped].n_nodes} nodes"
    labels = browser.find_elements("css selector", "#tree .skipped > text:not([class])")
    assert label in [text.text for text in labels]


def test_panels_beside_the_board(open_page):
    values, alphabet, box = parse_board("1.....3..4.....2")
    view = view_board(values, box, alphabet, "4×4 board")
    browser = open_page(record_search(view))
    screen = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        panels = [
            browser.find_element("id", f"{name}-panel").rect for name in ("board", "tree", "matrix")
        ]
        assert all(panel["y"] < 600 for panel in panels)
        lefts = [panel["x"] for panel in panels]
        assert lefts == sorted(lefts)
        assert len(set(lefts)) == 3
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert "r12 is a 2 in row 1" in browser.find_element("id", "items-note").text


def test_printed_pages_have_no_buttons_and_whole_arrays(open_page):
    view = view_search(knuth_example(), "printed")
    browser = open_page(record_search(view), "#step=18")
    browser.find_element("id", "theme").click()
    color = "return getComputedStyle(document.body).backgroundColor"
    dark = browser.execute_script(color)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert browser.execute_script(color) != dark
        printed = "return getComputedStyle(document.querySelector('#covers li'), '::after').content"
        assert browser.execute_script(printed) == '"2 4 5 · 0 3 · 1 6"'
        buttons = browser.find_elements("css selector", "button, input, select, label")
        assert not any(button.is_displayed() for button in buttons)
        for panel in browser.find_elements("css selector", ".scroll"):
            assert panel.value_of_css_property("overflow") == "visible"
        cells = browser.find_elements("css selector", "#arrays [data-array=L]")
        assert len({cell.rect["y"] for cell in cells}) == view.n_nodes
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
