"""The endings of output files: which format each of them selects."""

import os
from collections.abc import Sequence

from .terminal import fail

OTHER_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".eps", ".svgz")
PLANS = "csv", "ics", "xlsx"  # formats of plans
SOLIDS = "xmpuzzle"  # the format of Burr Tools
OPENSUDOKU = "opensudoku"
FPUZZLES = "fpuzzles"
BOOK = "html"  # the format of books
DRAWING = "drawing"  # of a cover
CSV = "csv"  # rows of a table
WORKBOOK = "xlsx"
TRACES = "text", "json", "csv"  # formats of a recorded search
SPREADSHEET = "spreadsheet"

_TEXT = ".txt"  # every command writes text, which may be its default format

# The formats that an ending selects: the first one that a command has. Endings without any are
# those of files that the package only reads, and of pictures other than SVG.
FORMATS_OF_ENDING: dict[str, tuple[str, ...]] = {
    _TEXT: ("text",),
    ".md": ("markdown",),
    ".csv": (SPREADSHEET, CSV),
    ".parquet": (CSV,),
    ".xlsx": (SPREADSHEET, "xlsx"),
    ".ics": ("ics",),
    ".json": ("json",),
    ".jsonl": ("json",),
    ".html": (BOOK,),
    ".htm": (BOOK,),
    ".svg": ("svg",),
    ".dlx": ("knuth",),
    ".mps": ("mps",),
    ".cnf": ("cnf",),
    ".wcnf": ("cnf",),
    ".opensudoku": (OPENSUDOKU,),
    ".xmpuzzle": (SOLIDS,),
    **dict.fromkeys((".lp", ".ec", ".npy", ".npz", ".yaml", ".yml", ".gz"), ()),
    **dict.fromkeys(OTHER_PICTURES, ()),
}


def format_of(path: str, formats: Sequence[str], excluded: Sequence[str] = ()) -> str | None:
    """Return the one of the formats of a command that the ending of a file selects.

    Returns None for the default: for `-`, and for endings that select no format. Fails if an ending
    is excluded, or selects only formats that the command lacks.

    >>> format_of("run.xlsx", ["text", "xlsx"]), format_of("run", ["text", "xlsx"])
    ('xlsx', None)
    """
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in FORMATS_OF_ENDING:
        return None
    format_of_ending = {
        ending: next((name for name in names if name in formats), None)
        for ending, names in FORMATS_OF_ENDING.items()
    }
    if suffix == _TEXT:
        return format_of_ending[suffix]
    accepted = [
        ending
        for ending, name in format_of_ending.items()
        if (name or ending == _TEXT) and ending not in excluded
    ]
    if suffix in accepted:
        return format_of_ending[suffix]
    endings = ", ".join(accepted)
    raise fail(f"--output takes the endings {endings}, not {path!r}; --format overrides them")
