"""Navigation by buttons, keys, the slider and the URL."""

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.sudoku.io.strings import parse_board
from tests.helpers.examples import EASY, knuth_example, multiplicity_example
from tests.helpers.pages import go_to_fragment, press, shown_step, wait_until

pytestmark = pytest.mark.processes


def test_controls(open_page):
    from selenium.webdriver.common.keys import Keys

    view = view_search(knuth_example(), "Knuth's example")
    record = record_search(view)
    last = len(record.steps) - 1
    browser = open_page(record, "#step=5")
    assert shown_step(browser) == 5
    for key, index in [
        (Keys.END, last),
        (Keys.PAGE_UP, last - 10),
        (Keys.HOME, 0),
        (Keys.PAGE_DOWN, 10),
        ("n", 18),
        (Keys.ARROW_LEFT, 17),
    ]:
        press(browser, key)
        assert shown_step(browser) == index
        fragment = f"#step={index}"
        wait_until(browser, lambda end=fragment: browser.current_url.endswith(end))
    for name, index in [("first", 0), ("forward", 1), ("back", 0), ("last", last)]:
        browser.find_element("id", name).click()
        assert shown_step(browser) == index
    browser.execute_script(
        "const slider = document.getElementById('slider'); slider.value = 7;"
        "slider.dispatchEvent(new Event('input'));"
    )
    assert shown_step(browser) == 7
    go_to_fragment(browser, "#step=3")
    assert shown_step(browser) == 3
    play = browser.find_element("id", "play")
    browser.execute_script("document.activeElement.blur()")
    press(browser, " ")
    assert play.text == "Pause"
    press(browser, *"+++++++")
    wait_until(browser, lambda: play.text == "Play")
    assert shown_step(browser) == last


def test_covers(open_page):
    """The buttons, keys, marks and the list lead to the steps that find a cover."""
    view = view_search(multiplicity_example(), "covers")
    names, record = view.references(), record_search(view)
    found = [k for k, step in enumerate(record.steps) if step.name == "M2"]
    assert len(found) == len(record.covers) == 6
    browser = open_page(record)
    previous, following = (
        browser.find_element("id", f"{name}-cover") for name in ("previous", "next")
    )
    assert not previous.is_enabled()
    note = browser.find_element("id", "covers-note")
    assert note.text == "No covers found so far."
    for count, index in enumerate(found, 1):
        following.click()
        assert shown_step(browser) == index
        assert note.text == f"{count} cover{'s' * (count > 1)} found so far."
        shown = browser.find_elements("css selector", "#covers .found")
        assert [entry.text for entry in shown] == [
            " · ".join(names[k] for k in cover) for cover in record.covers[:count]
        ]
    assert not following.is_enabled()
    press(browser, "p")
    assert shown_step(browser) == found[-2]
    press(browser, "n")
    assert shown_step(browser) == found[-1]
    browser.find_element("id", "last").click()
    assert note.text == "6 covers found."
    buttons = browser.find_elements("css selector", "#covers button")
    buttons[1].click()
    assert shown_step(browser) == found[1]
    assert buttons[4].text == f"in step {found[4]}"
    buttons[4].click()
    assert shown_step(browser) == found[4]
    for fragment in ("", "&substeps", "&links"):
        go_to_fragment(browser, f"#step={found[2]}{fragment}")
        slider = browser.find_element("id", "slider")
        assert shown_step(browser) == found[2]
        share = int(slider.get_property("value")) / int(slider.get_attribute("max"))
        marks = browser.find_elements("css selector", "#marks line")
        assert len(marks) == 6
        assert float(marks[2].get_attribute("x1").rstrip("%")) == pytest.approx(100 * share)


def test_end_of_an_incomplete_recording(open_page):
    """The last step says that the recording ends, and has a button that shows the last cover."""
    view = view_search(multiplicity_example(), "covers")
    found = [k for k, step in enumerate(record_search(view).steps) if step.name == "M2"]
    browser = open_page(record_search(view, steps=found[1] + 2), f"#step={found[1]}")
    end, button = (browser.find_element("id", name) for name in ("end-note", "show-cover"))
    assert not end.is_displayed()
    browser.find_element("id", "forward").click()
    assert end.text == "The recording ends here. Show the last cover"
    assert browser.find_element("id", "covers-note").text == "2 covers found so far."
    button.click()
    assert shown_step(browser) == found[1]
    assert not end.is_displayed()
    assert browser.switch_to.active_element.get_attribute("id") == "play"
    browser = open_page(record_search(view, steps=5), "#step=4")
    end = browser.find_element("id", "end-note")
    assert end.text == "The recording ends before a cover is found."
    browser = open_page(record_search(view, limit=1), "#step=1000")
    assert browser.find_element("id", "end-note").text == "The recording ends here."


