"""The page on a phone: what is visible, and touch events."""

import pytest

from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.gallery import Airport, Polyominoes, Queens
from dlx_numba.sudoku.io.strings import parse_board
from tests.helpers.examples import EASY
from tests.helpers.pages import go_to_fragment, press, shown_step, wait_until

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

ENTRIES = [Airport(), Polyominoes(), Queens(8)]


def view_easy():
    values, alphabet, box = parse_board(EASY)
    return view_board(values, box, alphabet, "phone")


def rectangle(browser, selector):
    return browser.execute_script(
        "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector
    )


def show(browser, selector):
    script = "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })"
    browser.execute_script(script, selector)


def center_of(browser, selector):
    target = rectangle(browser, selector)
    return {
        axis: (target[low] + target[high]) / 2
        for axis, low, high in (("x", "left", "right"), ("y", "top", "bottom"))
    }


def touch(browser, *places):
    """Touch a place, move to the others, and let go."""
    kinds = ["touchStart", *["touchMove"] * (len(places) - 1), "touchEnd"]
    for kind, points in zip(kinds, [*([place] for place in places), []], strict=True):
        event = {"type": kind, "touchPoints": points}
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)


def tap(browser, selector):
    touch(browser, center_of(browser, selector))


def check_screen(browser):
    """The whole board is visible above the controls, which take a tenth of the screen."""
    board, controls = (rectangle(browser, name) for name in ("#board svg", "#controls"))
    assert controls["height"] <= 84.4
    assert controls["bottom"] == 844
    assert 0 <= board["left"] < board["right"] <= 390
    assert 0 <= board["top"] < board["bottom"] <= controls["top"]
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390


def test_sudoku(phone, open_page):
    view = view_easy()
    browser = open_page(record_search(view), "#step=3")
    for key in "sls":  # sub-steps, links, complete steps
        check_screen(browser)
        press(browser, key)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: type(entry).__name__.lower())
def test_boards(phone, open_page, entry):
    view = view_search(entry.cover(), "phone")
    record = record_search(view, steps=80)
    browser = open_page(record)
    for index in (0, 1, 2, 3, 40, 79):
        go_to_fragment(browser, f"#step={index}")
        assert shown_step(browser) == index
        check_screen(browser)


def test_taps(phone, open_page):
    view = view_easy()
    record = record_search(view)
    browser = open_page(record, "#step=3")
    for button, index in [("forward", 4), ("back", 3), ("next-cover", 154), ("first", 0)]:
        tap(browser, f"#{button}")
        wait_until(browser, lambda index=index: shown_step(browser) == index)
    tap(browser, "#slider")
    wait_until(browser, lambda: 60 < shown_step(browser) < 95)
    show(browser, "#tree .run")
    tap(browser, "#tree .run")
    wait_until(browser, lambda: not browser.find_elements("css selector", "#tree .run"))
    show(browser, "#matrix")
    name = browser.find_element("css selector", "#matrix .heading .name")
    assert not name.is_displayed()
    tap(browser, "#matrix")
    wait_until(browser, name.is_displayed)


def test_swipes_scroll_a_panel(phone, open_page):
    """The names of items and options stay at the edges of the matrix."""
    view = view_easy()
    browser = open_page(record_search(view), "#step=3")
    show(browser, "#matrix")
    tap(browser, "#matrix")
    script = "return [arguments[0].scrollLeft, arguments[0].scrollTop]"
    matrix = browser.find_element("id", "matrix")
    before = browser.execute_script(script, matrix)
    for axis in "xy":
        start = center_of(browser, "#matrix")
        touch(browser, *({**start, axis: start[axis] - 10 * k} for k in range(16)))
    wait_until(
        browser,
        lambda: all(
            new > old + 60
            for old, new in zip(before, browser.execute_script(script, matrix), strict=True)
        ),
    )
    panel = rectangle(browser, "#matrix")
    assert rectangle(browser, ".matrix-names")["left"] == panel["left"]
    assert rectangle(browser, ".matrix-head")["top"] == panel["top"]
