"""A recorded search as a spreadsheet: the matrix after each step, below the one before."""

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import zip_longest

import numpy as np

from ..runtime.interrupts import Stop, raise_if_stopped
from ..runtime.text import as_cell
from ..runtime.workbook import BOLD, ITALIC, ROTATED, SHADED, Cell, format_workbook
from .picture import kept_parts
from .record import SearchRecord
from .trace import Replay

MAX_CELLS = 1_000_000  # that are not empty
MAX_ZEROS = 64  # columns; wider matrices have empty cells in place of zeros
MAX_WIDTH = 40  # of a column with names of options, in characters
MAX_ITEM_WIDTH = 4  # longer names of items are rotated
OUTPUT_END = "the spreadsheet was complete"
PARTIAL_SOLUTION = "partial solution"
MARKS = {BOLD: "✓ ", SHADED: "× ", "": ""}  # before names, as in pictures, instead of looks
EMPTY = "", ()


def _rows(
    record: SearchRecord, marks: Mapping[str, str], turned: set[str], condensed: bool, stop: Stop
) -> Iterator[list[Cell]]:
    """Yield the rows of the matrix after each step as cells with their looks, and an empty row.

    The `marks` (see `MARKS`) precede the names of chosen options, and of removed options and items.
    The look `turned`, if it is not empty, is that of all names of items. A condensed matrix has
    only what is left. Raises ValueError if there are too many cells.
    """
    view = record.view
    replay = Replay(record)
    names = view.item_names()
    labels = view.references()
    n_cells = 0
    entries = [
        {item: 1 if mark == "1" else mark for item, mark in row} for row in view.marked_rows()
    ]
    zero = 0 if len(names) <= MAX_ZEROS else None
    for number, step in enumerate(record.steps):
        replay.apply(step)
        snapshot = replay.snapshot()
        # What is gray: options that are removed, and items that are covered
        gone = set(np.flatnonzero(snapshot.removed).tolist()).difference(step.chosen)
        hidden = set(np.flatnonzero(snapshot.covered[1:]).tolist())  # after the header
        rows = list(range(len(labels)))
        items = list(range(len(names)))
        if condensed:
            rows, items = kept_parts(view, gone, hidden, step.chosen)
        item_looks = {item: {SHADED} if item in hidden else set[str]() for item in items}
        titles = [
            (marks[SHADED] + names[item] if looks else names[item], looks | turned)
            for item, looks in item_looks.items()
        ]
        yield [(f"step {number}, {step.name}: {step.text}", {ITALIC})]
        yield [EMPTY, *titles, EMPTY, (PARTIAL_SOLUTION, {ITALIC})]
        n_cells += len(items)
        # The column on the right lists the chosen options beside the rows of the matrix.
        for row, option in zip_longest(rows, step.chosen):
            raise_if_stopped(stop, OUTPUT_END)
            cells: list[Cell] = [EMPTY] * (1 + len(items))
            if row is not None:
                look = ""
                if row in step.chosen:
                    look = BOLD
                elif row in gone:
                    look = SHADED
                row_looks = {look} - {""}
                cells = [(marks[look] + labels[row], row_looks)]
                cells += [
                    (entries[row].get(item, zero), row_looks | looks)
                    for item, looks in item_looks.items()
                ]
                n_cells += sum(value is not None or len(looks) > 0 for value, looks in cells)
            yield cells if option is None else [*cells, EMPTY, (labels[option], ())]
        yield []
        if n_cells > MAX_CELLS:
            raise ValueError(
                f"{number + 1:,} steps have more than {MAX_CELLS:,} cells; use "
                "--condensed, or fewer --steps"
            )


def format_spreadsheet(
    record: SearchRecord, is_workbook: bool, condensed: bool, stop: Stop
) -> str | bytes:
    """Return the matrices of all steps as CSV, or as a workbook of Excel.

    In a workbook, the rows of chosen options are bold, and removed rows and covered columns gray.
    In CSV, marks before names take the place of these looks.

    Parameters
    ----------
    record
        The search.
    is_workbook
        Whether to return the content of a workbook.
    condensed
        Whether to leave out what is removed.
    stop
        Ends the call by an exception, Stopped.

    Raises
    ------
    ValueError
        If there are more than `MAX_CELLS` cells.
    ImportError
        If the package for workbooks is not installed.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain import record_search
    >>> from dlx_numba.explain.problem_view import view_search
    >>> view = view_search(ExactCover([["a", "b"], ["a"]])._named, "example")
    >>> text = format_spreadsheet(record_search(view), False, False, Stop())
    >>> for line in text.splitlines()[15:19]:
    ...     print(line)
    "step 3, X5: Try option a b: cover item a."
    ,× a,× b,,partial solution
    ✓ a b,1,1,,a b
    × a,1,0
    """
    if not is_workbook:
        marked = _rows(record, MARKS, set(), condensed, stop)
        with io.StringIO(newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([as_cell(value) for value, _ in row] for row in marked)
            return file.getvalue()
    view = record.view
    name_width = min(MAX_WIDTH, max(map(len, view.references()), default=0)) + 2
    longest = max(map(len, view.item_names()), default=0)
    turned = {ROTATED} if longest > MAX_ITEM_WIDTH else set[str]()
    item_width = 4 if turned else longest + 2
    widths = [name_width, *[item_width] * len(view.items), 2, name_width]
    rows = _rows(record, dict.fromkeys(MARKS, ""), turned, condensed, stop)
    return format_workbook({"Sheet": rows}, widths)