def test_long_covers(open_page):
    """A long cover starts where it differs from the previous one; the others are complete."""
    options = [[k] for k in range(20)] + [[18, 19], [17, 18]]
    view = view_search(dlx.ExactCover(options), "long")
    names, record = view.references(), record_search(view)
    last = len(record.steps) - 1
    browser = open_page(record, f"#step={last}")
    buttons = browser.find_elements("css selector", "#covers button")
    previous = []
    for button, numbers in zip(buttons, record.covers, strict=True):
        start, cover = 0, [names[number] for number in numbers]
        while cover[: start + 1] == previous[: start + 1]:
            start += 1
        omitted = ["…"] if start else []
        assert button.text == " · ".join([*omitted, *cover[start:]])
        assert button.get_attribute("title").endswith(" · ".join(cover))
        previous = cover


FOCUSABLE = """
return [...document.querySelectorAll("button, input, select, summary, [tabindex]")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => !element.disabled && element.tabIndex >= 0)
"""
HAS_FOCUS_RING = """
const element = document.activeElement;
const rectangle = element.querySelector(":scope > rect"); // of a box in the search tree
const focus = getComputedStyle(document.documentElement).getPropertyValue("--focus").trim();
const probe = document.createElement("span");
probe.style.color = focus;
document.body.append(probe);
const color = getComputedStyle(probe).color;
probe.remove();
const style = getComputedStyle(rectangle ?? element);
return rectangle
  ? style.stroke === color && parseFloat(style.strokeWidth) >= 3
  : style.outlineStyle === "solid" && style.outlineColor === color;
"""


@pytest.mark.parametrize("example", ["covers", "forced moves"])
def test_keyboard_navigation(open_page, example):
    """Tab reaches every control, which then has a focus ring."""
    from selenium.webdriver.common.keys import Keys

    if example == "covers":
        view = view_search(multiplicity_example(), example)
    else:
        values, alphabet, box = parse_board(EASY)
        view = view_board(values, box, alphabet, example)
    browser = open_page(record_search(view), "#step=80")
    controls = browser.execute_script(FOCUSABLE)
    assert len(controls) >= 17
    focused = []
    for _ in controls:
        press(browser, Keys.TAB)
        focused.append(browser.switch_to.active_element)
        assert browser.execute_script(HAS_FOCUS_RING), focused[-1].get_attribute("outerHTML")
    assert focused == controls


def test_keys_of_focused_controls(open_page):
    """Space activates a button, and the arrow keys move between the covers of the list."""
    from selenium.webdriver.common.keys import Keys

    view = view_search(multiplicity_example(), "covers")
    record = record_search(view)
    browser = open_page(record, "#step=4")
    browser.execute_script("document.getElementById('forward').focus()")
    press(browser, " ")
    assert shown_step(browser) == 5
    found = [k for k, step in enumerate(record.steps) if step.name == "M2"]
    browser.execute_script("document.querySelector('#covers button[tabindex=\"0\"]').focus()")
    press(browser, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    assert shown_step(browser) == found[1]


def test_speed_and_presentation(open_page):
    browser = open_page(record_search(view_search(knuth_example(), "speed")))
    speed, panel = (browser.find_element("id", name) for name in ("speed", "panel"))
    for key, pause in [("+", "0.5"), ("-", "1"), ("-", "2"), ("-", "4"), ("-", "4")]:
        press(browser, key)
        assert speed.get_attribute("value") == pause
    names = [option.get_attribute("value") for option in panel.find_elements("tag name", "option")]
    for name in [*names[1:], names[0]]:
        press(browser, "v")
        assert panel.get_attribute("value") == name
        panels = browser.find_elements("css selector", "main section")
        shown = [each.get_attribute("id") for each in panels if each.is_displayed()]
        assert shown == ([name] if name else names[1:])
