"""Count the lines of the package, for the tables of its folders in the documents.

All lines of Python count, also docstrings, comments and blanks, as in `wc -l`.
"""

import re
from pathlib import Path

from .documents import ROOT

PACKAGE = ROOT / "dlx_numba"
ROW = r"^((?:\w+(?:/|\.py) +)+)(.*?)( [\d ,]*\d)((?: lines)?)$"  # of README.md
TABLE_ROW = r"^(\| (?:`\w+(?:/|\.py)`(?:, )?)+)( \| )([\d,]+)( \|.*)$"  # of docs/architecture.md


def counted(text: str, pattern: str, path: Path) -> str:
    """Return a document with the present numbers of lines in the rows of a pattern."""
    text, n_rows = re.subn(pattern, counted_row, text, flags=re.MULTILINE)
    if n_rows == 0:
        raise SystemExit(f"{path}: expected a table of folders with their lines")
    return text


def counted_row(row: re.Match[str]) -> str:
    """Return a row with the present number of lines, in at least the width of the old one."""
    before, middle, number, after = row.groups()
    n_lines = sum(map(lines_of, re.findall(r"\w+(?:/|\.py)", before)))
    return f"{before}{middle}{rounded(n_lines).rjust(len(number))}{after}"


def lines_of(name: str) -> int:
    """Return the number of lines of a module of the package, or of all modules in a folder."""
    path = PACKAGE / name
    modules = [path] if path.suffix else path.rglob("*.py")
    return sum(module.read_text(encoding="utf-8").count("\n") for module in modules)


def rounded(n_lines: int) -> str:
    """Round to thousands, which seldom change, but leave smaller numbers exact."""
    return f"{n_lines if n_lines < 1000 else round(n_lines, -3):,}"
