"""A driver of Chromium for pages, which the tests of pages import when they start it."""

import re

from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.support.ui import WebDriverWait

from dlx_numba.kernels.dlx.links import INACTIVE

POLL_SECONDS = 0.02


# Everything that a page shows at a step, read in a single call.
SNAPSHOT = """
const all = (selector) => [...document.querySelectorAll(selector)];
const texts = (selector) => all(selector).map((element) => element.textContent);
const numbers = (selector, name) => all(selector).map((element) => Number(element.dataset[name]));
const arrays = {};
for (const cell of all("#arrays td")) {
  const text = (cell.querySelector("ins") ?? cell).innerText;
  if (text) (arrays[cell.dataset.array] ??= []).push(text);
}
const states = {};
for (const row of all("#matrix .row")) {
  (states[row.classList[1]] ??= []).push(Number(row.dataset.option));
}
const visibleTree = "#tree .tree-node";
return {
  count: document.getElementById("count").innerText,
  name: document.getElementById("name").innerText,
  line: document.querySelector("#listing [aria-current=step]").innerText,
  text: document.getElementById("text").innerText,
  arrays,
  states,
  unlinked: numbers("#links .node.unlinked", "node"),
  covered: numbers("#matrix .column.covered", "item"),
  need: texts("#matrix .heading .need"),
  capacity: texts("#matrix .heading .capacity"),
  tree: texts(`${visibleTree} > text:not([class])`),
  partial: document.getElementById("partial").innerText,
  pending: all("#arrays td.pending").map((cell) => [cell.dataset.array, Number(cell.dataset.node)]),
  bold: [...new Set(all("#links .pending").map((line) => line.dataset.link))],
  selected: numbers("#matrix .row.selected", "option"),
  related: numbers("#matrix .row.related", "option"),
  touched: numbers("#matrix .column.touched", "item"),
  rows: numbers("#matrix .row:not([display=none])", "option"),
  columns: numbers("#matrix .column:not([display=none])", "item"),
};
"""

# Presses a key as long as a button is enabled, and returns a snapshot of each position.
WALK = f"""
const [key, button] = arguments;
const takeSnapshot = () => {{{SNAPSHOT}}};
const snapshots = [takeSnapshot()];
while (!document.getElementById(button).disabled) {{
  document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
  snapshots.push(takeSnapshot());
}}
return snapshots;
"""


class Browser(Chrome):
    """Controls a page, and reads what it shows."""

    def all_of(self, selector):
        return self.find_elements("css selector", selector)

    def text_of(self, selector):
        return self.find_element("css selector", selector).text

    def texts_of(self, selector):
        return [element.text for element in self.all_of(selector)]

    def numbers_of(self, selector, name):
        """Return an attribute of elements, such as their cell or their option, as integers."""
        return [int(element.get_attribute(f"data-{name}")) for element in self.all_of(selector)]

    def press(self, *keys):
        """Press keys, such as "n" or "PAGE_DOWN", one after another."""
        ActionChains(self).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    def act(self, action):
        """Go to a fragment, such as "#step=3", click on "#first", or press a key."""
        if action.startswith("#step"):
            self.go_to_fragment(action)
        elif action.startswith("#"):
            self.find_element("css selector", action).click()
        else:
            self.press(action)

    def wait_until(self, condition, seconds=60):
        WebDriverWait(self, seconds, POLL_SECONDS).until(lambda _: condition())

    def open_page(self, path, fragment=""):
        """Open the page in a file, and wait until its scripts are ready."""
        self.get("about:blank")  # a new fragment alone would not reload the page
        self.get(path.as_uri() + fragment)
        script = "return document.body.classList.contains('ready')"
        self.wait_until(lambda: self.execute_script(script))

    def go_to_fragment(self, fragment):
        """Change the fragment of the URL as a link does, and wait until the page has shown it.

        The page writes its URL with a delay. A fragment that the URL has already would do nothing.
        """
        self.execute_async_script(
            """
            const [fragment, done] = arguments;
            addEventListener("hashchange", () => done(), { once: true });
            history.replaceState(null, "", "#");
            location.hash = fragment;
            """,
            fragment,
        )

    def show_step(self, index):
        self.go_to_fragment(f"#step={index}")
        assert self.shown_step() == index

    def shown_step(self):
        return parse_step(self.text_of("#count"))

    def take_snapshot(self):
        """Return what the page shows, with the values of the arrays as integers."""
        return _with_integers(self.execute_script(SNAPSHOT))

    def walk_forward(self):
        """Step to the end of the record, and return what the page shows at all positions."""
        return [*map(_with_integers, self.execute_script(WALK, "ArrowRight", "forward"))]

    def walk_back(self):
        """Step to the start of the record, and return what the page shows at all positions."""
        return [*map(_with_integers, self.execute_script(WALK, "ArrowLeft", "back"))]


def parse_step(text):
    return int(re.fullmatch(r"step (\d+) of \d+(?:, (?:sub-step|assignment) \d+ of \d+)?", text)[1])


def _with_integers(shown):
    """Return a snapshot with the step, and with integers as the elements of arrays."""
    arrays = {
        name: [int(INACTIVE) * text.count("C+") + int(text.replace("C+", "")) for text in texts]
        for name, texts in shown["arrays"].items()
    }
    arrays["size"] = [size % 2**32 for size in arrays.get("size", [])]  # the array is unsigned
    return {**shown, "arrays": arrays, "step": parse_step(shown["count"])}
