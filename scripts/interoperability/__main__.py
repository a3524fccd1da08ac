"""Exchange files with other programs, and compare what came out with docs/other-software.md.

Each module of `MODULES` has a function `rows(python, folder)`, which yields a `Row` for each
program. It raises an exception if a program finds another optimum or count. `python` has the other
packages.
"""

import argparse
import sys
import tempfile
from difflib import unified_diff
from importlib import import_module
from pathlib import Path

from ..blocks import csv_table, table_path
from .row import Row

MODULES = [
    *("integer_programs", "modeling_programs", "clauses", "exact_covers", "or_library"),
    "puzzle_programs",
]
HEADER = ["program", "version", "what it reads of ours", "what we read of it", "what surprises"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="bash scripts/interop")
    parser.add_argument("--python", required=True, help="the Python with the other packages")
    parser.add_argument("--only", choices=MODULES, help="run this module only, and print its rows")
    parser.add_argument("--write", action="store_true", help="write the table")
    arguments = parser.parse_args()
    rows: list[Row] = []
    for name in [arguments.only] if arguments.only else MODULES:
        module = import_module(f".{name}", __package__)
        with tempfile.TemporaryDirectory() as folder:
            for row in module.rows(arguments.python, Path(folder)):
                print(f"{row.program} {row.version}: {row.reads}; {row.is_read}", flush=True)
                rows.append(row)
    if arguments.only:
        return 0
    return update(rows, arguments.write)


def update(rows: list[Row], is_written: bool) -> int:
    """Compare the rows with the table of the page, or write them. Return the exit status."""
    table, path = csv_table([HEADER, *map(list, rows)]), table_path("interop")
    if is_written:
        path.write_text(table, encoding="utf-8")
        return 0
    stored = path.read_text(encoding="utf-8").splitlines()
    differences = [*unified_diff(stored, table.splitlines(), "page", "now", lineterm="", n=0)]
    print("\n".join(differences) or "The table of docs/other-software.md is right.")
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main())
