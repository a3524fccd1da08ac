"""Sentences, names and labels, and the page as a document."""

import re

import pytest

import dlx_numba as dlx
from tests.helpers.examples import color_example, knuth_example

pytestmark = [pytest.mark.processes, pytest.mark.thorough]


def is_dark(browser):
    color = browser.find_element("tag name", "body").value_of_css_property("background-color")
    return max(map(int, re.findall(r"\d+", color)[:3])) < 128


def test_introduction_and_labels(browser, show):
    show(knuth_example(), "#step=3")
    introduction = browser.all_of("#introduction p")[0]
    assert introduction.is_displayed()
    assert len(re.findall(r"\.(?= |$)", introduction.text)) == 2
    assert "secondary" not in introduction.text
    browser.all_of("#introduction summary")[0].click()
    assert not introduction.is_displayed()
    assert browser.find_element("id", "sentence").get_attribute("aria-live") == "polite"
    controls = "button, input, [role=img], [role=region], svg:not([aria-hidden])"
    for element in browser.all_of(controls):
        # The board is not displayed, since the problem is not a Sudoku.
        if element.is_displayed():
            assert element.accessible_name, element.get_attribute("outerHTML")[:80]
    assert browser.all_of(".matrix-entries")[0].get_attribute("aria-label") == (
        "Matrix. Options chosen: 1; untried: 3; active: 0, 2; removed: 4, 5. "
        "Covered items: 0, 3, 6."
    )
    show(color_example())
    assert "secondary" in browser.text_of("#introduction p")


def test_names_of_options(browser, show):
    """Rows, nodes of the tree and sentences have the names of options, or their items."""
    long_name = "a name with many letters"
    subsets = {"S1": ["A"], long_name: ["A", "B"], "S3": ["B", "C"], 3: ["B"]}
    show(dlx.ExactCover(subsets), "#step=7")
    labels = [label.split(" ", 1)[-1] for label in browser.texts_of("#matrix .row-name text")]
    assert labels == ["S1", "a name with…", "S3", "B"]
    assert browser.texts_of("#tree .path > text:nth-of-type(2)") == ["root", "S3", "S1"]
    for fragment, part in (
        ("#step=2&phase=1&substeps", "hide option S3"),
        ("#step=3&phase=3&substeps", f"options {long_name} and B."),
    ):
        browser.go_to_fragment(fragment)
        assert part in browser.text_of("#text")
    browser.go_to_fragment("#step=4&substeps")
    assert browser.text_of("#partial") == "Partial solution: S3"


def test_names_are_escaped(browser, show):
    name = "</script><script>alert(1)</script>"
    show(dlx.ExactCover([[name], ["<b>b</b>", "&amp;"]]), "#step=1", title=f"<i>{name}")
    assert name in browser.text_of("#text")
    assert browser.text_of("h1") == f"<i>{name}"


def test_dark_mode_and_printed_pages(browser, show):
    """Pages follow the system or the button; paper is white, without buttons, and whole."""
    record = show(knuth_example(), "#step=18")
    try:
        for scheme in ("light", "dark"):
            media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            assert is_dark(browser) == (scheme == "dark")
        for dark in (False, True):
            browser.find_element("id", "theme").click()
            assert is_dark(browser) == dark
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert not is_dark(browser)
        assert browser.texts_of("#covers") == ["0 · 3 · 4"]
        controls = browser.all_of("input, select, label, button:not(#covers *)")
        assert not any(control.is_displayed() for control in controls)
        for panel in browser.all_of(".scroll"):
            assert panel.value_of_css_property("overflow") == "visible"
        cells = browser.all_of("#arrays [data-array=L]")
        assert len({cell.rect["y"] for cell in cells}) == record.view.n_nodes
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
