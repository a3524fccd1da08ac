"""The demands of options on the items of a file, beside those that the file has."""

import os

from ..cover.demand import Demand, Need, parse_need
from ..puzzles.exact.long_form import parse_needs
from ..puzzles.reading import ReadingOptions
from ..runtime.source import Source, decode_text
from ..runtime.workbook import is_workbook
from .commands.groups import InputFields


def reading_options(given: InputFields) -> ReadingOptions:
    """Return how a file is read, and what is demanded of its items.

    Raises ValueError if a demand is not valid.
    """
    call = given.call
    call.reject("--packing", "--covering")
    call.reject("--fewest", "--most")
    needs = [parse_need("multiplicity", text) for text in given.multiplicity or ()]
    needs += [parse_need("penalty", text) for text in given.penalty or ()]
    needs += _read_needs(given)
    sets, counted = (  # of each pair, the option that is used, or ""
        "".join(word for word in pair if call.is_used(f"--{word}"))
        for pair in (("packing", "covering"), ("fewest", "most"))
    )
    # `--excel-sheet` concerns the table of `--demand` if only that one is a workbook
    sheet = given.excel_sheet if given.demand is None or _is_book(given.file) else ""
    matrix = given.matrix_form(given.kind)
    return ReadingOptions(matrix, given.form, sheet, Demand(needs, sets, counted))


def _read_needs(given: InputFields) -> list[Need]:
    """Return the demands in the table of `--demand`, if it is used.

    If the input is a workbook, and there is no file of this name, it is the name of its sheet.
    """
    source = given.demand
    sheet = given.excel_sheet
    if source is None:
        return []
    if _is_book(given.file) and not os.path.exists(source):
        sheet = source
        source = given.file
    with Source(source) as opened:
        content = opened.read_all(max_bytes=given.max_input)
    text = content if is_workbook(content) else decode_text(content, source)
    return parse_needs(text, source, sheet)


def _is_book(file: str) -> bool:
    return file.lower().endswith(".xlsx")
