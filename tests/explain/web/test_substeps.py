"""Sub-steps show how a step changes the links."""

import numpy as np
import pytest

from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from tests.helpers.examples import color_example, knuth_example, multiplicity_example
from tests.helpers.pages import (
    arrays_by_change,
    cells_that_differ,
    check_forward_and_back,
    go_to_fragment,
    options_left,
    parse_step,
    press,
    take_snapshot,
    wait_until,
)

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


def expected_positions(record):
    """Return the step, the number of changes of this step and the kind of each sub-step."""
    positions = []
    for index, step in enumerate(record.steps):
        n = len(step.changes)
        is_attempt = step.name in ("X5", "C5", "M6") and step.option >= 0
        kinds = ["row", "columns", "related"] if is_attempt else ["before"] * bool(n)
        positions += [(index, 0, kind) for kind in kinds]
        positions += [(index, k, "change") for k in range(1, n + is_attempt)]
        positions.append((index, n, "complete"))
    return positions


def link_names(arrays, pending):
    """Return the names of the lines for links: both directions of a mutual link are one line."""
    names = set()
    for name, node in pending:
        if name not in "LRUD":
            continue
        target = arrays[name][node]
        opposite = {"L": "R", "R": "L", "U": "D", "D": "U"}[name]
        if arrays[opposite][target] == node:
            if target != node:
                names.add(f"{name}{node}" if name in "RD" else f"{opposite}{target}")
        else:
            names.add(f"{name}{node}")
    return names


@pytest.mark.parametrize("example", [color_example, multiplicity_example])
def test_substeps_forward_and_back(open_page, example):
    view = view_search(example(), "sub-steps")
    record = record_search(view)
    changes = [change for step in record.steps for change in step.changes]
    copies = arrays_by_change(record)
    assert len(copies) == 1 + len(changes)
    first_change = np.cumsum([0, *(len(step.changes) for step in record.steps)]).tolist()
    positions = expected_positions(record)

    def check(shown, number):
        index, n_changes, kind = positions[number]
        step = record.steps[index]
        applied = first_change[index] + n_changes
        arrays = copies[applied]
        assert parse_step(shown["count"]) == index
        assert shown["arrays"] == arrays
        # Options are chosen when the step is complete.
        completed = step if kind == "complete" else record.steps[index - 1]
        assert shown["states"].get("chosen", []) == sorted(completed.chosen)
        for option in completed.chosen:
            assert view.options[option] in shown["partial"]
        # Exactly the links that the next sub-step changes are bold.
        pending = set()
        following = positions[number + 1] if number + 1 < len(positions) else positions[number]
        if first_change[following[0]] + following[1] > applied:
            differing = cells_that_differ(arrays, copies[applied + 1])
            pending = {(name, node) for name, node, _, _ in differing}
        assert {tuple(cell) for cell in shown["pending"]} == pending
        assert set(shown["bold"]) == link_names(arrays, pending)
        if kind == "complete":
            assert (shown["selected"], shown["related"], shown["touched"]) == ([], [], [])
        elif step.option >= 0:
            assert shown["selected"] == [step.option]
        if kind in ("columns", "related"):
            start, end = view.option_starts[step.option : step.option + 2]
            assert shown["touched"] == sorted(arrays["column"][start:end])
        if kind in ("related", "before", "change"):
            before = copies[first_change[index]]
            after = copies[first_change[index + 1]]
            left = set(options_left(view.problem, before))
            related = left ^ set(options_left(view.problem, after))
            assert set(shown["related"]) == related - {step.option}

    browser = open_page(record, "#step=0&substeps")
    check_forward_and_back(browser, len(positions), check)


