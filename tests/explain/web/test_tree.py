"""The search tree: runs of forced moves can be folded."""

import pytest

from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board
from dlx_numba.sudoku.io.board import parse_board
from tests.helpers.examples import EASY
from tests.helpers.pages import (
    press,
    wait_until,
)

pytestmark = pytest.mark.processes


def test_folding_forced_moves(open_page):
    values, alphabet, box = parse_board(EASY)
    view = view_board(values, box, alphabet, "forced moves")
    record = record_search(view)
    browser = open_page(view, record, f"#step={len(record.steps) - 1}")
    nodes = "#tree .tree-node[visibility=visible]"

    def labels():
        found = browser.find_elements("css selector", f"{nodes} > text:not([class])")
        return [label.text for label in found]

    assert labels() == ["root", "51 forced"]  # deep trees are folded at first
    press(browser, "f")
    assert len(labels()) == 52
    assert not browser.find_element("id", "fold").is_selected()
    browser.find_element("id", "fold").click()
    browser.find_element("css selector", "#tree .run").click()
    assert len(labels()) == 52
    browser.find_element("css selector", "#tree .current").click()
    assert labels() == ["root", "51 forced"]
    browser.execute_script("location.hash = '#step=9'")
    wait_until(browser, lambda: labels() == ["root", "3 forced"])
