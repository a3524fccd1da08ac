"""Puzzle programs: their links, files, game IDs and boards are read, and ours by them.

Programs that run on web sites and phones cannot be run here: the tests read what they have written.
"""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import dlx_numba as dlx
from dlx_numba.puzzles.logic import shikaku

from .row import Row, pinned, version_of

ROOT = Path(__file__).resolve().parents[2]
N_PUZZLES = 30
N_BOARDS = 200
N_IDS = 24

# For each text that it gets, pzpr prints the link and the file.
EXCHANGE = """
const pzpr = require("pzpr");
for (const text of JSON.parse(require("fs").readFileSync(0))) {
    const puzzle = new pzpr.Puzzle();
    const print = () => [puzzle.getURL(), String(puzzle.getFileData())];
    puzzle.open(text, () => console.log(JSON.stringify(print())));
}
"""


class Stored(NamedTuple):
    """A program whose stored files are read, in tests of a module whose names have some words."""

    program: str
    path: str
    words: str
    is_read: str
    surprises: str


STORED = [
    Stored(
        *("Burr Tools", "tests/puzzles/test_burr.py", "soma or solutions or ranges"),
        "stored: XML, compressed XML",
        "a range of pieces does not say how many are mirror images",
    ),
    Stored(
        *("f-puzzles", "tests/puzzles/variants/test_puzzle.py", "fpuzzles or link"),
        "stored: JSON, links",
        "lines may be stored with or without a list around them",
    ),
    Stored(
        *("OpenSudoku", "tests/sudoku/io/test_apps.py", "opensudoku"),
        "stored: collections, games",
        "digits that were entered are beside the givens in games that are played",
    ),
    Stored(
        *("SudokuPad", "tests/puzzles/variants/test_puzzle.py", "sudokupad or link"),
        "stored: JSON, links",
        "most rules are drawings and sentences; only cages, regions and some lines are data",
    ),
]


def rows(python: str, folder: Path) -> Iterator[Row]:
    yield _exchange_with_pzpr(folder)
    yield _read_game_ids()
    yield _exchange_with_qqwing()
    for stored in STORED:
        _run([sys.executable, "-m", "pytest", "-q", stored.path, "-k", stored.words])
        yield Row(stored.program, "not recorded", "not tried", stored.is_read, stored.surprises)


def _run(command: list[str], text: str = "", folder: Path = ROOT) -> str:
    result = subprocess.run(
        command, input=text, cwd=folder, check=False, capture_output=True, text=True
    )
    if result.returncode:
        sys.exit(f"{' '.join(command)}: {(result.stdout + result.stderr)[-2000:]}")
    return result.stdout


def _exchange_with_pzpr(folder: Path) -> Row:
    """Let pzpr write links and files of random puzzles, and read both."""
    version = pinned()["npm/pzpr"]
    _run(["npm", "install", "--silent", "--no-fund", f"pzpr@{version}"], folder=folder)
    texts: list[str] = []
    puzzles: list[dlx.Puzzle] = []
    for seed in range(N_PUZZLES):
        _, *rows_of_numbers = shikaku.random(seed, 7).splitlines()
        shapes = [row.replace("-", ".").split() for row in rows_of_numbers]
        rng = random.Random(seed)
        islands = [[rng.choice("12345678....") for _ in range(7)] for _ in range(5)]
        for genre, kind, cells in (
            ("shikaku", "shikaku", shapes),
            ("hashi", "hashiwokakero", islands),
        ):
            lines = [" ".join(row) for row in cells]
            texts.append("\n".join(["pzprv3", genre, str(len(cells)), "7", *lines, ""]))
            puzzles += dlx.read("\n".join([f"{len(cells)} 7", *lines]), kind)
    answers = _run(["node", "-e", EXCHANGE], json.dumps(texts), folder).splitlines()
    for puzzle, answer in zip(puzzles, answers, strict=True):
        link, file = json.loads(answer)
        for text in (link.replace("http://pzv.jp/p.html", "https://puzz.link/p"), link, file):
            [found] = dlx.read(text)
            if found.text([]) != puzzle.text([]):
                sys.exit(f"{text!r} of pzpr is read as another puzzle")
    n_links = f"{len(answers)} links, {len(answers)} files"
    return Row(
        "pzpr (puzz.link)",
        version,
        "nothing",
        n_links,
        "links of bridges say `hashi`, files `hashikake`; cells missing at the end are empty",
    )


def _read_game_ids() -> Row:
    version = version_of("sgt-puzzles")
    _run([sys.executable, "-m", "scripts.game_ids", "--count", str(N_IDS)])
    return Row(
        "Simon Tatham's puzzles",
        version,
        "nothing",
        f"{N_IDS} IDs of each of 8 games",
        "some parameters, such as `m3` of Bridges, change the rules without a mark in the board",
    )


def _exchange_with_qqwing() -> Row:
    """Compare boards and solutions, in both directions."""
    made = _run(["qqwing", "--generate", str(N_BOARDS), "--one-line"])
    boards = np.array([[*map(int, board)] for board in made.replace(".", "0").split()])
    for puzzles in (boards, dlx.generate(N_BOARDS, seed=1).puzzles):
        text = "\n".join("".join(map(str, board)) for board in puzzles.tolist())
        found = _run(["qqwing", "--solve", "--one-line"], text + "\n").split()
        solved = dlx.solve_batch(puzzles)
        expected = ["".join(map(str, board)) for board in solved.solutions.tolist()]
        if found != expected:
            sys.exit("qqwing has other solutions")
    return Row(
        "qqwing",
        version_of("qqwing"),
        f"{N_BOARDS} boards",
        f"{N_BOARDS} boards",
        "the class of some puzzles depends on random numbers",
    )
