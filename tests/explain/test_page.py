"""Pages from Python: notebooks, files and pictures of single steps."""

import html
import json
import threading
import zlib

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import page as pages
from dlx_numba.explain import problem_view, record_search
from dlx_numba.explain.encoding import encode_changes
from dlx_numba.explain.page import MAX_ASSIGNMENTS, Page
from dlx_numba.explain.picture import phases_of
from dlx_numba.explain.problem_view import view_search
from tests.helpers import ROOT
from tests.helpers.examples import EASY, color_example, knuth_example, multiplicity_example
from tests.helpers.pictures import elements, parse_picture, texts_of

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def knuth_page():
    return dlx.ExactCover.read(ROOT / "docs" / "examples" / "knuth.dlx").explain()


def test_notebooks_show_the_page_in_a_frame(tmp_path):
    path = tmp_path / "page.html"
    page = knuth_example().explain(path, title="<Knuth>")
    text = path.read_text(encoding="utf-8")
    assert text == page.html
    assert "<h1>&lt;Knuth&gt;</h1>" in text
    frame = page._repr_html_()
    assert frame.startswith("<iframe srcdoc=")
    assert html.unescape(frame.split('"')[1]) == text


def test_search_is_that_of_the_problem():
    cover = dlx.example("queens", n=8).cover(choose="random", seed=3, given=[9])
    page = cover.explain(limit=1)
    [found] = page.record.covers
    assert sorted([*(page.view.numbers[k] for k in found), 9]) == cover.first()
    assert "1 given option, b7, was applied before the search." in page.record.ending
    shown = cover.explain(limit=1, show_givens=True)
    assert shown.view.option_labels()[shown.record.steps[3].option] == "b7"


@pytest.mark.parametrize("example", [knuth_example, color_example, multiplicity_example])
def test_pictures_of_all_steps(example):
    page = example().explain()
    for k, step in enumerate(page.record.steps):
        matrix, links = (parse_picture(page.svg(k, links=links)) for links in (False, True))
        marked = sum(len(page.view.marked_rows()[option]) for option in set(step.chosen))
        assert len(elements(matrix, "rect", kind="mark")) == marked
        assert len(elements(links, "rect", kind="mark wire")) == marked
        assert len(elements(links, "rect")) == page.view.n_nodes + 1


def test_default_picture_shows_the_first_cover(knuth_page):
    [found] = [step.text for step in knuth_page.record.steps if step.action == "visit"]
    assert found in knuth_page.svg()


def test_pictures_within_steps(knuth_page):
    """Each sub-step draws the state after some of the changes; the last one, the whole step."""
    draw = knuth_page.svg
    for number, step in enumerate(knuth_page.record.steps):
        for links in (False, True):
            last = draw(number, phase=len(phases_of(step)), links=links)
            assert last == draw(number, links=links)
    # Links that the next change assigns to are bold.
    pictures = [draw(3, phase=k, links=True) for k in range(1, 8)]
    assert [text.count('stroke-width="3"') for text in pictures] == [5, 5, 5, 6, 3, 0, 0]
    # An attempt: its row, its columns and the related rows
    pictures = [draw(3, phase=k) for k in range(1, 5)]
    assert [text.count('fill="none"') for text in pictures] == [1, 4, 6, 6]
    assert [text.count('stroke-dasharray="4 3"') for text in pictures] == [0, 0, 2, 2]
    for phase in (0, 8):
        with pytest.raises(ValueError, match=rf"no step 3\.{phase}; the last sub-step is 3\.7"):
            draw(3, phase=phase)
    with pytest.raises(ValueError, match=r"no step 0\.2; step 0 has no sub-steps"):
        draw(0, phase=2)


def test_condensed_pictures_and_sheets(knuth_page):
    texts = texts_of(parse_picture(knuth_page.svg(4, condensed=True)))
    assert [text for text in texts if text not in "01"] == [*"bcef", "c e", "b c f"]
    sheet = knuth_page.svg(steps_per_sheet=30)
    assert sheet.count("<svg") == 1 + len(knuth_page.record.steps)
    assert "14 X5: Try option c e: cover item c." in " ".join(texts_of(parse_picture(sheet)))
    assert knuth_page.svg(17, steps_per_sheet=30).count("<svg") == 1 + 3
    # At a cover, nothing is left, so the sheet shows what is chosen; at a dead end, the item.
    texts = texts_of(parse_picture(knuth_page.svg(18, condensed=True)))
    assert [text for text in texts if text not in "01"] == [*"abcdefg", "✓ c e", "✓ a d f", "✓ b g"]
    assert texts_of(parse_picture(knuth_page.svg(6, condensed=True))) == ["e"]


