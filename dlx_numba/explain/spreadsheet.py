"""A recorded search as a spreadsheet: the matrix after each step, below the one before."""

import csv
import io
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from ..runtime.interrupts import Stop, raise_if_stopped
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
CHOSEN = "✓ "  # before a name, as in pictures
REMOVED = "× "


class _MatrixRow(NamedTuple):
    """An option in the matrix after a step."""

    name: str
    cells: list[int | str | None]
    is_chosen: bool
    is_removed: bool


class _MatrixBlock(NamedTuple):
    """The matrix after a step."""

    title: str
    items: list[str]
    covered: list[bool]  # for each of the items
    rows: list[_MatrixRow]
    partial_solution: list[str]


def _blocks(record: SearchRecord, condensed: bool, stop: Stop) -> Iterator[_MatrixBlock]:
    """Yield the matrix after each step. Raises ValueError if they are too many cells."""
    view = record.view
    replay = Replay(record)
    names = view.item_names()
    labels = view.references()
    n_cells = 0
    entries = [{item: _as_entry(mark) for item, mark in row} for row in view.marked_rows()]
    zero = 0 if len(names) <= MAX_ZEROS else None
    for number, step in enumerate(record.steps):
        raise_if_stopped(stop, OUTPUT_END)
        replay.apply(step)
        snapshot = replay.snapshot()
        gone = set(np.flatnonzero(snapshot.removed).tolist()).difference(step.chosen)
        hidden = set(np.flatnonzero(snapshot.covered[1:]).tolist())  # after the header
        rows = list(range(len(labels)))
        items = list(range(len(names)))
        if condensed:
            rows, items = kept_parts(view, gone, hidden, step.chosen)
        block = _MatrixBlock(
            f"step {number}, {step.name}: {step.text}",
            [names[item] for item in items],
            [item in hidden for item in items],
            [
                _MatrixRow(
                    labels[row],
                    [entries[row].get(item, zero) for item in items],
                    row in step.chosen,
                    row in gone,
                )
                for row in rows
            ],
            [labels[option] for option in step.chosen],
        )
        n_cells += len(items) + sum(_count_cells(row, block.covered) for row in block.rows)
        if n_cells > MAX_CELLS:
            raise ValueError(
                f"{number + 1:,} steps have more than {MAX_CELLS:,} cells; use "
                "--condensed, or fewer --steps"
            )
        yield block


def _count_cells(row: _MatrixRow, covered: list[bool]) -> int:
    """Return how many cells of a row are not empty, or have a look."""
    if row.is_removed:
        return 1 + len(covered)
    pairs = zip(row.cells, covered, strict=True)
    return 1 + sum(cell is not None or is_covered for cell, is_covered in pairs)


def _as_entry(mark: str) -> int | str:
    """Return an entry of a matrix: 1 or the mark of a color."""
    return 1 if mark == "1" else mark


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
    blocks = [*_blocks(record, condensed, stop)]
    return _format_excel(record, blocks, stop) if is_workbook else _format_csv(blocks)


def _format_csv(blocks: list[_MatrixBlock]) -> str:
    """Return blocks as CSV, with the partial solution beside each matrix."""
    with io.StringIO(newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for block in blocks:
            covered = zip(block.items, block.covered, strict=True)
            items = [REMOVED + name if is_covered else name for name, is_covered in covered]
            writer.writerow([block.title])
            writer.writerow(["", *items, "", PARTIAL_SOLUTION])
            for row, option in zip_longest(block.rows, block.partial_solution):
                cells: list[int | str | None] = [""] * (1 + len(items))
                if row is not None:
                    mark = CHOSEN if row.is_chosen else REMOVED if row.is_removed else ""
                    cells = [mark + row.name, *row.cells]
                writer.writerow(cells if option is None else [*cells, "", option])
            writer.writerow([])
        return file.getvalue()


def _format_excel(record: SearchRecord, blocks: list[_MatrixBlock], stop: Stop) -> bytes:
    """Return blocks as a workbook of one sheet, in which long names of items are rotated."""
    view = record.view
    name_width = min(MAX_WIDTH, max(map(len, view.references()), default=0)) + 2
    longest = max(map(len, view.item_names()), default=0)
    is_rotated = longest > MAX_ITEM_WIDTH
    item_width = 4 if is_rotated else longest + 2
    widths = [name_width, *[item_width] * len(view.items), 2, name_width]
    rows = (row for block in blocks for row in _styled(block, is_rotated, stop))
    return format_workbook({"Sheet": rows}, widths)


def _styled(block: _MatrixBlock, is_rotated: bool, stop: Stop) -> Iterator[list[Cell]]:
    """Yield the rows of a matrix as cells with their looks, and an empty row."""
    turned = {ROTATED} if is_rotated else set()
    items = zip(block.items, block.covered, strict=True)
    yield [(block.title, {ITALIC})]
    yield [
        ("", ()),
        *((name, turned | {SHADED} if is_covered else turned) for name, is_covered in items),
        ("", ()),
        (PARTIAL_SOLUTION, {ITALIC}),
    ]
    for row, option in zip_longest(block.rows, block.partial_solution):
        raise_if_stopped(stop, OUTPUT_END)
        cells: list[Cell] = [("", ())] * (1 + len(block.items))
        if row is not None:
            look = {BOLD} if row.is_chosen else {SHADED} if row.is_removed else set()
            pairs = zip(row.cells, block.covered, strict=True)
            cells = [(row.name, look)]
            cells += [(cell, look | {SHADED} if covered else look) for cell, covered in pairs]
        yield cells if option is None else [*cells, ("", ()), (option, ())]
    yield []
