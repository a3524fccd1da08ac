"""Compare Sudoku solvers with tdoku, and store the figures of the documentation."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .. import update_figures
from ..tables import format_machine, text_table
from .tdoku import ROUNDS, SECONDS, SECTION, SECTIONS, measure_tdoku, tdoku_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="compare_sudoku", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="TDOKU_FOLDER")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="more sets of puzzles")
    parser.add_argument("--schoku", type=Path, metavar="PROGRAM", help="Schoku, also measured")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="length of a run")
    write: Any = {"nargs": "?", "const": SECTION, "choices": SECTIONS}
    parser.add_argument("--write", **write, help="store the figures")
    options = parser.parse_args()
    comparison = measure_tdoku(
        options.folder, options.files, options.rounds, options.seconds, options.schoku
    )
    sys.stdout.write(text_table(tdoku_table(comparison)))
    print(f"\nMeasured with {format_machine(comparison.machine)}.")
    if options.write:
        update_figures.write({options.write: asdict(comparison)})


if __name__ == "__main__":
    main()
