"""Pages from Python: notebooks, files and pictures of single steps."""

import html
import json
import xml.etree.ElementTree as ElementTree
import zlib

import pytest

import dlx_numba as dlx
from dlx_numba.explain import problem_view, record_search
from dlx_numba.explain.encoding import encode_changes
from dlx_numba.explain.page import MAX_ASSIGNMENTS, Page
from dlx_numba.explain.picture import phases_of
from dlx_numba.explain.problem_view import view_board, view_search
from dlx_numba.gallery import Polyominoes, Queens
from dlx_numba.sudoku.io.strings import parse_board
from tests.helpers import ROOT
from tests.helpers.examples import EASY, color_example, knuth_example, multiplicity_example

pytestmark = pytest.mark.compiled
SVG = "{http://www.w3.org/2000/svg}"
TEXT = f"{SVG}text"


def classes(picture, tag="rect"):
    root = ElementTree.fromstring(picture)
    return [element.get("class") for element in root.iter(f"{SVG}{tag}")]


def test_notebooks_show_the_page_in_a_frame(tmp_path):
    path = tmp_path / "page.html"
    page = knuth_example().explain(path, title="<Knuth>")
    assert repr(page) == "<Page: 20 steps, 1 cover>"
    text = path.read_text(encoding="utf-8")
    assert text == page.html
    assert "<h1>&lt;Knuth&gt;</h1>" in text
    frame = page._repr_html_()
    assert frame.startswith("<iframe srcdoc=")
    assert html.unescape(frame.split('"')[1]) == text
    page.save(tmp_path / "copy.html")
    assert (tmp_path / "copy.html").read_text(encoding="utf-8") == text


def test_search_is_that_of_the_problem():
    cover = Queens(8).cover(choose="random", seed=3, given=[9])
    page = cover.explain(limit=1)
    numbers = page.view.numbers
    [found] = page.record.covers
    assert sorted([*(numbers[k] for k in found), 9]) == cover.first()
    assert "1 given option was applied before the search." in page.ending
    shown = cover.explain(limit=1, show_givens=True)
    assert shown.view.option_labels()[shown.record.steps[3].option] == "b7"
    assert "given option" not in shown.ending


@pytest.mark.parametrize("example", [knuth_example, color_example, multiplicity_example])
def test_pictures_of_all_steps(example):
    page = example().explain()
    n_items, n_nodes = page.view.problem.n_items, page.view.n_nodes
    for k, step in enumerate(page.record.steps):
        matrix = classes(page.svg(k))
        marked = sum(len(page.view.marked_rows()[option]) for option in set(step.chosen))
        assert matrix.count("mark") == marked
        links = classes(page.svg(k, links=True))
        assert len(links) == n_nodes + 1
        assert links.count("mark wire") == marked
    assert n_items < n_nodes


def test_default_picture_shows_the_first_cover():
    page = knuth_example().explain()
    assert page.svg() == page.svg(18)
    assert "form a cover" in page.svg()
    with pytest.raises(ValueError, match="there is no step 20; the last step is 19"):
        page.svg(20)


def test_pictures_within_steps():
    """Each sub-step draws the state after some of the changes; the last one, the whole step."""
    page = dlx.ExactCover.from_file(ROOT / "docs" / "examples" / "knuth.dlx").explain()

    def strokes(svg, name, value):
        return [each for each in ElementTree.fromstring(svg).iter() if each.get(name) == value]

    for number, step in enumerate(page.record.steps):
        phases = phases_of(step)
        for links in (False, True):
            assert page.svg(number, phase=len(phases), links=links) == page.svg(number, links=links)
    # Links that the next change assigns to are bold.
    bold = [strokes(page.svg(3, phase=k, links=True), "stroke-width", "3") for k in range(1, 8)]
    assert [len(found) for found in bold] == [5, 5, 5, 6, 3, 0, 0]
    # An attempt: its row, its columns and the related rows
    outlined = [strokes(page.svg(3, phase=k), "fill", "none") for k in range(1, 5)]
    assert [len(found) for found in outlined] == [1, 4, 6, 6]
    dashed = [strokes(page.svg(3, phase=k), "stroke-dasharray", "4 3") for k in range(1, 5)]
    assert [len(found) for found in dashed] == [0, 0, 2, 2]
    with pytest.raises(ValueError, match=r"no step 3\.8; the last sub-step is 3\.7"):
        page.svg(3, phase=8)
    with pytest.raises(ValueError, match=r"no step 3\.0; the last sub-step is 3\.7"):
        page.svg(3, phase=0)
    with pytest.raises(ValueError, match=r"no step 0\.2; step 0 has no sub-steps"):
        page.svg(0, phase=2)


def test_condensed_pictures_and_sheets():
    page = dlx.ExactCover.from_file(ROOT / "docs" / "examples" / "knuth.dlx").explain()
    texts = [text.text for text in ElementTree.fromstring(page.svg(4, condensed=True)).iter(TEXT)]
    assert [text for text in texts if text not in "01"] == [*"bcef", "c e", "b c f"]
    sheet = page.svg(steps_per_sheet=30)
    assert sheet.count("<svg") == 1 + 2 * len(page.record.steps)
    captions = " ".join(text.text for text in ElementTree.fromstring(sheet).iter(TEXT))
    assert "14 X5: Try option c e: cover item c." in captions
    assert page.svg(17, steps_per_sheet=30).count("<svg") == 1 + 2 * 3


def test_pictures_of_boards_and_large_problems():
    values, alphabet, box = parse_board(EASY)
    view = view_board(values, box, alphabet, "board", show_givens=True)
    page = Page(record_search(view))
    texts = [text.text for text in ElementTree.fromstring(page.svg()).iter(f"{SVG}text")]
    assert "".join(texts) == dlx.solve_sudoku(EASY)
    assert len(ElementTree.fromstring(page.svg(3)).findall(f".//{SVG}text")) == 1
    with pytest.raises(ValueError, match="too many for a picture"):
        page.svg(links=True)


@pytest.mark.thorough
@pytest.mark.parametrize(("n_steps", "n_bytes"), [(500, 500_000), (10_000, 2_000_000)])
def test_assignments_are_compact(n_steps, n_bytes):
    view = view_search(Polyominoes().cover(), "pentominoes")
    record = record_search(view, steps=n_steps, max_assignments=MAX_ASSIGNMENTS)
    text = json.dumps(list(encode_changes(record)))
    assert len(zlib.compress(text.encode())) < len(record.assignments) // 20
    assert len(Page(record).html) < n_bytes


def test_problems_that_are_too_large(monkeypatch):
    monkeypatch.setattr(problem_view, "format_cover", None)  # the options are not written
    with pytest.raises(ValueError, match="too many for a page"):
        dlx.ExactCover([range(205)] * 200).explain()


def test_titles_may_be_names_of_files_without_a_valid_encoding(tmp_path):
    page, path = dlx.ExactCover([["a"]]).explain(title="\udcff"), tmp_path / "page.html"
    page.save(path)
    content = path.read_text(encoding="utf-8")
    assert "<title>\\udcff" in content
