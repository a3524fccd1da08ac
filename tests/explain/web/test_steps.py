"""The page of a deduction, which fills the window, and what follows at each step of a search."""

import pytest

import dlx_numba as dlx
from dlx_numba.explain.deduction.boards import deduce_puzzle
from dlx_numba.explain.steps_page import steps_page
from dlx_numba.runtime.interrupts import Stop
from tests.helpers.examples import EASY, knuth_example, multiplicity_example

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

PIECES = "5x4\n\nI V\n\nF P\n"


@pytest.fixture
def show_steps(browser, tmp_path):
    """Show the page of all steps of a puzzle, and return them. The console stays empty."""

    def show_(puzzle, fragment=""):
        steps = deduce_puzzle(puzzle, puzzle.cover(), Stop())
        path = tmp_path / "steps.html"
        path.write_text(steps_page("<title>", steps, Stop()), encoding="utf-8")
        browser.open_page(path, fragment)
        return steps

    yield show_
    assert browser.get_log("browser") == []


def shown(browser):
    [section] = [each for each in browser.all_of("main section") if each.is_displayed()]
    return section


def test_steps_are_reached_by_buttons_keys_the_slider_and_the_address(browser, show_steps):
    steps = show_steps(dlx.read("1.....3..4.....2\n")[0])
    n = len(steps) + 1
    texts = [step.text for step in steps] + [steps.end]
    moves = "#first 1, ARROW_RIGHT 2, #forward 3, #back 2, PAGE_DOWN 12, ARROW_LEFT 11, HOME 1"
    for move in f"{moves}, END {n}, #step=4 4".split(", "):
        action, number = move.split()
        browser.act(action)
        assert browser.text_of("#count") == f"{number} of {n}"
        assert browser.text_of("#sentence") == texts[int(number) - 1].replace("`", "")
    script = "slider.value = 6; slider.dispatchEvent(new Event('input'))"
    browser.execute_script(script)
    browser.wait_until(lambda: browser.current_url.endswith("#step=7"))
    browser.press(*"+++++", " ")
    browser.wait_until(lambda: browser.text_of("#count") == f"{n} of {n}")


def test_the_board_takes_the_height_of_the_window_and_has_numbers(browser, show_steps):
    show_steps(dlx.read(f"{EASY}\n")[0])
    script = "const {innerHeight, document: {documentElement}} = window;"
    script += "return [innerHeight, documentElement.scrollHeight]"
    height, scrolled = browser.execute_script(script)
    assert scrolled <= height
    top = shown(browser).rect["y"]
    assert shown(browser).find_element("css selector", "svg").rect["height"] > height - top - 20
    soft = [each.text for each in browser.all_of("main section:first-child text.soft")]
    assert soft[:18] == [*"123456789"] * 2


def test_the_board_fits_a_phone(phone, show_steps):
    show_steps(dlx.read(f"{EASY}\n")[0])
    board = shown(phone).find_element("css selector", "svg").rect
    controls = phone.find_element("id", "controls").rect
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= 390
    assert board["y"] + board["height"] <= controls["y"]


def test_the_legend_has_the_pieces_and_dims_those_that_are_placed(browser, show_steps):
    steps = show_steps(dlx.read(PIECES, kind="pieces")[0])
    names = [each.get_attribute("data-piece") for each in browser.all_of("#legend [data-piece]")]
    assert names == [*"FIPV"]
    assert not browser.all_of("#legend .placed")
    browser.press("END")
    placed = {each.get_attribute("data-piece") for each in browser.all_of("#legend .placed")}
    assert placed == {steps.source.named.drawing.marks[k][0][1] for k in steps.chosen}


@pytest.mark.parametrize(("name", "n_pieces"), [("calendar", 8), ("shikaku", 0)])
def test_the_legend_has_neither_single_cells_nor_pieces_with_numbers(
    browser, show_steps, name, n_pieces
):
    show_steps(dlx.example(name))
    assert len(browser.all_of("#legend [data-piece]")) == n_pieces


@pytest.mark.parametrize("example", [knuth_example, multiplicity_example])
def test_what_follows_is_deduced_from_the_options_that_are_chosen_at_a_step(browser, show, example):
    cover = example()
    record = show(cover)
    hint = browser.find_element("id", "hint")
    assert not hint.is_displayed()
    browser.press("w")
    texts = set()
    for number, step in enumerate(record.steps):
        chosen = cover.replace(given=step.chosen)
        steps = chosen.deduce()
        left = chosen.solve()
        texts.add(text := hint.text)
        if len(left) == 1 and not steps:
            assert text == "All items are covered."
        elif not steps:
            is_stuck = "Nothing simple follows from these options: the search has to try one."
            assert text == is_stuck or text.endswith("a dead end.")
        else:
            assert text == steps[0].text.replace("`", "")
        assert browser.shown_step() == number
        browser.press("ARROW_RIGHT")
    assert len(texts) > 2
    browser.act("#what-follows")
    assert not hint.is_displayed()
