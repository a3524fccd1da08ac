"""The page on a phone: what is visible, and touch events."""

import pytest

import dlx_numba as dlx
from tests.helpers.examples import EASY
from tests.helpers.plans import gates

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

COVERS = [gates(8), *(dlx.example(name).cover() for name in ("polyominoes", "queens"))]


def rectangle(browser, selector):
    return browser.execute_script(
        "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector
    )


def center_of(browser, selector):
    target = rectangle(browser, selector)
    return {"x": target["x"] + target["width"] / 2, "y": target["y"] + target["height"] / 2}


def touch(browser, *places):
    """Touch a place, move to the others, and let go."""
    kinds = ["touchStart", *["touchMove"] * (len(places) - 1), "touchEnd"]
    for kind, points in zip(kinds, [*([place] for place in places), []], strict=True):
        event = {"type": kind, "touchPoints": points}
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)


def tap(browser, selector):
    script = "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })"
    browser.execute_script(script, selector)
    touch(browser, center_of(browser, selector))


@pytest.mark.parametrize("problem", [EASY, *COVERS], ids=["easy", "gates", "pieces", "queens"])
def test_boards(phone, show, problem):
    """The whole board is visible above the controls, which take a tenth of the screen."""
    show(problem, steps=80)
    for index, key in ((0, ""), (1, "s"), (2, "l"), (3, ""), (40, ""), (79, "")):
        phone.show_step(index)
        phone.press(*key * (problem == EASY))
        board, controls = (rectangle(phone, name) for name in ("#board svg", "#controls"))
        assert controls["height"] <= 84.4
        assert controls["bottom"] == 844
        assert 0 <= board["left"] < board["right"] <= 390
        assert 0 <= board["top"] < board["bottom"] <= controls["top"]
        assert phone.execute_script("return document.documentElement.scrollWidth") <= 390


def test_touch_events(phone, show):
    """Taps step and fold; swipes scroll a panel, at whose edges the names stay."""
    show(EASY, "#step=3")
    for button, index in [("forward", 4), ("back", 3), ("next-cover", 154), ("first", 0)]:
        tap(phone, f"#{button}")
        phone.wait_until(lambda index=index: phone.shown_step() == index)
    tap(phone, "#slider")
    phone.wait_until(lambda: 60 < phone.shown_step() < 95)
    tap(phone, "#tree .run")
    phone.wait_until(lambda: not phone.all_of("#tree .run"))
    [name, *_] = phone.all_of("#matrix .heading .name")
    phone.execute_script("arguments[0].scrollIntoView({ block: 'center' })", name)
    script = "const { scrollLeft, scrollTop } = matrix; return [scrollLeft, scrollTop]"
    before = phone.execute_script(script)

    def is_scrolled():
        after = phone.execute_script(script)
        return all(new > old + 60 for old, new in zip(before, after, strict=True))

    for axis in "xy":
        start = center_of(phone, "#matrix")
        touch(phone, *({**start, axis: start[axis] - 10 * k} for k in range(16)))
    phone.wait_until(is_scrolled)
    panel = rectangle(phone, "#matrix")
    assert rectangle(phone, ".matrix-names")["left"] == panel["left"]
    assert rectangle(phone, ".matrix-head")["top"] == panel["top"]
