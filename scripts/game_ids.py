"""Read game IDs that the programs of Simon Tatham's Portable Puzzle Collection make.

    python -m scripts.game_ids [--count 200] [--folder /usr/games]

Each ID of a game that is solved is read from a saved game, after the name of the game and in a
link, always as the same puzzle, which has one solution. The IDs of all other games are refused. The
programs are those of Debian's package sgt-puzzles, which need no screen. They make other IDs in
each run, and those that fail are printed.
"""

import argparse
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from dlx_numba import read
from dlx_numba.puzzles.logic.game_ids import GAMES, NAME_OF, saved_game

# The parameters with which each game makes its IDs
PARAMETERS = {
    "Bridges": ("7x7", "7x7m1", "10x10d1", "7x10i5e20m1d1"),
    "Dominosa": ("3", "6dt", "6dh", "10"),
    "Pattern": ("5x5", "10x10", "10x15"),
    "Rectangles": ("7x7", "9x9e0.5", "12x8"),
    "Solo": ("3x3db", "2x3db", "2x6", "2x7", "3x3ka", "9jdb", "3x3xdb", "2x2"),
    "Tents": ("8x8", "10x8dt", "12x12dt"),
    "Unequal": ("4", "5dt", "7dx", "10", "12dt"),
    "Unruly": ("8x8", "8x6", "6x8u", "10x10dn"),
}
# Parameters of games that are solved, whose IDs are not read
REFUSED = {"Bridges": ("7x7m3", "7x7m4", "7x7L"), "Unequal": ("5a",)}
PROGRAM_OF = {name: program for program, name in NAME_OF.items()}
PAGES = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=200, help="IDs of each game")
    parser.add_argument("--folder", type=Path, default=Path("/usr/games"))
    arguments = parser.parse_args()
    version = _run(arguments.folder, "Solo", "--version").splitlines()[-1]
    n_failed = 0
    for name, parameters in PARAMETERS.items():
        kind = GAMES[name].kind
        n_read = 0
        for k, each in enumerate(parameters):
            count = len(range(k, arguments.count, len(parameters)))
            for saved, game_id in _make(arguments.folder, name, each, count):
                reason = _check(name, kind, saved, game_id)
                n_read += not reason
                n_failed += bool(reason)
                if reason:
                    print(f"{name}: {game_id}: {reason}")
        print(f"{name}: {n_read} of {arguments.count} are read as {kind}, and have one solution")
    others = {name: ("",) for name in PROGRAM_OF if name not in GAMES} | REFUSED
    for name, parameters in others.items():
        for each in parameters:
            for saved, game_id in _make(arguments.folder, name, each, 3):
                if accepted := [text for text in (saved, f"{name}: {game_id}") if _is_read(text)]:
                    n_failed += 1
                    print(f"{accepted[0]}: this is read")
    print(f"{version}: {n_failed} faults")
    sys.exit(n_failed > 0)


def _run(folder: Path, name: str, *arguments: str) -> str:
    command = [str(folder / f"sgt-{PROGRAM_OF[name]}"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _make(folder: Path, name: str, parameters: str, count: int) -> list[tuple[str, str]]:
    """Return the texts of new saved games, and their IDs."""
    with tempfile.TemporaryDirectory() as directory:
        saving = ("--save", f"{directory}/", "--save-suffix", ".sav")
        _run(folder, name, "--generate", str(count), *saving, *filter(None, [parameters]))
        texts = [Path(directory, f"{k}.sav").read_text("latin-1") for k in range(count)]
    return [(text, saved_game(text).partition(": ")[2]) for text in texts]


def _check(name: str, kind: str, saved: str, game_id: str) -> str:
    """Return how an ID is read wrongly, or "" if it is right."""
    link = f"{PAGES}/{PROGRAM_OF[name]}.html#{game_id}"
    drawn = set()
    for text in (saved, f"{name}: {game_id}", link):
        try:
            puzzles = read(text)
            [puzzle] = puzzles
        except ValueError as error:
            return str(error)
        if puzzles.kind != kind:
            return f"read as {puzzles.kind}"
        drawn.add(puzzle.text([]))
    n_solutions = len([*islice(puzzle.solutions(), 2)])
    if (len(drawn), n_solutions) != (1, 1):
        return f"{len(drawn)} puzzles, and {n_solutions} solutions"
    return ""


def _is_read(text: str) -> bool:
    try:
        return len(read(text)) > 0
    except ValueError:
        return False


if __name__ == "__main__":
    main()
