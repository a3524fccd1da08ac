"""Workbooks of Excel, whose package is optional."""

import io
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from functools import cache
from operator import attrgetter
from typing import Any
from zipfile import ZipFile

from .extras import import_extra
from .source import MAX_CONTENT_BYTES

GRAY = "FFD9D9D9"
BOLD = "bold"  # looks of cells
ITALIC = "italic"
SHADED = "shaded"
ROTATED = "rotated"

Cell = tuple[Any, Collection[str]]  # a value and its look
Row = tuple[int, list[Any]]  # its number in the sheet, from 1, and its values

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")  # characters that spreadsheets cannot contain


def format_workbook(
    sheets: Mapping[str, Iterable[Iterable[Cell]]],
    widths: Iterable[float] = (),
    freeze: str | None = None,
) -> bytes:
    """Return a workbook as the content of a file.

    Parameters
    ----------
    sheets
        The values and the looks of cells, by the name of their sheet.
    widths
        The widths of the first columns, in characters.
    freeze
        The first cell that scrolls, such as "A2".

    Raises
    ------
    ImportError
        If the package is not installed.
    """
    openpyxl = import_extra("openpyxl", "a workbook needs openpyxl", "'dlx-numba[excel]'")
    styles = openpyxl.styles
    book = openpyxl.Workbook(write_only=True)
    pages = [book.create_sheet(name) for name in sheets]

    @cache
    def template(look: frozenset[str]) -> Any:
        """Return a cell with the style of a look, which other cells share: making one is slow."""
        cell = openpyxl.cell.WriteOnlyCell(pages[0])
        cell.font = styles.Font(bold=BOLD in look, italic=ITALIC in look)
        if SHADED in look:
            cell.fill = styles.PatternFill("solid", GRAY)
        if ROTATED in look:
            cell.alignment = styles.Alignment(text_rotation=90, horizontal="center")
        return cell

    def cell_of(value: object, look: Collection[str]) -> Any:
        """Return a cell with a value and a look."""
        if value is None and not look:
            return None
        cell = openpyxl.cell.WriteOnlyCell(pages[0], _as_cell(value))
        if cell.data_type == "f":
            cell.data_type = "s"  # = begins no formula
        if look:
            cell._style = template(frozenset(look))._style
        return cell

    for sheet, rows in zip(pages, sheets.values(), strict=True):
        sheet.freeze_panes = freeze
        for column, width in enumerate(widths, 1):
            sheet.column_dimensions[openpyxl.utils.get_column_letter(column)].width = width
        try:
            for row in rows:
                sheet.append([cell_of(*each) for each in row])
        except BaseException:  # the rows may be stopped
            sheet.close()
            raise
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def is_workbook(content: bytes) -> bool:
    """Return whether the content of a file is a workbook, rather than another ZIP archive."""
    return content.startswith(b"PK\x03\x04") and b"xl/workbook" in content


def read_workbook(content: bytes, sheet: str | None = None) -> dict[str, list[Row]]:
    """Return the rows of tables by the names of their sheets; the titles are the first row.

    Rows and columns without any values are left out. Only the title of the first column may be
    None.

    Parameters
    ----------
    content
        The content of the file.
    sheet
        The sheet to read; "" is the first one. By default, all of them.

    Raises
    ------
    ValueError
        If the content is no workbook, is too large, or lacks the sheet, a column has no title,
        merged cells would be several ones, or the package is not installed.
    """
    try:
        openpyxl = import_extra("openpyxl", "a workbook needs openpyxl", "'dlx-numba[excel]'")
        with ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > MAX_CONTENT_BYTES:
                raise ValueError(f"larger than the limit of {MAX_CONTENT_BYTES:,} bytes")
            has_merged = any(b"mergeCell " in archive.read(member) for member in members)
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        pages = {page.title: page for page in book.worksheets}
        wanted = [*pages] if sheet is None else [sheet or next(iter(pages))]
        if wanted[0] not in pages:
            raise ValueError(f"there is no sheet {sheet!r}; there are {', '.join(pages)}")
        merged = {}
        if has_merged:  # a book that is read only does not tell where
            whole = openpyxl.load_workbook(io.BytesIO(content))
            merged = {page.title: page.merged_cells.ranges for page in whole.worksheets}
        return {name: _read_sheet(name, pages[name], merged.get(name, ())) for name in wanted}
    except ImportError as error:
        raise ValueError(str(error)) from None
    except ValueError:
        raise
    except Exception as error:  # damaged files make openpyxl raise almost any exception
        raise ValueError(f"not a workbook of Excel: {error}") from error


def _read_sheet(name: str, page: Any, merged: Iterable[Any]) -> list[Row]:
    """Return the rows of a sheet, with their numbers, without empty rows and columns.

    `merged` are the ranges of merged cells. Raises ValueError if a column with values, except the
    first, has no title in the first filled row, or if a merged range makes several cells one.
    """
    page.reset_dimensions()  # those that a file states may be too small
    all_rows = [[*map(_read_cell, row)] for row in page.iter_rows(values_only=True)]
    rows = {k: row for k, row in enumerate(all_rows, 1) if any(cell is not None for cell in row)}
    if not rows:
        return []
    title_row = min(rows)
    titles = dict(enumerate(rows[title_row]))  # by column, from 0
    for row in rows.values():
        for k, cell in enumerate(row):
            # Only the first column, which may have labels of the rows, needs no title.
            if k and cell is not None and titles.get(k) is None:
                raise ValueError(f"sheet {name!r}: column {k + 1} has no title in row {title_row}")
    has_labels = any(row[0] is not None for row in rows.values())
    columns = [k for k, title in titles.items() if title is not None or (k == 0 and has_labels)]
    for area in sorted(merged, key=attrgetter("bounds")):
        if _hides_cells(area, rows, columns):
            reason = f"{area.coord} is merged, so only its first cell has a value; unmerge it"
            raise ValueError(f"sheet {name!r}: {reason}")
    # Files may lack empty cells at the end of a row, as those of `format_workbook` do.
    return [(k, [row[c] if c < len(row) else None for c in columns]) for k, row in rows.items()]


def _hides_cells(area: Any, rows: Mapping[int, list[Any]], columns: Iterable[int]) -> bool:
    """Return whether a merged area with a value makes one cell of several in a table.

    Only its first cell has the value. The numbers of rows begin with 1, and so do the bounds of the
    area; those of columns begin with 0.
    """
    left, top, right, bottom = area.bounds
    inside = [rows[k][left - 1 : right] for k in range(top, bottom + 1) if k in rows]
    n_columns = sum(left <= k + 1 <= right for k in columns)
    return len(inside) * n_columns > 1 and any(cell is not None for row in inside for cell in row)


def _read_cell(value: Any) -> Any:
    """Return the value of a cell: a date instead of its midnight, and a text without margins."""
    if isinstance(value, str):
        return value.strip() or None
    is_date = isinstance(value, datetime) and value.time() == time()
    return value.date() if is_date else value


def _as_cell(value: Any) -> Any:
    """Return a value as spreadsheets can contain it, otherwise as a text."""
    is_known = value is None or isinstance(value, int | float | date | time | timedelta)
    if is_known and getattr(value, "tzinfo", None) is None:
        return value
    return _CONTROL.sub("", value.isoformat() if is_known else str(value))
