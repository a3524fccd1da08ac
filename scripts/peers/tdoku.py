"""Compare the engine `lanes` with tdoku and the solvers that its benchmark program contains.

    scripts/compare_sudoku TDOKU_FOLDER [FILE...] [--schoku PROGRAM] [--rounds 3] [--seconds 2]
        [--write [SECTION]]

TDOKU_FOLDER/build/run_benchmark is tdoku's benchmark program, built as its README explains; all
solvers that it contains are measured. The puzzles are the five sets of `scripts.measure.sudoku`,
random isomorphs of famous puzzles, the folder `data` of the checkout, if it has been unpacked, and
each FILE with one 9×9 puzzle per line. All programs run with one thread and test whether the
solution is unique; the runs alternate, and the best one counts. tdoku's program permutes the
puzzles at random.

`--write` stores the figures in docs/benchmarks.json, and puts them into the documents.
`--write tdoku_avx2` is for programs limited to AVX2: a build of tdoku with -march=x86-64-v3, and
this script with NUMBA_CPU_NAME=x86-64-v3 and an empty NUMBA_CPU_FEATURES in its environment.

`--schoku PROGRAM --write schoku` also measures Schoku (https://github.com/Mart1nSchulz/Schoku),
whose sources need a header of Windows: `make -C src XFLAGS=-I$PWD/scripts/peers/schoku` in its
checkout finds a substitute for GCC. It reports the time of solving without that of reading.
"""

import csv
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dlx_numba import solve_batch
from dlx_numba.bench.report import machine

from ..measure.sudoku import BOARDS_PER_CALL, engine_rate, standard_sets
from ..puzzles import decode_boards, encode_boards, read_boards, repeat_boards, transform
from ..tables import Row

Boards = NDArray[np.uint8]

FAMOUS = Path(__file__).resolve().parents[1] / "famous_puzzles.txt"

ENGINE, TDOKU, SCHOKU = "lanes", "tdoku", "Schoku"
SECTION = "tdoku"  # of docs/benchmarks.json
SECTIONS = (SECTION, "tdoku_avx2", "schoku")
N_ISOMORPHS, SEED = 200, 2014  # of each famous puzzle
ROUNDS, SECONDS = 3, 2


@dataclass(frozen=True)
class SetSpeeds:
    """Boards per second of each solver on a set, and the guesses per board of some."""

    set_name: str
    n_boards: int
    rates: dict[str, float]
    guesses: dict[str, float]


@dataclass(frozen=True)
class TdokuComparison:
    """The comparison with tdoku on all sets, and where it was measured."""

    machine: dict[str, str]
    sets: list[SetSpeeds]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "TdokuComparison":
        return cls(data["machine"], [SetSpeeds(**each) for each in data["sets"]])


def measure_tdoku(
    folder: Path,
    files: Sequence[Path] = (),
    rounds: int = ROUNDS,
    seconds: int = SECONDS,
    schoku: Path | None = None,
) -> TdokuComparison:
    """Measure all sets and files. Exits if tdoku's benchmark program has not been built."""
    program = folder.resolve() / "build" / "run_benchmark"
    if not program.is_file():
        raise SystemExit(f"{program} does not exist; build it as tdoku's README explains")
    sets = standard_sets() | {"famous": famous_boards()}
    for path in [*sorted((folder / "data").glob("puzzles*")), *files]:
        sets[path.stem] = read_boards(path)
    compared = [
        compare(program, schoku, name, boards, rounds, seconds) for name, boards in sets.items()
    ]
    return TdokuComparison(machine(), compared)


def famous_boards() -> Boards:
    """Return random isomorphs of the famous puzzles."""
    random = np.random.RandomState(SEED)
    lines = FAMOUS.read_text(encoding="ascii").splitlines()
    famous = decode_boards("".join(line.split()[0] for line in lines if line[0] != "#"))
    return np.stack([transform(board, random) for board in famous for _ in range(N_ISOMORPHS)])


