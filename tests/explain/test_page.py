"""The page of `explain` in a browser: what it shows is what the solver's arrays hold."""

import re
import shutil

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain.follow import record_search
from dlx_numba.explain.page import make_page
from dlx_numba.explain.problem_view import board_subject, cover_subject
from dlx_numba.explain.recorder import Recorder
from dlx_numba.kernels.branching import Branching
from dlx_numba.kernels.links import COVERED
from dlx_numba.sudoku.io.board import decode_board
from tests.helpers.examples import knuth, several

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        BROWSER is None or DRIVER is None,
        reason="no Chromium with its driver: apt-get install chromium chromium-driver",
    ),
]

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)

CELLS = """
const arrays = {};
for (const cell of document.querySelectorAll("#arrays td")) {
  const text = (cell.querySelector("ins") ?? cell).textContent;
  if (text) (arrays[cell.dataset.array] ??= []).push(text);
}
return arrays;
"""
OPTIONS = """
const states = {};
for (const row of document.querySelectorAll("#matrix .row")) {
  (states[row.classList[1]] ??= []).push(Number(row.dataset.option));
}
return states;
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    profile = tmp_path_factory.mktemp("profile")
    for flag in (*FLAGS.split(), f"--user-data-dir={profile}", "--window-size=1200,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def show(browser, tmp_path):
    """Opens the page of a record; afterwards the console must be empty."""

    def opened(subject, record, address=""):
        path = tmp_path / "page.html"
        path.write_text(make_page(subject, record), encoding="utf-8")
        browser.get("about:blank")  # else a new fragment alone would load nothing
        browser.get(path.as_uri() + address)
        return browser

    yield opened
    assert browser.get_log("browser") == []


@pytest.fixture
def standing(monkeypatch):
    """The solver's own arrays after each step, as copies."""
    taken = []
    step = Recorder._step

    def spy(self, *arguments):
        step(self, *arguments)
        taken.append({name: array.tolist() for name, array in self.named.items()})

    monkeypatch.setattr(Recorder, "_step", spy)
    return taken


def press(browser, *keys):
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def place(browser):
    text = browser.find_element("id", "count").text
    return int(re.fullmatch(r"step (\d+) of \d+", text)[1])


def value(text):
    return int(COVERED) * text.count("C+") + int(text.replace("C+", ""))


def arrays_shown(browser):
    shown = browser.execute_script(CELLS)
    arrays = {name: [value(text) for text in texts] for name, texts in shown.items()}
    return {**arrays, "size": [size % 2**32 for size in arrays["size"]]}  # the array is unsigned


def hidden_nodes(arrays, n_items):
    D, U = np.array(arrays["D"]), np.array(arrays["U"])
    nodes = np.arange(len(D))
    return set(nodes[(D[U] != nodes) & (nodes > n_items)].tolist())


def compare(browser, step, arrays, n_items, n_secondary=0):
    """All that is shown at a step, with what the record and the solver say."""
    assert browser.find_element("id", "text").text == step.text
    assert browser.find_element("id", "name").text.startswith(f"{step.name} [")
    assert arrays_shown(browser) == arrays
    states = browser.execute_script(OPTIONS)
    assert states.get("chosen", []) == sorted(step.chosen)
    unlinked = browser.find_elements("css selector", "#links .node.unlinked")
    assert {int(node.get_attribute("data-node")) for node in unlinked} == (
        hidden_nodes(arrays, n_items)
    )
    covered = browser.find_elements("css selector", "#matrix .column.covered")
    sizes = arrays["size"]
    least = [COVERED] * (n_items - n_secondary) + [2 * COVERED] * n_secondary
    assert [int(column.get_attribute("data-item")) for column in covered] == [
        item for item in range(1, n_items + 1) if least[item - 1] <= sizes[item] < 3 * COVERED
    ]


def test_knuths_example_forth_and_back(show, standing):
    from selenium.webdriver.common.keys import Keys

    subject = cover_subject(knuth(), "Knuth's example")
    record = record_search(subject)
    browser = show(subject, record)
    for at, (step, arrays) in enumerate(zip(record.steps, standing, strict=True)):
        assert place(browser) == at
        compare(browser, step, arrays, 7)
        if step.name == "X2":
            rows = [1 + option for option in browser.execute_script(OPTIONS)["chosen"]]
            assert rows == [1, 4, 5]
            assert len(browser.find_elements("css selector", "#tree .place.cover")) == 1
        press(browser, Keys.ARROW_RIGHT)
    assert place(browser) == len(record.steps) - 1
    for at in reversed(range(len(record.steps))):
        compare(browser, record.steps[at], standing[at], 7)
        press(browser, Keys.ARROW_LEFT)
    assert place(browser) == 0


