"""Sentences, names and labels, and the page as a document."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from tests.helpers.examples import color_example, knuth_example

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


def test_introduction_is_open(open_page):
    view = view_search(knuth_example(), "Knuth's example")
    browser = open_page(record_search(view))
    introduction = browser.find_element("css selector", "#introduction p")
    assert introduction.is_displayed()
    assert len(re.findall(r"\.(?= |$)", introduction.text)) == 2
    assert "secondary" not in introduction.text
    browser.find_element("css selector", "#introduction summary").click()
    assert not introduction.is_displayed()
    view = view_search(color_example(), "colors")
    browser = open_page(record_search(view))
    introduction = browser.find_element("css selector", "#introduction p")
    assert "secondary" in introduction.text


def test_labels(open_page):
    view = view_search(knuth_example(), "Knuth's example")
    browser = open_page(record_search(view), "#step=3")
    assert browser.find_element("id", "sentence").get_attribute("aria-live") == "polite"
    for element in browser.find_elements(
        "css selector", "button, input, [role=img], [role=region], svg:not([aria-hidden])"
    ):
        # The board is not displayed, since the problem is not a Sudoku.
        if element.is_displayed():
            assert element.accessible_name, element.get_attribute("outerHTML")[:80]
    matrix = browser.find_element("css selector", ".matrix-entries")
    assert matrix.get_attribute("aria-label") == (
        "Matrix. Options chosen: 0 3 6; to be tried: 0 3; active: 2 4 5, 1 2 5; "
        "removed: 1 6, 3 4 6. Covered items: 0, 3, 6."
    )
    slider = browser.find_element("id", "slider")
    assert slider.get_attribute("aria-valuetext").startswith("step 3: Try option 0 3 6:")


def test_names_of_options(open_page):
    """Rows, nodes of the tree and sentences have the names of options, or their items."""
    long_name = "a name with many letters"
    subsets = {"S1": ["A"], long_name: ["A", "B"], "S3": ["B", "C"], 3: ["B"]}
    view = view_search(dlx.ExactCover(subsets), "subsets")
    record = record_search(view)
    browser = open_page(record, f"#step={len(record.steps) - 2}")
    assert browser.find_element("id", "text").text == (
        "All items are covered: options S1 and S3 form a cover."
    )
    labels = browser.find_elements("css selector", "#matrix .row-name text")
    assert [label.text.split(" ", 1)[-1] for label in labels] == ["S1", "a name with…", "S3", "B"]
    nodes = browser.find_elements("css selector", "#tree .path > text:nth-of-type(2)")
    assert [node.text for node in nodes] == ["root", "S3", "S1"]
    browser = open_page(record, "#step=2&phase=1&substeps")
    assert "with row S3" in browser.find_element("id", "text").text
    browser = open_page(record, "#step=3&phase=3&substeps")
    assert f"Options {long_name} and B conflict with option S3" in (
        browser.find_element("id", "text").text
    )
    browser = open_page(record, "#step=4&substeps")
    assert browser.find_element("id", "partial").text == "Partial solution: S3"


def test_names_are_escaped(open_page):
    name = "</script><script>alert(1)</script>"
    view = view_search(dlx.ExactCover([[name], ["<b>b</b>", "&amp;"]]), f"<i>{name}")
    browser = open_page(record_search(view), "#step=1")
    assert name in browser.find_element("id", "text").text
    assert browser.find_element("tag name", "h1").text == f"<i>{name}"


def test_narrow_screens_and_dark_mode(open_page):
    view = view_search(knuth_example(), "Knuth's example")
    browser = open_page(record_search(view), "#step=4")
    try:
        for scheme, dark in (("light", False), ("dark", True)):
            media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            color = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
            levels = [int(level) for level in re.findall(r"\d+", color)[:3]]
            assert (max(levels) < 128) == dark
        metrics = {"width": 340, "height": 700, "deviceScaleFactor": 1, "mobile": True}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= 340
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
