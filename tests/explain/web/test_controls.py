"""Navigation by buttons, keys, the slider and the URL."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.pictures.palette import TOKENS
from tests.helpers.examples import EASY, knuth_example, multiplicity_example
from tests.helpers.pages import rgb

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

# What is clicked, typed or selected, and the position; after "=", the end of the URL
NAVIGATION = """
END 19, PAGE_UP 9, HOME 0, PAGE_DOWN 10, n 18, ARROW_LEFT 17
#first 0, #forward 1, #back 0, #last 19, #step=3 3
s 3.7, #back 3.6, c 3.6, =#step=3&phase=6&substeps&condensed 3.6
#granularity>[value=steps] 3, #condensed 3, SPACE 3, =#step=3&condensed 3, #condensed 3
#granularity>[value=substeps] 3.7, ARROW_LEFT 3.6, #step=3&phase=2&substeps 3.2
n 18, =#step=18&substeps 18, HOME 0, PAGE_DOWN 3.6
"""


def test_navigation(browser, show):
    show(knuth_example(), "#step=5")
    partial = browser.find_element("id", "partial")
    assert browser.text_of("#count") == "step 5 of 19"
    assert not partial.is_displayed()
    for action, position in map(str.split, re.split("[,\n]", NAVIGATION.strip())):
        if action.startswith("="):
            browser.wait_until(lambda end=action[1:]: browser.current_url.endswith(end))
            assert partial.is_displayed() == ("substeps" in action)
        else:
            browser.act(action)
        if action.startswith("#step"):
            browser.execute_script("document.activeElement.blur()")
        step, _, phase = position.partition(".")
        sub_step = f", sub-step {phase} of 7" if phase else ""
        assert browser.text_of("#count") == f"step {step} of 19{sub_step}"
    assert browser.text_of("#play") == "Play"
    browser.execute_script(
        "const slider = document.getElementById('slider'); slider.value = 6;"
        "slider.dispatchEvent(new Event('input')); document.activeElement.blur()"
    )
    stated = browser.find_element("id", "slider").get_attribute("aria-valuetext")
    assert stated.startswith("step 3, sub-step 2 of 7: Select its columns")
    for key, pause in zip("+----", ("0.5", "1", "2", "4", "4"), strict=True):
        browser.press(key)
        assert browser.find_element("id", "speed").get_attribute("value") == pause
    for key in ("END", *["ARROW_LEFT"] * 8, " "):
        browser.act(key)
    assert browser.text_of("#play") == "Pause"
    browser.press(*"+++++++")
    browser.wait_until(lambda: browser.text_of("#count") == "step 19 of 19")
    assert browser.text_of("#play") == "Play"
    # A presentation shows one panel after another.
    options = browser.all_of("#panel option")
    names = [option.get_attribute("value") for option in options]
    for name in [*names[1:], names[0]]:
        browser.press("v")
        panels = browser.all_of("main section")
        shown = [each.get_attribute("id") for each in panels if each.is_displayed()]
        assert shown == ([name] if name else names[1:])


def test_a_presentation_fills_the_screen_with_one_panel_or_two(browser, show):
    show(knuth_example())
    for keys, shown in (("v", ["matrix"]), ("bb", ["matrix", "covers"]), ("b", ["matrix", "tree"])):
        browser.press(*keys)
        panels = [browser.find_element("id", f"{name}-panel") for name in shown]
        lefts = [panel.rect["x"] for panel in panels]
        assert lefts == sorted(set(lefts))
        assert sum(panel.rect["width"] for panel in panels) > 1100  # of 1280
        height = browser.execute_script("return innerHeight")
        bottom = max(panel.rect["y"] + panel.rect["height"] for panel in panels)
        assert height - 60 < bottom <= height or len(panels) > 1
        assert browser.execute_script("return document.documentElement.scrollHeight") <= height
    browser.press("v", "v", "v", "v", "v", "v")
    assert not browser.all_of(".presenting")
    style = "return document.querySelector('#matrix').style.zoom"
    assert browser.execute_script(style) == ""


def test_covers(browser, show):
    """The buttons, keys, marks and the list lead to the steps that find a cover."""
    record = show(multiplicity_example())
    names = record.view.references()
    found = [k for k, step in enumerate(record.steps) if step.name == "M2"]
    assert len(found) == len(record.covers)
    following = browser.find_element("id", "next-cover")
    assert not browser.find_element("id", "previous-cover").is_enabled()
    assert browser.text_of("#covers-note") == "No covers found so far."
    for count, index in enumerate(found, 1):
        following.click()
        assert browser.shown_step() == index
        assert browser.text_of("#covers-note") == f"{count} cover{'s' * (count > 1)} found so far."
        expected = [" · ".join(names[k] for k in cover) for cover in record.covers[:count]]
        assert list(filter(None, browser.texts_of("#covers button"))) == expected
    assert not following.is_enabled()
    for key, index in (("p", found[-2]), ("n", found[-1]), ("#last", len(record.steps) - 1)):
        browser.act(key)
        assert browser.shown_step() == index
    assert browser.text_of("#covers-note") == "6 covers found."
    browser.execute_script("document.querySelector('#covers button[tabindex=\"0\"]').focus()")
    browser.press("ARROW_UP", "ARROW_UP", "ARROW_DOWN", "ENTER")
    assert browser.shown_step() == found[4]
    buttons = browser.all_of("#covers button")
    buttons[1].click()
    assert browser.shown_step() == found[1]
    assert not buttons[4].is_displayed()
    for fragment in ("", "&substeps", "&links"):
        browser.go_to_fragment(f"#step={found[2]}{fragment}")
        slider = browser.find_element("id", "slider")
        assert browser.shown_step() == found[2]
        share = int(slider.get_property("value")) / int(slider.get_attribute("max"))
        marks = browser.all_of("#marks line")
        assert len(marks) == len(found)
        assert float(marks[2].get_attribute("x1").rstrip("%")) == pytest.approx(100 * share)


@pytest.mark.parametrize(
    ("limits", "step", "sentence"),
    [
        ({"steps": 5}, 4, "The recording ends before a cover is found."),
        ({"steps": 15}, 14, "The recording ends here. Show the last cover"),
        ({"limit": 1}, 1000, "The recording ends here."),
    ],
)
def test_end_of_an_incomplete_recording(browser, show, limits, step, sentence):
    """The last step says that the recording ends, and has a button that shows the last cover."""
    show(multiplicity_example(), f"#step={step - 1}", **limits)
    end = browser.find_element("id", "end-note")
    assert end.is_displayed() == (step == 1000)
    browser.act("END")
    assert end.text == sentence
    if "Show" in sentence:
        browser.act("#show-cover")
        assert not end.is_displayed()
        assert browser.text_of("#name").startswith("M2 ")
        assert browser.switch_to.active_element.get_attribute("id") == "play"


def test_long_covers(browser, show):
    """A long cover starts where it differs from the previous one; the others are complete."""
    record = show(dlx.ExactCover([[k] for k in range(20)] + [[18, 19], [17, 18]]), "#step=last")
    previous = []
    for button, numbers in zip(browser.all_of("#covers button"), record.covers, strict=True):
        start, cover = 0, [record.view.references()[number] for number in numbers]
        while cover[: start + 1] == previous[: start + 1]:
            start += 1
        assert button.text == " · ".join([*["…"] * (start > 0), *cover[start:]])
        assert button.get_attribute("title").endswith(" · ".join(cover))
        previous = cover


FOCUSABLE = """
return [...document.querySelectorAll("button, input, select, summary, [tabindex]")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => !element.disabled && element.tabIndex >= 0)
"""
FOCUS_RING = """
const element = document.activeElement;
const rectangle = element.querySelector(":scope > rect"); // of a box in the search tree
const style = getComputedStyle(rectangle ?? element);
return rectangle
  ? [style.stroke, parseFloat(style.strokeWidth) >= 3]
  : [style.outlineColor, style.outlineStyle === "solid"];
"""


@pytest.mark.parametrize("problem", [multiplicity_example(), EASY], ids=["covers", "forced moves"])
def test_keyboard_navigation(browser, show, problem):
    """Tab reaches every control, which then has a focus ring."""
    show(problem, "#step=80")
    controls = browser.execute_script(FOCUSABLE)
    assert len(controls) >= 17
    focused = []
    for _ in controls:
        browser.press("TAB")
        focused.append(browser.switch_to.active_element)
        ring = browser.execute_script(FOCUS_RING)
        assert ring == [rgb(TOKENS["focus"][0]), True], focused[-1].get_attribute("outerHTML")
    assert focused == controls