def test_colours_and_secondary_items(show, standing):
    options = [
        ["p", "q", "x", ("y", "A")],
        ["p", "r", ("x", "A"), "y"],
        ["p", ("x", "B")],
        ["q", ("x", "A")],
        ["r", ("y", "B")],
    ]
    subject = cover_subject(dlx.ExactCover(options, secondary=["x", "y"]), "colours")
    record = record_search(subject)
    assert record.covers == [[1, 3]]
    browser = show(subject, record)
    from selenium.webdriver.common.keys import Keys

    for step, arrays in zip(record.steps, standing, strict=True):
        assert browser.find_element("id", "text").text == step.text
        shown = arrays_shown(browser)
        assert shown == arrays
        assert "purifier" in shown
        if step.name == "C2":
            assert browser.execute_script(OPTIONS)["chosen"] == [1, 3]
        press(browser, Keys.ARROW_RIGHT)


def test_multiplicities_forth_and_back(show, standing):
    from selenium.webdriver.common.keys import Keys

    subject = cover_subject(several(), "several")
    record = record_search(subject)
    assert record.covers == several().solve()
    browser = show(subject, record)

    def compare_bounds(at):
        """The head of the matrix, and for options what is known of them."""
        for name in ("need", "room"):
            heads = browser.find_elements("css selector", f"#matrix .head .{name}")
            texts = [head.text for head in heads]
            sizes = standing[at]["size"][1:4]
            values = [max(0, value) for value in standing[at][name][1:]]
            expected = [
                "–" if size >= COVERED else str(value)
                for size, value in zip(sizes, values, strict=True)
            ]
            assert texts == [*expected, ""]  # the last item is secondary
        born = [place for place in record.tree if place.parent >= 0 and place.born <= at]
        shown = browser.find_elements("css selector", "#tree .place[visibility=visible]")
        labels = [place.find_element("css selector", "text:not([class])").text for place in shown]
        assert labels == ["root", *(str(p.option) if p.option >= 0 else "none" for p in born)]

    for at, step in enumerate(record.steps):
        assert place(browser) == at
        compare(browser, step, standing[at], 4, 1)
        compare_bounds(at)
        press(browser, Keys.ARROW_RIGHT)
    for at in reversed(range(len(record.steps))):
        compare(browser, record.steps[at], standing[at], 4, 1)
        compare_bounds(at)
        press(browser, Keys.ARROW_LEFT)
    assert place(browser) == 0


def test_what_is_to_be_tried_of_an_item_that_stays_in_the_list(show):
    subject = cover_subject(several(), "several")
    record = record_search(subject)
    from selenium.webdriver.support.ui import WebDriverWait

    browser = show(subject, record, "#step=4")
    names = [step.name for step in record.steps]
    none = next(k for k, step in enumerate(record.steps) if step.text.startswith("Take none"))
    for at, name, chosen, waiting in [
        (5, "M4", [1], [0, 2, 3]),
        (6, "M5", [1], [0, 2, 3]),
        (7, "M6", [0, 1], [2, 3]),
        (none, "M6", [0, 1], []),
    ]:
        browser.execute_script(f"location.hash = '#step={at}'")
        WebDriverWait(browser, 5).until(lambda _, at=at: place(browser) == at)
        assert names[at] == name
        states = browser.execute_script(OPTIONS)
        assert (states["chosen"], states.get("waiting", [])) == (chosen, waiting)


def test_an_item_may_lack_more_than_one_option(show, standing):
    cover = dlx.ExactCover([["x", "c"]] * 3, multiplicity={"c": (2, 3)})
    subject = cover_subject(cover, "short")
    record = record_search(subject, choose=Branching.LEFTMOST)
    assert record.covers == []
    assert min(np.array(arrays["size"], np.uint32).view(np.int32).min() for arrays in standing) < 0
    for at, arrays in enumerate(standing):
        compare(show(subject, record, f"#step={at}"), record.steps[at], arrays, 2)


