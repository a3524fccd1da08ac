"""The notebook of the documentation: its cells run, and their outputs fit on a page."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from scripts.notebook import execute, load


@pytest.fixture(scope="module")
def cells():
    return execute(load())


@pytest.mark.compiled
def test_each_output_has_a_short_text(cells):
    texts = [
        "".join(output["data"]["text/plain"])
        for _, outputs in cells
        for output in outputs
        if "data" in output
    ]
    assert len(texts) > 10
    assert all(len(text) <= 120 for text in texts), max(texts, key=len)


@pytest.mark.compiled
def test_pictures_on_one_page_do_not_interfere(cells):
    """Style rules apply within pictures only, and different pictures have different ids."""
    pictures = [
        picture
        for _, outputs in cells
        for output in outputs
        for mime_type, lines in output.get("data", {}).items()
        if mime_type != "text/plain"
        for picture in re.findall(r"<svg .*?</svg>", "".join(lines), re.DOTALL)
    ]
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
