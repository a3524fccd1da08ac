"""`demo`: a tour of the commands with bundled examples."""

import os
import subprocess
import sys
from pathlib import Path

import typer

from ..runtime.files import bundled_directories
from .call import Call
from .terminal import ExitStatus, ending, fail, failing, report

PACKAGE = Path(__file__).parents[1]
EXAMPLES = bundled_directories("examples", "docs/examples")

ALLOWED = ExitStatus.SUCCESS, ExitStatus.NOT_SOLVED, ExitStatus.UNREADABLE
TOUR = {
    "Solve a file of Sudoku puzzles": "solve puzzles.txt",
    "Which rows have a single 1 in each column?": "cover knuth.txt",
    "Which sets have each element once?": "cover --format names subsets.csv",
    "Count the ways to place ten queens": "count queens.dlx",
    "Find the cheapest covers": "cheapest --number 2 --format names shifts.dlx",
    "Fill a rectangle with the twelve pentominoes": "solve --svg picture.svg polyominoes",
    "Record a search, step by step, as a page": "explain knuth.dlx --output page.html",
}


def demo(
    *,
    directory: str,
    call: Call,
) -> None:
    """Show what the commands do, with examples that are written to a directory."""
    source = next((folder for folder in EXAMPLES if folder.is_dir()), None)
    if source is None:
        raise fail("the examples are not installed")
    target = Path(directory)
    with failing(f"{directory}: ", errors=(OSError,)):
        target.mkdir(parents=True, exist_ok=True)
        for path in source.iterdir():
            if path.is_file() and not (target / path.name).exists():
                (target / path.name).write_bytes(path.read_bytes())
    is_frozen = getattr(sys, "frozen", False)  # then the commands are the program itself
    program = [sys.executable, *([] if is_frozen else ["-m", PACKAGE.name])]
    paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    for title, command in TOUR.items():
        typer.echo(f"== {title}\n$ dlx-numba {command}")
        sys.stdout.flush()
        words = [*program, *command.split()]
        if call.is_used("--quiet"):
            words.append("--quiet")
        done = subprocess.run(words, cwd=target, env=environment, check=False)
        if done.returncode not in ALLOWED:
            raise ending(is_usable=False)
        typer.echo()
    report(f"The examples, page.html and picture.svg are in {directory}.")
