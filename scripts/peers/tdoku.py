"""Compare the Sudoku engines with tdoku and the solvers that its benchmark program contains.

    scripts/compare_sudoku TDOKU_FOLDER [FILE...] [--rounds 3] [--seconds 2] [--write]

TDOKU_FOLDER is a checkout of tdoku's repository. Its script builds the benchmark program there,
with the compiler in $CXX or clang, and with those other solvers whose sources are present. The
puzzles are the five sets of `scripts.measure_sudoku`, random isomorphs of famous puzzles, the
folder `data` of the checkout, if it has been unpacked, and each FILE with one 9×9 puzzle per line.
All programs run with one thread and test whether the solution is unique; the runs alternate, and
the best one counts. tdoku's program permutes the puzzles at random. `--write` puts the table into
docs/benchmarks.md.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dlx_numba import solve_batch
from dlx_numba.bench.report import machine

from ..measure_sudoku import BOARDS_PER_CALL, engine_rate, standard_sets
from ..puzzles import decode_boards, encode_boards, read_boards, repeat_boards, transform
from ..tables import Row, format_machine, markdown_table, text_table

Boards = NDArray[np.uint8]

FAMOUS = Path(__file__).resolve().parents[1] / "famous_puzzles.txt"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
MARKERS = "<!-- figures:tdoku begin -->\n", "<!-- figures:tdoku end -->"

ENGINE, TDOKU = "lanes", "tdoku"
# The other solvers that the build includes if this file of their sources is present.
SOLVERS = {
    "JCZSOLVE": "other/jczsolve/JCZSolve.c",
    "FSSS2": "other/module_fsss2/fsss2.cpp",
    "FSSS": "other/fsss/fsss.cc",
    "JSOLVE": "other/jsolve/JSolve.c",
    "BB_SUDOKU": "other/bb_sudoku/bb_sudoku.cpp",
}
N_ISOMORPHS, SEED = 200, 2014  # of each famous puzzle
ROUNDS, SECONDS = 3, 2


def main() -> None:
    parser = argparse.ArgumentParser(prog="compare_sudoku", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="TDOKU_FOLDER")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="more sets of puzzles")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="length of a run")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.name}")
    options = parser.parse_args()
    program = build(options.folder)
    sets = standard_sets() | {"famous": famous_boards()}
    for path in [*sorted((options.folder / "data").glob("puzzles*")), *options.files]:
        sets[path.stem] = read_boards(path)
    rows = compare(program, sets, options.rounds, options.seconds)
    sys.stdout.write(text_table(rows))
    measured = f"Measured with {format_machine(machine())}."
    print(f"\n{measured}")
    if options.write:
        from ..update_figures import replace_block  # it imports all benchmarks

        text = PAGE.read_text(encoding="utf-8")
        block = f"{markdown_table(rows)}\n{measured}\n"
        PAGE.write_text(replace_block(text, *MARKERS, block, PAGE), encoding="utf-8")


def build(folder: Path) -> Path:
    """Build tdoku's benchmark program, and return its path."""
    if not (folder / "BUILD.sh").is_file():
        raise SystemExit(f"{folder} is not a checkout of https://github.com/t-dillon/tdoku")
    flags = [f"-D{name}=on" for name, source in SOLVERS.items() if (folder / source).exists()]
    environment = {"CC": "clang", "CXX": "clang++", **os.environ}
    command = ["bash", "BUILD.sh", "run_benchmark", *flags]
    subprocess.run(command, cwd=folder, env=environment, stdout=sys.stderr, check=True)
    return folder.resolve() / "build" / "run_benchmark"


def famous_boards() -> Boards:
    """Return random isomorphs of the famous puzzles."""
    random = np.random.RandomState(SEED)
    lines = FAMOUS.read_text(encoding="ascii").splitlines()
    famous = decode_boards("".join(line.split()[0] for line in lines if line[0] != "#"))
    return np.stack([transform(board, random) for board in famous for _ in range(N_ISOMORPHS)])


def compare(program: Path, sets: dict[str, Boards], rounds: int, seconds: int) -> list[Row]:
    """Return the table of boards per second and guesses per board, one row for each set."""
    rows: list[Row] = []
    for name, boards in sets.items():
        batch = repeat_boards(boards, max(len(boards), BOARDS_PER_CALL))
        ours, others, guesses = 0.0, dict[str, float](), 0.0
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / name
            file.write_bytes(encode_boards(boards))
            for _ in range(rounds):
                for solver, (rate, n_guesses) in run_tdoku(program, file, seconds).items():
                    others[solver] = max(others.get(solver, 0.0), rate)
                    guesses = n_guesses if solver == TDOKU else guesses
                ours = max(ours, engine_rate(batch, 2, ENGINE, seconds))
        fastest = others.pop(TDOKU)
        if not rows:
            header = ["set", "boards", f"`{ENGINE}`", TDOKU, "ratio", "guesses", f"by {TDOKU}"]
            rows.append([*header, *others])
        mean = solve_batch(boards, limit=2, engine=ENGINE, threads=1).nodes.mean()
        row = [name, f"{len(boards):,}", f"{ours:,.0f}", f"{fastest:,.0f}", f"{ours / fastest:.1f}"]
        rows.append(
            [*row, f"{mean:.2f}", f"{guesses:.2f}", *(f"{x:,.0f}" for x in others.values())]
        )
    return rows


def run_tdoku(program: Path, file: Path, seconds: int) -> dict[str, tuple[float, float]]:
    """Return the puzzles per second and the guesses per puzzle of each solver of the program."""
    command: Sequence[str] = [str(program), "-c1", f"-t{seconds}", "-w1", f"-e{SEED}", str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = csv.reader(done.stdout.splitlines())
    return {row[4]: (float(row[5]), float(row[8])) for row in rows if len(row) == 9}


if __name__ == "__main__":
    main()
