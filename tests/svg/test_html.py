"""The parts of HTML that notebooks show."""

from html.parser import HTMLParser

from dlx_numba.svg import html
from dlx_numba.svg.document import picture


class Texts(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.found.append(data)


def test_texts_are_escaped_and_elements_are_closed():
    parts = [
        html.facts([("<a>", "b & c")]),
        html.table(["<x>"], [["&"], [3]]),
        html.paragraph("<script>"),
        html.progress_bar(1 / 3, "<third>"),
        html.figures([(picture(10, 20, "t", "d", []), "<caption>")], 300),
    ]
    assert 'viewBox="0 0 10 20" width="300" style="max-width:100%" class=' in parts[-1]
    texts = Texts("".join(parts)).found
    assert {"<a>", "b & c", "<x>", "&", "3", "<script>", "<third>", "<caption>"} <= set(texts)


def test_pictures_are_strings_that_notebooks_show():
    drawn = picture(10, 20, "t", "d", [])
    assert drawn.startswith("<svg")
    assert drawn._repr_svg_() == drawn
    assert repr(drawn) == f"<Picture: {len(drawn):,} characters of SVG>"
