"""The notebook of the documentation: its cells run, and their outputs fit on a page."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from scripts.notebook import execute, load

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def shown():
    """The texts that the cells show, by MIME type."""
    data = [output.get("data", {}) for _, outputs in execute(load()) for output in outputs]
    return [{kind: "".join(lines) for kind, lines in each.items()} for each in data if each]


def test_each_output_has_a_short_text(shown):
    texts = [each["text/plain"] for each in shown]
    assert len(texts) > 10
    assert all(len(text) <= 120 for text in texts), max(texts, key=len)


def test_pictures_on_one_page_do_not_interfere(shown):
    """Style rules apply within pictures only, and different pictures have different ids."""
    pages = "\n".join(text for each in shown for kind, text in each.items() if kind != "text/plain")
    pictures = re.findall(r"<svg .*?</svg>", pages, re.DOTALL)
    assert len(pictures) > 10
    texts_with_id = {}
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert root.get("class") == "dlx-picture"
        [style] = root.iter("{http://www.w3.org/2000/svg}style")
        selectors = re.findall(r"([^{}]+)\{[^{}]*\}", style.text.replace("@media", ";@media"))
        names = [name.rpartition("{")[2].strip() for name in selectors]
        assert all(name.startswith(".dlx-picture") for name in names), names
        body = [element for element in root.iter() if element.get("id")]
        for element in body:
            known = texts_with_id.setdefault(element.get("id"), element.text)
            assert known == element.text
        assert root.get("aria-labelledby").split() == [element.get("id") for element in body]