def test_animations_show_the_steps_of_a_sheet_one_after_another(knuth_page):
    n = len(knuth_page.record.steps)
    frames = elements(parse_picture(knuth_page.svg(animated=True)), "animate")
    assert len(frames) == n
    ends = [frame.get("keyTimes").split(";")[1:] for frame in frames]
    assert ends[0][0] == "0.000000"
    assert [end for _, end in ends[:-1]] == [start for start, _ in ends[1:]]
    assert ends[-1][1] == "1.000000"
    assert len(elements(parse_picture(knuth_page.svg(17, animated=True)), "animate")) == n - 17
    one = knuth_page.svg(18, animated=True, steps_per_sheet=1)
    assert "<animate" not in one
    assert "a d f" in one


def test_sheets_have_a_maximum_size():
    page = dlx.example("langford").cover().explain(steps=600)
    with pytest.raises(ValueError, match="600 steps are too many for a sheet; use --steps-per"):
        page.svg(animated=True)


@pytest.mark.parametrize("n_steps", [0, -1])
def test_sheets_have_at_least_one_step(knuth_page, n_steps):
    with pytest.raises(ValueError, match=f"steps_per_sheet must be 1 or more, not {n_steps}"):
        knuth_page.svg(steps_per_sheet=n_steps)


def test_links_have_arrow_heads(knuth_page):
    """Two at links in both directions, unless they wrap around; one at the others."""
    lines = elements(parse_picture(knuth_page.svg(0, links=True)), "line")
    heads = [
        [f"marker-{end}" for end in ("start", "end") if line.get(f"marker-{end}")] for line in lines
    ]
    assert sorted(map(len, heads)).count(0) == 0
    n_links = 4 * knuth_page.view.n_nodes - 2  # the root has no links up and down
    assert sum(map(len, heads)) == n_links


def test_removed_entries_are_readable(knuth_page):
    picture = parse_picture(knuth_page.svg(3))
    pale = [each for each in elements(picture, "rect", kind="one") if each.get("opacity")]
    assert len(pale) == 5 + 3  # of options b g and d e g; a d f
    assert len(elements(picture, "text", kind="on")) == 16 - 3 - len(pale)


def test_pictures_of_boards_and_large_problems():
    [puzzle] = dlx.read(EASY)
    view = view_search(named_problem(puzzle.cover()), "board", show_givens=True)
    page = Page(record_search(view))
    assert "".join(texts_of(parse_picture(page.svg()))) == dlx.solve_sudoku(EASY)
    assert len(texts_of(parse_picture(page.svg(3)))) == 30  # the givens
    with pytest.raises(ValueError, match="too many for a picture"):
        page.svg(links=True)


def test_pictures_of_boards_have_the_options_that_were_given():
    page = dlx.example("latin", n=3).cover(given=["r1c1=2"]).explain()
    assert texts_of(parse_picture(page.svg(0))) == ["2"]
    assert len(texts_of(parse_picture(page.svg()))) == 9


@pytest.mark.thorough
def test_assignments_are_compact():
    view = view_search(named_problem(dlx.example("polyominoes").cover()), "pentominoes")
    record = record_search(view, steps=2000, max_assignments=MAX_ASSIGNMENTS)
    text = json.dumps(list(encode_changes(record)))
    assert len(zlib.compress(text.encode())) < len(record.assignments) // 12
    assert len(Page(record).html) < 500_000


def test_problems_that_are_too_large(monkeypatch):
    monkeypatch.setattr(problem_view, "names_of", None)  # the options are not written
    with pytest.raises(ValueError, match="too many for a page"):
        dlx.ExactCover([range(205)] * 200).explain()


def test_titles_may_be_names_of_files_without_a_valid_encoding(tmp_path):
    page, path = dlx.ExactCover([["a"]]).explain(title="\udcff"), tmp_path / "page.html"
    page.save(path)
    content = path.read_text(encoding="utf-8")
    assert "<title>\\udcff" in content


def test_a_time_limit_ends_the_search_for_hints(tmp_path, monkeypatch):
    ended = threading.Event()
    monkeypatch.setattr(pages, "next_hint", lambda *_: ended.wait(60) and "")
    try:
        with pytest.raises(dlx.Stopped, match="before the page was complete"):
            dlx.ExactCover([["a"]]).explain(tmp_path / "page.html", seconds=1)
    finally:
        ended.set()
    assert [*tmp_path.iterdir()] == []