def compare(
    program: Path, schoku: Path | None, name: str, boards: Boards, rounds: int, seconds: int
) -> SetSpeeds:
    """Measure all solvers on one set."""
    batch = repeat_boards(boards, max(len(boards), BOARDS_PER_CALL))
    rates = {ENGINE: 0.0}
    guesses = {ENGINE: float(solve_batch(boards, limit=2, engine=ENGINE, threads=1).nodes.mean())}
    with tempfile.TemporaryDirectory() as directory:
        file, many = Path(directory) / name, Path(directory) / "many"
        file.write_bytes(encode_boards(boards))
        many.write_bytes(encode_boards(batch))
        for _ in range(rounds):
            for solver, (rate, n_guesses) in run_tdoku(program, file, seconds).items():
                rates[solver] = max(rates.get(solver, 0.0), rate)
                if solver == TDOKU:
                    guesses[TDOKU] = n_guesses
            if schoku:
                rates[SCHOKU] = max(rates.get(SCHOKU, 0.0), run_schoku(schoku, many, len(batch)))
            rates[ENGINE] = max(rates[ENGINE], engine_rate(batch, 2, ENGINE, seconds))
    return SetSpeeds(name, len(boards), rates, guesses)


def tdoku_table(
    comparison: TdokuComparison,
    avx2: TdokuComparison | None = None,
    schoku: TdokuComparison | None = None,
) -> list[Row]:
    """Return the table of boards per second and guesses per board, one row for each set.

    The last columns are the ratios to tdoku if both are limited to AVX2, and to Schoku.
    """
    others = [name for name in comparison.sets[0].rates if name not in (ENGINE, TDOKU)]
    header = ["set", "boards", f"`{ENGINE}`", TDOKU, "ratio", "guesses", f"by {TDOKU}", *others]
    more = {"ratio, AVX2": _ratios(avx2, TDOKU), f"ratio to {SCHOKU}": _ratios(schoku, SCHOKU)}
    more = {title: ratios for title, ratios in more.items() if ratios}
    rows = [[*header, *more]]
    for name, ratio in _ratios(comparison, TDOKU).items():
        each = next(each for each in comparison.sets if each.set_name == name)
        row = [name, f"{each.n_boards:,}", *(f"{each.rates[k]:,.0f}" for k in (ENGINE, TDOKU))]
        row += [ratio, *(f"{each.guesses[k]:.2f}" for k in (ENGINE, TDOKU))]
        row += [f"{each.rates[other]:,.0f}" for other in others]
        rows.append([*row, *(ratios.get(name, "–") for ratios in more.values())])
    return rows


def _ratios(comparison: TdokuComparison | None, other: str) -> dict[str, str]:
    """Return how many times as fast as another program the engine is, by set."""
    sets = [] if comparison is None else comparison.sets
    return {each.set_name: f"{each.rates[ENGINE] / each.rates[other]:.1f}" for each in sets}


def run_tdoku(program: Path, file: Path, seconds: int) -> dict[str, tuple[float, float]]:
    """Return the puzzles per second and the guesses per puzzle of each solver of the program."""
    command: Sequence[str] = [str(program), "-c1", f"-t{seconds}", "-w1", f"-e{SEED}", str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = csv.reader(done.stdout.splitlines())
    return {row[4]: (float(row[5]), float(row[8])) for row in rows if len(row) == 9}


def run_schoku(program: Path, file: Path, n_boards: int) -> float:
    """Return the puzzles per second of Schoku, which tests uniqueness."""
    command = [str(program), "-t1", "-rM", "-y", str(file), f"{file}.out"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    match = re.search(r"([\d.]+)ms .*solving time", done.stdout)
    if not match:
        raise SystemExit(f"unknown output of {program}:\n{done.stdout}")
    return n_boards * 1000 / float(match[1])
