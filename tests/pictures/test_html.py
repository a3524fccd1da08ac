"""The parts of HTML that notebooks show."""

from xml.etree import ElementTree

from dlx_numba.pictures import html
from dlx_numba.pictures.document import picture


def test_texts_are_escaped_and_elements_are_closed():
    parts = [
        html.facts([("<a>", "b & c")]),
        html.table(["<x>"], [["&"], [3]]),
        html.paragraph("<script>"),
        html.progress_bar(1 / 3, "<third>"),
        html.figures([(picture(10, 20, "t", "d", []), "<caption>")], 300),
    ]
    assert 'viewBox="0 0 10 20" width="300" style="max-width:100%" class=' in parts[-1]
    texts = set(ElementTree.fromstring(f"<div>{''.join(parts)}</div>").itertext())
    assert {"<a>", "b & c", "<x>", "&", "3", "<script>", "<third>", "<caption>"} <= texts


def test_pictures_are_strings_that_notebooks_show():
    drawn = picture(10, 20, "t", "d", [])
    assert drawn.startswith("<svg")
    assert drawn._repr_svg_() == drawn
    assert repr(drawn) == f"<Svg: {len(drawn):,} characters of SVG>"
