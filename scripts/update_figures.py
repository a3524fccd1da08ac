"""Measure, and write the figures into the README.

    .venv/bin/python scripts/update_figures.py YARDSTICK.c MIXED.txt

YARDSTICK.c is the C program of measure_yardstick.py; MIXED.txt holds some thousands of different
one-line puzzles, as `qqwing --generate 20000 --one-line` prints them. The comparison with other
packages is that of scripts/compare_peers, and takes some minutes. Do nothing else meanwhile.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from measure_files import describe, measure_files
from measure_search import measure_searches
from measure_yardstick import SETS, compare, compiled

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    yardstick, mixed = sys.argv[1:]
    text = "\n".join([boards_per_second(yardstick, mixed), files(mixed), searches(), peers()])
    readme = ROOT / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    readme.write_text(before + BEGIN + text + END + after, encoding="utf-8")


def boards_per_second(yardstick: str, mixed: str) -> str:
    """The table of the Sudoku engines beside the yardstick."""
    files = [*(str(ROOT / "data" / f"{name}.txt") for name in SETS), mixed]
    lines = [
        "| boards a second, one thread | limit | yardstick, C | `dlx` | | `lanes` | | 2 threads |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(yardstick, folder)
        for file in files:
            for limit in (1, 2):
                name, _, c, dlx, ratio, _ = compare(program, file, limit, "dlx", 5)
                *_, lanes, lanes_ratio, threads = compare(program, file, limit, "lanes", 5)
                lines.append(
                    f"| {name} | {limit} | {c} | {dlx} | {ratio}× "
                    f"| {lanes} | {float(lanes_ratio):.0f}× | {threads}× |"
                )
    return "\n".join(lines) + "\n"


def files(mixed: str) -> str:
    """What `solve` does from file to file."""
    lanes = describe(measure_files(mixed, 10_000_000, "lanes", check=True), 10_000_000)
    dlx = describe(measure_files(mixed, 1_000_000, "dlx", check=False), 1_000_000)
    return f"From file to file, on all processors, `--check`: {lanes}\nWith `--engine dlx`: {dlx}\n"


def searches() -> str:
    """What it costs to steer a search, and what a second thread gains."""
    return (
        "Searches: in slices, for Ctrl-C and time limits, against one uninterrupted call.\n\n"
        + measure_searches()
    )


def peers() -> str:
    """The tables of the packages that pip installs."""
    command = ["bash", str(ROOT / "scripts" / "compare_peers"), "--markdown"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
