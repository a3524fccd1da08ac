"""The run-through as a spreadsheet, whose blocks are compared with the trace of the search."""

import csv
import io

import pytest

from dlx_numba import ExactCover
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain import record_search
from dlx_numba.explain import spreadsheet as module
from dlx_numba.explain.problem_view import view_search
from dlx_numba.explain.spreadsheet import format_spreadsheet
from dlx_numba.explain.trace import trace_effects
from dlx_numba.runtime.errors import Stopped
from dlx_numba.runtime.interrupts import Stop
from tests.helpers import ROOT
from tests.helpers.processes import invoke

REMOVED = "× "
CHOSEN = "✓ "
KNUTH = ROOT / "docs" / "examples" / "knuth.txt"
OPTIONS = [list(option) for option in ("adg", "adf", "bcf", "bg", "ce", "deg")]
COLORED = [["a", ("s", "red")], ["b", ("s", "red")], ["b", ("s", "blue")], ["a"]]


@pytest.fixture(params=["primary", "colors"])
def record(request):
    cover = ExactCover(OPTIONS)
    if request.param == "colors":
        cover = ExactCover(COLORED, secondary=["s"])
    return record_search(view_search(named_problem(cover), "example"))


def read_blocks(text):
    """Return the rows of each step."""
    rows = list(csv.reader(io.StringIO(text)))
    starts = [k for k, row in enumerate(rows) if row and row[0].startswith("step ")]
    return [rows[a : b - 1] for a, b in zip(starts, [*starts[1:], len(rows)], strict=True)]


def follow(record):
    """Yield the covered items and the removed options after each step."""
    covered, removed = set(), set()
    for effects in trace_effects(record):
        covered = (covered | {*effects["covered"]}) - {*effects["uncovered"]}
        removed = (removed | {*effects["removed"]}) - {*effects["restored"]}
        yield {item - 1 for item in covered}, set(removed)


def test_each_step_has_the_whole_matrix(record):
    view = record.view
    blocks = read_blocks(format_spreadsheet(record, False, False, Stop()))
    assert len(blocks) == len(record.steps)
    rows = [dict(row) for row in view.marked_rows()]
    for block, step, (covered, removed) in zip(blocks, record.steps, follow(record), strict=True):
        assert step.text in block[0][0]
        names = [REMOVED * (k in covered) + name for k, name in enumerate(view.item_names())]
        assert block[1] == ["", *names, "", "partial solution"]
        for k, row in enumerate(rows):
            mark = CHOSEN if k in step.chosen else REMOVED * (k in removed)
            cells = [row.get(item, "0") for item in range(len(names))]
            assert block[2 + k][: 1 + len(names)] == [mark + view.references()[k], *cells]
        solution = [row[-1] for row in block[2:] if len(row) > 2 + len(names)]
        assert solution == [view.references()[k] for k in step.chosen]


def test_condensed_steps_have_what_is_left(record):
    view = record.view
    blocks = read_blocks(format_spreadsheet(record, False, True, Stop()))
    for block, step, (covered, removed) in zip(blocks, record.steps, follow(record), strict=True):
        left = [name for k, name in enumerate(view.item_names()) if k not in covered]
        rows = [
            name
            for k, name in enumerate(view.references())
            if k not in removed and k not in step.chosen
        ]
        if left or rows:
            assert block[1][1:-2] == left
            assert [row[0] for row in block[2:] if row[0]] == rows
        else:  # a cover
            assert [row[0][2:] for row in block[2:]] == [
                view.references()[k] for k in sorted(step.chosen)
            ]


def test_workbooks_have_looks_in_place_of_marks(record):
    openpyxl = pytest.importorskip("openpyxl")
    texts = list(csv.reader(io.StringIO(format_spreadsheet(record, False, False, Stop()))))
    content = format_spreadsheet(record, True, False, Stop())
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    n_items = len(record.view.items)
    covered = []
    for cells, text in zip(sheet.iter_rows(), [*texts, []][: sheet.max_row], strict=True):
        shaded = [cell.fill.patternType == "solid" for cell in cells[: 1 + n_items]]
        marks = [name[:2] for name in text[: 1 + n_items]]
        values = ["" if cell.value is None else str(cell.value) for cell in cells]
        plain = [name.removeprefix(REMOVED).removeprefix(CHOSEN) for name in text]
        assert values[: len(plain)] == plain
        if len(text) > n_items and not text[0]:
            if "partial solution" in text:
                covered = [mark == REMOVED for mark in marks]
                assert shaded == covered
        elif len(text) > n_items:
            assert shaded == [marks[0] == REMOVED or each for each in covered]
            assert all(cell.font.b == (marks[0] == CHOSEN) for cell in cells[: 1 + n_items])


def test_names_begin_no_formulas():
    openpyxl = pytest.importorskip("openpyxl")
    record = record_search(
        view_search(named_problem(ExactCover({"=1+1": ["=A1", "b\x01"]})), "example")
    )
    sheet = openpyxl.load_workbook(
        io.BytesIO(format_spreadsheet(record, True, False, Stop()))
    ).active
    assert [cell.value for cell in sheet[2]][1:3] == ["=A1", "b"]
    assert sheet["A3"].value == "=1+1"
    assert sheet["A3"].data_type == "s"


def test_wide_matrices_have_empty_cells_for_zeros():
    cover = ExactCover([[k, k + 1] for k in range(0, 100, 2)])
    record = record_search(view_search(named_problem(cover), "example"), steps=5)
    [first, *_] = read_blocks(format_spreadsheet(record, False, False, Stop()))
    assert first[2][1:5] == ["1", "1", "", ""]


@pytest.mark.parametrize("is_workbook", [False, True])
def test_too_many_cells_and_time_limits_are_errors(is_workbook, record, monkeypatch):
    pytest.importorskip("openpyxl")
    with pytest.raises(Stopped, match="before the spreadsheet was complete"):
        format_spreadsheet(record, is_workbook, False, Stop(0))
    monkeypatch.setattr(module, "MAX_CELLS", 40)
    with pytest.raises(ValueError, match=r"steps have more than 40 cells; use --condensed"):
        format_spreadsheet(record, is_workbook, False, Stop())


def test_the_command_writes_spreadsheets(tmp_path):
    pytest.importorskip("openpyxl")
    for name in ("run.xlsx", "run.csv"):
        invoke("explain", "--condensed", "-o", tmp_path / name, KNUTH)
    assert (tmp_path / "run.xlsx").read_bytes().startswith(b"PK")
    text = (tmp_path / "run.csv").read_text()
    assert text == invoke("explain", "--condensed", "-f", "spreadsheet", KNUTH)[0]
    assert len(read_blocks(text)) == 20
    invoke("explain", "-f", "csv", "-o", tmp_path / "trace.csv", KNUTH)
    assert (tmp_path / "trace.csv").read_text().startswith("step,level,")


def test_condensed_sheets_show_the_partial_solution(record):
    from dlx_numba.explain.page import Page

    page = Page(record)
    sheet = page.svg(steps_per_sheet=30, condensed=True)
    assert sheet.count("Partial solution:") == len(record.steps)
    assert sheet.count("Partial solution: none") == sum(not step.chosen for step in record.steps)
    assert "Partial solution" not in page.svg(steps_per_sheet=30)


def test_names_are_no_formulas():
    view = view_search(named_problem(ExactCover({"@x": ["=1+1"]})), "example")
    _, titles, row, *_ = csv.reader(
        io.StringIO(format_spreadsheet(record_search(view), False, False, Stop()))
    )
    assert (titles[1], row[0]) == ("'=1+1", "'@x")