def test_controls(show):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    subject = cover_subject(knuth(), "Knuth's example")
    record = record_search(subject)
    last = len(record.steps) - 1
    browser = show(subject, record, "#step=5")
    assert place(browser) == 5
    for key, at in [
        (Keys.END, last),
        (Keys.PAGE_UP, last - 10),
        (Keys.HOME, 0),
        (Keys.PAGE_DOWN, 10),
        ("n", 18),
        (Keys.ARROW_LEFT, 17),
    ]:
        press(browser, key)
        assert place(browser) == at
        WebDriverWait(browser, 5).until(
            lambda _, at=at: browser.current_url.endswith(f"#step={at}")
        )
    for name, at in [("first", 0), ("forward", 1), ("back", 0), ("last", last)]:
        browser.find_element("id", name).click()
        assert place(browser) == at
    browser.execute_script(
        "const s = document.getElementById('slider'); s.value = 7;"
        "s.dispatchEvent(new Event('input'));"
    )
    assert place(browser) == 7
    browser.execute_script("location.hash = '#step=3'")
    WebDriverWait(browser, 5).until(lambda _: place(browser) == 3)
    play = browser.find_element("id", "play")
    browser.execute_script("document.activeElement.blur()")
    press(browser, "+", "+", "+", "+", " ")
    assert play.text == "Pause"
    WebDriverWait(browser, 20).until(lambda _: place(browser) == last)
    assert play.text == "Play"


def test_by_keyboard_alone(show):
    """Tab comes to every control, and Space presses what has the focus."""
    from selenium.webdriver.common.keys import Keys

    subject = cover_subject(knuth(), "Knuth's example")
    browser = show(subject, record_search(subject), "#step=4")
    seen = []
    for _ in range(14):
        press(browser, Keys.TAB)
        focused = browser.switch_to.active_element
        seen.append(focused.get_attribute("id"))
        if seen[-1] == "forward":
            press(browser, " ")
            assert place(browser) == 5
    for name in ("first", "back", "play", "forward", "last", "slider", "matrix", "arrays"):
        assert name in seen


def test_labels(show):
    subject = cover_subject(knuth(), "Knuth's example")
    browser = show(subject, record_search(subject), "#step=3")
    assert browser.find_element("id", "sentence").get_attribute("aria-live") == "polite"
    for element in browser.find_elements(
        "css selector", "button, input, [role=img], [role=region], svg:not([aria-hidden])"
    ):
        shown = element.is_displayed()  # the board is not
        assert element.accessible_name or not shown, element.get_attribute("outerHTML")[:80]
    matrix = browser.find_element("css selector", "#matrix svg:not(.heads)").get_attribute(
        "aria-label"
    )
    assert matrix == (
        "Matrix. Options chosen: 1; to be tried: 3; left: 0, 2; out: 4, 5. Items covered: 0, 3, 6."
    )
    slider = browser.find_element("id", "slider")
    assert slider.get_attribute("aria-valuetext").startswith("step 3: Try option 1")


def test_a_board(show):
    puzzle = "1.....3..4.....2"
    values, alphabet, box = decode_board(puzzle)
    subject = board_subject(values, box, alphabet, "four")
    record = record_search(subject)
    cover = next(k for k, step in enumerate(record.steps) if step.name == "X2")
    browser = show(subject, record, f"#step={cover}")
    cells = browser.find_elements("css selector", "#board .cell")
    solution = "".join(cell.text.strip() for cell in cells)
    assert solution == dlx.solve_sudoku(puzzle)
    assert len(browser.find_elements("css selector", "#board .given")) == 4


def test_what_is_too_large_is_cut(show):
    values, alphabet, box = decode_board("." * 81)
    subject = board_subject(values, box, alphabet, "empty")
    record = record_search(subject, steps=60)
    browser = show(subject, record, "#step=59")
    assert "stopped early, after 60 steps" in browser.find_element("id", "ending").text
    assert "too many to be drawn" in browser.find_element("id", "links-note").text
    assert len(browser.find_elements("css selector", "#matrix .entry")) == 4 * 729
    changed = set(record.steps[59].changes)
    marked = browser.find_elements("css selector", "#arrays td.changed")
    assert {cell.get_attribute("data-array") for cell in marked} == changed


def test_names_are_only_text(show):
    name = "</script><script>alert(1)</script>"
    subject = cover_subject(dlx.ExactCover([[name], ["<b>b</b>", "&amp;"]]), f"<i>{name}")
    browser = show(subject, record_search(subject, choose=Branching.SMALLEST), "#step=1")
    assert name in browser.find_element("id", "text").text
    assert browser.find_element("tag name", "h1").text == f"<i>{name}"


def test_narrow_and_dark(show):
    subject = cover_subject(knuth(), "Knuth's example")
    browser = show(subject, record_search(subject), "#step=4")
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


def test_nothing_is_loaded(show):
    subject = cover_subject(knuth(), "Knuth's example")
    browser = show(subject, record_search(subject))
    loaded = browser.execute_script("return performance.getEntriesByType('resource').length")
    assert loaded == 0
