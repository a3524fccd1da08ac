"""The search tree: its layout, and runs of forced moves, which can be folded."""

import itertools
from collections import defaultdict

import pytest

from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.gallery import Queens
from dlx_numba.sudoku.io.strings import parse_board
from tests.helpers.examples import EASY
from tests.helpers.pages import act, go_to_fragment, press, shown_step

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


def test_folding_forced_moves(open_page):
    values, alphabet, box = parse_board(EASY)
    view = view_board(values, box, alphabet, "forced moves")
    record = record_search(view)
    browser = open_page(record, f"#step={len(record.steps) - 1}")
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
    go_to_fragment(browser, "#step=9")
    assert labels() == ["root", "3 forced"]
    # A run is a button, which keeps the focus when it is folded or unfolded.
    [run] = browser.find_elements("css selector", "#tree [role=button]")
    assert run.accessible_name == "3 forced moves"
    browser.execute_script("document.querySelector('#tree [role=button]').focus()")
    for key, expanded in [("ENTER", "true"), (" ", "false"), (" ", "true")]:
        act(browser, key)
        focused = browser.switch_to.active_element
        assert focused.get_attribute("aria-expanded") == expanded
        assert len(browser.find_elements("css selector", nodes)) == (4 if expanded == "true" else 2)
    act(browser, "ARROW_RIGHT")
    assert shown_step(browser) == 10


POSITIONS = """
return [...document.querySelectorAll("#tree .tree-node[visibility=visible]")].map((group) => {
  const { left, right, top } = group.querySelector("rect").getBoundingClientRect();
  return [group.classList.contains("path"), left, right, top];
});
"""


def test_current_path_is_a_vertical_line(open_page):
    """The boxes of the path are above each other, in sight, and no boxes overlap."""
    view = view_search(Queens(6).cover(), "queens")
    record = record_search(view)
    browser = open_page(record)
    panel = browser.find_element("id", "tree").rect
    for index in range(0, len(record.steps), 40):
        go_to_fragment(browser, f"#step={index}")
        assert shown_step(browser) == index
        boxes = browser.execute_script(POSITIONS)
        [center] = {(left + right) / 2 for is_path, left, right, _ in boxes if is_path}
        assert panel["x"] < center < panel["x"] + panel["width"]
        rows = defaultdict(list)
        for _, left, right, top in boxes:
            rows[top].append((left, right))
        for row in map(sorted, rows.values()):
            assert all(right < left for (_, right), (left, _) in itertools.pairwise(row))