def test_substeps_of_knuths_example(open_page):
    """The sub-steps of the first attempt: row, columns, related rows, items, partial solution."""
    from selenium.webdriver.common.keys import Keys

    view = view_search(knuth_example(), "Knuth's example")
    browser = open_page(record_search(view), "#step=2&substeps")
    shown = []
    for _ in range(7):
        press(browser, Keys.ARROW_RIGHT)
        shown.append(take_snapshot(browser))
    assert [part["text"] for part in shown] == [
        "Select the row of option 0 3 6.",
        "Its columns are items 0, 3, and 6. Item 0 is covered already.",
        "Options 1 6 and 3 4 6 conflict with option 0 3 6, and will be removed.",
        "Items 3 and 6 leave the item list.",
        "Cover item 3: hide option 3 4 6.",
        "Cover item 6: hide option 1 6.",
        "The partial solution grows: option 0 3 6 is added.",
    ]
    assert {part["name"] for part in shown} == {"X5 [Try xₗ.]"}
    # Rows are removed item by item, although all items leave the item list first.
    removed = [part["states"].get("removed", []) for part in shown[3:6]]
    assert removed == [[], [5], [4, 5]]
    assert shown[5]["partial"] == "Partial solution: no options"
    assert shown[6]["partial"] == "Partial solution: + 0 3 6"
    press(browser, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    plain, bold = browser.execute_script(
        "return ['.link:not(.pending)', '.link.pending'].map((kind) => "
        "parseFloat(getComputedStyle(document.querySelector(`#links ${kind}`)).strokeWidth))"
    )
    assert bold >= 2 * plain  # not by color alone


def test_switching_substeps_and_the_condensed_matrix(open_page):
    """Buttons, keys and the URL: the URL contains the view, and the step stays the same."""
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    view = view_search(knuth_example(), "Knuth's example")
    record = record_search(view)
    n_positions = len(expected_positions(record))
    browser = open_page(record, "#step=3")

    def count():
        return browser.find_element("id", "count").text

    def wait_for_url(fragment):
        wait_until(browser, lambda: browser.current_url.endswith(fragment))

    assert not browser.find_element("id", "partial").is_displayed()
    press(browser, "s")
    assert count() == "step 3 of 19, sub-step 7 of 7"
    wait_for_url("#step=3&substeps")
    assert browser.find_element("id", "partial").is_displayed()
    press(browser, Keys.ARROW_LEFT)
    assert count() == "step 3 of 19, sub-step 6 of 7"
    wait_for_url("#step=3&phase=6&substeps")
    press(browser, "c")
    wait_for_url("#step=3&phase=6&substeps&condensed")
    granularity = Select(browser.find_element("id", "granularity"))
    granularity.select_by_value("steps")
    assert count() == "step 3 of 19"
    wait_for_url("#step=3&condensed")
    condensed = browser.find_element("id", "condensed")
    assert condensed.is_selected()
    condensed.click()
    wait_for_url("#step=3")
    press(browser, " ")  # the check box has the focus: Space switches it, and does not play
    wait_for_url("#step=3&condensed")
    assert browser.find_element("id", "play").text == "Play"
    condensed.click()
    granularity.select_by_value("substeps")
    press(browser, Keys.ARROW_LEFT, Keys.ARROW_RIGHT)  # the selection does not take these keys
    assert count() == "step 3 of 19, sub-step 7 of 7"
    wait_for_url("#step=3&substeps")
    go_to_fragment(browser, "#step=3&phase=2&substeps")
    assert count() == "step 3 of 19, sub-step 2 of 7"
    slider = browser.find_element("id", "slider")
    assert slider.get_attribute("max") == str(n_positions - 1)
    assert slider.get_attribute("aria-valuetext").startswith("step 3, sub-step 2 of 7: Its columns")
    browser.execute_script("document.activeElement.blur()")
    for key, text in [
        ("n", "step 18 of 19"),
        (Keys.END, "step 19 of 19"),
        (Keys.HOME, "step 0 of 19"),
        (Keys.PAGE_DOWN, "step 3 of 19, sub-step 6 of 7"),
    ]:
        press(browser, key)
        assert count() == text
    browser.execute_script("document.activeElement.blur()")
    press(browser, " ")
    play = browser.find_element("id", "play")
    assert play.text == "Pause"
    press(browser, *"+++++++")
    wait_until(browser, lambda: count() == "step 19 of 19")
    wait_until(browser, lambda: play.text == "Play")
