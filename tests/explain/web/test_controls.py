"""Navigation by buttons, keys, the slider and the URL."""

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.sudoku.io.strings import parse_board
from tests.helpers.examples import EASY, knuth_example, multiplicity_example
from tests.helpers.pages import act, go_to_fragment, press, shown_step, wait_until

pytestmark = pytest.mark.processes


NAVIGATION = [  # what is clicked or typed, the position, and then the end of the address
    ("END", "step 19 of 19", "#step=19"),
    ("PAGE_UP", "step 9 of 19", "#step=9"),
    ("HOME", "step 0 of 19", "#step=0"),
    ("PAGE_DOWN", "step 10 of 19", "#step=10"),
    ("n", "step 18 of 19", "#step=18"),
    ("ARROW_LEFT", "step 17 of 19", "#step=17"),
    ("#first", "step 0 of 19", "#step=0"),
    ("#forward", "step 1 of 19", "#step=1"),
    ("#back", "step 0 of 19", "#step=0"),
    ("#last", "step 19 of 19", "#step=19"),
    ("#step=3", "step 3 of 19", "#step=3"),
    ("s", "step 3 of 19, sub-step 7 of 7", "#step=3&substeps"),
    ("#back", "step 3 of 19, sub-step 6 of 7", "#step=3&phase=6&substeps"),
    ("c", "step 3 of 19, sub-step 6 of 7", "#step=3&phase=6&substeps&condensed"),
    ("steps", "step 3 of 19", "#step=3&condensed"),
    ("#condensed", "step 3 of 19", "#step=3"),
    (" ", "step 3 of 19", "#step=3&condensed"),  # the check box has the focus
    ("#condensed", "step 3 of 19", "#step=3"),
    ("substeps", "step 3 of 19, sub-step 7 of 7", "#step=3&substeps"),
    ("ARROW_LEFT", "step 3 of 19, sub-step 6 of 7", "#step=3&phase=6&substeps"),
    ("#step=3&phase=2&substeps", "step 3 of 19, sub-step 2 of 7", "#step=3&phase=2&substeps"),
    ("n", "step 18 of 19", "#step=18&substeps"),
    ("END", "step 19 of 19", "#step=19&substeps"),
    ("HOME", "step 0 of 19", "#step=0&substeps"),
    ("PAGE_DOWN", "step 3 of 19, sub-step 6 of 7", "#step=3&phase=6&substeps"),
]


def test_navigation(open_page):
    from selenium.webdriver.support.ui import Select

    browser = open_page(record_search(view_search(knuth_example(), "Knuth's example")), "#step=5")
    position, partial, play = (browser.find_element("id", x) for x in ("count", "partial", "play"))
    assert position.text == "step 5 of 19"
    for action, expected, fragment in NAVIGATION:
        if action.endswith("steps") and not action.startswith("#"):
            Select(browser.find_element("id", "granularity")).select_by_value(action)
        else:
            act(browser, action)
        if action.startswith("#step"):
            browser.execute_script("document.activeElement.blur()")
        assert position.text == expected
        wait_until(browser, lambda end=fragment: browser.current_url.endswith(end))
        assert partial.is_displayed() == ("substeps" in fragment)
        assert play.text == "Play"
    browser.execute_script(
        "const slider = document.getElementById('slider'); slider.value = 6;"
        "slider.dispatchEvent(new Event('input')); document.activeElement.blur()"
    )
    assert position.text == "step 3 of 19, sub-step 2 of 7"
    stated = browser.find_element("id", "slider").get_attribute("aria-valuetext")
    assert stated.startswith("step 3, sub-step 2 of 7: Its columns")
    act(browser, " ")
    assert play.text == "Pause"
    press(browser, *"+++++++")
    wait_until(browser, lambda: (position.text, play.text) == ("step 19 of 19", "Play"))


def test_covers(open_page):
    """The buttons, keys, marks and the list lead to the steps that find a cover."""
    from selenium.webdriver.common.keys import Keys

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
    for key, index in (("p", found[-2]), ("n", found[-1]), ("#last", len(record.steps) - 1)):
        act(browser, key)
        assert shown_step(browser) == index
    assert note.text == "6 covers found."
    buttons = browser.find_elements("css selector", "#covers button")
    buttons[1].click()
    assert shown_step(browser) == found[1]
    browser.execute_script("document.querySelector('#covers button[tabindex=\"0\"]').focus()")
    press(browser, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    assert shown_step(browser) == found[2]
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


@pytest.mark.parametrize(
    ("limits", "step", "sentence"),
    [
        ({"steps": 5}, 4, "The recording ends before a cover is found."),
        ({"steps": 15}, 14, "The recording ends here. Show the last cover"),
        ({"limit": 1}, 1000, "The recording ends here."),
    ],
)
def test_end_of_an_incomplete_recording(open_page, limits, step, sentence):
    """The last step says that the recording ends, and has a button that shows the last cover."""
    browser = open_page(
        record_search(view_search(multiplicity_example(), "covers"), **limits), f"#step={step - 1}"
    )
    end = browser.find_element("id", "end-note")
    assert end.is_displayed() == (step == 1000)
    act(browser, "END")
    assert end.text == sentence
    if "Show" in sentence:
        act(browser, "#show-cover")
        assert not end.is_displayed()
        assert browser.find_element("id", "name").text.startswith("M2 ")
        assert browser.switch_to.active_element.get_attribute("id") == "play"


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


def test_zoom(open_page):
    """A matrix without legible names becomes legible, by the button or by a click."""
    values, alphabet, box = parse_board(EASY)
    browser = open_page(record_search(view_board(values, box, alphabet, "zoom")))
    name = browser.find_element("css selector", "#matrix .heading .name")
    matrix = browser.find_element("css selector", ".matrix-entries")
    assert not name.is_displayed()
    for button, is_legible in (("#zoom-in", True), ("#zoom-out", False)):
        for _ in range(5):
            act(browser, button)
        assert name.is_displayed() == is_legible
    width = matrix.size["width"]
    matrix.click()
    assert matrix.size["width"] > 3 * width
