"""The marked blocks of docs/benchmarks.md, which the measurements replace."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from .tables import Row, format_machine, markdown_table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
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


def write_block(name: str, block: str, page: Path = PAGE) -> None:
    """Replace a block of a page that a script of its own measures."""
    text = replace_block(page.read_text(encoding="utf-8"), *page_markers(name), block, page)
    page.write_text(text, encoding="utf-8")


def measured(rows: Sequence[Row], machine: Mapping[str, str], remark: str = "") -> str:
    """Return a table with the machine on which it was measured, as far as it is another one."""
    usual = json.loads(RESULTS.read_text(encoding="utf-8"))["machine"]
    facts = {k: v for k, v in machine.items() if k == "processor" or v != usual.get(k)}
    note = f"Measured with {format_machine(facts)}{remark}."
    return f"{markdown_table(rows)}\n{textwrap.fill(note, PAGE_WIDTH)}"
