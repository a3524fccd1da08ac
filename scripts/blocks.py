"""The marked blocks of the documentation, and the tables, which the measurements replace."""

import csv
import io
import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from .tables import Row, format_machine, markdown_table

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "benchmarks.md"
DATA_PAGE = DOCS / "benchmark-data.md"
FIGURES = DOCS / "figures"
RESULTS = PAGE.with_suffix(".json")
PAGE_WIDTH = 128  # characters


def page_markers(name: str) -> tuple[str, str]:
    return f"<!-- figures:{name} begin -->\n", f"<!-- figures:{name} end -->"


def replace_block(text: str, begin: str, end: str, block: str, path: Path) -> str:
    """Return the text with a new block between two markers, with an empty line after `begin`."""
    before, begin_marker, rest = text.partition(begin)
    _, end_marker, after = rest.partition(end)
    if not (begin_marker and end_marker):
        raise SystemExit(f"{path}: expected the markers {begin.strip()} and {end}")
    return f"{before}{begin}\n{block.strip()}\n\n{end}{after}"


def write_block(name: str, block: str, page: Path) -> None:
    """Replace a block of a page that a script of its own measures."""
    text = replace_block(page.read_text(encoding="utf-8"), *page_markers(name), block, page)
    page.write_text(text, encoding="utf-8")


def write_table(name: str, rows: Sequence[Row], note: str = "") -> None:
    """Write a table that a script of its own measures, and the note below it."""
    table_path(name).write_text(csv_table(rows), encoding="utf-8")
    write_block(name, shown_table(name, note), DATA_PAGE)


def table_path(name: str) -> Path:
    return FIGURES / f"{name}.csv"


def csv_table(rows: Sequence[Row]) -> str:
    """Return the table as CSV. Short rows are filled with empty cells."""
    file = io.StringIO()
    padded = (row + [""] * (len(rows[0]) - len(row)) for row in rows)
    csv.writer(file, lineterminator="\n").writerows(padded)
    return file.getvalue()


def shown_table(name: str, note: str = "") -> str:
    """Return the block of the page that shows a table, and the note below it."""
    return f"```{{figures}} {name}\n```\n\n{note}"


def measured(rows: Sequence[Row], machine: Mapping[str, str], remark: str = "") -> str:
    """Return a table in Markdown with the machine on which it was measured."""
    return f"{markdown_table(rows)}\n{measured_with(machine, remark)}"


def measured_with(machine: Mapping[str, str], remark: str = "") -> str:
    """Return the machine on which a table was measured, as far as it is another one."""
    usual = json.loads(RESULTS.read_text(encoding="utf-8"))["machine"]
    facts = {k: v for k, v in machine.items() if k == "processor" or v != usual.get(k)}
    return textwrap.fill(f"Measured with {format_machine(facts)}{remark}.", PAGE_WIDTH)
