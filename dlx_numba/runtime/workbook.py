"""Workbooks of Excel, whose package is optional."""

import io
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date, time, timedelta
from functools import cache
from typing import Any
from zipfile import BadZipFile

from .extras import import_extra

GRAY = "FFD9D9D9"
BOLD = "bold"  # looks of cells
ITALIC = "italic"
SHADED = "shaded"
ROTATED = "rotated"

Cell = tuple[Any, Collection[str]]  # a value and its look

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
    def model(look: frozenset[str]) -> Any:
        cell = openpyxl.cell.WriteOnlyCell(pages[0])
        cell.font = styles.Font(bold=BOLD in look, italic=ITALIC in look)
        if SHADED in look:
            cell.fill = styles.PatternFill("solid", GRAY)
        if ROTATED in look:
            cell.alignment = styles.Alignment(text_rotation=90, horizontal="center")
        return cell

    def cell_of(value: Any, look: Collection[str]) -> Any:
        if value is None and not look:
            return None
        cell = openpyxl.cell.WriteOnlyCell(pages[0], _as_cell(value))
        if cell.data_type == "f":
            cell.data_type = "s"  # = begins no formula
        if look:
            cell._style = model(frozenset(look))._style
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


def read_workbook(content: bytes) -> dict[str, list[list[Any]]]:
    """Return the rows of each sheet by its name, which have equally many cells.

    Raises ImportError and ValueError.
    """
    openpyxl = import_extra("openpyxl", "a workbook needs openpyxl", "'dlx-numba[excel]'")
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (KeyError, BadZipFile):
        raise ValueError("not a workbook of Excel") from None
    sheets = {}
    for page in book:
        rows = [*page.iter_rows(values_only=True)]
        n_columns = max(map(len, rows), default=0)
        # Files may lack empty cells at the end of a row, as those of `format_workbook` do.
        sheets[page.title] = [[*row, *[None] * (n_columns - len(row))] for row in rows]
    return sheets


def _as_cell(value: Any) -> Any:
    """Return a value as spreadsheets can contain it, otherwise as a text."""
    is_known = value is None or isinstance(value, int | float | date | time | timedelta)
    if is_known and getattr(value, "tzinfo", None) is None:
        return value
    return _CONTROL.sub("", value.isoformat() if is_known else str(value))
