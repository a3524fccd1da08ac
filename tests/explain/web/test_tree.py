"""The search tree: its layout, and runs of forced moves, which can be folded."""

import itertools
from collections import defaultdict

import pytest

from dlx_numba import example
from tests.helpers.examples import EASY

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


def test_folding_forced_moves(browser, show):
    show(EASY, "#step=last")
    nodes = "#tree .tree-node"

    def labels():
        return browser.texts_of(f"{nodes} > text:not([class])")

    assert labels() == ["root", "51 forced"]  # deep trees are folded at first
    browser.press("f")
    assert len(labels()) == 52
    assert not browser.find_element("id", "fold").is_selected()
    for click, n_boxes in (("#fold", 2), ("#tree .run", 52), ("#tree .current", 2)):
        browser.act(click)
        assert len(labels()) == n_boxes
    browser.show_step(9)
    assert labels() == ["root", "3 forced"]
    # A run is a button, which keeps the focus when it is folded or unfolded.
    [run] = browser.all_of("#tree [role=button]")
    assert run.accessible_name == "3 forced moves"
    browser.execute_script("document.querySelector('#tree [role=button]').focus()")
    for key, expanded in [("ENTER", "true"), (" ", "false"), (" ", "true")]:
        browser.act(key)
        focused = browser.switch_to.active_element
        assert focused.get_attribute("aria-expanded") == expanded
        assert len(browser.all_of(nodes)) == (4 if expanded == "true" else 2)
    browser.act("ARROW_RIGHT")
    assert browser.shown_step() == 10


POSITIONS = """
return [...document.querySelectorAll("#tree .tree-node")].map((group) => {
  const { left, right, top } = group.querySelector("rect").getBoundingClientRect();
  return [group.classList.contains("path"), left, right, top];
});
"""


def test_current_path_is_a_vertical_line(browser, show):
    """The boxes of the path are above each other, in sight, and no boxes overlap."""
    record = show(example("queens", n=6).cover())
    panel = browser.find_element("id", "tree").rect
    for index in range(0, len(record.steps), 80):
        browser.show_step(index)
        boxes = browser.execute_script(POSITIONS)
        [center] = {(left + right) / 2 for is_path, left, right, _ in boxes if is_path}
        assert panel["x"] < center < panel["x"] + panel["width"]
        rows = defaultdict(list)
        for _, left, right, top in boxes:
            rows[top].append((left, right))
        for row in map(sorted, rows.values()):
            assert all(right < left for (_, right), (left, _) in itertools.pairwise(row))
